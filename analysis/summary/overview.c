#include <stdlib.h>

#include "analysis/summary/summary.h"
#include "base/checked.h"
#include "base/grow.h"
#include "base/sort.h"

/* Events of a part of the timeline, about. */
enum { PART_EVENTS = 1 << 15 };

/* Types are the roles, and after them the categories that are no role. */
struct types {
    struct intervals *open; /* of the part of the timeline that is looked at */
    int64_t *time;          /* length of the union in all parts before */
    int64_t *calls;
    uint64_t *seen;
    uint32_t count;
};

static struct types types_new(const struct host_tree *tree)
{
    uint32_t count = ROLE_COUNT + tree->graph->timeline.category_count;
    struct types types = {
        grow_zeroed(count, sizeof(*types.open)), grow_zeroed(count, sizeof(*types.time)),
        grow_zeroed(count, sizeof(*types.calls)), grow_zeroed(count, sizeof(*types.seen)), count};

    for (uint32_t i = 0; i < count; i++)
        types.seen[i] = UINT64_MAX;
    return types;
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

static void add_event(const struct host_tree *tree, struct types *types, event_id event)
{
    uint32_t type = type_of(tree, event);
    uint64_t seen = host_tree_first_seen(tree, event);
    bool is_loose = role_is_device(role_of(tree, event))
                        ? !host_tree_counts(tree, event)
                        : role_of(tree, event) == ROLE_RUNTIME && tree->is_paddle_compat &&
                              tree->parent[event] == NO_EVENT;

    if (type == ROLE_NONE || is_loose)
        return;
    intervals_cover(&types->open[type], tree->graph->timeline.start[event], end_of(tree, event));
    types->calls[type]++;
    types->seen[type] = seen < types->seen[type] ? seen : types->seen[type];
}

/* How long a part of the timeline is when it has so many; at least 1. */
static int64_t part_length(const struct timeline *t, int64_t first, int64_t parts)
{
    int64_t last = first;

    for (uint32_t i = 0; i < t->track_count; i++)
        if (t->tracks[i].count && t->start[t->tracks[i].first + t->tracks[i].count - 1] > last)
            last = t->start[t->tracks[i].first + t->tracks[i].count - 1];
    return checked_sub(last, first) / parts + 1;
}

/* One part of the timeline after the other, so that only its spans are held. */
static void add_events(const struct host_tree *tree, struct types *types)
{
    const struct timeline *t = &tree->graph->timeline;
    int64_t parts = t->count / PART_EVENTS + 1, until = INT64_MAX;
    event_id *next = grow_to(NULL, (size_t)t->track_count + 1, sizeof(*next));

    for (uint32_t i = 0; i < t->track_count; i++) {
        next[i] = t->tracks[i].first;
        if (t->tracks[i].count && t->start[next[i]] < until)
            until = t->start[next[i]];
    }
    for (int64_t part = 1, length = part_length(t, until, parts); part <= parts; part++) {
        until = part < parts ? checked_add(until, length) : INT64_MAX;
        for (uint32_t i = 0; i < t->track_count; i++)
            for (event_id end = t->tracks[i].first + t->tracks[i].count;
                 next[i] < end && (part == parts || t->start[next[i]] < until); next[i]++)
                add_event(tree, types, next[i]);
        for (uint32_t i = 0; i < types->count; i++)
            types->time[i] = checked_add(types->time[i], intervals_take(&types->open[i], until));
    }
    free(next);
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

static bool is_seen_before(const void *types, uint32_t a, uint32_t b)
{
    const struct types *known = types;

    return known->seen[a] < known->seen[b];
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

    for (uint32_t i = 0; i < types->count; i++)
        order[i] = i;
    sort_stable(order, types->count, is_seen_before, types);
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
    enum summary_role order[] = {ROLE_KERNEL, ROLE_MEMCPY, ROLE_MEMSET};

    for (int i = 1; i < 3; i++)
        for (int j = i; j > 0 && types->seen[order[j]] < types->seen[order[j - 1]]; j--) {
            enum summary_role later = order[j - 1];

            order[j - 1] = order[j];
            order[j] = later;
        }
    for (int i = 0; i < 3; i++)
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
    add_host_rows(overview, tree, &types, model, distribution, arena);
    sort_host_rows(overview, arena);
    add_device_rows(overview, tree, &types, distribution);
    types_free(&types);
}
