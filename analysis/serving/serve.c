/* SPDX-License-Identifier: Apache-2.0 */
/* serve.c — the steps of a server by stage: device time, periods, tokens, padding, and the time between tokens */
#include "analysis/serving/serve.h"

#include <math.h>
#include <stdlib.h>

#include "analysis/serving/serve_bound.h"
#include "base/checked.h"

/* ---- stages ---- */

static uint32_t stage_at(struct serve *serve, const struct serving_step *step)
{
    struct span name = serving_step_stage(step);
    uint32_t at = 0;

    while (at < serve->stage_count && !span_eq(serve->stages[at].name, name))
        at++;
    if (at == serve->stage_count) {
        serve->stages[at] = (struct serve_stage){
            .name = name, .stage = step->label->stage, .bound_low = UNKNOWN, .bound_high = UNKNOWN};
        serve->stage_count++;
    }
    return at;
}

static void count_step(const struct serving_step *step, int64_t gap, struct serve_stage *stage)
{
    stage->steps++;
    stage->recomputing += step->is_recomputing;
    stage->prompts = sum_known(stage->prompts, step->label->prompts);
    stage->generations = sum_known(stage->generations, step->label->generations);
    stage->tokens = sum_known(stage->tokens, step->label->tokens);
    stage->host = checked_add(stage->host, step->end - step->start);
    stage->gaps = checked_add(stage->gaps, gap);
    stage->graph_steps += step->graph_pieces > 0;
    if (step->first != UNKNOWN)
        stage->device_span = checked_add(stage->device_span, step->last - step->first);
    if (step->label->padded > 0 && step->label->generations != UNKNOWN) {
        stage->real = checked_add(stage->real, step->label->generations);
        stage->padded = checked_add(stage->padded, step->label->padded);
    }
}

/* From the start of a step's device work to that of the next; UNKNOWN where a dummy is one of them. */
static int64_t period_of(const struct serving_steps *steps, uint32_t at)
{
    uint32_t next = serving_step_after(steps, at);
    const struct serving_step *a = &steps->list[at], *b;

    if (next == NO_STEP)
        return UNKNOWN;
    b = &steps->list[next];
    return a->first == UNKNOWN || b->first == UNKNOWN || a->label->stage == STAGE_DUMMY ||
                   b->label->stage == STAGE_DUMMY
               ? UNKNOWN
               : b->first - a->first;
}

static void spread_stage(struct serve *serve, const uint32_t *stage_of, uint32_t stage,
                         int64_t *values, struct arena *arena)
{
    const struct serving_steps *steps = &serve->steps;
    uint32_t count = 0;

    for (uint32_t i = 0; i < steps->count; i++)
        if (stage_of[i] == stage)
            values[count++] = steps->list[i].busy;
    serve_spread_of(values, count, arena, &serve->stages[stage].busy);
    count = 0;
    for (uint32_t i = 0; i < steps->count; i++)
        if (stage_of[i] == stage && period_of(steps, i) != UNKNOWN)
            values[count++] = period_of(steps, i);
    serve_spread_of(values, count, arena, &serve->stages[stage].period);
}

/* In the order of enum serving_stage, then of their coming. */
static bool stage_is_before(const void *context, uint32_t a, uint32_t b)
{
    const struct serve_stage *stages = context;

    return stages[a].stage < stages[b].stage;
}

static void find_stages(struct serve *serve, struct arena *arena)
{
    const struct serving_steps *steps = &serve->steps;
    uint32_t *stage_of = arena_array(arena, steps->count + 1u, sizeof(*stage_of)), *order;
    int64_t *values = arena_array(arena, steps->count + 1u, sizeof(*values));
    struct serve_stage *sorted;

    serve->stages = arena_array(arena, steps->count + 1u, sizeof(*serve->stages));
    for (uint32_t i = 0; i < steps->count; i++) {
        stage_of[i] = stage_at(serve, &steps->list[i]);
        count_step(&steps->list[i], serve->gaps.after[i], &serve->stages[stage_of[i]]);
    }
    for (uint32_t i = 0; i < serve->stage_count; i++)
        spread_stage(serve, stage_of, i, values, arena);
    order = sorted_order(serve->stage_count, stage_is_before, serve->stages);
    sorted = arena_array(arena, serve->stage_count + 1u, sizeof(*sorted));
    for (uint32_t i = 0; i < serve->stage_count; i++)
        sorted[i] = serve->stages[order[i]];
    free(order);
    serve->stages = sorted;
}

/* ---- sums over all ---- */

static bool generates(const struct serving_step *step)
{
    return (step->label->stage == STAGE_DECODE || step->label->stage == STAGE_MIXED) &&
           step->first != UNKNOWN;
}

