#include "analysis/amdahl/bracket.h"

#include <stdlib.h>

#include "base/grow.h"

void activities_add(struct activities *activities, const struct activity *activity)
{
    if (activity->start >= activity->end)
        return;
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

struct edge {
    int64_t time;
    uint32_t part;
    int32_t step; /* +1 where an activity begins, -1 where it ends */
};

static int edge_order(const void *a, const void *b)
{
    const struct edge *x = a, *y = b;

    return (x->time > y->time) - (x->time < y->time);
}

static struct edge *edges_of(const struct activities *activities)
{
    struct edge *edges = grow_zeroed(2 * activities->count + 1, sizeof(*edges));

    for (size_t i = 0; i < activities->count; i++) {
        const struct activity *a = &activities->list[i];

        edges[2 * i] = (struct edge){a->start, a->part, +1};
        edges[2 * i + 1] = (struct edge){a->end, a->part, -1};
    }
    qsort(edges, 2 * activities->count, sizeof(*edges), edge_order);
    return edges;
}

/* The parts that are active at one moment. Their numbers' sum is the number of the only one, when
 * there is but one. */
struct sweep {
    uint32_t *depth; /* by part: its activities */
    int64_t *since;  /* by part: when it became active */
    uint32_t active;
    uint64_t sum;
};

static void take_edge(struct sweep *sweep, const struct edge *edge, struct bracket *bracket)
{
    uint32_t part = edge->part;

    if (edge->step > 0 && sweep->depth[part]++ == 0) {
        sweep->since[part] = edge->time;
        sweep->active++;
        sweep->sum += part;
    } else if (edge->step < 0 && --sweep->depth[part] == 0) {
        bracket->united[part] += edge->time - sweep->since[part];
        sweep->active--;
        sweep->sum -= part;
    }
}

/* One walk over all beginnings and ends. At equal times ends may come before or after beginnings:
 * a span of no length adds nothing. */
static void sweep_edges(const struct activities *activities, struct bracket *bracket)
{
    struct edge *edges = edges_of(activities);
    struct sweep sweep = {
        .depth = grow_zeroed(bracket->part_count + 1u, sizeof(*sweep.depth)),
        .since = grow_zeroed(bracket->part_count + 1u, sizeof(*sweep.since)),
    };
    size_t count = 2 * activities->count;

    for (size_t i = 0, next; i < count; i = next) {
        for (next = i; next < count && edges[next].time == edges[i].time; next++)
            if (edges[next].step > 0)
                take_edge(&sweep, &edges[next], bracket);
        for (size_t k = i; k < next; k++)
            if (edges[k].step < 0)
                take_edge(&sweep, &edges[k], bracket);
        if (next == count || sweep.active == 0)
            continue;
        bracket->busy += edges[next].time - edges[i].time;
        if (sweep.active == 1)
            bracket->exposed[sweep.sum] += edges[next].time - edges[i].time;
    }
    free(sweep.depth);
    free(sweep.since);
    free(edges);
}

/* ---- the work on each resource ---- */

static int activity_order(const void *a, const void *b)
{
    const struct activity *x = a, *y = b;

    if (x->part != y->part)
        return x->part < y->part ? -1 : 1;
    return (x->resource > y->resource) - (x->resource < y->resource);
}

static void add_loads(struct activities *activities, struct bracket *bracket)
{
    size_t count = 0, next = 0;

    if (activities->count)
        qsort(activities->list, activities->count, sizeof(*activities->list), activity_order);
    bracket->loads = grow_zeroed(activities->count + 1, sizeof(*bracket->loads));
    for (size_t i = 0; i < activities->count; i++) {
        const struct activity *a = &activities->list[i];
        int64_t time = a->end - a->start;

        if (a->resource == NO_RESOURCE)
            continue;
        if (i == 0 || activity_order(a - 1, a) != 0)
            bracket->loads[count++] = (struct part_load){a->part, a->resource, 0};
        bracket->loads[count - 1].time += time;
        bracket->load[a->resource] += time;
    }
    for (uint32_t part = 0; part <= bracket->part_count; part++) {
        while (next < count && bracket->loads[next].part < part)
            next++;
        bracket->first_load[part] = next;
    }
}

/* Few resources, in many traces a handful: an insertion sort will do. */
static void rank_resources(struct bracket *bracket)
{
    for (uint32_t i = 0; i < bracket->resource_count; i++) {
        uint32_t at = i;

        for (; at > 0 && bracket->load[bracket->by_load[at - 1]] < bracket->load[i]; at--)
            bracket->by_load[at] = bracket->by_load[at - 1];
        bracket->by_load[at] = i;
    }
}

void bracket_compute(struct activities *activities, int64_t span, uint32_t part_count,
                     uint32_t resource_count, struct bracket *bracket)
{
    *bracket = (struct bracket){
        .span = span,
        .part_count = part_count,
        .resource_count = resource_count,
        .exposed = grow_zeroed(part_count + 1u, sizeof(int64_t)),
        .united = grow_zeroed(part_count + 1u, sizeof(int64_t)),
        .load = grow_zeroed(resource_count + 1u, sizeof(int64_t)),
        .by_load = grow_zeroed(resource_count + 1u, sizeof(uint32_t)),
        .first_load = grow_zeroed(part_count + 1u, sizeof(size_t)),
    };
    sweep_edges(activities, bracket);
    add_loads(activities, bracket);
    rank_resources(bracket);
}

/* ---- floors ---- */

double bracket_floor(const struct bracket *bracket, const double *factors)
{
    double *left = grow_zeroed(bracket->resource_count + 1u, sizeof(*left));
    double most = 0;

    for (size_t i = 0; i < bracket->first_load[bracket->part_count]; i++) {
        const struct part_load *load = &bracket->loads[i];

        left[load->resource] += (double)load->time / factors[load->part];
    }
    for (uint32_t i = 0; i < bracket->resource_count; i++)
        most = left[i] > most ? left[i] : most;
    free(left);
    return most;
}

static const struct part_load *load_on(const struct bracket *bracket, uint32_t part,
                                       uint32_t resource)
{
    for (size_t i = bracket->first_load[part]; i < bracket->first_load[part + 1]; i++)
        if (bracket->loads[i].resource == resource)
            return &bracket->loads[i];
    return NULL;
}

/* From the busiest resource down to the first that the part has no work on. */
double bracket_floor_of(const struct bracket *bracket, uint32_t part, double factor)
{
    double most = 0;

    for (uint32_t i = 0; i < bracket->resource_count; i++) {
        uint32_t resource = bracket->by_load[i];
        const struct part_load *load = load_on(bracket, part, resource);
        double time = (double)bracket->load[resource];

        if (load)
            time -= (double)load->time * (1 - 1 / factor);
        most = time > most ? time : most;
        if (!load)
            break;
    }
    return most;
}

void bracket_free(struct bracket *bracket)
{
    free(bracket->exposed);
    free(bracket->united);
    free(bracket->load);
    free(bracket->by_load);
    free(bracket->loads);
    free(bracket->first_load);
    *bracket = (struct bracket){0};
}
