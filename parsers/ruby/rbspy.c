/* SPDX-License-Identifier: Apache-2.0 */
/* rbspy.c — what rbspy keeps of each recording of a Ruby program: a raw file, a sample a line
 *
 *     rbspy02
 *     {"sample_rate": 99, "rbspy_version": "0.36.0", "start_time": {...}}
 *     {"trace": [{"name": "work", "relative_path": "a.rb", "absolute_path": "/srv/a.rb", "lineno": 7}],
 *      "pid": 42, "thread_id": 4242, "time": {"secs_since_epoch": 17, "nanos_since_epoch": 0}, "on_cpu": true}
 *
 * The leaf stands first. A line is the one that ran. */
#include <stdlib.h>

#include "base/checked.h"
#include "base/memory/memory.h"
#include "base/text/decimal.h"
#include "parsers/json/json.h"
#include "parsers/parser.h"
#include "parsers/stacks/timed_samples.h"

enum { LABELS = 3, NS_PER_S = 1000000000 };

struct rbspy {
    struct builder *builder;
    struct timed_samples timed;
    bool has_times, has_labels, has_lines;
    int64_t period; /* ns; 0: not known */
    struct arena arena;
    struct VECTOR_OF(frame_id) stack; /* the leaf first */
    str_id keys[LABELS];
    struct sample_label labels[LABELS]; /* of the stack that is given next */
    uint64_t samples;
};

static int64_t number_of(struct token object, struct span key)
{
    int64_t number;

    return token_integer(walk_find(object, key), &number) ? number : 0;
}

static bool begin_samples(struct rbspy *rbspy, struct token header, struct error *err)
{
    static const struct value_name values[] = {{LITERAL("samples"), UNIT_COUNT},
                                               {LITERAL("time"), UNIT_NS}};
    int64_t rate = number_of(header, SPAN("sample_rate"));
    struct span version = walk_text(header, SPAN("rbspy_version"), &rbspy->arena);

    builder_producer(rbspy->builder, "rbspy %.*s", (int)(version.len < 40 ? version.len : 40),
                     version.at);
    if (rate > 0)
        builder_known_fact(rbspy->builder, FACT_PERIOD, rbspy->period = NS_PER_S / rate, UNIT_NS);
    if (rbspy->has_times)
        return timed_samples_begin(&rbspy->timed, rbspy->builder, err);
    return builder_begin(rbspy->builder, LEVEL_CALLTREE, values, rbspy->period ? 2 : 1, 0, err);
}

static frame_id read_frame(struct rbspy *rbspy, struct token described)
{
    struct span path = walk_text(described, SPAN("absolute_path"), &rbspy->arena);
    struct frame frame = {.kind = KIND_HOST};

    if (!path.len)
        path = walk_text(described, SPAN("relative_path"), &rbspy->arena);
    frame.name = builder_intern(rbspy->builder, walk_text(described, SPAN("name"), &rbspy->arena));
    if (!span_eq(path, SPAN("(unknown)")))
        frame.file = builder_intern(rbspy->builder, path);
    if (rbspy->has_lines)
        frame.line = not_negative(number_of(described, SPAN("lineno")));
    return builder_frame(rbspy->builder, &frame);
}

/* Thread and process, and whether the thread ran when it was looked at. */
static void give_labels(struct rbspy *rbspy, struct token sample)
{
    struct token values[LABELS] = {walk_find(sample, SPAN("thread_id")),
                                   walk_find(sample, SPAN("pid")),
                                   walk_find(sample, SPAN("on_cpu"))};
    uint32_t count = 0;

    for (size_t i = 0; i < LABELS; i++) {
        struct span text = token_raw_text(values[i]);

        if (i == LABELS - 1 && text.len)
            text = span_eq(text, SPAN("true")) ? SPAN("on CPU") : SPAN("off CPU");
        if (text.len)
            rbspy->labels[count++] = (struct sample_label){
                .key = rbspy->keys[i], .text = builder_intern(rbspy->builder, text)};
    }
    builder_labels(builder_stacks(rbspy->builder), rbspy->labels, count);
}

