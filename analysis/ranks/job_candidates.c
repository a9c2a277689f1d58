/* SPDX-License-Identifier: Apache-2.0 */
/* Lists what may slow a job: hosts that are late, links, stages, data-parallel ranks and ranks that are slow. */
#include "analysis/ranks/job_candidates.h"

#include <math.h>
#include <stdlib.h>

#include "analysis/ranks/job_shard.h"
#include "base/memory/memory.h"

enum { LATE_TRIED = 6, SETS_MOST = 4 };

static struct candidate *add_candidate(struct trial *trial, struct job_candidates *candidates,
                                       enum job_cause cause, const struct slowness *slow,
                                       uint32_t value)
{
    struct candidate *added = &candidates->list[candidates->count++];

    *added = (struct candidate){.cause = cause, .value = value, .slow = slow};
    if (!slow)
        return added;
    added->factor = arena_array(&trial->round, (size_t)slow->cell_count + 1, sizeof(double));
    added->owners = arena_array(&trial->round, (size_t)slow->slow_count + 1, sizeof(uint32_t));
    return added;
}

/* An owner's operations get as long as others', whatever else is in the set. */
static void add_owner(struct candidate *candidate, uint32_t owner)
{
    candidate->owners[candidate->owner_count++] = owner;
    for (uint32_t c = 0; c < candidate->slow->cell_count; c++)
        if (candidate->slow->owner[c] == owner)
            candidate->factor[c] = candidate->slow->ratio[c];
}

static int by_ratio(const void *a, const void *b)
{
    const double *first = a, *second = b;

    return (*first > *second) - (*first < *second);
}

/* What a place's workers have in common: of each type the lower median of their ratios. */
static void share_factor(const struct trial *trial, const uint32_t *place,
                         struct candidate *candidate)
{
    const struct slowness *slow = candidate->slow;
    double *list = grow_zeroed((size_t)slow->cell_count + 1, sizeof(*list));

    for (uint32_t c = 0, end; c < slow->cell_count; c = end) {
        uint32_t count = 0;

        for (end = c; end < slow->cell_count && slow->type[end] == slow->type[c]; end++)
            if (place[slow->owner[end]] == candidate->value && !isnan(slow->ratio[end]))
                list[count++] = slow->ratio[end];
        if (!count)
            continue;
        qsort(list, count, sizeof(*list), by_ratio);
        for (uint32_t i = c; i < end; i++)
            if (place[slow->owner[i]] == candidate->value)
                candidate->factor[i] = list[(count - 1) / 2];
    }
    for (uint32_t i = 0; i < trial->workers.slow_count; i++)
        if (place[trial->workers.slow[i].owner] == candidate->value)
            candidate->owners[candidate->owner_count++] = trial->workers.slow[i].owner;
    free(list);
}

static bool is_alike(const struct trial *trial, double excess, double other)
{
    double alike = trial->model->limits.alike;

    return excess >= alike * other && excess * alike <= other;
}

/* The slowest of a slow place, where it is much slower than the place: only what it is beyond that. */
static void add_beyond_place(struct trial *trial, struct job_candidates *candidates,
                             const struct candidate *of, double usual)
{
    const struct slowness *slow = &trial->workers;
    struct candidate *added;
    uint32_t worst = 0;

    while (slow->slow[worst].owner != of->owners[0])
        worst++;
    if (is_alike(trial, slow->slow[worst].ratio - 1, usual))
        return;
    added = add_candidate(trial, candidates, CAUSE_RANK, slow, of->owners[0]);
    add_owner(added, of->owners[0]);
    for (uint32_t c = 0; c < slow->cell_count; c++)
        if (of->factor[c] > 1)
            added->factor[c] /= of->factor[c];
}

/* A place is slow where all of its workers are, most of them alike, and no others are as slow where they are few. Of a place of one worker the
 * worker is meant. */
