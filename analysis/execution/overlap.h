/* SPDX-License-Identifier: Apache-2.0 */
/* overlap.h — what ran at the same time, what ran alone, and when a device had nothing to do
 *
 * All lengths are of unions, in ns: two kernels at once count once. Definitions are those of
 * TraceLens's gpu_timeline (AMD-AGI, MIT): compute, then communication that no compute hides, then
 * copies that neither hides. */
#ifndef PTK_ANALYSIS_EXECUTION_OVERLAP_H
#define PTK_ANALYSIS_EXECUTION_OVERLAP_H

#include "analysis/execution/idle_gaps.h"
#include "analysis/execution/task_graph.h"
#include "analysis/timeline/device_work.h"
#include "analysis/timeline/stream_queues.h"
#include "graph/classify/kernel_class.h"

/* One device, in one window of time. */
struct overlap_figures {
    int64_t start, span; /* of the device: first start to last end of its work */
    int64_t busy, idle;  /* together the span */
    int64_t compute, communication, memory;
    int64_t hidden_communication;  /* compute ∩ communication */
    int64_t exposed_communication; /* communication − compute */
    int64_t exposed_memory;        /* copies − compute − communication */
    uint32_t events;
};

struct overlap_device {
    int32_t device; /* ordinal, or -1 */
    struct overlap_figures all;
    struct interval *exposed; /* when it communicated and did not compute, if asked for */
    uint32_t exposed_count;
};

/* A device while a step ran on the host (or, where only streams have steps, on the device). */
struct overlap_step {
    int64_t step; /* its number */
    frame_id frame;
    int32_t device;
    struct overlap_figures all; /* `start` and `span` are the step's */
};

/* A thread, a stream … with its overflow lanes. On a stream only device work counts. */
struct overlap_track {
    uint32_t track;
    int64_t sum, busy;
    uint32_t events;
};

/* Everything of one kind, wherever it ran; by category, device work of one family. */
struct overlap_kind {
    enum frame_kind kind;
    enum kernel_family family; /* FAMILY_NONE: whatever its family */
    int64_t sum, union_;
    uint32_t events;
};

enum { OVERLAP_KINDS = KIND_COUNT + FAMILY_COUNT };

struct overlap_options {
    bool by_step;
    bool by_category;                  /* of the kinds */
    uint32_t gap_limit;                /* how many of the largest gaps are kept */
    bool has_queues;                   /* how much work waited on each stream */
    bool has_exposed;                  /* list each device's exposed communication */
    const struct execution *execution; /* of the graph; NULL: one is built for the gaps */
    const struct devices_work *works;  /* with their times; NULL: they are found */
    const struct gaps
        *gaps; /* of a graph with one device, all of them, in the window; NULL: they are found */
    const struct window_bounds
        *window; /* of devices and gaps; NULL: from a device's first work to its last */
};

/* All arrays are the arena's. */
struct overlap {
    int64_t start, span; /* first start to last end of all that takes time */
    struct overlap_device *devices;
    uint32_t device_count;
    struct overlap_step *steps; /* by start, each for every device */
    uint32_t step_count;
    uint32_t steps_left_out; /* there were too many; or there is no device */
    struct overlap_track *tracks;
    uint32_t track_count;
    struct overlap_kind kinds[OVERLAP_KINDS];
    uint32_t kind_count;
    struct gaps gaps;             /* of all devices */
    struct queue_rows queues;     /* of streams, if asked for */
    struct slowed_kernel *slowed; /* beside collectives, by what they take more */
    uint32_t slowed_count;
    int64_t slowed_gain; /* ns by which the run would be shorter if they took as long as alone */
};

/* The graph must have LEVEL_TIMELINE. */
void overlap_compute(const struct graph *graph, const struct overlap_options *options,
                     struct arena *arena, struct overlap *overlap);

#endif
