/* stream_dependencies.h — the work on another stream that a piece of device work was told to wait
 * for */
#ifndef PTK_ANALYSIS_EXECUTION_STREAM_DEPENDENCIES_H
#define PTK_ANALYSIS_EXECUTION_STREAM_DEPENDENCIES_H

#include "analysis/execution/sync_calls.h"

/* Where a file lacks such waits: work that began no later than this after another stream had ended,
 * in ns, and later after all else that could have held it up, is taken to have waited for that. It
 * is what launching costs (as in idle_gaps.h). */
enum { AWAITED_PROMPT = 30000 };

struct awaited {
    const struct graph *graph;
    const struct waiting *waiting; /* the caller's */
    struct idmap stream_tracks;    /* device and stream → track */
};

void awaited_index(const struct graph *graph, const struct waiting *waiting,
                   struct awaited *awaited);

/* The last work that the awaited streams had done by the start of `work`, which is on `track`;
 * NO_EVENT. Needs launches. */
event_id awaited_by(const struct awaited *awaited, uint32_t track, event_id work);

void awaited_free(struct awaited *awaited);

#endif
