/* SPDX-License-Identifier: Apache-2.0 */
#include <criterion/criterion.h>
#include <inttypes.h>
#include <stdio.h>

#include "graph/build/builder.h"
#include "graph/derive/derive.h"
#include "graph/model/walks.h"
#include "tests/unit/hand_made.h"

/* Hand-made graphs at every level: what each means, and what is derived from it. */

static const struct value_name time_value[] = {{LITERAL("time"), UNIT_NS}};

static struct builder *begin(enum level level)
{
    struct builder *builder = builder_new(&(struct builder_options){.need = LEVEL_CALLGRAPH});
    struct error err = {0};

    cr_assert(builder_begin(builder, level, time_value, 1, 0, &err));
    return builder;
}

/* ---- call graph ---- */

Test(graph, functions_stand_in_the_order_of_the_file)
{
    struct builder *builder = begin(LEVEL_CALLGRAPH);
    struct graph graph;
    uint32_t late = builder_function(builder_callgraph(builder), named(builder, "late", KIND_HOST));
    uint32_t stranger =
        builder_function(builder_callgraph(builder), named(builder, "stranger", KIND_HOST));
    uint32_t early =
        builder_function(builder_callgraph(builder), named(builder, "early", KIND_HOST));

    builder_list(builder_callgraph(builder), early, &(struct call_figures){1, 1, 5, 9});
    builder_call(builder_callgraph(builder), stranger, early, &(struct call_figures){1, 1, 5, 9});
    builder_list(builder_callgraph(builder), late, &(struct call_figures){2, 2, 4, 4});
    builder_call(builder_callgraph(builder), early, late, &(struct call_figures){2, 2, 4, 4});
    builder_finish(builder, &graph);
    cr_expect_eq(function_named(&graph, "early"), 0);
    cr_expect_eq(function_named(&graph, "late"), 1);
    cr_expect_eq(function_named(&graph, "stranger"), 2);
    cr_expect_eq(graph.functions.listed, 2);
    cr_expect_eq(graph.functions.self[0], 5);
    cr_expect_eq(graph.calls.caller[edge_between(&graph, "stranger", "early")], 2);
    cr_expect_eq(graph_total(&graph), 9);
    cr_expect_eq(graph_whole(&graph), 9);
    graph_free(&graph);
}

Test(graph, a_function_said_again_replaces_what_was_said)
{
    struct builder *builder = begin(LEVEL_CALLGRAPH);
    struct graph graph;
    uint32_t f = builder_function(builder_callgraph(builder), named(builder, "f", KIND_HOST));
    uint32_t g = builder_function(builder_callgraph(builder), named(builder, "g", KIND_HOST));

    builder_list(builder_callgraph(builder), f, &(struct call_figures){1, 1, 1, 1});
    builder_call(builder_callgraph(builder), g, f, &(struct call_figures){1, 1, 1, 1});
    builder_list(builder_callgraph(builder), g, &(struct call_figures){1, 1, 1, 1});
    builder_forget_callers(builder_callgraph(builder), f);
    builder_list(builder_callgraph(builder), f, &(struct call_figures){3, 3, 7, 7});
    builder_call(builder_callgraph(builder), f, f, &(struct call_figures){3, 3, 7, 7});
    builder_finish(builder, &graph);
    cr_expect_eq(function_named(&graph, "f"), 0);
    cr_expect_eq(graph.functions.self[0], 7);
    cr_expect_eq(graph.calls.count, 1);
    cr_expect_eq(graph.calls.caller[0], 0);
    graph_free(&graph);
}

Test(graph, what_is_missing_is_said_in_the_users_terms)
{
    struct builder *builder = begin(LEVEL_CALLGRAPH);
    struct graph graph;
    struct error err = {0};

    builder_finish(builder, &graph);
    graph.source.format_title = "test files";
    cr_expect_not(graph_need(&graph, LEVEL_COUNTERS, "nothing tells its FLOPs", &err));
    cr_expect_str_eq(err.text,
                     "test files hold no counters of kernels, so nothing tells its FLOPs");
    err = (struct error){0};
    cr_expect_not(graph_need(&graph, LEVEL_TIMELINE, "overlap cannot be computed", &err));
    cr_expect_eq(err.kind, ERROR_LACK);
    cr_expect_str_eq(err.text, "test files hold no timeline, so overlap cannot be computed");
    cr_expect_str_neq(err.hint, "");
    cr_expect(graph_need(&graph, LEVEL_FLAT, "", &err));
    graph_free(&graph);
}

