/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/amdahl/amdahl.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory/hash_index.h"
#include "base/memory/sort.h"
#include "base/memory/vector.h"

double speedup_overall(double share, double factor)
{
    double left = 1 - share + share / factor;

    return left > 0 ? 1 / left : INFINITY;
}

double speedup_limit(double share)
{
    return speedup_overall(share, INFINITY);
}

double speedup_needed(double share, double target)
{
    double left = 1 / target - (1 - share);

    if (target <= 1)
        return 1;
    return left > 0 ? share / left : INFINITY;
}

double speedup_scaled(double share, double workers)
{
    return 1 - share + share * workers;
}

double speedup_serial_share(double measured, double workers)
{
    return (1 / measured - 1 / workers) / (1 - 1 / workers);
}

double speedup_share_error(double share, int64_t samples)
{
    double variance = share * (1 - share);

    return samples > 0 && variance > 0 ? sqrt(variance / (double)samples) : 0;
}

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
    activities->list =
        grow_one(activities->list, activities->count, &activities->cap, sizeof(*activities->list));
    activities->list[activities->count++] = *activity;
}

void activities_free(struct activities *activities)
{
    free(activities->list);
    *activities = (struct activities){0};
}

/* ---- exposed and united ---- */

static bool starts_before(const void *list, uint32_t a, uint32_t b)
{
    return ((const struct activity *)list)[a].start < ((const struct activity *)list)[b].start;
}

static bool ends_before(const void *list, uint32_t a, uint32_t b)
{
    return ((const struct activity *)list)[a].end < ((const struct activity *)list)[b].end;
}

static uint32_t *in_order(const struct activities *activities,
                          bool (*is_before)(const void *list, uint32_t a, uint32_t b))
{
    uint32_t *order = grow_to(NULL, activities->count + 1, sizeof(*order));

    for (size_t i = 0; i < activities->count; i++)
        order[i] = (uint32_t)i;
    sort_stable(order, activities->count, is_before, activities->list);
    return order;
}

/* A place in time: activities by when they begin and by when they end, and how many have. */
struct activity_walk {
    const struct activity *list;
    uint32_t *by_start, *by_end;
    size_t count, begun, ended;
};

static const struct activity *next_begun(const struct activity_walk *walk)
{
    return &walk->list[walk->by_start[walk->begun]];
}

static const struct activity *next_ended(const struct activity_walk *walk)
{
    return &walk->list[walk->by_end[walk->ended]];
}

/* When the next one begins or ends, while there is one that has not ended. */
static int64_t next_time(const struct activity_walk *walk)
{
    int64_t end = next_ended(walk)->end;

    return walk->begun < walk->count && next_begun(walk)->start < end ? next_begun(walk)->start
                                                                      : end;
}

/* The parts that are active at one moment. Their numbers' sum is the number of the only one, when
 * there is but one. */
struct activity_sweep {
    uint32_t *depth; /* by part: its activities */
    int64_t *since;  /* by part: when it became active */
    uint32_t active;
    uint64_t sum;
};

static void activity_begins(struct activity_sweep *sweep, const struct activity *activity)
{
    uint32_t part = activity->part;

    if (sweep->depth[part]++ == 0) {
        sweep->since[part] = activity->start;
        sweep->active++;
        sweep->sum += part;
    }
}

static void activity_ends(struct activity_sweep *sweep, const struct activity *activity,
                          struct speedup_bounds *bounds)
{
    uint32_t part = activity->part;

    if (--sweep->depth[part] == 0) {
        bounds->united[part] += activity->end - sweep->since[part];
        sweep->active--;
        sweep->sum -= part;
    }
}

static void sweep_activities(const struct activities *activities, struct speedup_bounds *bounds)
{
    struct activity_walk walk = {.list = activities->list,
                                 .by_start = in_order(activities, starts_before),
                                 .by_end = in_order(activities, ends_before),
                                 .count = activities->count};
    struct activity_sweep sweep = {
        .depth = grow_zeroed(bounds->part_count + 1u, sizeof(*sweep.depth)),
        .since = grow_zeroed(bounds->part_count + 1u, sizeof(*sweep.since)),
    };

    while (walk.ended < walk.count) {
        int64_t now = next_time(&walk), time;

        for (; walk.begun < walk.count && next_begun(&walk)->start == now; walk.begun++)
            activity_begins(&sweep, next_begun(&walk));
        for (; walk.ended < walk.count && next_ended(&walk)->end == now; walk.ended++)
            activity_ends(&sweep, next_ended(&walk), bounds);
        time = sweep.active ? next_time(&walk) - now : 0;
        bounds->busy += time;
        if (sweep.active == 1)
            bounds->exposed[sweep.sum] += time;
    }
    free(walk.by_start);
    free(walk.by_end);
    free(sweep.depth);
    free(sweep.since);
}

/* ---- the work on each resource ---- */

/* Each part's work on each resource, in the order in which they are met. */
static struct part_load *add_up_loads(const struct activities *activities,
                                      struct speedup_bounds *bounds, size_t *count)
{
    struct idmap known = {0};
    struct part_load *loads = NULL;
    size_t cap = 0;

    *count = 0;
    for (size_t i = 0; i < activities->count; i++) {
        const struct activity *a = &activities->list[i];
        uint32_t *load;

        if (a->resource == NO_RESOURCE)
            continue;
        load = idmap_at(&known, idmap_pair(a->part, a->resource));
        if (*load == IDMAP_NONE) {
            *load = (uint32_t)*count;
            loads = grow_one(loads, *count, &cap, sizeof(*loads));
            loads[(*count)++] = (struct part_load){a->part, a->resource, 0};
        }
        loads[*load].time += a->end - a->start;
        bounds->load[a->resource] += a->end - a->start;
    }
    idmap_free(&known);
    return loads;
}

static int load_order(const void *a, const void *b)
{
    const struct part_load *x = a, *y = b;

    if (x->part != y->part)
        return x->part < y->part ? -1 : 1;
    return (x->resource > y->resource) - (x->resource < y->resource);
}

static void add_loads(const struct activities *activities, struct speedup_bounds *bounds)
{
    size_t count, next = 0;

    bounds->loads = add_up_loads(activities, bounds, &count);
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

void speedup_bounds_compute(const struct activities *activities, int64_t span, uint32_t part_count,
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
    sweep_activities(activities, bounds);
    add_loads(activities, bounds);
    rank_resources(bounds);
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
