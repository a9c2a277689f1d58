/* SPDX-License-Identifier: Apache-2.0 */
/* subtract.h — a profile less an earlier one, stack by stack: pprof's -base and -diff_base
 *
 * What two heap profiles differ by is what was allocated, and kept, between them: `diff` compares two
 * runs, and this takes one from the other. Figures may be negative. */
#ifndef PTK_ANALYSIS_COMPARE_SUBTRACT_H
#define PTK_ANALYSIS_COMPARE_SUBTRACT_H

#include "base/attr.h"
#include "base/cli/error.h"
#include "graph/model/graph.h"

/* What 100 % is. */
enum subtract_whole {
    WHOLE_OF_CHANGES, /* what all stacks changed by, up and down added up */
    WHOLE_OF_BASE     /* all of the base */
};

/* Both graphs must have LEVEL_CALLTREE; then `graph` has the difference, and that level alone, and `base`
 * is used up, to be freed. `sum`: of all stacks. False with ERROR_USAGE where they have no value type in
 * common. */
MUST_CHECK bool subtract(struct graph *graph, struct graph *base, enum subtract_whole whole,
                         int64_t *sum, struct error *err);

#endif
