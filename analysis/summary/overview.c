#include <stdlib.h>

#include "analysis/summary/parts.h"
#include "analysis/summary/summary.h"
#include "base/attr.h"
#include "base/checked.h"
#include "base/grow.h"
#include "base/sort.h"

/* Types are the roles, and after them the categories that are no role. */
struct types {
    struct intervals *open; /* of the part of the timeline that is looked at */
    int64_t *time;          /* length of the union in all parts before */
    int64_t *calls;
    struct sight *seen; /* the first, where there are calls */
    uint32_t count;
};

static struct types types_new(const struct host_tree *tree)
{
    uint32_t count = ROLE_COUNT + tree->graph->timeline.category_count;

    return (struct types){grow_zeroed(count, sizeof(struct intervals)),
                          grow_zeroed(count, sizeof(int64_t)), grow_zeroed(count, sizeof(int64_t)),
                          grow_zeroed(count, sizeof(struct sight)), count};
}

static void types_free(struct types *types)
{
    for (uint32_t i = 0; i < types->count; i++)
        intervals_free(&types->open[i]);
    free(types->open);
    free(types->time);
    free(types->calls);
    free(types->seen);
}

static uint32_t type_of(const struct host_tree *tree, event_id event)
{
    const uint16_t *category = tree->graph->timeline.category;
    enum summary_role role = role_of(tree, event);

    return role == ROLE_OTHER && category ? ROLE_COUNT + (uint32_t)category[event] : (uint32_t)role;
}

static void cover(const struct host_tree *tree, struct types *types, uint32_t type, event_id event)
{
    intervals_cover(&types->open[type], tree->graph->timeline.start[event], end_of(tree, event));
}

static void add_host_event(const struct host_tree *tree, struct types *types, uint32_t turn,
                           event_id event)
{
    uint32_t type = type_of(tree, event);
    event_id host = event;
    struct sight *seen = &types->seen[type];

    if (role_of(tree, event) == ROLE_RUNTIME)
        host = tree->parent[event];
    if (type == ROLE_NONE || (tree->is_paddle_compat && host == NO_EVENT))
        return;
    cover(tree, types, type, event);
    turn = host == NO_EVENT ? 0 : turn;
    if (types->calls[type]++ == 0 || turn < seen->turn ||
        (turn && turn == seen->turn && tree->graph->timeline.start[event] >= seen->end))
        *seen = host_tree_sight(tree, turn, host, host == event ? 0 : event);
}

static void add_work(const struct host_tree *tree, struct types *types)
{
    for (uint32_t i = 0; i < tree->work_count; i++) {
        const struct hosted_work *work = &tree->work[i];
        uint32_t type = role_of(tree, work->event);
        struct sight seen = host_tree_work_sight(tree, work);

        if (tree->is_paddle_compat && work->host == NO_EVENT)
            continue;
        if (types->calls[type]++ == 0 || host_tree_sees_before(tree, seen, types->seen[type]))
            types->seen[type] = seen;
    }
}

static void add_event(const struct host_tree *tree, struct types *types, uint32_t turn,
                      event_id event)
{
    enum summary_role role = role_of(tree, event);

    if (!role_is_device(role))
        add_host_event(tree, types, turn, event);
    else if (host_tree_counts(tree, event))
        cover(tree, types, role, event);
}

static void add_events(const struct host_tree *tree, struct types *types)
{
    const struct timeline *t = &tree->graph->timeline;
    struct parts parts;

    parts_begin(&parts, t);
    while (parts_next(&parts)) {
        for (uint32_t i = 0; i < t->track_count; i++) {
            event_id event, end = parts_take(&parts, i, &event);

            for (; event < end; event++)
                add_event(tree, types, tree->turn[i], event);
        }
        for (uint32_t i = 0; i < types->count; i++)
            types->time[i] =
                checked_add(types->time[i], intervals_take(&types->open[i], parts.until));
    }
    parts_end(&parts);
}

static struct span type_name(const struct host_tree *tree, uint32_t type)
{
    struct span category;