/* ---- call tree ---- */

/* main 1 { a 2 { b 3 { a 4 } } b 5 }: a is below itself once */
static void small_tree(struct graph *graph)
{
    struct builder *builder = begin(LEVEL_CALLTREE);
    frame_id main = named(builder, "main", KIND_HOST), a = named(builder, "a", KIND_HOST),
             b = named(builder, "b", KIND_HOST);
    node_id top = builder_child(builder_stacks(builder), 0, main);
    node_id first = builder_child(builder_stacks(builder), top, a);
    node_id below = builder_child(builder_stacks(builder), first, b);

    builder_add(builder_stacks(builder), top, 0, 1);
    builder_add(builder_stacks(builder), first, 0, 2);
    builder_add(builder_stacks(builder), below, 0, 3);
    builder_add(builder_stacks(builder), builder_child(builder_stacks(builder), below, a), 0, 4);
    builder_add(builder_stacks(builder), builder_child(builder_stacks(builder), top, b), 0, 5);
    cr_expect_eq(builder_child(builder_stacks(builder), top, a), first);
    builder_finish(builder, graph);
}

Test(graph, a_tree_merges_into_functions_that_count_recursion_once)
{
    static const struct {
        const char *name;
        int64_t self, cum;
    } functions[] = {{"main", 1, 15}, {"a", 6, 9}, {"b", 8, 12}};
    static const struct {
        const char *caller, *callee;
        int64_t self, cum;
    } calls[] = {{"main", "a", 2, 9}, {"a", "b", 3, 7}, {"b", "a", 4, 4}, {"main", "b", 5, 5}};
    struct graph graph;
    struct error err = {0};

    small_tree(&graph);
    cr_assert(graph_need(&graph, LEVEL_CALLGRAPH, "", &err));
    cr_expect_eq(graph.functions.count, COUNT_OF(functions));
    for (size_t i = 0; i < COUNT_OF(functions); i++) {
        uint32_t at = function_named(&graph, functions[i].name);

        cr_expect_eq(graph.functions.self[at], functions[i].self, "%s", functions[i].name);
        cr_expect_eq(graph.functions.cum[at], functions[i].cum, "%s", functions[i].name);
        cr_expect_eq(graph.functions.calls[at], UNKNOWN);
    }
    cr_expect_eq(graph.calls.count, COUNT_OF(calls));
    for (size_t i = 0; i < COUNT_OF(calls); i++) {
        uint32_t at = edge_between(&graph, calls[i].caller, calls[i].callee);

        cr_expect_eq(graph.calls.self[at], calls[i].self, "%zu", i);
        cr_expect_eq(graph.calls.cum[at], calls[i].cum, "%zu", i);
    }
    cr_expect_eq(graph_total(&graph), 15);
    graph_free(&graph);
}

Test(graph, a_walk_enters_and_leaves_every_node_once)
{
    struct graph graph;
    struct tree_links links;
    char trace[64];
    size_t len = 0;

    small_tree(&graph);
    tree_link(&graph.tree, &links);

    struct walk walk = {.links = &links};

    while (walk_next(&walk))
        len += (size_t)snprintf(trace + len, sizeof(trace) - len, "%s%u",
                                walk.is_leaving ? "-" : "+", walk.node);
    cr_expect_str_eq(trace, "+0+1+2+3+4-4-3-2+5-5-1-0");
    tree_unlink(&links);
    graph_free(&graph);
}

