/* SPDX-License-Identifier: Apache-2.0 */
/* label_values.h — what samples were labelled with, and what the samples of each label come to */
#ifndef PTK_ANALYSIS_FUNCTIONS_LABEL_VALUES_H
#define PTK_ANALYSIS_FUNCTIONS_LABEL_VALUES_H

#include "graph/model/graph.h"

struct labels_row {
    struct sample_label label;
    int64_t samples, value;
    double share; /* of the whole profile's value */
    bool begins_key;
};

/* By key, and of one key those first that come to most. A sample with two labels of one key counts
 * in both. */
struct labels {
    struct labels_row *rows; /* in the arena */
    uint32_t count;
    uint32_t keys;
    int64_t total;
};

/* The graph must have been built with builder_options.labels. */
void labels_rank(const struct graph *graph, struct arena *arena, struct labels *labels);

#endif
