/* SPDX-License-Identifier: Apache-2.0 */
/* timeline_layout.h — a timeline as a picture of bounded size: rows of boxes, however many events
 * there are
 *
 * A track has a row for each level of nesting. An event that is wide enough to be seen is a box;
 * those that are not are counted, cell by cell, in boxes that say how busy the cell was and with
 * what most. Every event of a track that is shown is in exactly one box of each cell it touches, or
 * among those `deeper` than the rows go, or on levels `outer` to all rows. */
#ifndef PTK_ANALYSIS_LAYOUT_TIMELINE_LAYOUT_H
#define PTK_ANALYSIS_LAYOUT_TIMELINE_LAYOUT_H

#include "base/text/pattern.h"
#include "graph/model/graph.h"

struct layout_options {
    int64_t start, end;           /* ns: what is shown; both 0: everything */
    const struct pattern *wanted; /* names of tracks or their processes; NULL: all */
    uint32_t tracks;              /* at most so many, the busiest; 0: all */
    uint32_t depth;               /* rows a track at most, 1 to 250 */
    uint32_t boxes;               /* at most so many on all rows */
    uint32_t columns;             /* pixels: no box need be narrower than one */
};

struct layout_box {
    int64_t start, end;    /* ns, within what is shown */
    frame_id frame;        /* of several events the one that took the most time */
    event_id event;        /* the one event, or the longest */
    uint32_t events, lane; /* how many; index of its track's lane */
    uint32_t level;        /* row within the lane */
    int64_t busy;          /* ns: their time in this cell; end − start for a single one */
};

/* One track, or one overflow lane. */
struct layout_lane {
    uint32_t track, levels; /* rows, */
    uint32_t outer;         /* which begin below as many levels of next to one event each */
    uint32_t events;        /* in what is shown */
    int64_t busy;           /* ns of its outermost events */
    bool is_more;           /* operations that ran beside those on the lane before it */
};

/* All arrays are the arena's. */
struct timeline_layout {
    int64_t start, end;       /* ns */
    int64_t cell;             /* ns: what is shorter is counted with its neighbours */
    struct layout_lane *list; /* in the order of the file */
    uint32_t count, left_out, columns;
    struct layout_box *boxes; /* by lane, level, time */
    uint32_t box_count;
    uint64_t outer, deeper; /* events on levels above the first row and below the last */
};

/* When the first event begins that takes time, in ns; 0 without one. */
int64_t timeline_layout_origin(const struct graph *graph);

/* Needs LEVEL_TIMELINE. */
void timeline_layout_compute(const struct graph *graph, const struct layout_options *options,
                             struct arena *arena, struct timeline_layout *layout);

#endif
