/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>

#include "analysis/summary/summary.h"

struct ranges {
    struct intervals host, gpu, compute;
};

/* A kernel is of the communication or of the computation. Paddle goes by who launched it: one below
 * a communication but not directly so can be both, and one that no host event launched is neither. */
static void find_kernels(const struct host_tree *tree, struct ranges *ranges)
{
    const struct timeline *t = &tree->graph->timeline;
    bool is_paddle = tree->is_paddle_compat;

    for (uint32_t i = 0; i < tree->work_count; i++) {
        event_id kernel = tree->work[i].event, host = tree->work[i].host;
        unsigned wanted = is_paddle ? TRANSFER_KERNEL : TRANSFER_KIND | TRANSFER_KERNEL;
        bool is_marked = tree->transfer_marks[t->frame[kernel]] & wanted, is_below;

        if (role_of(tree, kernel) != ROLE_KERNEL || (is_paddle && host == NO_EVENT))
            continue;
        is_below = host != NO_EVENT && is_in_transfer(tree, host);
        if (is_marked || is_below)
            intervals_add(&ranges->gpu, t->start[kernel], end_of(tree, kernel));
        if (!is_marked && !(is_paddle ? is_host_transfer(role_of(tree, host),
                                                         tree->transfer_marks[t->frame[host]])
                                      : is_below))
            intervals_add(&ranges->compute, t->start[kernel], end_of(tree, kernel));
    }
}

static int compare(const void *a, const void *b)
{
    const struct interval *x = a, *y = b;

    if (x->start != y->start)
        return x->start < y->start ? -1 : 1;
    return (x->end > y->end) - (x->end < y->end);
}

/* How many different spans there are, which is what Paddle counts. */
static int64_t distinct(struct intervals *spans)
{
    int64_t count = 0;

    if (spans->count == 0)
        return 0;
    qsort(spans->list, spans->count, sizeof(*spans->list), compare);
    for (size_t i = 0; i < spans->count; i++)
        count += i == 0 || compare(&spans->list[i], &spans->list[i - 1]) != 0;
    return count;
}

static void measure(struct ranges *ranges, struct summary_distribution *distribution)
{
    struct intervals all = {0}, both = {0};

    intervals_add_all(&all, &ranges->host);
    intervals_add_all(&all, &ranges->gpu);
    intervals_unite(&all);
    intervals_unite(&ranges->host);
    intervals_unite(&ranges->gpu);
    intervals_unite(&ranges->compute);
    intervals_intersect(&all, &ranges->compute, &both);
    distribution->has_communication = all.count > 0;
    distribution->host_time = intervals_length(&ranges->host);
    distribution->gpu_time = intervals_length(&ranges->gpu);
    distribution->communication = intervals_length(&all);
    distribution->computation = intervals_length(&ranges->compute);
    distribution->overlap = intervals_length(&both);
    intervals_free(&all);
    intervals_free(&both);
}

void summary_distribution(const struct host_tree *tree, struct summary_distribution *distribution)
{
    struct ranges ranges = {0};

    *distribution = (struct summary_distribution){.calls = (int64_t)tree->transfers.count,
                                                  .total_time = tree->total_time};
    for (size_t i = 0; i < tree->transfers.count; i++)
        intervals_add(&ranges.host, tree->graph->timeline.start[tree->transfers.list[i]],
                      end_of(tree, tree->transfers.list[i]));
    find_kernels(tree, &ranges);
    distribution->gpu_calls = (int64_t)ranges.gpu.count;
    if (tree->is_paddle_compat) {
        distribution->calls = distinct(&ranges.host);
        distribution->gpu_calls = distinct(&ranges.gpu);
    }
    measure(&ranges, distribution);
    intervals_free(&ranges.host);
    intervals_free(&ranges.gpu);
    intervals_free(&ranges.compute);
}