/* Each of its nodes is below one of the last few, or below any. */
static void tangled_tree(struct graph *graph)
{
    struct builder *builder = begin(LEVEL_CALLTREE);
    node_id nodes[3000] = {0};
    uint32_t chance = 1;

    for (uint32_t i = 1; i < COUNT_OF(nodes); i++) {
        chance = chance * 1664525u + 1013904223u;
        node_id above = chance >> 31 ? nodes[i - 1] : nodes[(chance >> 8) % i];

        nodes[i] = builder_child(builder_stacks(builder), above,
                                 named(builder, (chance >> 4) % 3 ? "f" : "g", KIND_HOST));
    }
    builder_finish(builder, graph);
}

Test(graph, a_walk_by_runs_enters_nodes_in_the_same_order)
{
    struct graph graph;
    struct tree_links links;
    uint32_t depth = 0, nodes = 0;

    tangled_tree(&graph);
    tree_link(&graph.tree, &links);

    struct walk walk = {.links = &links};
    struct run_walk runs = {.links = &links};

    while (run_walk_next(&runs))
        for (node_id node = runs.first; node < runs.end; node++, nodes++) {
            while (walk_next(&walk) && walk.is_leaving)
                depth--;
            cr_assert_eq(walk.node, node);
            cr_assert_eq(depth++, runs.depth + (node - runs.first));
            cr_assert_eq(calltree_run_first(&graph.tree, node), runs.first);
        }
    cr_expect_eq(nodes, graph.tree.count);
    tree_unlink(&links);
    graph_free(&graph);
}

Test(graph, a_deep_tree_needs_no_stack)
{
    struct builder *builder = begin(LEVEL_CALLTREE);
    struct graph graph;
    struct error err = {0};
    node_id node = 0;

    for (int i = 0; i < 200000; i++)
        node = builder_child(builder_stacks(builder), node,
                             named(builder, i % 2 ? "f" : "g", KIND_HOST));
    builder_add(builder_stacks(builder), node, 0, 7);
    builder_finish(builder, &graph);
    cr_assert(graph_need(&graph, LEVEL_FLAT, "", &err));
    cr_expect_eq(graph.functions.cum[function_named(&graph, "g")], 7);
    graph_free(&graph);
}

Test(graph, a_value_that_is_not_there_is_named)
{
    struct builder *builder = builder_new(&(struct builder_options){.value = "cpu"});
    struct error err = {0};

    cr_expect_not(builder_begin(builder, LEVEL_CALLTREE, time_value, 1, 0, &err));
    cr_expect_eq(err.kind, ERROR_USAGE);
    cr_expect_str_eq(err.hint, "it has: time");
    builder_abandon(builder);
}

/* a calls b calls a: a counts once, at both levels. */
static void add_stacks(struct builder *builder)
{
    frame_id a = named(builder, "a", KIND_HOST), b = named(builder, "b", KIND_HOST);
    frame_id leaf_first[] = {a, b, a}, short_stack[] = {b};

    builder_stack(builder_stacks(builder), leaf_first, 3, (int64_t[]){5});
    builder_stack(builder_stacks(builder), short_stack, 1, (int64_t[]){2});
    builder_stack(builder_stacks(builder), NULL, 0, (int64_t[]){100});
}

static void check_stacks(enum level need)
{
    struct builder *builder = builder_new(&(struct builder_options){.need = need});
    struct error err = {0};
    struct graph graph;

    cr_assert(builder_begin(builder, LEVEL_CALLTREE, time_value, 1, 0, &err));
    add_stacks(builder);
    builder_finish(builder, &graph);
    cr_assert(graph_need(&graph, LEVEL_FLAT, "", &err));

    uint32_t a = function_named(&graph, "a"), b = function_named(&graph, "b");

    cr_assert_eq(graph.functions.listed, 2);
    cr_assert_eq(graph.functions.self[a], 5);
    cr_assert_eq(graph.functions.cum[a], 5);
    cr_assert_eq(graph.functions.self[b], 2);
    cr_assert_eq(graph.functions.cum[b], 7);
    cr_assert_eq(graph.has[LEVEL_CALLTREE], need > LEVEL_FLAT);
    graph_free(&graph);
}

Test(graph, stacks_sum_alike_with_and_without_a_tree)
{
    check_stacks(LEVEL_FLAT);
    check_stacks(LEVEL_CALLTREE);
}
