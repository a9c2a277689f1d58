/* SPDX-License-Identifier: Apache-2.0 */
/* The boxes of a flame graph: what is too narrow to be distinguished stands in one box. */
#include "analysis/layout/flame.h"

#include <stdlib.h>

#include "base/checked.h"
#include "base/memory/memory.h"

struct flame_item *flame_items_add(struct flame_items *items)
{
    vector_reserve(items);
    items->list[items->count] = (struct flame_item){.box.calls = UNKNOWN, .ref_before = NO_BOX};
    return &items->list[items->count++];
}

/* Of a box of neighbours in time, as a multiple of the narrowest that stand alone. */
enum { RUN_WIDTH = 5 };

/* The picture while it grows. `pending` is a stack, so that the boxes above a box follow it. */
struct flame_layout {
    struct flame *flame;
    const struct flame_options *options;
    struct flame_source *source;
    struct flame_pairing pairing;
    struct flame_items pending, above, arranged;
    struct flame_box *boxes;
    size_t box_cap;
};

static bool is_wider(const void *context, uint32_t a, uint32_t b)
{
    const struct flame_item *list = context;

    return list[a].box.total > list[b].box.total;
}

static bool has_width(const struct flame_layout *layout, const struct flame_box *box)
{
    return share_of(box->total, layout->flame->whole) * 100 >= layout->options->min_percent;
}

static bool is_narrow(const struct flame_layout *layout, const struct flame_box *box)
{
    return layout->flame->count + layout->pending.count >= FLAME_BOXES_MAX ||
           !has_width(layout, box);
}

/* What is too narrow to be distinguished stands in one box. */
static void merge(struct flame_box *into, const struct flame_box *box)
{
    into->merged++;
    into->calls = UNKNOWN;
    into->total = checked_add(into->total, box->total);
    into->total_before = checked_add(into->total_before, box->total_before);
    into->is_estimate |= box->is_estimate;
}

static void arrange_one(struct flame_layout *layout, const struct flame_item *item)
{
    if (item->box.total > 0)
        *flame_items_add(&layout->arranged) = *item;
    layout->flame->merged += item->box.merged;
}

static void arrange_by_width(struct flame_layout *layout, bool is_top)
{
    struct flame_items *above = &layout->above;
    uint32_t *order = grow_to(NULL, above->count + 1, sizeof(*order)), count = 0;
    struct flame_item rest = {.ref = NO_BOX};

    for (uint32_t i = 0; i < above->count; i++)
        if (is_top || is_narrow(layout, &above->list[i].box))
            merge(&rest.box, &above->list[i].box);
        else
            order[count++] = i;
    sort_stable(order, count, is_wider, above->list);
    for (uint32_t i = 0; i < count; i++)
        arrange_one(layout, &above->list[order[i]]);
    arrange_one(layout, &rest);
    free(order);
}

/* Neighbours in one box, which is named after the longest. Tracks have nothing in common. */
static void join(struct flame_item *run, const struct flame_item *item)
{
    bool is_first = run->box.merged == 0;

    merge(&run->box, &item->box);
    run->ref = item->box.track ? NO_BOX : is_first ? item->ref : run->ref;
    run->ref_end = item->ref_end;
    if (item->box.total > run->longest) {
        run->longest = item->box.total;
        run->box.frame = item->box.frame;
    }
}

/* Wider than what stands by itself: what stands on it is to be seen as well. */
static bool is_run_full(const struct flame_layout *layout, const struct flame_item *run)
{
    return share_of(run->box.total, layout->flame->whole) * 100 >=
               RUN_WIDTH * layout->options->min_percent &&
           layout->flame->count + layout->pending.count < FLAME_BOXES_MAX;
}

/* As many as make a box that can be seen, up to the next one that can be by itself. */
static void arrange_by_time(struct flame_layout *layout, bool is_top)
{
    struct flame_items *above = &layout->above;
    struct flame_item run = {0};

    for (uint32_t i = 0; i < above->count; i++) {
        const struct flame_item *item = &above->list[i];
        bool is_member = is_top || is_narrow(layout, &item->box);

        if (is_member)
            join(&run, item);
        if (is_member && (is_top || !is_run_full(layout, &run)))
            continue;
        arrange_one(layout, &run);
        if (!is_member)
            arrange_one(layout, item);
        run = (struct flame_item){0};
    }
    if (is_top)
        run.ref = NO_BOX;
    arrange_one(layout, &run);
}

