/* SPDX-License-Identifier: Apache-2.0 */
/* Chooses the steps that most ranks have whole, and the ranks that have all of these. */
#include <stdlib.h>

#include "analysis/ranks/job.h"
#include "analysis/ranks/job_shard.h"
#include "base/memory/memory.h"
#include "graph/classify/job_names.h"

struct step_count {
    int64_t number;
    uint32_t ranks;
};

static int by_value(const void *a, const void *b)
{
    const int64_t *first = a, *second = b;

    return (*first > *second) - (*first < *second);
}

uint32_t job_step_in(const struct job_model *model, uint32_t summary, int64_t number)
{
    const struct rank_summary *of = &model->shard->summaries[summary];
    int64_t own = number + model->number_shift[summary];

    SEARCH(uint32_t, at, of->step_count, of->step[at] < own);
    return at < of->step_count && of->step[at] == own ? at : UINT32_MAX;
}

/* A step in which a collective that others wait in was never ended is no measure. */
static bool is_whole_step(const struct job_model *model, int64_t number)
{
    const struct job_shard *shard = model->shard;

    for (uint32_t l = 0; l < shard->summary_count; l++) {
        const struct rank_summary *summary = &shard->summaries[l];
        bool is_hung = false;

        if (!summary->step_count || job_step_in(model, l, number) != summary->step_count - 1)
            continue;
        for (uint32_t i = summary->participation_count; i-- > 0 && !is_hung;)
            is_hung = summary->lasted[i] == NOT_KNOWN;
        if (is_hung && shard->absence_count)
            return false;
    }
    return true;
}

/* Nor is one in which a clock was set: what went on meanwhile has no length. */
static bool is_set_meanwhile(const struct job_model *model, int64_t number)
{
    const struct job_shard *shard = model->shard;

    for (uint32_t g = 0; g < shard->group_count; g++) {
        const struct shard_group *group = &shard->groups[g];
        const struct rank_summary *base = NULL;

        for (uint32_t i = 0; i < group->rank_count; i++) {
            const struct member_clock *clock = &group->clock[i];
            uint32_t step;

            if (!base && clock->offset != NOT_KNOWN)
                base = rank_summary_of(shard, group->ranks[i]);
            if (!base || !clock->jump)
                continue;
            step = job_step_in(model, (uint32_t)(base - shard->summaries), number);
            if (step != UINT32_MAX && clock->from >= base->begin[step] &&
                clock->from <= base->end[step])
                return true;
        }
    }
    return false;
}

static void choose_steps(struct job_model *model, const struct job_options *options,
                         struct arena *arena)
{
    const struct job_shard *shard = model->shard;
    uint32_t count = 0, most = 0, kinds = 0;
    struct step_count *steps;
    struct arena scratch = {0};
    int64_t *all;

    for (uint32_t l = 0; l < shard->summary_count; l++)
        count += shard->summaries[l].step_count;
    all = arena_array(&scratch, (size_t)count + 1, sizeof(*all));
    steps = arena_array(&scratch, (size_t)count + 1, sizeof(*steps));
    count = 0;
    for (uint32_t l = 0; l < shard->summary_count; l++)
        for (uint32_t i = 0; i < shard->summaries[l].step_count; i++)
            all[count++] = shard->summaries[l].step[i] - model->number_shift[l];
    qsort(all, count, sizeof(*all), by_value);
    for (uint32_t i = 0, end; i < count; i = end) {
        for (end = i + 1; end < count && all[end] == all[i];)
            end++;
        if (options->step != NOT_KNOWN && all[i] != options->step)
            continue;
        if (!is_whole_step(model, all[i]) || is_set_meanwhile(model, all[i])) {
            model->other_steps++;
            continue;
        }
        steps[kinds++] = (struct step_count){all[i], end - i};
        most = end - i > most ? end - i : most;
    }
    model->steps = arena_array(arena, (size_t)kinds + 1, sizeof(*model->steps));
    for (uint32_t i = 0; i < kinds; i++) {
        if (steps[i].ranks == most)
            model->steps[model->step_count++].number = steps[i].number;
        else
            model->other_steps++;
    }
    arena_free(&scratch);
}

/* Those that have every step that most have; what steps are the most's is settled by the first. */
static void choose_workers(struct job_model *model, struct arena *arena)
{
    const struct job_shard *shard = model->shard;

    model->workers = arena_array(arena, shard->summary_count, sizeof(*model->workers));
    model->left_out = arena_array(arena, shard->summary_count, sizeof(*model->left_out));
    for (uint32_t l = 0; l < shard->summary_count; l++) {
        const struct rank_summary *summary = &shard->summaries[l];
        struct job_worker *worker = &model->workers[model->worker_count];
        bool has_all = model->step_count > 0;

        for (uint32_t s = 0; s < model->step_count && has_all; s++)
            has_all = job_step_in(model, l, model->steps[s].number) != UINT32_MAX;
        if (!has_all) {
            model->left_out[model->left_out_count++] = summary->rank;
            continue;
        }
        *worker = (struct job_worker){.summary = l,
                                      .rank = summary->rank,
                                      .stage = (uint32_t)summary->stage,
                                      .dp = (uint32_t)summary->dp,
                                      .tp = (uint32_t)summary->tp};
        model->worker_count++;
        model->stage_count =
            worker->stage >= model->stage_count ? worker->stage + 1 : model->stage_count;
        model->dp_count = worker->dp >= model->dp_count ? worker->dp + 1 : model->dp_count;
    }
}

void job_choose(struct job_model *model, const struct job_options *options, struct arena *arena)
{
    choose_steps(model, options, arena);
    choose_workers(model, arena);
}

/* ---- where in a job a rank stands ---- */

void job_place(const struct job_shard *shard, const uint32_t sizes[3], struct rank_summary *summary)
{
    uint64_t size[DIMENSION_COUNT] = {1, 1, 1};
    bool is_given = sizes[0] || sizes[1] || sizes[2];

    for (int d = 0; d < DIMENSION_COUNT && is_given; d++)
        size[d] = sizes[d] ? sizes[d] : 1;
    for (uint32_t i = 0; i < shard->group_count && !is_given; i++) {
        const struct shard_group *group = &shard->groups[i];
        enum parallel_dimension dimension = parallel_dimension_of(shard_text(shard, group->use));

        if (dimension != DIMENSION_NONE && !group->is_pair && group->size > size[dimension])
            size[dimension] = group->size;
    }
    if (!is_given && summary->world &&
        size[DIMENSION_TENSOR] * size[DIMENSION_DATA] * size[DIMENSION_PIPELINE] != summary->world)
        size[DIMENSION_TENSOR] = size[DIMENSION_PIPELINE] = 1, size[DIMENSION_DATA] = UINT32_MAX;
    if (!summary->world && !is_given)
        size[DIMENSION_DATA] = size[DIMENSION_PIPELINE] > 1 ? size[DIMENSION_DATA] : UINT32_MAX;
    summary->tp = (int32_t)(summary->rank % size[DIMENSION_TENSOR]);
    summary->dp = (int32_t)(summary->rank / size[DIMENSION_TENSOR] % size[DIMENSION_DATA]);
    summary->stage = (int32_t)(summary->rank / (size[DIMENSION_TENSOR] * size[DIMENSION_DATA]));
}
