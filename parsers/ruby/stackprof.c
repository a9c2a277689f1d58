/* SPDX-License-Identifier: Apache-2.0 */
/* stackprof.c — Ruby's stackprof as JSON: stacks with counts, or functions and who called whom
 *
 *     {"mode": "wall", "interval": 1000, "samples": 7, "gc_samples": 0, "missed_samples": 0,
 *      "frames": {"70098": {"name": "Object#d", "file": "a.rb", "line": 23, "total_samples": 7,
 *                           "samples": 7, "edges": {"70099": 3}}},
 *      "raw": [2, 70097, 70098, 7]}
 *
 * `raw` has for each stack how many frames it has, their ids with the root first, and a count. `raw_lines` has
 * the same with lines in the place of ids. Without `raw` there are only functions and edges. */
#include <stdlib.h>

#include "base/checked.h"
#include "base/memory/memory.h"
#include "parsers/json/json.h"
#include "parsers/parser.h"
#include "parsers/stacks/stack_list.h"

enum { NS_PER_US = 1000, VALUES = 2 };

/* What a sample stands for besides itself: `interval` times so many units. */
struct ruby_mode {
    const char *mode, *value;
    enum unit unit;
    int64_t factor; /* 0: for nothing that is known */
};

static const struct ruby_mode modes[] = {{"wall", "time", UNIT_NS, NS_PER_US},
                                         {"cpu", "time", UNIT_NS, NS_PER_US},
                                         {"object", "objects", UNIT_COUNT, 1},
                                         {NULL, "samples", UNIT_COUNT, 0}}; /* as of "custom" */

struct ruby_function {
    struct frame frame;
    int64_t self, total; /* samples */
};

struct ruby_edge {
    uint32_t caller, callee;
    int64_t samples;
};

struct stackprof {
    struct builder *builder;
    struct json_stream json;
    struct VECTOR_OF(
        uint32_t) number; /* by the text of an id, the function's; IDMAP_NONE: none yet */
    struct VECTOR_OF(struct ruby_function) functions;
    struct VECTOR_OF(struct ruby_edge) edges;
    struct stack_list stacks;
    struct stack_list lines; /* the same with lines that ran in the place of functions */
    const struct ruby_mode *mode;
    int64_t weight; /* of a sample in the mode's unit */
    int64_t interval, samples;
    bool has_stacks;
};

/* ---- functions ---- */

/* Ids are addresses, which may be described after they are used. */
static uint32_t function_number(struct stackprof *profile, struct span id)
{
    str_id text = builder_intern(profile->builder, id);

    while (profile->number.count <= text)
        vector_add(&profile->number, IDMAP_NONE);
    if (profile->number.list[text] == IDMAP_NONE) {
        profile->number.list[text] = (uint32_t)profile->functions.count;
        vector_add(&profile->functions,
                   (struct ruby_function){.frame.name =
                                              builder_intern(profile->builder, SPAN("(unknown)")),
                                          .frame.kind = KIND_HOST});
    }
    return profile->number.list[text];
}

static int64_t figure_of(struct token object, struct span key)
{
    int64_t figure;

    return token_integer(walk_find(object, key), &figure) ? not_negative(figure) : 0;
}

/* C functions have no line, and a file that is called "<cfunc>". */
static void read_function(struct stackprof *profile, struct span id, struct token described)
{
    uint32_t number = function_number(profile, id);
    struct json_walk edges = walk_into(walk_find(described, SPAN("edges")));
    struct arena arena = {0};
    struct ruby_function function = {.frame.kind = KIND_HOST,
                                     .frame.line = figure_of(described, SPAN("line")),
                                     .self = figure_of(described, SPAN("samples")),
                                     .total = figure_of(described, SPAN("total_samples"))};
    struct span name = walk_text(described, SPAN("name"), &arena), callee;
    struct token samples;
    int64_t count;

    function.frame.name = name.len ? builder_intern(profile->builder, name)
                                   : profile->functions.list[number].frame.name;
    function.frame.file =
        builder_intern(profile->builder, walk_text(described, SPAN("file"), &arena));
    profile->functions.list[number] = function;
    while (walk_member(&edges, &callee, &samples))
        if (token_integer(samples, &count) && count > 0)
            vector_add(&profile->edges,
                       (struct ruby_edge){number, function_number(profile, callee), count});
    arena_free(&arena);
}

/* ---- stacks ---- */

