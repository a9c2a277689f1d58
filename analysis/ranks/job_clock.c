/* SPDX-License-Identifier: Apache-2.0 */
/* Puts all ranks of a job on the clock of the smallest, over the groups that tie them. */
#include "analysis/ranks/job.h"

#include <stdlib.h>

#include "analysis/ranks/job_shard.h"
#include "base/memory/memory.h"

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

    for (uint32_t g = 0; g < model->shard->group_count; g++) {
        const struct shard_group *group = &model->shard->groups[g];

        if (group->is_aligned && group->residual != NOT_KNOWN && group->rank_count > 1)
            ties[count++] = (struct tie){group->residual, g};
    }
    qsort(ties, count, sizeof(*ties), by_residual);
    return count;
}

/* When each step began on the clock that a group's members are compared with. */
static bool list_times(const struct job_model *model, const struct shard_group *group,
                       int64_t *when)
{
    for (uint32_t i = 0; i < group->rank_count; i++) {
        const struct rank_summary *summary;

        if (group->clock[i].offset == NOT_KNOWN)
            continue;
        summary = rank_summary_of(model->shard, group->ranks[i]);
        for (uint32_t s = 0; s < model->step_count && summary; s++) {
            uint32_t own = job_step_in(model, (uint32_t)(summary - model->shard->summaries),
                                       model->steps[s].number);

            when[s] = own == UINT32_MAX ? group->clock[i].from : summary->begin[own];
        }
        return summary;
    }
    return false;
}

/* By worker, the ties of the groups that it is in. */
struct tie_lists {
    uint32_t *first, *tie;
};

static void list_by_worker(const struct job_model *model, const struct tie *ties, uint32_t count,
                           struct tie_lists *lists, struct arena *scratch)
{
    lists->first = arena_array(scratch, (size_t)model->worker_count + 2, sizeof(uint32_t));
    for (int pass = 0; pass < 2; pass++) {
        for (uint32_t t = 0; t < count; t++) {
            const struct shard_group *group = &model->shard->groups[ties[t].group];

            for (uint32_t i = 0; i < group->rank_count; i++) {
                uint32_t worker = job_worker_of(model, group->ranks[i]);

                if (worker == UINT32_MAX)
                    continue;
                if (pass == 0)
                    lists->first[worker + 2]++;
                else
                    lists->tie[lists->first[worker + 1]++] = t;
            }
        }
        for (uint32_t w = 0; w < model->worker_count && pass == 0; w++)
            lists->first[w + 2] += lists->first[w + 1];
        if (pass == 0)
            lists->tie = arena_array(scratch, (size_t)lists->first[model->worker_count + 1] + 1,
                                     sizeof(uint32_t));
    }
}

/* Aligned workers, and the ties that some of them have, the most exact on top. */
struct spreading {
    struct job_model *model;
    struct tie_lists lists;
    struct heap ties;
    int64_t *when; /* room for a time by step */
};

static void mark_aligned(struct spreading *spreading, uint32_t worker)
{
    spreading->model->workers[worker].is_aligned = true;
    for (uint32_t i = spreading->lists.first[worker]; i < spreading->lists.first[worker + 1]; i++)
        heap_push(&spreading->ties, spreading->lists.tie[i], 0);
}

/* Aligns the group's other members with the first of them that is. */
static void spread(struct spreading *spreading, const struct shard_group *group)
{
    struct job_model *model = spreading->model;
    const int64_t *when = spreading->when;
    const struct job_worker *base = NULL;
    const struct member_clock *base_clock = NULL;

    if (!list_times(model, group, spreading->when))
        return;
    for (uint32_t i = 0; i < group->rank_count && !base; i++) {
        uint32_t worker = job_worker_of(model, group->ranks[i]);

        if (worker == UINT32_MAX || group->clock[i].offset == NOT_KNOWN ||
            !model->workers[worker].is_aligned)
            continue;
        base = &model->workers[worker];
        base_clock = &group->clock[i];
    }
    for (uint32_t i = 0; i < group->rank_count && base; i++) {
        uint32_t at = job_worker_of(model, group->ranks[i]);
        struct job_worker *worker = &model->workers[at == UINT32_MAX ? 0 : at];

        if (at == UINT32_MAX || group->clock[i].offset == NOT_KNOWN || worker->is_aligned)
            continue;
        for (uint32_t s = 0; s < model->step_count; s++)
            worker->offset[s] = base->offset[s] + clock_offset(&group->clock[i], when[s]) -
                                clock_offset(base_clock, when[s]);
        worker->residual = group->clock[i].residual;
        mark_aligned(spreading, at);
    }
}

static int64_t begin_of(const struct job_model *model, const struct job_worker *worker, uint32_t s,
                        int64_t *end)
{
    const struct rank_summary *summary = &model->shard->summaries[worker->summary];
    uint32_t own = job_step_in(model, worker->summary, model->steps[s].number);

    *end = summary->end[own] - worker->offset[s];
    return summary->begin[own] - worker->offset[s];
}

/* A rank that nothing ties to the others begins its steps with the first. */
static void take_others(struct job_model *model)
{
    for (uint32_t w = 0; w < model->worker_count; w++) {
        struct job_worker *worker = &model->workers[w];
        int64_t end;

        if (worker->is_aligned)
            continue;
        if (model->shard->summaries[worker->summary].flags & RANK_ONE_CLOCK) {
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
    struct arena scratch = {0};
    struct tie *ties = arena_array(&scratch, (size_t)model->shard->group_count + 1, sizeof(*ties));
    uint32_t count = list_ties(model, ties);
    struct spreading spreading = {
        .model = model, .when = arena_array(&scratch, model->step_count, sizeof(int64_t))};

    for (uint32_t w = 0; w < model->worker_count; w++) {
        model->workers[w].offset = arena_array(arena, model->step_count, sizeof(int64_t));
        model->workers[w].residual = NOT_KNOWN;
    }
    list_by_worker(model, ties, count, &spreading.lists, &scratch);
    model->workers[0].residual = 0;
    mark_aligned(&spreading, 0);
    while (spreading.ties.count) {
        const struct tie *tie = &ties[spreading.ties.list[0].key];

        heap_pop(&spreading.ties);
        spread(&spreading, &model->shard->groups[tie->group]);
    }
    free(spreading.ties.list);
    arena_free(&scratch);
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
