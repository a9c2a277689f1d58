/* SPDX-License-Identifier: Apache-2.0 */
/* stream_queues.h — how much work waited on each stream of a device, over time */
#ifndef PTK_ANALYSIS_TIMELINE_STREAM_QUEUES_H
#define PTK_ANALYSIS_TIMELINE_STREAM_QUEUES_H

#include "base/memory/memory.h"
#include "graph/model/graph.h"

/* What waits on a stream: launched, and not begun. A call that launches many pieces waits once, until the first
 * of them starts. Times are from the first launch to the last start. */
struct queue_row {
    uint32_t track; /* the stream's first */
    struct span device, stream;
    int64_t launches;
    int64_t longest;
    double mean;        /* by time */
    int64_t full_time;  /* ns with 1024 or more: the host cannot launch more then */
    int64_t empty_time; /* ns with none */
};

struct queue_rows {
    struct queue_row *rows; /* in the arena; streams with launches, in the order of tracks */
    uint32_t count;
};

/* Needs LEVEL_TIMELINE with launches, else there are none. */
void stream_queues_find(const struct graph *graph, struct arena *arena, struct queue_rows *queues);

#endif