/* A list of stacks, of functions or of lines. What is behind the last whole one is left out. */
static void read_stacks(struct stackprof *profile, struct stack_list *list, bool is_lines)
{
    enum { LENGTH, FRAME, COUNT } next = LENGTH;
    int64_t left = 0, number;
    struct token item;

    if (!json_open(&profile->json, '['))
        return;
    while (json_item(&profile->json) && json_take(&profile->json, &item)) {
        if (!token_integer(item, &number) || number < 0)
            number = 0; /* an id may be past 63 bits; none is used as a number */
        if (next == FRAME) {
            stack_list_frame(list, is_lines ? (uint32_t)(number < UINT32_MAX ? number : 0)
                                            : function_number(profile, token_raw_text(item)));
            left--;
        } else if (next == COUNT) {
            stack_list_end(list, number);
        } else {
            left = number;
        }
        next = next == COUNT ? LENGTH : left ? FRAME : COUNT;
    }
    if (next != LENGTH)
        warning_count(builder_warnings(profile->builder), WARNING_LOSS,
                      "a last stack that is cut, left out", input_offset(profile->json.in));
    list->frames.count = list->stacks.count ? list->stacks.list[list->stacks.count - 1].end : 0;
}

/* ---- the document ---- */

static void read_member(struct stackprof *profile, const struct json_key *key)
{
    struct json_stream *json = &profile->json;
    struct json_key id;
    struct token value;
    int64_t figure;

    if (json_key_is(key, "frames") && json_enter(json, '{')) {
        while (json_member(json, &id) && json_take(json, &value))
            read_function(profile, (struct span){id.text, id.len < JSON_KEY_MAX ? id.len : 0},
                          value);
    } else if (json_key_is(key, "raw")) {
        profile->has_stacks = true;
        read_stacks(profile, &profile->stacks, false);
    } else if (json_key_is(key, "raw_lines")) {
        read_stacks(profile, &profile->lines, true);
    } else if (json_key_is(key, "mode") && json_take(json, &value)) {
        profile->mode = &LOOKUP(modes, token_raw_text(value));
        builder_fact_text(profile->builder, "mode", token_raw_text(value));
    } else if (json_key_is(key, "interval") && json_take(json, &value)) {
        if (!token_integer(value, &profile->interval) || profile->interval < 0)
            profile->interval = 0;
    } else if (json_key_is(key, "samples") && json_take(json, &value)) {
        if (!token_integer(value, &profile->samples))
            profile->samples = 0;
    } else if ((json_key_is(key, "gc_samples") || json_key_is(key, "missed_samples")) &&
               json_take(json, &value)) {
        if (token_integer(value, &figure) && figure)
            builder_fact(profile->builder,
                         *key->text == 'g' ? "samples_in_the_collector" : "samples_missed", figure,
                         UNIT_COUNT);
    } else {
        json_skip(json);
    }
}

/* ---- the graph ---- */

/* By the numbers of the stacks: functions, or pairs of a function and the line that ran. */
static frame_id *name_frames(struct stackprof *profile)
{
    size_t count = profile->stacks.frames.count;
    bool has_lines = count && profile->lines.frames.count == count;
    enum detail detail =
        builder_detail(profile->builder, has_lines ? DETAIL_LINE : DETAIL_FUNCTION);
    frame_id *ids =
        grow_zeroed(detail == DETAIL_LINE ? count : profile->functions.count, sizeof(*ids));

    for (size_t i = 0; detail != DETAIL_LINE && i < profile->functions.count; i++)
        ids[i] = builder_frame(profile->builder, &profile->functions.list[i].frame);
    for (size_t i = 0; detail == DETAIL_LINE && i < count; i++) {
        struct frame frame = profile->functions.list[profile->stacks.frames.list[i]].frame;
        int64_t begins_at = frame.line;

        frame.line = profile->lines.frames.list[i];
        ids[i] = builder_frame_in(profile->builder, &frame, begins_at);
        profile->stacks.frames.list[i] = (uint32_t)i;
    }
    return ids;
}

