/* SPDX-License-Identifier: Apache-2.0 */
/* scenario.h — a run without one of its troubles, as a change that can be replayed */
#ifndef PTK_ANALYSIS_EXECUTION_SCENARIO_H
#define PTK_ANALYSIS_EXECUTION_SCENARIO_H

#include "analysis/execution/replay.h"

/* What is taken out of a run. */
enum cure {
    CURE_NONE,
    CURE_INPUT,                /* the data loader is never late: it, and waits for its workers, */
    CURE_WAITS,                /* that the host waits for a device, but for memory, */
    CURE_BLOCKING_COPIES,      /* that it waits for copies that it asked for, */
    CURE_LAUNCHES,             /* calls of the runtime, and operators' own work, */
    CURE_ALLOCATIONS,          /* calls that allocate and free, */
    CURE_FUNCTION,             /* one function's own work: scenario_remove_function(), */
    CURE_COPIES,               /* copies, */
    CURE_COMMUNICATION,        /* collectives, */
    CURE_HIDDEN_COMMUNICATION, /* the same, as far as there is other work to hide them behind, */
    CURE_UNEVEN_STEPS,         /* what steps take longer than the median one */
    CURE_COUNT
};

/* Changes of several cures add up. Owned: see scenario_free(). */
struct scenario {
    const struct execution *execution;
    struct replay_change change; /* to be replayed: of what is below */
    double factors[REPLAY_CHANGES_MAX + 1];
    uint8_t *of_frame;  /* free to be filled: functions that no cure has yet */
    uint8_t *of_event;  /* NULL until asked for */
    bool *is_ignored;   /* likewise */
    double *of_task;    /* likewise */
};

/* Nothing is changed yet, and all factors are 1. */
void scenario_begin(struct scenario *scenario, const struct execution *execution);

/* `part`: the change, of a factor that the caller chose, that what goes gets. */
void scenario_apply(struct scenario *scenario, enum cure cure, uint8_t part);

/* What a function does itself, not what it calls, which gets `stays`, a change of factor 1. */
void scenario_remove_function(struct scenario *scenario, frame_id function, uint8_t part,
                              uint8_t stays);

/* The time from a launch call to its work gets the change, and so do the calls. */
void scenario_change_launching(struct scenario *scenario, uint8_t part);

/* What threads run inside of events of these functions gets the change, and so does the device work
 * that they launch there; by frame. */
void scenario_change_inside(struct scenario *scenario, const bool *is_function, uint8_t part);

void scenario_free(struct scenario *scenario);

#endif
