/* SPDX-License-Identifier: Apache-2.0 */
/* Finds what slows a job: makes one thing after the other typical, and replays its steps. */
#include "analysis/ranks/job_replay.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/ranks/job_candidates.h"
#include "analysis/ranks/job_shard.h"
#include "base/memory/memory.h"

const char *job_cause_name(enum job_cause cause)
{
    static const char *const names[JOB_CAUSE_COUNT] = {
        [CAUSE_MISSED] = "missed-collective", [CAUSE_MISMATCH] = "mismatched-collective",
        [CAUSE_STUCK] = "stuck-collective",   [CAUSE_ORDER] = "collective-order",
        [CAUSE_UNDECIDED] = "undecided",      [CAUSE_LATE] = "late-rank",
        [CAUSE_LONG] = "long-collectives",    [CAUSE_FOREIGN] = "foreign-rank",
        [CAUSE_LOADER] = "late-loader",       [CAUSE_HOST] = "slow-host",
        [CAUSE_LINK] = "slow-link",           [CAUSE_LINKS] = "slow-links",
        [CAUSE_RANK] = "slow-rank",           [CAUSE_DP] = "slow-dp-rank",
        [CAUSE_STAGE] = "slow-stage",         [CAUSE_MISSING_RANK] = "missing-rank",
        [CAUSE_CLOCK] = "clock-offset"};

    return names[cause];
}

enum { CAUSES_MOST = 4 };

/* ---- trying one thing after the other ---- */

static double left_of_delay(const struct trial *trial, const struct candidate *candidate,
                            uint32_t worker, uint32_t step)
{
    size_t at = worker * (size_t)trial->model->step_count + step;
    double delay = trial->late.delay[at], usual = trial->late.usual[step];

    if (candidate->cause == CAUSE_HOST)
        return delay > usual ? 1 - usual / delay : 0;
    return worker == candidate->value && trial->late.is_late[at] ? usual / delay : 1;
}

/* Takes a candidate away from `length` and `delay`: operations get shorter, each by how much longer its owner takes than
 * others do, so that what is uneven stays uneven; a host is late as others are. */
static void take_away(const struct trial *trial, const struct candidate *candidate, int64_t *length,
                      int64_t *delay)
{
    const struct job_model *model = trial->model;

    for (uint32_t s = 0, op = 0; s < model->step_count; s++)
        for (uint32_t end = job_step_end(model, s); op < end; op++) {
            uint32_t cell;

            if (!candidate->slow) {
                delay[op] = (int64_t)((double)delay[op] *
                                      left_of_delay(trial, candidate, model->worker[op], s));
                continue;
            }
            cell = candidate->slow->cell[op];
            if (cell != UINT32_MAX && candidate->factor[cell] > 1)
                length[op] = (int64_t)((double)length[op] / candidate->factor[cell] + 0.5);
        }
}

static void begin_try(struct trial *trial)
{
    size_t size = trial->model->op_count * sizeof(int64_t);

    memcpy(trial->try_length, trial->length, size);
    memcpy(trial->try_delay, trial->delay, size);
}

static double run_try(const struct trial *trial, bool has_waits)
{
    return job_replay(trial->model,
                      &(struct job_run){.length = trial->try_length,
                                        .delay = trial->try_delay,
                                        .has_waits = has_waits},
                      trial->ends, NULL);
}

/* What is tried: the step, and without waits for who is not there. These may have had to wait for the same; then the gain
 * is what it is without them. */
static void measure_try(struct trial *trial, double *step, double *bare)
{
    *step = run_try(trial, true);
    *bare = trial->model->wait ? run_try(trial, false) : *step;
    *step = fmin(*step, trial->step - (trial->bare - *bare));
}

static void try_one(struct trial *trial, struct candidate *candidate)
{
    begin_try(trial);
    take_away(trial, candidate, trial->try_length, trial->try_delay);
    measure_try(trial, &candidate->step, &candidate->bare);
}

/* ---- saying what it is ---- */

/* The operations in which most is gained, and how much longer they take than others'. */
static void find_symptom(const struct trial *trial, const struct candidate *candidate,
                         struct job_finding *finding)
{
    const struct job_model *model = trial->model;
    struct arena scratch = {0};
    double *before = arena_array(&scratch, (size_t)model->label_count + 1, sizeof(*before));
    double *after = arena_array(&scratch, (size_t)model->label_count + 1, sizeof(*after));
    uint32_t best = 0;

