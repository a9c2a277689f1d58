/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/job/job.h"

#include <stdlib.h>

#include "base/memory/memory.h"
#include "graph/model/job_part.h"

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

/* When each step began on the clock that a group's members are compared with. */
static bool list_times(const struct job_model *model, const struct part_group *group, int64_t *when)
{
    for (uint32_t i = 0; i < group->rank_count; i++) {
        const struct part_leaf *leaf;

        if (group->clock[i].offset == NOT_KNOWN)
            continue;
        leaf = part_leaf_of(model->part, group->ranks[i]);
        for (uint32_t s = 0; s < model->step_count && leaf; s++) {
            uint32_t own =
                job_step_in(model, (uint32_t)(leaf - model->part->leaves), model->steps[s].number);

            when[s] = own == UINT32_MAX ? group->clock[i].from : leaf->begin[own];
        }
        return leaf;
    }
    return false;
}

/* Aligns the group's other members with the first of them that is; true when there was any. */
static bool spread(struct job_model *model, const struct part_group *group, int64_t *when)
{
    const struct job_worker *base = NULL;
    const struct member_clock *base_clock = NULL;
    bool is_any = false;

    if (!list_times(model, group, when))
        return false;
    for (uint32_t i = 0; i < group->rank_count && !base; i++) {
        uint32_t worker = worker_of(model, group->ranks[i]);

        if (worker == UINT32_MAX || group->clock[i].offset == NOT_KNOWN ||
            !model->workers[worker].is_aligned)
            continue;
        base = &model->workers[worker];
        base_clock = &group->clock[i];
    }
    for (uint32_t i = 0; i < group->rank_count && base; i++) {
        uint32_t at = worker_of(model, group->ranks[i]);
        struct job_worker *worker = &model->workers[at == UINT32_MAX ? 0 : at];

        if (at == UINT32_MAX || group->clock[i].offset == NOT_KNOWN || worker->is_aligned)
            continue;
        for (uint32_t s = 0; s < model->step_count; s++)
            worker->offset[s] = base->offset[s] + clock_offset(&group->clock[i], when[s]) -
                                clock_offset(base_clock, when[s]);
        worker->residual = group->clock[i].residual;
        worker->is_aligned = is_any = true;
    }
    return is_any;
}

static int64_t begin_of(const struct job_model *model, const struct job_worker *worker, uint32_t s,
                        int64_t *end)
{
    const struct part_leaf *leaf = &model->part->leaves[worker->leaf];
    uint32_t own = job_step_in(model, worker->leaf, model->steps[s].number);

    *end = leaf->end[own] - worker->offset[s];
    return leaf->begin[own] - worker->offset[s];
}

/* A rank that nothing ties to the others begins its steps with the first. */
static void take_others(struct job_model *model)
{
    for (uint32_t w = 0; w < model->worker_count; w++) {
        struct job_worker *worker = &model->workers[w];
        int64_t end;

        if (worker->is_aligned)
            continue;
        if (model->part->leaves[worker->leaf].flags & LEAF_ONE_CLOCK) {
            worker->is_aligned = true;
            continue;
        }
        for (uint32_t s = 0; s < model->step_count; s++)
            worker->offset[s] =
                begin_of(model, worker, s, &end) - begin_of(model, &model->workers[0], s, &end);
    }
}

void job_align(struct job_model *model, struct arena *arena)
{
    struct tie *ties = arena_array(arena, (size_t)model->part->group_count + 1, sizeof(*ties));
    uint32_t count = list_ties(model, ties);
    int64_t *when = arena_array(arena, model->step_count, sizeof(*when));
    bool is_new = true;

    for (uint32_t w = 0; w < model->worker_count; w++) {
        model->workers[w].offset = arena_array(arena, model->step_count, sizeof(int64_t));
        model->workers[w].residual = NOT_KNOWN;
    }
    model->workers[0].is_aligned = true;
    model->workers[0].residual = 0;
    while (is_new) {
        is_new = false;
        for (uint32_t i = 0; i < count && !is_new; i++)
            is_new = spread(model, &model->part->groups[ties[i].group], when);
    }
    take_others(model);
    for (uint32_t s = 0; s < model->step_count; s++) {
        model->steps[s].begin = INT64_MAX;
        model->steps[s].end = INT64_MIN;
        for (uint32_t w = 0; w < model->worker_count; w++) {
            int64_t end, begin = begin_of(model, &model->workers[w], s, &end);

            model->steps[s].begin = begin < model->steps[s].begin ? begin : model->steps[s].begin;
            model->steps[s].end = end > model->steps[s].end ? end : model->steps[s].end;
        }
    }
}
