/* SPDX-License-Identifier: Apache-2.0 */
/* stream_dependencies.h — the work on another stream that a piece of device work was told to wait
 * for */
#ifndef PTK_ANALYSIS_EXECUTION_STREAM_DEPENDENCIES_H
#define PTK_ANALYSIS_EXECUTION_STREAM_DEPENDENCIES_H

#include "base/memory/hash_index.h"
#include "graph/model/graph.h"

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

/* The last work that the streams which `work`, on `track`, was told to wait for had done when it
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

#endif
