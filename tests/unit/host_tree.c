/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/summary/host_tree.h"
#include "tests/unit/host_samples.h"

/* What is inside of what, and in which order Paddle sees it, in trees made at random. */

enum { RANDOM_EVENTS = 120 };

static uint32_t next_random(uint32_t *state)
{
    *state = *state * 1664525u + 1013904223u;
    return *state >> 16;
}

/* Fills [start, end) with events of random length that nest, and some that launch a kernel. */
static uint32_t add_inside(struct sample *list, uint32_t count, uint32_t most, int64_t start,
                           int64_t end, uint32_t *state)
{
    static const char *const names[] = {"a", "b", "c", "d"};

    while (start < end && count + 2 <= most) {
        int64_t length = next_random(state) % (uint32_t)(end - start) + 1;
        uint32_t kind = next_random(state) % 4, name = next_random(state) % 4;
        bool is_call = kind == 0;

        list[count] = (struct sample){0,
                                      start,
                                      length,
                                      is_call ? KIND_RUNTIME : KIND_OPERATOR,
                                      is_call ? count + 1 : 0,
                                      is_call ? "cuda_runtime" : "cpu_op",
                                      names[name]};
        count++;
        if (is_call)
            list[count] = (struct sample){1, 10000 + count, 1 + name, KIND_KERNEL, count, "k", "k"};
        count += is_call;
        if (!is_call)
            count = add_inside(list, count, most, start, start + length, state);
        start += length + next_random(state) % 5;
    }
    return count;
}

static bool is_inside(const struct host_tree *tree, event_id event, event_id outer)
{
    while (event != NO_EVENT && event != outer)
        event = tree->parent[event];
    return event == outer;
}

/* Paddle's visit of one thread: from the last child to the first, but an event before its own. */
static uint32_t visit(const struct host_tree *tree, event_id above, uint32_t *turn, uint32_t next)
{
    const struct track *track = &tree->graph->timeline.tracks[0];

    for (event_id e = track->count; e-- > 0;)
        if (tree->parent[e] == above && role_is_host(role_of(tree, e))) {
            turn[e] = next++;
            next = visit(tree, e, turn, next);
        }
    return next;
}

static void check_tree(const struct host_tree *tree)
{
    const struct timeline *t = &tree->graph->timeline;
    uint32_t turn[RANDOM_EVENTS] = {0};

    visit(tree, NO_EVENT, turn, 1);
    for (event_id e = 0; e < t->tracks[0].count; e++) {
        int64_t work = 0;

        if (!role_is_host(role_of(tree, e)))
            continue;
        for (uint32_t i = 0; i < tree->work_count; i++)
            if (is_inside(tree, tree->work[i].host, e))
                work += t->duration[tree->work[i].event];
        cr_expect_eq(host_tree_device_time(tree, e), work, "event %u", e);
        for (event_id other = 0; other < t->tracks[0].count; other++) {
            if (!role_is_host(role_of(tree, other)))
                continue;
            cr_expect_eq(other > e && other < tree->after[e],
                         other != e && is_inside(tree, other, e));
            cr_expect_eq(row_order_is_before(host_tree_row_order(tree, 1, e, 0),
                                             host_tree_row_order(tree, 1, other, 0)),
                         turn[e] < turn[other], "events %u and %u", e, other);
        }
    }
}

Test(host_tree, trees_know_what_is_inside_and_what_paddle_sees_first)
{
    for (uint32_t seed = 1; seed <= 60; seed++) {
        struct sample list[RANDOM_EVENTS];
        uint32_t state = seed, count = add_inside(list, 0, RANDOM_EVENTS, 0, 300, &state);
        struct host_tree tree;
        struct graph graph;

        make(list, count, &graph);
        host_tree_make(&graph, false, &tree);
        check_tree(&tree);
        host_tree_free(&tree);
        graph_free(&graph);
    }
}
