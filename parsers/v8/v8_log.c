/* SPDX-License-Identifier: Apache-2.0 */
/* v8_log.c — what node --prof writes: isolate0x55…-v8.log
 *
 *     shared-library,/usr/bin/node,0x400000,0x25fe000,0
 *     profiler,begin,1000
 *     code-creation,JS,11,63512,0x10a7b21abb00,412,parse /srv/app.js:4:13,0x23f3f03a6f58,~
 *     tick,0x18dc13f,1572438,0,0x0,0,0x10a7b21acb2c,0x7f97e2feec9f
 *
 * A tick has the program counter, the time in microseconds, what is on top of the stack, the state of
 * the machine, and the return addresses, the innermost first. Which code lies at an address changes as
 * the program runs: functions are compiled, again and better, moved and thrown away. */
#include <stdio.h>
#include <stdlib.h>

#include "base/checked.h"
#include "base/memory/memory.h"
#include "base/text/escape.h"
#include "parsers/parser.h"
#include "parsers/stacks/language_names.h"
#include "parsers/stacks/sampled_stacks.h"
#include "parsers/stacks/v8_names.h"
#include "parsers/v8/jit_map.h"

enum { MICROSECOND = 1000, STACK_MAX = 4096 };

/* The machine's states that stand for the whole tick; where waiting for another thread is a state, being
 * idle comes after it. */
enum { STATE_GC = 1, STATE_WAITING = 7, STATE_IDLE = 8 };

struct v8_log {
    struct builder *builder;
    struct jit_map code, libraries;
    struct VECTOR_OF(frame_id) stack; /* of a tick, the innermost first */
    struct VECTOR_OF(char) plain;     /* a text without escapes */
    frame_id handler, collector, idle, unknown;
    node_id last_node; /* of the tick before, whose time ends with this one */
    int64_t first, last, interval;
    uint64_t ticks;
    bool wants_times;
    struct sampled sampled;
};

/* ---- fields ---- */

static bool read_address(struct span text, uint64_t *address)
{
    return span_starts(text, SPAN("0x")) && span_hex_to_u64(span_after(text, 2), address);
}

/* The next field: in quotes, as before Node 10, or up to a comma. */
static struct span next_field(struct span *rest)
{
    struct span field;
    size_t end = 1;

    if (!span_starts(*rest, SPAN("\"")))
        return span_split(rest, ',');
    while (end < rest->len && rest->at[end] != '"')
        end++;
    field = (struct span){rest->at + 1, end - 1};
    *rest = span_after(*rest, end);
    span_split(rest, ',');
    return field;
}

/* "\n", "\\", "\x2C" and "\u00e4" undone; valid until the next. */
static struct span unescape(struct v8_log *log, struct span text)
{
    log->plain.count = 0;
    while (text.len) {
        char kind = text.len > 1 && text.at[0] == '\\' ? text.at[1] : 0;
        size_t digits = kind == 'x' ? 2 : kind == 'u' ? 4 : 0, taken = kind ? 2 + digits : 1;
        uint64_t code = kind == 'n' ? '\n' : (unsigned char)text.at[kind ? 1 : 0];
        char bytes[4] = {text.at[0]};
        size_t len = 1;

        if (digits &&
            !(text.len >= taken && span_hex_to_u64((struct span){text.at + 2, digits}, &code)))
            taken = 1;
        else if (kind)
            len = utf8_write(bytes, (uint32_t)code);
        for (size_t i = 0; i < len; i++)
            vector_add(&log->plain, bytes[i]);
        text = span_after(text, taken);
    }
    return (struct span){log->plain.list, log->plain.count};
}

/* ---- what code is ---- */

