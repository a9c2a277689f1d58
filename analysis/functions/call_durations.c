/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/functions/hotspots.h"

#include <stdlib.h>

#include "graph/derive/derive.h"

/* By frame, which row it has, counted from 1; 0: none. */
static uint32_t *rows_by_frame(const struct graph *graph, const struct hotspots *hotspots,
                               struct arena *arena)
{
    uint32_t *row_of = arena_array(arena, graph->frames.count, sizeof(*row_of));

    for (uint32_t i = 0; i < hotspots->count; i++)
        row_of[graph->functions.frame[hotspots->rows[i].function]] = i + 1;
    return row_of;
}

/* Counts the calls of each row in `ends`, where that is how many are before the row's; then puts them there. */
void hotspots_measure_calls(const struct graph *graph, struct arena *arena,
                            struct hotspots *hotspots)
{
    const struct timeline *timeline = &graph->timeline;
    struct percentiles *calls = arena_array(arena, hotspots->count, sizeof(*calls));
    size_t *ends = arena_array(arena, (size_t)hotspots->count + 2, sizeof(*ends));
    uint32_t *row_of = rows_by_frame(graph, hotspots, arena);
    int64_t *durations = NULL;

    for (int pass = 0; pass < 2; pass++) {
        for (uint32_t i = 0; i < timeline->track_count; i++) {
            const struct track *track = &timeline->tracks[i];

            for (event_id e = track->first; e < track->first + track->count; e++) {
                uint32_t row = row_of[timeline->frame[e]];

                if (!row || !derive_wants(graph, track))
                    continue;
                if (pass == 0)
                    ends[row + 1]++;
                else
                    durations[ends[row]++] = timeline->duration[e];
            }
        }
        for (uint32_t i = 1; i <= hotspots->count && pass == 0; i++)
            ends[i + 1] += ends[i];
        if (pass == 0)
            durations = grow_to(NULL, ends[hotspots->count + 1] + 1, sizeof(*durations));
    }
    for (uint32_t i = 0; i < hotspots->count; i++) {
        size_t first = i ? ends[i] : 0;

        calls[i] = percentiles_of(durations + first, ends[i + 1] - first);
    }
    free(durations);
    hotspots->measured = calls;
}
