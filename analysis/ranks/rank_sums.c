/* SPDX-License-Identifier: Apache-2.0 */
/* Sums of the ranks' figures: by rank, by category, by step, and between two jobs. */
#include <stdlib.h>

#include "analysis/ranks/job.h"
#include "base/checked.h"
#include "graph/classify/event_class.h"

struct rank_sum *rank_sums(const struct job_shard *shard, struct arena *arena)
{
    struct rank_sum *sums = arena_array(arena, (size_t)shard->summary_count + 1, sizeof(*sums));

    for (uint32_t l = 0; l < shard->summary_count; l++) {
        const struct rank_summary *summary = &shard->summaries[l];

        sums[l].rank = summary->rank;
        sums[l].steps = summary->step_count;
        for (int f = 0; f < ROW_COUNT; f++)
            for (uint32_t s = 0; s < summary->step_count; s++)
                sums[l].sum[f] = checked_add(sums[l].sum[f], summary->figure[f][s]);
    }
    return sums;
}

/* ---- by category ---- */

static int by_time(const void *a, const void *b)
{
    const struct job_category *first = a, *second = b;

    return (first->time < second->time) - (first->time > second->time);
}

struct job_category *job_categories(const struct job_shard *shard, struct arena *arena,
                                    uint32_t *count)
{
    struct job_category *list = arena_array(arena, KIND_COUNT + FAMILY_COUNT, sizeof(*list));
    uint64_t all = 0;

    for (int i = 0; i < KIND_COUNT + FAMILY_COUNT; i++)
        list[i].name = i < KIND_COUNT ? frame_kind_name((enum frame_kind)i)
                                      : kernel_family_name((enum kernel_family)(i - KIND_COUNT));
    for (uint32_t i = 0; i < shard->hot_count; i++) {
        const struct shard_hot *hot = &shard->hot[i];
        enum kernel_family family =
            frame_class((enum frame_kind)hot->kind, shard_text(shard, hot->name)).family;
        struct job_category *of =
            &list[family == FAMILY_NONE ? hot->kind : KIND_COUNT + (int)family];

        of->events += hot->events.count;
        of->time += hot->events.sum;
        of->longest = hot->events.most > of->longest ? hot->events.most : of->longest;
        all += hot->events.sum;
    }
    *count = 0;
    for (int i = 0; i < KIND_COUNT + FAMILY_COUNT; i++)
        if (list[i].events) {
            list[i].share = all ? (double)list[i].time / (double)all : 0;
            list[(*count)++] = list[i];
        }
    qsort(list, *count, sizeof(*list), by_time);
    return list;
}

/* ---- by step ---- */

/* A step of one rank. */
struct summary_step {
    int64_t number;
    uint32_t summary, at;
};

static int by_number(const void *a, const void *b)
{
    const struct summary_step *first = a, *second = b;

    if (first->number != second->number)
        return first->number < second->number ? -1 : 1;
    return (first->summary > second->summary) - (first->summary < second->summary);
}

static struct summary_step *steps_by_number(const struct job_shard *shard, struct arena *arena,
                                            uint32_t *count)
{
    uint32_t all = 0;
    struct summary_step *list;

    for (uint32_t l = 0; l < shard->summary_count; l++)
        all += shard->summaries[l].step_count;
    list = arena_array(arena, (size_t)all + 1, sizeof(*list));
    *count = 0;
    for (uint32_t l = 0; l < shard->summary_count; l++)
        for (uint32_t s = 0; s < shard->summaries[l].step_count; s++)
            list[(*count)++] = (struct summary_step){shard->summaries[l].step[s], l, s};
    qsort(list, *count, sizeof(*list), by_number);
    return list;
}

static void add_rank(struct step_mean *step, const struct rank_summary *summary, uint32_t at)
{
    int64_t length = summary->figure[ROW_LENGTH][at];

    if (step->ranks == 0 || length > step->longest) {
        step->longest = length;
        step->slowest = summary->rank;
    }
    step->shortest = step->ranks == 0 || length < step->shortest ? length : step->shortest;
    for (int f = 0; f < ROW_COUNT; f++)
        step->mean[f] = checked_add(step->mean[f], summary->figure[f][at]);
    step->ranks++;
}

void step_means_find(const struct job_shard *shard, struct arena *arena, struct step_means *means)
{
    uint32_t count;
    const struct summary_step *list = steps_by_number(shard, arena, &count);

    *means =
        (struct step_means){.list = arena_array(arena, (size_t)count + 1, sizeof(*means->list))};
    for (uint32_t i = 0; i < count; i++) {
        if (i == 0 || list[i].number != list[i - 1].number)
            means->list[means->count++].number = list[i].number;
        add_rank(&means->list[means->count - 1], &shard->summaries[list[i].summary], list[i].at);
    }
    for (uint32_t s = 0; s < means->count; s++)
        for (int f = 0; f < ROW_COUNT; f++)
            means->list[s].mean[f] /= means->list[s].ranks;
}
