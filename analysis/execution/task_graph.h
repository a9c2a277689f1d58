/* SPDX-License-Identifier: Apache-2.0 */
/* task_graph.h — the execution graph: tasks, and what each had to wait for */
#ifndef PTK_ANALYSIS_EXECUTION_TASK_GRAPH_H
#define PTK_ANALYSIS_EXECUTION_TASK_GRAPH_H

#include "analysis/execution/innermost.h"
#include "base/memory/memory.h"
#include "graph/model/graph.h"
#include "graph/model/walks.h"

/* ---- the execution graph: what ran, and what each piece of it had to wait for ---- */

/* A task is the time of one thread between two points at which something else depends on it or it
 * on something else, or a piece of device work. A task begins when the latest of its dependencies
 * lets it: the end (for DEPENDS_ON_SLOT the start) of an earlier task, and a lag. Of the lags,
 * that of the dependency that held the task up in the recorded run makes up the recorded start;
 * those of the others are the least that is known of their kind. So the run as recorded is what
 * the dependencies and the tasks' lengths give, to the nanosecond, and every change of lengths can
 * be replayed.
 *
 * Waiting is no task: a call that blocks is its own work until it blocks, and what its thread does
 * next depends on the work that it waited for. Whether a call blocked is decided call by call, by
 * the work that ended in it (blocked_calls.h). A wait whose end nothing recorded explains is a
 * task of its own.
 *
 * Task 0 is the start of the run. Columns are by task; threads' and streams' tasks are each in
 * order of time. */

typedef uint32_t task_id;

#define NO_TASK UINT32_MAX

enum task_kind {
    TASK_START,  /* of the run: takes no time */
    TASK_HOST,   /* a thread ran something */
    TASK_WAIT,   /* a thread waited, and nothing recorded says for what */
    TASK_DEVICE, /* a stream worked */
};

enum dependency_kind {
    DEPENDS_ON_START,  /* nothing is known to have held it up: it stays where it was */
    DEPENDS_ON_THREAD, /* program order */
    DEPENDS_ON_STREAM, /* the work before it on its stream */
    DEPENDS_ON_LAUNCH, /* device work: on the call that submitted it */
    DEPENDS_ON_EVENT,  /* device work: on other streams' work, which its stream waited for */
    DEPENDS_ON_WORK,   /* a thread: on device work that it waited for */
    DEPENDS_ON_SLOT,   /* a thread: on the start of device work, which left room in a full queue */
    DEPENDS_ON_HAND_OVER, /* a thread: on another one that it waited for */
    DEPENDS_ON_LOCK,      /* a thread: on another one that held the interpreter's lock */
};

struct dependency {
    int64_t lag; /* ns after the end of `from`, not negative */
    task_id from;
    uint8_t kind;     /* enum dependency_kind */
    bool is_inferred; /* from times; else the file says so */
};

/* From which lengths what a device waited for is distinguished; ns. Ours, but for IDLE_LAUNCH_COST: launches
 * take 5 to 20 us on today's drivers, and HTA draws its line at 30. */
enum {
    IDLE_LAUNCH_COST = 30000,
    IDLE_OPERATOR_COST = 100000,
    IDLE_WAIT = 100000,
    IDLE_SETUP = 1000000,
};

struct idle_limits {
    int64_t launch;   /* what launching costs at most */
    int64_t operator; /* an operator's own work that is there to launch others' is shorter */
    int64_t wait;     /* one that is as long has something to wait for */
    int64_t
        setup; /* a call that launches or asks and is as long loads code or makes a context first */
    int64_t large_copy; /* bytes: a blocking copy is what the device waits for */
};

extern const struct idle_limits idle_limits_default;

/* What a batch costs is known only of some. Of others: as much, a little more, the most that can be. */
enum batch_cost { BATCH_COST_KNOWN, BATCH_COST_LIKELY, BATCH_COST_MOST, BATCH_COSTS };

/* A batch that a thread takes from processes that are not recorded, which make the next ones meanwhile. */
struct loader_batch {
    task_id task; /* TASK_WAIT: until it is there; of no length where it was; else what taking it took */
    event_id event;            /* the data loader's */
    int64_t cost[BATCH_COSTS]; /* ns from when its making could begin until it was there */
    bool is_short, is_unknown; /* it may have been there, taking one takes as long; nothing shows what one costs */
    uint32_t ahead;            /* so many batches are made before one is taken, at most */
};

