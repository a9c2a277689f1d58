/* SPDX-License-Identifier: Apache-2.0 */
/* How much slower a job is than without stragglers, and which part of it makes it so. */
#include "analysis/ranks/job_replay.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory/memory.h"
#include "base/parallel/parallel.h"

/* Each worker is replayed by itself, or as many as come to so many operations: seconds; the worst by
 * the paper's estimate, and EXACT_LEAST of them in any case. */
enum { REPLAYED_MOST = 2000000000, EXACT_LEAST = 64 };

/* ---- many replays at once ---- */

/* By value of a column, the operations that have it. */
struct column_ops {
    uint32_t *first, *op;
};

static struct column_ops ops_by(const struct job_model *model, const uint32_t *column,
                                uint32_t values, struct arena *arena)
{
    struct column_ops ops = {arena_array(arena, (size_t)values + 2, sizeof(*ops.first)),
                             arena_array(arena, (size_t)model->op_count + 1, sizeof(*ops.op))};

    for (uint32_t op = 0; op < model->op_count; op++)
        ops.first[column[op] + 2]++;
    for (uint32_t v = 0; v < values; v++)
        ops.first[v + 2] += ops.first[v + 1];
    for (uint32_t op = 0; op < model->op_count; op++)
        ops.op[ops.first[column[op] + 1]++] = op;
    return ops;
}

static struct job_variant variant_of(const struct column_ops *ops, uint32_t value)
{
    return (struct job_variant){.ops = ops->op + ops->first[value],
                                .count = ops->first[value + 1] - ops->first[value]};
}

struct replays {
    const struct job_model *model;
    struct job_base typical, recorded; /* without delays of hosts */
    VECTOR(struct job_variant);
};

/* Some operations as recorded, and all others typical. */
static void add_alone(struct replays *replays, struct job_variant variant, double *result)
{
    variant.base = &replays->typical;
    variant.run = replays->recorded.run;
    variant.result = result;
    vector_add(replays, variant);
}

/* Some operations typical, and all others as recorded. */
static void add_without(struct replays *replays, struct job_variant variant, double *result)
{
    variant.base = &replays->recorded;
    variant.run = replays->typical.run;
    variant.result = result;
    vector_add(replays, variant);
}

/* All operations typical, and some delayed by their hosts. */
static void add_host(struct replays *replays, struct job_variant variant, double *result)
{
    variant.base = &replays->typical;
    variant.run =
        (struct job_run){.length = replays->typical.run.length, .delay = replays->model->delay};
    variant.result = result;
    vector_add(replays, variant);
}

static void run_all(struct replays *replays)
{
    job_variants_run(replays->list, replays->count);
    replays->count = 0;
}

/* ---- shares ---- */

static int by_slowdown(const void *a, const void *b)
{
    const struct job_share *first = a, *second = b;

    if (first->slowdown != second->slowdown)
        return first->slowdown > second->slowdown ? -1 : 1;
    return (first->of > second->of) - (first->of < second->of);
}

static int by_estimate(const void *a, const void *b)
{
    const struct job_share *first = a, *second = b;

    if (first->estimate != second->estimate)
        return first->estimate > second->estimate ? -1 : 1;
    return (first->of > second->of) - (first->of < second->of);
}

/* Shares of each value of a column that has operations; T in `slowdown` and `removed` until
 * settled. */
static struct job_share *shares_of(struct replays *replays, const uint32_t *column, uint32_t values,
                                   struct arena *arena, uint32_t *count)
{
    struct job_share *shares = arena_array(arena, (size_t)values + 1, sizeof(*shares));
    struct column_ops ops = ops_by(replays->model, column, values, arena);

    *count = 0;
    for (uint32_t v = 0; v < values; v++) {
        struct job_share *share = &shares[*count];
        struct job_variant variant = variant_of(&ops, v);

        if (!variant.count)
            continue;
        *share = (struct job_share){.of = v, .estimate = NAN, .removed = NAN, .host = NAN};
        (*count)++;
        add_alone(replays, variant, &share->slowdown);
        add_without(replays, variant, &share->removed);
    }
    return shares;
}

/* From times to what they are a share of. */
static void settle(const struct job_figures *figures, struct job_share *shares, uint32_t count)
{
    double loss = figures->replayed - figures->ideal;

    for (uint32_t i = 0; i < count; i++) {
        shares[i].added = figures->is_slow ? (shares[i].slowdown - figures->ideal) / loss : NAN;
        shares[i].removed = figures->is_slow ? (figures->replayed - shares[i].removed) / loss : NAN;
        shares[i].slowdown /= figures->ideal;
    }
}

/* Of shares by value, the one of a value that is there. */
static const struct job_share *share_with(const struct job_share *shares, uint32_t count,
                                          uint32_t of)
{
    SEARCH(uint32_t, at, count, shares[at].of < of);
    return &shares[at];
}

/* ---- workers ---- */

