/* SPDX-License-Identifier: Apache-2.0 */
#include <criterion/criterion.h>
#include <dirent.h>
#include <stdio.h>

#include "analysis/functions/call_edges.h"
#include "analysis/functions/hotspots.h"
#include "analysis/functions/tree.h"
#include "analysis/selection/prune.h"
#include "analysis/selection/select.h"
#include "base/checked.h"
#include "graph/derive/derive.h"
#include "parsers/parser.h"
#include "parsers/stacks/language_names.h"
#include "tests/unit/hand_made.h"

static void load(const char *path, struct graph *graph)
{
    struct input in;
    struct error err = {0};
    struct builder *builder = builder_new(&(struct builder_options){.need = LEVEL_CALLGRAPH});
    const struct parser *parser;

    cr_assert(input_open(&in, path, &(struct input_options){0}, &err), "%s: %s", path, err.text);
    parser = parser_sniff(&in, &err);
    cr_assert(parser != NULL, "%s: %s", path, err.text);
    cr_assert(parser->parse(&in, builder, &err), "%s: %s", path, err.text);
    builder_finish(builder, graph);
    graph->source.format_title = parser->title;
    input_close(&in);
}

/* ---- invariants, on every dump that is bundled ---- */

static void check_invariants(const char *path, struct graph *graph)
{
    const struct functions *f = &graph->functions;
    const struct calls *c = &graph->calls;
    struct arena arena = {0};
    struct hotspots hotspots;
    struct hotspots_options all = {.order = {.keys = {ORDER_SELF}, .count = 1}};
    int64_t self = 0;

    hotspots_compute(graph, &all, &arena, &hotspots);
    cr_expect_eq(hotspots.count, f->listed, "%s", path);
    for (uint32_t i = 0; i < hotspots.count; i++) {
        self = checked_add(self, f->self[hotspots.rows[i].function]);
        if (i)
            cr_expect_geq(f->self[hotspots.rows[i - 1].function],
                          f->self[hotspots.rows[i].function], "%s: row %u", path, i);
    }
    cr_expect_eq(self, hotspots.total, "%s: self sums to the total", path);
    cr_expect_leq(hotspots.total, hotspots.whole, "%s", path);
    for (uint32_t i = 0; i < c->count; i++) {
        cr_expect_lt(c->caller[i], f->count, "%s", path);
        cr_expect_lt(c->callee[i], f->listed, "%s", path);
    }
    arena_free(&arena);
}

Test(analysis, invariants_hold_on_every_bundled_dump)
{
    DIR *folder = opendir("testdata/pstats");
    int seen = 0;

    cr_assert(folder != NULL);
    for (struct dirent *entry; (entry = readdir(folder));) {
        char path[600];
        struct graph graph;

        if (!strstr(entry->d_name, ".pstats"))
            continue;
        snprintf(path, sizeof(path), "testdata/pstats/%s", entry->d_name);
        load(path, &graph);
        check_invariants(path, &graph);
        graph_free(&graph);
        seen++;
    }
    closedir(folder);
    cr_expect_gt(seen, 20);
}

/* A limit only cuts the list: the first rows are the same as without one. */
Test(analysis, a_limit_does_not_change_what_comes_first)
{
    static const enum order_key keys[] = {ORDER_SELF, ORDER_CUM, ORDER_CALLS, ORDER_NAME,
                                          ORDER_LABEL};
    struct graph graph;

    load("testdata/pstats/test_json_py311.pstats", &graph);
    for (size_t k = 0; k < COUNT_OF(keys); k++) {
        struct hotspots_options all = {.order = {.keys = {keys[k]}, .count = 1}};
        struct hotspots_options few = all;
        struct hotspots whole, top;
        struct arena arena = {0};

        few.limit = 7;
        hotspots_compute(&graph, &all, &arena, &whole);
        hotspots_compute(&graph, &few, &arena, &top);
        cr_assert_eq(top.count, 7);
        for (uint32_t i = 0; i < top.count; i++)
            cr_expect_eq(top.rows[i].function, whole.rows[i].function, "key %zu, row %u", k, i);
        arena_free(&arena);
    }
    graph_free(&graph);
}

/* ---- integrity ---- */

