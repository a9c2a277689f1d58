/* SPDX-License-Identifier: Apache-2.0 */
/* Finds what slows a job: makes one thing after the other typical, and replays its steps. */
#include "analysis/ranks/job.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory/memory.h"

const char *job_cause_name(enum job_cause cause)
{
    static const char *const names[JOB_CAUSE_COUNT] = {[CAUSE_MISSED] = "missed-collective",
                                                       [CAUSE_MISMATCH] = "mismatched-collective",
                                                       [CAUSE_STUCK] = "stuck-collective",
                                                       [CAUSE_ORDER] = "collective-order",
                                                       [CAUSE_UNDECIDED] = "undecided",
                                                       [CAUSE_LATE] = "late-rank",
                                                       [CAUSE_LONG] = "long-collectives",
                                                       [CAUSE_FOREIGN] = "foreign-rank",
                                                       [CAUSE_LOADER] = "late-loader",
                                                       [CAUSE_HOST] = "slow-host",
                                                       [CAUSE_LINK] = "slow-link",
                                                       [CAUSE_RANK] = "slow-rank",
                                                       [CAUSE_RANKS] = "slow-ranks",
                                                       [CAUSE_DP] = "slow-dp-rank",
                                                       [CAUSE_STAGE] = "slow-stage",
                                                       [CAUSE_TYPE] = "slow-operation",
                                                       [CAUSE_MISSING_RANK] = "missing-rank",
                                                       [CAUSE_CLOCK] = "clock-offset"};

    return names[cause];
}

/* A cause gives at least this share of a step; of causes that give this share of the most, the one
 * that comes first in enum job_cause is taken. */
static const double least_gain = 0.01, nearly_all = 0.8;

enum { CAUSES_MOST = 4, CANDIDATES_OF_KIND = 6, PARTS_MOST = 4 };

/* ---- trying one thing after the other ---- */

/* The lengths and delays that are left when the causes found so far are gone. */
struct trial {
    const struct job_model *model;
    const struct job_figures *figures;
    int64_t *length, *delay; /* so far */
    int64_t *try_length, *ends;
    double step; /* ns, so far */
    struct arena *arena;
};

struct candidate {
    enum job_cause cause;
    uint32_t value; /* worker, stage, data-parallel rank or label */
    double step;    /* ns, without it */
    double excess;  /* ns beyond the typical, summed */
};

static bool is_about(const struct job_model *model, const struct candidate *candidate, uint32_t op)
{
    switch (candidate->cause) {
    case CAUSE_LOADER:
        return model->worker[op] == candidate->value;
    case CAUSE_HOST:
        return true;
    case CAUSE_LINK:
        return job_is_transfer_of(model, op, candidate->value);
    case CAUSE_RANK:
        return model->worker[op] == candidate->value && !model->group[op];
    case CAUSE_DP:
        return model->dp[op] == candidate->value;
    case CAUSE_STAGE:
        return model->stage[op] == candidate->value;
    default:
        return model->label[op] == candidate->value;
    }
}

/* Takes a candidate away from `length` and `delay`. What is faster than typical stays as it is. */
static void remove_from(const struct trial *trial, const struct candidate *candidate,
                        int64_t *length, int64_t *delay)
{
    const struct job_model *model = trial->model;
    bool is_host = candidate->cause == CAUSE_LOADER || candidate->cause == CAUSE_HOST;

    for (uint32_t op = 0; op < model->op_count; op++) {
        if (!is_about(model, candidate, op))
            continue;
        if (is_host)
            delay[op] = 0;
        else
            length[op] = trial->figures->ideals[op];
    }
}