/* A task at whose end its thread lets the interpreter's lock go. */
struct lock_release {
    task_id task;
    bool is_first; /* until then it did not hold it */
};

/* What a kernel took more because of a collective beside it. */
struct slowdown {
    task_id task, by;
    int64_t time; /* ns */
};

/* Kernels of one name and, alone, of one length, which their shape gives; those of them beside a collective. */
struct slowed_kernel {
    frame_id frame;
    uint32_t name; /* in slowed_kernels.c */
    uint32_t count;
    int64_t alone;     /* ns: the mean length of those alone */
    int64_t sum, more; /* ns: of these, and what that is more than alone */
};

struct execution {
    const struct graph *graph;
    struct idle_limits limits; /* the default ones; who builds it may change them */
    uint32_t count;            /* tasks */
    int64_t *start, *end;      /* ns, as recorded, since the timeline's origin */
    uint32_t *track;
    event_id *event; /* of device work, itself; of a thread's task the call or wait that it
                             follows, if it follows one; NO_EVENT */
    uint8_t *kind;   /* enum task_kind */
    uint32_t *first; /* by task, and one more: its dependencies in `dependencies` */
    struct dependency *dependencies;
    uint32_t *order;        /* tasks: none before one that it depends on */
    task_id *first_task;    /* by track, and one more */
    bool *takes_part;       /* by track: threads that only sleep and wait for others do not */
    uint8_t *role;          /* by frame: enum host_role (blocked_calls.h) */
    const frame_id *row_of; /* by frame: in whose row of a path its time is; NULL: its own */
    struct VECTOR_OF(event_id)
        setup_calls; /* in order; is_setup_call() asks how long they took, too */
    struct VECTOR_OF(struct slowdown) slowdowns;    /* by task: slowed_kernels.c */
    struct VECTOR_OF(struct slowed_kernel) slowed;  /* by what they take more, the most first */
    struct VECTOR_OF(struct lock_release) releases; /* by task: lock_releases.c */
    struct VECTOR_OF(uint32_t) producers; /* tracks of threads that make the batches of others */
    struct VECTOR_OF(struct loader_batch) batches; /* by track and time: loader_batches.c */
    int64_t run_start, run_end;                    /* of the tasks; equal where there are none */
    uint32_t guesses; /* device work taken to have waited for another stream, for the file has no
                         such waits */
};

/* What it wants of a parser, as builder_options.properties; besides, launches and flows. */
uint64_t execution_properties(void);

/* All memory is the execution's: see execution_free(). Linear in events, on two threads where there are
 * two. Needs LEVEL_TIMELINE. */
void execution_build(const struct graph *graph, struct execution *execution);

/* Frees what only replays and paths need: the dependencies and the order. */
void execution_drop_dependencies(struct execution *execution);

void execution_free(struct execution *execution);

/* ns from the first start to the last end of all tasks. */
static inline int64_t execution_span(const struct execution *execution)
{
    return execution->run_end - execution->run_start;
}

static inline int64_t task_length(const struct execution *execution, task_id task)
{
    return execution->end[task] - execution->start[task];
}

/* The device work's task; NO_TASK. Logarithmic. */
task_id task_of_work(const struct execution *execution, event_id work);

/* The thread's last task that ends at `time` or before it; NO_TASK. Logarithmic. */
task_id task_ending_by(const struct execution *execution, uint32_t track, int64_t time);

/* The dependency that held a task up in the recorded run, the first of equals; NULL for task 0. */
const struct dependency *task_decisive(const struct execution *execution, task_id task);

/* ---- what a thread ran in its tasks ---- */

/* A part of a thread's task, in one event. */
struct task_piece {
    task_id task;
    struct segment segment;
};

/* A place in a thread's tasks. Owned: see task_pieces_free(). */
struct task_pieces {
    const struct execution *execution;
    struct innermost innermost;
    struct segment segment; /* what is left of it */
    task_id task, past;
    bool has_segment;
};

