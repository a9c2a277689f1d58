/* SPDX-License-Identifier: Apache-2.0 */
/* perfetto.h — the inside of the parser of Perfetto traces: what packets say, until all of them are read
 *
 * Packets come in any order, and what describes rows and clocks may come after what uses it. So events
 * are kept as they stand, their texts interned at once, and put in order at the end. */
#ifndef PTK_PARSERS_PERFETTO_PERFETTO_H
#define PTK_PARSERS_PERFETTO_PERFETTO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/memory/memory.h"
#include "base/memory/span.h"
#include "base/text/string_table.h"
#include "graph/build/builder.h"
#include "graph/classify/event_class.h"
#include "parsers/parser.h"
#include "parsers/protobuf/protobuf_wire.h"

struct perfetto;

/* ---- clocks: snapshots tie them to each other ---- */

enum { CLOCK_MONOTONIC_ID = 3, CLOCK_BOOTTIME_ID = 6 };

struct perfetto_clock {
    uint64_t key; /* the file's number; of one sequence's own clock with the sequence above it */
    uint64_t unit, last; /* ns of one tick; the last time, where times are differences */
    bool is_incremental;
    uint32_t next;               /* the clock on the way to that of the trace, or IDMAP_NONE */
    size_t first_tie, tie_count; /* to it */
};

/* A clock's time, in ns, in one snapshot. */
struct perfetto_reading {
    uint32_t snapshot, clock;
    int64_t time;
};

struct perfetto_tie {
    int64_t from, to;
};

struct perfetto_clocks {
    struct idmap by_key;
    VECTOR(struct perfetto_clock);
    struct VECTOR_OF(struct perfetto_reading) readings; /* a snapshot's stand together */
    struct VECTOR_OF(struct perfetto_tie) ties;
    uint32_t snapshots, trace_clock;
};

/* The clock that a sequence means by a number. */
uint32_t perfetto_clock(struct perfetto_clocks *clocks, uint64_t id, uint64_t sequence);
void perfetto_snapshot(struct perfetto_clocks *clocks, struct span message, uint64_t sequence);

/* A packet's time in ns of its clock, in the order of the file. */
int64_t perfetto_absolute(struct perfetto_clocks *clocks, uint32_t clock, uint64_t ticks);

/* After the last packet, once; then times can be asked for: UNKNOWN where no snapshot ties the clock to
 * the trace's, or the time is no possible one. */
void perfetto_tie_clocks(struct perfetto_clocks *clocks);
int64_t perfetto_tied_time(const struct perfetto_clocks *clocks, uint32_t clock, int64_t time);

static inline int64_t perfetto_trace_time(const struct perfetto_clocks *clocks, uint32_t clock,
                                          int64_t time)
{
    if (clock != clocks->trace_clock)
        return perfetto_tied_time(clocks, clock, time);
    return time >= 0 && time_is_possible(time) ? time : UNKNOWN;
}

void perfetto_clocks_free(struct perfetto_clocks *clocks);

/* When a packet happened, if it says so. */
struct perfetto_time {
    bool is_known;
    uint32_t clock;
    int64_t time;
};

/* ---- sequences: what one writer's packets have in common ---- */

/* What is written once and named by number from then on; by field of InternedData. */
enum perfetto_interned {
    INTERNED_CATEGORY = 1,
    INTERNED_NAME = 2,
    INTERNED_ARGUMENT = 3,
    INTERNED_FUNCTION = 5,
    INTERNED_FRAME = 6,
    INTERNED_STACK = 7,
    INTERNED_PATH = 17,
    INTERNED_SOURCE = 18,
    INTERNED_MAPPING = 19,
    INTERNED_STAGE = 24,
    INTERNED_KINDS = 30
};

struct perfetto_numbers {
    VECTOR(uint64_t);
};

