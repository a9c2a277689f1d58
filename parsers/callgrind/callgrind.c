/* SPDX-License-Identifier: Apache-2.0 */
/* callgrind.c — what Valgrind's callgrind and cachegrind write, and many others for KCachegrind
 *
 *     events: Ir
 *     fl=(1) main.c
 *     fn=(1) main
 *     5 20             20 on line 5 of main itself
 *     cfn=(2) work
 *     calls=3 12       main calls work, which begins on line 12, three times,
 *     6 400            on line 6, which costs 400 with all that work calls
 *
 * The figures are by function, or where lines are asked for by line (callgrind_costs.c). Costs that
 * code inlined from other files causes (fi=, fe=) belong to the function that they are inlined
 * in. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/checked.h"
#include "base/memory/memory.h"
#include "parsers/callgrind/callgrind.h"
#include "parsers/parser.h"
#include "parsers/text/text_end.h"

#define NO_FUNCTION UINT32_MAX

/* What the next line with a position is about. */
enum about { ABOUT_SELF, ABOUT_CALL, ABOUT_JUMP };

struct callgrind {
    struct builder *builder;
    struct callgraph_builder *callgraph;
    struct callgrind_frames frames;
    struct event_columns events;
    uint32_t positions; /* how many stand before the costs */
    bool has_lines;     /* the last of them is a line of source */
    bool by_line;       /* lines are asked for, and there */
    int64_t line;       /* of source */
    struct compressed_names objects, files, functions;
    str_id object, file;               /* where the function that follows is */
    str_id called_object, called_file; /* the same of the called one; 0: as the caller */
    str_id name, name_file;            /* of the function; where it begins */
    uint32_t function;                 /* NO_FUNCTION until it has costs: yappi lists all first */
    int64_t row[EVENTS_MAX];           /* the costs of the line at hand, */
    struct VECTOR_OF(int64_t) each;    /* and their sums by function, where all are wanted */
    struct cost_call call;             /* what a call line tells before its costs */
    enum about about;
    struct costs costs;
    struct line_costs lines; /* in place of those */
    int64_t stated;          /* what the file says that all lines add up to */
    bool has_stated, is_callgrind, is_cachegrind, is_xdebug, is_yappi;
    int64_t announced; /* of callgrind, before what is counted; it also states it at the end */
    uint64_t offset, number; /* of the line at hand */
};

static void lose(struct callgrind *cg, const char *text)
{
    warning_count(builder_warnings(cg->builder), WARNING_LOSS, text, cg->offset);
}

/* ---- numbers ---- */

/* A cost, which Xdebug's memory shows to be below 0 at times. */
static bool read_cost(struct callgrind *cg, struct span word, int64_t *cost)
{
    bool is_negative = span_starts(word, SPAN("-"));

    if (span_to_i64(word, cost))
        return true;
    if (!span_is_digits(span_after(word, is_negative)))
        return false;
    *cost = is_negative ? -INT64_MAX : INT64_MAX;
    lose(cg, "numbers past 64 bits, read as the largest that fits");
    return true;
}

/* The row's costs, and the one that was asked for; events that a line leaves out at its end cost nothing. */
static bool read_costs(struct callgrind *cg, struct span rest, int64_t *cost)
{
    *cost = 0;
    memset(cg->row, 0, cg->events.count * sizeof(*cg->row));
    for (uint32_t i = 0; i < cg->events.count; i++) {
        struct span word = span_word(&rest);
        int64_t value;

        if (word.len == 0)
            return true;
        if (!read_cost(cg, word, &value))
            return false;
        if (__builtin_mul_overflow(value, cg->events.list[i].scale, &cg->row[i]))
            cg->row[i] = value < 0 ? -INT64_MAX : INT64_MAX;
        if (i == builder_value(cg->builder))
            *cost = cg->row[i];
    }
    return span_trim(rest).len == 0;
}

/* ---- functions ---- */

static uint32_t function_of(struct callgrind *cg, str_id object, str_id file, str_id function)
{
    struct frame frame = callgrind_frame(&cg->frames, object, file, function);

    return builder_function(cg->callgraph, builder_frame(cg->builder, &frame));
}

/* Whether costs have a function to belong to, which now is one that has some. */
static bool know_function(struct callgrind *cg)
{
    if (cg->function == NO_FUNCTION && cg->name)
        cg->function = function_of(cg, cg->object, cg->name_file, cg->name);
    return cg->function != NO_FUNCTION;
}

/* ---- lines ---- */

