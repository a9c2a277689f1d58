/* SPDX-License-Identifier: Apache-2.0 */
/* safari.c — timeline recordings of Safari's Web Inspector: the samples of its scripts
 *
 *     {"version": 1, "recording": {"displayName": "Timeline Recording 1", "startTime": 4.1, "endTime": 6.6,
 *      "sampleStackTraces": [{"timestamp": 4.47, "stackFrames": [{"name": "f", "line": 2, "column": 10,
 *        "url": "main.js", "expressionLocation": {"line": 34, "column": 13}}]}],
 *      "sampleDurations": [0.001]}}
 *
 * The leaf stands first. A frame's line is where its function begins; the expression's is the one that ran. */
#include <stdlib.h>

#include "base/checked.h"
#include "base/memory/memory.h"
#include "parsers/json/json.h"
#include "parsers/json/json_sniff.h"
#include "parsers/parser.h"
#include "parsers/stacks/v8_names.h"

enum { NANO = 9 };

struct safari {
    struct builder *builder;
    struct json_stream json;
    bool has_lines;
    struct VECTOR_OF(frame_id) frames;   /* of all stacks, each with the leaf first */
    struct VECTOR_OF(size_t) ends;       /* by stack, of its frames */
    struct VECTOR_OF(int64_t) durations; /* ns */
};

static int64_t position(struct token object, struct span key)
{
    int64_t number;

    return token_integer(walk_find(object, key), &number) && number > 0 && number < UINT32_MAX
               ? number
               : 0;
}

static frame_id read_frame(struct safari *safari, struct token described)
{
    struct arena arena = {0};
    struct frame frame = {.line = position(described, SPAN("line")),
                          .column = (uint32_t)position(described, SPAN("column"))};
    frame_id id;

    v8_name(&frame, walk_text(described, SPAN("name"), &arena), safari->builder);
    v8_file(&frame, walk_text(described, SPAN("url"), &arena), safari->builder);
    frame.shows_place = true; /* in JavaScript many functions have one name */
    if (safari->has_lines)
        id = v8_frame_at(&frame,
                         position(walk_find(described, SPAN("expressionLocation")), SPAN("line")),
                         safari->builder);
    else
        id = frame.name ? builder_frame(safari->builder, &frame) : 0;
    arena_free(&arena);
    return id;
}

static void read_stack(struct safari *safari, struct token sample)
{
    struct json_walk frames = walk_into(walk_find(sample, SPAN("stackFrames")));
    struct token described;
    frame_id frame;

    while (walk_item(&frames, &described))
        if ((frame = read_frame(safari, described)))
            vector_add(&safari->frames, frame);
    vector_add(&safari->ends, safari->frames.count);
}

static void read_recording(struct safari *safari)
{
    struct json_stream *json = &safari->json;
    int64_t start = UNKNOWN, end = UNKNOWN, duration;
    struct json_key key;
    struct token value;

    while (json_member(json, &key)) {
        if (json_key_is(&key, "sampleStackTraces") && json_enter(json, '[')) {
            while (json_item(json) && json_take(json, &value))
                read_stack(safari, value);
        } else if (json_key_is(&key, "sampleDurations") && json_enter(json, '[')) {
            while (json_item(json) && json_take(json, &value))
                vector_add(&safari->durations,
                           token_scaled(value, NANO, &duration) ? not_negative(duration) : 0);
        } else if (json_key_is(&key, "startTime") && json_take(json, &value)) {
            if (!token_scaled(value, NANO, &start))
                start = UNKNOWN;
        } else if (json_key_is(&key, "endTime") && json_take(json, &value)) {
            if (!token_scaled(value, NANO, &end))
                end = UNKNOWN;
        } else {
            json_skip(json);
        }
    }
    if (start != UNKNOWN && end != UNKNOWN)
        builder_known_fact(safari->builder, FACT_DURATION, checked_sub(end, start), UNIT_NS);
}

static bool build(struct safari *safari, struct error *err)
{
    static const struct value_name values[] = {{LITERAL("time"), UNIT_NS},
                                               {LITERAL("samples"), UNIT_COUNT}};
    size_t begin = 0;

    if (!builder_begin(safari->builder, LEVEL_CALLTREE, values, COUNT_OF(values), 0, err))
        return false;
    for (size_t i = 0; i < safari->ends.count; i++) {
        int64_t figures[] = {i < safari->durations.count ? safari->durations.list[i] : 0, 1};
        uint32_t count = (uint32_t)(safari->ends.list[i] - begin);

        builder_stack(builder_stacks(safari->builder), count ? safari->frames.list + begin : NULL,
                      count, figures);
        begin = safari->ends.list[i];
    }
    if (safari->ends.count > safari->durations.count)
        warning_count_many(builder_warnings(safari->builder), WARNING_LOSS,
                           "samples whose duration is not known",
                           safari->ends.count - safari->durations.count);
    return true;
}

static bool parse(struct input *in, struct builder *builder, struct error *err)
{
    struct safari safari = {.builder = builder,
                            .json = json_start(in),
                            .has_lines = builder_detail(builder, DETAIL_LINE) == DETAIL_LINE};
    struct json_key key;
    bool ok = json_begin(&safari.json, err);

    builder_producer(builder, "Safari");
    while (ok && json_member(&safari.json, &key))
        if (json_key_is(&key, "recording") && json_enter(&safari.json, '{'))
            read_recording(&safari);
        else
            json_skip(&safari.json);
    json_end(&safari.json, builder_warnings(builder));
    ok = ok && build(&safari, err);
    free(safari.frames.list);
    free(safari.ends.list);
    free(safari.durations.list);
    return ok;
}

static enum sniff sniff(struct span head, bool is_all)
{
    static const char *const first[] = {"version", "recording", NULL};
    static const char *const marks[] = {"\"instrumentTypes\"", "\"sampleStackTraces\"", NULL};

    if (span_find(head, SPAN("\"recording\"")) == SIZE_MAX)
        return SNIFF_NO;
    return sniff_json(head, is_all, first, marks);
}

const struct parser parser_safari = {
    .name = "safari",
    .title = "recordings of Safari",
    .summary = "JavaScript: exports of the Timelines tab of Safari's Web Inspector",
    .tried = "Safari 13",
    .omitted = "network, layout, frames, the processor's use",
    .level = LEVEL_CALLTREE,
    .sniff = sniff,
    .parse = parse,
};
