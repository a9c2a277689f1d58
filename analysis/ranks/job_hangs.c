/* SPDX-License-Identifier: Apache-2.0 */
/* Finds why ranks wait for each other without an end: who missed which collective, or entered
 * another. */
#include <stdlib.h>
#include <string.h>

#include "analysis/ranks/job.h"
#include "analysis/ranks/job_shard.h"
#include "base/checked.h"
#include "base/memory/memory.h"
#include "graph/classify/event_class.h"

/* So many disagreements are looked at, and told. */
enum { LOOKED_AT = 256, REPORTED_MOST = 16 };

/* The entries of one collective, about which ranks disagree; by rank. */
struct dispute {
    const struct shard_absence *list;
    uint32_t count;
    bool is_reported;
};

static bool is_alike(const struct shard_absence *a, const struct shard_absence *b)
{
    return a->operation == b->operation && a->size == b->size;
}

static int by_kind(const void *a, const void *b)
{
    const struct shard_absence *first = a, *second = b;

    if (first->operation != second->operation)
        return first->operation < second->operation ? -1 : 1;
    if (first->size != second->size)
        return first->size < second->size ? -1 : 1;
    return (first->rank > second->rank) - (first->rank < second->rank);
}

/* What most entered it as; of as many what the smallest rank did. */
static struct shard_absence majority(const struct dispute *dispute)
{
    struct shard_absence *list = grow_zeroed(dispute->count, sizeof(*list)), best = *dispute->list;
    uint32_t most = 0;

    memcpy(list, dispute->list, dispute->count * sizeof(*list));
    qsort(list, dispute->count, sizeof(*list), by_kind);
    for (uint32_t i = 0, end; i < dispute->count; i = end) {
        for (end = i + 1; end < dispute->count && is_alike(&list[end], &list[i]);)
            end++;
        if (list[i].operation &&
            (end - i > most || (end - i == most && list[i].rank < best.rank))) {
            most = end - i;
            best = list[i];
        }
    }
    free(list);
    return best;
}

/* Goes on to the next rank that both have; false at the end. */
static bool next_common(const struct dispute *a, uint32_t *i, const struct dispute *b, uint32_t *k)
{
    while (*i < a->count && *k < b->count && a->list[*i].rank != b->list[*k].rank)
        ++*(a->list[*i].rank < b->list[*k].rank ? i : k);
    return *i < a->count && *k < b->count;
}

/* Whether somebody entered `other` before `own`: then it cannot be what kept them. */
static bool comes_before(const struct dispute *other, const struct dispute *own)
{
    for (uint32_t i = 0, k = 0; next_common(other, &i, own, &k); i++, k++)
        if (other->list[i].entered && own->list[k].entered &&
            other->list[i].entered < own->list[k].entered)
            return true;
    return false;
}

static struct job_finding *add_about(const struct job_shard *shard, struct job_findings *findings,
                                     enum job_cause cause, const struct shard_absence *about)
{
    struct job_finding *finding = job_finding_add(findings, cause);
    const struct shard_group *group = &shard->groups[about->group];

    if (finding) {
        finding->sequence = about->sequence;
        finding->group = group->use ? group->use : group->name;
        finding->operation = about->operation;
        finding->size = about->size;
    }
    return finding;
}

static void add_rank(struct job_finding *finding, uint32_t rank)
{
    if (finding->rank_count < CAUSE_RANKS_MOST)
        finding->ranks[finding->rank_count++] = rank;
}

/* ---- two groups that wait for each other ---- */

/* Whose device has begun `mine`, and not `other`, which it entered later. */
static bool holds(const struct shard_absence *mine, const struct shard_absence *other)
{
    return mine->is_begun && !other->is_begun && other->entered > mine->entered;
}

/* Some ranks are in the one and have the other still to do, and some the other way round: the fewer
 * are those who went in another order. */
static bool add_order(const struct job_shard *shard, struct dispute *a, struct dispute *b,
                      struct job_findings *findings)
{
    bool a_held = false, b_held = false;
    uint32_t in_a = 0, in_b = 0;
    const struct dispute *most, *fewest;
    struct job_finding *finding;

    for (uint32_t i = 0, k = 0; next_common(a, &i, b, &k); i++, k++) {
        a_held |= holds(&a->list[i], &b->list[k]);
        b_held |= holds(&b->list[k], &a->list[i]);
    }
    if (!a_held || !b_held)
        return false;
    for (uint32_t i = 0; i < a->count; i++)
        in_a += a->list[i].is_begun;
    for (uint32_t k = 0; k < b->count; k++)
        in_b += b->list[k].is_begun;
    most = in_a >= in_b ? a : b;
    fewest = most == a ? b : a;
    finding = add_about(shard, findings, CAUSE_ORDER, most->list);
    if (!finding)
        return false;
    finding->other_group = shard->groups[fewest->list->group].use;
    finding->before = fewest->list->operation;
    for (uint32_t i = 0, k = 0; next_common(most, &i, fewest, &k); i++, k++)
        if (holds(&fewest->list[k], &most->list[i]))
            add_rank(finding, most->list[i].rank);
    a->is_reported = b->is_reported = true;
    return true;
}