/* Sets the step without each candidate. */
static void try_all(struct trial *trial, struct candidate *list, uint32_t count)
{
    const struct job_model *model = trial->model;
    struct arena scratch = {0};
    struct job_variant *variants = arena_array(&scratch, (size_t)count + 1, sizeof(*variants));
    struct job_base base;

    job_base_make(model, (struct job_run){trial->length, trial->delay}, &scratch, &base);
    for (uint32_t i = 0; i < count; i++) {
        bool is_host = list[i].cause == CAUSE_LOADER || list[i].cause == CAUSE_HOST;
        struct job_run without = {trial->figures->ideals, trial->delay};
        struct VECTOR_OF(uint32_t) ops = {0};

        for (uint32_t op = 0; op < model->op_count; op++)
            if (is_about(model, &list[i], op))
                vector_add(&ops, op);
        variants[i] = (struct job_variant){
            .base = &base,
            .run = is_host ? (struct job_run){.length = trial->length} : without,
            .ops = ops.list,
            .count = (uint32_t)ops.count,
            .result = &list[i].step};
        job_variants_run(&variants[i], 1);
        free(ops.list);
    }
    arena_free(&scratch);
}

/* ---- who could it be ---- */

/* By value of a column, how much is beyond the typical. */
struct excess {
    uint32_t value;
    double time;
};

static int by_time(const void *a, const void *b)
{
    const struct excess *first = a, *second = b;

    if (first->time != second->time)
        return first->time > second->time ? -1 : 1;
    return (first->value > second->value) - (first->value < second->value);
}

static void add_links(const struct trial *trial, struct excess *of_worker)
{
    const struct job_model *model = trial->model;
    double *of_group = grow_zeroed((size_t)model->shard->group_count + 1, sizeof(*of_group));

    /* What takes long with somebody absent may be waiting for him. */
    for (uint32_t op = 0; op < model->op_count; op++)
        if (model->group[op] && !model->shard->groups[model->group[op] - 1].is_partial)
            of_group[model->group[op] - 1] +=
                (double)(trial->length[op] - trial->figures->ideals[op]);
    for (uint32_t w = 0; w < model->worker_count; w++)
        of_worker[w] = (struct excess){w, 0};
    for (uint32_t g = 0; g < model->shard->group_count; g++) {
        const struct shard_group *group = &model->shard->groups[g];

        for (uint32_t i = 0; i < group->rank_count && of_group[g] > 0; i++) {
            uint32_t worker = job_worker_of(model, group->ranks[i]);

            if (worker != UINT32_MAX)
                of_worker[worker].time += of_group[g];
        }
    }
    for (uint32_t op = 0; op < model->op_count; op++)
        if (model->group[op] && !model->shard->groups[model->group[op] - 1].rank_count)
            of_worker[model->worker[op]].time +=
                (double)(trial->length[op] - trial->figures->ideals[op]);
    free(of_group);
}

static uint32_t add_best(struct candidate *list, uint32_t count, enum job_cause cause,
                         struct excess *excess, uint32_t values)
{
    qsort(excess, values, sizeof(*excess), by_time);
    for (uint32_t i = 0; i < values && i < CANDIDATES_OF_KIND && excess[i].time > 0; i++)
        list[count++] =
            (struct candidate){.cause = cause, .value = excess[i].value, .excess = excess[i].time};
    return count;
}

static uint32_t add_by_column(const struct trial *trial, struct candidate *list, uint32_t count,
                              enum job_cause cause, const uint32_t *column, uint32_t values)
{
    const struct job_model *model = trial->model;
    struct excess *excess = grow_zeroed((size_t)values + 1, sizeof(*excess));

    for (uint32_t v = 0; v < values; v++)
        excess[v].value = v;
    for (uint32_t op = 0; op < model->op_count; op++) {
        if (cause == CAUSE_LOADER)
            excess[column[op]].time += (double)trial->delay[op];
        else if (cause != CAUSE_RANK || !model->group[op])
            excess[column[op]].time += (double)(trial->length[op] - trial->figures->ideals[op]);
    }
    count = add_best(list, count, cause, excess, values);
    free(excess);
    return count;
}

