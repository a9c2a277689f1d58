/* SPDX-License-Identifier: Apache-2.0 */
#include "render/browser/browser.h"

#include <criterion/criterion.h>

#include "graph/build/builder.h"
#include "graph/derive/derive.h"

/* main → parse → read, and main → read: 10, 20 and 5 + 40 ns of self. */
static void make_graph(struct graph *graph)
{
    static const struct value_name values[] = {{LITERAL("time"), UNIT_NS}};
    static const struct {
        const char *stack[3]; /* the leaf first */
        int64_t self;
    } stacks[] = {{{"main"}, 10},
                  {{"parse", "main"}, 20},
                  {{"read", "parse", "main"}, 5},
                  {{"read", "main"}, 40}};
    struct builder *builder = builder_new(&(struct builder_options){.need = LEVEL_CALLTREE});
    struct error err = {0};

    cr_assert(builder_begin(builder, LEVEL_CALLTREE, values, 1, 0, &err));
    for (size_t i = 0; i < COUNT_OF(stacks); i++) {
        frame_id frames[3];
        uint32_t depth = 0;

        for (; depth < 3 && stacks[i].stack[depth]; depth++) {
            struct frame frame = {.kind = KIND_HOST};

            frame.name = builder_intern(builder, span_of(stacks[i].stack[depth]));
            frames[depth] = builder_frame(builder, &frame);
        }
        builder_stack(builder_stacks(builder), frames, depth, &stacks[i].self);
    }
    builder_finish(builder, graph);
    cr_assert(graph_need(graph, LEVEL_CALLGRAPH, "", &err));
    cr_assert(graph_need(graph, LEVEL_FLAT, "", &err));
}

static void expect_row(const struct browser *browser, uint32_t at, const char *name, int64_t cum)
{
    const struct graph *graph = browser->graph;

    cr_assert_lt(at, browser->row_count);

    struct span shown = graph_text(graph, graph_frame(graph, browser->rows[at].frame)->name);

    cr_expect(span_eq(shown, span_of(name)), "row %u is %.*s, not %s", at, (int)shown.len, shown.at,
              name);
    cr_expect_eq(browser->rows[at].cum, cum);
}

Test(browser, walks_from_function_to_function_and_back)
{
    struct graph graph = {0};
    struct browser browser;

    make_graph(&graph);
    browser_begin(&browser, &graph, false);
    browser.page = 10;
    cr_expect_eq(browser.row_count, 3);
    expect_row(&browser, 0, "read", 45);
    expect_row(&browser, 1, "parse", 25);
    browser_act(&browser, BROWSER_BY_CUM);
    expect_row(&browser, 0, "main", 75);
    browser_act(&browser, BROWSER_LAST);
    browser_act(&browser, BROWSER_ENTER); /* parse: its caller, itself, its callee */
    cr_expect_eq(browser.row_count, 3);
    expect_row(&browser, 0, "main", 25);
    expect_row(&browser, 1, "parse", 25);
    expect_row(&browser, 2, "read", 5);
    cr_expect_eq(browser_view(&browser)->selected, 1);
    browser_act(&browser, BROWSER_ENTER);
    cr_expect_not_null(browser.message);
    browser_act(&browser, BROWSER_DOWN);
    browser_act(&browser, BROWSER_ENTER);
    expect_row(&browser, 0, "main", 40);
    browser_act(&browser, BROWSER_BACK);
    browser_act(&browser, BROWSER_BACK);
    cr_expect_eq(browser_view(&browser)->kind, VIEW_FUNCTIONS);
    cr_expect_eq(browser_view(&browser)->selected, 2);
    browser_act(&browser, BROWSER_BACK);
    cr_expect_not_null(browser.message);
    browser_end(&browser);
    graph_free(&graph);
}

Test(browser, opens_closes_and_zooms_into_the_tree)
{
    struct graph graph = {0};
    struct browser browser;

    make_graph(&graph);
    browser_begin(&browser, &graph, false);
    browser.page = 2;
    browser_act(&browser, BROWSER_OPEN);
    cr_expect_not_null(browser.message, "there is no branch among functions");
    browser_act(&browser, BROWSER_TREE);
    cr_expect_eq(browser.row_count, 4);
    browser_act(&browser, BROWSER_LAST); /* main, read, parse, read below that */
    cr_expect_eq(browser_view(&browser)->first, 2);
    browser_act(&browser, BROWSER_CLOSE);
    cr_expect_eq(browser_view(&browser)->selected, 2);
    browser_act(&browser, BROWSER_CLOSE);
    cr_expect_eq(browser.row_count, 3);
    browser_act(&browser, BROWSER_ZOOM);
    cr_expect_eq(browser.row_count, 2);
    cr_expect_eq(browser.rows[0].depth, 0);
    expect_row(&browser, 1, "read", 5);
    browser_act(&browser, BROWSER_BACK);
    cr_expect_eq(browser.row_count, 4);
    browser_end(&browser);
    graph_free(&graph);
}

Test(browser, finds_round_the_end)
{
    struct graph graph = {0};
    struct browser browser;

    make_graph(&graph);
    browser_begin(&browser, &graph, false);
    browser_act(&browser, BROWSER_FIND_NEXT);
    cr_expect_not_null(browser.message);
    strcpy(browser.sought, "A"); /* read, parse, main: whatever the case */
    browser_act(&browser, BROWSER_FIND_NEXT);
    cr_expect_eq(browser_view(&browser)->selected, 1);
    browser_act(&browser, BROWSER_FIND_PREVIOUS);
    browser_act(&browser, BROWSER_FIND_PREVIOUS);
    cr_expect_eq(browser_view(&browser)->selected, 2);
    strcpy(browser.sought, "nowhere");
    browser_act(&browser, BROWSER_FIND_NEXT);
    cr_expect_not_null(browser.message);
    cr_expect_eq(browser_view(&browser)->selected, 2);
    browser_end(&browser);
    graph_free(&graph);
}

Test(browser, an_empty_profile_has_no_rows)
{
    struct graph graph = {0};
    struct browser browser;

    frames_init(&graph.frames);
    graph.has[LEVEL_FLAT] = true;
    browser_begin(&browser, &graph, false);
    for (int action = BROWSER_NOTHING; action <= BROWSER_FIND_PREVIOUS; action++)
        browser_act(&browser, (enum browser_action)action);
    cr_expect_eq(browser.row_count, 0);
    browser_end(&browser);
    graph_free(&graph);
}

/* What needs more of the file is not done, but awaited, and done where the browser goes on. */
Test(browser, paths_that_were_not_read_are_awaited)
{
    struct graph graph;
    struct browser browser;
    struct browser_place place;
    struct arena arena = {0};

    make_graph(&graph);
    browser_begin(&browser, &graph, false);
    browser.lacks_paths = true;
    browser_act(&browser, BROWSER_BY_NAME);
    browser_act(&browser, BROWSER_LAST);
    cr_expect_eq(browser.awaited, BROWSER_NOTHING);
    browser_act(&browser, BROWSER_ENTER);
    cr_expect_eq(browser.awaited, BROWSER_ENTER);
    cr_expect_eq(browser_view(&browser)->kind, VIEW_FUNCTIONS);
    place = browser_place_of(&browser, &arena);
    browser_end(&browser);

    browser_begin(&browser, &graph, false);
    browser_resume(&browser, &place);
    cr_expect_eq(browser_view(&browser)->kind, VIEW_AROUND);
    cr_expect(span_eq(frame_label(&graph, graph.functions.frame[browser_view(&browser)->subject], &arena),
                      place.label));
    browser_end(&browser);
    graph_free(&graph);
    arena_free(&arena);
}