/* The pieces of a thread's tasks, by time; marks as in innermost_begin(). */
void task_pieces_begin(struct task_pieces *pieces, const struct execution *execution,
                       uint32_t track, const uint8_t *mark_of);
bool task_pieces_next(struct task_pieces *pieces, struct task_piece *piece);
void task_pieces_free(struct task_pieces *pieces);

/* ---- the work on another stream that a piece of device work had to wait for ---- */

/* The number by which others wait for the stream of a track. */
static inline int64_t stream_of_track(const struct track *track)
{
    return track->stream ? track->stream : track->tid;
}

/* Rows that say for which stream another waits. */
struct stream_waits {
    const struct graph *graph;
    struct idmap stream_tracks; /* device and stream → the track with its work */
    struct idmap rows_of;       /* device and waiting stream → the first of its rows */
    event_id *rows;             /* in order of tracks and starts; owned */
    uint32_t row_count;
};

/* Needs PROP_WAIT_STREAM. Free with stream_waits_free(). */
void stream_waits_index(const struct graph *graph, struct stream_waits *waits);

/* The last work that the streams which `work`, on `track`, had to wait for had done when it
 * began; NO_EVENT. Needs launches. */
event_id stream_dependency(const struct stream_waits *waits, uint32_t track, event_id work);

/* The track that holds a stream's work; IDMAP_NONE. */
uint32_t stream_track(const struct stream_waits *waits, int32_t device, int64_t stream);

/* The last work on the stream of `track`, over all its lanes, that took time and had ended by
 * `time`; NO_EVENT. */
event_id ended_on_stream(const struct graph *graph, uint32_t track, int64_t time);

/* The same of what had been launched before `launched_by` too. */
event_id ended_of_launched(const struct graph *graph, uint32_t track, int64_t time,
                           int64_t launched_by);

void stream_waits_free(struct stream_waits *waits);

/* ---- threads that work for others, as those that run the backward pass ---- */

/* A thread that is in a named range and in nothing else may only wait for another, as a training
 * step does while its backward pass runs; so may one in a Python function. Workers are threads that
 * run operators, and Python only inside them. */

/* ns; half open. */
struct work_time {
    int64_t start, end;
};

struct worker_thread {
    struct work_time *times; /* neither in nothing nor in a named range nor waiting; owned */
    size_t count, cap;
    size_t near; /* of the times: where the last question was */
    uint32_t track;
};

/* Owned: see worker_threads_free(). */
struct worker_threads {
    const struct graph *graph;
    struct worker_thread *list;
    uint32_t count;
};

/* What a worker thread did in a time. */
struct worker_window {
    int64_t start, end; /* of its first and last work, cut to that time */
    uint32_t track;     /* UINT32_MAX: no worker did anything */
};

/* `roles`: by frame, enum host_role. */
void worker_threads_find(const struct graph *graph, const uint8_t *roles,
                         struct worker_threads *workers);

/* What the worker thread that was busy last between two moments did, if that is another thread than `track`,
 * which was in `event` then. One that goes on after that time does not work for it; nor, as a
 * Python function does work of its own, one that began before it did. */
struct worker_window worker_between(struct worker_threads *workers, uint32_t track, event_id event,
                                    int64_t start, int64_t end);

void worker_threads_free(struct worker_threads *workers);

/* ---- what the parts of execution_build() share: the columns that it is made from ---- */

/* First each thread is looked at for where it stopped and where calls blocked; then who let it go
 * on; then it is cut into tasks where one of both is, and these are joined by dependencies. */

/* A call in which a thread waited for device work. */
struct blocked_call {
    event_id call, work;  /* NO_EVENT: an unknown one */
    int64_t start;        /* of the call's part */
    int64_t submitted_at; /* it was at work until then, as nothing else was; `start`: not known */
    int64_t blocked_at;   /* it had done its own work by then, */
    int64_t resumed_at;   /* went on then, */
    uint32_t track;       /* on this thread */
    bool is_slot;         /* it waited for the work to begin, which made room in a queue */
    bool is_blocked;      /* else the work had been done before: it would have waited, had it not */
    bool is_inferred;
};