static uint32_t list_candidates(const struct trial *trial, struct candidate *list)
{
    const struct job_model *model = trial->model;
    struct excess *links = grow_zeroed((size_t)model->worker_count + 1, sizeof(*links));
    uint32_t count = 0;

    count = add_by_column(trial, list, count, CAUSE_LOADER, model->worker, model->worker_count);
    list[count++] = (struct candidate){.cause = CAUSE_HOST};
    add_links(trial, links);
    count = add_best(list, count, CAUSE_LINK, links, model->worker_count);
    free(links);
    count = add_by_column(trial, list, count, CAUSE_RANK, model->worker, model->worker_count);
    if (model->dp_count > 1)
        count = add_by_column(trial, list, count, CAUSE_DP, model->dp, model->dp_count);
    if (model->stage_count > 1)
        count = add_by_column(trial, list, count, CAUSE_STAGE, model->stage, model->stage_count);
    return add_by_column(trial, list, count, CAUSE_TYPE, model->label, model->label_count);
}

/* ---- saying what it is ---- */

/* Whose operations, the candidate's or others', and how many: of computing how many ranks do it, as
 * waits cut it into more operations on some than on others. */
struct cause_side {
    double *time;    /* by label */
    uint64_t *count; /* by label */
};

static double mean_of(const struct cause_side *side, uint32_t label)
{
    return side->count[label] ? side->time[label] / (double)side->count[label] : NAN;
}

/* The operations in which a candidate's excess is largest, and how much longer they take than those
 * of the others. */
static void find_symptom(const struct trial *trial, const struct candidate *candidate,
                         struct job_finding *finding)
{
    const struct job_model *model = trial->model;
    size_t labels = (size_t)model->label_count + 1;
    struct arena scratch = {0};
    double *excess = arena_array(&scratch, labels, sizeof(*excess));
    uint32_t *seen = arena_array(&scratch, labels * (model->worker_count + 1), sizeof(*seen));
    struct cause_side sides[2];
    uint32_t best = 0;

    for (int i = 0; i < 2; i++)
        sides[i] = (struct cause_side){arena_array(&scratch, labels, sizeof(double)),
                                       arena_array(&scratch, labels, sizeof(uint64_t))};
    for (uint32_t op = 0; op < model->op_count; op++) {
        uint32_t label = model->label[op], mine = is_about(model, candidate, op);
        uint32_t *of_rank = &seen[(size_t)model->worker[op] * labels + label];

        sides[mine].time[label] += (double)model->length[op];
        sides[mine].count[label] += model->is_transfer[label] || !(*of_rank & 1u << mine);
        *of_rank |= 1u << mine;
        excess[label] += mine ? (double)(model->length[op] - trial->figures->ideals[op]) : 0;
    }
    for (uint32_t l = 1; l < model->label_count; l++)
        best = excess[l] > excess[best] ? l : best;
    finding->label = model->labels[best];
    if (mean_of(&sides[0], best) > 0)
        finding->excess = mean_of(&sides[1], best) / mean_of(&sides[0], best) - 1;
    arena_free(&scratch);
}

/* Of a link both ends: with whom the rank's slowest transfers are. */
static void find_partners(const struct trial *trial, uint32_t worker, struct job_finding *finding)
{
    const struct job_model *model = trial->model;
    double *of_group = grow_zeroed((size_t)model->shard->group_count + 1, sizeof(*of_group));
    uint32_t best = 0;
    const struct shard_group *group;

    for (uint32_t op = 0; op < model->op_count; op++)
        if (job_is_transfer_of(model, op, worker))
            of_group[model->group[op] - 1] +=
                (double)(trial->length[op] - trial->figures->ideals[op]);
    for (uint32_t g = 1; g < model->shard->group_count; g++)
        best = of_group[g] > of_group[best] ? g : best;
    group = &model->shard->groups[best];
    finding->group = group->use ? group->use : group->name;
    for (uint32_t i = 0; i < group->rank_count && finding->rank_count < CAUSE_RANKS_MOST; i++)
        if (group->ranks[i] != finding->ranks[0])
            finding->ranks[finding->rank_count++] = group->ranks[i];
    free(of_group);
}

