/* SPDX-License-Identifier: Apache-2.0 */
/* time_outliers.c — events at times at which they cannot have been */
#include "tests/unit/hand_made.h"

#define SECOND ((int64_t)1000000000)
#define HOUR (3600 * SECOND)

static struct builder *begin(void)
{
    return begin_timeline(&(struct builder_options){
        .need = LEVEL_TIMELINE, .launches = true, .properties = property_bit(PROP_BYTES)});
}

/* A host that launches work of `count` kernels, at `time` and the microseconds after it. */
static void add_run(struct builder *builder, uint32_t host, uint32_t stream, int64_t time,
                    int64_t count)
{
    frame_id call = named(builder, "launch", KIND_RUNTIME);
    frame_id kernel = named(builder, "kernel", KIND_KERNEL);

    for (int64_t i = 0; i < count; i++, time += 1000) {
        uint32_t event = builder_event(builder_timeline(builder), stream, time + 500, 400, kernel);

        builder_property(builder_timeline(builder), event, PROP_BYTES, i);
        builder_launched(builder_timeline(builder), event, i);
        builder_launches(builder_timeline(builder),
                         builder_event(builder_timeline(builder), host, time, 100, call), i);
    }
}

Test(time_outliers, leave_nothing_behind)
{
    struct builder *builder = begin(), *part = builder_part(builder);
    uint32_t host = thread_of(builder, 1), stream = stream_of(builder, 0, 7);
    uint32_t tracks[] = {host, stream}; /* by the part's */
    uint32_t part_host = thread_of(part, 1), part_stream = stream_of(part, 0, 7);
    uint32_t at_zero = timed(builder, stream, 0, 0, "kernel", KIND_KERNEL);
    struct graph graph;
    const struct timeline *t = &graph.timeline;
    int64_t value;

    builder_property(builder_timeline(builder), at_zero, PROP_BYTES, 99);
    builder_launched(builder_timeline(builder), at_zero, 2);
    add_run(part, part_host, part_stream, 500000 * HOUR, 3);

    str_id *texts = builder_absorb_texts(builder, part);

    builder_absorb(builder, part, texts, tracks);
    free(texts);
    timed(builder, host, 600000 * HOUR, 5, "late", KIND_HOST);
    builder_finish(builder, &graph);
    cr_assert_eq(t->count, 6);
    for (uint32_t i = 0; i < 3; i++) {
        cr_expect_eq(t->launch[3 + i], i);
        cr_assert(property_of(&t->properties[PROP_BYTES], 3 + i, &value));
        cr_expect_eq(value, i);
    }
    cr_expect_eq(t->start[0], 500000 * HOUR);
    cr_expect_eq(t->properties[PROP_BYTES].count, 3);
    cr_assert_eq(graph.source.warnings.count, 2);
    cr_expect_eq(graph.source.warnings.list[0].count, 1);
    cr_expect_eq(graph.source.warnings.list[0].severity, WARNING_LOSS);
    graph_free(&graph);
}

/* What may be true stays: a run of hours, jobs by the hour, a clock of its own. */
Test(time_outliers, are_only_what_cannot_be)
{
    static const struct {
        const char *what;
        int64_t time, duration; /* of one event more, */
        bool is_on_its_own;     /* perhaps on a track of its own, */
        int64_t runs, every;    /* beside these */
        uint32_t events;
        size_t warnings;
    } cases[] = {
        {"the run begins at 0", 0, 0, false, 1, 0, 7, 0},
        {"so does another", 500000 * HOUR, 5, false, 1, 0, 6, 1},
        {"a recording of its own clock", 500000 * HOUR, 5, true, 1, 0, 7, 1},
        {"a late event", 2 * HOUR, 5, false, 1, 0, 7, 1},
        {"one that lasts until it", 100000, 2 * HOUR, true, 2, 2 * HOUR, 13, 0},
        {"jobs by the hour", 100000, 5, true, 5, HOUR, 31, 0},
    };

    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct builder *builder = begin();
        uint32_t host = thread_of(builder, 1), stream = stream_of(builder, 0, 7);
        struct graph graph;

        for (int64_t run = 0; run < cases[i].runs; run++)
            add_run(builder, host, stream, run * cases[i].every, 3);
        if (cases[i].is_on_its_own)
            host = thread_of(builder, 2);
        timed(builder, host, cases[i].time, cases[i].duration, "one", KIND_HOST);
        builder_finish(builder, &graph);
        cr_expect_eq(graph.timeline.count, cases[i].events, "%s: %u", cases[i].what,
                     graph.timeline.count);
        cr_expect_eq(graph.source.warnings.count, cases[i].warnings, "%s", cases[i].what);
        graph_free(&graph);
    }
}
