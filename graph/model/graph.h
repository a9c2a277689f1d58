/* SPDX-License-Identifier: Apache-2.0 */
/* graph.h — a profile: where it is from, what it measures, its four levels, what is shown of it */
#ifndef PTK_GRAPH_MODEL_GRAPH_H
#define PTK_GRAPH_MODEL_GRAPH_H

#include <stdbool.h>
#include <stdint.h>

#include "base/checked.h"
#include "base/error/error.h"
#include "base/memory/memory.h"
#include "base/symbols/symbols.h"
#include "base/text/string_table.h"
#include "base/text/unit.h"
#include "graph/model/calltree.h"
#include "graph/model/frame.h"
#include "graph/model/property.h"
#include "graph/model/sample_labels.h"
#include "graph/model/segments.h"

/* ---- the event graph: what every parser fills and every analysis reads ---- */

/* A graph has up to four levels, each derivable from the one above it:
 *
 *     timeline    every event on its track       │ nest by time
 *     call tree   every path root → leaf once    │ merge contexts of one function
 *     call graph  functions, and who calls whom  │ drop the edges
 *     flat        one row a function
 *
 * and beside them what counters say of kernels, which is read from other files than times are.
 *
 * A parser fills the richest that its format has; graph_need() (graph/derive/derive.h) derives the
 * rest on first use. Figures are int64_t in the base unit of the selected value. */

enum level {
    LEVEL_FLAT,
    LEVEL_CALLGRAPH,
    LEVEL_CALLTREE,
    LEVEL_TIMELINE,
    LEVEL_COUNTERS, /* beside them: derived from none, and none from it */
    LEVEL_COUNT
};

/* A figure that the file does not have. */
#define UNKNOWN INT64_MIN

/* Not known where one of them is not. */
static inline int64_t sum_known(int64_t a, int64_t b)
{
    return a == UNKNOWN || b == UNKNOWN ? UNKNOWN : checked_add(a, b);
}

/* ---- flat: one row a function ---- */

/* Functions in the order in which the file has them. The first `listed` have figures of their
 * own; those after them are only named, as callers of others, and all their figures are 0. */
struct functions {
    uint32_t count, listed, cap;
    frame_id *frame;
    int64_t *calls;           /* all activations, or UNKNOWN */
    int64_t *primitive_calls; /* those not below another of the same function, or UNKNOWN */
    int64_t *self;            /* without callees */
    int64_t *cum;             /* with callees, a recursive function once */
    int64_t *min, *max;       /* of one call, or UNKNOWN; NULL when calls were not distinguished */
    int64_t *each; /* self of each value: each[function * values.count + value]; NULL: not kept */
    uint8_t *estimates; /* enum estimate: what the file does not say, or a selection split; NULL: nothing */
};

enum estimate { ESTIMATE_SELF = 1, ESTIMATE_CUM = 2 };

/* ---- call graph: edges between functions ---- */

/* In the order of the file. At most one edge from one caller to one callee. */
struct calls {
    uint32_t count, cap;
    uint32_t *caller, *callee; /* index into functions */
    int64_t *calls, *primitive_calls;
    int64_t *self; /* of the callee, in these calls; or UNKNOWN */
    int64_t *cum;  /* with the callee's callees, an edge inside itself once; or UNKNOWN */
};

/* What the calls to and from each function add up to; by function. Kept in place of the calls
 * themselves where only the flat level is wanted. */
struct edge_totals {
    uint32_t count, cap;
    int64_t *in_calls, *in_self, *in_cum; /* known figures of the calls to it */
    int64_t *out_cum;                     /* known figures of those that it makes to others */
    uint8_t *marks;                       /* enum edge_totals_mark */
    bool lacks_times;                     /* some call has no cumulative time */
    bool is_partial;                      /* some calls were taken back: out_cum is too much */
    uint64_t calls;                       /* how many calls (edges) there are */
};

enum edge_totals_mark {
    EDGES_IN = 1,           /* there is a call to it */
    EDGES_IN_LACK_CUM = 2,  /* and one without a cumulative time */
    EDGES_IN_LACK_SELF = 4, /* and one that does not say what of it is the callee's own time */
};

