/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <stdlib.h>

#include "analysis/ranks/job.h"
#include "analysis/ranks/job_shard.h"
#include "analysis/ranks/shard_join.h"
#include "base/checked.h"

static str_id text_from(struct job_shard *shard, const struct job_shard *from, str_id id)
{
    return id ? strings_intern(&shard->strings, shard_text(from, id)) : 0;
}

/* What logs of the same ranks say comes first: a job that hangs is not slow. */
static void add_logs(struct job_shard *shard, struct job_shard *logs, struct arena *arena,
                     struct job_findings *findings)
{
    struct job_findings all = {.list = arena_array(arena, FINDINGS_MOST, sizeof(*all.list))};

    shard_align(logs, GROUPS_ALL, NULL);
    job_faults_hangs(logs, &all);
    for (uint32_t i = 0; i < all.count; i++) {
        struct job_finding *finding = &all.list[i];

        finding->group = text_from(shard, logs, finding->group);
        finding->operation = text_from(shard, logs, finding->operation);
        finding->before = text_from(shard, logs, finding->before);
        finding->other_group = text_from(shard, logs, finding->other_group);
    }
    for (uint32_t i = 0; i < findings->count && all.count < FINDINGS_MOST; i++)
        all.list[all.count++] = findings->list[i];
    *findings = all;
}

bool job_analyze(struct job_shard *shard, const struct job_options *options, struct arena *arena,
                 struct job *job, struct error *err)
{
    bool has_computing = false;

    *job = (struct job){0};
    shard_align(shard, GROUPS_ALL, NULL);
    job_missing_find(shard, options, arena, &job->missing);
    job->world = shard->summary_count + job->missing.count;
    job->model.shard = shard;
    job->model.limits = options->limits;
    /* logs of communication alone tell who hangs, not who is slow */
    for (uint32_t l = 0; l < shard->summary_count; l++)
        for (uint32_t i = 0; i < shard->summaries[l].op_count && !has_computing; i++)
            has_computing = !shard->summaries[l].participation[i];
    job->is_measured = has_computing && job_model_make(shard, options, arena, &job->model, err);
    if (!job->is_measured && err->kind && !shard->absence_count)
        return false;
    *err = (struct error){0};
    if (options->change_count) {
        if (!job->is_measured)
            return error_set(err, ERROR_LACK, "no step is whole, so none can be run again");
        job->changes = options->changes;
        job->change_count = options->change_count;
        if (!job_what_if(&job->model, options->changes, options->change_count, arena, &job->outcome,
                         err))
            return false;
    }
    if (job->is_measured)
        job_figures_compute(&job->model, options, arena, &job->figures);
    job_links_find(shard, options, job->links);
    job_findings_make(&job->model, job->is_measured ? &job->figures : NULL, &job->missing,
                      job->links, arena, &job->findings);
    if (options->logs && options->logs->summary_count)
        add_logs(shard, options->logs, arena, &job->findings);
    return true;
}

/* ---- the ranks that two jobs have in common ---- */

static void take_means(const struct rank_summary *summary, int64_t means[ROW_COUNT])
{
    for (int f = 0; f < ROW_COUNT; f++) {
        int64_t sum = 0;

        for (uint32_t s = 0; s < summary->step_count; s++)
            sum = checked_add(sum, summary->figure[f][s]);
        means[f] = sum / summary->step_count;
    }
}

static double change_of(const struct rank_change *change)
{
    return fabs((double)change->new[ROW_LENGTH] - (double)change->old[ROW_LENGTH]);
}

static int by_change(const void *a, const void *b)
{
    const struct rank_change *first = a, *second = b;
    double one = change_of(first), two = change_of(second);

    if (one != two)
        return one > two ? -1 : 1;
    return (first->rank > second->rank) - (first->rank < second->rank);
}

void rank_changes_find(const struct job_shard *before, const struct job_shard *after,
                       struct arena *arena, struct rank_changes *changes)
{
    *changes = (struct rank_changes){
        .list = arena_array(arena, (size_t)before->summary_count + 1, sizeof(*changes->list))};
    for (uint32_t l = 0; l < before->summary_count; l++) {
        const struct rank_summary *old = &before->summaries[l],
                                  *new = rank_summary_of(after, old->rank);
        struct rank_change *change = &changes->list[changes->count];

        if (!new || !old->step_count || !new->step_count)
            continue;
        change->rank = old->rank;
        take_means(old, change->old);
        take_means(new, change->new);
        changes->count++;
    }
    qsort(changes->list, changes->count, sizeof(*changes->list), by_change);
}
