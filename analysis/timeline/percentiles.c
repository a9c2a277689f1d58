/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/timeline/percentiles.h"

#include <math.h>

#include "base/checked.h"
#include "base/memory/memory.h"

/* By the nearest rank. */
static int64_t percentile(const int64_t *sorted, size_t count, size_t percent)
{
    return sorted[(count * percent + 99) / 100 - 1];
}

struct percentiles percentiles_of(int64_t *values, size_t count)
{
    struct percentiles percentiles = {.count = count};
    double mean, squares = 0;

    if (count == 0)
        return percentiles;
    sort_numbers(values, count);
    for (size_t i = 0; i < count; i++)
        percentiles.sum = checked_add(percentiles.sum, values[i]);
    mean = (double)percentiles.sum / (double)count;
    for (size_t i = 0; i < count; i++)
        squares += ((double)values[i] - mean) * ((double)values[i] - mean);
    percentiles.deviation = sqrt(squares / (double)count);
    percentiles.least = values[0];
    percentiles.median = percentile(values, count, 50);
    percentiles.p95 = percentile(values, count, 95);
    percentiles.p99 = percentile(values, count, 99);
    percentiles.most = values[count - 1];
    return percentiles;
}
