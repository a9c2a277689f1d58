/* SPDX-License-Identifier: Apache-2.0 */
/* How long a job's steps would take with some of its work otherwise. */
#include "analysis/ranks/job_replay.h"

#include <math.h>
#include <string.h>

#include "analysis/ranks/job_shard.h"
#include "analysis/timeline/device_work.h"

/* A change, by what the model calls it. */
struct target {
    const struct job_change *change;
    uint32_t value, other;                         /* worker, stage, data-parallel rank or label */
    const int64_t *typical_length, *typical_delay; /* by operation; NULL where it is scaled */
};

struct scenario_run {
    const struct job_model *model;
    int64_t *length, *delay, *ends;
    struct arena scratch;
};

/* ---- what a change is about ---- */

static bool find_target(const struct job_model *model, const struct job_change *change,
                        struct target *target, struct error *err)
{
    bool is_there = true;

    *target = (struct target){.change = change, .value = change->value, .other = UINT32_MAX};
    switch (change->subject) {
    case ABOUT_RANK:
    case ABOUT_HOST:
    case ABOUT_LINK:
        target->value = job_worker_of(model, change->value);
        is_there = target->value != UINT32_MAX;
        if (is_there && change->other != UINT32_MAX)
            is_there = (target->other = job_worker_of(model, change->other)) != UINT32_MAX;
        break;
    case ABOUT_STAGE:
        is_there = change->value < model->stage_count;
        break;
    case ABOUT_DP:
        is_there = change->value < model->dp_count;
        break;
    case ABOUT_TYPE:
        is_there = false;
        for (uint32_t l = 0; l < model->label_count && !is_there; l++) {
            is_there = span_eq(shard_text(model->shard, model->labels[l]), change->type);
            target->value = l;
        }
        break;
    }
    if (is_there)
        return true;
    error_set(err, ERROR_USAGE, "--what-if '%.80s' is about what is not in this job", change->text);
    return error_hint(err, "its ranks, stages and types are those that ptk job shows");
}

static bool is_meant(const struct job_model *model, uint32_t op, const struct target *target)
{
    switch (target->change->subject) {
    case ABOUT_RANK:
    case ABOUT_HOST:
        return model->worker[op] == target->value;
    case ABOUT_STAGE:
        return model->stage[op] == target->value;
    case ABOUT_DP:
        return model->dp[op] == target->value;
    case ABOUT_TYPE:
        return model->label[op] == target->value;
    case ABOUT_LINK:
        return job_is_transfer_of(model, op, target->value) &&
               (target->other == UINT32_MAX ||
                (job_is_transfer_of(model, op, target->other) &&
                 model->shard->groups[model->group[op] - 1].rank_count == 2));
    }
    return false;
}

/* ---- the changed run ---- */

static const double LONGEST = (double)((int64_t)1 << 61); /* ns, of an operation */

/* Mean step with `count` changes. `effects`: of each, or NULL. */
static double run_changed(struct scenario_run *run, const struct target *targets, uint32_t count,
                          struct job_effect *effects)
{
    const struct job_model *model = run->model;

    memcpy(run->length, model->length, model->op_count * sizeof(*run->length));
    memcpy(run->delay, model->delay, model->op_count * sizeof(*run->delay));
    for (uint32_t op = 0; op < model->op_count; op++) {
        bool is_length_done = false, is_delay_done = false;

        for (uint32_t i = 0; i < count; i++) {
            const struct target *target = &targets[i];
            bool is_host = target->change->subject == ABOUT_HOST;
            bool *is_done = is_host ? &is_delay_done : &is_length_done;
            int64_t *at = is_host ? &run->delay[op] : &run->length[op], before = *at;
            const int64_t *typical = is_host ? target->typical_delay : target->typical_length;

            if (*is_done || !is_meant(model, op, target))
                continue;
            *is_done = true;
            *at = target->change->is_scaled
                      ? (int64_t)fmin((double)before / target->change->factor, LONGEST)
                      : typical[op];
            if (!effects)
                continue;
            effects[i].operations++;
            effects[i].time += (double)before / model->step_count;
            effects[i].time_after += (double)*at / model->step_count;
        }
    }
    return job_replay(model, &(struct job_run){.length = run->length, .delay = run->delay, .has_waits = true}, run->ends, NULL);
}

/* ---- the least that it could take ---- */

/* Of the mean step; `run` has the changed lengths and delays. */
static double least_of(struct scenario_run *run)
{
    const struct job_model *model = run->model;
    int64_t *steps = arena_array(&run->scratch, (size_t)model->step_count + 1, sizeof(*steps));
    double sum = 0;

    job_replay(model, &(struct job_run){.length = model->length, .delay = model->delay, .has_waits = true}, run->ends, steps);
    for (uint32_t s = 0, op = 0; s < model->step_count; s++) {
        uint32_t end = job_step_end(model, s);
        struct intervals active = {0};
        double saved = 0;

        for (; op < end; op++) {
            int64_t before = model->length[op] + model->delay[op];
            int64_t less = before - run->length[op] - run->delay[op];

            if (less <= 0)
                continue;
            saved += (double)less;
            intervals_add(&active, run->ends[op] - before, run->ends[op]);
        }
        intervals_unite(&active);
        saved = fmin(saved, (double)intervals_length(&active));
        intervals_free(&active);
        sum += fmax(0, (double)steps[s] - saved);
    }
    return sum / model->step_count;
}

bool job_what_if(const struct job_model *model, const struct job_change *changes, uint32_t count,
                 struct arena *arena, struct job_outcome *outcome, struct error *err)
{
    struct scenario_run run = {.model = model};
    size_t ops = (size_t)model->op_count + 1;
    struct target *targets = arena_array(arena, (size_t)count + 1, sizeof(*targets));
    const int64_t *lengths[IDEAL_COUNT] = {0}, *delays[IDEAL_COUNT] = {0};

    *outcome = (struct job_outcome){
        .effects = arena_array(arena, (size_t)count + 1, sizeof(*outcome->effects))};
    for (uint32_t w = 0; w < model->worker_count; w++)
        if (model->shard->summaries[model->workers[w].summary].flags & RANK_NO_WAITS)
            outcome->is_bounded = true; /* an order that is inferred may not have had to be */
    for (uint32_t i = 0; i < count; i++) {
        enum job_ideal ideal = changes[i].ideal;

        if (!find_target(model, &changes[i], &targets[i], err))
            return false;
        if (!lengths[ideal]) {
            lengths[ideal] = job_typical(model, model->length, ideal, NULL, arena);
            delays[ideal] = job_typical(model, model->delay, ideal, NULL, arena);
        }
        targets[i].typical_length = lengths[ideal];
        targets[i].typical_delay = delays[ideal];
    }
    run.length = arena_array(&run.scratch, ops, sizeof(*run.length));
    run.delay = arena_array(&run.scratch, ops, sizeof(*run.delay));
    run.ends = arena_array(&run.scratch, ops, sizeof(*run.ends));
    outcome->before =
        job_replay(model, &(struct job_run){.length = model->length, .delay = model->delay, .has_waits = true}, run.ends, NULL);
    for (uint32_t i = 0; i < count; i++)
        outcome->effects[i].step = run_changed(&run, &targets[i], 1, NULL);
    outcome->after = run_changed(&run, targets, count, outcome->effects);
    outcome->least = outcome->most = outcome->after;
    if (outcome->is_bounded)
        outcome->least = fmin(outcome->after, least_of(&run));
    arena_free(&run.scratch);
    return true;
}
