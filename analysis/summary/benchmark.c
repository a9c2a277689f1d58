/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <stdlib.h>

#include "analysis/summary/summary.h"
#include "base/memory/sort.h"
#include "base/memory/vector.h"

enum { PADDLE_WARM_UP = 10 };

/* One batch, seconds. */
struct timed_batch {
    double cost, reader;
};

/* Loading data counts to the batch in which it begins. */
static void add_reader(const struct host_tree *tree, struct timed_batch *batches)
{
    const struct timeline *t = &tree->graph->timeline;

    for (event_id e = 0; tree->has_role[ROLE_DATALOADER] && e < t->count; e++) {
        if (role_of(tree, e) != ROLE_DATALOADER || is_in_phase(tree, e))
            continue;

        SEARCH(uint32_t, begun, tree->step_count, tree->step_span[begun].start <= t->start[e]);
        if (begun)
            batches[begun - 1].reader += (double)t->duration[e] / 1e9;
    }
}

static void rate_add(struct summary_rate *rate, double value, bool is_paddle)
{
    rate->average += value;
    if (value > rate->max) {
        rate->max = value;
        if (is_paddle)
            return;
    }
    if (value < rate->min)
        rate->min = value;
}

/* Batches from the tenth on, the reader from the eleventh; the averages over those after ten. */
static void measure(const struct timed_batch *batches, uint32_t count, bool is_paddle,
                    struct summary_benchmark *b)
{
    uint32_t warm_up = is_paddle ? PADDLE_WARM_UP : 0;
    double time;

    for (uint32_t i = is_paddle ? warm_up - 1 : 0; i < count; i++) {
        rate_add(&b->batch, batches[i].cost, is_paddle);
        if (batches[i].cost > 0)
            rate_add(&b->ips, 1 / batches[i].cost, is_paddle);
        if (i >= warm_up)
            rate_add(&b->reader, batches[i].reader, is_paddle);
    }
    time = b->batch.average;
    b->steps = count - warm_up;
    b->ips.average = time > 0 ? (double)b->steps / time : 0;
    b->batch.average /= (double)b->steps;
    b->reader.average /= (double)b->steps;
    b->reader_share = b->batch.average > 0 ? b->reader.average / b->batch.average : 0;
    b->has_reader = b->reader.average > 0;
}

void summary_benchmark(const struct host_tree *tree, struct summary_benchmark *benchmark)
{
    struct summary_rate none = {0, 0, INFINITY};
    uint32_t count = tree->step_count;
    struct timed_batch *batches = grow_zeroed((size_t)count + 1, sizeof(*batches));

    *benchmark = (struct summary_benchmark){.reader = none, .batch = none, .ips = none};
    for (uint32_t i = 0; i < count; i++) {
        const struct interval *step = &tree->step_span[i];
        int64_t end = i + 1 < count ? tree->step_span[i + 1].start : step->end;

        batches[i].cost = (double)(end - step->start) / 1e9;
    }
    add_reader(tree, batches);
    if (count > (tree->is_paddle_compat ? PADDLE_WARM_UP : 0u))
        measure(batches, count, tree->is_paddle_compat, benchmark);
    free(batches);
}