    if (type < ROLE_COUNT)
        return span_of(summary_role_name((enum summary_role)type));
    category = graph_text(tree->graph, tree->graph->timeline.categories[type - ROLE_COUNT]);
    return category.len ? category : SPAN("(no category)");
}

static void add_row(struct summary_overview *overview, const struct host_tree *tree,
                    struct span name, int64_t calls, int64_t time, bool is_device)
{
    overview->rows[overview->count++] =
        (struct summary_type){name, calls, time, share_of(time, tree->total_time), is_device};
}

struct seeing {
    const struct host_tree *tree;
    const struct types *types;
};

/* A type without events comes last. */
static bool is_seen_before(const void *context, uint32_t a, uint32_t b)
{
    const struct seeing *seeing = context;
    const struct types *types = seeing->types;

    if (!types->calls[a] || !types->calls[b])
        return types->calls[a] > types->calls[b];
    return host_tree_sees_before(seeing->tree, types->seen[a], types->seen[b]);
}

/* Phases count as in the model table: the outermost only, and their plain sum. */
static void add_host_row(struct summary_overview *overview, const struct host_tree *tree,
                         const struct types *types, const struct summary_model *model,
                         uint32_t type)
{
    int64_t calls = types->calls[type], time = types->time[type];

    for (uint32_t i = 0; i < model->count; i++)
        if (role_is_phase((enum summary_role)type) && model->rows[i].role == type) {
            calls = model->rows[i].item.calls;
            time = model->rows[i].item.cpu.total;
        }
    add_row(overview, tree, type_name(tree, type), calls, time, false);
}

/* Communication is what the distribution table calls so. */
static void add_host_rows(struct summary_overview *overview, const struct host_tree *tree,
                          const struct types *types, const struct summary_model *model,
                          const struct summary_distribution *d, struct arena *arena)
{
    uint32_t *order = arena_array(arena, types->count, sizeof(*order));
    struct seeing seeing = {tree, types};

    for (uint32_t i = 0; i < types->count; i++)
        order[i] = i;
    sort_stable(order, types->count, is_seen_before, &seeing);
    for (uint32_t i = 0; i < types->count; i++) {
        uint32_t type = order[i];

        if (type == ROLE_COMMUNICATION && d->calls)
            add_row(overview, tree, type_name(tree, type), d->calls, d->host_time, false);
        else if (types->calls[type] &&
                 (type >= ROLE_COUNT || !role_is_device((enum summary_role)type)))
            add_host_row(overview, tree, types, model, type);
    }
    overview->host_count = overview->count;
}

static void add_device_rows(struct summary_overview *overview, const struct host_tree *tree,
                            const struct types *types, const struct summary_distribution *d)
{
    uint32_t order[] = {ROLE_KERNEL, ROLE_MEMCPY, ROLE_MEMSET};
    struct seeing seeing = {tree, types};

    sort_stable(order, COUNT_OF(order), is_seen_before, &seeing);
    for (size_t i = 0; i < COUNT_OF(order); i++)
        if (types->calls[order[i]])
            add_row(overview, tree, type_name(tree, order[i]), types->calls[order[i]],
                    types->time[order[i]], true);
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
    uint32_t count = overview->host_count;
    struct summary_type *rows = arena_array(arena, count, sizeof(*rows));
    uint32_t *order = arena_array(arena, count, sizeof(*order));

    for (uint32_t i = 0; i < count; i++) {
        rows[i] = overview->rows[i];
        order[i] = i;
    }
    sort_stable(order, count, is_longer, rows);
    for (uint32_t i = 0; i < count; i++)
        overview->rows[i] = rows[order[i]];
}

void summary_overview(const struct host_tree *tree, const struct summary_model *model,
                      const struct summary_distribution *distribution, struct arena *arena,
                      struct summary_overview *overview)
{
    struct types types = types_new(tree);

    *overview = (struct summary_overview){
        .rows = arena_array(arena, types.count + 2, sizeof(*overview->rows))};
    add_events(tree, &types);
    add_work(tree, &types);
    add_host_rows(overview, tree, &types, model, distribution, arena);
    sort_host_rows(overview, arena);
    add_device_rows(overview, tree, &types, distribution);
    types_free(&types);
}
