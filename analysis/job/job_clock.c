/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/job/job_clock.h"

#include <stdlib.h>

#include "base/memory/grow.h"
#include "graph/model/part_order.h"

static uint32_t worker_of(const struct job_model *model, uint32_t rank)
{
    uint32_t low = 0, high = model->worker_count;

    while (low < high) {
        uint32_t middle = low + (high - low) / 2;

        if (model->workers[middle].rank == rank)
            return middle;
        if (model->workers[middle].rank < rank)
            low = middle + 1;
        else
            high = middle;
    }
    return UINT32_MAX;
}

struct tie {
    int64_t residual;
    uint32_t group;
};

static int by_residual(const void *a, const void *b)
{
    const struct tie *first = a, *second = b;

    if (first->residual != second->residual)
        return first->residual < second->residual ? -1 : 1;
    return (first->group > second->group) - (first->group < second->group);
}

/* Groups whose clocks are known, the most exact first. */
static uint32_t list_ties(const struct job_model *model, struct tie *ties)
{
    uint32_t count = 0;

    for (uint32_t g = 0; g < model->part->group_count; g++) {
        const struct part_group *group = &model->part->groups[g];

        if (group->is_sealed && group->residual != NOT_KNOWN && group->rank_count > 1)
            ties[count++] = (struct tie){group->residual, g};
    }
    qsort(ties, count, sizeof(*ties), by_residual);
    return count;
}

/* Aligns the group's other members with the first of them that is; true when there was any. */
static bool spread(struct job_model *model, const struct part_group *group)
{
    int64_t base = 0;
    bool is_any = false, has_base = false;

    for (uint32_t i = 0; i < group->rank_count && !has_base; i++) {
        uint32_t worker = worker_of(model, group->ranks[i]);

        if (worker == UINT32_MAX || group->offset[i] == NOT_KNOWN ||
            !model->workers[worker].is_aligned)
            continue;
        base = model->workers[worker].offset - group->offset[i];
        has_base = true;
    }
    for (uint32_t i = 0; i < group->rank_count && has_base; i++) {
        uint32_t worker = worker_of(model, group->ranks[i]);

        if (worker == UINT32_MAX || group->offset[i] == NOT_KNOWN ||
            model->workers[worker].is_aligned)
            continue;
        model->workers[worker].offset = base + group->offset[i];
        model->workers[worker].residual = group->residual;
        model->workers[worker].is_aligned = is_any = true;
    }
    return is_any;
}

static int64_t begin_of(const struct job_model *model, const struct job_worker *worker,
                        int64_t number, int64_t *end)
{
    const struct part_leaf *leaf = &model->part->leaves[worker->leaf];

    for (uint32_t i = 0; i < leaf->step_count; i++)
        if (leaf->step[i] == number) {
            *end = leaf->end[i] - worker->offset;
            return leaf->begin[i] - worker->offset;
        }
    return INT64_MAX;
}

static void take_others(struct job_model *model)
{
    int64_t end, first = begin_of(model, &model->workers[0], model->steps[0].number, &end);

    for (uint32_t w = 0; w < model->worker_count; w++) {
        struct job_worker *worker = &model->workers[w];

        if (worker->is_aligned)
            continue;
        if (model->part->leaves[worker->leaf].flags & LEAF_ONE_CLOCK)
            worker->is_aligned = true;
        else
            worker->offset = begin_of(model, worker, model->steps[0].number, &end) - first;
    }
}

void job_align(struct job_model *model, struct arena *arena)
{
    struct tie *ties = arena_array(arena, (size_t)model->part->group_count + 1, sizeof(*ties));
    uint32_t count = list_ties(model, ties);
    bool is_new = true;

    for (uint32_t w = 0; w < model->worker_count; w++)
        model->workers[w].residual = NOT_KNOWN;
    model->workers[0].is_aligned = true;
    model->workers[0].residual = 0;
    while (is_new) {
        is_new = false;
        for (uint32_t i = 0; i < count && !is_new; i++)
            is_new = spread(model, &model->part->groups[ties[i].group]);
    }
    take_others(model);
    for (uint32_t s = 0; s < model->step_count; s++) {
        model->steps[s].begin = INT64_MAX;
        model->steps[s].end = INT64_MIN;
        for (uint32_t w = 0; w < model->worker_count; w++) {
            int64_t end = INT64_MIN;
            int64_t begin = begin_of(model, &model->workers[w], model->steps[s].number, &end);

            model->steps[s].begin = begin < model->steps[s].begin ? begin : model->steps[s].begin;
            model->steps[s].end = end > model->steps[s].end ? end : model->steps[s].end;
        }
    }
}