/* ---- one collective ---- */

/* Of a transfer the two ends: who receives another amount than is sent. */
static void add_transfer(const struct job_shard *shard, const struct dispute *dispute,
                         struct job_findings *findings)
{
    const struct shard_absence *first = dispute->list, *second = dispute->list + 1;
    bool is_first = traffic_of_operation(shard_text(shard, first->operation)) == TRAFFIC_RECEIVE;
    const struct shard_absence *receiver = is_first ? first : second;
    const struct shard_absence *sender = is_first ? second : first;
    struct job_finding *finding = add_about(shard, findings, CAUSE_MISMATCH, receiver);

    if (!finding)
        return;
    finding->before = receiver->operation;
    finding->is_transfer = true;
    finding->usual_size = sender->size;
    add_rank(finding, receiver->rank);
    add_rank(finding, sender->rank);
}

static void add_collective(const struct job_shard *shard, const struct dispute *dispute,
                           struct job_findings *findings)
{
    const struct shard_absence most = majority(dispute);
    struct job_finding *finding;
    enum job_cause cause = CAUSE_STUCK;

    if (shard->groups[most.group].is_pair && dispute->count == 2 && dispute->list[0].entered &&
        dispute->list[1].entered) {
        add_transfer(shard, dispute, findings);
        return;
    }
    for (uint32_t i = 0; i < dispute->count; i++) {
        if (!dispute->list[i].entered)
            cause = CAUSE_MISSED;
        else if (!is_alike(&dispute->list[i], &most) && cause == CAUSE_STUCK)
            cause = CAUSE_MISMATCH;
    }
    finding = add_about(shard, findings, cause, &most);
    if (!finding)
        return;
    finding->usual_size = most.size;
    for (uint32_t i = 0; i < dispute->count; i++) {
        const struct shard_absence *absence = &dispute->list[i];
        const struct rank_summary *summary = rank_summary_of(shard, absence->rank);

        if (cause == CAUSE_STUCK ? absence->is_begun : is_alike(absence, &most))
            continue;
        if (!finding->rank_count) {
            str_id last = summary->participation_count
                              ? summary->operation[summary->participation_count - 1]
                              : 0;

            finding->before = absence->entered ? absence->operation : last;
            finding->size = absence->size;
        }
        add_rank(finding, absence->rank);
        finding->is_log = summary->flags & RANK_END_TOGETHER;
    }
}

/* ---- who is not there to tell ---- */

/* Logs in which a collective has not ended, whose other members have no file. */
static void add_undecided(const struct job_shard *shard, struct job_findings *findings)
{
    for (uint32_t l = 0; l < shard->summary_count; l++) {
        const struct rank_summary *summary = &shard->summaries[l];

        for (uint32_t i = 0; i < summary->participation_count && summary->flags & RANK_LOG; i++) {
            const struct shard_group *group = &shard->groups[summary->group[i]];
            struct job_finding *finding;

            if (summary->lasted[i] != NOT_KNOWN || !group->is_partial || !group->rank_count)
                continue;
            finding = add_about(shard, findings, CAUSE_UNDECIDED,
                                &(struct shard_absence){.group = summary->group[i],
                                                        .sequence = summary->sequence[i],
                                                        .operation = summary->operation[i]});
            for (uint32_t k = 0; k < group->rank_count && finding; k++)
                if (!rank_summary_of(shard, group->ranks[k]))
                    add_rank(finding, group->ranks[k]);
            return;
        }
    }
}

/* ---- who is late, where nothing else is known ---- */

/* By summary, how often its rank came last in collectives, and who waited for it. */
static struct shard_last *count_lasts(const struct job_shard *shard)
{
    struct shard_last *sums = grow_zeroed((size_t)shard->summary_count + 1, sizeof(*sums));

    for (uint32_t i = 0; i < shard->traffic_count; i++) {
        const struct shard_traffic *traffic = &shard->traffic[i];

        for (uint32_t k = 0; k < traffic->last_count && !shard->groups[traffic->group].is_pair;
             k++) {
            const struct rank_summary *summary = rank_summary_of(shard, traffic->last[k].rank);
            struct shard_last *sum =
                &sums[summary ? summary - shard->summaries : shard->summary_count];

            sum->times = checked_add(sum->times, traffic->last[k].times);
            sum->made_wait = checked_add(sum->made_wait, traffic->last[k].made_wait);
        }
    }
    return sums;
}

