/* SPDX-License-Identifier: Apache-2.0 */
/* replay.h — the run once more with some of its work faster, and its critical path */
#ifndef PTK_ANALYSIS_EXECUTION_REPLAY_H
#define PTK_ANALYSIS_EXECUTION_REPLAY_H

#include "analysis/execution/task_graph.h"
#include "base/memory/memory.h"

/* ---- the execution graph run again with some of its work faster or slower ---- */

/* Each task begins when its dependencies let it, and takes its length after the change. Lags stay.
 * A wait that nothing recorded explains ends when it did: what ends it goes by a clock of its own.
 * With all factors 1 the replay is the recorded run to the nanosecond, and its path is the
 * critical path. */

enum { REPLAY_CHANGES_MAX = 72 };

/* A piece of a thread's task that it runs while it waits for a device. */
struct hidden_piece {
    int64_t start; /* of the piece */
    int64_t time;  /* ns of it */
    task_id task;
};

/* What is changed of a run. Zeroed: nothing. Borrowed. Changes are 1 … REPLAY_CHANGES_MAX; 0: none. */
struct replay_change {
    const uint8_t *of_frame; /* NULL: none. A host event's change is for all that its thread runs
                                 inside it. */
    const double *factors;   /* by change: so many times faster; INFINITY: it takes no time */
    const uint8_t *of_event; /* by event: that of device work whose frame has none; NULL */
    uint8_t of_launching;    /* that of the time from calls to their work */
    const uint8_t *of_class; /* by host_piece_class(): that of pieces of a thread's time that else
                                stay as they are; NULL */
    const bool *is_ignored;  /* by dependency: it holds nothing up any more; NULL */
    const struct hidden_piece *hidden; /* by task and time; what is hidden in waits */
    size_t hidden_count;
    const double *of_task; /* by task: so many times faster, with what held it up; NULL */
    uint8_t batch_cost;    /* enum batch_cost */
    int64_t least;         /* ns that the run takes at least: what else goes on then */
    int64_t above;         /* ns that it may take beyond the replay, up to what it took */
};

/* How much of a piece of a thread's task is hidden; ns. Logarithmic. */
int64_t replay_hidden(const struct replay_change *change, const struct task_piece *piece);

/* How long a piece of a task with a change takes after it; ns. */
int64_t replay_piece(const struct replay_change *change, uint8_t part, task_id task,
                     int64_t length);

/* The change of a piece of device work. */
uint8_t replay_change_of_work(const struct execution *execution, const struct replay_change *change,
                              task_id task);

/* What a kernel takes less because the collective beside it gets faster. One that is hidden stays. */
int64_t replay_relief(const struct execution *execution, const struct replay_change *change,
                      const struct slowdown *slowdown);

/* The change of a piece of a thread's task. A wait for what is not recorded is of no class. */
uint8_t replay_change_of_piece(const struct execution *execution,
                               const struct replay_change *change, const struct task_piece *piece);

/* Whether the change is of anything that a thread runs. */
bool replay_changes_thread(const struct execution *execution, const struct replay_change *change,
                           uint32_t track);

/* The lag of a dependency of `task` after the change; ns. */
int64_t replay_lag(const struct replay_change *change, task_id task,
                   const struct dependency *dependency);

/* How long each task takes after the change; by task. */
void replay_lengths(const struct execution *execution, const struct replay_change *change,
                    int64_t *length);

/* When each task ends with these lengths; by task. Lengths of waits become what they are then.
 * Returns the end of the run. */
int64_t replay_run(const struct execution *execution, const struct replay_change *change,
                   int64_t *length, int64_t *end);

/* The dependency that let a task begin when it did, with these lengths and ends, the first of
 * equals. False for the start of the run. */
bool replay_decisive(const struct execution *execution, const struct replay_change *change,
                     const int64_t *length, const int64_t *end, task_id task,
                     struct dependency *decisive);

/* The end of which task lets go the interpreter's lock that `task` needs from `comes` on, and when; NO_TASK: it is
 * free. `recorded`: that of the recorded run. Logarithmic. lock_releases.c */
task_id lock_release(const struct execution *execution, task_id task, task_id recorded,
                     int64_t comes, const int64_t *length, const int64_t *end, int64_t *time);

/* The task that ended last, the first of equals; 0 where there is none. */
task_id replay_last(const struct execution *execution, const int64_t *end);