struct perfetto_sequence {
    uint64_t id;
    bool lacks_state;    /* something before was lost */
    uint32_t generation; /* of its state; none is another sequence's */
    uint32_t default_clock;
    bool has_default_track;
    uint64_t default_track;
    struct perfetto_numbers counters, double_counters; /* rows of counts that come with events */
    bool has_thread, lacks_base;
    int64_t pid, tid, base; /* of its old thread descriptor; base: ns, what differences add to */
    struct idmap interned[INTERNED_KINDS];
};

struct perfetto_frame {
    uint64_t function, mapping, address, source;
    frame_id made; /* 0: not yet */
};

/* A run of perfetto.frame_numbers until it is first used, of perfetto.frames then. */
struct perfetto_stack {
    size_t first;
    uint32_t count;
    bool is_resolved;
};

void perfetto_intern(struct perfetto *perfetto, struct perfetto_sequence *sequence,
                     struct span message);
void perfetto_intern_one(struct perfetto *perfetto, struct perfetto_sequence *sequence,
                         enum perfetto_interned kind, struct span message);
str_id perfetto_text(const struct perfetto_sequence *sequence, enum perfetto_interned kind,
                     uint64_t id);
void perfetto_defaults(struct perfetto *perfetto, struct perfetto_sequence *sequence,
                       struct span message);
void perfetto_clear(struct perfetto *perfetto, struct perfetto_sequence *sequence);

/* ---- rows ---- */

struct perfetto_row {
    uint64_t uuid, parent;
    str_id name;
    int64_t pid, tid;
    bool is_process, is_thread, is_processor, is_counter, is_operation;
    bool is_incremental;
    int64_t multiplier; /* of a counter */
    uint32_t series;
    uint32_t shown_in;               /* the row that has its events: operations share one */
    uint32_t tracks[ROW_ROLE_COUNT]; /* the builder's, plus 1; 0: not made */
};

uint32_t perfetto_row(struct perfetto *perfetto, uint64_t uuid);
uint32_t perfetto_row_of_thread(struct perfetto *perfetto, int64_t pid, int64_t tid);
uint32_t perfetto_row_of_processor(struct perfetto *perfetto, uint32_t cpu);
uint32_t perfetto_row_of_operation(struct perfetto *perfetto, uint64_t key, str_id name,
                                   int64_t pid);

/* Whether what runs there is a device's. */
bool perfetto_is_device(const struct perfetto *perfetto, uint32_t row);

/* Whether it is a process's row of its own, beside those of its threads. */
bool perfetto_is_operations(const struct perfetto *perfetto, const struct perfetto_row *row);

/* The builder's track for such events of the row. */
uint32_t perfetto_track(struct perfetto *perfetto, uint32_t row, enum row_role role);
uint32_t perfetto_series(struct perfetto *perfetto, uint32_t row);

/* ---- events ---- */

enum perfetto_event_type {
    PERFETTO_BEGIN = 1,
    PERFETTO_END = 2,
    PERFETTO_INSTANT = 3,
    PERFETTO_COUNTER = 4,
    PERFETTO_STATE = 5,
    PERFETTO_COMPLETE = 6
};

struct perfetto_event {
    int64_t time, duration; /* of its clock until all is read; duration of PERFETTO_COMPLETE, ns */
    uint32_t clock, row;
    str_id name, category; /* 0: none */
    enum perfetto_event_type type;
};

/* What many events have in common. */
struct perfetto_kind {
    str_id name, category;
    uint32_t clock;
    enum perfetto_event_type type;
};

enum { RECENT_KINDS = 256 };

/* What a sequence called a kind, by numbers; generation 0: nothing is known. */
struct perfetto_spelling {
    uint64_t name, category;
    uint32_t generation, clock, type, kind;
};

/* What an event says besides. */
struct perfetto_argument {
    uint32_t number;        /* of the event in its row */
    enum property property; /* PROP_CORRELATION: also what launches go by */
    int64_t value;
};

struct perfetto_arguments {
    VECTOR(struct perfetto_argument);
};