static void give_stacks(struct stackprof *profile)
{
    frame_id *ids = name_frames(profile);
    struct VECTOR_OF(frame_id) stack = {0}; /* the leaf first */
    size_t begin = 0;
    int64_t found = 0;

    for (size_t i = 0; i < profile->stacks.stacks.count; i++) {
        const struct listed_stack *listed = &profile->stacks.stacks.list[i];
        int64_t values[VALUES] = {listed->amount, checked_mul(listed->amount, profile->weight)};

        stack.count = 0;
        for (size_t at = listed->end; at-- > begin;)
            vector_add(&stack, ids[profile->stacks.frames.list[at]]);
        builder_stack(builder_stacks(profile->builder), stack.list, (uint32_t)stack.count, values);
        begin = listed->end;
        found = checked_add(found, listed->amount);
    }
    if (found < profile->samples)
        warning_count_many(builder_warnings(profile->builder), WARNING_LOSS,
                           "samples without a stack, left out",
                           (uint64_t)(profile->samples - found));
    free(stack.list);
    free(ids);
}

/* The number of a function in the call graph. */
static uint32_t listed(struct stackprof *profile, uint32_t function)
{
    return builder_function(
        builder_callgraph(profile->builder),
        builder_frame(profile->builder, &profile->functions.list[function].frame));
}

static void give_calls(struct stackprof *profile)
{
    struct callgraph_builder *builder = builder_callgraph(profile->builder);
    int64_t weight = builder_value(profile->builder) ? profile->weight : 1;

    for (size_t i = 0; i < profile->functions.count; i++) {
        const struct ruby_function *function = &profile->functions.list[i];

        builder_list(builder, listed(profile, (uint32_t)i),
                     &(struct call_figures){UNKNOWN, UNKNOWN, checked_mul(function->self, weight),
                                            checked_mul(function->total, weight)});
    }
    for (size_t i = 0; i < profile->edges.count; i++) {
        const struct ruby_edge *edge = &profile->edges.list[i];

        builder_call(
            builder, listed(profile, edge->caller), listed(profile, edge->callee),
            &(struct call_figures){UNKNOWN, UNKNOWN, UNKNOWN, checked_mul(edge->samples, weight)});
    }
}

static bool build(struct stackprof *profile, struct error *err)
{
    struct value_name values[VALUES] = {{LITERAL("samples"), UNIT_COUNT},
                                        {span_of(profile->mode->value), profile->mode->unit}};

    profile->weight = checked_mul(profile->interval, profile->mode->factor);
    if (!builder_begin(profile->builder, profile->has_stacks ? LEVEL_CALLTREE : LEVEL_CALLGRAPH,
                       values, profile->weight ? VALUES : 1, 0, err))
        return false;
    if (profile->has_stacks)
        give_stacks(profile);
    else
        give_calls(profile);
    if (profile->mode->factor == NS_PER_US)
        builder_known_fact(profile->builder, FACT_PERIOD, profile->weight, UNIT_NS);
    return true;
}

static bool parse(struct input *in, struct builder *builder, struct error *err)
{
    struct stackprof profile = {
        .builder = builder, .json = json_start(in), .mode = &LOOKUP(modes, SPAN("custom"))};
    struct json_key key;
    bool ok = json_begin(&profile.json, err);

    builder_producer(builder, "stackprof");
    while (ok && json_member(&profile.json, &key))
        read_member(&profile, &key);
    json_end(&profile.json, builder_warnings(builder));
    if (ok && !profile.functions.count)
        ok = error_set_at(err, input_offset(in), 0, "no frame is in it");
    ok = ok && build(&profile, err);
    stack_list_free(&profile.stacks);
    stack_list_free(&profile.lines);
    free(profile.number.list);
    free(profile.functions.list);
    free(profile.edges.list);
    return ok;
}

static enum sniff sniff(struct span head, bool is_all)
{
    static const char *const first[] = {"version",    "mode",           "interval", "samples",
                                        "gc_samples", "missed_samples", "metadata", "frames",
                                        "raw",        "raw_lines",      NULL};

    if (!span_is_any(walk_first_key(head), first))
        return SNIFF_NO;
    if (span_find(head, SPAN("\"total_samples\"")) != SIZE_MAX ||
        span_find(head, SPAN("\"gc_samples\"")) != SIZE_MAX)
        return SNIFF_YES;
    return is_all ? SNIFF_NO : SNIFF_MORE;
}

const struct parser parser_stackprof = {
    .name = "stackprof",
    .title = "stackprof's JSON",
    .summary = "Ruby: stackprof --json, JSON of StackProf.results",
    .tried = "stackprof 0.2",
    .omitted = "dumps of Marshal: stackprof --json FILE; times of samples",
    .level = LEVEL_CALLTREE,
    .sniff = sniff,
    .parse = parse,
};
