/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/compare/diff.h"

#include <math.h>

#include "graph/model/graph.h"

bool confidence_is_clear(const struct confidence *interval)
{
    return interval->is_known && (interval->low > 0 || interval->high < 0);
}

/* A period of 1 samples nothing: every event is there. */
int64_t noise_quantum(const struct graph *graph)
{
    enum unit unit = graph_unit(graph);
    int64_t period;

    if (graph->native != LEVEL_CALLTREE || graph->tree.calls)
        return 0;
    if (!graph_fact(graph, FACT_PERIOD, &period))
        return unit == UNIT_COUNT ? 1 : 0;
    return period > 1 && (unit == UNIT_NS || unit == UNIT_BYTES) ? period : 0;
}

double runs_mean(const struct runs *runs)
{
    double sum = 0;

    for (uint32_t i = 0; i < runs->count; i++)
        sum += (double)runs->figures[i];
    return runs->count ? sum / runs->count : 0;
}

/* ---- quantiles ---- */

/* How many deviations from its mean a normal variable is with probability `miss`: the root of
 * erfc(z / √2) = miss, by Newton's method from above, where the function is convex. */
static double normal_quantile(double miss)
{
    static const double LEAST = 1e-12, ROOT_2 = 1.4142135623730951, SLOPE = 0.7978845608028654;
    double wanted = fmax(miss, LEAST), z = 0;

    for (int i = 0; i < 60; i++)
        z += (erfc(z / ROOT_2) - wanted) / (SLOPE * exp(-z * z / 2));
    return z;
}

/* The same of Student's t: Wallace's approximation (1959), within 4 % at two degrees of freedom and
 * 0.2 % from six on. */
static double student_quantile(double miss, uint32_t freedom)
{
    double n = freedom, z = normal_quantile(miss) * (8 * n + 3) / (8 * n + 1);

    return sqrt(n * expm1(z * z / n));
}

/* ---- variances ---- */

/* Of samples: their number is a Poisson variable. */
static double poisson_variance(const struct runs *runs)
{
    return runs->quantum * fabs(runs_mean(runs)) / (runs->count ? runs->count : 1);
}

/* Of one run's figure, from those of all. */
static double variance(const struct runs *runs)
{
    double mean = runs_mean(runs), sum = 0;

    for (uint32_t i = 0; i < runs->count; i++)
        sum += pow((double)runs->figures[i] - mean, 2);
    return sum / (runs->count - 1);
}

/* Of the mean. What is usual counts as so many runs more. */
static double mean_variance(const struct runs *runs, double usual, uint32_t usual_runs)
{
    double own = (runs->count - 1) * variance(runs), mean = runs_mean(runs);

    return (own + usual_runs * usual * mean * mean) / (runs->count - 1 + usual_runs) / runs->count;
}

double noise_spread(const struct runs *before, const struct runs *after)
{
    double old = runs_mean(before), new = runs_mean(after);

    if (before->count < 2 || after->count < 2 || old == 0 || new == 0)
        return NAN;
    return ((before->count - 1) * variance(before) / (old * old) +
            (after->count - 1) * variance(after) / (new *new)) /
           (before->count + after->count - 2);
}

struct confidence noise_of_difference(const struct runs *before, const struct runs *after,
                                      double usual, double miss)
{
    enum { USUAL_RUNS = 4 };
    uint32_t more = usual > 0 ? USUAL_RUNS : 0;
    double delta = runs_mean(after) - runs_mean(before), half;

    if (before->count > 1 && after->count > 1)
        half = student_quantile(miss, before->count + after->count - 2 + more) *
               sqrt(mean_variance(before, usual, more) + mean_variance(after, usual, more));
    else if (before->quantum > 0 && after->quantum > 0)
        half = normal_quantile(miss) * sqrt(poisson_variance(before) + poisson_variance(after));
    else
        return (struct confidence){0};
    return (struct confidence){true, delta - half, delta + half};
}
