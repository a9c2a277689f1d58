/* SPDX-License-Identifier: Apache-2.0 */
/* pstats_text.c — the table that cProfile -s and pstats print
 *
 *           138202 function calls (137745 primitive calls) in 0.200 seconds
 *
 *        ncalls  tottime  percall  cumtime  percall filename:lineno(function)
 *           446    0.027    0.000    0.027    0.000 {built-in method zlib.compress}
 *
 * What the program printed may stand before and after. Times are rounded to milliseconds. */
#include <ctype.h>

#include "base/checked.h"
#include "base/text/decimal.h"
#include "parsers/parser.h"
#include "parsers/stacks/language_names.h"
#include "parsers/text/text_end.h"

enum { SECONDS = 9 };

static const struct span calls_text = LITERAL(" function calls");
static const struct span heading = LITERAL("filename:lineno(function)");

struct text_table {
    struct builder *builder;
    struct callgraph_builder *callgraph;
    int64_t total;   /* ns, as the head of the table says; UNKNOWN */
    int64_t stated;  /* calls, as it says; 0: it does not */
    int64_t calls;   /* of the rows */
    uint64_t tables; /* how many the file has; only the first is read */
    bool is_inside;  /* rows may come */
    uint64_t rows;
};

/* ---- a row ---- */

/* "511/1": all calls, and those that are not recursive. */
static bool read_calls(struct span word, struct call_figures *figures)
{
    struct span all = span_split(&word, '/');

    if (!span_to_i64(all, &figures->calls) || figures->calls < 0)
        return false;
    figures->primitive_calls = figures->calls;
    return word.len == 0 ||
           (span_to_i64(word, &figures->primitive_calls) && figures->primitive_calls >= 0);
}

/* "dir/svc.py:37(handle)"; false for what has no place. */
static bool split_place(struct span label, struct span *file, int64_t *line, struct span *name)
{
    for (size_t at = label.len; at-- > 1;) {
        size_t digits = at;

        if (label.at[at] != '(')
            continue;
        while (digits > 0 && isdigit((unsigned char)label.at[digits - 1]))
            digits--;
        if (digits == at || digits == 0 || label.at[digits - 1] != ':' ||
            !span_to_i64((struct span){label.at + digits, at - digits}, line))
            continue;
        *file = (struct span){label.at, digits - 1};
        *name = span_after(label, at + 1);
        name->len -= span_ends(*name, SPAN(")"));
        return true;
    }
    return false;
}

static struct frame frame_of(struct builder *builder, struct span label)
{
    char room[PYTHON_MODULE_MAX], built_in[PYTHON_MODULE_MAX];
    struct frame frame = {.kind = KIND_HOST};
    struct span file, name = label;

    if (split_place(label, &file, &frame.line, &name)) {
        frame.kind = KIND_PYTHON;
        frame.file = builder_intern(builder, file);
        frame.module = builder_intern(builder, python_module(file, room));
    } else if (label.len > 2 && label.len <= sizeof(built_in) && span_starts(label, SPAN("{")) &&
               span_ends(label, SPAN("}"))) {
        memcpy(built_in, label.at, label.len); /* "{built-in method x}": pstats' own braces */
        built_in[0] = '<';
        built_in[label.len - 1] = '>';
        name = (struct span){built_in, label.len};
        frame.module = builder_intern(builder, python_builtin_module(name));
    }
    frame.name = builder_intern(builder, name);
    return frame;
}

static bool read_row(struct text_table *table, struct span line)
{
    struct call_figures figures;
    struct frame frame;
    int64_t ignored;

    if (!read_calls(span_word(&line), &figures) ||
        !decimal_scaled(span_word(&line), SECONDS, &figures.self) ||
        !decimal_scaled(span_word(&line), SECONDS, &ignored) ||
        !decimal_scaled(span_word(&line), SECONDS, &figures.cum) ||
        !decimal_scaled(span_word(&line), SECONDS, &ignored) || figures.self < 0 ||
        figures.cum < 0 || span_trim(line).len == 0)
        return false;
    if (figures.cum < figures.self)
        figures.cum = figures.self; /* each was rounded */
    frame = frame_of(table->builder, span_trim(line));
    builder_list(table->callgraph,
                 builder_function(table->callgraph, builder_frame(table->builder, &frame)),
                 &figures);
    table->calls = checked_add(table->calls, figures.calls);
    table->rows++;
    return true;
}

/* ---- the whole ---- */

/* "138202 function calls (137745 primitive calls) in 0.200 seconds" */
static bool read_head(struct span line, int64_t *calls, int64_t *total)
{
    size_t in = span_find(line, SPAN(" in "));
    struct span rest;

    if (span_find(line, calls_text) == SIZE_MAX || in == SIZE_MAX)
        return false;
    rest = line;
    *calls = 0;
    (void)!span_to_i64(span_word(&rest), calls);
    rest = span_after(line, in + 4);
    return decimal_scaled(span_word(&rest), SECONDS, total);
}

static void read_line(struct text_table *table, struct span line, uint64_t offset)
{
    int64_t calls, total;

    if (read_head(line, &calls, &total)) {
        table->is_inside = false;
        if (table->tables++ == 0) {
            table->total = total;
            table->stated = calls;
        }
    } else if (span_ends(span_trim(line), heading) && table->tables <= 1) {
        table->is_inside = true;
    } else if (table->is_inside && span_trim(line).len == 0) {
        table->is_inside = table->rows == 0; /* what follows is the program's, or of others */
    } else if (table->is_inside && !read_row(table, line)) {
        warning_count(builder_warnings(table->builder), WARNING_LOSS,
                      "rows that cannot be read, left out", offset);
    }
}

static bool parse(struct input *in, struct builder *builder, struct error *err)
{
    static const struct value_name values[] = {{LITERAL("time"), UNIT_NS}};
    struct text_table table = {
        .builder = builder, .callgraph = builder_callgraph(builder), .total = UNKNOWN};
    uint64_t offset = input_offset(in);
    struct span line;

    if (!builder_begin(builder, LEVEL_FLAT, values, 1, 0, err))
        return false;
    for (; input_line(in, &line); offset = input_offset(in))
        read_line(&table, line, offset);
    if (table.rows == 0)
        return error_set_at(err, offset, 0, "no row of a table of functions is in it");
    text_check_total(builder, "calls", table.stated, table.calls, 0, UNIT_COUNT);
    builder_producer(builder, "cProfile, as pstats prints it");
    if (table.total != UNKNOWN)
        builder_fact(builder, "printed_total", table.total, UNIT_NS);
    warning_say(builder_warnings(builder), WARNING_NOTE,
                "times are as printed, rounded to milliseconds; python -m cProfile -o keeps them");
    if (table.tables > 1)
        warning_count_many(builder_warnings(builder), WARNING_LOSS,
                           "tables after the first, left out", table.tables - 1);
    return true;
}

static enum sniff sniff(struct span head, bool is_all)
{
    return sniff_text(
        head, is_all,
        span_find(head, SPAN("ncalls  tottime  percall  cumtime  percall filename:lineno(")) !=
            SIZE_MAX);
}

const struct parser parser_pstats_text = {
    .name = "pstats-text",
    .title = "tables that pstats printed",
    .summary = "python -m cProfile -s, pstats.print_stats: a table of functions as text",
    .tried = "Python 2.7 and 3",
    .omitted = "tables of callers and callees",
    .level = LEVEL_FLAT,
    .sniff = sniff,
    .parse = parse,
};
