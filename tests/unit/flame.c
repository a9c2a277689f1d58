/* SPDX-License-Identifier: Apache-2.0 */
#include <criterion/criterion.h>

#include "analysis/functions/call_edges.h"
#include "analysis/layout/flame.h"
#include "base/checked.h"
#include "render/svg/svg.h"

/* A call graph by hand: functions 0 … count - 1. */
struct call {
    uint32_t caller, callee;
    int64_t cum;
};

static void make(struct graph *graph, const int64_t *self, uint32_t count, const struct call *calls,
                 uint32_t call_count)
{
    *graph = (struct graph){.native = LEVEL_CALLGRAPH,
                            .has = {[LEVEL_FLAT] = true, [LEVEL_CALLGRAPH] = true}};
    frames_init(&graph->frames);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t function = functions_add(
            &graph->functions, frame_intern(&graph->frames, &(struct frame){.line = i + 1}));

        graph->functions.self[function] = self[i];
        graph->functions.cum[function] = self[i];
        graph->functions.calls[function] = graph->functions.primitive_calls[function] = 1;
    }
    graph->functions.listed = count;
    for (uint32_t i = 0; i < call_count; i++) {
        uint32_t edge = calls_add(&graph->calls, calls[i].caller, calls[i].callee);

        graph->calls.calls[edge] = graph->calls.primitive_calls[edge] = 1;
        graph->calls.cum[edge] = calls[i].cum;
    }
}

/* 0 → 1 → 2 → 1 is a cycle of 1 and 2; 2 → 3; 0 → 3. */
static const int64_t selves[] = {1, 10, 100, 1001};
static const struct call cycle[] = {{0, 1, 600}, {1, 2, 500}, {2, 1, 90}, {2, 3, 300}, {0, 3, 700}};

Test(flame, components)
{
    struct arena arena = {0};
    struct components found;
    struct edges edges;
    struct graph graph;

    make(&graph, selves, 4, cycle, 5);
    edges_index(&graph, &arena, &edges);
    components_find(&graph, &edges, &arena, &found);
    cr_expect_eq(found.count, 3);
    cr_expect_eq(found.of[1], found.of[2]);
    for (uint32_t i = 0; i < 5; i++)
        cr_expect_geq(found.of[cycle[i].caller], found.of[cycle[i].callee]);
    arena_free(&arena);
    graph_free(&graph);
}

/* A chain of a million calls must not be a million deep for us. */
Test(flame, long_chain)
{
    enum { LENGTH = 1000000 };
    struct arena arena = {0};
    struct components found;
    struct edges edges;
    struct graph graph;

    make(&graph, selves, 0, cycle, 0);
    for (uint32_t i = 0; i < LENGTH; i++)
        functions_add(&graph.functions, 0);
    for (uint32_t i = 1; i < LENGTH; i++)
        calls_add(&graph.calls, i - 1, i);
    edges_index(&graph, &arena, &edges);
    components_find(&graph, &edges, &arena, &found);
    cr_expect_eq(found.count, LENGTH);
    cr_expect_eq(found.of[0], LENGTH - 1);
    arena_free(&arena);
    graph_free(&graph);
}

Test(flame, flow_keeps_every_nanosecond)
{
    struct arena arena = {0};
    struct graph graph;
    struct call_flow flow;

    make(&graph, selves, 4, cycle, 5);
    call_flow_solve(&graph, &arena, &flow);
    cr_expect_eq(flow.whole, 1112);
    cr_expect_eq(flow.outside[0].amount, 1112, "all is below the only root");
    cr_expect_eq(flow.amount[3], 1001);
    cr_expect_eq(flow.amount[2], 100 + 300, "300 of 1001 at 300 of 1000, rounded");
    cr_expect_eq(flow.amount[1], 10 + 400, "2 is below 1, which it calls back");
    cr_expect_not(flow.call[2].is_there, "2 calls 1 back");
    cr_expect(flow.is_recursive[1]);
    arena_free(&arena);
    graph_free(&graph);
}

Test(flame, boxes_of_a_call_graph)
{
    struct arena arena = {0};
    struct graph graph;
    struct flame flame;
    int64_t self[5] = {0}, estimated = 0;

    make(&graph, selves, 4, cycle, 5);
    graph.functions.cum[2] = 500;
    flame_lay_out(&graph, &(struct flame_options){0}, &arena, &flame);
    for (uint32_t i = 0; i < flame.count; i++) {
        const struct flame_box *box = &flame.boxes[i];

        self[graph_frame(&graph, box->frame)->line] += box->self;
        cr_expect_eq(box->is_estimate, graph_frame(&graph, box->frame)->line == 3);
        estimated += box->is_estimate ? box->self : 0;
    }
    for (uint32_t i = 0; i < 4; i++)
        cr_expect_eq(self[i + 1], selves[i]);
    cr_expect_eq(flame.whole, 1112);
    cr_expect_eq(flame.estimated, estimated);
    cr_expect_eq(estimated, 100, "2 is in a cycle; both calls of 3 are recorded");
    arena_free(&arena);
    graph_free(&graph);
}

/* What is merged is still there. */
Test(flame, narrow_boxes_are_merged)
{
    struct arena arena = {0};
    struct graph graph;
    struct flame flame;
    int64_t self = 0;

    make(&graph, selves, 4, cycle, 5);
    flame_lay_out(&graph, &(struct flame_options){.min_percent = 50}, &arena, &flame);
    for (uint32_t i = 0; i < flame.count; i++)
        self += flame.boxes[i].self;
    cr_expect_eq(self, 1112);
    cr_expect_eq(flame.merged, 1, "the cycle's 410 of 1112");
    flame_lay_out(&graph, &(struct flame_options){.depth = 1}, &arena, &flame);
    cr_expect_eq(flame.count, 2, "the root, and one box for all that it calls");
    cr_expect_eq(flame.boxes[1].self, 1111);
    arena_free(&arena);
    graph_free(&graph);
}

static const struct {
    const char *text;
    double width;
    const char *fits;
} fits[] = {
    {"iiii", 10, "iiii"},
    {"escape_time", 200, "escape_time"},
    {"escape_time", 40, "es…me"},
    {"escape_time", 20, ""},
    {"", 10, ""},
    {"WWWWWWWWWW", 47, "W…WW"},
    {"\xe5\xae\xbd\xe5\xae\xbd", 5, ""},
};

Test(flame, text_metrics)
{
    struct arena arena = {0};

    for (size_t i = 0; i < sizeof(fits) / sizeof(*fits); i++) {
        struct span fit = text_fit(&arena, span_of(fits[i].text), fits[i].width, 11);

        cr_expect(span_eq(fit, span_of(fits[i].fits)), "%s in %.0f: %.*s", fits[i].text,
                  fits[i].width, (int)fit.len, fit.at);
        cr_expect_leq(text_width(fit) * 11, fits[i].width);
    }
    arena_free(&arena);
}
