/* SPDX-License-Identifier: Apache-2.0 */
/* tree_from_calltree.c — exact trees: paths are known
 *
 * Bottom-up, a row stands for a set of cursors: nodes of the call tree with the self time that
 * came up from below. Its children group the cursors' parents by frame. */
#include <stdlib.h>

#include "analysis/functions/tree.h"
#include "base/checked.h"
#include "base/memory/hash_index.h"
#include "base/memory/vector.h"
#include "graph/model/calltree_walk.h"

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
    const int64_t *self, *total;
    struct tree_links links;
    struct cursor *cursors;
    size_t cursor_count, cursor_cap;
    struct slice *slices; /* by item.ref */
    size_t slice_count, slice_cap;
};

/* ---- top-down ---- */

static void expand_down(struct tree_source *source, const struct tree_item *item,
                        struct tree_items *children)
{
    struct exact *exact = (struct exact *)source;
    node_id parent = item ? (node_id)item->ref : 0;

    for (node_id node = exact->links.first_child[parent]; node; node = exact->links.next[node]) {
        struct tree_item *child = tree_items_add(children);

        child->ref = node;
        child->row.frame = exact->tree->frame[node];
        child->row.total = exact->total[node];
        child->row.self = exact->self[node];
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
        struct slice slice = exact->slices[item->ref];

        moved = grow_to(NULL, slice.count + 1, sizeof(*moved));
        for (size_t i = 0; i < slice.count; i++) {
            struct cursor cursor = exact->cursors[slice.first + i];

            cursor.node = exact->tree->parent[cursor.node];
            if (cursor.node)
                moved[(*count)++] = cursor;
        }
        /* nobody asks twice: a long chain would keep as many slices as it is deep */
        if (slice.first + slice.count == exact->cursor_count)
            exact->cursor_count = slice.first;
        return moved;
    }
    moved = grow_to(NULL, exact->tree->count, sizeof(*moved));
    for (node_id node = 1; node < exact->tree->count; node++)
        if (exact->self[node])
            moved[(*count)++] = (struct cursor){node, exact->self[node]};
    return moved;
}

static void add_slice(struct exact *exact, size_t count)
{
    exact->slices =
        grow_one(exact->slices, exact->slice_count, &exact->slice_cap, sizeof(*exact->slices));
    exact->slices[exact->slice_count++] = (struct slice){exact->cursor_count, count};
    exact->cursor_count += count;
    if (exact->cursor_count > exact->cursor_cap) {
        exact->cursor_cap = grow_cap(exact->cursor_cap, exact->cursor_count);
        exact->cursors = grow_to(exact->cursors, exact->cursor_cap, sizeof(*exact->cursors));
    }
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
        add_slice(exact, children->list[i].ref);
        children->list[i].ref = exact->slice_count - 1;
        exact->slices[exact->slice_count - 1].count = 0;
    }
    for (size_t i = 0; i < count; i++) {
        uint32_t child = idmap_find(&child_of, exact->tree->frame[moved[i].node]);
        struct slice *slice = &exact->slices[children->list[child].ref];

        exact->cursors[slice->first + slice->count++] = moved[i];
    }
    idmap_free(&child_of);
    free(moved);
}

static void close_source(struct tree_source *source)
{
    struct exact *exact = (struct exact *)source;

    free(exact->slices);
    free(exact->cursors);
}

struct tree_source *tree_from_calltree(const struct graph *graph,
                                       const struct tree_options *options, struct arena *arena)
{
    struct exact *exact = arena_alloc(arena, sizeof(*exact));

    exact->source = (struct tree_source){.graph = graph,
                                         .options = options,
                                         .arena = arena,
                                         .expand = options->is_bottom_up ? expand_up : expand_down,
                                         .close = close_source};
    exact->tree = &graph->tree;
    exact->self = graph->tree.self[graph->values.selected];
    exact->total = tree_totals(&graph->tree, exact->self, arena);
    tree_link(&graph->tree, arena, &exact->links);
    return &exact->source;
}
