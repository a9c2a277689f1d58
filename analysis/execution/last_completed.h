/* last_completed.h — which device work had ended last by a moment */
#ifndef PTK_ANALYSIS_EXECUTION_LAST_COMPLETED_H
#define PTK_ANALYSIS_EXECUTION_LAST_COMPLETED_H

#include "base/memory/idmap.h"
#include "graph/model/graph.h"

/* Device work by its end. */
struct ended_work {
    event_id *events; /* the arena's */
    uint32_t count;
};

struct ended {
    const struct graph *graph;
    struct ended_work all;
    struct ended_work *of_device; /* without what took no time; the arena's */
    struct idmap devices;         /* ordinal → which of them */
};

void ended_index(const struct graph *graph, struct arena *arena, struct ended *ended);

/* The last before `time`, on any device; NO_EVENT. */
event_id ended_before(const struct ended *ended, int64_t time);

/* The last by `time` that took time, on a device; NO_EVENT. */
event_id ended_on_device(const struct ended *ended, int32_t device, int64_t time);

/* The same on the stream of `track`, over all its lanes. Needs no index. */
event_id ended_on_stream(const struct graph *graph, uint32_t track, int64_t time);

void ended_free(struct ended *ended);

#endif
