#include <stdlib.h>

#include "analysis/summary/summary.h"
#include "base/grow.h"

struct ranges {
    struct intervals host, gpu, compute;
};

/* What names and kinds tell; a frame's bits, found once for all its events. */
enum { NAMED_TRANSFER = 1, NAMED_COLLECTIVE = 2, KIND_OF_TRANSFER = 4 };

struct distributing {
    const struct host_tree *tree;
    uint8_t *named; /* by frame */
    bool *inside;   /* by event: a communication on the host, or inside one */
    struct ranges ranges;
};

static bool has_word(struct span name, const char *word)
{
    return span_find_word(name, span_of(word)) != SIZE_MAX;
}

static uint8_t *read_names(const struct graph *graph)
{
    uint8_t *named = grow_zeroed(graph->frames.count, sizeof(*named));

    for (frame_id frame = 1; frame < graph->frames.count; frame++) {
        struct span name = graph_text(graph, graph_frame(graph, frame)->name);

        if (has_word(name, "allreduce") || has_word(name, "broadcast") || has_word(name, "rpc"))
            named[frame] |= NAMED_TRANSFER;
        if (has_word(name, "nccl") || has_word(name, "xccl"))
            named[frame] |= NAMED_COLLECTIVE;
        if (graph_frame(graph, frame)->kind == KIND_COMMUNICATION)
            named[frame] |= KIND_OF_TRANSFER;
    }
    return named;
}

static bool is_named(const struct distributing *d, event_id event, unsigned what)
{
    return d->named[d->tree->graph->timeline.frame[event]] & what;
}

/* Paddle has operators that communicate and are of no other type than the rest. */
static bool is_transfer(const struct distributing *d, event_id event)
{
    enum summary_role role = role_of(d->tree, event);

    if (!role_is_host(role))
        return false;
    return role == ROLE_COMMUNICATION || is_named(d, event, KIND_OF_TRANSFER) ||
           (role == ROLE_OPERATOR && is_named(d, event, NAMED_TRANSFER));
}

static void find_transfers(struct distributing *d, int64_t *calls)
{
    const struct timeline *t = &d->tree->graph->timeline;

    for (event_id e = 0; e < t->count; e++) {
        event_id above = d->tree->parent[e];
        bool is_own = is_transfer(d, e);

        d->inside[e] = is_own || (above != NO_EVENT && d->inside[above]);
        if (!is_own)
            continue;
        intervals_add(&d->ranges.host, t->start[e], end_of(d->tree, e));
        ++*calls;
    }
}

/* A kernel is one or the other. */
static void sort_kernel(struct distributing *d, event_id kernel, event_id host)
{
    bool is_own = is_named(d, kernel, KIND_OF_TRANSFER | NAMED_COLLECTIVE) ||
                  (host != NO_EVENT && d->inside[host]);

    intervals_add(is_own ? &d->ranges.gpu : &d->ranges.compute,
                  d->tree->graph->timeline.start[kernel], end_of(d->tree, kernel));
}

/* Paddle goes by who launched it: a kernel below a communication but not directly so can be both,
 * and one that no host event launched is neither. */
static void sort_kernel_as_paddle(struct distributing *d, event_id kernel, event_id host)
{
    const struct timeline *t = &d->tree->graph->timeline;
    bool is_collective = is_named(d, kernel, NAMED_COLLECTIVE);

    if (host == NO_EVENT)
        return;
    if (d->inside[host] || is_collective)
        intervals_add(&d->ranges.gpu, t->start[kernel], end_of(d->tree, kernel));
    if (!is_transfer(d, host) && !is_collective)
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
    struct distributing d = {.tree = tree, .named = read_names(tree->graph)};

    d.inside = grow_zeroed((size_t)tree->graph->timeline.count + 1, sizeof(*d.inside));
    *distribution = (struct summary_distribution){.total_time = tree->total_time};
    find_transfers(&d, &distribution->calls);
    find_kernels(&d);
    distribution->gpu_calls = (int64_t)d.ranges.gpu.count;
    if (tree->is_paddle_compat) {
        distribution->calls = distinct(&d.ranges.host);
        distribution->gpu_calls = distinct(&d.ranges.gpu);
    }
    measure(&d.ranges, distribution);
    free(d.inside);
    free(d.named);
    intervals_free(&d.ranges.host);
    intervals_free(&d.ranges.gpu);
    intervals_free(&d.ranges.compute);
}
