/* SPDX-License-Identifier: Apache-2.0 */
/* arrows.c — what a trace says of causes, after it has been written and read again */
#include <stdio.h>
#include <stdlib.h>

#include "graph/model/walks.h"
#include "parsers/parser.h"
#include "render/writers/writer.h"
#include "tests/unit/hand_made.h"

extern const struct writer writer_chrome;

static void read_trace(struct span text, struct graph *graph)
{
    struct input in;
    struct error err = {0};
    struct builder *builder = builder_new(&(struct builder_options){
        .need = LEVEL_TIMELINE, .launches = true, .flows = true, .properties = ~(uint64_t)0});

    cr_assert(input_open_memory(&in, text, &(struct input_options){0}, &err));
    cr_assert(parser_named("chrome", &err)->parse(&in, builder, &err));
    builder_finish(builder, graph);
    input_close(&in);
}

/* Writes the graph and reads it again; returns how many links no arrow shows. */
static uint64_t go_round(struct graph *graph, struct graph *again)
{
    struct arena arena = {0};
    struct warnings warnings = {0};
    struct writing writing = {.graph = graph, .arena = &arena, .warnings = &warnings};
    char *text = NULL;
    size_t size = 0;
    uint64_t lost;

    writing.out = open_memstream(&text, &size);
    cr_assert(writing.out);
    writer_chrome.write(&writing);
    fclose(writing.out);
    read_trace((struct span){text, size}, again);
    lost = warnings.count ? warnings.list[0].count : 0;
    free(text);
    warnings_free(&warnings);
    arena_free(&arena);
    return lost;
}

static void expect_same_links(const struct graph *graph, const struct graph *again,
                              uint32_t expected)
{
    const struct timeline *before = &graph->timeline, *after = &again->timeline;
    uint32_t links = 0;

    cr_assert_eq(before->count, after->count);
    cr_assert(before->launch && after->launch);
    for (event_id event = 0; event < before->count; event++) {
        struct span name = graph_text(graph, graph_frame(graph, before->frame[event])->name);

        cr_expect_eq(before->start[event], after->start[event]);
        cr_expect_eq(before->launch[event], after->launch[event], "%.*s: %u, then %u",
                     (int)name.len, name.at, before->launch[event], after->launch[event]);
        links += before->launch[event] != NO_EVENT;
    }
    cr_expect_eq(links, expected, "%u", links);
}

/* Calls launch kernels; a function, at whose start and end others run, leads to one on another
 * thread and to the next on its own; that one leads on. */
static const char text[] =
    "["
    "{\"ph\":\"X\",\"name\":\"post\",\"cat\":\"py\",\"pid\":9,\"tid\":1,\"ts\":0,\"dur\":10},\n"
    "{\"ph\":\"X\",\"name\":\"first\",\"cat\":\"py\",\"pid\":9,\"tid\":1,\"ts\":0,\"dur\":3},\n"
    "{\"ph\":\"X\",\"name\":\"last\",\"cat\":\"py\",\"pid\":9,\"tid\":1,\"ts\":4,\"dur\":6},\n"
    "{\"ph\":\"X\",\"name\":\"next\",\"cat\":\"py\",\"pid\":9,\"tid\":1,\"ts\":20,\"dur\":5},\n"
    "{\"ph\":\"X\",\"name\":\"take\",\"cat\":\"py\",\"pid\":9,\"tid\":2,\"ts\":12,\"dur\":9},\n"
    "{\"ph\":\"X\",\"name\":\"inner\",\"cat\":\"py\",\"pid\":9,\"tid\":2,\"ts\":12,\"dur\":9},\n"
    "{\"ph\":\"X\",\"name\":\"end\",\"cat\":\"py\",\"pid\":9,\"tid\":3,\"ts\":30,\"dur\":9},\n"
    "{\"ph\":\"X\",\"name\":\"call\",\"cat\":\"cuda_runtime\",\"pid\":9,\"tid\":2,\"ts\":14,"
    "\"dur\":3,\"args\":{\"correlation\":5}},\n"
    "{\"ph\":\"X\",\"name\":\"k1\",\"cat\":\"kernel\",\"pid\":9,\"tid\":7,\"ts\":18,\"dur\":3,"
    "\"args\":{\"correlation\":5}},\n"
    "{\"ph\":\"X\",\"name\":\"k2\",\"cat\":\"kernel\",\"pid\":9,\"tid\":7,\"ts\":25,\"dur\":3,"
    "\"args\":{\"correlation\":5}},\n"
    "{\"ph\":\"s\",\"name\":\"n\",\"cat\":\"c\",\"pid\":9,\"tid\":1,\"id\":1,\"ts\":3.5},\n"
    "{\"ph\":\"f\",\"name\":\"n\",\"cat\":\"c\",\"pid\":9,\"tid\":2,\"id\":1,\"ts\":11},\n"
    "{\"ph\":\"s\",\"name\":\"n\",\"cat\":\"c\",\"pid\":9,\"tid\":1,\"id\":2,\"ts\":3.5},\n"
    "{\"ph\":\"f\",\"name\":\"n\",\"cat\":\"c\",\"pid\":9,\"tid\":1,\"id\":2,\"ts\":19},\n"
    "{\"ph\":\"s\",\"name\":\"n\",\"cat\":\"c\",\"pid\":9,\"tid\":2,\"id\":3,\"ts\":21},\n"
    "{\"ph\":\"f\",\"name\":\"n\",\"cat\":\"c\",\"pid\":9,\"tid\":3,\"id\":3,\"ts\":29},\n"
    "{}]";