/* Of each event how much later than the one before in its row, and its kind: varints, of three bytes mostly. */
struct perfetto_chunk {
    struct perfetto_chunk *next;
    struct perfetto_arguments arguments;
    uint32_t count, used, cap; /* events; bytes */
    unsigned char bytes[];
};

struct perfetto_duration {
    uint32_t number; /* of the event in its row */
    int64_t duration;
};

struct perfetto_row_events {
    struct perfetto_chunk *first, *last;
    uint32_t count;
    int64_t time;  /* of the last; 0 */
    bool is_named; /* by a flow: made says then what became of its events */
    struct VECTOR_OF(struct perfetto_duration) durations; /* of those that are complete */
    uint32_t *made; /* the builder's event, or that which it ends; NO_EVENT */
};

/* Which event: its number in its row, in the order of the file. */
struct perfetto_place {
    uint32_t row, number;
};

/* Goes over a row's events by time, and gives back what it has behind it. */
struct perfetto_walk {
    struct perfetto_row_events *row;
    const unsigned char *bytes; /* what is left of the first chunk, */
    int64_t before;             /* and the time that the next differs from */
    int64_t *times;             /* all of them, of the trace, where they are not in order: */
    uint32_t *kinds, *order;    /* NULL where they are */
    uint32_t at, in_chunk;
    uint32_t number, kind; /* of the event at hand */
    size_t near;
    const struct perfetto_arguments *arguments; /* of its chunk, */
    size_t argument;                            /* and which is the next */
};

void perfetto_add_event(struct perfetto *perfetto, const struct perfetto_event *event);

/* The same in two steps, for events of a kind that comes again and again: but for PERFETTO_COMPLETE. */
uint32_t perfetto_kind(struct perfetto *perfetto, const struct perfetto_kind *kind);
void perfetto_add_of_kind(struct perfetto *perfetto, uint32_t row, int64_t time, uint32_t kind);

/* What is known of all rows' times. */
struct perfetto_times {
    int64_t end;              /* the latest */
    uint64_t unknown, begins; /* events without a time; all but ends */
};

bool perfetto_find_times(struct perfetto *perfetto, struct perfetto_row_events *row,
                         struct perfetto_times *times);
void perfetto_begin_walk(struct perfetto *perfetto, struct perfetto_walk *walk,
                         struct perfetto_row_events *row, bool is_sorted);
bool perfetto_next_event(struct perfetto *perfetto, struct perfetto_walk *walk,
                         struct perfetto_event *event);

void perfetto_end_walk(struct perfetto_walk *walk);

/* The next argument of the event at hand; NULL after the last. */
const struct perfetto_argument *perfetto_next_argument(struct perfetto_walk *walk);
void perfetto_free_row(struct perfetto_row_events *row);

struct perfetto_count {
    int64_t time;
    double value;
    uint32_t clock, row, generation;
};

struct perfetto_flow {
    uint64_t id;
    int64_t time;
    uint32_t clock;
    struct perfetto_place event;
    bool is_last;
};

/* Whether anybody asks what annotations say. */
bool perfetto_wants_arguments(const struct builder *builder);

/* After the last packet: gives all of them to the builder's timeline. */
void perfetto_give_events(struct perfetto *perfetto);

/* ---- samples ---- */

struct perfetto_sample {
    int64_t time, weight;
    uint32_t clock, row, stack;
    bool has_time;
};

struct perfetto_dump {
    uint64_t time;
    uint32_t number, generation; /* of the sequence's state */
};

struct perfetto_allocation {
    uint32_t stack, heap, dump, generation;
    int64_t values[4]; /* alloc_space, alloc_objects, inuse_space, inuse_objects */
};

/* An event's stack, spelled out or by number. */
void perfetto_event_sample(struct perfetto *perfetto, const struct perfetto_sequence *sequence,
                           uint32_t row, struct perfetto_time time, struct span inlined,
                           uint64_t stack, double weight);

