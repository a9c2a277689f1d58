/* SPDX-License-Identifier: Apache-2.0 */
/* Which node of a capture each piece of device work of a launch is, by order, streams, ids and
 * names. */
#include "analysis/captures/captures.h"

#include <stdlib.h>

#include "base/memory/memory.h"
#include "graph/classify/kernel_class.h"

enum {
    STREAMS_MAX = 64, /* of one launch */
    RUN_MAX = 1024,   /* how far two streams are compared */
};

enum likeness { UNLIKE, PERHAPS, ALIKE }; /* PERHAPS: a call whose kernel nobody named */

struct aligning {
    const struct graph *names;
    const struct graph_node *captured, *work;
    uint32_t captured_count, work_count;
    uint32_t *node_of;
};

const char *alignment_text(enum alignment alignment)
{
    static const char *const texts[ALIGNMENT_COUNT] = {
        [ALIGNED_NOT] = "",
        [ALIGNED_BY_ANNOTATIONS] = "by annotations of nodes",
        [ALIGNED_BY_IDS] = "by node ids",
        [ALIGNED_IN_ORDER] = "by order, names agree",
        [ALIGNED_UNNAMED] = "by order, not verified by names",
        [ALIGNED_BY_SCAN] = "by order, some captured calls left no work",
        [ALIGNED_BY_STREAMS] = "by order on each stream",
        [ALIGNED_BY_NAMES] = "by names",
    };

    return texts[alignment];
}

static enum likeness likeness(const struct aligning *all, uint32_t node, uint32_t work)
{
    const struct graph_node *a = &all->captured[node], *b = &all->work[work];
    struct span of_a, of_b;

    if (a->kind != b->kind)
        return UNLIKE;
    if (a->kind != KIND_KERNEL || a->name == b->name)
        return ALIKE;
    if (!a->name)
        return PERHAPS;
    of_a = graph_text(all->names, a->name);
    of_b = graph_text(all->names, b->name);
    return is_same_kernel(of_a, of_b) ? ALIKE : UNLIKE;
}

static bool is_one_stream(const struct aligning *all)
{
    for (uint32_t i = 1; i < all->work_count; i++)
        if (all->work[i].stream != all->work[0].stream)
            return false;
    return true;
}

static bool has_ids(const struct aligning *all)
{
    for (uint32_t i = 0; i < all->work_count; i++)
        if (!all->work[i].id || (i && all->work[i].id == all->work[i - 1].id))
            return false;
    return true;
}

static enum alignment in_order(const struct aligning *all)
{
    enum likeness least = ALIKE;

    if (all->captured_count != all->work_count)
        return ALIGNED_NOT;
    for (uint32_t i = 0; i < all->work_count; i++) {
        enum likeness one = likeness(all, i, i);

        if (one == UNLIKE)
            return ALIGNED_NOT;
        least = one < least ? one : least;
        all->node_of[i] = i;
    }
    if (has_ids(all))
        return ALIGNED_BY_IDS;
    if (least == ALIKE)
        return ALIGNED_IN_ORDER;
    return is_one_stream(all) ? ALIGNED_UNNAMED : ALIGNED_NOT;
}

static bool scan(const struct aligning *all)
{
    uint32_t node = 0;

    for (uint32_t i = 0; i < all->work_count; i++) {
        while (node < all->captured_count && likeness(all, node, i) != ALIKE)
            node++;
        if (node == all->captured_count)
            return false;
        all->node_of[i] = node++;
    }
    return true;
}

/* ---- several streams ---- */

/* Work by stream: that after each on its own, and the first left of each stream; work_count: none. */
struct node_queues {
    uint32_t *next;
    uint32_t head[STREAMS_MAX];
    uint32_t count;
};

static bool make_queues(const struct aligning *all, struct node_queues *queues)
{
    uint32_t stream[STREAMS_MAX], tail[STREAMS_MAX];

    for (uint32_t i = 0; i < all->work_count; i++) {
        uint32_t at = 0;

        while (at < queues->count && stream[at] != all->work[i].stream)
            at++;
        if (at == STREAMS_MAX)
            return false;
        queues->next[i] = all->work_count;
        if (at == queues->count) {
            stream[queues->count] = all->work[i].stream;
            queues->head[queues->count++] = i;
        } else {
            queues->next[tail[at]] = i;
        }
        tail[at] = i;
    }
    return true;
}

/* How many in a row of a queue the captured nodes from this one on are alike. */
static uint32_t run_of(const struct aligning *all, const struct node_queues *queues, uint32_t queue,
                       uint32_t node)
{
    uint32_t work = queues->head[queue], run = 0;

    while (run < RUN_MAX && work < all->work_count && node + run < all->captured_count &&
           likeness(all, node + run, work) == ALIKE) {
        work = queues->next[work];
        run++;
    }
    return run;
}

static bool by_streams(const struct aligning *all)
{
    struct node_queues queues = {.next = grow_to(NULL, all->work_count + 1u, sizeof(*queues.next))};
    bool ok = make_queues(all, &queues);
    uint32_t left = all->work_count;

    for (uint32_t node = 0; ok && node < all->captured_count; node++) {
        uint32_t best = 0, longest = 0;

        for (uint32_t i = 0; i < queues.count; i++) {
            uint32_t run = run_of(all, &queues, i, node);

            best = run > longest ? i : best;
            longest = run > longest ? run : longest;
        }
        if (!longest)
            continue;
        all->node_of[queues.head[best]] = node;
        queues.head[best] = queues.next[queues.head[best]];
        left--;
    }
    free(queues.next);
    return ok && left == 0;
}

/* ---- names alone ---- */

static bool is_before(const void *context, uint32_t a, uint32_t b)
{
    const struct graph_node *nodes = context;

    if (nodes[a].kind != nodes[b].kind)
        return nodes[a].kind < nodes[b].kind;
    return nodes[a].kind == KIND_KERNEL && nodes[a].name < nodes[b].name;
}

static uint32_t *sorted(const struct graph_node *nodes, uint32_t count)
{
    uint32_t *order = sorted_order(count, is_before, nodes);

    return order;
}

static bool by_names(const struct aligning *all)
{
    uint32_t *nodes, *work;
    bool ok = all->captured_count == all->work_count;

    if (!ok)
        return false;
    nodes = sorted(all->captured, all->captured_count);
    work = sorted(all->work, all->work_count);
    for (uint32_t i = 0; ok && i < all->work_count; i++) {
        ok = likeness(all, nodes[i], work[i]) == ALIKE;
        all->node_of[work[i]] = nodes[i];
    }
    free(nodes);
    free(work);
    return ok;
}

enum alignment nodes_align(const struct graph *names, const struct graph_node *captured,
                           uint32_t captured_count, const struct graph_node *work,
                           uint32_t work_count, uint32_t *node_of)
{
    const struct aligning all = {names, captured, work, captured_count, work_count, node_of};
    enum alignment alignment;

    if (work_count == 0 || captured_count < work_count)
        return ALIGNED_NOT;
    alignment = in_order(&all);
    if (alignment != ALIGNED_NOT)
        return alignment;
    if (is_one_stream(&all) && scan(&all))
        return ALIGNED_BY_SCAN;
    if (!is_one_stream(&all) && by_streams(&all))
        return ALIGNED_BY_STREAMS;
    return by_names(&all) ? ALIGNED_BY_NAMES : ALIGNED_NOT;
}
