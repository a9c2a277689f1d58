/* SPDX-License-Identifier: Apache-2.0 */
/* serving_steps.h — the passes through a model that a server of language models labelled, and their device work */
#ifndef PTK_ANALYSIS_TIMELINE_SERVING_STEPS_H
#define PTK_ANALYSIS_TIMELINE_SERVING_STEPS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/memory/memory.h"
#include "graph/classify/step_label.h"
#include "graph/model/graph.h"

/* ---- steps of serving ----
 *
 * A step is the outermost label on a thread of the host; labels inside it name the same step, and the
 * one with sums tells the figures. What a device repeats of labels is no step.
 *
 * Device work belongs to the step whose label begins last before the call that launched it: with
 * asynchronous scheduling it runs while the host is in the next one. The calls may be on any thread of
 * the label's process. */

#define NO_STEP UINT32_MAX

struct serving_step {
    event_id event;   /* the outermost label; of an inferred step the first call that launched of it */
    frame_id labelled; /* whose name says most */
    const struct step_label *label; /* the arena's, or constant; steps may share it */
    uint32_t thread;       /* in serving_steps.threads */
    int64_t start, end;    /* ns: of the label on the host */
    int64_t first, last;   /* ns: of its device work; UNKNOWN: it has none */
    int64_t busy;          /* ns in which any of its device work ran, by device */
    int64_t forward;       /* of that what was launched within the label */
    uint32_t pieces;       /* of device work */
    uint32_t graph_pieces; /* of those, launched as parts of graphs */
    bool is_recomputing; /* generation that computes whole prompts again, after requests were put off */
};

/* A thread with labels, and its run of steps, by start. */
struct serving_thread {
    int64_t pid, tid;
    uint32_t track; /* its first */
    uint32_t first, count;
};

struct serving_steps {
    struct serving_step *list; /* by thread, then by start; the arena's */
    uint32_t count;
    struct serving_thread *threads; /* likewise */
    uint32_t thread_count;
    uint32_t *thread_of_track;
    bool are_inferred;           /* no labels: each step ends with a copy to the host */
    int64_t device_time;         /* ns of all pieces of device work, */
    int64_t before, unlaunched;  /* of those before any step, and of those that no call launched */
};

/* Needs LEVEL_TIMELINE with launches. `may_infer`: where there are no labels, structure tells. */
void serving_steps_find(const struct graph *graph, bool may_infer, struct arena *arena,
                        struct serving_steps *steps);

/* The step that a piece of device work, or an event of the host, belongs to; NO_STEP. */
uint32_t serving_step_of_work(const struct graph *graph, const struct serving_steps *steps,
                              event_id work);
uint32_t serving_step_of_host(const struct graph *graph, const struct serving_steps *steps,
                              event_id event);

/* The same of events that mostly follow one another: it starts as zeros. */
struct serving_cursor {
    event_id first; /* of the track that the last one was on */
    uint32_t count, thread, step;
};
uint32_t serving_step_near(const struct graph *graph, const struct serving_steps *steps,
                           event_id event, struct serving_cursor *near);

/* The next step of its thread; NO_STEP. */
uint32_t serving_step_after(const struct serving_steps *steps, uint32_t step);

/* "decode", "mixed", the mode of STAGE_OTHER. */
struct span serving_step_stage(const struct serving_step *step);

/* ---- between the files of the search ---- */

/* The thread of a track, which is added where it is not there. */
uint32_t serving_thread_of(const struct graph *graph, uint32_t track, struct serving_steps *steps);

/* Adds the steps that structure tells, if any. */
void serving_steps_infer(const struct graph *graph, struct arena *arena,
                         struct serving_steps *steps);

#endif
