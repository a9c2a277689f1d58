/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/summary/summary.h"

#include <math.h>
#include <stdlib.h>

#include "analysis/summary/host_tree.h"
#include "base/checked.h"
#include "base/memory/vector.h"
#include "graph/classify/event_class.h"

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
    struct use_change *changes;
    size_t change_count, change_cap;
    double occupancy, occupied; /* Σ occupancy · time, and the time of kernels that have one */
    double tensor, kernel;      /* ns */
};

static void add_change(struct use_gathering *g, int64_t time, double blocks)
{
    g->changes = grow_one(g->changes, g->change_count, &g->change_cap, sizeof(*g->changes));
    g->changes[g->change_count++] = (struct use_change){time, blocks};
}

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
        add_change(g, start, (double)blocks / 1e6);
        add_change(g, end, -(double)blocks / 1e6);
    }
    if (occupancy != UNKNOWN) {
        g->occupancy += (double)occupancy / 1e6 * time;
        g->occupied += time;
    }
    g->kernel += time;
    if (graph_class(graph, graph->timeline.frame[event]).matrix == MATRIX_ON_TENSOR_CORES)
        g->tensor += time;
}

static int compare(const void *a, const void *b)
{
    int64_t x = ((const struct use_change *)a)->time, y = ((const struct use_change *)b)->time;

    return (x > y) - (x < y);
}

/* The time-integral of the part of the SMs that have a block: never more than all. */
static double covered(struct use_gathering *g)
{
    double blocks = 0, sum = 0;

    qsort(g->changes, g->change_count, sizeof(*g->changes), compare);
    for (size_t i = 0; i + 1 < g->change_count; i++) {
        blocks += g->changes[i].blocks;
        sum += fmax(0, fmin(blocks, 1)) * (double)(g->changes[i + 1].time - g->changes[i].time);
    }
    return sum;
}

static struct device_use finish(struct use_gathering *g, int32_t device)
{
    int64_t span = g->window.end - g->window.start;
    struct device_use use = {.device = device, .span = span};

    intervals_unite(&g->busy);
    use.busy = intervals_length(&g->busy);
    use.utilization = share_of(use.busy, span);
    use.sm_efficiency = g->change_count && span ? covered(g) / (double)span : NAN;
    use.occupancy = g->occupied > 0 ? g->occupancy / g->occupied : NAN;
    use.tensor_share = g->tensor > 0 ? g->tensor / g->kernel : NAN;
    intervals_free(&g->busy);
    free(g->changes);
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

static bool is_listed(const struct device_uses *uses, int32_t device)
{
    for (uint32_t i = 0; i < uses->count; i++)
        if (uses->rows[i].device == device)
            return true;
    return false;
}

void summary_device_use(const struct host_tree *tree, struct arena *arena, struct device_uses *uses)
{
    const struct timeline *t = &tree->graph->timeline;
    struct step_times steps;
    struct interval window;

    summary_step_times(tree, arena, &steps);
    window = (struct interval){steps.rows[0].span.start, steps.rows[steps.count - 1].span.end};
    *uses = (struct device_uses){.rows = arena_array(arena, t->track_count, sizeof(*uses->rows))};
    for (uint32_t i = 0; i < t->track_count; i++) {
        struct device_use use;

        if (t->tracks[i].kind != TRACK_STREAM || is_listed(uses, t->tracks[i].device))
            continue;
        use = measure(tree, window, t->tracks[i].device);
        if (use.kernels)
            uses->rows[uses->count++] = use;
    }
}
