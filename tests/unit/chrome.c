/* SPDX-License-Identifier: Apache-2.0 */
/* chrome.c — numbers, texts and whole traces, also cut off anywhere */
#include <criterion/criterion.h>
#include <stdio.h>

#include "graph/derive/derive.h"
#include "parsers/chrome/producers/producers.h"
#include "parsers/json/json.h"
#include "parsers/parser.h"

static struct token token(const char *text)
{
    return (struct token){text, (uint32_t)strlen(text)};
}

Test(chrome, reads_microseconds_as_nanoseconds_without_a_double)
{
    static const struct {
        const char *text;
        bool is_number;
        int64_t ns;
    } cases[] = {
        {"0", true, 0},
        {"1.5", true, 1500},
        {"\"5.1\"", true, 5100},
        {"1600000000000000.123", true, 1600000000000000123},
        {"0.0004", true, 0},
        {"0.0005", true, 1},
        {"-2.5", true, -2500},
        {"1e3", true, 1000000},
        {"12345678", true, 12345678000},
        {"123456789012345.6", true, 123456789012345600},
        {"1234567x", false, 0},
        {"000000001.5", true, 1500},
        {"22.208", true, 22208},
        {"1.25", true, 1250},
        {"123.", true, 123000},
        {".125", true, 125},
        {"1234567.", true, 1234567000},
        {"0.000625", true, 1},
        {"12.3.4", false, 0},
        {"12-34", false, 0},
        {"nan", false, 0},
        {"", false, 0},
        {"5.1abc", false, 0},
        {"99999999999999999999", false, 0},
    };

    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        int64_t ns = -1;

        cr_expect_eq(token_scaled(token(cases[i].text), 3, &ns), cases[i].is_number, "%s",
                     cases[i].text);
        if (cases[i].is_number)
            cr_expect_eq(ns, cases[i].ns, "%s", cases[i].text);
    }
}

Test(chrome, undoes_escapes)
{
    static const char *const cases[][2] = {
        {"\"a\\\"b\"", "a\"b"},
        {"\"\\u00e9\"", "\xC3\xA9"},
        {"\"\\ud83d\\ude00\"", "\xF0\x9F\x98\x80"},
        {"\"C:\\work\"", "C:\\work"},
        {"12", "12"},
        {"null", ""},
    };

    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct arena arena = {0};

        cr_expect(span_eq(token_text(token(cases[i][0]), &arena), span_of(cases[i][1])), "%s",
                  cases[i][0]);
        arena_free(&arena);
    }
}

Test(chrome, strips_only_the_duration_from_a_paddle_name)
{
    cr_expect(token_is(producer_paddle.plain_name(token("\"conv2d[1.250 ms]\"")), SPAN("conv2d")));
    cr_expect(token_is(producer_paddle.plain_name(token("\"a[0][3.000 us]\"")), SPAN("a[0]")));
    cr_expect(
        token_is(producer_paddle.plain_name(token("\"slice[2 of us]\"")), SPAN("slice[2 of us]")));
}

static bool read_wanted(struct span text, const struct builder_options *wanted, struct graph *graph)
{
    struct input in;
    struct error err = {0};
    struct builder *builder = builder_new(wanted);

    cr_assert(input_open_memory(&in, text, &(struct input_options){0}, &err));
    if (!parser_named("chrome", &err)->parse(&in, builder, &err)) {
        cr_expect_eq(err.kind, ERROR_INPUT);
        builder_abandon(builder);
        input_close(&in);
        return false;
    }
    builder_finish(builder, graph);
    input_close(&in);
    return true;
}

static bool read_text(struct span text, struct graph *graph)
{
    return read_wanted(text, &(struct builder_options){.need = LEVEL_TIMELINE, .launches = true},
                       graph);
}

