/* SPDX-License-Identifier: Apache-2.0 */
/* idle_gaps.h — why devices were idle, and whose time that was */
#ifndef PTK_ANALYSIS_EXECUTION_IDLE_GAPS_H
#define PTK_ANALYSIS_EXECUTION_IDLE_GAPS_H

#include "analysis/execution/task_graph.h"
#include "analysis/timeline/device_work.h"
#include "graph/model/graph.h"

/* ---- when a device had nothing to do, and who owned each nanosecond of that ---- */

/* A gap is time in which none of a device's streams has work. It is explained by the chain of tasks
 * and lags (task_graph.h) that held up the work that ended it, walked back to where the gap began:
 *
 * - host late: a thread ran something first: the innermost function of each moment owns it;
 * - sync: the same, but of that as much as the thread had been blocked on the way, waiting for a
 *   device: without that it would have come as much sooner;
 * - dependency: it waited for work on another stream or device;
 * - launch queue: from the call to the work, or between two pieces of work of one stream: up to
 *   what launching costs (execution.limits);
 * - other: the same, if it took longer;
 * - unknown: nothing recorded says.
 *
 * Besides, each nanosecond is of a class: what kind of trouble it is. */

enum gap_cause {
    GAP_HOST_LATE,
    GAP_SYNC,
    GAP_DEPENDENCY,
    GAP_LAUNCH_QUEUE,
    GAP_OTHER,
    GAP_UNKNOWN,
    GAP_CAUSE_COUNT
};

/* "host late" */
const char *gap_cause_name(enum gap_cause cause);

enum idle_class {
    IDLE_OF_INPUT,      /* while the data loader ran */
    IDLE_OF_SYNC,       /* after the host had waited for a device */
    IDLE_OF_COPY,       /* after a large copy that blocked */
    IDLE_OF_ALLOCATOR,  /* calls that allocate and free */
    IDLE_OF_LAUNCH,     /* calls of the runtime, operators' own short work, launching itself */
    IDLE_OF_SETUP,      /* calls of the runtime that load code, make a context, tune */
    IDLE_OF_PROFILER,   /* a profiler's own calls, which are no part of the program */
    IDLE_OF_EARLIER,    /* after its first work on record was asked for: what it did was asked for before */
    IDLE_OF_REQUESTS,   /* while a server waited for requests: no fault of the program */
    IDLE_OF_HOST,       /* whatever else a thread ran */
    IDLE_OF_DEPENDENCY, /* other streams and devices */
    IDLE_OF_UNKNOWN,
    IDLE_CLASS_COUNT
};

/* "data loader" */
const char *idle_class_name(enum idle_class class);

/* Whether such time is no part of what a run is judged by. */
static inline bool idle_is_left_out(enum idle_class class)
{
    return class == IDLE_OF_PROFILER || class == IDLE_OF_EARLIER || class == IDLE_OF_REQUESTS;
}

/* What a device that waits for this piece of a thread's time waits for: setting up where a call takes
 * longer than launching does; IDLE_OF_UNKNOWN of a wait. */
enum idle_class host_piece_class(const struct execution *execution, const struct segment *piece);

struct gap {
    int64_t start, length; /* ns */
    int32_t device;
    enum gap_cause cause : 16;  /* that of the most of it */
    enum idle_class class : 16; /* what its owner is */
    event_id before, after; /* the work on both sides; NO_EVENT at the ends of a window */
    event_id waited;        /* GAP_SYNC: the call that waited; else NO_EVENT */
    frame_id owner;         /* what owns the most of it; 0: nobody */
};

struct gap_sum {
    int64_t time;
    uint32_t count; /* gaps of which it is a part */
};

/* What idle time is for one reason and of one function. */
struct idle_owner {
    int64_t time;
    uint32_t gaps;  /* of which it is a part */
    frame_id frame; /* 0: nobody in particular */
    enum gap_cause cause : 8;
    enum idle_class class : 8;
    event_id event;  /* where it owns most at once; NO_EVENT */
    int64_t longest; /* ns: that */
};

/* Idle time of a wait's (GAP_SYNC) in which the host ran a function of its own: it has two owners. */
struct after_wait {
    int64_t time;
    frame_id frame; /* what the host ran, innermost */
    event_id event; /* where it ran longest at once */
    int64_t longest;
};