Test(analysis, time_that_labels_swallowed_is_found)
{
    struct graph graph;
    struct arena arena = {0};
    struct integrity integrity;

    load("testdata/pstats/test_json_py311.pstats", &graph);
    integrity_check(&graph, &arena, &integrity);
    cr_expect(integrity.can_tell);
    cr_expect_float_eq(integrity.lost_share, 0.1074, 0.0001);
    cr_expect_eq(integrity.imbalances[0].function, function_named(&graph, "loads"));
    cr_expect_gt(integrity.imbalances[0].excess, 0);
    arena_free(&arena);
    graph_free(&graph);

    load("testdata/pstats/mix_py311.pstats", &graph);
    integrity_check(&graph, &arena, &integrity);
    cr_expect_eq(integrity.lost, 0);
    cr_expect_eq(integrity.imbalance_count, 0);
    cr_expect_eq(integrity.entries.count, 2); /* exec, and the call that ended the profile */
    cr_expect_eq(integrity.runs, 1);
    arena_free(&arena);
    graph_free(&graph);
}

/* The flat level alone keeps totals of edges, and they say the same as the calls. */
Test(analysis, edge_totals_tell_what_calls_tell)
{
    static const char path[] = "testdata/pstats/test_json_py311.pstats";
    struct builder *builder = builder_new(&(struct builder_options){.need = LEVEL_FLAT});
    struct graph flat, full;
    struct input in;
    struct error err = {0};
    struct arena arena = {0};
    struct integrity a, b;

    load(path, &full);
    cr_assert(input_open(&in, path, &(struct input_options){0}, &err));
    cr_assert(parser_named("pstats", &err)->parse(&in, builder, &err));
    builder_finish(builder, &flat);
    input_close(&in);
    cr_expect_eq(flat.calls.count, 0);
    integrity_check(&full, &arena, &a);
    integrity_check(&flat, &arena, &b);
    cr_expect_eq(a.lost, b.lost);
    cr_expect_eq(a.entered, b.entered);
    cr_assert_eq(a.imbalance_count, b.imbalance_count);
    for (uint32_t i = 0; i < a.imbalance_count; i++)
        cr_expect_eq(a.imbalances[i].function, b.imbalances[i].function);
    arena_free(&arena);
    graph_free(&flat);
    graph_free(&full);
}

/* ---- selection ---- */

static void narrow(struct graph *graph, enum filter_kind kind, const char *pattern)
{
    struct filter filter = {.kind = kind};

    name_pattern_set(&filter.pattern, pattern, false);
    select_apply(graph, &filter, 1);
    name_pattern_free(&filter.pattern);
}

static int64_t sum_self(const struct graph *graph)
{
    int64_t sum = 0;

    for (uint32_t i = 0; i < graph->functions.listed; i++)
        sum += graph->functions.self[i];
    return sum;
}

Test(analysis, hiding_moves_time_and_loses_none)
{
    struct graph graph;
    int64_t before;

    load("testdata/pstats/mix_py311.pstats", &graph);
    before = sum_self(&graph);
    narrow(&graph, FILTER_HIDE, "^<built-in method builtins\\.(isinstance|len|sum)");
    cr_expect_eq(sum_self(&graph), before); /* hidden leaves: exact to the nanosecond */
    cr_expect_eq(graph_total(&graph), before);
    graph_free(&graph);
}

Test(analysis, focus_keeps_what_reaches_and_what_is_reached)
{
    struct graph graph;

    load("testdata/pstats/cycle_small.pstats", &graph);
    narrow(&graph, FILTER_FOCUS, "^fc$");
    cr_expect_eq(graph.functions.listed, 4); /* all of m, a, b lead to c */
    narrow(&graph, FILTER_IGNORE, "^fb$");
    cr_expect_eq(graph.functions.listed, 3);
    graph_free(&graph);
}

Test(analysis, a_tree_is_narrowed_exactly)
{
    static const struct {
        enum filter_kind kind;
        const char *pattern;
        int64_t total, main_self;
    } cases[] = {
        {FILTER_FOCUS, "^b$", 3, 0},
        {FILTER_IGNORE, "^b$", 3, 1},
        {FILTER_HIDE, "^[ab]$", 6, 6},
        {FILTER_SHOW, "^main$", 6, 6},
    };
    static const struct value_name value[] = {{LITERAL("n"), UNIT_COUNT}};

    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct builder *builder = builder_new(&(struct builder_options){0});
        struct graph graph;
        struct error err = {0};
        node_id node = 0;
        const char *names[] = {"main", "a", "b"};

        cr_assert(builder_begin(builder, LEVEL_CALLTREE, value, 1, 0, &err));
        for (int n = 0; n < 3; n++) { /* main 1; main;a 2; main;a;b 3 */
            struct frame frame = {.name = builder_intern(builder, span_of(names[n]))};

            node = builder_child(builder_stacks(builder), node, builder_frame(builder, &frame));
            builder_add(builder_stacks(builder), node, 0, n + 1);
        }
        builder_finish(builder, &graph);
        narrow(&graph, cases[i].kind, cases[i].pattern);
        cr_assert(graph_need(&graph, LEVEL_FLAT, "", &err));
        cr_expect_eq(sum_self(&graph), cases[i].total, "case %zu: %ld", i, (long)sum_self(&graph));
        cr_expect_eq(graph.functions.self[function_named(&graph, "main")], cases[i].main_self,
                     "case %zu", i);
        cr_expect_eq(graph_total(&graph), 6, "shares stay shares of everything");
        graph_free(&graph);
    }
}

