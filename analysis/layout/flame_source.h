/* SPDX-License-Identifier: Apache-2.0 */
/* flame_source.h — where flame.c gets the boxes above a box from; one file for each level */
#ifndef PTK_ANALYSIS_LAYOUT_FLAME_SOURCE_H
#define PTK_ANALYSIS_LAYOUT_FLAME_SOURCE_H

#include "analysis/layout/flame.h"

/* A box with what its source needs to find those above it. */
struct flame_item {
    struct flame_box box;
    uint32_t ref;        /* NO_BOX: of several that cannot be opened */
    uint32_t ref_end;    /* in the order of time: where those after it, that are one box, end */
    int64_t longest;     /* of the members of such a box: the total of that with its frame */
    uint32_t ref_before; /* in the earlier profile's source, or NO_BOX */
};

/* In the order of time, where the source knows it. */
struct flame_items {
    struct flame_item *list; /* malloc'ed, reused from box to box */
    size_t count, cap;
};

struct flame_item *flame_items_add(struct flame_items *items);

struct flame_source {
    const struct graph *graph;

    /* Adds those above `item` to `above` and sets the item's self; what is on the ground when its
     * ref is `ground`. */
    void (*expand)(struct flame_source *source, struct flame_item *item, struct flame_items *above);
    uint32_t ground;
    int64_t whole;
    bool has_negative;
};

/* The source of the profile that a picture is compared with, and room to work. */
struct flame_pairing {
    const struct flame_past *past; /* NULL: nothing is compared */
    struct flame_source *source;
    struct flame_items before;
    int64_t gone;
};

/* Says of an item's box and of those above it what they were before. */
void flame_pair(struct flame_pairing *pairing, struct flame_item *item, struct flame_items *above);

/* Compares boxes in new places with what their functions had in places that are gone. Both graphs
 * must have LEVEL_FLAT. */
void flame_compare_moved(const struct graph *graph, const struct flame_past *past,
                         struct flame *flame, struct arena *arena);

struct flame_source *flame_from_calltree(const struct graph *graph, struct arena *arena);
struct flame_source *flame_from_callgraph(const struct graph *graph, struct arena *arena);

/* In the order of time, one track after the other. */
struct flame_source *flame_from_timeline(const struct graph *graph, struct arena *arena);

#endif
