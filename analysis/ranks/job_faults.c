/* SPDX-License-Identifier: Apache-2.0 */
/* Finds ranks that are missing or of another run, and clocks that are off. */
#include "analysis/ranks/job.h"

#include <math.h>
#include <stdlib.h>

#include "analysis/ranks/clock_fit.h"
#include "analysis/ranks/job_shard.h"
#include "base/checked.h"
#include "base/memory/memory.h"

struct job_finding *job_finding_add(struct job_findings *findings, enum job_cause cause)
{
    struct job_finding *finding = &findings->list[findings->count];

    if (findings->count == FINDINGS_MOST)
        return NULL;
    findings->count++;
    *finding = (struct job_finding){.cause = cause,
                                    .stage = -1,
                                    .dp = -1,
                                    .excess = NAN,
                                    .with = NAN,
                                    .without = NAN,
                                    .without_least = NAN,
                                    .without_most = NAN,
                                    .sequence = NOT_KNOWN,
                                    .size = NOT_KNOWN,
                                    .usual_size = NOT_KNOWN};
    return finding;
}

static void finding_rank(struct job_finding *finding, uint32_t rank)
{
    finding->all_ranks++;
    if (finding->rank_count < CAUSE_RANKS_MOST)
        finding->ranks[finding->rank_count++] = rank;
}

/* ---- who is not there, and whose clock is off ---- */

/* How many ranks the job has, as its traces say. */
static uint32_t world_of(const struct job_shard *shard)
{
    uint32_t world = 0;

    for (uint32_t i = 0; i < shard->summary_count; i++) {
        /* Traces of phases have one rank of each tensor-parallel group. */
        if (shard->summaries[i].flags & RANK_ONE_CLOCK)
            return 0;
        world = shard->summaries[i].world > world ? shard->summaries[i].world : world;
    }
    return world < JOB_RANKS_MOST ? world : JOB_RANKS_MOST;
}

/* Traces of phases do not say how many ranks there are: those of all stages and data-parallel ranks, which
 * are numbered evenly, the stage the slowest. More than half of them are there. */
static void missing_places(const struct job_shard *shard, struct arena *arena,
                           struct job_missing *missing)
{
    uint64_t stages = 0, dps = 0, apart = 0, places;

    for (uint32_t i = 0; i < shard->summary_count; i++) {
        const struct rank_summary *summary = &shard->summaries[i];

        stages = (uint64_t)summary->stage >= stages ? (uint64_t)summary->stage + 1 : stages;
        dps = (uint64_t)summary->dp >= dps ? (uint64_t)summary->dp + 1 : dps;
    }
    places = stages * dps;
    for (uint32_t i = 0; i < shard->summary_count; i++) {
        const struct rank_summary *summary = &shard->summaries[i];
        uint64_t place = (uint64_t)summary->stage * dps + (uint64_t)summary->dp;

        apart = place && !apart ? summary->rank / place : apart;
        if (!(summary->flags & RANK_ONE_CLOCK) || summary->rank != place * apart)
            return;
    }
    if (places >= 2 * (uint64_t)shard->summary_count)
        return;
    missing->ranks = arena_array(arena, places + 1, sizeof(*missing->ranks));
    for (uint64_t place = 0; place < places; place++)
        if (!rank_summary_of(shard, (uint32_t)(place * apart)))
            missing->ranks[missing->count++] = (uint32_t)(place * apart);
}

void job_missing_find(const struct job_shard *shard, const struct job_options *options,
                      struct arena *arena, struct job_missing *missing)
{
    uint32_t world = world_of(shard);
    const struct rank_range all = {0, world - 1};
    const struct rank_range *ranges = options->expected_count ? options->expected : &all;
    uint32_t range_count = options->expected_count ? options->expected_count : world > 0;
    size_t room = 1;

    for (uint32_t i = 0; i < range_count; i++)
        room += (size_t)ranges[i].last - ranges[i].first + 1;
    *missing = (struct job_missing){arena_array(arena, room, sizeof(*missing->ranks)), 0};
    for (uint32_t i = 0; i < range_count; i++)
        for (uint32_t rank = ranges[i].first; rank <= ranges[i].last; rank++)
            if (!rank_summary_of(shard, rank))
                missing->ranks[missing->count++] = rank;
    if (!range_count)
        missing_places(shard, arena, missing);
}

void job_faults_missing(const struct job_missing *missing, struct job_findings *findings)
{
    struct job_finding *finding =
        missing->count ? job_finding_add(findings, CAUSE_MISSING_RANK) : NULL;

    if (finding)
        finding->delay = missing->count;
    for (uint32_t i = 0; i < missing->count && finding; i++)
        finding_rank(finding, missing->ranks[i]);
}

static int by_offset(const void *a, const void *b)
{
    const struct job_worker *first = *(const struct job_worker *const *)a,
                            *second = *(const struct job_worker *const *)b;

    if (first->offset[0] != second->offset[0])
        return first->offset[0] < second->offset[0] ? -1 : 1;
    return (first->rank > second->rank) - (first->rank < second->rank);
}

/* One of those whose clocks agree and who are the most; of as many on both sides the smallest rank. */
static const struct job_worker *usual_clock(const struct job_model *model)
{
    struct arena scratch = {0};
    const struct job_worker **list =
        arena_array(&scratch, (size_t)model->worker_count + 1, sizeof(*list));
    const struct job_worker *usual = model->workers;
    uint32_t count = 0, most = 0;

    for (uint32_t w = 0; w < model->worker_count; w++)
        if (model->workers[w].is_aligned)
            list[count++] = &model->workers[w];
    qsort(list, count, sizeof(*list), by_offset);
    for (uint32_t i = 0, end = 0; i < count; i++) {
        bool has_first = false;

        end = end > i ? end : i + 1;
        while (end < count && list[end]->offset[0] - list[i]->offset[0] < model->limits.clock)
            end++;
        for (uint32_t k = i; k < end && end - i == most; k++)
            has_first |= list[k] == model->workers;
        if (end - i < most || (end - i == most && !has_first))
            continue;
        most = end - i;
        usual = list[i + most / 2];
        for (uint32_t k = i; k < end; k++)
            usual = list[k] == model->workers ? model->workers : usual;
    }
    arena_free(&scratch);
    return usual;
}

