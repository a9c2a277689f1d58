/* SPDX-License-Identifier: Apache-2.0 */
/* device_index.c — device work by its end and by its launch, and rows about waiting by their
 * calls */
#include "analysis/execution/task_graph.h"
#include "analysis/timeline/device_work.h"
#include "base/memory/sort.h"
#include "base/memory/vector.h"

static bool ends_before(const void *context, uint32_t a, uint32_t b)
{
    return event_end(context, a) < event_end(context, b);
}

static bool launched_before(const void *context, uint32_t a, uint32_t b)
{
    const struct timeline *timeline = context;

    return timeline->launch[a] < timeline->launch[b];
}

void build_device_index(struct task_builder *builder)
{
    const struct timeline *timeline = builder->timeline;
    uint32_t works = 0, rows = 0;

    for (uint32_t i = 0; i < timeline->track_count; i++)
        if (timeline->tracks[i].kind == TRACK_STREAM)
            works += timeline->tracks[i].count;
    builder->by_end = grow_to(NULL, (size_t)works + 1, sizeof(*builder->by_end));
    builder->by_launch = grow_to(NULL, (size_t)works + 1, sizeof(*builder->by_launch));
    builder->sync_rows = builder->by_launch + works + 1; /* from the end: rows are no work */
    for (uint32_t i = 0; i < timeline->track_count; i++) {
        const struct track *track = &timeline->tracks[i];

        if (track->kind != TRACK_STREAM)
            continue;
        for (event_id e = track->first; e < track->first + track->count; e++) {
            bool is_launched = timeline->launch && timeline->launch[e] != NO_EVENT;

            if (is_device_work(builder->graph, e)) {
                builder->by_end[builder->work_count++] = e;
                if (is_launched)
                    builder->by_launch[builder->launched_count++] = e;
            } else if (is_launched) {
                *--builder->sync_rows = e;
                rows++;
            }
        }
    }
    builder->sync_row_count = rows;
    sort_stable(builder->by_end, builder->work_count, ends_before, timeline);
    sort_stable(builder->by_launch, builder->launched_count, launched_before, timeline);
    for (uint32_t i = 0; i < rows / 2; i++) { /* as the file has them */
        event_id row = builder->sync_rows[i];

        builder->sync_rows[i] = builder->sync_rows[rows - 1 - i];
        builder->sync_rows[rows - 1 - i] = row;
    }
    sort_stable(builder->sync_rows, rows, launched_before, timeline);
}

uint32_t first_launched_by(const struct task_builder *builder, event_id call, uint32_t near)
{
    const event_id *works = builder->by_launch;

    SEARCH_NEAR(uint32_t, at, near, builder->launched_count,
                builder->timeline->launch[works[at]] < call);
    return at;
}
