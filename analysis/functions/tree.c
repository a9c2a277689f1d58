/* SPDX-License-Identifier: Apache-2.0 */
/* The tree of time as rows, top-down or bottom-up, without light branches and within a bound. */
#include <math.h>
#include <stdlib.h>

#include "analysis/functions/tree.h"
#include "base/checked.h"
#include "base/memory/memory.h"
#include "graph/derive/derive.h"
#include "graph/model/walks.h"

/* Percent of the whole below which branches go when there are too many. */
static const double NARROWEST_LEAST = 0.001, NARROWEST_MOST = 10;

struct tree_item *tree_items_add(struct tree_items *items)
{
    vector_reserve(items);
    items->list[items->count] = (struct tree_item){0};
    return &items->list[items->count++];
}

/* ---- exact trees: paths are known ----
 *
 * Bottom-up, a row stands for a set of cursors: nodes of the call tree with the self time that
 * came up from below. Its children group the cursors' parents by frame. */

struct cursor {
    node_id node;
    int64_t value;
};

/* Cursors of one row: a slice of `cursors`. */
struct slice {
    size_t first, count;
};

struct exact {
    struct tree_source source;
    const struct calltree *tree;
    uint32_t value;
    const int64_t *total;
    struct tree_links links;
    struct VECTOR_OF(struct cursor) cursors;
    struct VECTOR_OF(struct slice) slices; /* by item.ref */
};

/* ---- top-down ---- */

static void expand_down(struct tree_source *source, const struct tree_item *item,
                        struct tree_items *children)
{
    struct exact *exact = (struct exact *)source;
    node_id parent = item ? (node_id)item->ref : 0;

    for (node_id node = tree_first_child(&exact->links, parent); node;
         node = tree_next_child(&exact->links, node)) {
        struct tree_item *child = tree_items_add(children);

        child->ref = node;
        child->row.frame = exact->tree->frame[node];
        child->row.total = exact->total[node];
        child->row.self = calltree_self(exact->tree, exact->value, node);
        child->row.calls = exact->tree->calls ? exact->tree->calls[node] : UNKNOWN;
    }
}

/* ---- bottom-up ---- */

/* The cursors whose children are wanted: the row's own moved up, or every node with self. */
static struct cursor *moved_up(struct exact *exact, const struct tree_item *item, size_t *count)
{
    struct cursor *moved;

    *count = 0;
    if (item) {
        struct slice slice = exact->slices.list[item->ref];

        moved = grow_to(NULL, slice.count + 1, sizeof(*moved));
        for (size_t i = 0; i < slice.count; i++) {
            struct cursor cursor = exact->cursors.list[slice.first + i];

            cursor.node = calltree_parent(exact->tree, cursor.node);
            if (cursor.node)
                moved[(*count)++] = cursor;
        }
        /* nobody asks twice: a long chain would keep as many slices as it is deep */
        if (slice.first + slice.count == exact->cursors.count)
            exact->cursors.count = slice.first;
        return moved;
    }
    moved = grow_to(NULL, (size_t)exact->tree->own.used + 1, sizeof(*moved));
    for (node_id node = 1; node < exact->tree->count; node++) {
        int64_t self = calltree_self(exact->tree, exact->value, node);

        if (self)
            moved[(*count)++] = (struct cursor){node, self};
    }
    return moved;
}

/* One child for each frame among the cursors, and a slice for each child. */
static void expand_up(struct tree_source *source, const struct tree_item *item,
                      struct tree_items *children)
{
    struct exact *exact = (struct exact *)source;
    struct idmap child_of = {0};
    size_t count, first = children->count;
    struct cursor *moved = moved_up(exact, item, &count);

    for (size_t i = 0; i < count; i++) {
        frame_id frame = exact->tree->frame[moved[i].node];
        uint32_t *known = idmap_at(&child_of, frame);
        struct tree_row *row;

        if (*known == IDMAP_NONE) {
            *known = (uint32_t)children->count;
            tree_items_add(children)->row = (struct tree_row){.frame = frame, .calls = UNKNOWN};
        }
        row = &children->list[*known].row;
        row->total = checked_add(row->total, moved[i].value);
        row->self = item ? 0 : row->total;
        children->list[*known].ref++; /* counts its cursors until it gets a slice */
    }
    for (size_t i = first; i < children->count; i++) {
        struct slice slice = {.first = exact->cursors.count};

        exact->cursors.count += children->list[i].ref;
        children->list[i].ref = exact->slices.count;
        vector_add(&exact->slices, slice);
    }
    if (exact->cursors.count > exact->cursors.cap) {
        exact->cursors.cap = grow_cap(exact->cursors.cap, exact->cursors.count);
        exact->cursors.list =
            grow_to(exact->cursors.list, exact->cursors.cap, sizeof(*exact->cursors.list));
    }
    for (size_t i = 0; i < count; i++) {
        uint32_t child = idmap_find(&child_of, exact->tree->frame[moved[i].node]);
        struct slice *slice = &exact->slices.list[children->list[child].ref];

        exact->cursors.list[slice->first + slice->count++] = moved[i];
    }
    idmap_free(&child_of);
    free(moved);
}