Test(analysis, groups_keep_the_sum)
{
    struct graph graph;
    struct error err = {0};
    int64_t before;

    load("testdata/pstats/mix_py311.pstats", &graph);
    before = sum_self(&graph);
    cr_assert(group_apply(&graph, BY_MODULE, &err));
    cr_expect_eq(sum_self(&graph), before);
    for (uint32_t i = 0; i < graph.functions.listed; i++)
        cr_expect_leq(graph.functions.self[i], graph.functions.cum[i]);
    cr_expect_not(group_apply(&graph, BY_STEP, &err));
    cr_expect_eq(err.kind, ERROR_LACK);
    graph_free(&graph);
}

/* ---- trees ---- */

Test(analysis, rows_of_a_tree_hold_their_children)
{
    static const char *const paths[] = {"testdata/pstats/mix_py311.pstats",
                                        "testdata/pstats/fractal.pstats"};

    for (size_t p = 0; p < COUNT_OF(paths); p++)
        for (int up = 0; up < 2; up++) {
            struct tree_options options = {.is_bottom_up = up, .min_percent = 0.5};
            struct graph graph;
            struct arena arena = {0};
            struct tree tree;
            int64_t left[256];

            load(paths[p], &graph);
            tree_grow(&graph, &options, &arena, &tree);
            cr_expect_gt(tree.count, 10);
            for (uint32_t i = 0; i < tree.count; i++) {
                const struct tree_row *row = &tree.rows[i];

                cr_assert_lt(row->depth, 256);
                left[row->depth] = row->total;
                if (row->depth && !row->is_recursive) {
                    left[row->depth - 1] -= row->total;
                    cr_expect_geq(left[row->depth - 1], -1000, "%s: row %u", paths[p], i);
                }
            }
            arena_free(&arena);
            graph_free(&graph);
        }
}

/* ---- names ---- */

Test(analysis, python_files_tell_their_modules)
{
    static const struct {
        const char *file, *module;
    } cases[] = {
        {"/usr/lib/python3.11/json/decoder.py", "json.decoder"},
        {"/home/u/.venv/lib/python3.12/site-packages/numpy/__init__.py", "numpy"},
        {"/usr/lib/python3/dist-packages/yaml/loader.py", "yaml.loader"},
        {"C:\\Python\\Lib\\site-packages\\attr\\_make.py", "attr._make"},
        {"work/main.py", "main"},
        {"main.py", "main"},
        {"pkg/__main__.py", "pkg"},
        {"<frozen importlib._bootstrap>", "importlib._bootstrap"},
        {"<string>", ""},
        {"", ""},
        {"/opt/pypy/lib-python/3/os.py", "os"},
    };
    static const struct {
        const char *name, *module;
    } builtins[] = {
        {"<built-in method posix.stat>", "posix"},
        {"<built-in method builtins.len>", "builtins"},
        {"<method 'append' of 'list' objects>", "builtins"},
        {"<method 'search' of 're.Pattern' objects>", "re"},
        {"<built-in function exec>", "builtins"},
        {"<range>", ""},
        {"plain", ""},
    };
    char room[PYTHON_MODULE_MAX];

    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct span module = python_module(span_of(cases[i].file), room);

        cr_expect(span_eq(module, span_of(cases[i].module)), "%s: %.*s", cases[i].file,
                  (int)module.len, module.at);
    }
    for (size_t i = 0; i < COUNT_OF(builtins); i++) {
        struct span module = python_builtin_module(span_of(builtins[i].name));

        cr_expect(span_eq(module, span_of(builtins[i].module)), "%s: %.*s", builtins[i].name,
                  (int)module.len, module.at);
    }
}

Test(analysis, sort_keys_of_pstats_and_pprof_are_known)
{
    struct order order = {0};
    struct error err = {0};

    cr_assert(order_parse(&order, "cumtime, nfl", &err));
    cr_expect_eq(order.count, 4);
    cr_expect_eq(order.keys[0], ORDER_CUM);
    cr_expect_eq(order.keys[3], ORDER_LINE);
    for (size_t i = 0; order_names[i]; i++)
        cr_expect(order_parse(&order, order_names[i], &err), "%s", order_names[i]);
    cr_expect_not(order_parse(&order, "cumtim", &err));
    cr_expect_str_eq(err.hint, "did you mean 'cumtime'?");
}
