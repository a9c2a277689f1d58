/* SPDX-License-Identifier: Apache-2.0 */
#include "render/reports/reports.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "analysis/functions/hotspots.h"
#include "base/checked.h"
#include "base/io/io.h"
#include "base/io/source_text.h"
#include "base/text/format.h"
#include "graph/model/graph.h"
#include "render/reports/report_columns.h"

static const struct column function_columns[] = {
    {.key = "name", .kind = CELL_TEXT, .use = COLUMN_MACHINES},
    {.key = "binary", .kind = CELL_TEXT, .use = COLUMN_MACHINES},
    {.key = "self", .kind = CELL_VALUE, .use = COLUMN_MACHINES},
    {.key = "cum", .kind = CELL_VALUE, .use = COLUMN_MACHINES},
    {.key = "function", .kind = CELL_TEXT, .use = COLUMN_PEOPLE, .is_path = true},
};

static const struct column instruction_columns[] = {
    {.key = "self", .heading = "flat", .kind = CELL_VALUE, .use = COLUMN_ALL},
    {.key = "share", .heading = "flat%", .kind = CELL_SHARE, .use = COLUMN_ALL, .is_heat = true},
    {.key = "cum", .kind = CELL_VALUE, .use = COLUMN_ALL},
    {.key = "address", .kind = CELL_TEXT, .use = COLUMN_ALL, .is_right = true},
    {.key = "assembly",
     .heading = "instruction",
     .kind = CELL_TEXT,
     .use = COLUMN_ALL,
     .is_code = true},
    {.key = "function", .kind = CELL_TEXT, .use = COLUMN_MACHINES},
    {.key = "file", .kind = CELL_TEXT, .use = COLUMN_MACHINES},
    {.key = "line", .kind = CELL_COUNT, .use = COLUMN_MACHINES},
    {.key = "source", .kind = CELL_TEXT, .use = COLUMN_PEOPLE, .is_path = true},
};

/* "sum.c:12", and of code out of another function "clamp sum.c:3". */
static struct span place_text(const struct code_function *function,
                              const struct symbol_place *place, struct arena *arena)
{
    struct span file = span_file_name(place->file);
    bool is_inlined = !span_eq(place->name, function->symbol.name);

    return span_of(arena_printf(arena, "%.*s%s%.*s:%" PRId64, is_inlined ? (int)place->name.len : 0,
                                place->name.at, is_inlined ? " " : "", (int)file.len, file.at,
                                place->line));
}

/* Where an instruction is of the same place as the one before, people need not be told again. */
static bool is_same_place(const struct symbol_place *a, const struct symbol_place *b)
{
    return a->line == b->line && span_eq(a->file, b->file) && span_eq(a->name, b->name);
}

static void fill_instruction(const struct code_function *function, uint32_t at,
                             struct row_writer row, struct arena *arena)
{
    const struct instruction *instruction = &function->list[at];
    const struct symbol_place *place = &instruction->place;
    bool has_cost = function->cum_at[at] || function->flat_at[at];
    bool is_told = at && is_same_place(place, &function->list[at - 1].place);

    row_figure(&row, has_cost ? function->flat_at[at] : UNKNOWN);
    row_real(&row,
             has_cost && function->flat ? share_of(function->flat_at[at], function->flat) : NAN);
    row_figure(&row, has_cost ? function->cum_at[at] : UNKNOWN);
    row_text(&row, span_of(arena_printf(arena, "%" PRIx64, instruction->address)));
    row_text(&row, instruction->text);
    row_text(&row, place->name.len ? place->name : function->symbol.name);
    row_text(&row, place->file.len ? place->file : NO_TEXT);
    row_figure(&row, place->line ? place->line : UNKNOWN);
    row_text(&row, place->file.len && !is_told ? place_text(function, place, arena) : NO_TEXT);
}

/* "main.work prog: flat 1.200 s (52.17%), cum 2.100 s (91.30%)" */
static const char *heading(const struct disassembly *disassembly,
                           const struct code_function *function, enum unit unit,
                           struct arena *arena)
{
    char flat[FORMAT_LEN], cum[FORMAT_LEN], flat_share[FORMAT_LEN], cum_share[FORMAT_LEN];
    struct span binary = span_file_name(function->binary->path);

