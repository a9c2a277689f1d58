/* SPDX-License-Identifier: Apache-2.0 */
/* stacks.h — the calling contexts that cost something by themselves, the costliest first */
#ifndef PTK_ANALYSIS_FUNCTIONS_STACKS_H
#define PTK_ANALYSIS_FUNCTIONS_STACKS_H

#include "graph/model/graph.h"

struct stacks_options {
    uint32_t limit;     /* stacks; 0 is all */
    double min_percent; /* of the whole; those with less are left out */
    int64_t most_bytes; /* that names and figures of all stacks may take as JSON, about */
};

/* The path from `leaf` up to a root. */
struct stacks_row {
    node_id leaf;
    uint32_t depth; /* frames */
    int64_t self;   /* of the leaf on this path */
    double share;   /* of `whole` */
};

struct stacks {
    struct stacks_row *rows; /* in the arena */
    uint32_t count, left_out;
    int64_t left_out_self;
    int64_t whole; /* what 100 % means: see graph_total() */
    bool is_cut;   /* stopped at most_bytes */
};

/* The graph must have LEVEL_CALLTREE and LEVEL_FLAT. Of equal stacks that comes first which the file has first. */
void stacks_rank(const struct graph *graph, const struct stacks_options *options,
                 struct arena *arena, struct stacks *stacks);

#endif
