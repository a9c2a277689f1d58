/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/compare/noise.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "graph/derive/need.h"

enum { DRAWS = 2000, LOW_DRAW = DRAWS / 40, HIGH_DRAW = DRAWS - 1 - DRAWS / 40 };

static const double NORMAL_95 = 1.959963984540054;

bool confidence_is_clear(const struct confidence *interval)
{
    return interval->is_known && (interval->low > 0 || interval->high < 0);
}

static const struct fact *period_of(const struct graph *graph)
{
    for (size_t i = 0; i < graph->fact_count; i++)
        if (!graph->facts[i].text && strcmp(graph->facts[i].key, "period") == 0)
            return &graph->facts[i];
    return NULL;
}

/* A period of 1 samples nothing: every event is there. */
int64_t noise_quantum(const struct graph *graph)
{
    const struct fact *period = period_of(graph);
    enum unit unit = graph_unit(graph);

    if (graph->native != LEVEL_CALLTREE || graph->tree.calls)
        return 0;
    if (!period)
        return unit == UNIT_COUNT ? 1 : 0;
    return period->figure > 1 && (unit == UNIT_NS || unit == UNIT_BYTES) ? period->figure : 0;
}

double runs_mean(const struct runs *runs)
{
    double sum = 0;

    for (uint32_t i = 0; i < runs->count; i++)
        sum += (double)runs->figures[i];
    return runs->count ? sum / runs->count : 0;
}

/* ---- samples ---- */

static double poisson_variance(const struct runs *runs)
{
    return runs->quantum * fabs(runs_mean(runs)) / (runs->count ? runs->count : 1);
}

static struct confidence poisson(const struct runs *before, const struct runs *after)
{
    double delta = runs_mean(after) - runs_mean(before);
    double half = NORMAL_95 * sqrt(poisson_variance(before) + poisson_variance(after));

    return (struct confidence){true, delta - half, delta + half};
}

/* ---- bootstrap ---- */

/* xorshift64*: enough for drawing, and the same everywhere. */
static uint64_t draw(uint64_t *state)
{
    *state ^= *state >> 12;
    *state ^= *state << 25;
    *state ^= *state >> 27;
    return *state * UINT64_C(2685821657736338717);
}

static double drawn_mean(const struct runs *runs, double mean, uint64_t *state)
{
    double n = runs->count, sum = 0;

    for (uint32_t i = 0; i < runs->count; i++)
        sum += (double)runs->figures[(draw(state) >> 32) * runs->count >> 32];
    return mean + (sum / n - mean) * sqrt(n / (n - 1));
}

static int by_value(const void *a, const void *b)
{
    double left = *(const double *)a, right = *(const double *)b;

    return (left > right) - (left < right);
}

/* Student's 97.5 % quantile by degrees of freedom, over the normal distribution's: what few runs
 * say of their own spread is uncertain, too. */
static double student(uint32_t freedom)
{
    static const double quantiles[] = {0,     12.706, 4.303, 3.182, 2.776, 2.571,
                                       2.447, 2.365,  2.306, 2.262, 2.228};
    double more = NORMAL_95 + 2.4 / freedom; /* to 0.02 above 10 */

    return (freedom < COUNT_OF(quantiles) ? quantiles[freedom] : more) / NORMAL_95;
}

static struct confidence bootstrap(const struct runs *before, const struct runs *after)
{
    double wider = student(before->count + after->count - 2), delta;
    double mean_before = runs_mean(before), mean_after = runs_mean(after), deltas[DRAWS];
    uint64_t state = UINT64_C(0x9E3779B97F4A7C15);

    for (int i = 0; i < DRAWS; i++)
        deltas[i] = drawn_mean(after, mean_after, &state) - drawn_mean(before, mean_before, &state);
    qsort(deltas, DRAWS, sizeof(*deltas), by_value);
    delta = mean_after - mean_before;
    return (struct confidence){true, delta - wider * (delta - deltas[LOW_DRAW]),
                               delta + wider * (deltas[HIGH_DRAW] - delta)};
}

struct confidence noise_of_difference(const struct runs *before, const struct runs *after)
{
    if (before->count > 1 && after->count > 1)
        return bootstrap(before, after);
    if (before->quantum > 0 && after->quantum > 0)
        return poisson(before, after);
    return (struct confidence){0};
}