    return arena_printf(arena, "%.*s %.*s: flat %s (%s), cum %s (%s)%s%s",
                        (int)function->symbol.name.len, function->symbol.name.at, (int)binary.len,
                        binary.at, format_value(flat, function->flat, unit),
                        format_share(flat_share, share_of(function->flat, disassembly->total)),
                        format_value(cum, function->cum, unit),
                        format_share(cum_share, share_of(function->cum, disassembly->total)),
                        function->trouble ? "; no instructions: " : "",
                        function->trouble ? function->trouble : "");
}

static void tell_binaries(const struct disassembly *disassembly, struct arena *arena,
                          struct report *report)
{
    const struct symbol_binary *on_trust = NULL;

    for (uint32_t i = disassembly->count; i-- > 0;)
        if (disassembly->functions[i].binary->is_trusted)
            on_trust = disassembly->functions[i].binary;
    if (on_trust)
        report_afterf(report, arena, "no build id proves that %.300s is the file that ran",
                      on_trust->found);
    if (disassembly->why && disassembly->lost)
        report_afterf(report, arena, "some code is in %.*s, and not shown: %s",
                      (int)(disassembly->lost->path.len < 300 ? disassembly->lost->path.len : 300),
                      disassembly->lost->path.at, disassembly->why);
    if (disassembly->left_out)
        report_afterf(report, arena, "%s; -n 0 shows all",
                      format_many(arena, disassembly->left_out, "more function"));
}

/* What is told of each function; what is told inside it is up to the caller. */
static struct table *functions_table(const struct disassembly *disassembly, enum unit unit,
                                     struct arena *arena)
{
    struct table *table =
        table_new(arena, columns_in_unit(arena, function_columns, COUNT_OF(function_columns), unit),
                  COUNT_OF(function_columns), disassembly->count, "rows", NULL);

    table->first = arena_array(arena, (size_t)disassembly->count + 1, sizeof(*table->first));
    for (uint32_t i = 0; i < disassembly->count; i++) {
        const struct code_function *function = &disassembly->functions[i];
        struct row_writer row = table_row(table, i);

        row_text(&row, function->symbol.name);
        row_text(&row, function->binary->path);
        row_number(&row, function->flat);
        row_number(&row, function->cum);
        row_text(&row, span_of(heading(disassembly, function, unit, arena)));
    }
    return table;
}

void disasm_report(const struct disassembly *disassembly, struct arena *arena,
                   struct report *report)
{
    enum unit unit = graph_unit(report->inputs[0].graph);
    uint32_t height = 0;

    for (uint32_t i = 0; i < disassembly->count; i++)
        height += disassembly->functions[i].count;

    struct table *outer = functions_table(disassembly, unit, arena);
    struct table *inner = table_new(
        arena, columns_in_unit(arena, instruction_columns, COUNT_OF(instruction_columns), unit),
        COUNT_OF(instruction_columns), height, "instructions", NULL);

    inner->row = "instruction";
    outer->inner = inner;
    for (uint32_t i = 0; i < disassembly->count; i++) {
        const struct code_function *function = &disassembly->functions[i];

        for (uint32_t at = 0; at < function->count; at++)
            fill_instruction(function, at, table_row(inner, outer->first[i] + at), arena);
        outer->first[i + 1] = outer->first[i] + function->count;
    }
    report->has_value = true;
    report_number(report, "total", disassembly->total);
    report_table(report, outer);
    tell_binaries(disassembly, arena, report);
}

static const struct column line_columns[] = {
    {.key = "flat", .kind = CELL_VALUE, .use = COLUMN_PEOPLE},
    {.key = "flat%", .kind = CELL_SHARE, .use = COLUMN_PEOPLE, .is_heat = true},
    {.key = "cum", .kind = CELL_VALUE, .use = COLUMN_PEOPLE},
    {.key = "line", .kind = CELL_TEXT, .use = COLUMN_PEOPLE, .is_right = true},
    {.key = "source", .kind = CELL_TEXT, .use = COLUMN_PEOPLE, .is_code = true, .is_fold = true},
};

/* The source's line, and below it what was made of it. */
static struct span folded(const struct code_function *function, const struct code_line *line,
                          const uint32_t *order, struct span source, enum unit unit,
                          struct arena *arena)
{
    char *text = NULL;
    size_t size;
    FILE *out = memory_stream_open(&text, &size);
    struct span copy;

