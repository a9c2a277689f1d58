/* SPDX-License-Identifier: Apache-2.0 */
/* critical_path.h — the chain of work and waiting that decided when the run ended
 *
 * Read off a replay (replay.h): from the task that ended last, always to the dependency that let it
 * begin when it did. Tasks and lags on it follow each other without holes, so they add up to the
 * whole run. Of the run as recorded it is the critical path; after a change, what is critical
 * then. */
#ifndef PTK_ANALYSIS_EXECUTION_CRITICAL_PATH_H
#define PTK_ANALYSIS_EXECUTION_CRITICAL_PATH_H

#include "analysis/execution/replay.h"
#include "base/memory/arena.h"

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

/* What the time from a dependency to the start of its task is, and in which call, if in one: the
 * one that waited, or the launch that had not returned yet when its work began; else NO_EVENT. */
enum path_part path_part_of_lag(const struct execution *execution, task_id task,
                                const struct dependency *dependency, event_id *event);

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

#endif
