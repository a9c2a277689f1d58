/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/job/job.h"

#include <math.h>
#include <stdlib.h>

#include "base/checked.h"
#include "graph/model/job_part.h"

static void take_means(const struct part_leaf *leaf, int64_t means[ROW_COUNT])
{
    for (int f = 0; f < ROW_COUNT; f++) {
        int64_t sum = 0;

        for (uint32_t s = 0; s < leaf->step_count; s++)
            sum = checked_add(sum, leaf->figure[f][s]);
        means[f] = sum / leaf->step_count;
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

void rank_changes_find(const struct job_part *before, const struct job_part *after,
                       struct arena *arena, struct rank_changes *changes)
{
    *changes = (struct rank_changes){
        .list = arena_array(arena, (size_t)before->leaf_count + 1, sizeof(*changes->list))};
    for (uint32_t l = 0; l < before->leaf_count; l++) {
        const struct part_leaf *old = &before->leaves[l], *new = part_leaf_of(after, old->rank);
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
