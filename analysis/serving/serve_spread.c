/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/serving/serve.h"

#include "base/checked.h"

/* The edges are 1, 2 and 5 µs and so on, up to 5 s. */
static int64_t edge_below(int64_t value)
{
    static const int64_t parts[] = {1, 2, 5};
    int64_t edge = 0, power = 1000;

    for (int k = 3; k < 10; k++, power *= 10)
        for (size_t i = 0; i < COUNT_OF(parts); i++)
            if (parts[i] * power <= value)
                edge = parts[i] * power;
    return edge;
}

static int64_t percentile(const int64_t *values, uint32_t count, uint32_t percent)
{
    uint64_t rank = ((uint64_t)count * percent + 99) / 100;

    return values[rank ? rank - 1 : 0];
}

void serve_spread_of(int64_t *values, uint32_t count, struct arena *arena,
                     struct serve_spread *spread)
{
    *spread = (struct serve_spread){.count = count};
    if (!count)
        return;
    sort_numbers(values, count);
    spread->least = values[0];
    spread->most = values[count - 1];
    spread->p50 = percentile(values, count, 50);
    spread->p95 = percentile(values, count, 95);
    spread->p99 = percentile(values, count, 99);
    spread->bins = arena_array(arena, 3 * 7 + 1, sizeof(*spread->bins));
    for (uint32_t i = 0; i < count; i++) {
        int64_t from = edge_below(values[i]);

        spread->sum = checked_add(spread->sum, values[i]);
        if (!spread->bin_count || spread->bins[spread->bin_count - 1].from != from)
            spread->bins[spread->bin_count++] = (struct serve_bin){.from = from};
        spread->bins[spread->bin_count - 1].steps++;
    }
}
