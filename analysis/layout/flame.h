/* SPDX-License-Identifier: Apache-2.0 */
/* flame.h — flame graphs: boxes, their colours and what they are made of */
#ifndef PTK_ANALYSIS_LAYOUT_FLAME_H
#define PTK_ANALYSIS_LAYOUT_FLAME_H

#include "base/text/string_table.h"
#include "graph/model/graph.h"

/* ---- a tree of time laid out in boxes: what a flame graph or an icicle shows ---- */

/* In the order of time, every event of a timeline is a box of its own, on its track, or one of
 * neighbours in a common box, on which stands what stood on them. Where a track was idle there is
 * nothing, so that widths still add up.
 *
 * From a call tree it is exact. From a call graph it is the path-free construction of
 * analysis/layout/flow.h: the sum of a function's boxes is exact, and a box is an estimate where
 * its function's time had to be split among several places.
 *
 * Every value is in exactly one box's `self`: the self values of all boxes add up to `whole`. Where
 * the profile is compared with an earlier one, the same holds of what the boxes had before: their
 * `self_before` and what is `gone` add up to `whole_before`.
 *
 * A profile from which another was taken away has values of either sign: they are drawn as long as
 * they are, and what stands for a box before is what shrank of it. So its change is its width less
 * twice that. */

#define NO_BOX UINT32_MAX

/* An earlier profile, and the same keys for the same functions: diff.h. */
struct flame_past {
    const struct graph *graph;
    const uint32_t *key, *key_now; /* by frame of that graph, and of the one that is drawn */
};

struct flame_options {
    uint32_t depth;                /* levels; 0 is all */
    double min_percent;            /* of the whole; narrower boxes are merged with their like */
    const struct flame_past *past; /* what to compare with; NULL: nothing */
    bool is_by_time;               /* needs LEVEL_TIMELINE; nothing is compared */
    bool is_difference;            /* of two profiles: needs LEVEL_CALLTREE; nothing is compared */
};

struct flame_box {
    uint32_t parent; /* NO_BOX: stands on the ground */
    uint32_t depth;
    frame_id frame;  /* of neighbours in time the longest; 0: a track, or several boxes merged */
    uint32_t track;  /* in the order of time: index + 1 of the track that this box is; 0: none */
    uint32_t merged; /* narrow boxes in this one; 0: it is none of those */
    int64_t at;      /* where it begins, 0 … whole */
    int64_t total;   /* its width */
    int64_t self;    /* without the boxes above it */
    int64_t calls;   /* or UNKNOWN */
    int64_t total_before, self_before; /* in the same place of the earlier profile; of a difference
                                        * what shrank */
    bool is_new; /* there was none: those two are the function's in places that are gone */
    bool is_estimate;
};

/* No picture is higher than programs can show (32767 pixels for librsvg). What is above the last
 * level is merged, as with options.depth. */
enum { FLAME_BOXES_MAX = 200000, FLAME_LEVELS_MAX = 1790 };

struct flame {
    struct flame_box *boxes; /* parents before their children, siblings from left to right */
    uint32_t count, depth;   /* depth: levels that are there */
    int64_t whole;
    int64_t estimated; /* self values in boxes that are estimates */
    uint32_t merged;   /* boxes that were too narrow */
    bool is_compared, is_by_time, is_difference;
    int64_t whole_before; /* of the earlier profile */
    int64_t gone;         /* its values in places that there are no more */
    bool has_negative;    /* negative values are in the profile; they cannot be drawn */
};

/* The graph must have LEVEL_CALLTREE, or LEVEL_CALLGRAPH when its format holds no more. */
void flame_lay_out(const struct graph *graph, const struct flame_options *options,
                   struct arena *arena, struct flame *flame);

/* ---- which boxes of a flame graph share a colour, and what the colours stand for ---- */

enum coloring_by {
    COLORING_AUTO,
    COLORING_PACKAGE,
    COLORING_MODULE,
    COLORING_KIND,
    COLORING_HEAT,
    COLORING_CHANGE
};

extern const char *const coloring_names[]; /* without the last of the enum; ends with NULL */

/* Automatic is by package where several are known, and by kind elsewhere. Hue 0 is for what is not
 * distinguished, 1 … COLORING_HUES for the rest. Of heat, the hue is a step: 1 where the function has
 * next to no self time, COLORING_HUES where it has the most. Of change, the hues below
 * COLORING_SAME are for what shrank, those above it for what grew. */
enum { COLORING_HUES = 7, COLORING_SAME = 4 };

struct coloring_entry {
    struct span name; /* of the package, module or kind; empty: none, or those without a hue */
    uint8_t hue;
    bool is_drawn; /* has boxes of its own, and not only a part in merged ones */
    int64_t self;  /* of all its functions, whether they have boxes or are in merged ones; in the
                    * order of time, of its boxes */
};

struct coloring {
    enum coloring_by by;
    uint8_t *hue; /* by frame */
    struct coloring_entry
        *entries; /* by self, the most first, hue 0 last; none of heat and change */
    uint32_t count;
    int64_t most_self;   /* of heat: of one function */
    bool is_cum;         /* of change: with callees */
    bool is_difference;  /* of change: there is nothing before */
    int64_t most_change; /* of change: of one box, either way */
};

/* The hue of a kind, the same in every picture. */
uint8_t coloring_of_kind(enum frame_kind kind);

void coloring_choose(const struct graph *graph, const struct flame *flame, enum coloring_by by,
                     struct arena *arena, struct coloring *coloring);

/* For a flame that is compared, or of a difference. */
void coloring_choose_change(const struct flame *flame, bool is_cum, struct coloring *coloring);

uint8_t coloring_hue(const struct coloring *coloring, const struct flame_box *box);

/* ---- where flame.c gets the boxes above a box from; one file for each level ---- */

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
    VECTOR(struct flame_item); /* malloc'ed, reused from box to box */
};

struct flame_item *flame_items_add(struct flame_items *items);

struct flame_source {
    const struct graph *graph;

    /* Adds those above `item` to `above` and sets the item's self; what is on the ground when its
     * ref is `ground`. */
    void (*expand)(struct flame_source *source, struct flame_item *item, struct flame_items *above);
    void (*close)(struct flame_source *source); /* NULL: all is the arena's */
    uint32_t ground;
    int64_t whole, whole_shrunk; /* the second of a difference */
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

struct flame_source *flame_from_calltree(const struct graph *graph, bool is_difference,
                                         struct arena *arena);
struct flame_source *flame_from_callgraph(const struct graph *graph, struct arena *arena);

/* In the order of time, one track after the other. */
struct flame_source *flame_from_timeline(const struct graph *graph, struct arena *arena);

#endif
