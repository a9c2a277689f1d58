/* SPDX-License-Identifier: Apache-2.0 */
/* The summary table of the kinds of events, on the host and on devices, as shares of the whole. */
#include <stdlib.h>

#include "analysis/summary/host_tree.h"
#include "analysis/summary/summary.h"
#include "analysis/timeline/timeline_parts.h"
#include "base/checked.h"
#include "base/memory/memory.h"

/* A role, or a category that is none. */
struct type {
    struct intervals open; /* of the part of the timeline that is looked at */
    int64_t time;          /* length of the union in all parts before */
    int64_t calls;
    struct row_order seen; /* the first, where there are calls */
};

/* The roles, and after them the categories. */
static uint32_t count_types(const struct host_tree *tree)
{
    return ROLE_COUNT + tree->graph->timeline.category_count;
}

/* Of those on one thread, a later one is seen first, but what is in another after it. */
static void add_host_event(const struct host_tree *tree, struct type *types, uint32_t turn,
                           event_id event)
{
    enum event_role role = role_of(tree, event);
    event_id host = role == ROLE_RUNTIME ? tree->parent[event] : event;
    struct row_order seen = host_tree_row_order(tree, turn, host, host == event ? 0 : event);
    int64_t start = tree->graph->timeline.start[event];
    const uint16_t *category = tree->graph->timeline.category;
    struct type *type =
        &types[role == ROLE_OTHER && category ? ROLE_COUNT + (uint32_t)category[event]
                                              : (uint32_t)role];

    if (role == ROLE_NONE || (tree->is_paddle_compat && host == NO_EVENT))
        return;
    intervals_cover(&type->open, start, start + tree->graph->timeline.duration[event]);
    if (type->calls++ == 0 || seen.turn < type->seen.turn ||
        (seen.turn && seen.turn == type->seen.turn && event >= type->seen.after))
        type->seen = seen;
}

static void add_events(const struct host_tree *tree, struct type *types)
{
    const struct timeline *t = &tree->graph->timeline;
    struct parts parts;

    parts_begin(&parts, t);
    while (parts_next(&parts)) {
        for (uint32_t i = 0; i < t->track_count; i++) {
            event_id event, end = parts_take(&parts, i, &event);

            for (; event < end; event++) {
                enum event_role role = role_of(tree, event);

                if (!role_is_device(role))
                    add_host_event(tree, types, tree->turn[i], event);
                else if (host_tree_counts(tree, event))
                    intervals_cover(&types[role].open, t->start[event], end_of(tree, event));
            }
        }
        for (uint32_t i = 0; i < count_types(tree); i++)
            types[i].time = checked_add(types[i].time, intervals_take(&types[i].open, parts.until));
    }
    parts_end(&parts);
}

static struct span type_name(const struct host_tree *tree, uint32_t type)
{
    struct span category;

    if (type < ROLE_COUNT)
        return span_of(event_role_name((enum event_role)type));
    category = graph_text(tree->graph, tree->graph->timeline.categories[type - ROLE_COUNT]);
    return category.len ? category : SPAN("(no category)");
}

static void add_row(struct summary_overview *overview, const struct host_tree *tree,
                    struct span name, int64_t calls, int64_t time, bool is_device)
{
    overview->rows[overview->count++] =
        (struct summary_type){name, calls, time, share_of(time, tree->total_time), is_device};
}

/* A type without events comes last. */
static bool is_seen_before(const void *types, uint32_t a, uint32_t b)
{
    const struct type *x = &((const struct type *)types)[a], *y = &((const struct type *)types)[b];

    if (!x->calls || !y->calls)
        return x->calls > y->calls;
    return row_order_is_before(x->seen, y->seen);
}

/* Phases count as in the model table: the outermost only, and their plain sum. */
static void add_host_row(struct summary_overview *overview, const struct host_tree *tree,
                         const struct type *types, const struct summary_model *model, uint32_t type)
{
    int64_t calls = types[type].calls, time = types[type].time;

    for (uint32_t i = 0; i < model->count; i++)
        if (role_is_phase((enum event_role)type) && model->rows[i].role == type) {
            calls = model->rows[i].item.calls;
            time = model->rows[i].item.cpu.total;
        }
    add_row(overview, tree, type_name(tree, type), calls, time, false);
}

/* Communication is what the distribution table calls so. */
static void add_host_rows(struct summary_overview *overview, const struct host_tree *tree,
                          const struct type *types, const struct summary_model *model,
                          const struct summary_distribution *d, struct arena *arena)
{
    uint32_t count = count_types(tree), *order = arena_array(arena, count, sizeof(*order));

    for (uint32_t i = 0; i < count; i++)
        order[i] = i;
    sort_stable(order, count, is_seen_before, types);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t type = order[i];

        if (type == ROLE_COMMUNICATION && d->calls)
            add_row(overview, tree, type_name(tree, type), d->calls, d->host_time, false);
        else if (types[type].calls &&
                 (type >= ROLE_COUNT || !role_is_device((enum event_role)type)))
            add_host_row(overview, tree, types, model, type);
    }
    overview->host_count = overview->count;
}

static void add_device_rows(struct summary_overview *overview, const struct host_tree *tree,
                            const struct type *types, const struct summary_distribution *d)
{
    uint32_t order[] = {ROLE_KERNEL, ROLE_MEMCPY, ROLE_MEMSET};

    sort_stable(order, COUNT_OF(order), is_seen_before, types);
    for (size_t i = 0; i < COUNT_OF(order); i++)
        if (types[order[i]].calls)
            add_row(overview, tree, type_name(tree, order[i]), types[order[i]].calls,
                    types[order[i]].time, true);
    if (d->gpu_calls)
        add_row(overview, tree, type_name(tree, ROLE_COMMUNICATION), d->gpu_calls, d->gpu_time,
                true);
}

static bool is_longer(const void *rows, uint32_t a, uint32_t b)
{
    const struct summary_type *list = rows;

    return list[a].time > list[b].time;
}

static void sort_host_rows(struct summary_overview *overview, struct arena *arena)
{
    const struct summary_type *rows =
        sorted_copy(arena, overview->rows, sizeof(*rows), overview->host_count,
                    overview->host_count, is_longer);

    for (uint32_t i = 0; i < overview->host_count; i++)
        overview->rows[i] = rows[i];
}

void summary_overview(const struct host_tree *tree, const struct summary_model *model,
                      const struct summary_distribution *distribution, struct arena *arena,
                      struct summary_overview *overview)
{
    uint32_t count = count_types(tree);
    struct type *types = grow_zeroed(count, sizeof(*types));

    *overview =
        (struct summary_overview){.rows = arena_array(arena, count + 2, sizeof(*overview->rows))};
    add_events(tree, types);
    for (uint32_t i = 0; i < tree->work_count; i++) {
        const struct hosted_work *work = &tree->work[i];
        struct type *type = &types[work->role];
        struct row_order seen = host_tree_work_row_order(tree, work);

        if (tree->is_paddle_compat && work->host == NO_EVENT)
            continue;
        if (type->calls++ == 0 || row_order_is_before(seen, type->seen))
            type->seen = seen;
    }
    add_host_rows(overview, tree, types, model, distribution, arena);
    sort_host_rows(overview, arena);
    add_device_rows(overview, tree, types, distribution);
    for (uint32_t i = 0; i < count; i++)
        intervals_free(&types[i].open);
    free(types);
}
