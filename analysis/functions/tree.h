/* SPDX-License-Identifier: Apache-2.0 */
/* tree.h — a tree of time, top-down or bottom-up, from a call tree or, estimated, a call graph
 *
 * A call graph knows calls from one function to another, not paths; call_flow.h says what becomes
 * of it. A row that is no estimate shows a figure of the file: a function's cumulative time, or
 * that of the one call. */
#ifndef PTK_ANALYSIS_FUNCTIONS_TREE_H
#define PTK_ANALYSIS_FUNCTIONS_TREE_H

#include "graph/model/graph.h"

struct tree_options {
    bool is_bottom_up;
    uint32_t depth;     /* levels; 0 is all */
    uint32_t limit;     /* children of one row; 0 is all */
    double min_percent; /* of the whole; rows below are left out */
    uint32_t most_rows; /* when there are more, narrower branches are left out; 0: TREE_ROWS_MAX */
};

struct tree_row {
    uint32_t depth; /* 0: a root */
    frame_id frame;
    int64_t total; /* time on this path: top-down with callees, bottom-up as the leaf's self */
    int64_t self;  /* top-down: without callees; bottom-up: of a root, else 0 */
    int64_t calls; /* or UNKNOWN */
    double share;  /* of `whole` */
    bool is_estimate;
    bool is_recursive; /* the function stands above itself: what is below is in the row above */
    bool is_folded; /* it calls itself, alone or over others: what inner calls do is in this row */
    bool is_last;   /* among its siblings that are shown */
};

struct tree {
    struct tree_row *rows; /* depth first, the largest child first; in the arena */
    uint32_t count;
    int64_t whole;      /* what 100 % means */
    uint32_t hidden;    /* children left out */
    double min_percent; /* as asked, or what it takes to stay within most_rows */
    bool is_cut;        /* stopped at most_rows */
};

enum { TREE_ROWS_MAX = 1000000 };

/* The graph must have LEVEL_CALLTREE, or LEVEL_CALLGRAPH when its format holds no more. */
void tree_grow(const struct graph *graph, const struct tree_options *options, struct arena *arena,
               struct tree *tree);

#endif