/* Puts what is above a box on the stack, within at … at + room. */
static void push_above(struct flame_layout *layout, uint32_t parent, uint32_t depth, int64_t at,
                       int64_t room)
{
    bool is_top = depth >= (layout->options->depth ? layout->options->depth : FLAME_LEVELS_MAX);
    size_t first = layout->pending.count;

    layout->arranged.count = 0;
    if (layout->options->is_by_time)
        arrange_by_time(layout, is_top);
    else
        arrange_by_width(layout, is_top);
    for (uint32_t i = 0; i < layout->arranged.count; i++) {
        struct flame_item *item = &layout->arranged.list[i];

        if (item->box.total > room)
            item->box.total = room; /* only where sums reached the end of 64 bits */
        item->box.parent = parent;
        item->box.depth = depth;
        item->box.at = at;
        *flame_items_add(&layout->pending) = *item;
        at += item->box.total;
        room -= item->box.total;
    }
    /* The box furthest left comes off the stack first. */
    for (size_t last = layout->pending.count; first + 1 < last; first++) {
        struct flame_item item = layout->pending.list[first];

        layout->pending.list[first] = layout->pending.list[--last];
        layout->pending.list[last] = item;
    }
}

static void add_box(struct flame_layout *layout, const struct flame_box *box)
{
    struct flame *flame = layout->flame;

    layout->boxes = grow_one(layout->boxes, flame->count, &layout->box_cap, sizeof(*layout->boxes));
    layout->boxes[flame->count++] = *box;
    if (box->depth >= flame->depth)
        flame->depth = box->depth + 1;
    if (box->is_estimate)
        flame->estimated = checked_add(flame->estimated, box->self);
}

static void expand(struct flame_layout *layout, struct flame_item *item)
{
    layout->above.count = 0;
    layout->source->expand(layout->source, item, &layout->above);
    if (layout->pairing.past)
        flame_pair(&layout->pairing, item, &layout->above);
}

static void stack_boxes(struct flame_layout *layout)
{
    struct flame_item ground = {.ref = layout->source->ground, .box.total = layout->source->whole};

    if (layout->pairing.past) {
        ground.ref_before = layout->pairing.source->ground;
        ground.box.total_before = layout->pairing.source->whole;
    }
    expand(layout, &ground);
    push_above(layout, NO_BOX, 0, 0, layout->flame->whole);
    while (layout->pending.count) {
        struct flame_item item = layout->pending.list[--layout->pending.count];

        layout->above.count = 0;
        if (!item.box.merged || (item.ref != NO_BOX && has_width(layout, &item.box))) {
            expand(layout, &item);
        } else {
            item.box.self = item.box.total;
            item.box.self_before = item.box.total_before;
        }
        item.box.is_new = layout->pairing.past && item.ref_before == NO_BOX && !item.box.merged;
        add_box(layout, &item.box);
        push_above(layout, layout->flame->count - 1, item.box.depth + 1, item.box.at,
                   item.box.total);
    }
}

/* From the richest level that there is of both. */
static struct flame_source *flame_source_of(const struct graph *graph, bool is_difference,
                                            struct arena *arena)
{
    return graph->has[LEVEL_CALLTREE] ? flame_from_calltree(graph, is_difference, arena)
                                      : flame_from_callgraph(graph, arena);
}

static void close_source(struct flame_source *source)
{
    if (source && source->close)
        source->close(source);
}

void flame_lay_out(const struct graph *graph, const struct flame_options *options,
                   struct arena *arena, struct flame *flame)
{
    struct flame_layout layout = {
        .flame = flame, .options = options, .pairing.past = options->past};

    layout.source = options->is_by_time ? flame_from_timeline(graph, arena)
                                        : flame_source_of(graph, options->is_difference, arena);
    if (options->past)
        layout.pairing.source = flame_source_of(options->past->graph, false, arena);
    *flame = (struct flame){.whole = layout.source->whole,
                            .has_negative = layout.source->has_negative,
                            .whole_before = layout.source->whole_shrunk,
                            .is_by_time = options->is_by_time,
                            .is_difference = options->is_difference};
    stack_boxes(&layout);
    flame->boxes = arena_array(arena, flame->count, sizeof(*flame->boxes));
    for (uint32_t i = 0; i < flame->count; i++)
        flame->boxes[i] = layout.boxes[i];
    if (options->past) {
        flame->is_compared = true;
        flame->whole_before = layout.pairing.source->whole;
        flame->gone = layout.pairing.gone;
        flame->has_negative |= layout.pairing.source->has_negative;
        flame_compare_moved(graph, options->past, flame, arena);
    }
    close_source(layout.source);
    close_source(layout.pairing.source);
    free(layout.boxes);
    free(layout.pending.list);
    free(layout.above.list);
    free(layout.arranged.list);
    free(layout.pairing.before.list);
}
