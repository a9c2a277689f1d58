/* SPDX-License-Identifier: Apache-2.0 */
/* A job's collectives by operation and size: waiting, transfer, bandwidth, who came last. */
#include "analysis/ranks/job.h"

#include <math.h>
#include <stdlib.h>

#include "analysis/ranks/rank_overlap.h"
#include "base/checked.h"
#include "base/memory/memory.h"
#include "graph/classify/event_class.h"

/* A row of the shard, with what it is put together by. */
struct traffic_row {
    const struct shard_traffic *of;
    const struct shard_group *group;
    struct span operation, use;
};

static int by_use(const void *a, const void *b)
{
    const struct traffic_row *first = a, *second = b;
    int order = span_cmp(first->use, second->use);

    order = order ? order : span_cmp(first->operation, second->operation);
    if (order)
        return order;
    if (first->of->size != second->of->size)
        return first->of->size < second->of->size ? -1 : 1;
    if (first->group->size != second->group->size)
        return first->group->size < second->group->size ? -1 : 1;
    return (first->of > second->of) - (first->of < second->of);
}

static bool is_alike(const struct traffic_row *a, const struct traffic_row *b)
{
    return span_eq(a->use, b->use) && span_eq(a->operation, b->operation) &&
           a->of->size == b->of->size && a->group->size == b->group->size;
}

/* The one of most times, over all rows; of equals the smaller rank. */
static struct shard_last worst_of(const struct traffic_row *rows, uint32_t count)
{
    struct shard_last *ranks = NULL, worst = {0};
    struct idmap known = {0};
    size_t found = 0, cap = 0;

    for (uint32_t i = 0; i < count; i++)
        for (uint32_t k = 0; k < rows[i].of->last_count; k++) {
            const struct shard_last *last = &rows[i].of->last[k];
            uint32_t *at = idmap_at(&known, last->rank);

            if (*at == IDMAP_NONE) {
                *at = (uint32_t)found;
                ranks = grow_one(ranks, found, &cap, sizeof(*ranks));
                ranks[found++] = (struct shard_last){.rank = last->rank};
            }
            ranks[*at].times = checked_add(ranks[*at].times, last->times);
            ranks[*at].made_wait = checked_add(ranks[*at].made_wait, last->made_wait);
        }
    for (size_t i = 0; i < found; i++)
        if (ranks[i].times > worst.times ||
            (ranks[i].times == worst.times && ranks[i].rank < worst.rank))
            worst = ranks[i];
    free(ranks);
    idmap_free(&known);
    return worst;
}

static struct job_traffic sum_of_rows(const struct traffic_row *rows, uint32_t count,
                                      struct arena *arena)
{
    struct job_traffic sum = {.operation = rows->operation,
                              .use = rows->use,
                              .size = rows->of->size,
                              .ranks = rows->group->size,
                              .groups = count,
                              .worst = worst_of(rows, count)};
    const struct collective like = {.traffic = traffic_of_operation(rows->operation),
                                    .group_size = rows->group->size};
    double bytes = 0, most_bytes = 0;

    for (uint32_t i = 0; i < count; i++) {
        distribution_merge(&sum.skew, &rows[i].of->skew, arena);
        distribution_merge(&sum.transfer, &rows[i].of->transfer, arena);
        bytes += (double)rows[i].of->bytes;
        most_bytes += (double)rows[i].of->most_bytes;
    }
    sum.algorithm = sum.bus = sum.imbalance = NAN;
    if (bytes > 0 && sum.transfer.sum)
        sum.algorithm = bytes * 1e9 / (double)sum.transfer.sum;
    if (bytes > 0)
        sum.imbalance = most_bytes / bytes;
    sum.bus = sum.algorithm * collective_bus_factor(&like);
    return sum;
}

static int by_time(const void *a, const void *b)
{
    const struct job_traffic *first = a, *second = b;
    double one = (double)first->skew.sum + (double)first->transfer.sum;
    double other = (double)second->skew.sum + (double)second->transfer.sum;
    int order = span_cmp(first->use, second->use);

    if (one != other)
        return one > other ? -1 : 1;
    order = order ? order : span_cmp(first->operation, second->operation);
    if (order || first->size != second->size)
        return order ? order : first->size < second->size ? -1 : 1;
    return (first->group > second->group) - (first->group < second->group);
}

struct job_traffic *job_traffic_list(const struct job_shard *shard, bool by_group,
                                     struct arena *arena, uint32_t *count)
{
    uint32_t all = shard->traffic_count;
    struct job_traffic *list = arena_array(arena, (size_t)all + 1, sizeof(*list));
    struct traffic_row *rows = grow_zeroed((size_t)all + 1, sizeof(*rows));

    for (uint32_t i = 0; i < all; i++) {
        const struct shard_group *group = &shard->groups[shard->traffic[i].group];

        rows[i] =
            (struct traffic_row){.of = &shard->traffic[i],
                                 .group = group,
                                 .operation = shard_text(shard, shard->traffic[i].operation),
                                 .use = shard_text(shard, group->use ? group->use : group->name)};
    }
    if (!by_group)
        qsort(rows, all, sizeof(*rows), by_use);
    *count = 0;
    for (uint32_t i = 0, end; i < all; i = end) {
        for (end = i + 1; end < all && !by_group && is_alike(&rows[i], &rows[end]);)
            end++;
        list[*count] = sum_of_rows(&rows[i], end - i, arena);
        list[(*count)++].group = by_group ? rows[i].group : NULL;
    }
    free(rows);
    qsort(list, *count, sizeof(*list), by_time);
    return list;
}
