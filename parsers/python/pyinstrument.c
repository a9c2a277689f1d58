/* SPDX-License-Identifier: Apache-2.0 */
/* pyinstrument.c — sessions of Python's pyinstrument, and what its JSON renderer writes
 *
 *     {"session": {"duration": 0.41, "sample_count": 29, "cpu_time": 0.03, ...},
 *      "frame_tree": {"identifier": "main\0app.py\029", "time": 0.41, "children": [...]}}
 *
 *     {"duration": 0.41, "sample_count": 29, "root_frame": {"function": "main", "file_path": "app.py",
 *      "line_no": 29, "time": 0.41, "children": [...]}}
 *
 * A frame's time is with its children's, in seconds, rounded to six digits. */
#include <stdlib.h>

#include "base/checked.h"
#include "base/memory/memory.h"
#include "parsers/json/json.h"
#include "parsers/json/json_sniff.h"
#include "parsers/json/json_tree.h"
#include "parsers/parser.h"
#include "parsers/stacks/language_names.h"

enum { NANO = 9 };

struct timed_call {
    struct frame frame;
    uint32_t parent;
    int64_t time, below; /* ns; `below`: of the children together */
    node_id place;
    bool is_self; /* the caller's own time */
};

struct pyinstrument {
    struct builder *builder;
    struct json_stream json;
    struct arena arena;
    struct VECTOR_OF(struct timed_call) calls; /* callers first */
};

/* ---- frames ---- */

static uint32_t begin_call(void *context, uint32_t parent)
{
    struct pyinstrument *session = context;

    if (session->calls.count == JSON_NO_PARENT)
        oom(); /* their numbers have 32 bits */
    vector_add(&session->calls, (struct timed_call){.parent = parent, .frame.kind = KIND_PYTHON});
    return (uint32_t)session->calls.count - 1;
}

/* "[self]", "[await]" and others that pyinstrument adds are in brackets. */
static void set_name(struct pyinstrument *session, struct timed_call *call, struct span name)
{
    call->frame.name = builder_intern(session->builder, name);
    call->is_self = span_eq(name, SPAN("[self]"));
    if (span_eq(name, SPAN("[await]")))
        call->frame.kind = KIND_SYNC;
    else if (span_starts(name, SPAN("[")))
        call->frame.kind = KIND_OTHER;
}

static void set_file(struct pyinstrument *session, struct timed_call *call, struct span file)
{
    char room[PYTHON_MODULE_MAX];

    call->frame.file = builder_intern(session->builder, file);
    call->frame.module = builder_intern(session->builder, python_module(file, room));
}

/* "main\0app.py\029" */
static void set_identifier(struct pyinstrument *session, struct timed_call *call, struct span text)
{
    set_name(session, call, span_split(&text, '\0'));
    set_file(session, call, span_split(&text, '\0'));
    if (!span_to_i64(span_split(&text, '\0'), &call->frame.line) || call->frame.line < 0)
        call->frame.line = 0;
}

static void read_member(void *context, uint32_t number, const struct json_key *key)
{
    struct pyinstrument *session = context;
    struct timed_call *call = &session->calls.list[number];
    struct token value;

    if (!json_take(&session->json, &value))
        return;
    if (json_key_is(key, "identifier"))
        set_identifier(session, call, token_text(value, &session->arena));
    else if (json_key_is(key, "function"))
        set_name(session, call, token_text(value, &session->arena));
    else if (json_key_is(key, "file_path"))
        set_file(session, call, token_text(value, &session->arena));
    else if (json_key_is(key, "line_no") &&
             (!token_integer(value, &call->frame.line) || call->frame.line < 0))
        call->frame.line = 0;
    else if (json_key_is(key, "time") &&
             (!token_scaled(value, NANO, &call->time) || call->time < 0))
        call->time = 0;
    arena_clear(&session->arena);
}

/* ---- the document ---- */

