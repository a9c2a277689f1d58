/* SPDX-License-Identifier: Apache-2.0 */
/* speedup_bounds.c — one sweep over activities: how long each part is active, and alone */
#include "analysis/timeline/speedup_bounds.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory/memory.h"

void activities_add(struct activities *activities, const struct activity *activity)
{
    struct activity *last = activities->count ? &activities->list[activities->count - 1] : NULL;

    if (activity->start >= activity->end)
        return;
    if (last && last->end == activity->start && last->part == activity->part &&
        last->resource == activity->resource) {
        last->end = activity->end;
        return;
    }
    vector_add(activities, *activity);
}

void activities_free(struct activities *activities)
{
    free(activities->list);
    *activities = (struct activities){0};
}

/* ---- exposed and united ---- */

static void activity_begins(struct activity_sweep *sweep, const struct activity *activity)
{
    uint32_t part = activity->part;

    if (sweep->depth[part]++ == 0) {
        sweep->since[part] = activity->start;
        sweep->active++;
        sweep->sum += part;
    }
    heap_push(&sweep->ends, activity->end, part);
}

/* Up to `time`, during which nothing begins or ends. */
static void pass_time(struct activity_sweep *sweep, int64_t time)
{
    int64_t passed = sweep->active ? time - sweep->time : 0;

    sweep->bounds->busy += passed;
    if (sweep->active == 1)
        sweep->bounds->exposed[sweep->sum] += passed;
    sweep->time = time;
}

/* Ends what has ended by `time`. */
static void end_activities(struct activity_sweep *sweep, int64_t time)
{
    while (sweep->ends.count && sweep->ends.list[0].key <= time) {
        struct heap_entry first = sweep->ends.list[0];

        heap_pop(&sweep->ends);
        pass_time(sweep, first.key);
        if (--sweep->depth[first.item] == 0) {
            sweep->bounds->united[first.item] += first.key - sweep->since[first.item];
            sweep->active--;
            sweep->sum -= first.item;
        }
    }
}

/* ---- the work on each resource ---- */

static void add_load(struct activity_sweep *sweep, const struct activity *activity)
{
    struct speedup_bounds *bounds = sweep->bounds;
    int64_t time = activity->end - activity->start;
    uint32_t *load;

    if (activity->resource == NO_RESOURCE)
        return;
    load = idmap_at(&sweep->load_of, idmap_pair(activity->part, activity->resource));
    if (*load == IDMAP_NONE) {
        *load = (uint32_t)sweep->load_count;
        bounds->loads =
            grow_one(bounds->loads, sweep->load_count, &sweep->load_cap, sizeof(*bounds->loads));
        bounds->loads[sweep->load_count++] =
            (struct part_load){activity->part, activity->resource, 0};
    }
    bounds->loads[*load].time += time;
    bounds->load[activity->resource] += time;
}

static int load_order(const void *a, const void *b)
{
    const struct part_load *x = a, *y = b;

    if (x->part != y->part)
        return x->part < y->part ? -1 : 1;
    return (x->resource > y->resource) - (x->resource < y->resource);
}

static void order_loads(struct speedup_bounds *bounds, size_t count)
{
    size_t next = 0;

    if (count)
        qsort(bounds->loads, count, sizeof(*bounds->loads), load_order);
    for (uint32_t part = 0; part <= bounds->part_count; part++) {
        while (next < count && bounds->loads[next].part < part)
            next++;
        bounds->first_load[part] = next;
    }
}

/* Few resources, in many traces a handful: an insertion sort will do. */
static void rank_resources(struct speedup_bounds *bounds)
{
    for (uint32_t i = 0; i < bounds->resource_count; i++) {
        uint32_t at = i;

        for (; at > 0 && bounds->load[bounds->by_load[at - 1]] < bounds->load[i]; at--)
            bounds->by_load[at] = bounds->by_load[at - 1];
        bounds->by_load[at] = i;
    }
}

