/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/functions/hotspots.h"

#include <math.h>

#include "base/checked.h"
#include "graph/derive/derive.h"

static int64_t sum_known(const int64_t *column, uint32_t count)
{
    int64_t sum = 0;

    for (uint32_t i = 0; i < count; i++) {
        if (column[i] == UNKNOWN)
            return UNKNOWN;
        sum = checked_add(sum, column[i]);
    }
    return sum;
}

static bool is_small(const struct hotspots *hotspots, const struct functions *functions,
                     uint32_t at, double min_percent)
{
    return share_of(functions->self[at], hotspots->total) * 100 < min_percent &&
           share_of(functions->cum[at], hotspots->whole) * 100 < min_percent;
}

static uint32_t pick(const struct graph *graph, const struct hotspots_options *options,
                     const struct hotspots *hotspots, uint32_t *picked)
{
    const struct functions *f = &graph->functions;
    const struct order_items items = order_items_of(graph);
    uint32_t count = 0;

    for (uint32_t i = 0; i < f->listed; i++)
        if (!graph_is_idle(graph, f->frame[i]) &&
            (options->min_percent <= 0 || !is_small(hotspots, f, i, options->min_percent)))
            picked[count++] = i;
    count = order_top(&options->order, &items, picked, count, options->limit);
    for (uint32_t i = 0; i < f->listed; i++)
        if (graph_is_idle(graph, f->frame[i]))
            picked[count++] = i;
    return count;
}

static int64_t nameless_self(const struct graph *graph)
{
    const struct functions *f = &graph->functions;
    int64_t sum = 0;

    for (uint32_t i = 0; i < f->listed; i++)
        if (graph_frame(graph, f->frame[i])->is_nameless)
            sum = checked_add(sum, f->self[i]);
    return sum;
}

static bool has_all_threads(const struct graph *graph)
{
    return graph->has[LEVEL_TIMELINE] && graph->values.are_of_timeline &&
           (graph->values.selected == TIMELINE_TIME || graph->values.selected == TIMELINE_HOST);
}

void hotspots_compute(const struct graph *graph, const struct hotspots_options *options,
                      struct arena *arena, struct hotspots *hotspots)
{
    const struct functions *f = &graph->functions;
    uint32_t *picked = arena_array(arena, f->listed, sizeof(*picked));
    int64_t running = 0, listed = sum_known(f->self, f->listed);

    *hotspots = (struct hotspots){.idle = graph_idle(graph), .whole = graph_whole(graph)};
    hotspots->total = checked_sub(graph_total(graph), hotspots->idle);
    hotspots->nameless = nameless_self(graph);
    hotspots->calls = sum_known(f->calls, f->listed);
    hotspots->primitive_calls = sum_known(f->primitive_calls, f->listed);
    hotspots->count = pick(graph, options, hotspots, picked);
    hotspots->rows = arena_array(arena, hotspots->count, sizeof(*hotspots->rows));
    for (uint32_t i = 0; i < hotspots->count; i++) {
        running = checked_add(running, f->self[picked[i]]);
        if (graph_is_idle(graph, f->frame[picked[i]])) {
            hotspots->rows[i] = (struct hotspots_row){picked[i], NAN, NAN, NAN};
            continue;
        }
        hotspots->rows[i] = (struct hotspots_row){
            .function = picked[i],
            .self_share = share_of(f->self[picked[i]], hotspots->total),
            .cum_share = share_of(f->cum[picked[i]], hotspots->whole),
            .running_share = share_of(running, hotspots->total),
        };
    }
    hotspots->left_out = f->listed - hotspots->count;
    hotspots->left_out_self = checked_sub(listed, running);
    if (has_all_threads(graph) && listed == hotspots->total)
        hotspots->wait_only = wait_only_sum(graph);
}
