#include <math.h>

#include "analysis/summary/summary.h"
#include "base/checked.h"

/* The utilisation that the producer measured, in parts per million. */
static double cpu_utilization(const struct graph *graph, const char *key)
{
    for (size_t i = 0; i < graph->fact_count; i++)
        if (!graph->facts[i].text && span_eq(span_of(graph->facts[i].key), span_of(key)))
            return (double)graph->facts[i].figure / 1e6;
    return NAN;
}

static int64_t busy_time(const struct host_tree *tree, int32_t device)
{
    const struct timeline *t = &tree->graph->timeline;
    struct intervals busy = {0};
    int64_t length;

    for (uint32_t i = 0; i < t->track_count; i++) {
        const struct track *track = &t->tracks[i];

        if (track->kind != TRACK_STREAM || track->device != device)
            continue;
        for (event_id e = track->first; e < track->first + track->count; e++)
            if (role_of(tree, e) == ROLE_KERNEL && host_tree_counts(tree, e))
                intervals_cover(&busy, t->start[e], end_of(tree, e));
    }
    intervals_unite(&busy);
    length = intervals_length(&busy);
    intervals_free(&busy);
    return length;
}

static bool is_listed(const struct summary_devices *devices, int32_t device)
{
    for (uint32_t i = 0; i < devices->count; i++)
        if (devices->rows[i].device == device)
            return true;
    return false;
}

static bool has_kernels(const struct host_tree *tree, const struct track *track)
{
    for (event_id e = track->first; e < track->first + track->count; e++)
        if (role_of(tree, e) == ROLE_KERNEL)
            return true;
    return false;
}

void summary_devices(const struct host_tree *tree, struct arena *arena,
                     struct summary_devices *devices)
{
    const struct timeline *t = &tree->graph->timeline;

    *devices = (struct summary_devices){
        .process_cpu = cpu_utilization(tree->graph, "process_cpu_ppm"),
        .system_cpu = cpu_utilization(tree->graph, "system_cpu_ppm"),
        .rows = arena_array(arena, t->track_count, sizeof(*devices->rows)),
    };
    for (uint32_t i = 0; i < t->track_count; i++) {
        const struct track *track = &t->tracks[i];
        int64_t busy;

        if (track->kind != TRACK_STREAM || is_listed(devices, track->device) ||
            !has_kernels(tree, track))
            continue;
        busy = busy_time(tree, track->device);
        devices->rows[devices->count++] =
            (struct summary_device){track->device, busy, share_of(busy, tree->total_time)};
    }
}