void speedup_bounds_begin(struct activity_sweep *sweep, int64_t span, uint32_t part_count,
                          uint32_t resource_count, struct speedup_bounds *bounds)
{
    *bounds = (struct speedup_bounds){
        .span = span,
        .part_count = part_count,
        .resource_count = resource_count,
        .exposed = grow_zeroed(part_count + 1u, sizeof(int64_t)),
        .united = grow_zeroed(part_count + 1u, sizeof(int64_t)),
        .load = grow_zeroed(resource_count + 1u, sizeof(int64_t)),
        .by_load = grow_zeroed(resource_count + 1u, sizeof(uint32_t)),
        .first_load = grow_zeroed(part_count + 1u, sizeof(size_t)),
    };
    *sweep = (struct activity_sweep){
        .bounds = bounds,
        .depth = grow_zeroed(part_count + 1u, sizeof(*sweep->depth)),
        .since = grow_zeroed(part_count + 1u, sizeof(*sweep->since)),
    };
}

void speedup_bounds_add(struct activity_sweep *sweep, const struct activity *activity)
{
    if (activity->start >= activity->end)
        return;
    end_activities(sweep, activity->start);
    pass_time(sweep, activity->start);
    activity_begins(sweep, activity);
    add_load(sweep, activity);
}

void speedup_bounds_end(struct activity_sweep *sweep)
{
    end_activities(sweep, INT64_MAX);
    order_loads(sweep->bounds, sweep->load_count);
    rank_resources(sweep->bounds);
    idmap_free(&sweep->load_of);
    free(sweep->ends.list);
    free(sweep->depth);
    free(sweep->since);
}

static bool starts_before(const void *list, uint32_t a, uint32_t b)
{
    return ((const struct activity *)list)[a].start < ((const struct activity *)list)[b].start;
}

void speedup_bounds_compute(const struct activities *activities, int64_t span, uint32_t part_count,
                            uint32_t resource_count, struct speedup_bounds *bounds)
{
    uint32_t *order = sorted_order(activities->count, starts_before, activities->list);
    struct activity_sweep sweep;

    speedup_bounds_begin(&sweep, span, part_count, resource_count, bounds);
    for (size_t i = 0; i < activities->count; i++)
        speedup_bounds_add(&sweep, &activities->list[order[i]]);
    speedup_bounds_end(&sweep);
    free(order);
}

/* ---- floors ---- */

double speedup_floor(const struct speedup_bounds *bounds, const double *factors)
{
    double *left = grow_zeroed(bounds->resource_count + 1u, sizeof(*left));
    double most = 0;

    for (size_t i = 0; i < bounds->first_load[bounds->part_count]; i++) {
        const struct part_load *load = &bounds->loads[i];

        left[load->resource] += (double)load->time / factors[load->part];
    }
    for (uint32_t i = 0; i < bounds->resource_count; i++)
        most = left[i] > most ? left[i] : most;
    free(left);
    return most;
}

static const struct part_load *load_on(const struct speedup_bounds *bounds, uint32_t part,
                                       uint32_t resource)
{
    for (size_t i = bounds->first_load[part]; i < bounds->first_load[part + 1]; i++)
        if (bounds->loads[i].resource == resource)
            return &bounds->loads[i];
    return NULL;
}

/* From the busiest resource down to the first that the part has no work on. */
double speedup_floor_of(const struct speedup_bounds *bounds, uint32_t part, double factor)
{
    double most = 0;

    for (uint32_t i = 0; i < bounds->resource_count; i++) {
        uint32_t resource = bounds->by_load[i];
        const struct part_load *load = load_on(bounds, part, resource);
        double time = (double)bounds->load[resource];

        if (load)
            time -= (double)load->time * (1 - 1 / factor);
        most = time > most ? time : most;
        if (!load)
            break;
    }
    return most;
}

void speedup_bounds_free(struct speedup_bounds *bounds)
{
    free(bounds->exposed);
    free(bounds->united);
    free(bounds->load);
    free(bounds->by_load);
    free(bounds->loads);
    free(bounds->first_load);
    *bounds = (struct speedup_bounds){0};
}
