/* SPDX-License-Identifier: Apache-2.0 */
#include "render/reports/reports.h"

#include <inttypes.h>
#include <math.h>

#include "analysis/functions/hotspots.h"
#include "base/checked.h"
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

void disasm_report(const struct disassembly *disassembly, struct arena *arena,
                   struct report *report)
{
    enum unit unit = graph_unit(report->inputs[0].graph);
    uint32_t height = 0;

    for (uint32_t i = 0; i < disassembly->count; i++)
        height += disassembly->functions[i].count;

    struct table *outer =
        table_new(arena, columns_in_unit(arena, function_columns, COUNT_OF(function_columns), unit),
                  COUNT_OF(function_columns), disassembly->count, "rows", NULL);
    struct table *inner = table_new(
        arena, columns_in_unit(arena, instruction_columns, COUNT_OF(instruction_columns), unit),
        COUNT_OF(instruction_columns), height, "instructions", NULL);

    inner->row = "instruction";
    outer->inner = inner;
    outer->first = arena_array(arena, (size_t)disassembly->count + 1, sizeof(*outer->first));
    for (uint32_t i = 0; i < disassembly->count; i++) {
        const struct code_function *function = &disassembly->functions[i];
        struct row_writer row = table_row(outer, i);

        row_text(&row, function->symbol.name);
        row_text(&row, function->binary->path);
        row_number(&row, function->flat);
        row_number(&row, function->cum);
        row_text(&row, span_of(heading(disassembly, function, unit, arena)));
        for (uint32_t at = 0; at < function->count; at++)
            fill_instruction(function, at, table_row(inner, outer->first[i] + at), arena);
        outer->first[i + 1] = outer->first[i] + function->count;
    }
    report->has_value = true;
    report_number(report, "total", disassembly->total);
    report_table(report, outer);
    tell_binaries(disassembly, arena, report);
}