static void find_delays(const struct job_model *model, struct job_share *workers)
{
    int64_t *most = grow_zeroed(model->worker_count, sizeof(*most));

    for (uint32_t s = 0, op = 0; s < model->step_count; s++) {
        uint32_t end = job_step_end(model, s);

        memset(most, 0, model->worker_count * sizeof(*most));
        for (; op < end; op++)
            if (model->first_dep[op] == model->first_dep[op + 1] &&
                model->delay[op] > most[model->worker[op]])
                most[model->worker[op]] = model->delay[op];
        for (uint32_t w = 0; w < model->worker_count; w++)
            workers[w].delay += most[w] / model->step_count;
    }
    free(most);
}

static void find_slowest(const struct job_model *model, struct job_figures *figures)
{
    double *beyond = grow_zeroed((size_t)model->worker_count + 1, sizeof(*beyond));

    for (uint32_t s = 0, op = 0; s < model->step_count; s++) {
        uint32_t end = job_step_end(model, s);
        uint32_t *slowest = &figures->step_slowest[s];

        memset(beyond, 0, model->worker_count * sizeof(*beyond));
        for (; op < end; op++)
            beyond[model->worker[op]] += (double)(model->length[op] - figures->ideals[op]);
        for (uint32_t w = 1; w < model->worker_count; w++)
            *slowest = beyond[w] > beyond[*slowest] ? w : *slowest;
        for (uint32_t w = 0; w < figures->worker_count; w++)
            figures->workers[w].slowest += figures->workers[w].of == *slowest;
    }
    free(beyond);
}

static void replay_workers(struct replays *replays, struct job_figures *figures,
                           struct arena *arena)
{
    const struct job_model *model = replays->model;
    uint32_t count = model->worker_count, exact = count;
    uint64_t afforded;
    struct job_share *workers = arena_array(arena, (size_t)count + 1, sizeof(*workers));
    struct column_ops ops = ops_by(model, model->worker, count, arena);

    for (uint32_t w = 0; w < count; w++) {
        const struct job_worker *worker = &model->workers[w];
        const struct job_share *stage =
            share_with(figures->stages, figures->stage_count, worker->stage);
        const struct job_share *dp = share_with(figures->dps, figures->dp_count, worker->dp);

        workers[w] = (struct job_share){
            .of = w, .estimate = fmin(stage->slowdown, dp->slowdown), .removed = NAN, .host = NAN};
    }
    find_delays(model, workers);
    afforded = REPLAYED_MOST / 2 / (model->op_count + UINT64_C(1));
    afforded = afforded > EXACT_LEAST ? afforded : EXACT_LEAST;
    if (count > afforded) {
        qsort(workers, count, sizeof(*workers), by_estimate);
        exact = (uint32_t)afforded;
    }
    figures->exact_count = exact;
    for (uint32_t i = 0; i < count; i++) {
        struct job_share *worker = &workers[i];
        struct job_variant variant = variant_of(&ops, worker->of);

        if (i >= exact) {
            worker->slowdown = worker->estimate * figures->ideal;
            continue;
        }
        add_alone(replays, variant, &worker->slowdown);
        add_host(replays, variant, &worker->host);
    }
    run_all(replays);
    settle(figures, workers, count);
    for (uint32_t i = 0; i < count; i++)
        workers[i].host /= figures->ideal;
    figures->workers = workers;
    figures->worker_count = count;
}

/* Whether the paper's estimate cannot tell workers apart: several are at one place. */
static bool is_crowded(const struct job_model *model)
{
    for (uint32_t w = 1; w < model->worker_count; w++)
        for (uint32_t v = w; v-- > 0 && w - v < 64;)
            if (model->workers[v].stage == model->workers[w].stage &&
                model->workers[v].dp == model->workers[w].dp)
                return true;
    return false;
}

/* The worst three of a hundred, by the paper's estimate where that can tell them apart. */
static void measure_worst(struct replays *replays, struct job_figures *figures, struct arena *arena)
{
    const struct job_model *model = replays->model;
    uint32_t count = figures->worker_count;
    double added = 0, removed = 0, loss = figures->replayed - figures->ideal;
    struct column_ops ops = ops_by(model, model->worker, count, arena);
    uint32_t *list = arena_array(arena, (size_t)model->op_count + 1, sizeof(*list)), listed = 0;
    struct job_variant worst;

    figures->worst_count = (3 * count + 99) / 100;
    figures->worst = arena_array(arena, figures->worst_count, sizeof(*figures->worst));
    qsort(figures->workers, count, sizeof(*figures->workers),
          is_crowded(model) ? by_slowdown : by_estimate);
    for (uint32_t i = 0; i < figures->worst_count; i++) {
        struct job_variant of_worker = variant_of(&ops, figures->workers[i].of);

        figures->worst[i] = figures->workers[i].of;
        memcpy(list + listed, of_worker.ops, of_worker.count * sizeof(*list));
        listed += of_worker.count;
    }
    qsort(figures->workers, count, sizeof(*figures->workers), by_slowdown);
    worst = (struct job_variant){.ops = list, .count = listed};
    add_alone(replays, worst, &added);
    add_without(replays, worst, &removed);
    run_all(replays);
    figures->m_w = (figures->replayed - removed) / loss;
    figures->m_w_added = (added - figures->ideal) / loss;
}