static const char small[] =
    "{\"schemaVersion\": 1, \"traceEvents\": [\n"
    "{\"ph\":\"X\",\"cat\":\"cuda_runtime\",\"name\":\"launch\",\"pid\":9,\"tid\":9,\"ts\":1,"
    "\"dur\":2.5,\"args\":{\"correlation\":4}},\n"
    "{\"ph\":\"B\",\"name\":\"b\",\"pid\":9,\"tid\":9,\"ts\":7},\n"
    "{\"ph\":\"X\",\"cat\":\"kernel\",\"name\":\"k\",\"pid\":0,\"tid\":7,\"ts\":5,\"dur\":3,"
    "\"args\":{\"grid\":[1,1,1],\"correlation\":4}},\n"
    "{\"ph\":\"E\",\"pid\":9,\"tid\":9,\"ts\":9.001}\n"
    "], \"traceName\": \"x\"}\n";

Test(chrome, joins_beginnings_with_ends_and_launches_with_kernels)
{
    struct graph graph;
    const struct timeline *t = &graph.timeline;

    cr_assert(read_text(SPAN(small), &graph));
    cr_assert_eq(t->count, 3);
    cr_expect_eq(t->track_count, 2);
    cr_expect_eq(t->duration[1], 2001);
    cr_expect_eq(graph_frame(&graph, t->frame[2])->kind, KIND_KERNEL);
    cr_expect_eq(t->launch[2], 0);
    cr_expect_eq(t->launch[0], NO_EVENT);
    graph_free(&graph);
}

/* Events alike but for their threads, which take turns and return; some have no category. */
Test(chrome, keeps_threads_apart_that_take_turns)
{
    static const int threads[] = {5, 5, 66, 5, 66, 66, 5, 7};
    char text[4096] = "[";
    struct graph graph;
    size_t len = 1;

    for (int i = 0; i < 32; i++)
        len += (size_t)snprintf(text + len, sizeof(text) - len,
                                "{\"ph\":\"X\",%s\"name\":\"n\",\"pid\":%d,\"tid\":%d,\"ts\":%d,"
                                "\"dur\":1},",
                                i < 16 ? "\"cat\":\"cpu_op\"," : "", i % 8 == 3 ? 2 : 1,
                                threads[i % 8], i * 10);
    cr_assert(read_text((struct span){text, len}, &graph));
    cr_assert_eq(graph.timeline.track_count, 4);
    for (uint32_t i = 0; i < 4; i++) {
        static const uint32_t counts[] = {12, 12, 4, 4};

        cr_expect_eq(graph.timeline.tracks[i].count, counts[i], "track %u", i);
    }
    graph_free(&graph);
}

/* However long a category is, events of one are never taken for those of another. */
Test(chrome, keeps_long_categories_apart)
{
    static const char *const categories[] = {"a category of more bytes than a vector register",
                                             "kernel", "b"};
    char text[4096] = "[";
    struct graph graph;
    uint32_t kernels = 0;
    size_t len = 1;

    for (int i = 0; i < 18; i++)
        len += (size_t)snprintf(text + len, sizeof(text) - len,
                                "{\"ph\":\"X\",\"cat\":\"%s\",\"name\":\"n\",\"pid\":1,\"tid\":2,"
                                "\"ts\":%d,\"dur\":1},",
                                categories[i % 3], i * 10);
    cr_assert(read_text((struct span){text, len}, &graph));
    for (uint32_t e = 0; e < graph.timeline.count; e++)
        kernels += graph_frame(&graph, graph.timeline.frame[e])->kind == KIND_KERNEL;
    cr_expect_eq(kernels, 6);
    graph_free(&graph);
}

Test(chrome, sums_device_time_below_the_host_events_that_launched_it)
{
    struct graph graph;
    struct error err = {0};

    cr_assert(read_text(SPAN(small), &graph));
    graph.values.selected = TIMELINE_DEVICE;
    cr_assert(graph_need(&graph, LEVEL_CALLTREE, "a tree", &err));
    cr_assert_eq(graph.tree.count, 3); /* the root, launch, k */
    cr_expect_eq(calltree_parent(&graph.tree, 2), 1);
    cr_expect_eq(calltree_self(&graph.tree, TIMELINE_DEVICE, 1), 0);
    cr_expect_eq(calltree_self(&graph.tree, TIMELINE_DEVICE, 2), 3000);
    graph_free(&graph);
}