/* A rank of a log that comes last in three of five, and three times at least. */
static void add_late(const struct job_shard *shard, struct job_findings *findings)
{
    struct shard_last *sums = count_lasts(shard);

    for (uint32_t l = 0; l < shard->summary_count; l++) {
        const struct rank_summary *summary = &shard->summaries[l];
        struct job_finding *finding;
        int64_t participations = 0;

        for (uint32_t i = 0; i < summary->participation_count && summary->flags & RANK_LOG; i++)
            participations +=
                !shard->groups[summary->group[i]].is_pair && summary->lasted[i] != NOT_KNOWN;
        if (!(summary->flags & RANK_LOG) || sums[l].times < 3 ||
            (double)sums[l].times < 0.6 * (double)participations || sums[l].made_wait <= 0)
            continue;
        finding = job_finding_add(findings, CAUSE_LATE);
        if (!finding)
            break;
        add_rank(finding, summary->rank);
        finding->times = sums[l].times;
        finding->participations = participations;
        finding->delay = sums[l].made_wait;
    }
    free(sums);
}

/* ---- who is longest, where nothing is known of when ---- */

static int64_t waited(const struct rank_summary *summary)
{
    int64_t sum = 0;

    for (uint32_t s = 0; s < summary->step_count; s++)
        sum = checked_add(sum, summary->figure[ROW_WAITED][s]);
    return sum;
}

static int by_amount(const void *a, const void *b)
{
    const int64_t *first = a, *second = b;

    return (*first > *second) - (*first < *second);
}

/* Ranks that are in collectives for longer than the shortest by three times what is usual, and by a tenth
 * of all that they took. */
static void add_long(const struct job_shard *shard, struct job_findings *findings)
{
    int64_t *amounts = grow_zeroed((size_t)shard->summary_count + 1, sizeof(*amounts)), usual;
    uint32_t count = 0;

    for (uint32_t l = 0; l < shard->summary_count; l++)
        if (shard->summaries[l].flags & RANK_END_TOGETHER)
            amounts[count++] = waited(&shard->summaries[l]);
    qsort(amounts, count, sizeof(*amounts), by_amount);
    usual = count ? amounts[count / 2] : 0;
    free(amounts);
    for (uint32_t l = 0; l < shard->summary_count && count > 2; l++) {
        const struct rank_summary *summary = &shard->summaries[l];
        int64_t amount = waited(summary), took = 0;
        struct job_finding *finding;

        for (uint32_t i = 0; i < summary->op_count; i++)
            took = checked_add(took, summary->length[i]);
        if (!(summary->flags & RANK_END_TOGETHER) || amount / 3 <= usual || amount < took / 10)
            continue;
        finding = job_finding_add(findings, CAUSE_LONG);
        if (!finding)
            return;
        add_rank(finding, summary->rank);
        finding->delay = amount;
    }
}

/* ---- all ---- */

void job_faults_hangs(const struct job_shard *shard, struct job_findings *findings)
{
    struct dispute disputes[LOOKED_AT];
    uint32_t count = 0, most = findings->count + REPORTED_MOST;
    bool *is_before;

    for (uint32_t i = 0; i < shard->absence_count && count < LOOKED_AT;
         i += disputes[count++].count) {
        const struct shard_absence *first = &shard->absences[i];

        disputes[count] = (struct dispute){.list = first};
        while (i + disputes[count].count < shard->absence_count &&
               first[disputes[count].count].group == first->group &&
               first[disputes[count].count].sequence == first->sequence)
            disputes[count].count++;
    }
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t k = i + 1; k < count && !disputes[i].is_reported; k++)
            if (!disputes[k].is_reported)
                add_order(shard, &disputes[i], &disputes[k], findings);
    is_before = grow_zeroed((size_t)count * count + 1, sizeof(*is_before));
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t k = 0; k < count; k++)
            is_before[i * count + k] = k != i && comes_before(&disputes[k], &disputes[i]);
    while (findings->count < most) {
        struct dispute *best = NULL;
        uint32_t fewest = UINT32_MAX;

        for (uint32_t i = 0; i < count; i++) {
            uint32_t before = 0;

            for (uint32_t k = 0; k < count && !disputes[i].is_reported; k++)
                before += !disputes[k].is_reported && is_before[i * count + k];
            if (!disputes[i].is_reported && before < fewest) {
                fewest = before;
                best = &disputes[i];
            }
        }
        if (!best)
            break;
        add_collective(shard, best, findings);
        best->is_reported = true;
    }
    free(is_before);
    add_undecided(shard, findings);
    add_long(shard, findings);
    add_late(shard, findings);
}
