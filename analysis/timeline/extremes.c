/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/timeline/inventory.h"

#include <stdlib.h>

static int compare(const void *a, const void *b)
{
    int64_t first = *(const int64_t *)a, second = *(const int64_t *)b;

    return (first > second) - (first < second);
}

struct extremes extremes_of(int64_t *values, size_t count)
{
    struct extremes extremes = {0};

    for (size_t i = 1; i < count; i++) {
        extremes.least_at = values[i] < values[extremes.least_at] ? i : extremes.least_at;
        extremes.most_at = values[i] > values[extremes.most_at] ? i : extremes.most_at;
    }
    extremes.least = values[extremes.least_at];
    extremes.most = values[extremes.most_at];
    qsort(values, count, sizeof(*values), compare);
    extremes.median = values[(count - 1) / 2];
    return extremes;
}