/* When a thread did nothing, or waited for another one. */
struct thread_stop {
    int64_t from, to;
    int64_t waker_time; /* when the one that it waited for did what let it go on */
    uint32_t track;
    uint32_t waker;   /* its track; UINT32_MAX: nobody is known */
    event_id event;   /* in which it waited; NO_EVENT: in none */
    event_id batch;   /* the data loader's event that it takes a batch in; NO_EVENT */
    int64_t short_from; /* since when it may have waited for that, too shortly to be told from taking it */
    bool is_wait;     /* it says that it waits for another thread */
    bool is_beside;   /* where it takes a batch, but not what it waited longest for */
    bool is_read;     /* the file says who the waker is */
    bool is_for_lock; /* of the interpreter, as the lengths of its functions say */
    bool takes_turns; /* the two threads' silences say it */
};

struct thread_stops {
    VECTOR(struct thread_stop);
};

/* A moment at which a thread's tasks are parted. */
struct cut {
    int64_t time;
    uint32_t track;
};

/* ... because it let the interpreter's lock go then. */
struct lock_cut {
    struct cut at;
    bool is_first; /* until then it did not hold it */
};

/* A call that makes a stream wait, and what for, as the order of calls says. */
struct wait_call {
    int64_t time;
    uint32_t stream; /* the first track of the one that waits */
    event_id work;   /* on another */
};

struct wait_calls {
    VECTOR(struct wait_call); /* by time */
    uint32_t *by_stream;      /* by stream and time; owned */
};

struct wait_call_range {
    size_t first, past; /* in by_stream */
};

struct task_builder {
    const struct graph *graph;
    const struct timeline *timeline;
    struct execution *execution;
    uint32_t task_cap;
    size_t dependency_count, dependency_cap;

    event_id *by_end;    /* device work by its end */
    event_id *by_launch; /* launched device work by its launch */
    uint32_t work_count, launched_count;
    event_id *sync_rows; /* rows on streams that say what calls wait for, by their calls */
    uint32_t sync_row_count;
    struct stream_waits waits;
    struct wait_calls wait_calls;
    struct idmap one_by_one; /* device → whether its kernels take turns */
    struct worker_threads workers;

    struct blocked_call *blocked; /* by track and time */
    size_t blocked_count, blocked_cap;
    int64_t *least_cost;       /* by frame: what the quickest call took by itself; INT64_MAX */
    struct thread_stop *stops; /* by track and time */
    size_t stop_count, stop_cap;
    struct cut *cuts; /* by track and time, once sorted */
    size_t cut_count, cut_cap;
    struct VECTOR_OF(struct lock_cut) releases; /* of the interpreter's lock */
};

/* stream_dependencies.c: lists device work in the orders above. */
void build_device_index(struct task_builder *builder);

/* The launched work of a call: by_launch[first …] as long as launch[] is the call. `near`: any
 * index, the last answer for a later call makes this quick. */
uint32_t first_launched_by(const struct task_builder *builder, event_id call, uint32_t near);

/* stream_wait_calls.c: where the file does not say which stream waits for which. */
void find_wait_calls(struct task_builder *builder);

/* Those that made a stream wait in (after, until]; of many, the last. */
void wait_calls_between(const struct wait_calls *waits, uint32_t stream, int64_t after,
                        int64_t until, struct wait_call_range *range);

/* blocked_calls.c: whether the call that `segment` is a part of blocked in it. */
void find_blocked_calls(struct task_builder *builder);

/* thread_stops.c: where threads stopped, and who let them go on. */
void find_thread_stops(struct task_builder *builder);

/* task_build.c: adds more stops to the builder's, in order. Where a thread is known to have stopped for another reason,
 * that counts. */
void add_thread_stops(struct task_builder *builder, struct thread_stops *more);

/* interpreter_lock.c: where threads waited for another one that was in Python. */
void find_lock_stops(struct task_builder *builder);

/* lock_releases.c: when threads let it go, waited for or not; once all stops, and once all tasks are known. */
void find_lock_releases(struct task_builder *builder);
void keep_lock_releases(const struct task_builder *builder);

/* Which threads take part, when all stops and all device work are known; their stops alone are kept. */
void settle_thread_stops(struct task_builder *builder);

