/* SPDX-License-Identifier: Apache-2.0 */
/* serve_bound.c — the least time of each stage's steps: FLOPs over the peak, weights and cached keys over the bandwidth */
#include "analysis/serving/serve_bound.h"

#include <math.h>
#include <stdlib.h>

#include "analysis/kernels/work.h"
#include "base/checked.h"

/* Of one step. */
struct step_bound {
    double compute_low, compute_high; /* ns at the peaks */
    double bytes_low, bytes_high;     /* of weights and of what is cached */
    int64_t known;                    /* ns of kernels whose work is known */
};

static void add_owner(const struct kernel_owners *owners, uint32_t owner,
                      const struct ceilings *ceilings, struct step_bound *bound)
{
    const struct work *work = &owner_call(owners, owner)->work;
    double peak = ceilings->flops[work_precision(work, owners->list[owner].precision)];

    if (peak > 0) {
        bound->compute_low += (double)work->flops_low / peak * 1e9;
        bound->compute_high += (double)work->flops / peak * 1e9;
    }
    bound->bytes_low += (double)work->weights_low + (double)work->cache_low;
    bound->bytes_high += (double)work->weights_high + (double)work->cache_high;
}

/* Each operator's work once, in the step that launched its first kernel. */
static void find_bounds(const struct kernel_owners *owners, const struct serving_steps *steps,
                        const struct ceilings *ceilings, struct step_bound *bounds)
{
    const struct graph *graph = owners->graph;
    const struct timeline *t = &graph->timeline;
    struct serving_cursor near = {0};
    bool *is_counted = grow_zeroed(owners->count + 1, sizeof(*is_counted));

    for (uint32_t i = 0; i < t->track_count; i++) {
        const struct track *track = &t->tracks[i];

        for (event_id e = track->first;
             track->kind == TRACK_STREAM && e < track->first + track->count; e++) {
            uint32_t owner, step;

            if (graph_frame(graph, t->frame[e])->kind != KIND_KERNEL ||
                (owner = kernel_owner(owners, e)) == NO_OWNER ||
                t->launch[e] == NO_EVENT ||
                (step = serving_step_near(graph, steps, t->launch[e], &near)) == NO_STEP)
                continue;
            bounds[step].known = checked_add(bounds[step].known, t->duration[e]);
            if (!is_counted[owner])
                add_owner(owners, owner, ceilings, &bounds[step]);
            is_counted[owner] = true;
        }
    }
    free(is_counted);
}

static void sum_stage(const struct serve *serve, const struct step_bound *bounds, double bandwidth,
                      struct serve_stage *stage)
{
    const struct serving_steps *steps = &serve->steps;
    double low = 0, high = 0;
    int64_t known = 0;

    for (uint32_t i = 0; i < steps->count; i++) {
        if (!span_eq(serving_step_stage(&steps->list[i]), stage->name))
            continue;
        low += fmax(bounds[i].compute_low, bounds[i].bytes_low / bandwidth * 1e9);
        high += fmax(bounds[i].compute_high, bounds[i].bytes_high / bandwidth * 1e9);
        known = checked_add(known, bounds[i].known);
    }
    stage->known = stage->busy.sum > 0 ? fmin(1, (double)known / (double)stage->busy.sum) : 0;
    if (!(stage->known >= serve->limits.known) || !(low > 0))
        return;
    stage->bound_low = llround(low / stage->steps);
    stage->bound_high = llround(high / stage->steps);
}

void serve_bound_find(const struct graph *graph, const struct ceilings *ceilings,
                      struct serve *serve)
{
    struct kernel_owners owners;
    struct step_bound *bounds;

    if (!(ceilings->memory > 0))
        return;
    kernel_owners_find_in_steps(&owners, graph, &serve->steps);
    bounds = grow_zeroed(serve->steps.count + 1u, sizeof(*bounds));
    find_bounds(&owners, &serve->steps, ceilings, bounds);
    for (uint32_t i = 0; i < serve->stage_count; i++)
        sum_stage(serve, bounds, ceilings->memory, &serve->stages[i]);
    free(bounds);
    kernel_owners_free(&owners);
}