/* ---- timeline: events on tracks ---- */

typedef uint32_t event_id;

#define NO_EVENT UINT32_MAX

enum track_kind {
    TRACK_THREAD,  /* events nest */
    TRACK_STREAM,  /* a device's queue: events do not nest */
    TRACK_RANGES,  /* when a device worked for what somebody named: they nest, but are no work */
    TRACK_SAMPLES, /* functions that samples saw on a thread: they nest, but are estimates */
    TRACK_ASYNC,   /* operations that begin and end anywhere; they nest by id */
    TRACK_POINTS,  /* instants: events without duration, which no level below has */
    TRACK_TOTALS,  /* sums that the file repeats: as ranges, counted as calls, but in no time */
    TRACK_KIND_COUNT
};

/* "thread", "stream": as `ptk info` shows it. */
const char *track_kind_name(enum track_kind kind);

/* On one track (and lane) events nest or are disjoint. */
struct track {
    str_id name;    /* as the file calls it, or made from its numbers */
    str_id process; /* the same of the process or device */
    enum track_kind kind;
    int32_t device;    /* ordinal, or -1 */
    int64_t pid, tid;  /* as in the file; 0 when the file has text there */
    int64_t stream;    /* a stream's number, where that is not its tid; else 0 */
    uint32_t lane;     /* 0, or the overflow row of the track before it */
    bool only_waits;   /* a thread that is no part of the host's time: host_threads.c */
    int64_t tolerance; /* ns by which the file's rounding may make events overlap */
    int64_t entering;  /* ns by which Python code that enters or leaves a range may overlap it */
    event_id first;    /* its events are first … first + count - 1, */
    uint32_t count;    /* by start, the longer first, then in file order */
};

/* Whether what its events take is part of any sum of time, or stated elsewhere as well. */
static inline bool track_takes_time(const struct track *track)
{
    return track->kind != TRACK_POINTS && track->kind != TRACK_RANGES &&
           track->kind != TRACK_TOTALS;
}

/* A counter: its value holds from each sample to the next. */
struct series {
    str_id name, process;
    int32_t device; /* ordinal, or -1 */
    uint32_t count, cap;
    int64_t *time; /* ns, as starts are; in the order of the file until the end, then ascending */
    double *value;
};

/* What a timeline's time can be summed by; indices of values.list where the timeline is native and
 * the parser used builder_begin_timeline(). */
enum timeline_value {
    TIMELINE_TIME,   /* every track's events, nested on their own track */
    TIMELINE_HOST,   /* those of the host alone, without asynchronous operations */
    TIMELINE_DEVICE, /* device work, below the host events that launched it */
    TIMELINE_IDLE,   /* devices' idle time, of what they waited for: idle_gaps.h */
    TIMELINE_CPU,    /* CPU time of threads' events; no value of files that have none */
    TIMELINE_VALUES
};

/* Times between which every span fits, with room to spare for what is added to it. */
static inline bool time_is_possible(int64_t ns)
{
    const int64_t latest = ((int64_t)1 << 62) - ((int64_t)1 << 52);

    return ns <= latest && ns >= -latest;
}

/* Every event begins and ends at a possible time. */
struct timeline {
    struct track *tracks;
    uint32_t track_count;
    uint32_t count;    /* events: the length of each column */
    int64_t *start;    /* ns since `origin` */
    int64_t *duration; /* ns, not negative */
    frame_id *frame;
    event_id *launch;   /* what made this event run, NO_EVENT; NULL when the file has no links */
    uint16_t *category; /* index into `categories`, as the file calls it; NULL when not kept */
    str_id *categories;
    uint32_t category_count;
    struct property_column properties[PROP_COUNT];
    struct VECTOR_OF(struct series) series; /* counters over time */
    int64_t origin;                         /* ns since the epoch of the file's clock */
};

/* What the file calls an event's kind; 0 when it does not say, or was not asked. */
static inline str_id event_category(const struct timeline *timeline, event_id event)
{
    return timeline->category_count ? timeline->categories[timeline->category[event]] : 0;
}

/* ns */
static inline int64_t event_end(const struct timeline *timeline, event_id event)
{
    return checked_add(timeline->start[event], timeline->duration[event]);
}

