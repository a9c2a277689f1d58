/* SPDX-License-Identifier: Apache-2.0 */
/* builder_state.h — what the builders share: state, lanes */
#ifndef PTK_GRAPH_BUILD_BUILDER_STATE_H
#define PTK_GRAPH_BUILD_BUILDER_STATE_H

#include "base/memory/memory.h"
#include "base/text/string_table.h"
#include "graph/build/builder.h"
#include "graph/model/calltree_builder.h"
#include "graph/model/function_totals.h"
#include "graph/model/graph.h"

/* ---- the inside of a builder, for the files that implement builder.h ---- */

enum { CHUNK_EVENTS = 32 * 1024 };

#define NO_TRACK UINT32_MAX /* where events are that are left out */

/* Events as they come. Chunks are given back one by one while their events move to their tracks,
 * so that there is never much more than one copy of them. */
struct event_chunk {
    uint32_t count, cap;
    bool is_apart; /* each column is memory of its own, that of a timeline may become of: see builder_expect() */
    int64_t *start, *duration;
    frame_id *frame;
    uint32_t *track;
    uint16_t *category; /* pages that nobody writes cost nothing */
};

void event_chunk_free(struct event_chunk *chunk);

/* (event, value) pairs as they come, by the file's numbers of events. Pieces stay where they are, and a part's
 * move over: a column that grows is copied again and again, and each copy is memory that is new. */
struct pair_piece {
    struct property_column pairs;
    uint32_t first; /* to add to the events' numbers */
};

struct pairs {
    VECTOR(struct pair_piece);
};

/* Takes all of a part's, whose first event has this number here. */
void pairs_absorb(struct pairs *pairs, struct pairs *part, uint32_t first);

/* One column of them, in the order of their coming, of the events' places: the caller's to free. No pairs are
 * left. */
struct property_column pairs_take(struct pairs *pairs, const uint32_t *place, bool is_narrow);

void pairs_free(struct pairs *pairs);

/* Functions, and the calls between them: where a frame's function is, and in which order functions
 * were listed. */
struct callgraph_builder {
    struct builder *shared;
    uint32_t *function_of; /* by frame, index + 1; 0: none yet */
    size_t function_of_cap;
    uint32_t *listed_at; /* by function, place + 1 in the file's order; 0: only named */
    size_t listed_at_cap;
    uint32_t listed;
    size_t extremes_cap;  /* of functions.min and .max */
    uint32_t *calls_from; /* by function: the first edge to it that counts; NULL: all do */
    size_t calls_from_cap;
    size_t each_cap; /* functions */
    size_t estimates_cap; /* functions */
};

/* Labels of samples: filters, sums, and frames made of them. */
struct label_builder {
    struct label_test *tests;
    uint32_t test_count;
    str_id key;                       /* of the label that becomes a frame; 0: none */
    const struct sample_label *given; /* of the next stack; borrowed */
    uint32_t given_count;
    struct idmap rows;  /* (key, text) → row of graph.labels */
    uint64_t *passes;   /* by row: a bit for each test that it passes */
    uint64_t *last;     /* by row: the last sample that had it, */
    uint64_t sample;    /* counted from 1 */
    frame_id *labelled; /* a stack with the frame of its label */
    size_t labelled_cap;
};

/* Calling contexts: node by node, or as stacks of samples. */
struct stack_builder {
    struct builder *shared;
    struct calltree_builder tree;
    struct function_totals totals; /* instead, where only the flat level is wanted; */
    size_t totals_cap;             /* of its rows, */
    uint64_t stacks;               /* from so many samples */
    uint32_t sample_value;         /* the value type that counts samples; values.count: none */
    int64_t next_records;          /* of the stack that comes next; 0: it is one */
    int64_t these_records;         /* of the one that is added */
    int64_t records;               /* stacks that were added, */
    int64_t samples;               /* and of how many samples */
    struct label_builder labels;
};

/* Events, in file order until build_timeline_finish(). */
struct timeline_builder {
    struct builder *shared;
    struct VECTOR_OF(struct event_chunk *) chunks;
    uint32_t event_count, track_cap;
    int64_t earliest, latest;                  /* ns: of the events' starts */
    struct pairs properties[PROP_COUNT];       /* until they have their order */
    struct pairs launches, launched;           /* (event, correlation) */
    struct pairs operations;                   /* (event, operation) */
    struct idmap categories;                   /* name → index */
    struct VECTOR_OF(struct flow_point) flows;
    bool has_event_flows; /* some of them are events */
    bool has_cpu_times;   /* see builder_has_cpu_times() */
};

struct counter_builder {
    struct builder *shared;
};

/* What all levels share, and one builder for each. */
struct builder {
    struct builder_options options;
    struct graph graph;
    struct callgraph_builder callgraph;
    struct stack_builder stacks;
    struct timeline_builder timeline;
    struct counter_builder counters;
};

void build_tree_begin(struct stack_builder *builder);

/* ---- labels (labels.c) ---- */

/* Compiles the filters; false with ERROR_USAGE. */
MUST_CHECK bool build_labels_begin(struct stack_builder *builder, struct error *err);

