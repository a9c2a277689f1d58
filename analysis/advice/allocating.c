/* SPDX-License-Identifier: Apache-2.0 */
/* Finds who allocates most, of a profile that has allocations as a value beside its samples. */
#include <stdlib.h>
#include <string.h>

#include "analysis/advice/advice.h"
#include "base/checked.h"
#include "base/memory/memory.h"

static int64_t value_total(const struct calltree *tree, uint32_t value)
{
    int64_t total = 0;

    for (node_id node = 0; node < tree->count; node++)
        total = checked_add(total, calltree_self(tree, value, node));
    return total;
}

/* The value of which most bytes are on record; `values.count`: there is none. */
static uint32_t bytes_value(const struct graph *graph)
{
    int64_t most = 0;
    uint32_t best = graph->values.count;

    for (uint32_t i = 0; i < graph->values.count; i++) {
        int64_t total =
            graph->values.list[i].unit == UNIT_BYTES && calltree_has_value(&graph->tree, i)
                ? value_total(&graph->tree, i)
                : 0;

        if (total > most) {
            most = total;
            best = i;
        }
    }
    return best;
}

/* The frame of most; 0: none. */
static frame_id most_of(const int64_t *sums, size_t count)
{
    frame_id best = 0;

    for (frame_id i = 1; i < count; i++)
        best = sums[i] > (best ? sums[best] : 0) ? i : best;
    return best;
}

frame_id find_allocating(const struct graph *graph, const bool *is_own, frame_id *caller)
{
    const struct calltree *tree = &graph->tree;
    uint32_t value = graph->has[LEVEL_CALLTREE] ? bytes_value(graph) : graph->values.count;
    node_id *owner;
    int64_t *sums;
    frame_id most;

    *caller = 0;
    if (value == graph->values.count)
        return 0;
    owner = grow_zeroed((size_t)tree->count + 1, sizeof(*owner));
    sums = grow_zeroed((size_t)graph->frames.count + 1, sizeof(*sums));
    for (node_id node = 1; node < tree->count; node++) { /* parents come before children */
        owner[node] = is_own[tree->frame[node]] ? node : owner[calltree_parent(tree, node)];
        sums[tree->frame[owner[node]]] =
            checked_add(sums[tree->frame[owner[node]]], calltree_self(tree, value, node));
    }
    most = most_of(sums, graph->frames.count);
    memset(sums, 0, graph->frames.count * sizeof(*sums));
    for (node_id node = 1; node < tree->count && most; node++) {
        frame_id of = tree->frame[calltree_parent(tree, owner[node])];

        if (tree->frame[owner[node]] == most && of != most)
            sums[of] = checked_add(sums[of], calltree_self(tree, value, node));
    }
    *caller = most_of(sums, graph->frames.count);
    free(owner);
    free(sums);
    return most;
}