/* "parse /srv/app.js:4:13"; without a name "/srv/app.js:1:1", with a blank in front of it. */
static frame_id function_frame(struct v8_log *log, struct span text)
{
    struct frame frame = {.shows_place = true};
    size_t blank = span_rfind(text, ' ');
    struct span place = blank == SIZE_MAX ? SPAN("") : span_after(text, blank + 1), url;
    int64_t column;

    url = place_file(place_file(place, &column), &frame.line);
    v8_name(&frame, blank == SIZE_MAX ? text : (struct span){text.at, blank}, log->builder);
    if (url.len < place.len)
        v8_file(&frame, url, log->builder);
    if (frame.file && frame.line && column <= UINT32_MAX)
        frame.column = (uint32_t)column;
    return frame.name ? builder_frame(log->builder, &frame) : log->unknown;
}

static frame_id frame_of(struct v8_log *log, struct jit_code *code)
{
    struct frame frame = {.kind = KIND_HOST};
    struct span text = builder_text(log->builder, code->text), name;
    char room[300];

    if (code->frame)
        return code->frame;
    if (code->type == CODE_FUNCTION) {
        code->frame = function_frame(log, text);
    } else {
        if (code->type == CODE_LIBRARY) {
            name = span_file_name(text);
            frame.module = builder_intern(log->builder, name);
            snprintf(room, sizeof(room), "[%.*s]", (int)(name.len < 256 ? name.len : 256), name.at);
            frame.name = span_starts(name, SPAN("[")) /* "[vdso]" */
                             ? frame.module
                             : builder_intern(log->builder, span_of(room));
        } else {
            frame.name = code->text;
        }
        code->frame =
            code->type == CODE_HANDLER ? log->handler : builder_frame(log->builder, &frame);
    }
    return code->frame;
}

/* "code-creation,JS,11,63512,0x10a7b21abb00,412,parse /srv/app.js:4:13,0x23f3f03a6f58,~"; logs before
 * Node 8.5 have no time. */
static bool read_creation(struct v8_log *log, struct span rest)
{
    struct span type = next_field(&rest), address, size, name;
    struct jit_code code = {.type = CODE_OTHER};
    uint64_t bytes, function;

    next_field(&rest); /* the kind of code, a number */
    address = next_field(&rest);
    if (!span_starts(address, SPAN("0x")))
        address = next_field(&rest);
    size = next_field(&rest);
    name = next_field(&rest);
    if (!read_address(address, &code.start) || !span_to_u64(size, &bytes))
        return false;
    code.end = bytes < UINT64_MAX - code.start ? code.start + bytes : UINT64_MAX;
    name = unescape(log, name);
    if (span_eq(type, SPAN("BytecodeHandler"))) {
        code.type = CODE_HANDLER;
    } else if (!span_eq(type, SPAN("RegExp")) && read_address(next_field(&rest), &function)) {
        code.type = CODE_FUNCTION;
    } else { /* "RegExp: [a-z]+" */
        for (size_t i = 0; i < type.len + 2; i++)
            vector_add(&log->plain, ' ');
        memmove(log->plain.list + type.len + 2, log->plain.list, name.len);
        memcpy(log->plain.list, type.at, type.len);
        memcpy(log->plain.list + type.len, ": ", 2);
        name = (struct span){log->plain.list, log->plain.count};
    }
    code.text = builder_intern(log->builder, name);
    jit_map_add(&log->code, code);
    return true;
}

static bool read_move(struct v8_log *log, struct span rest)
{
    uint64_t from, to, size;
    struct jit_code moved;

    if (!read_address(next_field(&rest), &from) || !read_address(next_field(&rest), &to))
        return false;
    if (!jit_map_take(&log->code, from, &moved))
        return true; /* made before the log began */
    size = moved.end - moved.start;
    moved.start = to;
    moved.end = size < UINT64_MAX - to ? to + size : UINT64_MAX;
    jit_map_add(&log->code, moved);
    return true;
}

static bool read_library(struct v8_log *log, struct span rest)
{
    struct jit_code library = {.type = CODE_LIBRARY};
    struct span name = next_field(&rest);

    if (!read_address(next_field(&rest), &library.start) ||
        !read_address(next_field(&rest), &library.end))
        return false;
    library.text = builder_intern(log->builder, unescape(log, name));
    jit_map_add(&log->libraries, library);
    return true;
}

/* ---- ticks ---- */

