/* SPDX-License-Identifier: Apache-2.0 */
/* value_columns.h — what every function has as its own of each value that the profile measures */
#ifndef PTK_ANALYSIS_FUNCTIONS_VALUE_COLUMNS_H
#define PTK_ANALYSIS_FUNCTIONS_VALUE_COLUMNS_H

#include "graph/model/graph.h"

/* In the arena, in the values' base units. */
struct value_columns {
    const int64_t *self; /* by function and value: self[function * graph->values.count + value] */
    int64_t *total;      /* by value: their sums, but for idle time */
};

/* The graph must have been built with builder_options.all_values, and have LEVEL_FLAT. False where
 * its parser kept the selected value alone, and of a timeline, whose values are views of one time. */
bool value_columns_find(const struct graph *graph, struct arena *arena,
                        struct value_columns *columns);

#endif
