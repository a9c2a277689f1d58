/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/causes/unfused_attention.h"

#include "analysis/work/event_work.h"

enum { PARTS_MAX = 8 };

/* What has been seen of one: the operators since its first product. */
struct chain {
    event_id part[PARTS_MAX];
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

static void begin(struct chain *chain, event_id event, const struct problem *problem)
{
    *chain = (struct chain){
        .part = {event}, .count = 1, .rows = problem->m * problem->batch, .columns = problem->n};
}

static void add(struct chain *chain, event_id event)
{
    if (chain->count == PARTS_MAX)
        chain->count = 0; /* no attention has so many */
    else if (chain->count)
        chain->part[chain->count++] = event;
}

/* The next operator of a thread that has kernels. */
static void follow(struct chain *chain, event_id event, const struct problem *problem,
                   bool *is_part)
{
    if (problem->kind == PROBLEM_PRODUCT && is_last_product(chain, problem)) {
        for (uint32_t i = 0; i < chain->count; i++)
            is_part[chain->part[i]] = true;
        is_part[event] = true;
        chain->count = 0;
    } else if (problem->kind == PROBLEM_PRODUCT) {
        begin(chain, event, problem);
        return;
    } else if (is_softmax_of(chain, problem)) {
        add(chain, event);
        chain->has_softmax = true;
        return;
    } else if (problem->kind == PROBLEM_ELEMENTS || problem->kind == PROBLEM_COPY) {
        add(chain, event);
        return;
    }
    chain->count = 0;
    chain->has_softmax = false;
}

void unfused_attention_mark(const struct kernel_owners *owners, bool *is_part)
{
    const struct timeline *t = &owners->graph->timeline;

    for (uint32_t i = 0; i < t->track_count && owners->owner; i++) {
        const struct track *track = &t->tracks[i];
        struct chain chain = {0};
        struct work work;

        for (event_id e = track->first; e < track->first + track->count; e++)
            if (owners->owner[e] == e && owners->kernel_ns[e] > 0 &&
                event_work(owners->graph, e, &work))
                follow(&chain, e, &work.problem, is_part);
    }
}
