/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>

#include "analysis/job/job.h"
#include "base/checked.h"

struct rank_sum *rank_sums(const struct job_part *part, struct arena *arena)
{
    struct rank_sum *sums = arena_array(arena, (size_t)part->leaf_count + 1, sizeof(*sums));

    for (uint32_t l = 0; l < part->leaf_count; l++) {
        const struct part_leaf *leaf = &part->leaves[l];

        sums[l].rank = leaf->rank;
        sums[l].steps = leaf->step_count;
        for (int f = 0; f < ROW_COUNT; f++)
            for (uint32_t s = 0; s < leaf->step_count; s++)
                sums[l].sum[f] = checked_add(sums[l].sum[f], leaf->figure[f][s]);
    }
    return sums;
}

/* ---- by step ---- */

/* A step of one rank. */
struct leaf_step {
    int64_t number;
    uint32_t leaf, at;
};

static int by_number(const void *a, const void *b)
{
    const struct leaf_step *first = a, *second = b;

    if (first->number != second->number)
        return first->number < second->number ? -1 : 1;
    return (first->leaf > second->leaf) - (first->leaf < second->leaf);
}

static struct leaf_step *steps_by_number(const struct job_part *part, struct arena *arena,
                                         uint32_t *count)
{
    uint32_t all = 0;
    struct leaf_step *list;

    for (uint32_t l = 0; l < part->leaf_count; l++)
        all += part->leaves[l].step_count;
    list = arena_array(arena, (size_t)all + 1, sizeof(*list));
    *count = 0;
    for (uint32_t l = 0; l < part->leaf_count; l++)
        for (uint32_t s = 0; s < part->leaves[l].step_count; s++)
            list[(*count)++] = (struct leaf_step){part->leaves[l].step[s], l, s};
    qsort(list, *count, sizeof(*list), by_number);
    return list;
}

static void add_rank(struct step_mean *step, const struct part_leaf *leaf, uint32_t at)
{
    int64_t length = leaf->figure[ROW_LENGTH][at];

    if (step->ranks == 0 || length > step->longest) {
        step->longest = length;
        step->slowest = leaf->rank;
    }
    step->shortest = step->ranks == 0 || length < step->shortest ? length : step->shortest;
    for (int f = 0; f < ROW_COUNT; f++)
        step->mean[f] = checked_add(step->mean[f], leaf->figure[f][at]);
    step->ranks++;
}

void step_means_find(const struct job_part *part, struct arena *arena, struct step_means *means)
{
    uint32_t count;
    const struct leaf_step *list = steps_by_number(part, arena, &count);

    *means =
        (struct step_means){.list = arena_array(arena, (size_t)count + 1, sizeof(*means->list))};
    for (uint32_t i = 0; i < count; i++) {
        if (i == 0 || list[i].number != list[i - 1].number)
            means->list[means->count++].number = list[i].number;
        add_rank(&means->list[means->count - 1], &part->leaves[list[i].leaf], list[i].at);
    }
    for (uint32_t s = 0; s < means->count; s++)
        for (int f = 0; f < ROW_COUNT; f++)
            means->list[s].mean[f] /= means->list[s].ranks;
}