/* What every new span must lie between: see amdahl.h. */
struct replay_bounds {
    int64_t least, most; /* of the new span, ns */
    int64_t by_lock;     /* ns of `most` for a lock that a call on another thread may have held, */
    int64_t by_batches;  /* ... and for batches, where nothing shows what they cost */
    int64_t exposed[REPLAY_CHANGES_MAX + 1], united[REPLAY_CHANGES_MAX + 1]; /* by change; ns */
    int64_t time[REPLAY_CHANGES_MAX + 1];                                    /* sum of the pieces */
    uint32_t pieces[REPLAY_CHANGES_MAX + 1];
};

/* Lags are activities, too; those from calls to their work may change. Factors are all at least 1, or
 * all at most 1. Where dependencies are ignored or tasks have factors of their own, the run takes at
 * least what a thread or stream does by itself. */
void replay_bound(const struct execution *execution, const struct replay_change *change,
                  struct replay_bounds *bounds);

/* What the file lacks, so that the run may gain a tenth less than `gain`, ns, as replayed: a literal; NULL. */
const char *replay_doubt(const struct replay_bounds *bounds, int64_t gain);

/* ---- a run without one of its troubles, as a change that can be replayed ---- */

/* What is taken out of a run. */
enum remedy {
    REMEDY_NONE,
    REMEDY_INPUT,                /* the data loader is never late: it, and waits for its workers, */
    REMEDY_WAITS,                /* that the host waits for a device, but for memory or a profiler, */
    REMEDY_BLOCKING_COPIES,      /* that it waits for copies that it asked for, */
    REMEDY_LAUNCHES,             /* what threads do to launch work, but for setting up, */
    REMEDY_SETUP,                /* calls that load code, make a context or tune, */
    REMEDY_HOST,                 /* whatever else threads do, */
    REMEDY_ALLOCATIONS,          /* calls that allocate and free, */
    REMEDY_COPIES,               /* copies, */
    REMEDY_COMMUNICATION,        /* collectives, */
    REMEDY_HIDDEN_COMMUNICATION, /* the same, as far as there is other work to hide them behind, */
    REMEDY_UNEVEN_STEPS,         /* what steps take longer than the median one */
    REMEDY_COUNT
};

/* Whether an event is the data loader's or inside one that is, of `most` events up to it. */
bool event_is_in_loader(const struct graph *graph, event_id event, uint32_t most);

/* Changes of several remedies add up. Owned: see scenario_free(). */
struct scenario {
    const struct execution *execution;
    struct replay_change change; /* to be replayed: of what is below */
    double factors[REPLAY_CHANGES_MAX + 1];
    uint8_t *of_frame; /* free to be filled: functions that no remedy has yet */
    uint8_t *of_event; /* NULL until asked for */
    uint8_t *of_class; /* likewise */
    bool *is_ignored;  /* likewise */
    double *of_task;   /* likewise */
    struct VECTOR_OF(struct hidden_piece) hidden;
};

/* By frame: calls that most of the time of the copies that they ask for passes in. The caller frees it. */
bool *calls_that_last(const struct graph *graph);

/* Nothing is changed yet, and all factors are 1. */
void scenario_begin(struct scenario *scenario, const struct execution *execution);

/* `part`: the change, of a factor that the caller chose, that what goes gets. */
void scenario_apply(struct scenario *scenario, enum remedy remedy, uint8_t part);

/* What a function does itself, not what it calls, which gets `stays`, a change of factor 1. */
void scenario_remove_function(struct scenario *scenario, frame_id function, uint8_t part,
                              uint8_t stays);

/* The time from a launch call to its work gets the change, and so do the calls. */
void scenario_change_launching(struct scenario *scenario, uint8_t part);

/* Nothing that a thread runs in events of these functions waits for a device any more. */
void scenario_remove_waits(struct scenario *scenario, const bool *is_function);

/* A thread runs these functions while it waits for a device before them, as far as that wait was long. */
void scenario_run_ahead(struct scenario *scenario, const bool *is_function);

/* What threads run inside of events of these functions gets the change, and so does the device work
 * that they launch there; by frame. */
void scenario_change_inside(struct scenario *scenario, const bool *is_function, uint8_t part);

void scenario_free(struct scenario *scenario);

/* ---- the chain of work and waiting that decided when the run ended ---- */

/* Read off a replay (replay.h): from the task that ended last, always to the dependency that let it
 * begin when it did. Tasks and lags on it follow each other without holes, so they add up to the
 * whole run. Of the run as recorded it is the critical path; after a change, what is critical
 * then. */