/* Code that V8 made first: what it has built in lies within the program's own file. */
static struct jit_code *find_code(const struct v8_log *log, uint64_t address)
{
    struct jit_code *code = jit_map_find(&log->code, address);

    return code ? code : jit_map_find(&log->libraries, address);
}

/* Addresses at which no code is known say nothing of who called; calls within a library are one. */
static void push_address(struct v8_log *log, uint64_t address)
{
    struct jit_code *code = find_code(log, address);
    frame_id frame = code ? frame_of(log, code) : 0;

    if (code && (code->type != CODE_LIBRARY || log->stack.list[log->stack.count - 1] != frame))
        vector_add(&log->stack, frame);
}

/* "0x10a7b21acb2c", or "+1f" and "-1f" from the one before it. */
static bool read_caller(struct span text, uint64_t *address)
{
    uint64_t offset;
    bool is_less = span_starts(text, SPAN("-"));

    if (!is_less && !span_starts(text, SPAN("+")))
        return read_address(text, address);
    text = span_after(text, 1);
    if (!span_hex_to_u64(span_starts(text, SPAN("0x")) ? span_after(text, 2) : text, &offset))
        return false;
    *address = is_less ? *address - offset : *address + offset;
    return true;
}

static uint32_t child_of(struct v8_log *log, uint32_t parent, frame_id frame)
{
    uint32_t at;

    if (!log->wants_times)
        return builder_child(builder_stacks(log->builder), parent, frame);
    at = sampled_node(&log->sampled, (uint64_t)parent << 32 | frame);
    log->sampled.nodes.list[at] = (struct sampled_node){frame, parent};
    return at;
}

static void add_tick(struct v8_log *log, int64_t time)
{
    uint32_t node = log->wants_times ? sampled_node(&log->sampled, UINT64_MAX) : 0;

    if (log->wants_times)
        log->sampled.nodes.list[node] = (struct sampled_node){.parent = NO_STACK};
    for (size_t i = log->stack.count; i-- > 0;)
        node = child_of(log, node, log->stack.list[i]);
    if (log->wants_times) {
        sampled_add(&log->sampled, 0, time, node);
    } else {
        builder_add(builder_stacks(log->builder), node, 0, 1);
        if (log->ticks && time > log->last)
            builder_add(builder_stacks(log->builder), log->last_node, 1, time - log->last);
    }
    log->last_node = node;
    log->first = log->ticks ? log->first : time;
    log->last = log->ticks && time < log->last ? log->last : time;
    log->ticks++;
}

/* "tick,PC,TIME,IS_EXTERNAL,TOP,STATE,CALLER..." */
static bool read_tick(struct v8_log *log, struct span rest)
{
    uint64_t counter, us, top, state, address;
    bool is_external;
    struct jit_code *code;

    if (!read_address(next_field(&rest), &counter) || !span_to_u64(next_field(&rest), &us) ||
        us > INT64_MAX / MICROSECOND)
        return false;
    is_external = span_eq(next_field(&rest), SPAN("1"));
    if (!read_address(next_field(&rest), &top) || !span_to_u64(next_field(&rest), &state))
        return false;
    address = is_external ? top : counter;
    log->stack.count = 0;
    code = find_code(log, address);
    if (state == STATE_GC)
        vector_add(&log->stack, log->collector);
    else if (state == STATE_WAITING || state == STATE_IDLE)
        vector_add(&log->stack, log->idle);
    else {
        vector_add(&log->stack, code ? frame_of(log, code) : log->unknown);
        code = is_external ? NULL : find_code(log, top); /* a function that has no stack yet */
        if (code && code->type == CODE_FUNCTION)
            vector_add(&log->stack, frame_of(log, code));
    }
    while (rest.len && log->stack.count < STACK_MAX)
        if (read_caller(next_field(&rest), &address)) /* else "overflow" */
            push_address(log, address);
    add_tick(log, (int64_t)us * MICROSECOND);
    return true;
}

/* ---- the whole ---- */