static void close_source(struct tree_source *source)
{
    struct exact *exact = (struct exact *)source;

    free(exact->slices.list);
    free(exact->cursors.list);
    tree_unlink(&exact->links);
}

static struct tree_source *tree_from_calltree(const struct graph *graph,
                                              const struct tree_options *options,
                                              struct arena *arena)
{
    struct exact *exact = arena_alloc(arena, sizeof(*exact));

    exact->source = (struct tree_source){.graph = graph,
                                         .options = options,
                                         .arena = arena,
                                         .expand = options->is_bottom_up ? expand_up : expand_down,
                                         .close = close_source};
    exact->tree = &graph->tree;
    exact->value = graph->values.selected;
    exact->total = tree_totals(&graph->tree, exact->value, arena);
    tree_link(&graph->tree, &exact->links);
    return &exact->source;
}

/* ---- growing rows ---- */

/* The tree while it grows. */
struct growing {
    struct tree *tree;
    const struct tree_options *options;
    struct tree_source *source;
    uint32_t *open;            /* by frame */
    struct tree_items pending; /* siblings in reverse: the next row is the last */
    struct tree_items children;
    struct VECTOR_OF(frame_id) path; /* frames of the rows above the next, by depth */
    struct VECTOR_OF(struct tree_row) rows;
};

static bool is_larger(const void *context, uint32_t a, uint32_t b)
{
    const struct tree_item *list = context;
    int64_t x = list[a].row.total, y = list[b].row.total;

    return (x < 0 ? -x : x) > (y < 0 ? -y : y);
}

/* Puts the children of an item, or the roots, on top of `pending`: sorted, without the small. Returns
 * what those take that are left out. */
static int64_t push_children(struct growing *growing, const struct tree_item *item, uint32_t depth)
{
    struct tree_items *children = &growing->children;
    double least = growing->options->min_percent;
    uint32_t *order, count = 0;
    int64_t cut = 0;

    children->count = 0;
    growing->source->expand(growing->source, item, children);
    order = grow_to(NULL, children->count + 1, sizeof(*order));
    for (uint32_t i = 0; i < children->count; i++) {
        struct tree_row *row = &children->list[i].row;

        row->depth = depth;
        row->share = graph_is_idle(growing->source->graph, row->frame)
                         ? NAN
                         : share_of(row->total, growing->tree->whole);
        if (!(least > 0 && row->share * 100 < least && -row->share * 100 < least))
            order[count++] = i;
        else
            cut = checked_add(cut, row->total);
    }
    sort_stable(order, count, is_larger, children->list);
    while (growing->options->limit && growing->options->limit < count)
        cut = checked_add(cut, children->list[order[--count]].row.total);
    growing->tree->hidden += (uint32_t)children->count - count;
    for (uint32_t i = count; i-- > 0;) {
        struct tree_item *pushed = tree_items_add(&growing->pending);

        *pushed = children->list[order[i]];
        pushed->row.is_last = i + 1 == count;
    }
    free(order);
    return cut;
}

static void grow_rows(struct growing *growing)
{
    growing->tree->cut = push_children(growing, NULL, 0);
    while (growing->pending.count) {
        struct tree_item item = growing->pending.list[--growing->pending.count];
        bool is_deep = growing->options->depth && item.row.depth + 1 >= growing->options->depth;

        if (growing->tree->count == growing->options->most_rows) {
            growing->tree->is_cut = true;
            return;
        }
        /* the path to a row at this depth: closes what is no longer open */
        while (growing->path.count > item.row.depth)
            growing->open[growing->path.list[--growing->path.count]]--;
        vector_add(&growing->rows, item.row);
        growing->tree->count++;
        vector_add(&growing->path, item.row.frame);
        growing->open[item.row.frame]++;
        if (!item.row.is_recursive && !is_deep)
            growing->rows.list[growing->rows.count - 1].cut =
                push_children(growing, &item, item.row.depth + 1);
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
        tree->rows[i] = growing.rows.list[i];
    if (growing.source->close)
        growing.source->close(growing.source);
    free(growing.rows.list);
    free(growing.path.list);
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
