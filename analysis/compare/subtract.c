/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/compare/diff.h"

#include "analysis/merge/merge.h"
#include "base/checked.h"

/* Of the selected value, up and down added up; and what they come to. */
static int64_t changes_of(const struct graph *graph, int64_t *sum)
{
    const int64_t *self = graph->tree.self[graph->values.selected];
    int64_t changes = 0;

    *sum = 0;
    for (node_id node = 0; node < graph->tree.count; node++) {
        *sum = checked_add(*sum, self[node]);
        changes = checked_add(changes, self[node] < 0 ? checked_sub(0, self[node]) : self[node]);
    }
    return changes;
}

static void negate(struct graph *graph)
{
    for (uint32_t v = 0; v < graph->values.count; v++)
        for (node_id node = 0; graph->tree.self[v] && node < graph->tree.count; node++)
            graph->tree.self[v][node] = checked_sub(0, graph->tree.self[v][node]);
}

bool subtract(struct graph *graph, struct graph *base, enum subtract_whole whole, int64_t *sum,
              struct error *err)
{
    struct merge merge = {.keeps_labels = graph->selection.roots_are_label_sets};
    enum detail detail = graph->frames.detail;
    bool has_label_frames = graph->selection.has_label_frames;
    int64_t base_sum, all = changes_of(base, &base_sum);
    struct graph difference;

    negate(base);
    if (!merge_add(&merge, graph, err) || !merge_add(&merge, base, err)) {
        merge_abandon(&merge);
        return false;
    }
    merge_finish(&merge, &difference);
    graph_free(graph);
    *graph = difference;
    graph->frames.detail = detail;
    graph->selection.has_label_frames = has_label_frames;
    graph->selection.is_difference = true;
    if (whole == WHOLE_OF_CHANGES)
        all = changes_of(graph, sum);
    else
        changes_of(graph, sum);
    graph->selection.is_narrowed = true;
    graph->selection.total = graph->selection.whole = all;
    return true;
}
