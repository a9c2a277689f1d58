/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/job/clock_fit.h"

#include <stdlib.h>

/* Distances of less than CLOCK_NOISE ns in the mean are no drift; nor are fewer readings than
 * FIT_LEAST. Crystals drift by 100 ppm at most: what seems to by more than DRIFT_MOST does not. What
 * is off by less than JUMP_LEAST ns is slewed, not set. */
enum {
    CLOCK_NOISE = 5000,
    FIT_LEAST = 4,
    PARTS_PER_BILLION = 1000000000,
    DRIFT_MOST = 500000,
    JUMP_LEAST = 1000000
};

__extension__ typedef __int128 wide;

static int by_number(const void *a, const void *b)
{
    const int64_t *first = a, *second = b;

    return (*first > *second) - (*first < *second);
}

int64_t lower_median(int64_t *list, uint32_t count)
{
    qsort(list, count, sizeof(*list), by_number);
    return list[(count - 1) / 2];
}

struct fitting {
    const struct clock_reading *readings;
    uint32_t count;
    int64_t *list; /* room for one number a reading */
};

static int64_t median_of(const struct fitting *fitting, uint32_t from, uint32_t end)
{
    for (uint32_t i = from; i < end; i++)
        fitting->list[i - from] = fitting->readings[i].difference;
    return lower_median(fitting->list, end - from);
}

/* The mean distance of the readings from a clock, without the farthest eighth: somebody is late at
 * times. */
static int64_t distance(const struct fitting *fitting, const struct member_clock *clock)
{
    uint32_t count = fitting->count - fitting->count / 8;
    wide sum = 0;

    for (uint32_t i = 0; i < fitting->count; i++)
        fitting->list[i] =
            llabs(fitting->readings[i].difference - clock_offset(clock, fitting->readings[i].when));
    qsort(fitting->list, fitting->count, sizeof(*fitting->list), by_number);
    for (uint32_t i = 0; i < count; i++)
        sum += fitting->list[i];
    return (int64_t)(sum / count);
}

/* Through the medians of the first and the last third, which are of their middles, as it drifts. */
static struct member_clock drifting(const struct fitting *fitting)
{
    const struct clock_reading *readings = fitting->readings;
    uint32_t count = fitting->count, third = count / 3;
    uint32_t first = (third - 1) / 2, last = count - third + first;
    struct member_clock clock = {.from = readings[first].when};
    int64_t span = readings[last].when - clock.from;
    wide drift = median_of(fitting, count - third, count);

    drift -= median_of(fitting, 0, third);
    drift = span > 0 ? drift * PARTS_PER_BILLION / span : 0;
    clock.drift = drift <= DRIFT_MOST && drift >= -DRIFT_MOST ? (int64_t)drift : 0;
    for (uint32_t i = 0; i < count; i++)
        fitting->list[i] = readings[i].difference - clock_offset(&clock, readings[i].when);
    clock.offset = lower_median(fitting->list, count);
    return clock;
}

/* The medians of the first and the last eighth, or of three, are what the clock was before and after
 * it was set: as many readings as are nearer to the one than to the other came before. */
static struct member_clock set_meanwhile(const struct fitting *fitting)
{
    const struct clock_reading *readings = fitting->readings;
    uint32_t count = fitting->count, eighth = count / 8, before = 0;
    int64_t first, last, middle;
    struct member_clock clock;

    eighth = eighth >= 3 ? eighth : count >= 12 ? 3 : 1;
    first = median_of(fitting, 0, eighth);
    last = median_of(fitting, count - eighth, count);
    middle = first / 2 + last / 2;
    for (uint32_t i = 0; i < count; i++)
        before += (readings[i].difference < middle) == (first < last);
    if (llabs(last - first) < JUMP_LEAST || before == 0 || before == count)
        return (struct member_clock){.offset = first};
    clock = (struct member_clock){.offset = median_of(fitting, 0, before),
                                  .from = readings[before].when};
    clock.jump = median_of(fitting, before, count) - clock.offset;
    return clock;
}

struct member_clock clock_fit(const struct clock_reading *readings, uint32_t count,
                              struct arena *scratch)
{
    struct fitting fitting = {readings, count, arena_array(scratch, count, sizeof(int64_t))};
    struct member_clock best = {.offset = median_of(&fitting, 0, count)};
    int64_t least = distance(&fitting, &best);

    if (count < FIT_LEAST || least <= CLOCK_NOISE)
        return best;
    for (int i = 0; i < 2; i++) {
        struct member_clock clock = i == 0 ? drifting(&fitting) : set_meanwhile(&fitting);
        int64_t mean = distance(&fitting, &clock);

        if (mean <= least / 2) {
            best = clock;
            least = mean;
        }
    }
    return best;
}
