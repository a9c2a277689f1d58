/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/functions/hotspots.h"

#include "base/checked.h"
#include "base/memory/sort.h"

static bool is_before(const void *context, uint32_t a, uint32_t b)
{
    const struct graph *graph = context;
    const struct sample_labels *labels = &graph->labels;
    const struct sample_label *x = &labels->list[a], *y = &labels->list[b];

    if (x->key != y->key)
        return span_cmp(graph_text(graph, x->key), graph_text(graph, y->key)) < 0;
    if (labels->value[a] != labels->value[b])
        return labels->value[a] > labels->value[b];
    return span_cmp(graph_text(graph, x->text), graph_text(graph, y->text)) < 0;
}

void labels_rank(const struct graph *graph, struct arena *arena, struct labels *labels)
{
    const struct sample_labels *all = &graph->labels;
    uint32_t *places = arena_array(arena, all->count, sizeof(*places));

    *labels = (struct labels){.rows = arena_array(arena, all->count, sizeof(*labels->rows)),
                              .total = all->total};
    for (uint32_t i = 0; i < all->count; i++)
        if (all->samples[i]) /* none: filters dropped them */
            places[labels->count++] = i;
    sort_stable(places, labels->count, is_before, graph);
    for (uint32_t i = 0; i < labels->count; i++) {
        uint32_t at = places[i];
        bool begins_key = i == 0 || labels->rows[i - 1].label.key != all->list[at].key;

        labels->keys += begins_key;
        labels->rows[i] = (struct labels_row){.label = all->list[at],
                                              .samples = all->samples[at],
                                              .value = all->value[at],
                                              .share = share_of(all->value[at], labels->total),
                                              .begins_key = begins_key};
    }
}