    for (uint32_t op = 0; op < model->op_count; op++) {
        uint32_t cell = candidate->slow->cell[op];

        if (cell == UINT32_MAX || candidate->factor[cell] <= 1)
            continue;
        before[model->label[op]] += (double)trial->length[op];
        after[model->label[op]] += (double)trial->length[op] / candidate->factor[cell];
    }
    for (uint32_t l = 1; l < model->label_count; l++)
        best = before[l] - after[l] > before[best] - after[best] ? l : best;
    finding->label = model->labels[best];
    if (after[best] > 0)
        finding->excess = before[best] / after[best] - 1;
    arena_free(&scratch);
}

static void add_rank(struct job_finding *finding, uint32_t rank)
{
    finding->all_ranks++;
    if (finding->rank_count < CAUSE_RANKS_MOST)
        finding->ranks[finding->rank_count++] = rank;
}

/* Of a link both ends: with whom the rank's slowest transfers are. */
static void find_partners(const struct trial *trial, const struct candidate *candidate,
                          struct job_finding *finding)
{
    const struct shard_group *groups = trial->model->shard->groups, *group;
    uint32_t best = candidate->owners[0];

    for (uint32_t i = 1; i < candidate->owner_count; i++)
        if (slowness_excess(candidate->slow, candidate->owners[i]) >
            slowness_excess(candidate->slow, best))
            best = candidate->owners[i];
    group = &groups[best];
    finding->group = group->use ? group->use : group->name;
    for (uint32_t i = 0; i < group->rank_count; i++)
        if (group->ranks[i] != finding->ranks[0])
            add_rank(finding, group->ranks[i]);
}

static void find_place(const struct trial *trial, uint32_t worker, struct job_finding *finding)
{
    const struct job_worker *of = &trial->model->workers[worker];

    finding->stage = (int32_t)of->stage;
    finding->dp = (int32_t)of->dp;
    finding->host = trial->model->shard->summaries[of->summary].host;
    for (uint32_t w = 0; w < trial->figures->worker_count; w++)
        if (trial->figures->workers[w].of == worker)
            finding->delay = trial->figures->workers[w].delay;
}

/* Where ranks are not there, those who are might wait for them as they did, or come to wait less: between what these
 * two give. */
static void bound(struct trial *trial, const struct candidate *candidate,
                  struct job_finding *finding)
{
    const struct job_model *model = trial->model;
    struct job_run run = {
        .length = trial->try_length, .delay = trial->try_delay, .release = trial->release};

    finding->without_least = finding->without_most = finding->without;
    if (!trial->release)
        return;
    begin_try(trial);
    take_away(trial, candidate, trial->try_length, trial->try_delay);
    finding->without_most = fmax(job_replay(model, &run, trial->ends, NULL), finding->without);
    run.release = NULL;
    finding->without_least = fmin(job_replay(model, &run, trial->ends, NULL), finding->without);
}

static void describe(struct trial *trial, const struct candidate *candidate,
                     struct job_finding *finding)
{
    const struct job_model *model = trial->model;

    finding->with = trial->step;
    finding->without = candidate->step;
    finding->is_hidden = trial->step - candidate->step < model->limits.gain * trial->step;
    bound(trial, candidate, finding);
    switch (candidate->cause) {
    case CAUSE_LOADER:
        find_place(trial, candidate->value, finding);
        add_rank(finding, model->workers[candidate->value].rank);
        break;
    case CAUSE_LINK:
        add_rank(finding, model->workers[candidate->value].rank);
        find_place(trial, candidate->value, finding);
        find_partners(trial, candidate, finding);
        break;
    case CAUSE_RANK:
        if (candidate->owner_count == 1)
            find_place(trial, candidate->value, finding);
        for (uint32_t i = 0; i < candidate->owner_count; i++)
            add_rank(finding, model->workers[candidate->owners[i]].rank);
        break;
    case CAUSE_LINKS:
        finding->links = (enum link_class)candidate->value;
        break;
    case CAUSE_STAGE:
        finding->stage = (int32_t)candidate->value;
        break;
    case CAUSE_DP:
        finding->dp = (int32_t)candidate->value;
        break;
    default:
        break;
    }
    if (candidate->slow)
        find_symptom(trial, candidate, finding);
}

/* ---- which it is ---- */

static double gain_of(const struct trial *trial, const struct candidate *candidate)
{
    const struct job_limits *limits = &trial->model->limits;
    double least = candidate->cause == CAUSE_HOST ? limits->gain_of_hosts : limits->gain;
    double gain = trial->step - candidate->step;

    return gain >= least * trial->step ? gain : 0;
}

/* Where nothing gains anything alone, but all together do: the one without whose removal the others gain least. What
 * differs by less than a gain is equal: then ranks, which are last, come first, because their own work is measured. */
