/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/functions/hotspots.h"

#include "base/checked.h"
#include "base/memory/sort.h"
#include "base/text/format.h"
#include "graph/derive/derive.h"

static const double NOTABLE = 0.002, ALARMING = 0.01;

static bool is_recursive(const struct functions *f, uint32_t at)
{
    return f->calls[at] == UNKNOWN || f->calls[at] != f->primitive_calls[at];
}

static bool is_larger(const void *context, uint32_t a, uint32_t b)
{
    const struct imbalance *list = context;
    int64_t x = list[a].excess, y = list[b].excess;

    return (x < 0 ? -x : x) > (y < 0 ? -y : y);
}

static void sort_imbalances(struct integrity *integrity, const struct imbalance *found,
                            struct arena *arena)
{
    uint32_t count = integrity->imbalance_count;
    uint32_t *order = arena_array(arena, count, sizeof(*order));

    for (uint32_t i = 0; i < count; i++)
        order[i] = i;
    sort_stable(order, count, is_larger, found);
    integrity->imbalances = arena_array(arena, count, sizeof(*integrity->imbalances));
    for (uint32_t i = 0; i < count; i++)
        integrity->imbalances[i] = found[order[i]];
}

static void find_imbalances(const struct graph *graph, const struct edge_totals *edge_totals,
                            struct arena *arena, struct integrity *integrity)
{
    const struct functions *f = &graph->functions;
    struct imbalance *found = arena_array(arena, f->listed, sizeof(*found));

    for (uint32_t i = 0; i < f->listed; i++) {
        int64_t excess = checked_sub(checked_sub(f->cum[i], f->self[i]), edge_totals->out_cum[i]);
        double share = share_of(excess, integrity->entered);

        if (!is_recursive(f, i) && (share > NOTABLE || share < -NOTABLE))
            found[integrity->imbalance_count++] = (struct imbalance){i, excess};
    }
    sort_imbalances(integrity, found, arena);
}

/* Only who follows each call can mistake one function for another; samples say whose they are. */
static bool counts_calls(const struct functions *functions)
{
    for (uint32_t i = 0; i < functions->listed; i++)
        if (functions->calls[i] != UNKNOWN)
            return true;
    return false;
}

void integrity_check(const struct graph *graph, struct arena *arena, struct integrity *integrity)
{
    struct edge_totals made = {0};
    const struct edge_totals *edge_totals = graph_edge_totals(graph, &made);

    *integrity =
        (struct integrity){.can_tell = edge_totals->calls && !edge_totals->lacks_times &&
                                       !edge_totals->is_partial && counts_calls(&graph->functions)};
    entries_find(graph, edge_totals, arena, &integrity->entries);
    integrity->entered = integrity->entries.cum;
    integrity->recorded = graph_total(graph);
    for (uint32_t i = 0; i < integrity->entries.count; i++)
        integrity->runs += share_of(integrity->entries.list[i].cum, integrity->entered) >= ALARMING;
    integrity->lacks_builtins = graph_fact_text(graph, FACT_BUILTINS) != NULL;
    if (integrity->can_tell) {
        if (integrity->entered > integrity->recorded)
            integrity->lost = integrity->entered - integrity->recorded;
        integrity->lost_share = share_of(integrity->lost, integrity->entered);
        find_imbalances(graph, edge_totals, arena, integrity);
    }
    edge_totals_free(&made);
}

void integrity_warn(struct graph *graph)
{
    struct arena arena = {0};
    struct integrity integrity;
    char lost[FORMAT_LEN], entered[FORMAT_LEN], share[FORMAT_LEN];

    if (graph->native != LEVEL_CALLGRAPH)
        return;
    integrity_check(graph, &arena, &integrity);
    if (integrity.lost_share > ALARMING)
        warning_say(&graph->source.warnings, integrity.lacks_builtins ? WARNING_NOTE : WARNING_LOSS,
                    "%s of %s (%s) is in no function's own time: %s",
                    format_value(lost, integrity.lost, graph_unit(graph)),
                    format_value(entered, integrity.entered, graph_unit(graph)),
                    format_share(share, integrity.lost_share),
                    integrity.lacks_builtins
                        ? "it passed in built-in functions, which the profiler was not told to "
                          "record"
                        : "functions that share a file, line and name overwrote each other; 'ptk "
                          "info' names their callers");
    arena_free(&arena);
}
