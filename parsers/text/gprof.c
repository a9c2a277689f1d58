/* SPDX-License-Identifier: Apache-2.0 */
/* gprof.c — the call graph that gprof prints, or the flat profile where it prints no other
 *
 *     index % time    self  children    called     name
 *                     0.01    0.00      60/60          main [1]
 *     [7]     18.2    0.01    0.00      60         mid [7]
 *                     0.00    0.00      60/3180        leaf [2]
 *     -----------------------------------------------
 *
 * A block is about the function with an index in front; above it stand its callers, below it its
 * callees. Every call is in two blocks: it is read where its caller is the subject. Times are as printed,
 * to hundredths of a second, and what gprof says of calls is an estimate of its own: it splits a
 * function's time by how often each caller called it.
 *
 *       %   cumulative   self              self     total
 *      time   seconds   seconds    calls  ms/call  ms/call  name
 *      87.32      0.34     0.34   153000     0.00     0.00  work
 *
 * The flat profile tells of what a function calls only per call, too coarsely to be of use.
 *
 * BSD's gprof, which AIX and Darwin have, writes other headings and puts indices behind the names of the flat
 * profile, too. */
#include <ctype.h>
#include <stdlib.h>

#include "base/checked.h"
#include "base/memory/memory.h"
#include "base/text/decimal.h"
#include "parsers/parser.h"
#include "parsers/text/text_end.h"

enum { SECONDS = 9 };
#define NO_SUBJECT UINT32_MAX

static const char *const headings[] = {
    "index % time self children called name",
    "index % self children called name",
    "index %time self descendents called+self name index",
};

/* Whether the line has these words, or begins with them. */
static bool has_words(struct span line, const char *words, bool is_whole)
{
    struct span wanted = span_of(words), word;

    while ((word = span_word(&wanted)).len)
        if (!span_eq(span_word(&line), word))
            return false;
    return !is_whole || span_word(&line).len == 0;
}

static bool is_heading(struct span line)
{
    for (size_t i = 0; i < COUNT_OF(headings); i++)
        if (has_words(line, headings[i], true))
            return true;
    return false;
}

/* The second of its two lines. */
static bool is_flat_heading(struct span line)
{
    return has_words(line, "time seconds seconds calls", false);
}

struct flat_row {
    str_id name;
    int64_t self, calls; /* ns; UNKNOWN */
};

struct gprof {
    struct builder *builder;
    struct VECTOR_OF(struct flat_row) flat;
    bool is_flat;     /* in the table of that */
    int64_t share;    /* of its rows, in hundredths of a percent */
    uint32_t subject; /* of the block at hand, once its row has come */
    bool is_inside;   /* the table has begun, and has not ended */
    uint64_t blocks;
};

/* ---- a row ---- */

struct gprof_row {
    int64_t self, below;            /* ns, or UNKNOWN */
    int64_t calls, recursive_calls; /* or UNKNOWN; the second are those behind a plus */
    struct span name;
};

/* "0.05" */
static bool take_time(struct span *rest, int64_t *ns)
{
    struct span after = *rest, word = span_word(&after);

    if (!memchr(word.at, '.', word.len) || !decimal_scaled(word, SECONDS, ns) || *ns < 0)
        return false;
    *rest = after;
    return true;
}

/* "60", "60/3180" (of all calls), "60+1140" (and by itself) */
static bool take_calls(struct span *rest, struct gprof_row *row)
{
    struct span word = span_word(rest), number;
    bool is_plus = word.len && memchr(word.at, '+', word.len);

    row->recursive_calls = 0;
    number = span_split(&word, is_plus ? '+' : '/');
    if (!span_to_i64(number, &row->calls) || row->calls < 0 ||
        (is_plus && (!span_to_i64(word, &row->recursive_calls) || row->recursive_calls < 0)))
        return false;
    return true;
}

/* "odd <cycle 1> [6]"; "odd <cycle 1> (6)" where it has no block of its own */
static struct span plain_name(struct span name)
{
    size_t at = span_ends(name, SPAN("]"))   ? span_rfind(name, '[')
                : span_ends(name, SPAN(")")) ? span_rfind(name, '(')
                                             : SIZE_MAX;