static void add_places(struct trial *trial, struct job_candidates *candidates, enum job_cause cause,
                       const uint32_t *place, uint32_t places, bool *is_taken)
{
    const struct slowness *slow = &trial->workers;
    struct arena scratch = {0};
    uint32_t *size = arena_array(&scratch, (size_t)places + 1, sizeof(*size));
    uint32_t *count = arena_array(&scratch, (size_t)places + 1, sizeof(*count));
    double *sum = arena_array(&scratch, (size_t)places + 1, sizeof(*sum));
    uint32_t *same = arena_array(&scratch, (size_t)places + 1, sizeof(*same));

    for (uint32_t w = 0; w < trial->model->worker_count; w++)
        size[place[w]]++;
    for (uint32_t i = slow->slow_count; i-- > 0;) { /* the least slow of each first */
        uint32_t at = place[slow->slow[i].owner];
        double excess = slow->slow[i].ratio - 1;

        if (is_taken[slow->slow[i].owner])
            continue;
        if (++count[at] == (size[at] + 1) / 2)
            sum[at] = excess;
    }
    for (uint32_t i = 0; i < slow->slow_count; i++) {
        uint32_t at = place[slow->slow[i].owner];
        double excess = slow->slow[i].ratio - 1;

        same[at] += is_alike(trial, excess, sum[at]);
    }
    for (uint32_t p = 0; p < places; p++) {
        struct candidate *added;

        for (uint32_t i = 0; i < slow->slow_count && size[p] < trial->model->limits.place;
             i++) /* elsewhere, and as slow */
            count[p] *= place[slow->slow[i].owner] == p ||
                        count[place[slow->slow[i].owner]] == size[place[slow->slow[i].owner]] ||
                        !is_alike(trial, slow->slow[i].ratio - 1, sum[p]);
        if (size[p] < 2 || count[p] < size[p] || size[p] == trial->model->worker_count ||
            same[p] * 3 < size[p] * 2)
            continue;
        added = add_candidate(trial, candidates, cause, slow, p);
        share_factor(trial, place, added);
        for (uint32_t i = 0; i < added->owner_count; i++)
            is_taken[added->owners[i]] = true;
        add_beyond_place(trial, candidates, added, sum[p]);
    }
    arena_free(&scratch);
}

/* Ranks that are about as slow as one another, the slowest first. */
static void add_ranks(struct trial *trial, struct job_candidates *candidates, const bool *is_taken)
{
    const struct slowness *slow = &trial->workers;
    struct candidate *added = NULL;
    uint32_t sets = 0;
    double most = 0;

    for (uint32_t i = 0; i < slow->slow_count; i++) {
        if (is_taken[slow->slow[i].owner])
            continue;
        if (!added || slow->slow[i].ratio - 1 < trial->model->limits.alike * most) {
            if (sets++ == SETS_MOST)
                return;
            added = add_candidate(trial, candidates, CAUSE_RANK, slow, slow->slow[i].owner);
            most = slow->slow[i].ratio - 1;
        }
        add_owner(added, slow->slow[i].owner);
    }
}

static bool has_rank(const struct shard_group *group, uint32_t rank)
{
    SEARCH(uint32_t, at, group->rank_count, group->ranks[at] < rank);
    return at < group->rank_count && group->ranks[at] == rank;
}

/* Transfers over a link that have no equals to be compared with are as slow as the quickest of those that have. */
static void add_without_equals(const struct trial *trial, uint32_t rank, struct candidate *link)
{
    const struct job_shard *shard = trial->model->shard;
    const struct slowness *slow = link->slow;
    double least = 0;

    for (uint32_t c = 0; c < slow->cell_count; c++)
        if (link->factor[c] > 1 && (least == 0 || link->factor[c] < least))
            least = link->factor[c];
    for (uint32_t c = 0; c < slow->cell_count && least > 0; c++) {
        const struct shard_group *group = &shard->groups[slow->owner[c]];

        if (isnan(slow->ratio[c]) && has_rank(group, rank) && group_crosses_hosts(shard, group))
            link->factor[c] = least;
    }
}