static bool is_off(const struct job_model *model, int64_t offset)
{
    return offset >= model->limits.clock || offset <= -model->limits.clock;
}

/* One finding a host whose clock is off those of most. */
void job_faults_clocks(const struct job_model *model, struct job_findings *findings)
{
    const struct job_worker *usual = usual_clock(model);
    struct idmap hosts = {0};

    for (uint32_t w = 0; w < model->worker_count; w++) {
        const struct job_worker *worker = &model->workers[w];
        const struct rank_summary *summary = &model->shard->summaries[worker->summary];
        uint32_t end = model->step_count - 1;
        int64_t first = worker->offset[0] - usual->offset[0];
        int64_t last = worker->offset[end] - usual->offset[end];
        uint32_t *known;

        if (!worker->is_aligned || (!is_off(model, first) && !is_off(model, last)))
            continue;
        known = idmap_at(&hosts, summary->host ? summary->host : (uint64_t)worker->rank << 32);
        if (*known == IDMAP_NONE) {
            struct job_finding *finding = job_finding_add(findings, CAUSE_CLOCK);

            if (!finding)
                break;
            *known = (uint32_t)(finding - findings->list);
            finding->delay = first;
            finding->last_delay = last;
            finding->host = summary->host;
        }
        finding_rank(&findings->list[*known], worker->rank);
    }
    idmap_free(&hosts);
}

/* ---- who is not of this job ---- */

struct member_state {
    bool is_accused, is_cleared;
};

/* In a group whose collectives do not end together it is those for whom they do not, or the one that
 * they are compared with where that is so for most. */
static void judge(const struct shard_group *group, int64_t limit, struct member_state *member)
{
    uint32_t known = 0, off = 0;
    int64_t base = -1;

    for (uint32_t i = 0; i < group->rank_count; i++) {
        const struct member_clock *clock = &group->clock[i];

        if (clock->offset == NOT_KNOWN)
            continue;
        if (base < 0) {
            base = i;
            continue;
        }
        known += clock->residual != NOT_KNOWN;
        off += clock->residual > limit;
    }
    for (uint32_t i = 0; i < group->rank_count && known; i++) {
        bool is_off = i == base ? off * 2 >= known : group->clock[i].residual > limit;

        if (group->clock[i].residual == NOT_KNOWN)
            continue;
        member[i].is_accused = is_off;
        member[i].is_cleared = !is_off;
    }
}

/* How far apart what ends together may end here. */
static int64_t residual_limit(const struct job_shard *shard, const struct job_limits *limits)
{
    struct arena scratch = {0};
    int64_t *list, usual = 0;
    uint32_t count = 0;

    for (uint32_t g = 0; g < shard->group_count; g++)
        count += shard->groups[g].rank_count;
    list = arena_array(&scratch, (size_t)count + 1, sizeof(*list));
    count = 0;
    for (uint32_t g = 0; g < shard->group_count; g++)
        for (uint32_t i = 0; i < shard->groups[g].rank_count && shard->groups[g].is_aligned; i++)
            if (shard->groups[g].clock[i].residual > 0)
                list[count++] = shard->groups[g].clock[i].residual;
    if (count)
        usual = lower_median(list, count);
    arena_free(&scratch);
    usual = checked_whole((double)usual * limits->apart_usual);
    return usual > limits->apart ? usual : limits->apart;
}

void job_faults_foreign(const struct job_model *model, struct job_findings *findings)
{
    const struct job_shard *shard = model->shard;
    int64_t limit = residual_limit(shard, &model->limits);
    uint32_t count = 0, accused = 0;
    bool *is_accused = grow_zeroed((size_t)shard->summary_count + 1, sizeof(*is_accused));
    bool *is_cleared = grow_zeroed((size_t)shard->summary_count + 1, sizeof(*is_cleared));
    struct job_finding *finding;

    for (uint32_t g = 0; g < shard->group_count; g++) {
        const struct shard_group *group = &shard->groups[g];
        struct member_state *member;

        if (!group->is_aligned || group->is_pair || (double)group->meetings < model->limits.meetings)
            continue;
        member = grow_zeroed((size_t)group->rank_count + 1, sizeof(*member));
        judge(group, limit, member);
        for (uint32_t i = 0; i < group->rank_count; i++) {
            const struct rank_summary *summary = rank_summary_of(shard, group->ranks[i]);

            if (summary) {
                is_accused[summary - shard->summaries] |= member[i].is_accused;
                is_cleared[summary - shard->summaries] |= member[i].is_cleared;
            }
        }
        free(member);
    }
    for (uint32_t l = 0; l < shard->summary_count; l++) {
        count += is_accused[l] || is_cleared[l];
        accused += is_accused[l] && !is_cleared[l];
    }
    finding = accused && accused * 2 < count ? job_finding_add(findings, CAUSE_FOREIGN) : NULL;
    for (uint32_t l = 0; l < shard->summary_count && finding; l++)
        if (is_accused[l] && !is_cleared[l])
            finding_rank(finding, shard->summaries[l].rank);
    free(is_accused);
    free(is_cleared);
}