static void describe(const struct trial *trial, const struct candidate *candidate,
                     struct job_finding *finding)
{
    const struct job_model *model = trial->model;

    finding->with = trial->step;
    finding->without = candidate->step;
    finding->is_hidden = trial->step - candidate->step < least_gain * trial->step;
    switch (candidate->cause) {
    case CAUSE_LOADER:
    case CAUSE_LINK:
    case CAUSE_RANK: {
        const struct job_worker *worker = &model->workers[candidate->value];

        finding->ranks[finding->rank_count++] = worker->rank;
        finding->stage = (int32_t)worker->stage;
        finding->dp = (int32_t)worker->dp;
        for (uint32_t w = 0; w < trial->figures->worker_count; w++)
            if (trial->figures->workers[w].of == candidate->value)
                finding->delay = trial->figures->workers[w].delay;
        finding->host = model->shard->summaries[worker->summary].host;
        break;
    }
    case CAUSE_STAGE:
        finding->stage = (int32_t)candidate->value;
        break;
    case CAUSE_DP:
        finding->dp = (int32_t)candidate->value;
        break;
    default:
        break;
    }
    if (candidate->cause != CAUSE_LOADER && candidate->cause != CAUSE_HOST)
        find_symptom(trial, candidate, finding);
    if (candidate->cause == CAUSE_LINK)
        find_partners(trial, candidate->value, finding);
}

/* Of two ends of one link the one that slows more by itself. */
static double weight_of(const struct trial *trial, const struct candidate *candidate)
{
    if (candidate->cause != CAUSE_LINK)
        return 0;
    for (uint32_t i = 0; i < trial->figures->worker_count; i++)
        if (trial->figures->workers[i].of == candidate->value)
            return trial->figures->workers[i].slowdown;
    return 0;
}

static bool is_better(const struct trial *trial, const struct candidate *a,
                      const struct candidate *b)
{
    double tie = 0.02 * (trial->step - b->step);

    if (a->cause != b->cause)
        return a->cause < b->cause;
    if (fabs(a->step - b->step) > tie)
        return a->step < b->step;
    return weight_of(trial, a) > weight_of(trial, b);
}

static bool is_in(const struct job_model *model, const struct candidate *candidate,
                  const struct candidate *place)
{
    const struct job_worker *worker;

    if (candidate->cause != CAUSE_RANK && candidate->cause != CAUSE_LINK)
        return false;
    if (place->cause == JOB_CAUSE_COUNT) /* everywhere */
        return true;
    worker = &model->workers[candidate->value];
    return (place->cause == CAUSE_STAGE ? worker->stage : worker->dp) == place->value;
}

/* A place is slow where its ranks are. Where a few of them, or of their links, make it so, which may hide
 * each other, the one that gains most is the cause: at most half of its ranks, and PARTS_MOST in
 * all, those first that are most beyond the typical. */
static const struct candidate *part_of_place(struct trial *trial, const struct candidate *list,
                                             uint32_t count, const struct candidate *place)
{
    const struct job_model *model = trial->model;
    const struct candidate *first = NULL;
    bool is_taken[JOB_CAUSE_COUNT * CANDIDATES_OF_KIND + 1] = {false};
    uint32_t ranks = 0, taken = 0;

    for (uint32_t w = 0; w < model->worker_count; w++)
        ranks += place->cause == JOB_CAUSE_COUNT ||
                 (place->cause == CAUSE_STAGE ? model->workers[w].stage : model->workers[w].dp) ==
                     place->value;
    memcpy(trial->try_length, trial->length, model->op_count * sizeof(int64_t));
    for (uint32_t k = 0; k < PARTS_MOST; k++) {
        uint32_t next = count;

        for (uint32_t i = 0; i < count; i++)
            if (!is_taken[i] && is_in(model, &list[i], place) &&
                (next == count || list[i].excess > list[next].excess))
                next = i;
        if (next == count || (list[next].cause == CAUSE_RANK && ++taken * 2 > ranks + 1))
            return place;
        is_taken[next] = true;
        if (!first || list[next].step < first->step)
            first = &list[next];
        remove_from(trial, &list[next], trial->try_length, trial->delay); /* lengths alone */
        if (trial->step - job_replay(model, &(struct job_run){trial->try_length, trial->delay},
                                     trial->ends, NULL) >=
            nearly_all * (trial->step - place->step))
            return first;
    }
    return place;
}