/* What a user of the service waits for: from a step that generates to the next, prompts in between. */
static void find_between_tokens(struct serve *serve, struct arena *arena)
{
    const struct serving_steps *steps = &serve->steps;
    int64_t *values = arena_array(arena, steps->count + 1u, sizeof(*values));
    int64_t *busy = arena_array(arena, steps->count + 1u, sizeof(*busy)), idle = 0;
    uint32_t count = 0, before = NO_STEP;

    for (uint32_t i = 0; i < steps->count; i++) {
        if (generates(&steps->list[i])) {
            if (before != NO_STEP && steps->list[before].thread == steps->list[i].thread) {
                values[count] = steps->list[i].first - steps->list[before].first;
                busy[count] = checked_sub(values[count], idle);
                count++;
            }
            before = i;
            idle = 0;
        }
        idle = checked_add(idle, serve->gaps.after[i]);
    }
    serve_spread_of(values, count, arena, &serve->between_tokens);
    serve_spread_of(busy, count, arena, &serve->busy_between);
}

/* A request for a token yields one, or as many as it computes where drafts were right; a prompt yields
 * one in the step that ends it, which is not on record. */
static void find_totals(struct serve *serve)
{
    int64_t first = INT64_MAX, last = INT64_MIN;

    for (uint32_t i = 0; i < serve->steps.count; i++) {
        const struct serving_step *step = &serve->steps.list[i];
        int64_t period = period_of(&serve->steps, i);

        if (step->first != UNKNOWN) {
            first = step->first < first ? step->first : first;
            last = step->last > last ? step->last : last;
        }
        serve->overlapping += period != UNKNOWN && step->busy > period;
        if (step->label->stage == STAGE_DUMMY) {
            serve->dummies++;
            continue;
        }
        if (step->label->stage == STAGE_DRAFT)
            continue;
        serve->tokens = sum_known(serve->tokens, step->label->tokens);
        serve->generated_low = sum_known(serve->generated_low, step->label->generations);
        serve->generated_high =
            sum_known(serve->generated_high,
                      sum_known(step->label->generation_tokens, step->label->prompts));
    }
    serve->span = last > first ? last - first : 0;
}

/* ---- what holds a stage up ---- */

const char *serve_limit_name(enum serve_limit limit)
{
    static const char *const names[] = {[SERVE_BY_KERNELS] = "kernels",
                                        [SERVE_BY_HOST] = "host",
                                        [SERVE_BY_REQUESTS] = "requests",
                                        [SERVE_BY_LAUNCHES] = "launches",
                                        [SERVE_BY_BOUND] = "memory or compute"};

    return names[limit];
}

enum serve_limit serve_limit_of(const struct serve *serve, const struct serve_stage *stage)
{
    const struct serve_gaps *gaps = &serve->gaps;
    double within = (double)(stage->device_span - stage->busy.sum);

    if (stage->period.sum > 0 && stage->stage != STAGE_DUMMY &&
        (double)stage->gaps >= serve->limits.idle * (double)stage->period.sum)
        return 2 * gaps->of_requests > gaps->total ? SERVE_BY_REQUESTS : SERVE_BY_HOST;
    if (stage->device_span > 0 && within >= serve->limits.idle * (double)stage->device_span)
        return SERVE_BY_LAUNCHES;
    if (stage->bound_high != UNKNOWN && stage->busy.count &&
        (double)stage->bound_high * stage->busy.count >=
            serve->limits.bound * (double)stage->busy.sum)
        return SERVE_BY_BOUND;
    return SERVE_BY_KERNELS;
}

bool serve_has_labels(const struct graph *graph)
{
    struct serving_steps steps;
    struct arena arena = {0};
    bool has = false;

    if (graph->has[LEVEL_TIMELINE]) {
        serving_steps_find(graph, false, &arena, &steps);
        has = steps.count > 0;
    }
    arena_free(&arena);
    return has;
}

void serve_compute(const struct graph *graph, const struct ceilings *ceilings,
                   struct serve_limits limits, struct arena *arena, struct serve *serve)
{
    *serve = (struct serve){.limits = limits};
    serving_steps_find(graph, true, arena, &serve->steps);
    serve_gaps_find(graph, &serve->steps, arena, &serve->gaps);
    find_stages(serve, arena);
    serve->fit_count = serve_fits_find(&serve->steps, serve->fits);
    find_between_tokens(serve, arena);
    find_totals(serve);
    serve->has_stacks = serve->gaps.has_functions;
    serve->lacks_peaks = ceilings && !(ceilings->memory > 0);
    if (ceilings && serve->steps.count)
        serve_bound_find(graph, ceilings, serve);
}