/* The index of the track that an event is on. */
uint32_t track_of_event(const struct timeline *timeline, event_id event);

/* ---- the graph ---- */

/* A device as the file describes it; 0 is not known. */
struct device {
    int32_t ordinal;
    str_id name;
    int32_t major, minor; /* compute capability */
    int64_t memory;       /* bytes */
    int64_t sms;
    int64_t warp_size, max_threads_per_sm, registers_per_sm, shared_memory_per_sm;
    int64_t clock;            /* Hz, boost */
    int64_t memory_clock;     /* Hz, effective transfers a second */
    int64_t memory_bus_width; /* bits */
    int64_t peak_flop;        /* a second, single precision, where the file says so */
    int64_t peak_bandwidth;   /* bytes a second, likewise */
};

/* Ranks that communicate, as the file lists them for all of a process's groups. */
struct process_group {
    str_id name;
    str_id ranks; /* "[0, 1]" */
    str_id use;   /* "DATA_PARALLEL_GROUP"; 0: not known */
};

enum counter {
    COUNTER_FLOP_HALF,
    COUNTER_FLOP_SINGLE,
    COUNTER_FLOP_DOUBLE,
    COUNTER_FLOP_TENSOR,
    COUNTER_DRAM_BYTES, /* read and written between the last cache and memory */
    COUNTER_L2_BYTES,
    COUNTER_L1_BYTES,
    COUNTER_COUNT
};

/* What counters say of a kernel: of all its launches together, or of one. Such runs are slower than
 * others, or tell no times at all, so they are joined with a timeline of another run. */
struct kernel_counts {
    frame_id frame;
    int64_t launches;              /* how many it is the sum of */
    int64_t nth;                   /* which of the kernel's launches, from 0; -1: all */
    int64_t grid, block;           /* as PROP_GRID; UNKNOWN */
    int64_t time;                  /* ns of all of them; UNKNOWN */
    int64_t figure[COUNTER_COUNT]; /* of all of them; UNKNOWN where not counted */
    int64_t compute_ppm;           /* of their peaks while it ran, as the profiler says; UNKNOWN */
    int64_t memory_ppm;
};

/* LEVEL_COUNTERS */
struct device_counters {
    VECTOR(struct kernel_counts);
    bool has_derived_times; /* times follow from other figures, and were not measured */
};

/* What a value type is the time of; a stock is what there is at one moment, as goroutines, and costs no time. */
enum value_time { VALUE_NO_TIME, VALUE_CPU_TIME, VALUE_WALL_TIME, VALUE_WAIT_TIME, VALUE_STOCK };

struct value_type {
    str_id name; /* "time", "inuse_space" */
    enum unit unit;
    enum value_time time;
};

/* What the profile measures. */
struct value_types {
    struct value_type *list;
    uint32_t count;
    uint32_t selected;     /* what flat and call graph hold */
    bool are_of_timeline;  /* they are those of enum timeline_value */
    bool no_extremes;      /* the shortest and the longest call are left out of derived levels */
    bool is_inclusive;     /* self figures are with callees: there are none without in the file */
    int64_t without_stack; /* of the selected value, in samples that are in no function */
};