/* f calls g; samples come a millisecond apart, one of them late in the file. */
static const char sampled[] =
    "[{\"ph\":\"P\",\"name\":\"Profile\",\"pid\":1,\"tid\":2,\"id\":\"0x1\",\"ts\":5,\"args\":{"
    "\"data\":{\"startTime\":1000}}},"
    "{\"ph\":\"P\",\"name\":\"ProfileChunk\",\"pid\":1,\"tid\":9,\"id\":\"0x1\",\"ts\":6,\"args\":{"
    "\"data\":{\"cpuProfile\":{\"nodes\":[{\"id\":1,\"callFrame\":{\"functionName\":\"(root)\"}},"
    "{\"id\":2,\"parent\":1,\"callFrame\":{\"functionName\":\"f\",\"url\":\"a.js\",\"lineNumber\":"
    "4}}],"
    "\"samples\":[2,3]},\"timeDeltas\":[0,1000]}}},"
    "{\"ph\":\"P\",\"name\":\"ProfileChunk\",\"pid\":1,\"tid\":9,\"id\":\"0x1\",\"ts\":7,\"args\":{"
    "\"data\":{\"cpuProfile\":{\"nodes\":[{\"id\":3,\"parent\":2,\"callFrame\":{\"functionName\":"
    "\"g\"}}],"
    "\"samples\":[1,2]},\"timeDeltas\":[2000,-1000],\"endTime\":4500}}}]";

Test(chrome, turns_samples_of_javascript_into_events)
{
    struct graph graph;
    const struct timeline *t = &graph.timeline;

    cr_assert(read_text(SPAN(sampled), &graph));
    cr_assert_eq(t->count, 2);
    cr_expect_eq(t->start[0], 1000000);
    cr_expect_eq(t->duration[0], 3000000); /* f, until the sample that has only the root */
    cr_expect_eq(graph_frame(&graph, t->frame[0])->line, 5);
    cr_expect_eq(t->start[1], 2000000);
    cr_expect_eq(t->duration[1], 1000000); /* g */
    cr_expect_eq(graph.source.warnings.count, 1);
    graph_free(&graph);
}

Test(chrome, keeps_what_is_whole_of_a_trace_cut_anywhere)
{
    for (size_t len = 1; len < sizeof(small) - 1; len++) {
        struct graph graph;

        if (!read_text((struct span){small, len}, &graph))
            continue;
        cr_expect_leq(graph.timeline.count, 3);
        if (len < sizeof(small) - 30)
            cr_expect_gt(graph.source.warnings.count, 0, "%zu", len);
        graph_free(&graph);
    }
}

/* A range is entered inside "enter" and left inside "leave", which has "inner" inside. */
static const char entered[] =
    "[{\"ph\":\"X\",\"cat\":\"python_function\",\"name\":\"enter\",\"pid\":9,\"tid\":9,\"ts\":1.5,"
    "\"dur\":20},\n"
    "{\"ph\":\"X\",\"cat\":\"user_annotation\",\"name\":\"range\",\"pid\":9,\"tid\":9,\"ts\":11.5,"
    "\"dur\":100},\n"
    "{\"ph\":\"X\",\"cat\":\"cpu_op\",\"name\":\"aten::mm\",\"pid\":9,\"tid\":9,\"ts\":30,"
    "\"dur\":5},\n"
    "{\"ph\":\"X\",\"cat\":\"python_function\",\"name\":\"leave\",\"pid\":9,\"tid\":9,\"ts\":100,"
    "\"dur\":20},\n"
    "{\"ph\":\"X\",\"cat\":\"python_function\",\"name\":\"inner\",\"pid\":9,\"tid\":9,\"ts\":110,"
    "\"dur\":9}]";