static const struct candidate *hidden_cause(struct trial *trial,
                                            const struct job_candidates *candidates)
{
    const struct candidate *best = NULL;
    double all, bare, most = -1, least_gain = trial->model->limits.gain * trial->step;

    begin_try(trial);
    for (uint32_t i = 0; i < candidates->count; i++)
        if (candidates->list[i].cause != CAUSE_HOST)
            take_away(trial, &candidates->list[i], trial->try_length, trial->try_delay);
    measure_try(trial, &all, &bare);
    if (trial->step - all < least_gain)
        return NULL;
    for (uint32_t i = 0; i < candidates->count; i++) {
        double step;

        if (candidates->list[i].cause == CAUSE_HOST)
            continue;
        begin_try(trial);
        for (uint32_t k = 0; k < candidates->count; k++)
            if (k != i && candidates->list[k].cause != CAUSE_HOST)
                take_away(trial, &candidates->list[k], trial->try_length, trial->try_delay);
        measure_try(trial, &step, &bare);
        if (step >= most - least_gain)
            best = &candidates->list[i];
        most = fmax(most, step);
    }
    return best;
}

static const struct candidate *choose(struct trial *trial, const struct job_candidates *candidates)
{
    const struct candidate *best = NULL;

    for (uint32_t i = 0; i < candidates->count; i++)
        if (gain_of(trial, &candidates->list[i]) > (best ? gain_of(trial, best) : 0))
            best = &candidates->list[i];
    return best ? best : hidden_cause(trial, candidates);
}

/* When units that lack a rank began, as they did; NULL where none does. */
static const int64_t *find_release(const struct job_model *model, const int64_t *ends,
                                   struct arena *arena)
{
    int64_t *release;

    if (!model->wait)
        return NULL;
    release = arena_array(arena, (size_t)model->op_count + 1, sizeof(*release));
    for (uint32_t op = 0; op < model->op_count; op++)
        if (model->is_lacking[op])
            release[model->unit_first[op]] = ends[op] - model->length[op];
    return release;
}

static void add_slow(const struct job_model *model, const struct job_figures *figures,
                     const struct job_links *links, struct job_findings *findings)
{
    size_t size = (size_t)model->op_count + 1;
    struct arena scratch = {0};
    struct trial trial = {.model = model,
                          .figures = figures,
                          .links = links,
                          .length = arena_array(&scratch, size, sizeof(int64_t)),
                          .delay = arena_array(&scratch, size, sizeof(int64_t)),
                          .try_length = arena_array(&scratch, size, sizeof(int64_t)),
                          .try_delay = arena_array(&scratch, size, sizeof(int64_t)),
                          .ends = arena_array(&scratch, size, sizeof(int64_t))};
    struct job_candidates candidates;

    trial.stage_of = arena_array(&scratch, (size_t)model->worker_count + 1, sizeof(uint32_t));
    trial.dp_of = arena_array(&scratch, (size_t)model->worker_count + 1, sizeof(uint32_t));
    for (uint32_t w = 0; w < model->worker_count; w++) {
        trial.stage_of[w] = model->workers[w].stage;
        trial.dp_of[w] = model->workers[w].dp;
    }
    memcpy(trial.length, model->length, model->op_count * sizeof(int64_t));
    memcpy(trial.delay, model->delay, model->op_count * sizeof(int64_t));
    begin_try(&trial);
    trial.bare = run_try(&trial, false);
    trial.step = run_try(&trial, true);
    trial.release = find_release(model, trial.ends, &scratch);
    for (int k = 0; k < CAUSES_MOST; k++) {
        const struct candidate *cause;

        job_candidates_list(&trial, &candidates);
        for (uint32_t i = 0; i < candidates.count; i++)
            try_one(&trial, &candidates.list[i]);
        cause = choose(&trial, &candidates);
        if (!cause)
            break;
        describe(&trial, cause, job_finding_add(findings, cause->cause));
        take_away(&trial, cause, trial.length, trial.delay);
        if (cause->cause == CAUSE_LINKS)
            trial.has_fast[cause->value] = true;
        trial.step = cause->step;
        trial.bare = cause->bare;
    }
    arena_free(&trial.round);
    arena_free(&scratch);
}

void job_findings_make(const struct job_model *model, const struct job_figures *figures,
                       const struct job_missing *missing, const struct job_links *links,
                       struct arena *arena, struct job_findings *findings)
{
    findings->list = arena_array(arena, FINDINGS_MOST, sizeof(*findings->list));
    findings->count = 0;
    job_faults_hangs(model->shard, findings);
    job_faults_foreign(model, findings);
    if (figures)
        add_slow(model, figures, links, findings);
    job_faults_missing(missing, findings);
    if (figures)
        job_faults_clocks(model, findings);
}
