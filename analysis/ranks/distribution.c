/* SPDX-License-Identifier: Apache-2.0 */
/* How a figure is distributed, in buckets that add up the same in any order. */
#include "analysis/ranks/job_shard.h"

#include <pthread.h>
#include <string.h>

enum { BOUNDS_MOST = 2048 };

/* Up to four days in nanoseconds; the last bucket has no end. */
static const int64_t highest = (int64_t)4 * 24 * 3600 * 1000000000;

static struct {
    int64_t list[BOUNDS_MOST];
    uint32_t count;
} bounds;

static void make_bounds(void)
{
    int64_t bound = 1;

    while (bound < highest) {
        bounds.list[bounds.count++] = bound;
        bound = bound * 102 / 100 > bound ? bound * 102 / 100 : bound + 1;
    }
    bounds.list[bounds.count++] = INT64_MAX;
}

static void need_bounds(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;

    pthread_once(&once, make_bounds);
}

uint32_t distribution_bucket_count(void)
{
    need_bounds();
    return bounds.count;
}

/* The first bucket whose bound is not below the figure. */
static uint32_t bucket_of(int64_t figure)
{
    uint32_t low = 0, high = bounds.count - 1;

    while (low < high) {
        uint32_t middle = low + (high - low) / 2;

        if (bounds.list[middle] < figure)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Makes room for buckets first … last. */
static void widen(struct distribution *distribution, uint32_t first, uint32_t last,
                  struct arena *arena)
{
    uint32_t old_end = distribution->first + distribution->buckets;
    uint64_t *bucket;

    if (distribution->buckets && first >= distribution->first && last < old_end)
        return;
    if (distribution->buckets) {
        first = first < distribution->first ? first : distribution->first;
        last = last >= old_end ? last : old_end - 1;
    }
    bucket = arena_array(arena, last - first + 1, sizeof(*bucket));
    if (distribution->buckets)
        memcpy(bucket + (distribution->first - first), distribution->bucket,
               distribution->buckets * sizeof(*bucket));
    distribution->bucket = bucket;
    distribution->first = first;
    distribution->buckets = last - first + 1;
}

void distribution_add(struct distribution *distribution, int64_t figure, struct arena *arena)
{
    uint32_t bucket;

    need_bounds();
    figure = figure < 0 ? 0 : figure;
    if (!distribution->count || figure < distribution->least)
        distribution->least = figure;
    if (!distribution->count || figure > distribution->most)
        distribution->most = figure;
    distribution->count++;
    distribution->sum += (uint64_t)figure;
    distribution->squares += (square)figure * (square)figure;
    if (figure == 0) {
        distribution->zeros++;
        return;
    }
    bucket = bucket_of(figure);
    widen(distribution, bucket, bucket, arena);
    distribution->bucket[bucket - distribution->first]++;
}

void distribution_merge(struct distribution *distribution, const struct distribution *other,
                        struct arena *arena)
{
    if (!other->count)
        return;
    if (!distribution->count || other->least < distribution->least)
        distribution->least = other->least;
    if (!distribution->count || other->most > distribution->most)
        distribution->most = other->most;
    distribution->count += other->count;
    distribution->sum += other->sum;
    distribution->zeros += other->zeros;
    distribution->squares += other->squares;
    if (!other->buckets)
        return;
    widen(distribution, other->first, other->first + other->buckets - 1, arena);
    for (uint32_t i = 0; i < other->buckets; i++)
        distribution->bucket[other->first - distribution->first + i] += other->bucket[i];
}

/* In the middle of the bucket, by relative error; never outside of what there was. */
static int64_t shown_for(const struct distribution *distribution, uint32_t bucket)
{
    double low = bucket ? (double)bounds.list[bucket - 1] + 1 : 1;
    double high = (double)bounds.list[bucket], middle = 2 * low * high / (low + high);

    if (middle > (double)distribution->most)
        return distribution->most;
    return middle < (double)distribution->least ? distribution->least : (int64_t)middle;
}

int64_t distribution_quantile(const struct distribution *distribution, double share)
{
    uint64_t rank, seen = distribution->zeros;

    need_bounds();
    if (!distribution->count)
        return 0;
    rank = (uint64_t)(share * (double)(distribution->count - 1));
    for (uint32_t i = 0; seen <= rank && i < distribution->buckets; i++) {
        seen += distribution->bucket[i];
        if (seen > rank)
            return shown_for(distribution, distribution->first + i);
    }
    return seen > rank ? 0 : distribution->most;
}