/* ns: so much a lock that is free costs at most, with a profiler; and a thread that waited goes on sooner than that. */
enum { WAIT_LEAST = 30000, HAND_OVER_MOST = 100000 };

/* slowed_kernels.c: how much longer kernels take beside communication; when all tasks are known. */
void find_slowed_kernels(struct execution *execution);

void builder_cut(struct task_builder *builder, uint32_t track, int64_t time);

/* Whether work waits for its call to return: else it began before that. */
static inline bool is_after_call(const struct timeline *timeline, event_id call, event_id work)
{
    return timeline->start[work] >= event_end(timeline, call);
}

/* How a thread's task came to begin: after a stop, or after a call that blocked. */
struct resumption {
    task_id task;
    const struct thread_stop *stop;     /* or NULL */
    const struct blocked_call *blocked; /* or NULL */
};

/* By task. */
struct resumptions {
    struct resumption *list;
    size_t count, cap, at;
};

/* task_dependencies.c: what each task had to wait for, and the lags. */
void build_dependencies(struct task_builder *builder, struct resumptions *resumptions);

/* ---- what functions mean for who waits for whom: they submit, block, sleep, or just run ---- */

enum host_role {
    HOST_RUNS,
    HOST_RANGE,        /* named by somebody, or Python: it may wait for a helper inside */
    HOST_SUBMITS,      /* a call of the runtime: it blocks if work that it submitted ends in it */
    HOST_COPIES,       /* likewise, and copies of memory that is not pinned do so */
    HOST_COPIES_WAITS, /* likewise, by contract */
    HOST_FREES,        /* blocks until a device is done */
    HOST_ALLOCATES,    /* may do so */
    HOST_WAITS_EVENT,  /* waits for a mark in a stream, */
    HOST_WAITS_STREAM, /* for a stream, */
    HOST_WAITS_DEVICE, /* for all streams of a device */
    HOST_LOADS,        /* takes what other processes make: it waits for them if that takes long */
    HOST_LOCKS,        /* waits for another thread or process */
    HOST_SLEEPS,       /* waits for time to pass */
};

/* By frame, enum host_role. The caller's to free. */
uint8_t *host_roles(const struct graph *graph);

/* Whether a call waits for a device, and its thread then launches nothing, waits for no device again, and mostly stops a
 * profiler: whoever records waits for all that was recorded. Linear in events up to the next launch or such a wait. */
bool is_wait_of_profiler(const struct execution *execution, event_id call);

/* Whether a call that allocates or frees made a device's context or loaded a library's code, which comes
 * once. Logarithmic. */
bool is_setup_call(const struct execution *execution, event_id call);

/* setup_calls.c: lists them for that. Linear in events. */
void find_setup_calls(const struct graph *graph, struct execution *execution);

/* Calls that wait for a device and do nothing else. */
static inline bool role_waits_for_device(uint8_t role)
{
    return role >= HOST_WAITS_EVENT && role <= HOST_WAITS_DEVICE;
}

static inline bool role_waits_for_threads(uint8_t role)
{
    return role == HOST_LOCKS || role == HOST_SLEEPS;
}

static inline bool role_waits(uint8_t role)
{
    return role_waits_for_device(role) || role_waits_for_threads(role);
}

/* ---- threads that only wait for others: progress bars, watchdogs, pools ---- */

/* Whether any event of a track is Python's; and whether all but its lanes may be waiting, where a device works: Python
 * functions that do not say so, training steps, calls that ask whether work is done (NCCL's watchdog) and, up to 1 % of
 * its time, calls that make no device do anything (a thread that pins memory). */
bool track_runs_python(const struct graph *graph, const struct track *track);
bool track_may_only_wait(const struct graph *graph, const struct track *track);

struct wait_only {
    uint32_t count;
    uint32_t track; /* of the last of them */
    int64_t time;   /* ns of all, each as a union */
};

/* Needs LEVEL_TIMELINE, and PROP_STEP, without which one that holds steps is none. */
struct wait_only wait_only_sum(const struct graph *graph);

/* Leaves them out of what the host's time is derived from. */
void wait_only_set_apart(struct graph *graph);

#endif