    fprintf(out, "%.*s", (int)source.len, source.at);
    for (uint32_t i = 0; i < line->count; i++) {
        uint32_t at = order[i];
        const struct instruction *instruction = &function->list[at];
        char flat[FORMAT_LEN] = "", cum[FORMAT_LEN] = "";
        struct span place = place_text(function, &instruction->place, arena);

        if (function->flat_at[at])
            format_value(flat, function->flat_at[at], unit);
        if (function->cum_at[at])
            format_value(cum, function->cum_at[at], unit);
        fprintf(out, "\n%10s %10s %10" PRIx64 "  %-40.*s %.*s", flat, cum, instruction->address,
                (int)instruction->text.len, instruction->text.at,
                instruction->place.file.len ? (int)place.len : 0, place.at);
    }
    memory_stream_close(out, &text);
    copy = (struct span){arena_copy(arena, (struct span){text, size}), size};
    free(text);
    return copy;
}

/* A line that instructions were made of, or one between such. */
struct source_row {
    const struct code_line *line; /* NULL: between */
    int64_t number;
};

struct source_rows {
    VECTOR(struct source_row);
};

static void list_rows(const struct code_lines *lines, uint32_t function,
                      const struct code_text *source, struct source_rows *rows)
{
    for (uint32_t i = lines->first[function]; i < lines->first[function + 1]; i++) {
        const struct code_line *line = &lines->list[i], *before = line - 1;

        if (i > lines->first[function] && before->line > 0 && span_eq(before->file, line->file))
            for (int64_t gap = before->line + 1; gap < line->line && code_text_line(source, gap).at;
                 gap++)
                vector_add(rows, (struct source_row){NULL, gap});
        vector_add(rows, (struct source_row){line, line->line});
    }
}

static void fill_source_row(const struct source_row *at, const struct code_function *function,
                            const struct code_lines *lines, const struct code_text *source,
                            struct row_writer row, struct arena *arena)
{
    const struct code_line *line = at->line;
    struct span text = code_without_tabs(code_text_line(source, at->number), arena);
    struct span number = SPAN("?");
    enum unit unit = row.table->columns[0].unit;

    if (at->number)
        number = span_of(arena_printf(arena, "%" PRId64, at->number));
    if (line && (!text.at || !span_eq(line->file, function->list[0].own.file))) {
        struct span file = line->file.len ? span_file_name(line->file) : SPAN("no line known");

        text = span_of(arena_printf(arena, "(%.*s)", (int)file.len, file.at));
    }
    row_figure(&row, line && line->cum ? line->flat : UNKNOWN);
    row_real(&row,
             line && line->cum && function->flat ? share_of(line->flat, function->flat) : NAN);
    row_figure(&row, line && line->cum ? line->cum : UNKNOWN);
    row_text(&row, number);
    row_text(&row,
             line ? folded(function, line, lines->order + line->first, text, unit, arena) : text);
}

void weblist_report(const struct disassembly *disassembly, const struct code_lines *lines,
                    const struct code_text *sources, struct arena *arena, struct report *report)
{
    static const struct code_text none;
    enum unit unit = graph_unit(report->inputs[0].graph);
    struct table *outer = functions_table(disassembly, unit, arena);
    struct source_rows rows = {0};

    for (uint32_t i = 0; i < disassembly->count; i++) {
        list_rows(lines, i, sources ? &sources[i] : &none, &rows);
        outer->first[i + 1] = (uint32_t)rows.count;
    }
    outer->inner =
        table_new(arena, columns_in_unit(arena, line_columns, COUNT_OF(line_columns), unit),
                  COUNT_OF(line_columns), (uint32_t)rows.count, "lines", NULL);
    for (uint32_t i = 0; i < disassembly->count; i++)
        for (uint32_t at = outer->first[i]; at < outer->first[i + 1]; at++)
            fill_source_row(&rows.list[at], &disassembly->functions[i], lines,
                            sources ? &sources[i] : &none, table_row(outer->inner, at), arena);
    free(rows.list);
    report_table(report, outer);
    tell_binaries(disassembly, arena, report);
}
