/* SPDX-License-Identifier: Apache-2.0 */
/* nvprof_flat.h — the level of files without a trace: a row a kernel, copy or call; each metric
 * that adds up is a value that rows can be ranked by */
#ifndef PTK_PARSERS_NVPROF_NVPROF_FLAT_H
#define PTK_PARSERS_NVPROF_NVPROF_FLAT_H

#include "parsers/nvprof/nvprof_metrics.h"
#include "parsers/nvprof/nvprof_summary.h"

MUST_CHECK bool flat_finish(const struct summary *summary, const struct metrics *metrics,
                            struct builder *builder, struct error *err);

#endif
