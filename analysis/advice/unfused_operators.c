/* SPDX-License-Identifier: Apache-2.0 */
/* unfused_operators.c — finds attention that is computed operator by operator, and experts one by one */
#include "analysis/advice/causes.h"

#include <math.h>

#include "graph/classify/event_class.h"

/* ---- attention ---- */

enum { PARTS_MAX = 8 };

/* What has been seen of one: the operators since its first product. */
struct chain {
    uint32_t part[PARTS_MAX]; /* owners of kernels */
    uint32_t count;
    double rows, columns; /* of the scores, in all heads */
    bool has_softmax;
};

static bool is_softmax_of(const struct chain *chain, const struct problem *problem)
{
    return chain->count && !chain->has_softmax && problem->kind == PROBLEM_SOFTMAX &&
           problem->m * problem->batch == chain->rows && problem->n == chain->columns;
}

static bool is_last_product(const struct chain *chain, const struct problem *problem)
{
    return chain->has_softmax && problem->m * problem->batch == chain->rows &&
           problem->k == chain->columns;
}

static void chain_begin(struct chain *chain, uint32_t owner, const struct problem *problem)
{
    *chain = (struct chain){
        .part = {owner}, .count = 1, .rows = problem->m * problem->batch, .columns = problem->n};
}

static void chain_add(struct chain *chain, uint32_t owner)
{
    if (chain->count == PARTS_MAX)
        chain->count = 0; /* no attention has so many */
    else if (chain->count)
        chain->part[chain->count++] = owner;
}

/* The next operator of a thread that has kernels. */
static void follow(struct chain *chain, uint32_t owner, const struct problem *problem,
                   uint8_t *unfused)
{
    if (problem->kind == PROBLEM_PRODUCT && is_last_product(chain, problem)) {
        for (uint32_t i = 0; i < chain->count; i++)
            unfused[chain->part[i]] = UNFUSED;
        unfused[owner] = UNFUSED;
        chain->count = 0;
    } else if (problem->kind == PROBLEM_PRODUCT) {
        chain_begin(chain, owner, problem);
        return;
    } else if (is_softmax_of(chain, problem)) {
        chain_add(chain, owner);
        chain->has_softmax = true;
        return;
    } else if (problem->kind == PROBLEM_ELEMENTS || problem->kind == PROBLEM_COPY) {
        chain_add(chain, owner);
        return;
    }
    chain->count = 0;
    chain->has_softmax = false;
}

void unfused_attention_mark(const struct kernel_owners *owners, uint8_t *unfused)
{
    const struct timeline *t = &owners->graph->timeline;

    for (uint32_t i = 0; i < t->track_count && owners->of_event; i++) {
        const struct track *track = &t->tracks[i];
        int64_t math_end = INT64_MIN;
        struct chain chain = {0};

        for (event_id e = track->first; e < track->first + track->count; e++) {
            struct frame_class class = graph_class(owners->graph, t->frame[e]);
            uint32_t owner;

            if (class.operator.is_math_attention)
                math_end = event_end(t, e);
            if ((owner = owner_with_kernels(owners, e)) == NO_OWNER)
                continue;
            if (t->start[e] < math_end)
                unfused[owner] = UNFUSED_BY_MATH;
            else
                follow(&chain, owner, &owner_call(owners, owner)->work.problem, unfused);
        }
    }
}

/* ---- experts ---- */

enum { SIZES_MAX = 3 };

/* Products by weights of one size: gate and up, or down. */
struct weights {
    frame_id frame;
    double k, n, rows; /* rows of the last product */
    uint32_t count, changes;
};

struct loop {
    double experts; /* more products make it one of experts */
    struct weights sizes[SIZES_MAX];
    uint32_t count;
    event_id first;
};

/* The product that an event is, by weights; NULL. */
static const struct problem *product_of(const struct kernel_owners *owners, event_id event)
{
    uint32_t owner = owner_with_kernels(owners, event);
    const struct problem *problem;

    if (owner == NO_OWNER)
        return NULL;
    problem = &owner_call(owners, owner)->work.problem;
    return problem->kind == PROBLEM_PRODUCT && problem->batch == 1 &&
                   fmax(problem->k, problem->n) < UINT32_MAX
               ? problem
               : NULL;
}

static struct weights *weights_of(struct loop *loop, frame_id frame, const struct problem *problem)
{
    for (uint32_t i = 0; i < loop->count; i++)
        if (loop->sizes[i].frame == frame && loop->sizes[i].k == problem->k &&
            loop->sizes[i].n == problem->n)
            return &loop->sizes[i];
    return NULL;
}

static bool changes_often(const struct weights *weights)
{
    return weights->changes * 2 >= weights->count && weights->changes;
}

/* The loop's products lie in [first, end). */
static void end_loop(struct loop *loop, const struct kernel_owners *owners, event_id end,
                     uint8_t *unfused)
{
    bool is_of_experts = false;

    for (uint32_t i = 0; i < loop->count; i++)
        is_of_experts |= loop->sizes[i].count > loop->experts && changes_often(&loop->sizes[i]);
    for (event_id e = loop->first; is_of_experts && e < end; e++) {
        const struct problem *problem = product_of(owners, e);
        const struct weights *weights =
            problem ? weights_of(loop, owners->graph->timeline.frame[e], problem) : NULL;
        uint8_t *is = problem ? &unfused[owner_around(owners, e)] : NULL;

        if (weights && changes_often(weights) && *is == FUSED)
            *is = UNFUSED_EXPERTS;
    }
    loop->count = 0;
}

static void add_product(struct loop *loop, const struct kernel_owners *owners, event_id event,
                        const struct problem *problem, uint8_t *unfused)
{
    frame_id frame = owners->graph->timeline.frame[event];
    struct weights *weights = weights_of(loop, frame, problem);

    if (weights) {
        weights->changes += weights->rows != problem->m;
        weights->rows = problem->m;
        weights->count++;
        return;
    }
    if (loop->count == SIZES_MAX)
        end_loop(loop, owners, event, unfused);
    if (loop->count == 0)
        loop->first = event;
    loop->sizes[loop->count++] = (struct weights){
        .frame = frame, .k = problem->k, .n = problem->n, .rows = problem->m, .count = 1};
}

/* A loop lies in one step: in the next, all of a small model's products may have other rows. */
void unfused_experts_mark(const struct kernel_owners *owners, const struct thresholds *thresholds,
                          uint8_t *unfused)
{
    const struct timeline *t = &owners->graph->timeline;

    for (uint32_t i = 0; i < t->track_count && owners->of_event; i++) {
        const struct track *track = &t->tracks[i];
        const struct problem *problem;
        struct loop loop = {.experts = thresholds->of[LIMIT_EXPERTS]};

        for (event_id e = track->first; e < track->first + track->count; e++) {
            if (graph_class(owners->graph, t->frame[e]).role == ROLE_STEP)
                end_loop(&loop, owners, e, unfused);
            else if ((problem = product_of(owners, e)))
                add_product(&loop, owners, e, problem, unfused);
        }
        end_loop(&loop, owners, track->first + track->count, unfused);
    }
}