static void give_time(struct rbspy *rbspy, struct token sample)
{
    struct token time = walk_find(sample, SPAN("time"));
    int64_t id = number_of(sample, SPAN("thread_id")), pid = number_of(sample, SPAN("pid"));
    int64_t ns = checked_add(checked_mul(number_of(time, SPAN("secs_since_epoch")), NS_PER_S),
                             number_of(time, SPAN("nanos_since_epoch")));
    uint32_t track = timed_samples_track(
        &rbspy->timed, (uint64_t)id,
        builder_intern(rbspy->builder, token_raw_text(walk_find(sample, SPAN("thread_id")))), pid,
        id);

    timed_samples_add(&rbspy->timed, track, ns, rbspy->stack.list, rbspy->stack.count);
}

static bool read_sample(struct rbspy *rbspy, struct token sample)
{
    struct token trace = walk_find(sample, SPAN("trace")), frame;
    struct json_walk frames = walk_into(trace);
    int64_t values[] = {1, rbspy->period};

    if (!trace.at)
        return false;
    rbspy->stack.count = 0;
    while (walk_item(&frames, &frame))
        vector_add(&rbspy->stack, read_frame(rbspy, frame));
    rbspy->samples++;
    if (rbspy->has_times) {
        give_time(rbspy, sample);
        return true;
    }
    if (rbspy->has_labels)
        give_labels(rbspy, sample);
    builder_stack(builder_stacks(rbspy->builder), rbspy->stack.list, (uint32_t)rbspy->stack.count,
                  values);
    return true;
}

static bool read_lines(struct rbspy *rbspy, struct input *in, struct error *err)
{
    uint64_t offset;
    struct span line;

    if (!input_line(in, &line) || !span_starts(line, SPAN("rbspy")))
        return error_set_at(err, 0, 1, "does not begin with rbspy and a version");
    if (!input_line(in, &line))
        line = (struct span){0};
    if (!begin_samples(rbspy, token_of(line), err))
        return false;
    for (offset = input_offset(in); input_line(in, &line); offset = input_offset(in)) {
        if (span_trim(line).len && !read_sample(rbspy, token_of(line)))
            warning_count(builder_warnings(rbspy->builder), WARNING_LOSS,
                          "lines that are no sample, left out", offset);
        arena_clear(&rbspy->arena);
    }
    return true;
}

static bool parse(struct input *in, struct builder *builder, struct error *err)
{
    static const char *const keys[LABELS] = {"thread", "process", "state"};
    struct rbspy rbspy = {.builder = builder,
                          .has_times = builder_wants_times(builder),
                          .has_labels = builder_wants_labels(builder_stacks(builder)),
                          .has_lines = builder_detail(builder, DETAIL_LINE) == DETAIL_LINE};
    bool ok;

    for (size_t i = 0; i < LABELS; i++)
        rbspy.keys[i] = builder_intern(builder, span_of(keys[i]));
    ok = read_lines(&rbspy, in, err);
    if (ok && rbspy.has_times)
        timed_samples_end(&rbspy.timed, input_bytes_read(in));
    builder_fact(builder, "samples", (int64_t)rbspy.samples, UNIT_COUNT);
    arena_free(&rbspy.arena);
    free(rbspy.stack.list);
    return ok;
}

static enum sniff sniff(struct span head, bool is_all)
{
    static const char *const magics[] = {"rbspy00\n", "rbspy01\n", "rbspy02\n", NULL};

    (void)is_all;
    return span_starts_any(head, magics) ? SNIFF_YES : SNIFF_NO;
}

const struct parser parser_rbspy = {
    .name = "rbspy",
    .title = "raw files of rbspy",
    .summary = "Ruby: rbspy record --raw-file, and beside each recording in ~/.cache/rbspy",
    .tried = "made files of version 02",
    .level = LEVEL_CALLTREE,
    .sniff = sniff,
    .parse = parse,
};
