/* SPDX-License-Identifier: Apache-2.0 */
/* Summary tables of devices: utilisation, work of each kind, occupancy, and the SMs that were
 * busy. */
#include <math.h>
#include <stdlib.h>

#include "analysis/summary/host_tree.h"
#include "analysis/summary/summary.h"
#include "analysis/timeline/timeline_parts.h"
#include "base/checked.h"
#include "base/memory/memory.h"
#include "graph/classify/event_class.h"

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

/* ---- what each device did ---- */

/* A kernel begins or ends, and with it the SMs that it keeps busy. */
struct use_change {
    int64_t time;
    double blocks;
};

/* What is gathered of one device. */
struct use_gathering {
    const struct host_tree *tree;
    struct property_cursors properties;
    struct interval window;
    struct intervals busy;
    struct VECTOR_OF(struct use_change) changes;
    double occupancy, occupied; /* Σ occupancy · time, and the time of kernels that have one */
    double tensor, kernel;      /* ns */
};

static void add_kernel(struct use_gathering *g, event_id event)
{
    const struct graph *graph = g->tree->graph;
    int64_t start = graph->timeline.start[event], end = end_of(g->tree, event);
    int64_t blocks = property_or(&g->properties, PROP_BLOCKS_PER_SM, event, 0);
    int64_t occupancy = property_or(&g->properties, PROP_OCCUPANCY, event, UNKNOWN);
    double time;

    start = start > g->window.start ? start : g->window.start;
    end = end < g->window.end ? end : g->window.end;
    if (start >= end)
        return;
    time = (double)(end - start);
    intervals_cover(&g->busy, start, end);
    if (blocks > 0) {
        vector_add(&g->changes, (struct use_change){start, (double)blocks / 1e6});
        vector_add(&g->changes, (struct use_change){end, -(double)blocks / 1e6});
    }
    if (occupancy != UNKNOWN) {
        g->occupancy += (double)occupancy / 1e6 * time;
        g->occupied += time;
    }
    g->kernel += time;
    if (graph_class(graph, graph->timeline.frame[event]).matrix == MATRIX_ON_TENSOR_CORES)
        g->tensor += time;
}

static bool is_earlier(const void *changes, uint32_t a, uint32_t b)
{
    const struct use_change *list = changes;

    return list[a].time < list[b].time;
}

/* The time-integral of the part of the SMs that have a block: never more than all. */
static double covered(const struct use_gathering *g)
{
    const struct use_change *changes = g->changes.list;
    uint32_t *order = sorted_order(g->changes.count, is_earlier, changes);
    double blocks = 0, sum = 0;

    for (size_t i = 0; i + 1 < g->changes.count; i++) {
        blocks += changes[order[i]].blocks;
        sum += fmax(0, fmin(blocks, 1)) *
               (double)(changes[order[i + 1]].time - changes[order[i]].time);
    }
    free(order);
    return sum;
}

static struct device_use finish(struct use_gathering *g, int32_t device)
{
    int64_t span = g->window.end - g->window.start;
    struct device_use use = {.device = device, .span = span};

    intervals_unite(&g->busy);
    use.busy = intervals_length(&g->busy);
    use.utilization = share_of(use.busy, span);
    use.sm_efficiency = g->changes.count && span ? covered(g) / (double)span : NAN;
    use.occupancy = g->occupied > 0 ? g->occupancy / g->occupied : NAN;
    use.tensor_share = g->tensor > 0 ? g->tensor / g->kernel : NAN;
    intervals_free(&g->busy);
    free(g->changes.list);
    return use;
}

static struct device_use measure(const struct host_tree *tree, struct interval window,
                                 int32_t device)
{
    const struct timeline *t = &tree->graph->timeline;
    struct use_gathering g = {
        .tree = tree, .properties = {.columns = t->properties}, .window = window};
    struct device_use use;
    int64_t kernels = 0;

    for (uint32_t i = 0; i < t->track_count; i++)
        for (uint32_t k = 0; k < t->tracks[i].count; k++) {
            event_id e = t->tracks[i].first + k;

            if (t->tracks[i].device != device || role_of(tree, e) != ROLE_KERNEL)
                continue;
            add_kernel(&g, e);
            kernels++;
        }
    use = finish(&g, device);
    use.kernels = kernels;
    return use;
}

void summary_device_use(const struct host_tree *tree, struct arena *arena, struct device_uses *uses)
{
    const struct timeline *t = &tree->graph->timeline;
    struct step_times steps;
    struct interval window;

    summary_step_spans(tree, arena, &steps);
    window = (struct interval){steps.rows[0].span.start, steps.rows[steps.count - 1].span.end};
    *uses = (struct device_uses){.rows = arena_array(arena, t->track_count, sizeof(*uses->rows))};
    for (uint32_t i = 0; i < t->track_count; i++) {
        bool is_listed = false;
        struct device_use use;

        for (uint32_t k = 0; k < uses->count; k++)
            is_listed |= uses->rows[k].device == t->tracks[i].device;
        if (t->tracks[i].kind != TRACK_STREAM || is_listed)
            continue;
        use = measure(tree, window, t->tracks[i].device);
        if (use.kernels)
            uses->rows[uses->count++] = use;
    }
}