/* Counts the labels of the next stack. False when the filters drop it. */
bool build_labels_pass(struct stack_builder *builder, const int64_t *values);

/* The stack with the frame of its label outermost, or innermost, valid until the next call; `depth`
 * grows. */
const frame_id *build_labels_frame(struct stack_builder *builder, const frame_id *frames,
                                   uint32_t *depth);

void build_labels_finish(struct stack_builder *builder);
void build_labels_free(struct stack_builder *builder);

/* Marks the functions that show their places because others have their names. */
void build_names_finish(struct builder *builder);

/* Each turns what its level has gathered into the columns of the graph. */
void build_calls_finish(struct callgraph_builder *builder);
void build_stacks_finish(struct stack_builder *builder);

/* How many samples a stack's figures stand for: a record may sum several. */
int64_t build_stacks_weight(const struct stack_builder *builder, const int64_t *values);
void build_timeline_finish(struct timeline_builder *builder);

/* Leaves out events that are at no time at which they can have been, so that the others' shares of
 * the run mean something; counts them, and warns of others far away. The run is where most events
 * are, up to a minute in which nothing is. Left out is what is more than a day and a hundred times
 * the run's span away from it, if it is
 *
 *     at 0, which CUPTI writes where it could not collect a time, or
 *     on a track that has more events in the run: a broken time.
 *
 * Others there may be on another clock, or it may all be true: they stay, but if they are a minute
 * and ten times the run's span away, it is said. */
void drop_time_outliers(struct timeline_builder *builder);

/* Makes the columns of the timeline, track by track, in file order within a track. Returns which
 * event of the file's order is at each place, for the caller to free; NULL when nothing refers to
 * events. */
uint32_t *build_columns(struct timeline_builder *builder);

/* Whether anything refers to events by their number in file order. */
bool build_properties_exist(const struct timeline_builder *builder);

/* Puts a property's values in the order of events. place[i] is where event i of the file's order
 * has gone; NULL when nothing refers to events. One property can be finished beside another. */
void build_property_finish(struct timeline_builder *builder, enum property property,
                           const uint32_t *place);

/* Puts the samples of counters in order of time. */
void build_series_finish(struct timeline_builder *builder);

/* Makes timeline.launch from the correlations, in `room` for an id of each event, so that memory is
 * used again. Returns the room when there are none. */
event_id *build_links_finish(struct timeline_builder *builder, const uint32_t *place,
                             event_id *room);

/* Adds to timeline.launch what flows tell. Track i of the file's has become the tracks from
 * first_lane[i] to before first_lane[i + 1]; place as above. */
void build_flows_finish(struct timeline_builder *builder, const uint32_t *first_lane,
                        const uint32_t *place);

/* Which rows a track's events need: those that overlap, operations, what an event's row
 * is. */

/* ---- rows for events of one track that overlap, which only nested events may ---- */

/* Gives each event of a sorted track the first lane where it nests in, or is disjoint from, the
 * events before it; on a stream nothing nests. An overlap of at most the track's tolerance is the
 * file's rounding: the inner event is cut to end with the outer, and work on a stream moved to the
 * end of the work before it. The Python functions that enter and leave a named range are cut to
 * nest with it. Returns the number of lanes. When that is more than 1, (*lane_of)[i] is the lane of
 * the track's event i, and the caller frees it. Touches no other track's events. */
uint32_t lanes_assign(struct timeline *timeline, const struct frames *frames,
                      const struct track *track, uint16_t **lane_of, struct warnings *warnings);

/* ---- rows for the events of asynchronous operations, each of which nests on its own ---- */

/* As lanes_assign(), where operation[i] is a number of the operation that the sorted track's event
 * i is of: an event stands inside events of its own operation alone, so an operation has a lane to
 * itself for as long as it takes. There are as many lanes as operations that run at once. */
uint32_t operations_assign(struct timeline *timeline, const struct track *track,
                           const uint32_t *operation, uint16_t **lane_of,
                           struct warnings *warnings);

/* ---- events as the rows of a timeline's columns, to be moved about ---- */

struct event_rows {
    int64_t *start, *duration;
    frame_id *frame;
    uint16_t *category; /* NULL: they have none */
    uint32_t *number;   /* which event of the file each is; NULL: nobody asks */
};

/* A track's rows in the timeline's columns and in `number`, which goes with them. */
struct event_rows event_rows_of(const struct timeline *timeline, uint32_t *number,
                                const struct track *track);

/* Room for as many rows with the same columns; the caller's to free. */
struct event_rows event_rows_like(const struct event_rows *rows, size_t count);

void event_rows_free(struct event_rows *rows);

/* Rows `i` and up become the rows `at` and up; they may overlap. */
void event_rows_move(const struct event_rows *to, size_t at, const struct event_rows *from,
                     size_t i, size_t count);

static inline void event_rows_move_one(const struct event_rows *to, size_t at,
                                       const struct event_rows *from, size_t i)
{
    to->start[at] = from->start[i];
    to->duration[at] = from->duration[i];
    to->frame[at] = from->frame[i];
    if (to->category)
        to->category[at] = from->category[i];
    if (to->number)
        to->number[at] = from->number[i];
}

#endif