/* What a profile says of the run beside its figures, as far as anybody but `ptk info` asks. */
enum fact_id {
    FACT_SHOWN, /* nobody asks */
    FACT_RANK,  /* of a process of a job */
    FACT_WORLD_SIZE,
    FACT_END_TOGETHER, /* of a log: when collectives began is not known, only how long they took */
    FACT_HOSTNAME,     /* a text */
    FACT_PERIOD,       /* between two samples, in the unit of what is sampled */
    FACT_DURATION,     /* ns: how long was recorded */
    FACT_RUNS,         /* of a merged profile: how many it is the sum of */
    FACT_WALL_TIME,    /* ns; this and the next are what a whole process used */
    FACT_USER_TIME,
    FACT_SYSTEM_TIME,
    FACT_MAJOR_FAULTS,
    FACT_MINOR_FAULTS,
    FACT_SWITCHES,    /* voluntary ones */
    FACT_BLOCKS_READ, /* of files, 512 bytes each */
    FACT_BLOCKS_WRITTEN,
    FACT_PROCESS_CPU, /* ppm: the utilisation that the producer measured */
    FACT_SYSTEM_CPU,
    FACT_FILE_TIME,       /* ns that all threads spent in reads and writes of files, */
    FACT_FILE_CALLS,      /* how many these were, */
    FACT_FILE_BYTES,      /* of how many bytes, */
    FACT_FILE_PLACE,      /* a text: and which function has most of that time */
    FACT_SOCKET_TIME,     /* ns that all threads spent in reads and writes of sockets, */
    FACT_CONTENTION_TIME, /* ... waiting for a lock */
    FACT_PAUSES,          /* ns that a collector held all threads up */
    FACT_BUILTINS,        /* a text: why there are no built-in functions */
    FACT_RESERVED,        /* bytes, of an allocator: what the driver gave it, */
    FACT_TRAPPED, /* what of that is free beside blocks in use, so that it cannot be given back, */
    FACT_AWAITING_FREE, /* freed, but another stream may still use it, */
    FACT_PRIVATE_POOLS, /* and in pools of recorded graphs */
    FACT_LEAK,          /* bytes that are held more after each step than before, */
    FACT_LEAK_PLACE,    /* a text: where most of them are allocated */
    FACT_OOM_PLACE,     /* a text: where memory ended */
    FACT_OOM_ASKED,     /* bytes: what was asked for there, */
    FACT_OOM_LEFT,      /* what the device had left, */
    FACT_OOM_RESERVED,  /* what the allocator had of it, */
    FACT_OOM_CACHED,    /* what of that was in no use, */
    FACT_OOM_PIECE,     /* and the largest piece of that */
    FACT_COUNT
};

struct fact {
    enum fact_id id;
    const char *key;  /* in snake_case; a literal */
    const char *text; /* NULL when it is a figure; owned by the graph's arena */
    int64_t figure;
    enum unit unit;
};

/* A piece of a binary in the memory of the program that ran: where an address of code is found. */
struct code_mapping {
    struct symbol_map at;
    str_id path;
    str_id build_id; /* in hexadecimal; 0: not known */
};

/* Where a profile comes from, and what it says of the run besides its figures. */
struct profile_source {
    const char *format;       /* the parser's name: "pstats" */
    const char *format_title; /* in a sentence, plural: "pstats dumps" */
    const char *producer;     /* "cProfile, Python 3", or NULL when not known */
    bool is_cut;              /* the file ends before its time */
    const char *instead;      /* what it contains in place of functions, and what to do with it; */
    const char *instead_hint; /* literals, or NULL */
    struct VECTOR_OF(struct fact) facts;
    struct VECTOR_OF(struct device) devices;
    struct VECTOR_OF(struct process_group) groups;
    struct VECTOR_OF(struct code_mapping) mappings; /* with DETAIL_ADDRESS alone */
    struct warnings warnings; /* what was repaired, dropped or guessed on the way */
};

/* Which part of the profile the levels hold, and what their functions stand for. */
struct graph_selection {
    bool is_narrowed;       /* `total`, `whole` and `idle` are those before it was */
    int64_t total, whole;   /* what 100 % means */
    int64_t idle;           /* of the total, of samples: in which nothing was to be done */
    bool is_difference;     /* of two profiles: figures may be negative */
    const char *grouped_by; /* a literal: "module"; NULL: functions are functions */
    bool has_label_frames;  /* the outermost frame of each stack says which label a sample has, or
                            * the innermost, as asked */
};

struct frame_class;

/* By frame, what it is and does: graph/classify/event_class.h. */
struct frame_classes {
    struct frame_class *list;
    size_t count; /* how many frames that is decided for */
};

/* What people call each frame: graph/names/names.h. Filled when a label is first asked for. */
struct short_names {
    frame_id count;                        /* how many frames there were then */
    struct idmap by_text, by_tail;         /* by hash of a label without what tells twins apart, ... */
    frame_id *next_of_text, *next_of_tail; /* ... and of its head's last part, frames in a chain; NULL: not asked for */
    frame_id *by_clue;                     /* frames not labelled yet, by what their labels keep; `next_of_text` chains */
    unsigned clue_bits;
    struct span *ends[2];     /* by frame, that head and its last part: the arena's; NULL: not asked for */
    frame_id *in_order[2];    /* ... and all frames in their order: the arena's */
    struct kept_label **kept; /* by frame, its label as it may be typed: the arena's; NULL: not asked for */
    struct span *texts;       /* by frame; at == NULL: not asked for */
    struct arena arena;
};