    if (at != SIZE_MAX && at > 0 && isspace((unsigned char)name.at[at - 1]) &&
        span_is_digits((struct span){name.at + at + 1, name.len - at - 2}))
        name = span_trim((struct span){name.at, at});
    at = span_ends(name, SPAN(">")) ? span_rfind(name, '<') : SIZE_MAX;
    if (at != SIZE_MAX && at > 0 && span_starts(span_after(name, at), SPAN("<cycle ")))
        name = span_trim((struct span){name.at, at});
    return name;
}

/* What follows the index and the share of a subject, or all of a caller's or a callee's row. */
static bool read_row(struct span rest, struct gprof_row *row)
{
    *row = (struct gprof_row){UNKNOWN, UNKNOWN, UNKNOWN, 0, {0}};
    if (take_time(&rest, &row->self) && !take_time(&rest, &row->below))
        return false;
    rest = span_trim(rest);
    if (rest.len && is_digit(rest.at[0]) && !take_calls(&rest, row))
        return false;
    row->name = plain_name(span_trim(rest));
    return row->name.len > 0;
}

/* ---- blocks ---- */

static uint32_t function_of(struct gprof *gprof, struct span name)
{
    struct frame frame = {.name = builder_intern(gprof->builder, name), .kind = KIND_HOST};

    return builder_function(builder_callgraph(gprof->builder),
                            builder_frame(gprof->builder, &frame));
}

/* "[7]     18.2    0.01    0.00      60         mid [7]" */
static bool begin_block(struct gprof *gprof, struct span line)
{
    struct gprof_row row;
    int64_t share;

    span_word(&line);
    if (!take_time(&line, &share) || !read_row(line, &row) || row.below == UNKNOWN)
        return false;
    gprof->blocks++;
    if (span_starts(row.name, SPAN("<cycle ")) && span_ends(row.name, SPAN("as a whole>")))
        return true; /* its members have blocks of their own */
    gprof->subject = function_of(gprof, row.name);
    builder_list(builder_callgraph(gprof->builder), gprof->subject,
                 &(struct call_figures){.calls = row.calls == UNKNOWN
                                                     ? UNKNOWN
                                                     : checked_add(row.calls, row.recursive_calls),
                                        .primitive_calls = row.calls,
                                        .self = row.self,
                                        .cum = checked_add(row.self, row.below)});
    return true;
}

/* That and nothing else: where no heading tells that the table has begun. */
static bool is_subject(struct span line)
{
    struct span text = span_trim(line), index = span_word(&text);
    struct gprof_row row;
    int64_t share;

    return line.len && line.at[0] == '[' && span_ends(text, index) && take_time(&text, &share) &&
           read_row(text, &row) && row.below != UNKNOWN;
}

static bool add_callee(struct gprof *gprof, struct span line)
{
    struct gprof_row row;

    if (!read_row(line, &row))
        return false;
    builder_call(builder_callgraph(gprof->builder), gprof->subject, function_of(gprof, row.name),
                 &(struct call_figures){
                     .calls = row.calls,
                     .primitive_calls = row.calls,
                     .self = row.self,
                     .cum = row.self == UNKNOWN ? UNKNOWN : checked_add(row.self, row.below)});
    return true;
}

/* ---- the flat profile ---- */

static bool add_flat_row(struct gprof *gprof, struct span line)
{
    struct flat_row row = {.calls = UNKNOWN};
    struct span per_call;
    struct span share = line;
    int64_t ignored, calls, percent = 0;

    if (!take_time(&line, &ignored) || !take_time(&line, &ignored) || !take_time(&line, &row.self))
        return false;
    (void)!decimal_scaled(span_word(&share), 2, &percent);
    gprof->share = checked_add(gprof->share, percent);
    per_call = line;
    if (span_to_i64(span_word(&per_call), &calls) && calls >= 0 && take_time(&per_call, &ignored) &&
        take_time(&per_call, &ignored)) {
        row.calls = calls;
        line = per_call;
    }
    line = plain_name(span_trim(line));
    row.name = builder_intern(gprof->builder, line);
    vector_add(&gprof->flat, row);
    return line.len > 0;
}