Test(arrows, come_back_as_they_were)
{
    struct graph graph, again;

    read_trace(SPAN(text), &graph);
    cr_expect_eq(go_round(&graph, &again), 0);
    expect_same_links(&graph, &again, 5);
    graph_free(&graph);
    graph_free(&again);
}

/* Where only arrows say what launched a kernel, and it is no call of the runtime. */
Test(arrows, launch_work_without_correlations)
{
    static const char by_arrow[] =
        "["
        "{\"ph\":\"X\",\"name\":\"op\",\"cat\":\"cpu_op\",\"pid\":9,\"tid\":1,\"ts\":0,\"dur\":10},"
        "\n"
        "{\"ph\":\"X\",\"name\":\"call\",\"cat\":\"cuda_runtime\",\"pid\":9,\"tid\":1,\"ts\":12,"
        "\"dur\":10},\n"
        "{\"ph\":\"X\",\"name\":\"k1\",\"cat\":\"kernel\",\"pid\":9,\"tid\":7,\"ts\":5,\"dur\":3},"
        "\n"
        "{\"ph\":\"X\",\"name\":\"k2\",\"cat\":\"kernel\",\"pid\":9,\"tid\":7,\"ts\":15,\"dur\":3},"
        "\n"
        "{\"ph\":\"s\",\"name\":\"n\",\"cat\":\"c\",\"pid\":9,\"tid\":1,\"id\":1,\"ts\":2},\n"
        "{\"ph\":\"f\",\"name\":\"n\",\"cat\":\"c\",\"pid\":9,\"tid\":7,\"id\":1,\"ts\":5},\n"
        "{\"ph\":\"s\",\"name\":\"n\",\"cat\":\"c\",\"pid\":9,\"tid\":1,\"id\":2,\"ts\":13},\n"
        "{\"ph\":\"f\",\"name\":\"n\",\"cat\":\"c\",\"pid\":9,\"tid\":7,\"id\":2,\"ts\":15},\n"
        "{}]";
    struct graph graph, again;

    read_trace(SPAN(by_arrow), &graph);
    cr_expect_eq(go_round(&graph, &again), 0);
    expect_same_links(&graph, &again, 2);
    cr_expect_eq(again.source.warnings.count, 0);
    graph_free(&graph);
    graph_free(&again);
}

/* An event that others cover, and one that is alone. */
Test(arrows, begin_where_nothing_covers_an_event)
{
    static const struct {
        const char *what;
        int64_t start, duration, earliest;
        bool is_found;
        int64_t time;
        bool is_next;
    } cases[] = {
        {"before its child", 0, 100, INT64_MIN, true, 0, false},
        {"after its child", 0, 100, 10, true, 51, false},
        {"only as the next", 10, 40, INT64_MIN, true, 10, true},
        {"too late", 10, 40, 11, false, 0, false},
    };

    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct builder *builder = begin_timeline(&(struct builder_options){0});
        uint32_t thread = thread_of(builder, 1);
        struct flow_place place;
        struct graph graph;

        timed(builder, thread, cases[i].start, cases[i].duration, "outer", KIND_HOST);
        timed(builder, thread, 10, 40, "inner", KIND_HOST);
        builder_finish(builder, &graph);
        cr_expect_eq(
            flow_place_of(&graph.timeline, graph.timeline.tracks, 1, 0, cases[i].earliest, &place),
            cases[i].is_found, "%s", cases[i].what);
        if (cases[i].is_found) {
            cr_expect_eq(place.time, cases[i].time, "%s", cases[i].what);
            cr_expect_eq(place.is_next, cases[i].is_next, "%s", cases[i].what);
        }
        graph_free(&graph);
    }
}