Test(chrome, nests_ranges_in_the_functions_that_enter_and_leave_them)
{
    static const int64_t durations[] = {10000, 100000, 5000, 11500, 1500};
    struct graph graph;

    cr_assert(read_text(SPAN(entered), &graph));
    cr_assert_eq(graph.timeline.count, COUNT_OF(durations));
    cr_expect_eq(graph.timeline.track_count, 1);
    for (size_t i = 0; i < COUNT_OF(durations); i++)
        cr_expect_eq(graph.timeline.duration[i], durations[i], "%zu: %lld", i,
                     (long long)graph.timeline.duration[i]);
    graph_free(&graph);
}

/* What no profiler writes is not cut: a range that ends long after the function it began in. */
Test(chrome, leaves_ranges_alone_that_outlast_a_function_by_far)
{
    static const char text[] =
        "[{\"ph\":\"X\",\"cat\":\"python_function\",\"name\":\"f\",\"pid\":9,\"tid\":9,\"ts\":1.5,"
        "\"dur\":5000},\n"
        "{\"ph\":\"X\",\"cat\":\"user_annotation\",\"name\":\"range\",\"pid\":9,\"tid\":9,"
        "\"ts\":11.5,\"dur\":9000}]";
    struct graph graph;

    cr_assert(read_text(SPAN(text), &graph));
    cr_expect_eq(graph.timeline.track_count, 2);
    cr_expect_eq(graph.timeline.duration[0], 5000000);
    cr_expect_eq(graph.timeline.duration[1], 9000000);
    graph_free(&graph);
}

Test(chrome, knows_device_rows_without_categories_by_their_names)
{
    static const char text[] =
        "[{\"ph\":\"M\",\"name\":\"process_name\",\"pid\":5,\"args\":{\"name\":\"/device:GPU:3\"}},"
        "{\"ph\":\"M\",\"name\":\"thread_name\",\"pid\":5,\"tid\":1,\"args\":{\"name\":"
        "\"Stream #7(Compute)\"}},"
        "{\"ph\":\"M\",\"name\":\"thread_name\",\"pid\":5,\"tid\":2,\"args\":{\"name\":"
        "\"XLA Ops\"}},"
        "{\"ph\":\"X\",\"name\":\"fusion\",\"pid\":5,\"tid\":1,\"ts\":1,\"dur\":2},"
        "{\"ph\":\"X\",\"name\":\"MemcpyH2D\",\"pid\":5,\"tid\":1,\"ts\":4,\"dur\":2},"
        "{\"ph\":\"X\",\"name\":\"fusion.1\",\"pid\":5,\"tid\":2,\"ts\":1,\"dur\":2}]";
    struct graph graph;
    const struct timeline *t = &graph.timeline;

    cr_assert(read_text(SPAN(text), &graph));
    cr_assert_eq(t->count, 3);
    cr_assert_eq(t->track_count, 2);
    cr_expect_eq(t->tracks[0].kind, TRACK_STREAM);
    cr_expect_eq(t->tracks[0].device, 3);
    cr_expect_eq(t->tracks[1].kind, TRACK_RANGES);
    cr_expect_eq(graph_frame(&graph, t->frame[0])->kind, KIND_KERNEL);
    cr_expect_eq(graph_frame(&graph, t->frame[1])->kind, KIND_MEMCPY);
    cr_expect_eq(graph_frame(&graph, t->frame[2])->kind, KIND_OTHER);
    graph_free(&graph);
}

Test(chrome, leaves_out_times_whose_differences_fit_nowhere)
{
    static const char text[] =
        "[{\"ph\":\"X\",\"name\":\"a\",\"pid\":5,\"tid\":1,\"ts\":-9223372036854775,\"dur\":2},"
        "{\"ph\":\"X\",\"name\":\"b\",\"pid\":5,\"tid\":1,\"ts\":9223372036854775,\"dur\":2},"
        "{\"ph\":\"X\",\"name\":\"c\",\"pid\":5,\"tid\":1,\"ts\":1,\"dur\":2}]";
    struct graph graph;

    cr_assert(read_text(SPAN(text), &graph));
    cr_expect_eq(graph.timeline.count, 1);
    graph_free(&graph);
}

