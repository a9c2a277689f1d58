/* SPDX-License-Identifier: Apache-2.0 */
/* page_data.h — what a page carries of a timeline for its script: which events, their columns, an index
 *
 * Times in the page are multiples of a unit, counted from the first start. Kept are all device work,
 * every event of at least some length, and all events in the windows; the others are counted in cells.
 * A parent is not shorter than its children, so what is kept of a track still nests. The unit and the length are
 * the least with which the page stays within its size. */
#ifndef PTK_RENDER_PAGE_PAGE_DATA_H
#define PTK_RENDER_PAGE_PAGE_DATA_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "analysis/advice/bottleneck.h"
#include "analysis/execution/idle_gaps.h"
#include "analysis/execution/replay.h"
#include "analysis/timeline/inventory.h"
#include "base/memory/varint.h"
#include "graph/model/graph.h"

/* ---- which events are kept ---- */

enum { PAGE_LEVELS = 53 };

struct event_choice {
    const struct graph *graph;
    const struct window_bounds *windows; /* in which all are kept; the arena's */
    uint32_t window_count;
    int64_t origin, end; /* ns: of the first start and the last end */
    uint32_t level;
    int64_t unit;  /* ns: 1 << level */
    int64_t least; /* ns: shorter ones are counted outside the windows; 0: all are kept */
    uint32_t kept_at[PAGE_LEVELS]; /* by level */
    struct bits kept;              /* by event: bits_before() is its number in the page */
    uint32_t kept_count;
};

/* Of the windows, in their order, those are kept that together hold at most a third of `most` events.
 * `level` becomes the first whose times are exact numbers in a script. */
void event_choice_begin(struct event_choice *choice, const struct graph *graph,
                        const struct window_bounds *windows, uint32_t count, uint32_t most,
                        struct arena *arena);

/* Keeps what this level keeps. */
void event_choice_take(struct event_choice *choice, uint32_t level);

/* A time in the page's units. */
uint64_t page_units(const struct event_choice *choice, int64_t time);

void event_choice_free(struct event_choice *choice);

/* ---- the columns ---- */

enum page_column {
    PAGE_STARTS,   /* by track: the difference to the event before, from 0 */
    PAGE_LENGTHS,  /* end − start, both rounded down */
    PAGE_NAMES,    /* places in page_names */
    PAGE_LAUNCHES, /* 0: none; else 1 + zigzag of the difference to the launch's number before, */
    PAGE_CELLS, /* by track: how many, then of each: difference of its place, count, busy in 1/255 */
    PAGE_POINTS, /* by series: difference of time, then its value's place among 65,535 */
    PAGE_GAPS, /* by gap of each device, by time: difference of start, length, owner's place + 1 or 0, enum idle_class */
    PAGE_PATH, /* by piece of the critical path: difference of start, length, enum path_part, event as launches are */
    PAGE_COLUMNS
};

enum { PAGE_CELLS_MOST = 8192 };

/* The functions of the kept events, the most frequent first. */
struct page_names {
    frame_id *frames; /* the arena's */
    uint32_t
        count; /* those that have a name in the page: events of others have the number `count` */
    uint32_t *place; /* by frame; owned */
};

/* A counter as the page has it. */
struct page_series {
    uint32_t series; /* index in the timeline */
    uint32_t points;
    double least, most; /* what 0 and 65,535 mean */
};

/* Idle time of a device. */
struct page_gaps {
    int32_t device;
    uint32_t count, all; /* those that are there, the longest, and how many there are */
    int64_t rest;        /* ns of those that are not */
};

struct page_columns {
    struct byte_list of[PAGE_COLUMNS]; /* varints, as they are, then in raw deflate */
    uint64_t sizes[PAGE_COLUMNS];       /* inflated */
    uint32_t *track_events;             /* by track: kept */
    uint64_t counted;                   /* events in cells */
    int64_t cell;                       /* units that a cell is wide */
    struct page_series *series;
    uint32_t series_count;
    struct page_gaps *gaps; /* by device */
    uint32_t gap_devices;
    frame_id *owners; /* of gaps, in the order of their places */
    uint32_t owner_count;
    uint32_t path_count; /* pieces of the path that are there */
    int64_t path_rest;   /* ns of those that are not */
};

/* What a page shows besides events. */
struct page_extras {
    const struct bottlenecks *devices; /* whose idle time; or NULL */
    const struct path_pieces *path;    /* the critical path; or NULL */
};

/* Fills and packs the columns of what was chosen. Arrays are the arena's, bytes owned. */
void page_columns_fill(const struct event_choice *choice, const struct page_names *names,
                       const struct page_extras *extras, struct arena *arena,
                       struct page_columns *columns);
void page_gaps_fill(const struct event_choice *choice, const struct bottlenecks *devices,
                    struct arena *arena, struct page_columns *columns);
void page_columns_free(struct page_columns *columns);

/* Packs bytes in place as raw deflate; base 64 of bytes. */
void page_bytes_deflate(struct byte_list *bytes);
char *page_bytes_base64(const struct byte_list *bytes, size_t *length); /* the caller frees it */

/* ---- all of it ---- */

struct page_data {
    struct event_choice choice;
    struct page_names names;
    struct page_columns columns;
    struct steps steps;
};

/* What is asked of the page. */
struct page_data_options {
    const struct window_bounds *windows; /* of what the page points to, the most important first */
    uint32_t window_count;
    uint64_t size;                     /* bytes of base 64 and names, about */
    const struct bottlenecks *devices; /* whose idle time the page shows; or NULL */
    const struct path_pieces *path;    /* the critical path; or NULL */
};

/* How many pieces of the critical path a page of this size has room for. */
uint64_t page_path_most(uint64_t size);

/* Needs LEVEL_TIMELINE. */
void page_data_make(const struct graph *graph, const struct page_data_options *options,
                    struct arena *arena, struct page_data *data);
void page_data_free(struct page_data *data);

/* Its index as JSON, in which no text ends a script. */
void page_index_write(const struct page_data *data, struct arena *arena, FILE *out);

/* Both as text. Owned. */
struct page_block {
    char *index, *columns;
    size_t index_size, columns_size;
    int64_t origin; /* ns since the epoch of the file's clock: of the page's time 0 */
};

void page_block_make(const struct page_data *data, struct arena *arena, struct page_block *block);
void page_block_free(struct page_block *block);

/* An event's number in the page; NO_EVENT: it is not kept. */
uint32_t page_event(const struct page_data *data, event_id event);

#endif