/* ---- what is typical of whom ---- */

static double slowdown_by(const struct job_model *model, const struct job_options *options,
                          const struct job_figures *figures, const uint32_t *key)
{
    struct arena arena = {0};
    int64_t *ideals = job_typical(model, model->length, options->ideal, key, &arena);
    int64_t *ends = arena_array(&arena, (size_t)model->op_count + 1, sizeof(*ends));
    double time = job_replay(model, &(struct job_run){.length = ideals}, ends, NULL);

    arena_free(&arena);
    return figures->replayed / time;
}

static void count_unmatched(const struct job_model *model, struct job_figures *figures)
{
    uint32_t *owner = grow_zeroed((size_t)model->type_count + 1, sizeof(*owner));
    double alone = 0, all = 0;

    for (uint32_t op = 0; op < model->op_count; op++) {
        uint32_t *of = &owner[model->type[op]], worker = model->worker[op] + 1;

        *of = *of == 0 || *of == worker ? worker : UINT32_MAX;
    }
    for (uint32_t op = 0; op < model->op_count; op++) {
        all += (double)model->length[op];
        alone += owner[model->type[op]] != UINT32_MAX ? (double)model->length[op] : 0;
    }
    figures->unmatched = all > 0 && model->worker_count > 1 ? alone / all : 0;
    free(owner);
}

void job_figures_compute(const struct job_model *model, const struct job_options *options,
                         struct arena *arena, struct job_figures *figures)
{
    struct replays replays = {.model = model};
    int64_t *ends = arena_array(arena, (size_t)model->op_count + 1, sizeof(*ends));
    double all_hosts;

    *figures = (struct job_figures){.m_w = NAN, .m_w_added = NAN, .m_s = NAN, .m_s_added = NAN};
    figures->ideals = job_typical(model, model->length, options->ideal, NULL, arena);
#define STEPS(name) figures->name = arena_array(arena, model->step_count, sizeof(*figures->name))
    STEPS(step_recorded);
    STEPS(step_slowest);
#undef STEPS
    job_base_make(model, (struct job_run){.length = model->length}, arena, &replays.recorded);
    job_base_make(model, (struct job_run){.length = figures->ideals}, arena, &replays.typical);
    figures->replayed = replays.recorded.step;
    figures->ideal = replays.typical.step;
    figures->step_replayed = replays.recorded.steps;
    figures->step_ideal = replays.typical.steps;
    figures->with_delays = job_replay(
        model, &(struct job_run){.length = model->length, .delay = model->delay, .has_waits = true},
        ends, NULL);
    all_hosts = job_replay(
        model, &(struct job_run){.length = figures->ideals, .delay = model->delay}, ends, NULL);
    for (uint32_t s = 0; s < model->step_count; s++) {
        figures->step_recorded[s] = model->steps[s].end - model->steps[s].begin;
        figures->recorded += (double)figures->step_recorded[s] / model->step_count;
    }
    figures->ideal = figures->ideal > 0 ? figures->ideal : 1;
    figures->slowdown = figures->replayed / figures->ideal;
    figures->is_slow = figures->slowdown >= model->limits.slow;
    figures->launch_slowdown = figures->replayed > 0 ? figures->recorded / figures->replayed : 1;
    figures->host_slowdown = all_hosts / figures->ideal;
    figures->types =
        shares_of(&replays, model->label, model->label_count, arena, &figures->type_count);
    figures->stages =
        shares_of(&replays, model->stage, model->stage_count, arena, &figures->stage_count);
    figures->dps = shares_of(&replays, model->dp, model->dp_count, arena, &figures->dp_count);
    run_all(&replays);
    settle(figures, figures->types, figures->type_count);
    settle(figures, figures->stages, figures->stage_count);
    settle(figures, figures->dps, figures->dp_count);
    replay_workers(&replays, figures, arena);
    find_slowest(model, figures);
    measure_worst(&replays, figures, arena);
    figures->m_s = figures->stages[figures->stage_count - 1].removed;
    figures->m_s_added = figures->stages[figures->stage_count - 1].added;
    if (!figures->is_slow)
        figures->m_w = figures->m_w_added = NAN;
    qsort(figures->types, figures->type_count, sizeof(*figures->types), by_slowdown);
    /* what is left when each place is compared with itself, and with its stage */
    figures->jitter = slowdown_by(model, options, figures, model->worker);
    figures->over_dp = slowdown_by(model, options, figures, model->stage);
    count_unmatched(model, figures);
    free(replays.list);
}