struct gaps {
    struct gap_sum by_cause[GAP_CAUSE_COUNT]; /* together all idle time; ns by ns */
    int64_t by_class[IDLE_CLASS_COUNT];       /* likewise */
    struct gap *largest; /* by length; of equals the earlier first; the arena's */
    uint32_t count;
    struct idle_owner *owners; /* by time; the arena's */
    uint32_t owner_count;
    struct after_wait *after_waits; /* by time; the arena's */
    uint32_t after_wait_count;
    int64_t worked_after_waits; /* ns: of theirs, in pieces as long as what is worth a wait */
};

/* A window of time; ns. */
struct window_bounds {
    int64_t start, end;
};

/* The gaps of all devices; the `limit` largest are kept, all when it is 0. Within `window`, at the
 * ends of which a device may be idle, too; NULL: between each device's first and last work.
 * Blocking copies are large from PROP_BYTES on. */
void gaps_find(const struct execution *execution, const struct devices_work *devices,
               uint32_t limit, const struct window_bounds *window, struct arena *arena,
               struct gaps *gaps);

/* The same of all of each device's time, where only gaps->largest is asked for: all else is of those and some
 * others. `limit` is not 0. */
void gaps_find_largest(const struct execution *execution, const struct devices_work *devices,
                       uint32_t limit, struct arena *arena, struct gaps *gaps);

/* The same of all of each device's time, and by event what its thread held a device up in it (host
 * late and sync): adds to time_of[]; ns. */
void gaps_find_by_event(const struct execution *execution, const struct devices_work *devices,
                        struct arena *arena, struct gaps *gaps, int64_t *time_of);

/* The same of a graph whose execution graph nothing else is asked of. Needs LEVEL_TIMELINE. */
void gaps_of_graph(const struct graph *graph, const struct devices_work *devices, uint32_t limit,
                   struct arena *arena, struct gaps *gaps);

/* ---- a device's idle time as a value of the functions that it waited for ---- */

/* What a thread held up (idle_gaps.h) is the self time of the function that it was in then, below
 * all that was around that: Python's stack, modules, ranges. What no thread held up stands beside
 * that, by cause: below "(launch queue)" the calls that launched, below "(dependency)" other
 * streams' work, below "(unknown)" nothing. */

/* Makes LEVEL_CALLTREE, whose time is all devices' idle time, between the first and the last work of
 * each; a call is one that held a device up. For TIMELINE_IDLE; wants of a parser what
 * execution_build() does. Needs LEVEL_TIMELINE. */
void idle_tree_make(struct graph *graph);

/* ---- how gaps are explained: idle_causes.c ---- */

/* A gap on its way to being explained. */
struct open_gap {
    struct gap gap;
    int64_t late;       /* ns of it that threads own, */
    int64_t attributed; /* of which so many have an owner, */
    int64_t synced;     /* and so many of all are the sync's */
    int64_t by_cause[GAP_CAUSE_COUNT];
    int64_t longest; /* ns of what the owner owns at once */
    event_id sync;   /* the call; NO_EVENT */
    enum idle_class sync_class;
    uint32_t number; /* among all gaps, as they come */
};

/* One that is explained. */
struct ended_gap {
    struct gap gap;
    uint32_t number;
};

/* What a thread ran in a gap. */
struct gap_window {
    int64_t start, end;
    uint32_t track, gap;
    bool is_loading; /* the device's thread waited for this one in the data loader */
};

struct gap_explanation {
    const struct execution *execution;
    const struct timeline *timeline;
    struct gaps *gaps;
    uint32_t *longer; /* by gap_size(): how many there are; NULL: they are explained, */
    int64_t least;    /* ns: but for those that are shorter */
    struct open_gap *open; /* those that have windows, and perhaps one more */
    size_t open_count, open_cap;
    struct VECTOR_OF(struct ended_gap) ended;
    uint32_t count; /* of all gaps */
    struct gap_window *windows;
    size_t window_count, window_cap;
    int64_t *time_of;         /* by event; NULL: nobody asks */
    struct intervals loading; /* when the data loader ran */
    struct idmap owner_of;
    struct idmap after_wait_of; /* by frame */
    struct after_wait *after_waits;
    size_t after_wait_cap;
    struct idle_owner *owners;
    uint32_t *last_gap; /* by owner */
    size_t owner_cap, last_cap;
};

/* Walks back from what ended the gap, or, at the end of a window, from what threads did last: adds
 * what is known at once to owners, and what threads ran to windows. */
void gap_explain(struct gap_explanation *all, uint32_t at);

/* The same of the windows, thread by thread, once all gaps have theirs. */
void gaps_explain_windows(struct gap_explanation *all);

#endif
