/* SPDX-License-Identifier: Apache-2.0 */
/* split.c — a trace read by several threads is the trace read by one, to the last number */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "graph/derive/derive.h"
#include "parsers/chrome/chrome.h"
#include "parsers/chrome/chrome_events.h"

/* Pairs far apart, counters, names given late, and args that hold what looks like events. */
static void write_event(FILE *file, unsigned i)
{
    switch (i % 7) {
    case 0:
        fprintf(file,
                "{\"ph\":\"B\",\"name\":\"b%u\",\"pid\":1,\"tid\":%u,\"ts\":%u,"
                "\"tts\":%u,\"bind_id\":\"0x%x\",\"flow_in\":%s,\"flow_out\":true}",
                i % 3, i % 5, i, i, i / 21, i % 3 ? "true" : "false");
        break;
    case 1:
        fprintf(file, "{\"ph\":\"E\",\"pid\":1,\"tid\":%u,\"ts\":%u.5,\"tts\":%u}", i % 5, i + 40,
                i + 20);
        break;
    case 2:
        fprintf(file, "{\"ph\":\"C\",\"name\":\"c\",\"pid\":1,\"ts\":%u,\"args\":{\"a\":%u}}", i,
                i);
        break;
    case 3:
        fprintf(file,
                "{\"ph\":\"X\",\"cat\":\"kernel\",\"name\":\"k \\\"},{\\\"%u\",\"pid\":0,\"tid\":7,"
                "\"ts\":%u.25,\"dur\":3,\"args\":{\"correlation\":%u,\"list\":[{\"x\":1},{\"ph\":2}"
                ",{\"y\":{}}]}}",
                i % 4, i, i - 1);
        break;
    case 4:
        fprintf(file,
                "{\"ph\":\"M\",\"name\":\"thread_name\",\"pid\":1,\"tid\":%u,\"args\":"
                "{\"name\":\"thread %u\"}}",
                i % 5, i % 5);
        break;
    case 5:
        fprintf(file,
                "{\"ph\":\"%s\",\"cat\":\"io\",\"id\":%u,\"name\":\"read\",\"pid\":1,\"ts\":%u}",
                i % 2 ? "b" : "e", i / 14, i);
        break;
    default:
        fprintf(file,
                "{\"ph\":\"X\",\"cat\":\"cuda_runtime\",\"name\":\"launch\",\"pid\":1,\"tid\":2,"
                "\"ts\":%u,\"dur\":1,\"tdur\":0.%u,\"args\":{\"correlation\":%u}}",
                i, i % 9, i + 3);
    }
}

static void write_trace(const char *path, const char *blank, const char *tail)
{
    FILE *file = fopen(path, "w");

    cr_assert(file);
    fprintf(file, "{\"schemaVersion\":1,\"traceEvents\":[");
    for (unsigned i = 0; i < 400; i++) {
        fprintf(file, "%s%s", i ? "," : "", blank);
        write_event(file, i);
    }
    fprintf(file, "%s", tail);
    fclose(file);
}

static bool read_with(const char *path, size_t threads, struct graph *graph, struct error *err)
{
    struct builder *builder = builder_new(&(struct builder_options){
        .launches = true,
        .flows = true,
        .categories = true,
        .series = true,
        .properties = property_bit(PROP_STEP) | property_bit(PROP_CPU_TIME)});
    struct input in;
    struct sink sink;
    struct chrome_reader reader = {.array = {.in = &in, .sink = &sink, .scan = scanner_select()},
                                   .threads = threads,
                                   .part_min = 64};
    bool is_read;

    cr_assert(input_open(&in, path, &(struct input_options){0}, err));
    cr_assert(builder_begin_timeline(builder, err));
    sink_init(&sink, builder);
    wanted_args_init(&reader.wanted, builder);
    reader.array.scanner.wanted = wanted_args(&reader.wanted);
    is_read = reader_read(&reader, err);
    if (is_read)
        sink_finish(&sink, input_bytes_read(&in));
    shapes_free(&reader.array.scanner.shapes);
    sink_free(&sink);
    input_close(&in);
    if (is_read)
        builder_finish(builder, graph);
    else
        builder_abandon(builder);
    return is_read;
}