/* By the positions, the last of which is the line. */
static bool read_positions(struct callgrind *cg, struct span *line)
{
    int64_t position = 0, *last = cg->has_lines ? &cg->line : &position;

    for (uint32_t i = 1; i < cg->positions; i++)
        if (!line_position(span_word(line), &position))
            return false;
    return cg->positions == 0 || line_position(span_word(line), last);
}

static void read_position_line(struct callgrind *cg, struct span line)
{
    enum about about = cg->about;
    int64_t cost;

    cg->about = ABOUT_SELF;
    if (!read_positions(cg, &line)) {
        lose(cg, "lines that callgrind's format does not have, left out");
    } else if (!read_costs(cg, line, &cost)) {
        lose(cg, "lines with costs that are no numbers, left out");
    } else if (cg->by_line ? !cg->name : !know_function(cg)) {
        lose(cg, "costs of no function, left out");
    } else if (cg->by_line && about != ABOUT_JUMP) {
        /* the line at hand, in the file that its code comes from */
        struct frame frame = callgrind_frame(&cg->frames, cg->object, cg->file, cg->name);
        bool is_call = about == ABOUT_CALL;

        frame.line = cg->line;
        line_costs_add(&cg->lines,
                       builder_function(cg->callgraph, builder_frame(cg->builder, &frame)),
                       is_call ? 0 : cost, is_call && !cg->call.is_nested ? cost : 0);
        cg->called_object = cg->called_file = 0;
    } else if (about == ABOUT_CALL) {
        cg->call.caller = cg->function;
        cg->call.cost = cost;
        costs_add_call(&cg->costs, &cg->call);
        cg->called_object = cg->called_file = 0;
    } else if (about == ABOUT_SELF) {
        size_t first = (size_t)cg->function * cg->events.count;

        costs_add_self(&cg->costs, cg->function, cost);
        if (!builder_wants_all_values(cg->builder))
            return;
        while (cg->each.count < first + cg->events.count)
            vector_add(&cg->each, 0);
        for (uint32_t i = 0; i < cg->events.count; i++)
            cg->each.list[first + i] = checked_add(cg->each.list[first + i], cg->row[i]);
    }
}

static void read_calls(struct callgrind *cg, struct span text)
{
    if (cg->call.callee == NO_FUNCTION || !read_cost(cg, span_word(&text), &cg->call.calls) ||
        cg->call.calls < 0) {
        lose(cg, "calls without a count or a callee, left out");
        cg->about = ABOUT_JUMP;
        return;
    }
    cg->about = ABOUT_CALL;
}

static void read_callee(struct callgrind *cg, struct span text)
{
    str_id name = compressed_name(&cg->functions, cg->builder, text);

    cg->call.is_nested = is_recursion_level(&cg->frames, builder_text(cg->builder, name));
    if (cg->by_line) {
        cg->call.is_nested |= name == cg->name;
        cg->call.callee = 0; /* there is one */
        return;
    }
    know_function(cg);
    cg->call.callee = function_of(cg, cg->called_object ? cg->called_object : cg->object,
                                  cg->called_file ? cg->called_file : cg->file, name);
}

/* "fn=", "cfi=" … and what they stand for. False when there is no such key. */
static bool read_assignment(struct callgrind *cg, struct span key, struct span text)
{
    struct builder *builder = cg->builder;

    if (span_eq(key, SPAN("fn"))) {
        cg->name = compressed_name(&cg->functions, builder, text);
        cg->name_file = cg->file;
        cg->function = NO_FUNCTION;
    } else if (span_eq(key, SPAN("cfn")))
        read_callee(cg, text);
    else if (span_eq(key, SPAN("calls")))
        read_calls(cg, text);
    else if (span_eq(key, SPAN("fl")) || span_eq(key, SPAN("fi")) || span_eq(key, SPAN("fe")))
        cg->file = compressed_name(&cg->files, builder, text);
    else if (span_eq(key, SPAN("cfi")) || span_eq(key, SPAN("cfl")))
        cg->called_file = compressed_name(&cg->files, builder, text);
    else if (span_eq(key, SPAN("ob")))
        cg->object = compressed_name(&cg->objects, builder, text);
    else if (span_eq(key, SPAN("cob")))
        cg->called_object = compressed_name(&cg->objects, builder, text);
    else if (span_eq(key, SPAN("jump")) || span_eq(key, SPAN("jcnd")))
        cg->about = ABOUT_JUMP;
    else if (span_eq(key, SPAN("jfi")))
        compressed_name(&cg->files, builder, text);
    else if (span_eq(key, SPAN("jfn")))
        compressed_name(&cg->functions, builder, text);
    else
        return false;
    return true;
}