/* After the last packet, onto the level that the file's samples are for. */
MUST_CHECK bool perfetto_give_samples(struct perfetto *perfetto, uint64_t bytes, struct error *err);
void perfetto_sample_tracks(struct perfetto *perfetto, uint64_t bytes);

/* ---- what reads each kind of a packet's data ---- */

struct perfetto_sequence *perfetto_sequence(struct perfetto *perfetto, uint64_t id);

/* Reads a packet that has no more than most have: see perfetto_common.c. False, and nothing is done, for others. */
bool perfetto_common_packet(struct perfetto *perfetto, struct span message);

typedef void perfetto_reader(struct perfetto *perfetto, struct perfetto_sequence *sequence,
                             struct span message, struct perfetto_time time);

perfetto_reader perfetto_track_event, perfetto_render_stage, perfetto_ftrace;
perfetto_reader perfetto_describe, perfetto_describe_thread, perfetto_describe_process,
    perfetto_process_tree;
perfetto_reader perfetto_perf_sample, perfetto_streaming, perfetto_stack_sample, perfetto_heap;

/* ---- the whole ---- */

struct perfetto {
    struct builder *builder;
    struct perfetto_clocks clocks;
    struct idmap sequence_of;
    struct VECTOR_OF(struct perfetto_sequence) sequences;
    uint32_t generations;
    struct VECTOR_OF(struct perfetto_row) rows;
    bool wants_arguments;
    uint32_t last_sequence; /* plus 1; 0: none */
    uint64_t last_uuid;     /* that was asked for, */
    uint32_t last_row;      /* plus 1; 0: none was */
    struct idmap row_of, row_of_thread, row_of_processor, row_of_operation;
    struct idmap process_names, thread_names;                /* by pid, by tid → str_id */
    struct VECTOR_OF(struct perfetto_row_events) row_events; /* by row, as far as there are any */
    struct VECTOR_OF(struct perfetto_kind) kinds;
    struct index kind_index;
    uint32_t recent_kinds[RECENT_KINDS]; /* by name and type: which kind such an event was of */
    struct perfetto_spelling recent_spellings[RECENT_KINDS];
    uint64_t event_count;
    struct perfetto_place last;                       /* event that was added */
    struct VECTOR_OF(struct perfetto_event) switches; /* of processors between threads */
    struct VECTOR_OF(struct perfetto_count) counts;
    struct VECTOR_OF(struct perfetto_flow) flows;
    struct VECTOR_OF(struct perfetto_frame) raw_frames;
    struct perfetto_numbers frame_numbers;
    struct VECTOR_OF(frame_id) frames; /* of stacks, the leaf first */
    struct VECTOR_OF(struct perfetto_stack) stacks;
    struct VECTOR_OF(struct perfetto_sample) samples;
    struct VECTOR_OF(struct perfetto_allocation) allocations;
    struct VECTOR_OF(struct perfetto_dump) dumps; /* by heap */
    struct idmap heap_of;
    struct VECTOR_OF(char) text;
    struct perfetto_numbers numbers, more; /* of the message at hand */
    uint64_t switches_from;                /* some processor has nothing before */
    uint64_t packets, unpacked, offset;
};

/* Counts what was lost of the packet at hand, or is odd in it. `text`: a literal. */
static inline void perfetto_warn(struct perfetto *perfetto, enum severity severity,
                                 const char *text)
{
    warning_count(builder_warnings(perfetto->builder), severity, text, perfetto->offset);
}

/* The numbers of a repeated field, packed or not, behind those that are there. */
void perfetto_numbers(const struct wire_field *field, struct perfetto_numbers *numbers);

/* A message's text; 0: it has none. */
static inline str_id perfetto_intern_text(struct perfetto *perfetto, struct span text)
{
    return text.at ? builder_intern(perfetto->builder, text) : 0;
}

#endif
