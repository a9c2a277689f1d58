/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/functions/tree.h"

#include <math.h>
#include <stdlib.h>

#include "base/checked.h"
#include "base/memory/sort.h"
#include "base/memory/vector.h"
#include "graph/derive/derive.h"

/* Percent of the whole below which branches go when there are too many. */
static const double NARROWEST_LEAST = 0.001, NARROWEST_MOST = 10;

struct tree_item *tree_items_add(struct tree_items *items)
{
    items->list = grow_one(items->list, items->count, &items->cap, sizeof(*items->list));
    items->list[items->count] = (struct tree_item){0};
    return &items->list[items->count++];
}

/* The tree while it grows. `pending` holds siblings in reverse, so that the next is its last. */
struct growing {
    struct tree *tree;
    const struct tree_options *options;
    struct tree_source *source;
    uint32_t *open; /* by frame */
    struct tree_items pending, children;
    frame_id *path; /* frames of the rows above the next, by depth */
    size_t path_depth, path_cap;
    struct tree_row *rows;
    size_t row_cap;
};

static bool is_larger(const void *context, uint32_t a, uint32_t b)
{
    const struct tree_item *list = context;
    int64_t x = list[a].row.total, y = list[b].row.total;

    return (x < 0 ? -x : x) > (y < 0 ? -y : y);
}

static bool is_small(const struct growing *growing, const struct tree_row *row)
{
    return growing->options->min_percent > 0 && row->share * 100 < growing->options->min_percent &&
           -row->share * 100 < growing->options->min_percent;
}

/* Sorts the children, leaves out the small, and puts the others on top of `pending`. */
static void push_children(struct growing *growing, uint32_t depth)
{
    struct tree_items *children = &growing->children;
    uint32_t *order = grow_to(NULL, children->count + 1, sizeof(*order));
    uint32_t count = 0;

    for (uint32_t i = 0; i < children->count; i++) {
        struct tree_row *row = &children->list[i].row;

        row->depth = depth;
        row->share = graph_is_idle(growing->source->graph, row->frame)
                         ? NAN
                         : share_of(row->total, growing->tree->whole);
        if (!is_small(growing, row))
            order[count++] = i;
    }
    sort_stable(order, count, is_larger, children->list);
    if (growing->options->limit && growing->options->limit < count)
        count = growing->options->limit;
    growing->tree->hidden += (uint32_t)children->count - count;
    for (uint32_t i = count; i-- > 0;) {
        struct tree_item *item = tree_items_add(&growing->pending);

        *item = children->list[order[i]];
        item->row.is_last = i + 1 == count;
    }
    free(order);
}

static void expand(struct growing *growing, const struct tree_item *item, uint32_t depth)
{
    growing->children.count = 0;
    growing->source->expand(growing->source, item, &growing->children);
    push_children(growing, depth);
}

/* The path to a row at this depth: closes what is no longer open. */
static void close_path(struct growing *growing, uint32_t depth)
{
    while (growing->path_depth > depth)
        growing->open[growing->path[--growing->path_depth]]--;
}

static void open_path(struct growing *growing, frame_id frame)
{
    growing->path =
        grow_one(growing->path, growing->path_depth, &growing->path_cap, sizeof(*growing->path));
    growing->path[growing->path_depth++] = frame;
    growing->open[frame]++;
}

static void add_row(struct growing *growing, const struct tree_row *row)
{
    growing->rows =
        grow_one(growing->rows, growing->tree->count, &growing->row_cap, sizeof(*growing->rows));
    growing->rows[growing->tree->count++] = *row;
}

static void grow_rows(struct growing *growing)
{
    expand(growing, NULL, 0);
    while (growing->pending.count) {
        struct tree_item item = growing->pending.list[--growing->pending.count];
        bool is_deep = growing->options->depth && item.row.depth + 1 >= growing->options->depth;

        if (growing->tree->count == growing->options->most_rows) {
            growing->tree->is_cut = true;
            return;
        }
        close_path(growing, item.row.depth);
        add_row(growing, &item.row);
        open_path(growing, item.row.frame);
        if (!item.row.is_recursive && !is_deep)
            expand(growing, &item, item.row.depth + 1);
    }
}

static void grow(const struct graph *graph, const struct tree_options *options, struct arena *arena,
                 struct tree *tree)
{
    struct growing growing = {.tree = tree, .options = options};

    *tree = (struct tree){.whole = graph_whole(graph), .min_percent = options->min_percent};
    growing.source = graph->has[LEVEL_CALLTREE] ? tree_from_calltree(graph, options, arena)
                                                : tree_from_callgraph(graph, options, arena);
    growing.open = arena_array(arena, graph->frames.count, sizeof(*growing.open));
    growing.source->open = growing.open;
    grow_rows(&growing);
    tree->rows = arena_array(arena, tree->count, sizeof(*tree->rows));
    for (uint32_t i = 0; i < tree->count; i++)
        tree->rows[i] = growing.rows[i];
    if (growing.source->close)
        growing.source->close(growing.source);
    free(growing.rows);
    free(growing.path);
    free(growing.pending.list);
    free(growing.children.list);
}

/* The largest branches of a tree that is too large, and not the first. */
void tree_grow(const struct graph *graph, const struct tree_options *options, struct arena *arena,
               struct tree *tree)
{
    struct tree_options within = *options;

    if (!within.most_rows)
        within.most_rows = TREE_ROWS_MAX;
    grow(graph, &within, arena, tree);
    while (tree->is_cut && within.min_percent < NARROWEST_MOST) {
        within.min_percent = fmax(2 * within.min_percent, NARROWEST_LEAST);
        grow(graph, &within, arena, tree);
    }
}
