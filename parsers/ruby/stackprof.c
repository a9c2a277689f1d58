/* SPDX-License-Identifier: Apache-2.0 */
/* stackprof.c — Ruby's stackprof as JSON: stacks with counts, or functions and who called whom
 *
 *     {"mode": "wall", "interval": 1000, "samples": 7, "gc_samples": 0, "missed_samples": 0,
 *      "frames": {"70098": {"name": "Object#d", "file": "a.rb", "line": 23, "total_samples": 7,
 *                           "samples": 7, "edges": {"70099": 3}}},
 *      "raw": [2, 70097, 70098, 7]}
 *
 * `raw` has for each stack how many frames it has, their ids with the root first, and a count. `raw_lines` has
 * the same with lines in the place of ids. Without `raw` there are only functions and edges.
 * ruby_profile.c makes a graph of it. */
#include "base/checked.h"
#include "base/memory/memory.h"
#include "parsers/json/json.h"
#include "parsers/json/json_sniff.h"
#include "parsers/parser.h"
#include "parsers/ruby/ruby_profile.h"

enum { NS_PER_US = 1000 };

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

struct stackprof {
    struct json_stream json;
    struct idmap by_id; /* by the text of an id → the function's number */
    const struct ruby_mode *mode;
    int64_t interval;
    struct ruby_profile profile;
};

/* ---- functions ---- */

/* Ids are addresses, which may be described after they are used. */
static uint32_t function_number(struct stackprof *stackprof, struct span id)
{
    struct ruby_profile *profile = &stackprof->profile;
    uint32_t *number = idmap_at(&stackprof->by_id, builder_intern(profile->builder, id));

    if (*number == IDMAP_NONE) {
        *number = (uint32_t)profile->functions.count;
        vector_add(&profile->functions,
                   (struct ruby_function){.frame.name =
                                              builder_intern(profile->builder, SPAN("(unknown)")),
                                          .frame.kind = KIND_HOST});
    }
    return *number;
}

static int64_t figure_of(struct token object, struct span key)
{
    int64_t figure;

    return token_integer(walk_find(object, key), &figure) ? not_negative(figure) : 0;
}

/* C functions have no line, and a file that is called "<cfunc>". */
static void read_function(struct stackprof *stackprof, struct span id, struct token described)
{
    uint32_t number = function_number(stackprof, id);
    struct json_walk edges = walk_into(walk_find(described, SPAN("edges")));
    struct arena arena = {0};
    struct ruby_function function = {.frame.kind = KIND_HOST,
                                     .frame.line = figure_of(described, SPAN("line")),
                                     .self = figure_of(described, SPAN("samples")),
                                     .total = figure_of(described, SPAN("total_samples"))};
    struct span name = walk_text(described, SPAN("name"), &arena), callee;
    struct token samples;
    int64_t count;

    function.frame.name = name.len ? builder_intern(stackprof->profile.builder, name)
                                   : stackprof->profile.functions.list[number].frame.name;
    function.frame.file =
        builder_intern(stackprof->profile.builder, walk_text(described, SPAN("file"), &arena));
    stackprof->profile.functions.list[number] = function;
    while (walk_member(&edges, &callee, &samples))
        if (token_integer(samples, &count) && count > 0)
            vector_add(&stackprof->profile.edges,
                       (struct ruby_edge){number, function_number(stackprof, callee), count});
    arena_free(&arena);
}

/* ---- stacks ---- */

/* A list of stacks, of functions or of lines. What is behind the last whole one is left out. */
static void read_stacks(struct stackprof *stackprof, struct stack_list *list, bool is_lines)
{
    enum { LENGTH, FRAME, COUNT } next = LENGTH;
    int64_t left = 0, number;
    struct token item;

    if (!json_open(&stackprof->json, '['))
        return;
    while (json_item(&stackprof->json) && json_take(&stackprof->json, &item)) {
        if (!token_integer(item, &number) || number < 0)
            number = 0; /* an id may be past 63 bits; none is used as a number */
        if (next == FRAME) {
            stack_list_frame(list, is_lines ? (uint32_t)(number < UINT32_MAX ? number : 0)
                                            : function_number(stackprof, token_raw_text(item)));
            left--;
        } else if (next == COUNT) {
            stack_list_end(list, number);
        } else {
            left = number;
        }
        next = next == COUNT ? LENGTH : left ? FRAME : COUNT;
    }
    if (next != LENGTH)
        warning_count(builder_warnings(stackprof->profile.builder), WARNING_LOSS,
                      "a last stack that is cut, left out", input_offset(stackprof->json.in));
    list->frames.count = list->stacks.count ? list->stacks.list[list->stacks.count - 1].end : 0;
}

