/* SPDX-License-Identifier: Apache-2.0 */
#include <criterion/criterion.h>

#include "analysis/brief/brief.h"
#include "graph/derive/derive.h"
#include "tests/unit/hand_made.h"

Test(brief, occurrences_are_counted_by_function_in_one_pass)
{
    struct builder *builder = begin_timeline(&(struct builder_options){.need = LEVEL_TIMELINE});
    uint32_t thread = thread_of(builder, 1);
    struct occurrences of[4];
    frame_id load, save, never;
    struct graph graph;

    timed(builder, thread, 0, 10, "load", KIND_HOST);
    timed(builder, thread, 20, 30, "save", KIND_HOST);
    timed(builder, thread, 60, 40, "load", KIND_HOST);
    timed(builder, thread, 110, 40, "load", KIND_HOST);
    load = named(builder, "load", KIND_HOST);
    save = named(builder, "save", KIND_HOST);
    never = named(builder, "never", KIND_HOST);
    builder_finish(builder, &graph);

    occurrences_find(&graph, (const frame_id[]){load, never, save, load}, 4, of);
    cr_expect_eq(of[0].count, 3);
    cr_expect_eq(of[0].total, 90);
    cr_expect_eq(graph.timeline.start[of[0].longest], 60, "the first of equals");
    cr_expect_eq(of[1].count, 0);
    cr_expect_eq(of[1].longest, NO_EVENT);
    cr_expect_eq(of[2].total, 30);
    cr_expect_eq(of[3].count, 3, "asked for twice");
    occurrences_find(&graph, (const frame_id[]){0}, 1, of);
    cr_expect_eq(of[0].count, 0, "nobody");
    graph_free(&graph);
}

/* A function of a library, or of the program's own. */
static uint32_t add_function(struct graph *graph, const char *name, int64_t self, bool is_own)
{
    struct span file = is_own ? SPAN("/home/me/train.py") : SPAN("/usr/lib/python3.12/lib.py");
    uint32_t id = functions_add(
        &graph->functions,
        frame_intern(&graph->frames,
                     &(struct frame){.name = strings_intern(&graph->strings, span_of(name)),
                                     .file = strings_intern(&graph->strings, file),
                                     .line = (int32_t)graph->functions.count + 1,
                                     .kind = KIND_PYTHON}));

    graph->functions.self[id] = graph->functions.cum[id] = self;
    graph->functions.listed = graph->functions.count;
    return id;
}

static void add_call(struct graph *graph, uint32_t caller, uint32_t callee, int64_t cum)
{
    uint32_t call = calls_add(&graph->calls, caller, callee);

    graph->calls.cum[call] = cum;
}

static void begin_calls(struct graph *graph)
{
    *graph = (struct graph){.native = LEVEL_CALLGRAPH,
                            .has = {[LEVEL_FLAT] = true, [LEVEL_CALLGRAPH] = true}};
    frames_init(&graph->frames);
}

Test(brief, main_callers_are_those_with_most_time_and_never_itself)
{
    struct arena arena = {0};
    struct graph graph;
    uint32_t leaf, once, often;
    int64_t *caller;

    begin_calls(&graph);
    leaf = add_function(&graph, "leaf", 50, false);
    once = add_function(&graph, "once", 1, false);
    often = add_function(&graph, "often", 2, false);
    add_call(&graph, leaf, leaf, 100);
    add_call(&graph, once, leaf, 10);
    add_call(&graph, often, leaf, 40);
    add_call(&graph, once, often, 40);
    add_call(&graph, leaf, often, 40);
    caller = main_callers_find(&graph, &arena);
    cr_expect_eq(caller[leaf], often);
    cr_expect_eq(caller[often], once, "the first of equals");
    cr_expect_eq(caller[once], NO_CALLER);
    arena_free(&arena);
    graph_free(&graph);
}

/* Functions, each called by the next, the last by the first where it is a cycle; `own` is the program's. */
static struct brief_parts brief_of_chain(uint32_t length, uint32_t own, bool is_cycle, struct arena *arena)
{
    struct advice advice = {.is_of_functions = true};
    struct brief_parts brief;
    struct graph graph;

    begin_calls(&graph);
    for (uint32_t i = 0; i < length; i++)
        add_function(&graph, (char[]){(char)('a' + (int)i), '\0'}, i ? 1 : 100, i == own);
    for (uint32_t i = 1; i < length; i++)
        add_call(&graph, i, i - 1, 100);
    if (is_cycle)
        add_call(&graph, 0, length - 1, 100);
    brief_compose(&graph, &advice, false, arena, &brief);
    graph_free(&graph);
    return brief;
}

Test(brief, callers_are_followed_up_to_own_code_a_root_or_a_cycle)
{
    enum { NOBODY = 99 };
    struct arena arena = {0};
    const struct {
        uint32_t length, own;
        bool is_cycle;
        uint32_t callers, last;
        bool is_far;
    } cases[] = {
        {1, NOBODY, false, 0, 0, false}, {2, NOBODY, false, 1, 1, false},
        {3, NOBODY, true, 2, 2, false},  {20, NOBODY, true, 4, 4, false},
        {9, 1, false, 2, 2, false},      {9, 3, false, 3, 3, false},
        {9, 5, false, 5, 5, false},      {9, 7, false, 5, 7, true},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        struct brief_parts brief = brief_of_chain(cases[i].length, cases[i].own, cases[i].is_cycle, &arena);
        const struct brief_cost *cost = &brief.costs[0];

        cr_expect_eq(cost->function, 0);
        cr_expect_eq(cost->is_far, cases[i].is_far, "case %zu", i);
        cr_assert_eq(cost->caller_count, cases[i].callers, "case %zu: %u callers", i,
                     cost->caller_count);
        if (cost->caller_count)
            cr_expect_eq(cost->callers[cost->caller_count - 1], cases[i].last, "case %zu", i);
    }
    arena_free(&arena);
}
