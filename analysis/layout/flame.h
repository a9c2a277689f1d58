/* SPDX-License-Identifier: Apache-2.0 */
/* flame.h — a tree of time laid out in boxes: what a flame graph or an icicle shows
 *
 * In the order of time, every event of a timeline is a box of its own, on its track, or one of
 * neighbours in a common box, on which stands what stood on them. Where a track was idle there is
 * nothing, so that widths still add up.
 *
 * From a call tree it is exact. From a call graph it is the path-free construction of
 * analysis/layout/flow.h: the sum of a function's boxes is exact, and a box is an estimate where
 * its function's time had to be split among several places.
 *
 * Every value is in exactly one box's `self`: the self values of all boxes add up to `whole`. Where
 * the profile is compared with an earlier one, the same holds of what the boxes had before: their
 * `self_before` and what is `gone` add up to `whole_before`. */
#ifndef PTK_ANALYSIS_LAYOUT_FLAME_H
#define PTK_ANALYSIS_LAYOUT_FLAME_H

#include "graph/model/graph.h"

#define NO_BOX UINT32_MAX

/* An earlier profile, and the same keys for the same functions: function_matching.h. */
struct flame_past {
    const struct graph *graph;
    const uint32_t *key, *key_now; /* by frame of that graph, and of the one that is drawn */
};

struct flame_options {
    uint32_t depth;                /* levels; 0 is all */
    double min_percent;            /* of the whole; narrower boxes are merged with their like */
    const struct flame_past *past; /* what to compare with; NULL: nothing */
    bool is_by_time;               /* needs LEVEL_TIMELINE; nothing is compared */
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
    int64_t total_before, self_before; /* in the same place of the earlier profile */
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
    bool is_compared, is_by_time;
    int64_t whole_before; /* of the earlier profile */
    int64_t gone;         /* its values in places that there are no more */
    bool has_negative;    /* negative values are in the profile; they cannot be drawn */
};

/* The graph must have LEVEL_CALLTREE, or LEVEL_CALLGRAPH when its format holds no more. */
void flame_lay_out(const struct graph *graph, const struct flame_options *options,
                   struct arena *arena, struct flame *flame);

#endif