/* A part of several that one file may have states its own sum. */
static void read_totals(struct callgrind *cg, struct span text)
{
    int64_t cost;

    if (!read_costs(cg, text, &cost))
        return;
    cg->stated = checked_add(cg->stated, cost);
    cg->has_stated = true;
}

static void read_position_names(struct callgrind *cg, struct span text)
{
    struct span word;

    cg->positions = 0;
    cg->has_lines = false;
    while ((word = span_word(&text)).len && cg->positions < 2) {
        cg->positions++;
        cg->has_lines = span_eq(word, SPAN("line"));
    }
}

/* "creator: callgrind-3.19.0" and the others. False when there is no such key. */
static bool read_header(struct callgrind *cg, struct span key, struct span text)
{
    static const char *const others[] = {"version", "pid",     "part",  "desc", "thread",
                                         "target",  "creator", "event", NULL};

    text = span_trim(text);
    if (span_eq(key, SPAN("positions"))) {
        read_position_names(cg, text);
    } else if (span_eq(key, SPAN("totals"))) {
        read_totals(cg, text);
    } else if (span_eq(key, SPAN("summary"))) {
        int64_t cost;

        if (!cg->is_callgrind)
            read_totals(cg, text);
        else if (read_costs(cg, text, &cost))
            cg->announced = checked_add(cg->announced, cost);
    } else if (span_eq(key, SPAN("cmd"))) {
        builder_fact_text(cg->builder, "command", text);
    } else {
        return span_is_any(key, others);
    }
    return true;
}

static bool read_line(struct callgrind *cg, struct span line, struct error *err)
{
    struct span rest = line, key;
    size_t len = 0;

    if (line.len == 0 || line.at[0] == '#')
        return true;
    if (isdigit((unsigned char)line.at[0]) || line.at[0] == '+' || line.at[0] == '-' ||
        line.at[0] == '*') {
        read_position_line(cg, line);
        return true;
    }
    while (len < line.len && isalpha((unsigned char)line.at[len]))
        len++;
    key = (struct span){line.at, len};
    rest = span_after(line, len + 1);
    if (len < line.len && line.at[len] == '=' && read_assignment(cg, key, rest))
        return true;
    if (len < line.len && line.at[len] == ':') {
        if (span_eq(key, SPAN("events")))
            return span_eq(span_trim(rest), span_of(cg->events.line)) ||
                   error_set_at(err, cg->offset, cg->number,
                                "a part of the file counts other events than the first");
        if (read_header(cg, key, rest))
            return true;
    }
    if (span_trim(line).len)
        lose(cg, "lines that callgrind's format does not have, left out");
    return true;
}

/* ---- the whole ---- */

static bool begin_values(struct callgrind *cg, struct span names, struct error *err)
{
    struct value_name values[EVENTS_MAX];

    if (!events_read(&cg->events, names))
        return error_set(err, ERROR_INPUT, "'events:' names no event, or more than %d", EVENTS_MAX);
    if (cg->is_yappi)
        events_know(&cg->events, SPAN("Ticks"), UNIT_NS, 1000);
    for (uint32_t i = 0; i < cg->events.count; i++)
        values[i] = (struct value_name){cg->events.list[i].name, cg->events.list[i].unit};
    /* Those who want addresses, as pprof's format can hold them, want callers more than lines. */
    cg->by_line = cg->has_lines && builder_detail(cg->builder, DETAIL_ADDRESS) == DETAIL_LINE;
    if (!cg->by_line)
        builder_detail(cg->builder, DETAIL_FUNCTION);
    return builder_begin(cg->builder, cg->by_line ? LEVEL_FLAT : LEVEL_CALLGRAPH, values,
                         cg->events.count, 0, err);
}

/* What the values are has to be known before anything else: the lines up to "events:". */
static bool read_head(struct callgrind *cg, struct span head, struct error *err)
{
    bool has_version = false;

    while (head.len) {
        struct span line = span_split(&head, '\n');
        struct span key = span_split(&line, ':');

        has_version |= span_eq(key, SPAN("version"));
        if (span_eq(key, SPAN("creator"))) {
            has_version = true;
            line = span_trim(line);
            cg->is_callgrind = cg->frames.has_levels = span_starts(line, SPAN("callgrind"));
            cg->is_xdebug = span_starts(line, SPAN("xdebug"));
            cg->is_yappi = span_starts(line, SPAN("yappi"));
            builder_producer(cg->builder, "%.*s", (int)(line.len < 100 ? line.len : 100), line.at);
        } else if (span_eq(key, SPAN("positions"))) {
            read_position_names(cg, line);
        } else if (span_eq(key, SPAN("event"))) {
            events_describe(&cg->events, line);
        } else if (span_eq(key, SPAN("cmd"))) {
            cg->is_cachegrind = !has_version;
        } else if (span_eq(key, SPAN("events"))) {
            return begin_values(cg, line, err);
        }
    }
    return error_set_at(err, 0, 0, "no 'events:' line says what is counted");
}

