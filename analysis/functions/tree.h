/* SPDX-License-Identifier: Apache-2.0 */
/* tree.h — call trees as they are shown, and where they come from */
#ifndef PTK_ANALYSIS_FUNCTIONS_TREE_H
#define PTK_ANALYSIS_FUNCTIONS_TREE_H

#include "graph/model/graph.h"

/* ---- a tree of time, top-down or bottom-up, from a call tree or, estimated, a call graph ---- */

/* A call graph knows calls from one function to another, not paths; call_edges.h says what becomes
 * of it. A row that is no estimate shows a figure of the file: a function's cumulative time, or
 * that of the one call. */

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
    int64_t cut;       /* what its children take that are left out */
    bool is_recursive; /* the function stands above itself: what is below is in the row above */
    bool is_folded; /* it calls itself, alone or over others: what inner calls do is in this row */
    bool is_last;   /* among its siblings that are shown */
};

struct tree {
    struct tree_row *rows; /* depth first, the largest child first; in the arena */
    uint32_t count;
    int64_t whole;      /* what 100 % means */
    uint32_t hidden;    /* children left out */
    int64_t cut;        /* what roots take that are left out */
    double min_percent; /* as asked, or what it takes to stay within most_rows */
    bool is_cut;        /* stopped at most_rows */
};

enum { TREE_ROWS_MAX = 1000000 };

/* The graph must have LEVEL_CALLTREE, or LEVEL_CALLGRAPH when its format holds no more. */
void tree_grow(const struct graph *graph, const struct tree_options *options, struct arena *arena,
               struct tree *tree);

/* ---- where tree.c gets the children of a row from; one file for each level ---- */

/* A row with what its source needs to find its children. */
struct tree_item {
    struct tree_row row;
    uint64_t ref;
};

/* Children as they are found, in no order. */
struct tree_items {
    VECTOR(struct tree_item); /* malloc'ed, reused from row to row */
};

struct tree_item *tree_items_add(struct tree_items *items);

struct tree_source {
    /* Frames on the path to the row that is expanded, by frame: how often. */
    const uint32_t *open;
    const struct graph *graph;
    const struct tree_options *options;
    struct arena *arena;

    /* Fill `children` with those of `item`, or with the roots when it is NULL. */
    void (*expand)(struct tree_source *source, const struct tree_item *item,
                   struct tree_items *children);

    /* Frees what is not in the arena; NULL when there is nothing. */
    void (*close)(struct tree_source *source);
};

struct tree_source *tree_from_callgraph(const struct graph *graph,
                                        const struct tree_options *options, struct arena *arena);

/* ---- the calling contexts that cost something by themselves, the costliest first ---- */

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

/* ---- a call tree in place of a call graph, for formats that hold stacks alone ---- */

/* By the rule of call_edges.h: each function's self times, over its stacks, are its own. The graph,
 * which is a call graph's with LEVEL_CALLGRAPH, is a call tree's then, and a warning says that its
 * stacks are estimates. */
void estimate_stacks(struct graph *graph);

#endif