struct graph {
    struct profile_source source;
    struct strings strings;
    struct frames frames;
    struct frame_classes classes;
    struct inputs_table inputs;     /* what texts say of operators' inputs */
    struct captured_calls captured; /* what kernels with PROP_CAPTURED were launched for */
    struct arena arena;             /* facts and what derivation needs for good */
    struct value_types values;

    enum level native;     /* the level that the parser filled */
    bool has[LEVEL_COUNT]; /* what is filled or derived by now */
    struct functions functions;
    struct calls calls;
    struct edge_totals edge_totals; /* filled when `calls` is not */
    struct calltree tree;
    struct timeline timeline;
    struct device_counters counters;
    struct sample_labels labels;
    struct label_sets label_sets;
    struct allocator_segments segments; /* of an allocator's snapshot */
    struct graph_selection selection;
    struct short_names short_names;
};

static inline const struct frame *graph_frame(const struct graph *graph, frame_id id)
{
    return &graph->frames.list[id];
}

static inline struct span graph_text(const struct graph *graph, str_id id)
{
    return strings_get(&graph->strings, id);
}

static inline int64_t event_property(const struct graph *graph, enum property property,
                                     event_id event, int64_t otherwise)
{
    int64_t value;

    return property_of(&graph->timeline.properties[property], event, &value) ? value : otherwise;
}

/* A figure, or a text, that the file has as a fact; false and NULL where it has none. */
bool graph_fact(const struct graph *graph, enum fact_id id, int64_t *figure);
const char *graph_fact_text(const struct graph *graph, enum fact_id id);

/* What a kernel of a CUDA or HIP graph was launched for: the innermost of graph.captured around the
 * call that made its node; NULL: not known. `has_inputs`: whether it and those around it had these
 * inputs, or captures for several sizes fit. */
const struct captured_call *graph_captured(const struct graph *graph, event_id event,
                                           bool *has_inputs);

/* The unit of the selected value. */
static inline enum unit graph_unit(const struct graph *graph)
{
    return graph->values.count ? graph->values.list[graph->values.selected].unit : UNIT_COUNT;
}

static inline enum value_time graph_value_time(const struct graph *graph)
{
    return graph->values.count ? graph->values.list[graph->values.selected].time : VALUE_NO_TIME;
}

/* Each appends one item, its figures 0, and returns its index. */
uint32_t functions_add(struct functions *functions, frame_id frame);
uint32_t calls_add(struct calls *calls, uint32_t caller, uint32_t callee);

/* Adds the figures of one call to those of another, which may be of the same table. */
void calls_sum(struct calls *to, uint32_t at, const struct calls *from, uint32_t call);

/* Makes sure that there are totals, zero at first, for so many functions. */
void edge_totals_grow(struct edge_totals *edge_totals, uint32_t functions);

/* One call's figures as part of its ends' totals, which grow as needed. */
void edge_totals_add(struct edge_totals *edge_totals, uint32_t caller, uint32_t callee,
                     int64_t calls, int64_t self, int64_t cum);

void functions_free(struct functions *functions);
void calls_free(struct calls *calls);
void edge_totals_free(struct edge_totals *edge_totals);
void timeline_free(struct timeline *timeline);
void graph_free(struct graph *graph);

/* ---- how a frame is called when it must be distinguished from all others in one text ---- */

/* As the users of its kind know it: "file:line(name)" for Python, "{name}" for its built-ins, the
 * bare name for the rest, with its place where that does not tell it (JavaScript). Raw bytes from the profile;
 * in `arena`, or the interned name. */
struct span frame_label(const struct graph *graph, frame_id id, struct arena *arena);

/* The same of a line's function, by where that begins, where it is known. */
struct span frame_label_of_function(const struct graph *graph, frame_id id, struct arena *arena);

#endif
