#include "analysis/spread.h"

#include <stdlib.h>

static int compare(const void *a, const void *b)
{
    int64_t first = *(const int64_t *)a, second = *(const int64_t *)b;

    return (first > second) - (first < second);
}

struct spread spread_of(int64_t *values, size_t count)
{
    struct spread spread = {0};

    for (size_t i = 1; i < count; i++) {
        spread.least_at = values[i] < values[spread.least_at] ? i : spread.least_at;
        spread.most_at = values[i] > values[spread.most_at] ? i : spread.most_at;
    }
    spread.least = values[spread.least_at];
    spread.most = values[spread.most_at];
    qsort(values, count, sizeof(*values), compare);
    spread.median = values[(count - 1) / 2];
    return spread;
}