static void report(struct callgrind *cg)
{
    struct warnings *warnings = builder_warnings(cg->builder);
    uint64_t undefined = cg->objects.undefined + cg->files.undefined + cg->functions.undefined;

    warning_count_many(warnings, WARNING_LOSS,
                       "numbers of names that are nowhere given, shown as "
                       "they are",
                       undefined);
    warning_count_many(warnings, WARNING_NOTE,
                       "mentions of a level of recursion (f'2), counted as the function itself",
                       cg->frames.levels);
    if (cg->is_yappi && !cg->frames.has_builtins) /* its default */
        builder_known_text(cg->builder, FACT_BUILTINS, SPAN("not recorded"));

    int64_t total = cg->by_line ? cg->lines.total : cg->costs.total;

    if (cg->about != ABOUT_SELF)
        text_ends_within(cg->builder, "a call");
    else if (!cg->has_stated && cg->is_callgrind)
        text_check_total(cg->builder, "of the selected value", cg->announced, total, 0, UNIT_COUNT);
    else if (!cg->has_stated && (cg->is_xdebug || cg->is_cachegrind)) /* they end with their totals */
        text_ends_within(cg->builder, "the list of functions");
    if (cg->has_stated && cg->stated != total)
        warning_say(warnings, WARNING_LOSS,
                    "the file states a total of %lld, but its lines add up to %lld",
                    (long long)cg->stated, (long long)total);
}

static bool parse(struct input *in, struct builder *builder, struct error *err)
{
    enum { HEAD = 1 << 20 };
    struct callgrind cg = {.builder = builder,
                           .callgraph = builder_callgraph(builder),
                           .frames.builder = builder,
                           .positions = 1,
                           .has_lines = true,
                           .function = NO_FUNCTION,
                           .call.callee = NO_FUNCTION};
    struct span line;
    bool ok = read_head(&cg, input_peek(in, HEAD), err), ends_with_costs = false;

    for (cg.offset = 0; ok && input_line(in, &line); cg.offset = input_offset(in)) {
        cg.number++;
        ends_with_costs = line.len && is_digit(line.at[0]);
        ok = read_line(&cg, line, err);
    }
    if (ok) {
        if (cg.by_line)
            line_costs_finish(&cg.lines, builder);
        else
            costs_finish(&cg.costs, builder);
        for (size_t i = 0; i < cg.each.count; i += cg.events.count)
            builder_list_values(cg.callgraph, (uint32_t)(i / cg.events.count), cg.each.list + i);
        report(&cg);
        if (cg.is_yappi && ends_with_costs)
            in->unended.is_set = false; /* it writes no line end behind its last line */
    }
    free(cg.each.list);
    costs_free(&cg.costs);
    line_costs_free(&cg.lines);
    compressed_names_free(&cg.objects);
    compressed_names_free(&cg.files);
    compressed_names_free(&cg.functions);
    events_free(&cg.events);
    return ok;
}

/* Header lines up to the one that says what is counted. */
static enum sniff sniff(struct span head, bool is_all)
{
    static const char *const keys[] = {"version",   "creator", "pid",     "cmd",
                                       "part",      "desc",    "thread",  "target",
                                       "positions", "event",   "summary", NULL};

    if (span_starts(head, SPAN("# callgrind format")))
        return SNIFF_YES;
    while (head.len) {
        bool is_whole = is_all || memchr(head.at, '\n', head.len);
        struct span line = span_split(&head, '\n'), key;

        if (!is_whole)
            return SNIFF_MORE;
        if (span_trim(line).len == 0 || line.at[0] == '#')
            continue;
        if (!memchr(line.at, ':', line.len))
            return SNIFF_NO;
        key = span_split(&line, ':');
        if (span_eq(key, SPAN("events")))
            return SNIFF_YES;
        if (!span_is_any(key, keys))
            return SNIFF_NO;
    }
    return is_all ? SNIFF_NO : SNIFF_MORE;
}

const struct parser parser_callgrind = {
    .name = "callgrind",
    .title = "callgrind profiles",
    .summary = "Valgrind's callgrind and cachegrind, Xdebug, yappi, pprof -callgrind",
    .tried = "Valgrind 3.19, Xdebug, yappi",
    .omitted = "what jumps cost",
    .level = LEVEL_CALLGRAPH,
    .sniff = sniff,
    .parse = parse,
};
