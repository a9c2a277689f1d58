/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>

#include "analysis/summary/summary.h"

struct ranges {
    struct intervals host, gpu, compute;
};

struct distributing {
    const struct host_tree *tree;
    struct ranges ranges;
};

static bool is_marked(const struct distributing *d, event_id event, unsigned marks)
{
    return d->tree->transfer_marks[d->tree->graph->timeline.frame[event]] & marks;
}

static void find_transfers(struct distributing *d)
{
    const struct host_tree *tree = d->tree;

    for (size_t i = 0; i < tree->transfer_count; i++)
        intervals_add(&d->ranges.host, tree->graph->timeline.start[tree->transfers[i]],
                      end_of(tree, tree->transfers[i]));
}

/* A kernel is one or the other. */
static void sort_kernel(struct distributing *d, event_id kernel, event_id host)
{
    bool is_own = is_marked(d, kernel, TRANSFER_KIND | TRANSFER_KERNEL) ||
                  (host != NO_EVENT && is_in_transfer(d->tree, host));

    intervals_add(is_own ? &d->ranges.gpu : &d->ranges.compute,
                  d->tree->graph->timeline.start[kernel], end_of(d->tree, kernel));
}

static bool is_transfer(const struct host_tree *tree, event_id host)
{
    return is_host_transfer(role_of(tree, host),
                            tree->transfer_marks[tree->graph->timeline.frame[host]]);
}

/* Paddle goes by who launched it: a kernel below a communication but not directly so can be both,
 * and one that no host event launched is neither. */
static void sort_kernel_as_paddle(struct distributing *d, event_id kernel, event_id host)
{
    const struct timeline *t = &d->tree->graph->timeline;
    bool is_collective = is_marked(d, kernel, TRANSFER_KERNEL);

    if (host == NO_EVENT)
        return;
    if (is_in_transfer(d->tree, host) || is_collective)
        intervals_add(&d->ranges.gpu, t->start[kernel], end_of(d->tree, kernel));
    if (!is_transfer(d->tree, host) && !is_collective)
        intervals_add(&d->ranges.compute, t->start[kernel], end_of(d->tree, kernel));
}

static void find_kernels(struct distributing *d)
{
    for (uint32_t i = 0; i < d->tree->work_count; i++) {
        struct hosted_work work = d->tree->work[i];

        if (role_of(d->tree, work.event) != ROLE_KERNEL)
            continue;
        if (d->tree->is_paddle_compat)
            sort_kernel_as_paddle(d, work.event, work.host);
        else
            sort_kernel(d, work.event, work.host);
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
    struct distributing d = {.tree = tree};

    *distribution = (struct summary_distribution){.calls = (int64_t)tree->transfer_count,
                                                  .total_time = tree->total_time};
    find_transfers(&d);
    find_kernels(&d);
    distribution->gpu_calls = (int64_t)d.ranges.gpu.count;
    if (tree->is_paddle_compat) {
        distribution->calls = distinct(&d.ranges.host);
        distribution->gpu_calls = distinct(&d.ranges.gpu);
    }
    measure(&d.ranges, distribution);
    intervals_free(&d.ranges.host);
    intervals_free(&d.ranges.gpu);
    intervals_free(&d.ranges.compute);
}
