/* flat.h — the level of files without a trace: a row a kernel, copy or call; each metric that adds
 * up is a value that rows can be ranked by */
#ifndef PTK_PARSERS_NVPROF_FLAT_H
#define PTK_PARSERS_NVPROF_FLAT_H

#include "parsers/nvprof/metrics.h"
#include "parsers/nvprof/summary.h"

MUST_CHECK bool flat_finish(const struct summary *summary, const struct metrics *metrics,
                            struct builder *builder, struct error *err);

#endif