static void expect_same_names(const struct graph *a, const struct graph *b)
{
    cr_assert_eq(a->strings.count, b->strings.count);
    for (size_t i = 0; i < a->strings.count; i++)
        cr_expect(span_eq(graph_text(a, (str_id)i), graph_text(b, (str_id)i)));
    cr_assert_eq(a->frames.count, b->frames.count);
}

static void expect_same_events(const struct timeline *a, const struct timeline *b)
{
    cr_assert_eq(a->count, b->count);
    for (uint32_t i = 0; i < a->count; i++) {
        cr_expect_eq(a->start[i], b->start[i]);
        cr_expect_eq(a->duration[i], b->duration[i], "event %u", i);
        cr_expect_eq(a->frame[i], b->frame[i]);
        cr_expect_eq(a->category[i], b->category[i]);
        cr_expect_eq(a->launch ? a->launch[i] : 0, b->launch ? b->launch[i] : 0);
    }
    cr_assert_eq(a->track_count, b->track_count);
    for (uint32_t i = 0; i < a->track_count; i++) {
        cr_expect_eq(a->tracks[i].name, b->tracks[i].name);
        cr_expect_eq(a->tracks[i].count, b->tracks[i].count);
    }
}

static void expect_same_cpu_times(const struct timeline *a, const struct timeline *b)
{
    const struct property_column *one = &a->properties[PROP_CPU_TIME];
    const struct property_column *other = &b->properties[PROP_CPU_TIME];

    cr_expect(one->count > 57, "those of all X, and of some B and E");
    cr_assert_eq(one->count, other->count);
    for (uint32_t i = 0; i < one->count; i++) {
        cr_expect_eq(one->event[i], other->event[i]);
        cr_expect_eq(property_value(one, i), property_value(other, i));
    }
}

static void expect_same_series(const struct timeline *a, const struct timeline *b)
{
    cr_assert_eq(a->series.count, b->series.count);
    for (uint32_t i = 0; i < a->series.count; i++) {
        cr_assert_eq(a->series.list[i].count, b->series.list[i].count);
        for (uint32_t k = 0; k < a->series.list[i].count; k++)
            cr_expect_eq(a->series.list[i].time[k], b->series.list[i].time[k]);
    }
}

static void compare(const char *path, size_t threads)
{
    struct graph one, many;
    struct error err = {0};

    cr_assert(read_with(path, 1, &one, &err));
    cr_assert(read_with(path, threads, &many, &err));
    expect_same_names(&one, &many);
    expect_same_events(&one.timeline, &many.timeline);
    expect_same_cpu_times(&one.timeline, &many.timeline);
    cr_expect_eq(one.values.count, (uint32_t)TIMELINE_VALUES);
    cr_expect_eq(many.values.count, (uint32_t)TIMELINE_VALUES);
    expect_same_series(&one.timeline, &many.timeline);
    cr_expect_eq(one.source.warnings.count, many.source.warnings.count);
    for (size_t i = 0; i < one.source.warnings.count; i++)
        cr_expect_eq(one.source.warnings.list[i].count, many.source.warnings.list[i].count, "%s",
                     one.source.warnings.list[i].text);
    graph_free(&one);
    graph_free(&many);
}

/* Whatever stands around the events, wherever the file ends, however many parts there are. */
Test(split, reads_what_one_thread_reads)
{
    static const char *const tails[] = {
        "]}",
        "",
        ",{\"ph\":\"X\",\"na",
        "],\"deviceProperties\":[{\"name\":\"a\"},{\"name\":\"b\"}]}",
        "]}{\"traceEvents\":[{\"ph\":\"X\",\"name\":\"x\",\"pid\":9,\"ts\":1,\"dur\":2}]}",
        ",{\"ph\":\"X\",]}",
    };
    static const char *const blanks[] = {"", "\n  ", "\n\n\n\n\t"};
    char path[] = "/tmp/ptk-split-XXXXXX";
    int fd = mkstemp(path);

    cr_assert(fd >= 0);
    for (size_t t = 0; t < COUNT_OF(tails); t++)
        for (size_t b = 0; b < COUNT_OF(blanks); b++) {
            write_trace(path, blanks[b], tails[t]);
            for (size_t threads = 2; threads <= 9; threads++)
                compare(path, threads);
        }
    close(fd);
    unlink(path);
}