/* What is known of the whole run. */
static bool read_fact(struct pyinstrument *session, const struct json_key *key)
{
    struct token value;
    int64_t figure;

    if (json_key_is(key, "duration") && json_take(&session->json, &value)) {
        if (token_scaled(value, NANO, &figure))
            builder_known_fact(session->builder, FACT_DURATION, figure, UNIT_NS);
    } else if (json_key_is(key, "cpu_time") && json_take(&session->json, &value)) {
        if (token_scaled(value, NANO, &figure))
            builder_fact(session->builder, "processor_time", figure, UNIT_NS);
    } else if (json_key_is(key, "sample_count") && json_take(&session->json, &value)) {
        if (token_integer(value, &figure))
            builder_fact(session->builder, "samples", figure, UNIT_COUNT);
    } else if (json_key_is(key, "target_description") && json_take(&session->json, &value)) {
        builder_fact_text(session->builder, "program", token_text(value, &session->arena));
    } else {
        return false;
    }
    return true;
}

static bool read_document(struct pyinstrument *session, struct error *err)
{
    static const struct json_tree tree = {.begin = begin_call, .member = read_member};
    struct json_key key;

    if (!json_begin(&session->json, err))
        return false;
    while (json_member(&session->json, &key)) {
        if (json_key_is(&key, "session") && json_enter(&session->json, '{')) {
            while (json_member(&session->json, &key))
                if (!read_fact(session, &key))
                    json_skip(&session->json);
        } else if (json_key_is(&key, "frame_tree") || json_key_is(&key, "root_frame")) {
            json_tree_read(&session->json, &tree, session);
        } else if (!read_fact(session, &key)) {
            json_skip(&session->json);
        }
    }
    json_end(&session->json, builder_warnings(session->builder));
    if (!session->calls.count)
        return error_set_at(err, input_offset(session->json.in), 0, "no frame is in it");
    return true;
}

/* ---- the graph ---- */

/* What is left of a time without its callees' is its own. Rounded, they may have some microseconds more. */
static int64_t own_time(const struct timed_call *call)
{
    return not_negative(checked_sub(call->time, call->below));
}

static bool build(struct pyinstrument *session, struct error *err)
{
    static const struct value_name values[] = {{LITERAL("time"), UNIT_NS}};
    struct stack_builder *stacks = builder_stacks(session->builder);

    if (!builder_begin(session->builder, LEVEL_CALLTREE, values, COUNT_OF(values), 0, err))
        return false;
    for (size_t i = 0; i < session->calls.count; i++) {
        const struct timed_call *call = &session->calls.list[i];

        if (call->parent != JSON_NO_PARENT)
            session->calls.list[call->parent].below =
                checked_add(session->calls.list[call->parent].below, call->time);
    }
    for (size_t i = 0; i < session->calls.count; i++) {
        struct timed_call *call = &session->calls.list[i];
        node_id above =
            call->parent == JSON_NO_PARENT ? 0 : session->calls.list[call->parent].place;

        call->place =
            call->is_self && above
                ? above
                : builder_child(stacks, above, builder_frame(session->builder, &call->frame));
        builder_add(stacks, call->place, 0, own_time(call));
    }
    return true;
}

static bool parse(struct input *in, struct builder *builder, struct error *err)
{
    struct pyinstrument session = {.builder = builder, .json = json_start(in)};
    bool ok;

    builder_producer(builder, "pyinstrument");
    ok = read_document(&session, err) && build(&session, err);
    arena_free(&session.arena);
    free(session.calls.list);
    return ok;
}

static enum sniff sniff(struct span head, bool is_all)
{
    static const char *const first[] = {
        "session",  "frame_tree",         "start_time", "duration", "sample_count",
        "cpu_time", "target_description", "root_frame", NULL};
    static const char *const marks[] = {"\"start_call_stack\"", "\"target_description\"",
                                        "\"is_application_code\"", "\"identifier\"", NULL};

    return sniff_json(head, is_all, first, marks);
}

const struct parser parser_pyinstrument = {
    .name = "pyinstrument",
    .title = "pyinstrument's sessions",
    .summary = "Python: pyinstrument -r session, pyinstrument -r json (.pyisession, .json)",
    .tried = "pyinstrument 5",
    .omitted = "times of lines",
    .level = LEVEL_CALLTREE,
    .sniff = sniff,
    .parse = parse,
};