static bool read_line(struct v8_log *log, struct span line)
{
    struct span what = next_field(&line);
    uint64_t address, us;
    struct jit_code deleted;

    if (span_eq(what, SPAN("tick")))
        return read_tick(log, line);
    if (span_eq(what, SPAN("code-creation")))
        return read_creation(log, line);
    if (span_eq(what, SPAN("code-move")))
        return read_move(log, line);
    if (span_eq(what, SPAN("code-delete"))) {
        if (!read_address(next_field(&line), &address))
            return false;
        jit_map_take(&log->code, address, &deleted);
        return true;
    }
    if (span_eq(what, SPAN("shared-library")))
        return read_library(log, line);
    if (span_eq(what, SPAN("profiler")) && span_eq(next_field(&line), SPAN("begin")) &&
        span_to_u64(next_field(&line), &us) && us < INT64_MAX / MICROSECOND)
        log->interval = (int64_t)us * MICROSECOND;
    return true;
}

static frame_id named_frame(struct v8_log *log, struct span name)
{
    struct frame frame = {0};

    v8_name(&frame, name, log->builder);
    return builder_frame(log->builder, &frame);
}

static void fill_timeline(struct v8_log *log, struct input *in)
{
    struct sampled_budget budget = sampled_budget(log->sampled.samples.count, input_bytes_read(in));

    builder_track(builder_timeline(log->builder),
                  &(struct track){.name = builder_intern(log->builder, SPAN("main")),
                                  .kind = TRACK_SAMPLES,
                                  .device = -1});
    sampled_emit(&log->sampled, log->builder, checked_add(log->last, log->interval), &budget);
    sampled_warn(&budget, log->builder);
}

static bool read_log(struct v8_log *log, struct input *in, struct error *err)
{
    uint64_t offset = input_offset(in);
    struct span line;

    log->handler = named_frame(log, SPAN("(interpreter)"));
    log->collector = named_frame(log, SPAN("(garbage collector)"));
    log->idle = named_frame(log, SPAN("(idle)"));
    log->unknown = named_frame(log, SPAN("[unknown]"));
    for (; input_line(in, &line); offset = input_offset(in))
        if (!read_line(log, line))
            warning_count(builder_warnings(log->builder), WARNING_LOSS,
                          "lines that cannot be read, left out", offset);
    if (!log->ticks)
        return error_set_at(err, offset, 0, "no tick is in the log");
    if (log->wants_times)
        fill_timeline(log, in);
    else
        builder_add(builder_stacks(log->builder), log->last_node, 1, log->interval);
    builder_fact(log->builder, "samples", (int64_t)log->ticks, UNIT_COUNT);
    builder_known_fact(log->builder, FACT_WALL_TIME,
                       checked_add(checked_sub(log->last, log->first), log->interval), UNIT_NS);
    return true;
}

static bool parse(struct input *in, struct builder *builder, struct error *err)
{
    static const struct value_name values[] = {{LITERAL("ticks"), UNIT_COUNT},
                                               {LITERAL("time"), UNIT_NS}};
    struct v8_log log = {.builder = builder, .wants_times = builder_wants_times(builder)};
    bool ok = (log.wants_times ? builder_begin_timeline(builder, err)
                               : builder_begin(builder, LEVEL_CALLTREE, values, 2, 0, err)) &&
              read_log(&log, in, err);

    builder_producer(builder, "V8, --prof");
    jit_map_free(&log.code);
    jit_map_free(&log.libraries);
    free(log.stack.list);
    free(log.plain.list);
    sampled_free(&log.sampled);
    return ok;
}

static enum sniff sniff(struct span head, bool is_all)
{
    return sniff_text(head, is_all,
                      span_starts(head, SPAN("v8-version,")) &&
                          span_find(head, SPAN("\n")) != SIZE_MAX);
}

const struct parser parser_v8_log = {
    .name = "v8-log",
    .title = "logs of node --prof",
    .summary = "node --prof: isolate0x...-v8.log, before --prof-process",
    .tried = "Node 20",
    .omitted = "maps, inline caches, deoptimisation",
    .level = LEVEL_TIMELINE,
    .sniff = sniff,
    .parse = parse,
};