/* Of operators whose inputs nobody wants, the first one's shapes stay: the file has some. */
/* A view does nothing, a copy takes time but no FLOPs. */
Test(chrome, keeps_of_inputs_what_is_wanted)
{
    static const char text[] =
        "[{\"ph\":\"X\",\"cat\":\"cpu_op\",\"name\":\"aten::view\",\"pid\":1,\"tid\":1,\"ts\":1,"
        "\"dur\":1,\"args\":{\"Input Dims\":[[1]],\"Input type\":[\"float\"],\"Concrete Inputs\":[\"a\"]}},\n"
        "{\"ph\":\"X\",\"cat\":\"cpu_op\",\"name\":\"aten::view\",\"pid\":1,\"tid\":1,\"ts\":3,"
        "\"dur\":1,\"args\":{\"Input Dims\":[[2]],\"Input type\":[\"float\"],\"Concrete Inputs\":[\"b\"]}},\n"
        "{\"ph\":\"X\",\"cat\":\"cpu_op\",\"name\":\"aten::mm\",\"pid\":1,\"tid\":1,\"ts\":5,"
        "\"dur\":1,\"args\":{\"Input Dims\":[[3]],\"Input type\":[\"float\"],\"Concrete Inputs\":[\"c\"]}},\n"
        "{\"ph\":\"X\",\"cat\":\"cpu_op\",\"name\":\"aten::conv2d\",\"pid\":1,\"tid\":1,\"ts\":7,"
        "\"dur\":1,\"args\":{\"Input Dims\":[[4]],\"Input type\":[\"float\"],\"Concrete Inputs\":[\"d\"]}},\n"
        "{\"ph\":\"X\",\"cat\":\"cpu_op\",\"name\":\"aten::copy_\",\"pid\":1,\"tid\":1,\"ts\":9,"
        "\"dur\":1,\"args\":{\"Input Dims\":[[5]],\"Input type\":[\"float\"],\"Concrete Inputs\":[\"e\"]}}]";
    static const struct {
        enum inputs_wanted wanted;
        enum property property;
        uint32_t count, events[5];
    } expected[] = {{INPUTS_OF_ALL, PROP_SHAPES, 5, {0, 1, 2, 3, 4}},
                    {INPUTS_OF_ALL, PROP_TYPES, 5, {0, 1, 2, 3, 4}},
                    {INPUTS_OF_ALL, PROP_CONCRETE, 5, {0, 1, 2, 3, 4}},
                    {INPUTS_OF_WORK, PROP_SHAPES, 4, {0, 2, 3, 4}},
                    {INPUTS_OF_WORK, PROP_TYPES, 3, {2, 3, 4}},
                    {INPUTS_OF_WORK, PROP_CONCRETE, 3, {2, 3, 4}},
                    {INPUTS_OF_FLOPS, PROP_SHAPES, 3, {0, 2, 3}},
                    {INPUTS_OF_FLOPS, PROP_TYPES, 2, {2, 3}},
                    {INPUTS_OF_FLOPS, PROP_CONCRETE, 1, {3}}};

    for (size_t i = 0; i < COUNT_OF(expected); i++) {
        struct graph graph;
        const struct property_column *column = &graph.timeline.properties[expected[i].property];

        cr_assert(read_wanted(SPAN(text),
                              &(struct builder_options){.need = LEVEL_TIMELINE,
                                                        .properties = UINT64_MAX,
                                                        .inputs = expected[i].wanted},
                              &graph));
        cr_assert_eq(column->count, expected[i].count, "case %zu: %u", i, column->count);
        for (uint32_t k = 0; k < column->count; k++)
            cr_expect_eq(column->event[k], expected[i].events[k], "case %zu", i);
        graph_free(&graph);
    }
}