enum path_part {
    PATH_HOST,          /* a thread ran something */
    PATH_COMPUTE,       /* a device: kernels and fills */
    PATH_COMMUNICATION, /* a device */
    PATH_COPY,          /* a device */
    PATH_LAUNCH,        /* from the end of a launch call to the start of its work */
    PATH_QUEUE,         /* from the end of one piece of device work to the start of the next */
    PATH_DEPENDENCY,    /* from the end of device work to that of what waited for it elsewhere */
    PATH_SYNC,          /* from the end of device work to the return of the call that waited */
    PATH_HAND_OVER,     /* from one thread to another one that waited for it */
    PATH_WAIT,          /* a thread waited, and nothing recorded says for what */
    PATH_IDLE,          /* no thread ran anything that the file has */
    PATH_PART_COUNT
};

/* "host", "launch delay" */
const char *path_part_name(enum path_part part);

struct path_row {
    frame_id frame;
    int64_t time;
    uint32_t pieces;
};

/* Arrays are the arena's. */
struct critical_path {
    int64_t start, end; /* ns: what the path covers */
    int64_t missing;    /* of that, before anything that leads on: PATH_IDLE */
    int64_t time[PATH_PART_COUNT];
    uint32_t pieces[PATH_PART_COUNT];
    struct path_row *rows; /* what ran on it, the longest first */
    uint32_t row_count;
    bool has_devices;      /* that did anything */
    uint32_t unlaunched;   /* device work on the path whose launch the file lacks */
    uint32_t dependencies; /* on it */
    uint32_t inferred;     /* of them, those that the file does not state */
    uint32_t guesses;      /* of them, work that is taken to have waited for another stream */
    task_id *tasks;        /* on it, the last first */
    uint32_t task_count;
};

/* The path of a replay: `length` and `end` by task. */
void critical_path_find(const struct execution *execution, const struct replay_change *change,
                        const int64_t *length, const int64_t *end, struct arena *arena,
                        struct critical_path *path);

/* That of the run as recorded. */
void critical_path_compute(const struct execution *execution, struct arena *arena,
                           struct critical_path *path);

/* ---- the run as it was and as it would be with some of its work faster ---- */

/* A function on either path; ns. */
struct what_if_row {
    frame_id frame;
    int64_t before, after;
};

struct what_if {
    int64_t before, after;        /* spans: as recorded, and replayed */
    struct critical_path path[2]; /* before and after */
    bool has_bounds;              /* not where some work gets faster and some slower */
    bool is_moved;                /* to another GPU: the caller's, who says between which ends it lies */
    struct replay_bounds bounds;
    struct what_if_row *rows; /* by the longer of both times, the longest first; the arena's */
    uint32_t row_count;
    uint32_t unchanged; /* functions on both paths for as long, which have no row */
};

/* `change->factors`: of all REPLAY_CHANGES_MAX + 1 changes, factors[0] being 1 and unused ones
 * too. */
void what_if_compute(const struct execution *execution, const struct replay_change *change,
                     struct arena *arena, struct what_if *out);

/* ---- the critical path as marks on events and arrows between them, to be drawn ---- */

/* From the end of one task on the path to the start of the next, on another track. */
struct path_arrow {
    uint32_t from_track, to_track;
    int64_t from, to; /* ns */
    enum path_part part;
};

/* Arrays are the arena's. */
struct path_marks {
    bool *is_on_path;          /* by event: device work, and what threads were innermost in */
    struct path_arrow *arrows; /* by time */
    uint32_t arrow_count;
};

void path_marks_find(const struct execution *execution, const struct critical_path *path,
                     struct arena *arena, struct path_marks *marks);

/* What the path's time was, one piece after the other. */
struct path_piece {
    int64_t start, end; /* ns */
    event_id event;     /* that ran or waited; NO_EVENT: none */
    enum path_part part;
};

struct path_pieces {
    VECTOR(struct path_piece); /* by start; the caller frees the list */
    int64_t rest;              /* ns of those that were left out */
};

/* critical_path_compute(), and its pieces: these and the rest add up to its times, by part and by function. Of a
 * path with more than `most` pieces those are left out that are shorter than a power of two. */
void path_pieces_find(const struct execution *execution, uint64_t most, struct arena *arena,
                      struct critical_path *path, struct path_pieces *pieces);

#endif
