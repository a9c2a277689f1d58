/* SPDX-License-Identifier: Apache-2.0 */
/* kernel_flat.h — the level of files without a trace: a row a kernel, copy or call; each metric
 * that adds up is a value that rows can be ranked by */
#ifndef PTK_PARSERS_SHARED_KERNEL_FLAT_H
#define PTK_PARSERS_SHARED_KERNEL_FLAT_H

#include "parsers/shared/kernel_counters.h"

MUST_CHECK bool kernel_flat(const struct kernel_totals *totals,
                            const struct kernel_counters *counters, struct builder *builder,
                            struct error *err);

#endif
