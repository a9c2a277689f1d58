/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <stdlib.h>

#include "analysis/summary/host_tree.h"
#include "analysis/summary/summary.h"
#include "base/checked.h"
#include "base/memory/vector.h"

/* The utilisation that the producer measured, in parts per million. */
static double cpu_utilization(const struct graph *graph, enum fact_id fact)
{
    int64_t ppm;

    return graph_fact(graph, fact, &ppm) ? (double)ppm / 1e6 : NAN;
}

/* The row of a track's device. */
static uint32_t row_of(struct summary_devices *devices, struct idmap *rows, int32_t device)
{
    uint32_t *row = idmap_at(rows, (uint32_t)device);

    if (*row == IDMAP_NONE) {
        *row = devices->count++;
        devices->rows[*row] = (struct summary_device){.device = device};
    }
    return *row;
}

static bool has_kernels(const struct host_tree *tree, const struct track *track)
{
    if (track->kind != TRACK_STREAM)
        return false;
    for (event_id e = track->first; e < track->first + track->count; e++)
        if (role_of(tree, e) == ROLE_KERNEL)
            return true;
    return false;
}

/* By track, the row of the kernels on it; IDMAP_NONE where there are none. */
static uint32_t *find_rows(const struct host_tree *tree, struct arena *arena,
                           struct summary_devices *devices)
{
    const struct timeline *t = &tree->graph->timeline;
    uint32_t *of_track = arena_array(arena, t->track_count, sizeof(*of_track));
    struct idmap rows = {0};

    devices->rows = arena_array(arena, t->track_count, sizeof(*devices->rows));
    for (uint32_t i = 0; i < t->track_count; i++)
        of_track[i] = has_kernels(tree, &t->tracks[i]) ? row_of(devices, &rows, t->tracks[i].device)
                                                       : IDMAP_NONE;
    idmap_free(&rows);
    return of_track;
}

static void cover_kernels(const struct host_tree *tree, struct parts *parts, uint32_t track,
                          struct intervals *busy)
{
    event_id e, end = parts_take(parts, track, &e);

    for (; e < end; e++)
        if (role_of(tree, e) == ROLE_KERNEL && host_tree_counts(tree, e))
            intervals_cover(busy, tree->graph->timeline.start[e], end_of(tree, e));
}

static void add_busy_time(const struct host_tree *tree, const uint32_t *row_of_track,
                          struct summary_devices *devices)
{
    struct intervals *busy = grow_zeroed((size_t)devices->count + 1, sizeof(*busy));
    struct parts parts;

    parts_begin(&parts, &tree->graph->timeline);
    while (parts_next(&parts)) {
        for (uint32_t i = 0; i < tree->graph->timeline.track_count; i++)
            if (row_of_track[i] != IDMAP_NONE)
                cover_kernels(tree, &parts, i, &busy[row_of_track[i]]);
        for (uint32_t i = 0; i < devices->count; i++)
            devices->rows[i].busy =
                checked_add(devices->rows[i].busy, intervals_take(&busy[i], parts.until));
    }
    parts_end(&parts);
    for (uint32_t i = 0; i < devices->count; i++)
        intervals_free(&busy[i]);
    free(busy);
}

void summary_devices(const struct host_tree *tree, struct arena *arena,
                     struct summary_devices *devices)
{
    *devices = (struct summary_devices){
        .process_cpu = cpu_utilization(tree->graph, FACT_PROCESS_CPU),
        .system_cpu = cpu_utilization(tree->graph, FACT_SYSTEM_CPU),
    };
    add_busy_time(tree, find_rows(tree, arena, devices), devices);
    for (uint32_t i = 0; i < devices->count; i++)
        devices->rows[i].share = share_of(devices->rows[i].busy, tree->total_time);
}
