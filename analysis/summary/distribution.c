#include <stdlib.h>

#include "analysis/summary/summary.h"
#include "base/grow.h"

struct ranges {
    struct intervals host, gpu, compute;
};

static bool has_word(struct span name, const char *word)
{
    return span_find_word(name, span_of(word)) != SIZE_MAX;
}

static struct span name_of(const struct host_tree *tree, event_id event)
{
    return graph_text(tree->graph,
                      graph_frame(tree->graph, tree->graph->timeline.frame[event])->name);
}

/* Paddle has operators that communicate and are of no other type than the rest. */
static bool is_transfer(const struct host_tree *tree, event_id event)
{
    struct span name;

    if (!role_is_host(role_of(tree, event)))
        return false;
    if (host_tree_is_transfer(tree, event))
        return true;
    if (role_of(tree, event) != ROLE_OPERATOR)
        return false;
    name = name_of(tree, event);
    return has_word(name, "allreduce") || has_word(name, "broadcast") || has_word(name, "rpc");
}

static bool is_transfer_kernel(const struct host_tree *tree, event_id kernel)
{
    return host_tree_is_transfer(tree, kernel) || has_word(name_of(tree, kernel), "nccl") ||
           has_word(name_of(tree, kernel), "xccl");
}

/* By event, whether it is a communication on the host or inside one. The caller frees it. */
static bool *find_transfers(const struct host_tree *tree, struct ranges *ranges, int64_t *calls)
{
    const struct timeline *t = &tree->graph->timeline;
    bool *inside = grow_zeroed((size_t)t->count + 1, sizeof(*inside));

    for (event_id e = 0; e < t->count; e++) {
        event_id above = tree->parent[e];
        bool is_own = is_transfer(tree, e);

        inside[e] = is_own || (above != NO_EVENT && inside[above]);
        if (!is_own)
            continue;
        intervals_add(&ranges->host, t->start[e], end_of(tree, e));
        ++*calls;
    }
    return inside;
}

/* A kernel is one or the other. */
static void sort_kernel(const struct host_tree *tree, const bool *inside, event_id kernel,
                        struct ranges *ranges)
{
    event_id host = host_tree_launcher(tree, kernel);
    bool is_own = is_transfer_kernel(tree, kernel) || (host != NO_EVENT && inside[host]);

    intervals_add(is_own ? &ranges->gpu : &ranges->compute, tree->graph->timeline.start[kernel],
                  end_of(tree, kernel));
}

/* Paddle goes by who launched it: a kernel below a communication but not directly so can be both,
 * and one that no host event launched is neither. */
static void sort_kernel_as_paddle(const struct host_tree *tree, const bool *inside, event_id kernel,
                                  struct ranges *ranges)
{
    const struct timeline *t = &tree->graph->timeline;
    event_id host = host_tree_launcher(tree, kernel);
    bool is_named =
        has_word(name_of(tree, kernel), "nccl") || has_word(name_of(tree, kernel), "xccl");

    if (host == NO_EVENT)
        return;
    if (inside[host] || is_named)
        intervals_add(&ranges->gpu, t->start[kernel], end_of(tree, kernel));
    if (!is_transfer(tree, host) && !is_named)
        intervals_add(&ranges->compute, t->start[kernel], end_of(tree, kernel));
}

static void find_kernels(const struct host_tree *tree, const bool *inside, struct ranges *ranges)
{
    for (event_id e = 0; e < tree->graph->timeline.count; e++)
        if (role_of(tree, e) != ROLE_KERNEL)
            continue;
        else if (tree->is_paddle_compat)
            sort_kernel_as_paddle(tree, inside, e, ranges);
        else
            sort_kernel(tree, inside, e, ranges);
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
    bool *inside;

    *distribution = (struct summary_distribution){.total_time = tree->total_time};
    inside = find_transfers(tree, &ranges, &distribution->calls);
    find_kernels(tree, inside, &ranges);
    distribution->gpu_calls = (int64_t)ranges.gpu.count;
    if (tree->is_paddle_compat) {
        distribution->calls = distinct(&ranges.host);
        distribution->gpu_calls = distinct(&ranges.gpu);
    }
    measure(&ranges, distribution);
    free(inside);
    intervals_free(&ranges.host);
    intervals_free(&ranges.gpu);
    intervals_free(&ranges.compute);
}