/* The rank in whose transfers most is beyond the typical, with all of them: of two ends of one link the smaller. */
static void add_link(struct trial *trial, struct job_candidates *candidates)
{
    const struct job_model *model = trial->model;
    const struct slowness *slow = &trial->groups;
    double *of_worker = grow_zeroed((size_t)model->worker_count + 1, sizeof(*of_worker));
    struct candidate *added;
    uint32_t worst = 0;

    for (uint32_t i = 0; i < slow->slow_count; i++) {
        const struct shard_group *group = &model->shard->groups[slow->slow[i].owner];

        for (uint32_t r = 0; r < group->rank_count; r++) {
            uint32_t worker = job_worker_of(model, group->ranks[r]);

            if (worker != UINT32_MAX)
                of_worker[worker] += slowness_excess(slow, slow->slow[i].owner);
        }
    }
    for (uint32_t w = 1; w < model->worker_count; w++)
        worst = of_worker[w] > of_worker[worst] ? w : worst;
    if (of_worker[worst] > 0) {
        added = add_candidate(trial, candidates, CAUSE_LINK, slow, worst);
        for (uint32_t i = 0; i < slow->slow_count; i++) {
            uint32_t owner = slow->slow[i].owner;

            if (has_rank(&model->shard->groups[owner], model->workers[worst].rank))
                add_owner(added, owner);
        }
        add_without_equals(trial, model->workers[worst].rank, added);
    }
    free(of_worker);
}

/* All links of a class at their peak. */
static void add_links(struct trial *trial, struct job_candidates *candidates, enum link_class which)
{
    const struct job_shard *shard = trial->model->shard;
    const struct job_links *links = &trial->links[which];
    struct candidate *added;

    if (trial->has_fast[which] ||
        !(links->bus > 0 && links->bus < trial->model->limits.links * links->peak))
        return;
    added = add_candidate(trial, candidates, CAUSE_LINKS, &trial->groups, which);
    for (uint32_t c = 0; c < trial->groups.cell_count; c++)
        if (group_crosses_hosts(shard, &shard->groups[trial->groups.owner[c]]) ==
            (which == LINKS_ACROSS))
            added->factor[c] = links->peak / links->bus;
}

void job_candidates_list(struct trial *trial, struct job_candidates *candidates)
{
    const struct job_model *model = trial->model;
    bool *is_taken;

    arena_clear(&trial->round);
    slow_workers_find(model, trial->length, &trial->round, &trial->workers);
    slow_groups_find(model, trial->length, &trial->round, &trial->groups);
    late_hosts_find(model, trial->delay, &trial->round, &trial->late);
    candidates->list = arena_array(&trial->round,
                                   2 * ((size_t)model->stage_count + model->dp_count) + LATE_TRIED +
                                       SETS_MOST + LINKS_COUNT + 2,
                                   sizeof(*candidates->list));
    candidates->count = 0;
    is_taken = arena_array(&trial->round, (size_t)model->worker_count + 1, sizeof(*is_taken));
    for (uint32_t i = 0; i < trial->late.count && i < LATE_TRIED; i++)
        add_candidate(trial, candidates, CAUSE_LOADER, NULL, trial->late.list[i]);
    add_candidate(trial, candidates, CAUSE_HOST, NULL, 0);
    add_link(trial, candidates);
    add_links(trial, candidates, LINKS_ACROSS);
    add_links(trial, candidates, LINKS_WITHIN);
    if (model->stage_count > 1)
        add_places(trial, candidates, CAUSE_STAGE, trial->stage_of, model->stage_count, is_taken);
    if (model->dp_count > 1)
        add_places(trial, candidates, CAUSE_DP, trial->dp_of, model->dp_count, is_taken);
    add_ranks(trial, candidates, is_taken);
}
