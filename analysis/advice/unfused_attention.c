/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/advice/causes.h"

#include "analysis/kernels/work.h"
#include "graph/classify/event_class.h"

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
