/* sync_calls.h — calls in which the host waits for a device, and streams that wait for another
 *
 * Rows about waiting are not work. Some producers write them as such (KIND_SYNC); where they only
 * record the runtime's calls, its blocking functions are known by name, as nothing else tells. */
#ifndef PTK_ANALYSIS_EXECUTION_SYNC_CALLS_H
#define PTK_ANALYSIS_EXECUTION_SYNC_CALLS_H

#include "base/memory/idmap.h"
#include "graph/model/graph.h"

struct waiting {
    bool *is_wait;        /* by frame */
    event_id *host;       /* waiting calls on threads, in order of tracks and starts */
    event_id *stream;     /* rows that say for which stream another waits, likewise */
    struct idmap rows_of; /* device and stream → the first of its rows in `stream` */
    uint32_t host_count, stream_count;
};

/* By frame, whether it only waits; the arena's. */
bool *waiting_frames(const struct graph *graph, struct arena *arena);

/* Needs PROP_WAIT_STREAM for streams. Arrays are the arena's; free with waiting_free(). */
void waiting_find(const struct graph *graph, struct arena *arena, struct waiting *waiting);

/* The number by which others wait for the stream of a track. */
static inline int64_t stream_of_track(const struct track *track)
{
    return track->stream ? track->stream : track->tid;
}

/* The last waiting call before `event` on its thread; NO_EVENT. */
event_id waiting_before(const struct graph *graph, const struct waiting *waiting, event_id event);

/* The rows by which the stream of `track` was told, in (after, until], to wait for others. */
struct stream_waits {
    const event_id *rows; /* the waiting's */
    uint32_t count;
};

struct stream_waits waiting_of_stream(const struct graph *graph, const struct waiting *waiting,
                                      uint32_t track, int64_t after, int64_t until);

void waiting_free(struct waiting *waiting);

#endif
