/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/functions/tree.h"

#include <math.h>

#include "base/checked.h"
#include "base/memory/sort.h"
#include "graph/derive/derive.h"

/* Of differences the largest come first, up or down. */
static int64_t size_of(int64_t figure)
{
    return figure < 0 ? checked_sub(0, figure) : figure;
}

static bool is_before(const void *context, uint32_t a, uint32_t b)
{
    const int64_t *self = context;

    return size_of(self[a]) > size_of(self[b]);
}

/* Every node with a cost of its own, the costliest first. */
static uint32_t *rank_nodes(const struct calltree *tree, const int64_t *self, struct arena *arena,
                            uint32_t *count)
{
    uint32_t *nodes = arena_array(arena, tree->count, sizeof(*nodes));

    *count = 0;
    for (node_id node = 1; node < tree->count; node++)
        if (self[node])
            nodes[(*count)++] = node;
    sort_stable(nodes, *count, is_before, self);
    return nodes;
}

static uint32_t depth_of(const struct calltree *tree, node_id node)
{
    uint32_t depth = 0;

    for (; node; node = tree->parent[node])
        depth++;
    return depth;
}

enum { FRAME_BYTES = 100 }; /* of a frame as JSON, but for its name */

/* About as many bytes as it takes to show it. */
static int64_t size_of_stack(const struct graph *graph, node_id leaf)
{
    const struct calltree *tree = &graph->tree;
    int64_t size = 0;

    for (node_id node = leaf; node; node = tree->parent[node])
        size += FRAME_BYTES +
                (int64_t)graph_text(graph, graph_frame(graph, tree->frame[node])->name).len;
    return size;
}

void stacks_rank(const struct graph *graph, const struct stacks_options *options,
                 struct arena *arena, struct stacks *stacks)
{
    const struct calltree *tree = &graph->tree;
    const int64_t *self = tree->self[graph->values.selected];
    int64_t shown = 0;
    uint32_t count;
    uint32_t *nodes = rank_nodes(tree, self, arena, &count);

    *stacks = (struct stacks){.rows = arena_array(arena, count, sizeof(*stacks->rows)),
                              .whole = graph_total(graph)};
    for (uint32_t i = 0; i < count; i++) {
        struct stacks_row row = {.leaf = nodes[i],
                                 .self = self[nodes[i]],
                                 .share = share_of(self[nodes[i]], stacks->whole)};
        bool is_wanted =
            !stacks->is_cut && (!options->limit || stacks->count < options->limit) &&
            (options->min_percent <= 0 || fabs(row.share) * 100 >= options->min_percent);

        if (is_wanted) {
            row.depth = depth_of(tree, row.leaf);
            shown = checked_add(shown, size_of_stack(graph, row.leaf));
            stacks->is_cut = shown > options->most_bytes;
        }
        if (is_wanted && !stacks->is_cut) {
            stacks->rows[stacks->count++] = row;
        } else {
            stacks->left_out++;
            stacks->left_out_self = checked_add(stacks->left_out_self, row.self);
        }
    }
}