/* Where nothing gains anything alone: of a few that are equally slow the one that gains most, if these
 * are most of all that is slow; or NULL. */
static const struct candidate *hidden_cause(struct trial *trial, const struct candidate *list,
                                            uint32_t count)
{
    struct candidate all = {.cause = JOB_CAUSE_COUNT};
    const struct candidate *found;

    all.step = job_replay(trial->model, &(struct job_run){trial->figures->ideals, trial->delay},
                          trial->ends, NULL);
    if (trial->step - all.step < least_gain * trial->step)
        return NULL;
    found = part_of_place(trial, list, count, &all);
    return found == &all ? NULL : found;
}

/* A rank that stands for its stage alone cannot be told from it, nor one that is its stage's and
 * its data-parallel rank's only one. */
static const struct candidate *choose(struct trial *trial, const struct candidate *list,
                                      uint32_t count)
{
    const struct candidate *best = NULL;
    double most = 0;

    for (uint32_t i = 0; i < count; i++)
        most = trial->step - list[i].step > most ? trial->step - list[i].step : most;
    if (most < least_gain * trial->step)
        return hidden_cause(trial, list, count);
    for (uint32_t i = 0; i < count; i++)
        if (trial->step - list[i].step >= nearly_all * most &&
            (!best || is_better(trial, &list[i], best)))
            best = &list[i];
    if (best && (best->cause == CAUSE_STAGE || best->cause == CAUSE_DP))
        return part_of_place(trial, list, count, best);
    return best;
}

static void add_slow(const struct job_model *model, const struct job_figures *figures,
                     struct arena *arena, struct job_findings *findings)
{
    size_t size = (size_t)model->op_count + 1;
    struct arena scratch = {0};
    struct trial trial = {.model = model,
                          .figures = figures,
                          .length = arena_array(&scratch, size, sizeof(int64_t)),
                          .delay = arena_array(&scratch, size, sizeof(int64_t)),
                          .try_length = arena_array(&scratch, size, sizeof(int64_t)),
                          .ends = arena_array(&scratch, size, sizeof(int64_t)),
                          .step = figures->with_delays,
                          .arena = arena};
    struct candidate list[JOB_CAUSE_COUNT * CANDIDATES_OF_KIND + 1];

    memcpy(trial.length, model->length, model->op_count * sizeof(int64_t));
    memcpy(trial.delay, model->delay, model->op_count * sizeof(int64_t));
    for (int k = 0; k < CAUSES_MOST; k++) {
        uint32_t count = list_candidates(&trial, list);
        const struct candidate *cause;

        try_all(&trial, list, count);
        cause = choose(&trial, list, count);
        if (!cause)
            break;
        describe(&trial, cause, job_finding_add(findings, cause->cause));
        remove_from(&trial, cause, trial.length, trial.delay);
        trial.step = cause->step;
    }
    arena_free(&scratch);
}

void job_findings_make(const struct job_model *model, const struct job_figures *figures,
                       const struct job_missing *missing, struct arena *arena,
                       struct job_findings *findings)
{
    findings->list = arena_array(arena, FINDINGS_MOST, sizeof(*findings->list));
    findings->count = 0;
    job_faults_hangs(model->shard, findings);
    job_faults_foreign(model->shard, findings);
    if (figures)
        add_slow(model, figures, arena, findings);
    job_faults_missing(missing, findings);
    if (figures)
        job_faults_clocks(model, findings);
}
