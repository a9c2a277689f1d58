/* SPDX-License-Identifier: Apache-2.0 */
/* tree_source.h — where tree.c gets the children of a row from; one file for each level */
#ifndef PTK_ANALYSIS_FUNCTIONS_TREE_SOURCE_H
#define PTK_ANALYSIS_FUNCTIONS_TREE_SOURCE_H

#include "analysis/functions/tree.h"

/* A row with what its source needs to find its children. */
struct tree_item {
    struct tree_row row;
    uint64_t ref;
};

/* Children as they are found, in no order. */
struct tree_items {
    struct tree_item *list; /* malloc'ed, reused from row to row */
    size_t count, cap;
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

struct tree_source *tree_from_calltree(const struct graph *graph,
                                       const struct tree_options *options, struct arena *arena);
struct tree_source *tree_from_callgraph(const struct graph *graph,
                                        const struct tree_options *options, struct arena *arena);

#endif
