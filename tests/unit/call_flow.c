/* SPDX-License-Identifier: Apache-2.0 */
/* call_flow.c — random programs whose calls are known, seen as a deterministic profiler sees them
 *
 * A program is run, its true call tree is collapsed to what cProfile keeps of it, and the tree that
 * is made of that is held beside the truth. */
#include <criterion/criterion.h>
#include <string.h>

#include "analysis/functions/call_edges.h"
#include "analysis/functions/tree.h"

enum { FUNCTIONS = 24, CALLS_MAX = 4000, DEEPEST = 40, PROGRAMS = 400 };

struct program {
    uint64_t state;
    bool calls[FUNCTIONS][FUNCTIONS]; /* who may call whom */
    int left;                         /* calls that may still be made */
    /* what the profiler keeps */
    int64_t nc[FUNCTIONS], cc[FUNCTIONS], tt[FUNCTIONS], ct[FUNCTIONS];
    int64_t edge_nc[FUNCTIONS][FUNCTIONS], edge_cc[FUNCTIONS][FUNCTIONS];
    int64_t edge_tt[FUNCTIONS][FUNCTIONS], edge_ct[FUNCTIONS][FUNCTIONS];
    int open[FUNCTIONS], edge_open[FUNCTIONS][FUNCTIONS];
};

static uint32_t random_below(struct program *program, uint32_t limit)
{
    program->state = program->state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(program->state >> 33) % limit;
}

static void invent(struct program *program, uint64_t seed, bool has_cycles)
{
    *program = (struct program){.state = seed, .left = CALLS_MAX};
    for (uint32_t i = 0; i < FUNCTIONS; i++)
        for (uint32_t j = has_cycles ? 1 : i + 1; j < FUNCTIONS; j++)
            program->calls[i][j] = random_below(program, 100) < (j > i ? 12 : 2);
}

/* Runs one activation, and returns how long it took. */
static int64_t run(struct program *program, uint32_t function, int caller, int depth)
{
    int64_t own = random_below(program, 1000), below = 0;

    program->left--;
    program->open[function]++;
    if (caller >= 0)
        program->edge_open[caller][function]++;
    for (uint32_t callee = 0; callee < FUNCTIONS; callee++)
        if (program->calls[function][callee])
            for (uint32_t n = random_below(program, 3); n && depth < DEEPEST && program->left > 0;
                 n--)
                below += run(program, callee, (int)function, depth + 1);
    program->nc[function]++;
    program->tt[function] += own;
    if (--program->open[function] == 0) {
        program->cc[function]++;
        program->ct[function] += own + below;
    }
    if (caller < 0)
        return own + below;
    program->edge_nc[caller][function]++;
    program->edge_tt[caller][function] += own;
    if (--program->edge_open[caller][function] == 0) {
        program->edge_cc[caller][function]++;
        program->edge_ct[caller][function] += own + below;
    }
    return own + below;
}

/* Functions that ran, by their line. */
static void collapse(const struct program *program, struct graph *graph)
{
    uint32_t place[FUNCTIONS];

    *graph = (struct graph){.native = LEVEL_CALLGRAPH,
                            .has = {[LEVEL_FLAT] = true, [LEVEL_CALLGRAPH] = true}};
    frames_init(&graph->frames);
    for (uint32_t i = 0; i < FUNCTIONS; i++) {
        if (!program->nc[i])
            continue;
        place[i] = functions_add(&graph->functions,
                                 frame_intern(&graph->frames, &(struct frame){.line = i + 1}));
        graph->functions.calls[place[i]] = program->nc[i];
        graph->functions.primitive_calls[place[i]] = program->cc[i];
        graph->functions.self[place[i]] = program->tt[i];
        graph->functions.cum[place[i]] = program->ct[i];
    }
    graph->functions.listed = graph->functions.count;
    for (uint32_t i = 0; i < FUNCTIONS; i++)
        for (uint32_t j = 0; j < FUNCTIONS; j++) {
            uint32_t edge;

            if (!program->edge_nc[i][j])
                continue;
            edge = calls_add(&graph->calls, place[i], place[j]);
            graph->calls.calls[edge] = program->edge_nc[i][j];
            graph->calls.primitive_calls[edge] = program->edge_cc[i][j];
            graph->calls.self[edge] = program->edge_tt[i][j];
            graph->calls.cum[edge] = program->edge_ct[i][j];
        }
}

/* A function's only caller, or FUNCTIONS. */
static uint32_t only_caller(const struct program *program, uint32_t function)
{
    uint32_t caller = FUNCTIONS;

    for (uint32_t i = 0; i < FUNCTIONS; i++) {
        if (!program->edge_nc[i][function])
            continue;
        if (caller != FUNCTIONS)
            return FUNCTIONS;
        caller = i;
    }
    return caller;
}

static void check_laws(const struct program *program, const struct graph *graph,
                       const struct tree *tree)
{
    int64_t total[FUNCTIONS] = {0}, self[FUNCTIONS] = {0};
    struct arena arena = {0};
    struct components components;
    struct edges edges;

    cr_assert_not(tree->is_cut);
    for (uint32_t i = 0; i < tree->count; i++) {
        const struct tree_row *row = &tree->rows[i];
        int64_t line = graph_frame(graph, row->frame)->line - 1;

        total[line] += row->total;
        self[line] += row->self;
        if (!row->is_estimate && row->depth) {
            const struct tree_row *above = row;
            int64_t caller;

            while (above->depth != row->depth - 1)
                above--;
            caller = graph_frame(graph, above->frame)->line - 1;
            cr_expect(row->total == program->ct[line] ||
                          row->total == program->edge_ct[caller][line],
                      "a row without a mark shows a recorded figure");
        }
    }
    edges_index(graph, &arena, &edges);
    components_find(graph, &edges, &arena, &components);
    for (uint32_t f = 0; f < graph->functions.count; f++) {
        int64_t line = graph_frame(graph, graph->functions.frame[f])->line - 1;
        uint32_t caller = only_caller(program, (uint32_t)line);
        bool is_in_cycle =
            components.first[components.of[f] + 1] != components.first[components.of[f]] + 1;

        cr_expect_eq(self[line], program->tt[line], "self of %d", (int)line);
        cr_expect_leq(total[line], program->ct[line], "all places of %d", (int)line);
        if (caller != FUNCTIONS && !is_in_cycle)
            cr_expect_eq(total[line], program->ct[line], "%d has one caller", (int)line);
    }
    arena_free(&arena);
}

Test(call_flow, laws_on_random_programs)
{
    static struct program program;

    for (uint64_t seed = 1; seed <= PROGRAMS; seed++) {
        struct arena arena = {0};
        struct graph graph;
        struct tree tree;

        invent(&program, seed, seed % 2);
        run(&program, 0, -1, 0);
        collapse(&program, &graph);
        tree_grow(&graph, &(struct tree_options){0}, &arena, &tree);
        check_laws(&program, &graph, &tree);
        arena_free(&arena);
        graph_free(&graph);
    }
}