/* Where there is no call graph. */
static bool hand_over_flat(struct gprof *gprof, const struct value_name *value, struct error *err)
{
    struct callgraph_builder *functions = builder_callgraph(gprof->builder);

    if (!builder_begin(gprof->builder, LEVEL_FLAT, value, 1, 0, err))
        return false;
    for (size_t i = 0; i < gprof->flat.count; i++) {
        const struct flat_row *row = &gprof->flat.list[i];
        struct frame frame = {.name = row->name, .kind = KIND_HOST};

        builder_list(functions, builder_function(functions, builder_frame(gprof->builder, &frame)),
                     &(struct call_figures){row->calls, row->calls, row->self, UNKNOWN});
    }
    text_check_shares(gprof->builder, "the flat profile", gprof->share, gprof->flat.count, 1);
    warning_say(builder_warnings(gprof->builder), WARNING_NOTE,
                "times are as printed, to hundredths of a second; gprof without -p prints the call "
                "graph, too");
    return true;
}

/* ---- the whole ---- */

static void read_line(struct gprof *gprof, struct span line, uint64_t offset)
{
    bool ok = true;

    if (is_flat_heading(line)) {
        gprof->is_flat = gprof->flat.count == 0;
        gprof->is_inside = false;
    } else if (gprof->is_flat) {
        gprof->is_flat = span_trim(line).len > 0 && line.at[0] != '\f';
        ok = !gprof->is_flat || add_flat_row(gprof, line);
    } else if (is_heading(line)) {
        gprof->is_inside = gprof->blocks == 0;
        gprof->subject = NO_SUBJECT;
    } else if (!gprof->is_inside || span_trim(line).len == 0) {
        return;
    } else if (span_starts(line, SPAN("---"))) {
        gprof->subject = NO_SUBJECT;
    } else if (line.at[0] == '[') {
        ok = begin_block(gprof, line);
    } else if (line.at[0] == '\f' || span_starts(line, SPAN(" This table"))) {
        gprof->is_inside = false; /* what the columns mean */
    } else if (gprof->subject != NO_SUBJECT) {
        ok = add_callee(gprof, line);
    }
    if (!ok)
        warning_count(builder_warnings(gprof->builder), WARNING_LOSS,
                      "rows that cannot be read, left out", offset);
}

static bool parse(struct input *in, struct builder *builder, struct error *err)
{
    static const struct value_name value = {LITERAL("time"), UNIT_NS};
    struct gprof gprof = {.builder = builder, .subject = NO_SUBJECT};
    uint64_t offset = input_offset(in);
    struct span line;
    bool ok = true, has_begun = false;

    for (; ok && input_line(in, &line); offset = input_offset(in)) {
        gprof.is_inside |= gprof.blocks == 0 && is_subject(line);
        if (gprof.is_inside && !has_begun)
            ok = has_begun = builder_begin(builder, LEVEL_CALLGRAPH, &value, 1, 0, err);
        if (ok)
            read_line(&gprof, line, offset);
    }
    if (ok && gprof.blocks == 0) {
        ok = gprof.flat.count && !has_begun && hand_over_flat(&gprof, &value, err);
        if (err->kind == ERROR_NONE && !ok)
            error_set_at(err, offset, 0, "neither a call graph nor a flat profile is in it");
    } else if (ok) {
        if (gprof.is_inside)
            text_ends_within(builder, "the call graph");
        warning_say(builder_warnings(builder), WARNING_NOTE,
                    "times are as printed, to hundredths of a second; those of calls are gprof's "
                    "estimates, by how often each caller called");
    }
    builder_producer(builder, "gprof");
    free(gprof.flat.list);
    return ok;
}

static enum sniff sniff(struct span head, bool is_all)
{
    struct span rest = head;
    bool is_found = false, has_cumulative = false;

    while (rest.len && !is_found) {
        struct span line = span_split(&rest, '\n');

        is_found =
            is_heading(line) || is_subject(line) || (has_cumulative && is_flat_heading(line));
        has_cumulative = has_words(line, "% cumulative self", false);
    }
    return sniff_text(head, is_all, is_found);
}

const struct parser parser_gprof = {
    .name = "gprof",
    .title = "texts of gprof",
    .summary = "gprof PROGRAM gmon.out: its call graph as text, or with -p its flat profile",
    .tried = "binutils 2.40, BSD, AIX, Darwin",
    .omitted = "annotated source",
    .level = LEVEL_CALLGRAPH,
    .sniff = sniff,
    .parse = parse,
};
