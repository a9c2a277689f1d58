/* SPDX-License-Identifier: Apache-2.0 */
/* How many pieces of work waited on each stream: launches put them there, and starts take them away. */
#include "analysis/timeline/stream_queues.h"

#include <stdlib.h>

#include "analysis/timeline/device_work.h"
#include "base/checked.h"

enum { QUEUE_LIMIT = 1024 };

/* What was launched onto a stream, and the calls that did; both by start. */
struct queue {
    struct VECTOR_OF(event_id) works, calls;
};

static bool starts_before(const void *timeline, uint32_t a, uint32_t b)
{
    const int64_t *start = ((const struct timeline *)timeline)->start;

    return start[a] < start[b];
}

/* At one moment a launch comes first. */
static void walk_queue(const struct timeline *t, const struct queue *queue, struct queue_row *row)
{
    size_t count = queue->works.count, launched = 0, begun = 0;
    int64_t first = 0, last = 0;
    double sum = 0;

    while (launched + begun < 2 * count) {
        int64_t length = (int64_t)launched - (int64_t)begun;
        int64_t launch = launched < count ? t->start[queue->calls.list[launched]] : INT64_MAX;
        int64_t begin = begun < count ? t->start[queue->works.list[begun]] : INT64_MAX;
        bool is_launch = launched < count && launch <= begin;
        int64_t now = is_launch ? launch : begin;

        if (launched + begun == 0)
            first = last = now;
        sum += (double)length * (double)(now - last);
        if (length >= QUEUE_LIMIT)
            row->full_time = checked_add(row->full_time, now - last);
        if (length <= 0)
            row->empty_time = checked_add(row->empty_time, now - last);
        row->longest = length > row->longest ? length : row->longest;
        launched += is_launch;
        begun += !is_launch;
        last = now;
    }
    if (last > first)
        row->mean = sum / (double)(last - first);
}

/* `is_counted`: by call, all false before and after. */
static struct queue_row measure_queue(const struct graph *graph, uint32_t track, uint32_t lanes,
                                      bool *is_counted)
{
    const struct timeline *t = &graph->timeline;
    struct queue_row row = {.track = track,
                            .device = graph_text(graph, t->tracks[track].process),
                            .stream = graph_text(graph, t->tracks[track].name)};
    struct queue queue = {0};

    for (uint32_t i = track; i < track + lanes; i++)
        for (uint32_t k = 0; k < t->tracks[i].count; k++) {
            event_id e = t->tracks[i].first + k;

            if (!is_device_work(graph, e) || t->launch[e] == NO_EVENT || is_counted[t->launch[e]])
                continue;
            is_counted[t->launch[e]] = true;
            vector_add(&queue.works, e);
            vector_add(&queue.calls, t->launch[e]);
        }
    for (size_t i = 0; i < queue.calls.count; i++)
        is_counted[queue.calls.list[i]] = false;
    row.launches = (int64_t)queue.works.count;
    sort_stable(queue.works.list, queue.works.count, starts_before, t);
    sort_stable(queue.calls.list, queue.calls.count, starts_before, t);
    walk_queue(t, &queue, &row);
    free(queue.works.list);
    free(queue.calls.list);
    return row;
}

void stream_queues_find(const struct graph *graph, struct arena *arena, struct queue_rows *queues)
{
    const struct timeline *t = &graph->timeline;
    bool *is_counted;

    *queues =
        (struct queue_rows){.rows = arena_array(arena, t->track_count, sizeof(*queues->rows))};
    if (!t->launch)
        return;
    is_counted = grow_zeroed((size_t)t->count + 1, sizeof(*is_counted));
    for (uint32_t i = 0, lanes; i < t->track_count; i += lanes) {
        struct queue_row row;

        /* a stream and the lanes after it */
        for (lanes = 1; i + lanes < t->track_count && t->tracks[i + lanes].lane; lanes++)
            ;
        if (t->tracks[i].kind != TRACK_STREAM)
            continue;
        row = measure_queue(graph, i, lanes, is_counted);
        if (row.launches)
            queues->rows[queues->count++] = row;
    }
    free(is_counted);
}
