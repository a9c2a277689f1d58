/* SPDX-License-Identifier: Apache-2.0 */
/* callgrind.c — names, units, and what functions that call each other cost */
#include <criterion/criterion.h>

#include "base/checked.h"
#include "parsers/callgrind/callgrind.h"

Test(callgrind, numbers_stand_for_names)
{
    static const struct {
        const char *text, *want;
    } cases[] = {
        {"(1) main", "main"},
        {"(1)", "main"},
        {" (2)  f(int) ", "f(int)"},
        {"(below main)", "(below main)"},
        {"(2)", "f(int)"},
        {"plain", "plain"},
        {"(9)", "(9)"},
        {"(1) again", "again"},
        {"(1)", "again"},
    };
    struct builder *builder = builder_new(&(struct builder_options){0});
    struct compressed_names names = {0};

    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        str_id id = compressed_name(&names, builder, span_of(cases[i].text));

        cr_expect(span_eq(builder_text(builder, id), span_of(cases[i].want)), "%s", cases[i].text);
    }
    cr_expect_eq(names.undefined, 1);
    compressed_names_free(&names);
    builder_abandon(builder);
}

Test(callgrind, events_have_units)
{
    static const struct {
        const char *name;
        enum unit unit;
        int64_t scale;
    } want[] = {
        {"Ir", UNIT_COUNT, 1},          {"cpu", UNIT_NS, 1000000}, {"Time", UNIT_NS, 10},
        {"Memory", UNIT_BYTES, 1},      {"odd(x)", UNIT_COUNT, 1}, {"sysTime", UNIT_NS, 1000},
        {"space", UNIT_BYTES, 1 << 20},
    };
    struct event_columns events = {0};

    events_describe(&events, SPAN(" sysTime : sysTime (elapsed us)"));
    events_describe(&events, SPAN(" Cycles = Ir + 10 Bm"));
    cr_assert(events_read(
        &events, SPAN(" Ir cpu(ms) Time_(10ns) Memory_(bytes) odd(x)  sysTime space(MB) ")));
    cr_assert_eq(events.count, COUNT_OF(want));
    for (size_t i = 0; i < COUNT_OF(want); i++) {
        cr_expect(span_eq(events.list[i].name, span_of(want[i].name)), "%s", want[i].name);
        cr_expect_eq(events.list[i].unit, want[i].unit, "%s", want[i].name);
        cr_expect_eq(events.list[i].scale, want[i].scale, "%s", want[i].name);
    }
    cr_expect(!events_read(&events, SPAN(" ")));
    events_free(&events);
}

Test(callgrind, finds_functions_that_reach_each_other)
{
    /* 0 → 1 ⇄ 2 → 3 → 4 → 5 → 3, 5 → 5, and 6 alone */
    static const uint32_t edges[][2] = {{0, 1}, {1, 2}, {2, 1}, {2, 3}, {3, 4},
                                        {4, 5}, {5, 3}, {5, 5}, {0, 6}};
    static const uint32_t leader[] = {0, 1, 1, 3, 3, 3, 6};
    struct costs costs = {0};
    struct arena arena = {0};
    uint32_t *cycle;

    for (size_t i = 0; i < COUNT_OF(edges); i++)
        costs_add_call(&costs, &(struct cost_call){edges[i][0], edges[i][1], false, 1, 1});
    cycle = cycles_find(&costs, &arena);
    for (uint32_t a = 0; a < COUNT_OF(leader); a++)
        for (uint32_t b = 0; b < COUNT_OF(leader); b++)
            cr_expect_eq(cycle[a] == cycle[b], leader[a] == leader[b], "%u and %u", a, b);
    arena_free(&arena);
    costs_free(&costs);
}

Test(callgrind, follows_a_chain_of_a_million_calls)
{
    enum { LONG = 1000000 };
    struct costs costs = {0};
    struct arena arena = {0};
    uint32_t *cycle;

    for (uint32_t i = 0; i < LONG; i++)
        costs_add_call(&costs, &(struct cost_call){i, i + 1, false, 1, 1});
    cycle = cycles_find(&costs, &arena);
    cr_expect_neq(cycle[0], cycle[LONG]);
    arena_free(&arena);
    costs_add_call(&costs, &(struct cost_call){LONG, 0, false, 1, 1});
    cycle = cycles_find(&costs, &arena);
    cr_expect_eq(cycle[0], cycle[LONG]);
    arena_free(&arena);
    costs_free(&costs);
}