/* ---- the document ---- */

static void read_member(struct stackprof *stackprof, const struct json_key *key)
{
    struct json_stream *json = &stackprof->json;
    struct builder *builder = stackprof->profile.builder;
    struct json_key id;
    struct token value;
    int64_t figure;

    if (json_key_is(key, "frames") && json_enter(json, '{')) {
        while (json_member(json, &id) && json_take(json, &value))
            read_function(stackprof, (struct span){id.text, id.len < JSON_KEY_MAX ? id.len : 0},
                          value);
    } else if (json_key_is(key, "raw")) {
        stackprof->profile.has_stacks = true;
        read_stacks(stackprof, &stackprof->profile.stacks, false);
    } else if (json_key_is(key, "raw_lines")) {
        read_stacks(stackprof, &stackprof->profile.lines, true);
    } else if (json_key_is(key, "mode") && json_take(json, &value)) {
        stackprof->mode = &LOOKUP(modes, token_raw_text(value));
        builder_fact_text(builder, "mode", token_raw_text(value));
    } else if (json_key_is(key, "interval") && json_take(json, &value)) {
        if (!token_integer(value, &stackprof->interval) || stackprof->interval < 0)
            stackprof->interval = 0;
    } else if (json_key_is(key, "samples") && json_take(json, &value)) {
        if (!token_integer(value, &stackprof->profile.samples))
            stackprof->profile.samples = 0;
    } else if ((json_key_is(key, "gc_samples") || json_key_is(key, "missed_samples")) &&
               json_take(json, &value)) {
        if (token_integer(value, &figure) && figure)
            builder_fact(builder,
                         json_key_is(key, "gc_samples") ? "samples_in_the_collector"
                                                        : "samples_missed",
                         figure, UNIT_COUNT);
    } else {
        json_skip(json);
    }
}

static bool read_document(struct stackprof *stackprof, struct error *err)
{
    struct json_key key;

    if (!json_begin(&stackprof->json, err))
        return false;
    while (json_member(&stackprof->json, &key))
        read_member(stackprof, &key);
    json_end(&stackprof->json, builder_warnings(stackprof->profile.builder));
    if (!stackprof->profile.functions.count)
        return error_set_at(err, input_offset(stackprof->json.in), 0, "no frame is in it");
    return true;
}

/* What a sample stands for is known when all has been read. */
static void weigh_samples(struct stackprof *stackprof)
{
    const struct ruby_mode *mode = stackprof->mode;
    struct ruby_profile *profile = &stackprof->profile;

    profile->value = (struct value_name){span_of(mode->value), mode->unit};
    profile->weight = checked_mul(stackprof->interval, mode->factor);
    if (mode->factor == NS_PER_US)
        builder_known_fact(profile->builder, FACT_PERIOD, profile->weight, UNIT_NS);
}

static bool parse(struct input *in, struct builder *builder, struct error *err)
{
    struct stackprof stackprof = {
        .json = json_start(in), .mode = &LOOKUP(modes, SPAN("custom")), .profile.builder = builder};
    bool ok;

    builder_producer(builder, "stackprof");
    ok = read_document(&stackprof, err);
    if (ok) {
        weigh_samples(&stackprof);
        ok = ruby_profile_give(&stackprof.profile, err);
    }
    idmap_free(&stackprof.by_id);
    ruby_profile_free(&stackprof.profile);
    return ok;
}

static enum sniff sniff(struct span head, bool is_all)
{
    static const char *const first[] = {"version",    "mode",           "interval", "samples",
                                        "gc_samples", "missed_samples", "metadata", "frames",
                                        "raw",        "raw_lines",      NULL};
    static const char *const marks[] = {"\"total_samples\"", "\"gc_samples\"", NULL};

    return sniff_json(head, is_all, first, marks);
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
