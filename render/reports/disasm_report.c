/* SPDX-License-Identifier: Apache-2.0 */
/* Functions with their instructions, or for a page with lines that open to these. */
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

struct instruction_row {
    int64_t flat, cum, line;
    double share;
    const char *address;
    struct span text, function, file, source;
};

static struct table *begin_instructions(const struct table_context *context, uint32_t room)
{
    typedef struct instruction_row row;
    static const struct column columns[] = {
        VALUE_AT("self", flat, .heading = "flat"),
        SHARE_AT("share", share, .heading = "flat%", .is_heat = true),
        VALUE_AT("cum", cum),
        TEXT_AT("address", address, .is_right = true),
        TEXT_AT("assembly", text, .heading = "instruction", .is_code = true),
        TEXT_AT("function", function, FOR_MACHINES),
        NAME_AT("file", file, FOR_MACHINES),
        COUNT_AT("line", line, FOR_MACHINES),
        TEXT_AT("source", source, FOR_PEOPLE, .is_path = true),
    };
    struct table *table = TABLE_BEGIN(context, columns, room, "instructions", NULL);

    table->row = "instruction";
    return table;
}

static void add_instruction(struct table *table, const struct code_function *function, uint32_t at)
{
    const struct instruction *instruction = &function->list[at];
    const struct symbol_place *place = &instruction->place;
    bool has_cost = function->cum_at[at] || function->flat_at[at];
    bool is_known = at && is_same_place(place, &function->list[at - 1].place);
    struct arena *arena = table->context.arena;

    table_add(
        table,
        &(struct instruction_row){
            .flat = has_cost ? function->flat_at[at] : UNKNOWN,
            .cum = has_cost ? function->cum_at[at] : UNKNOWN,
            .share =
                has_cost && function->flat ? share_of(function->flat_at[at], function->flat) : NAN,
            .address = arena_printf(arena, "%" PRIx64, instruction->address),
            .text = instruction->text,
            .function = place->name.len ? place->name : function->symbol.name,
            .file = place->file,
            .line = place->line ? place->line : UNKNOWN,
            .source = place->file.len && !is_known ? place_text(function, place, arena) : NO_TEXT,
        });
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

static void write_binaries(const struct disassembly *disassembly, struct arena *arena,
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

/* A row a function; the caller adds what is inside it. */
static struct table *functions_table(const struct disassembly *disassembly,
                                     const struct table_context *context)
{
    typedef struct {
        struct span name, binary;
        int64_t self, cum;
        const char *heading;
    } row;
    static const struct column columns[] = {
        TEXT_AT("name", name, FOR_MACHINES),
        TEXT_AT("binary", binary, FOR_MACHINES),
        VALUE_AT("self", self, FOR_MACHINES),
        VALUE_AT("cum", cum, FOR_MACHINES),
        TEXT_AT("function", heading, FOR_PEOPLE, .is_path = true),
    };
    struct table *table = TABLE_BEGIN(context, columns, disassembly->count, "rows", NULL);

    table->first =
        arena_array(context->arena, (size_t)disassembly->count + 1, sizeof(*table->first));
    for (uint32_t i = 0; i < disassembly->count; i++) {
        const struct code_function *function = &disassembly->functions[i];

        TABLE_ADD(table, function->symbol.name, function->binary->path, function->flat,
                  function->cum, heading(disassembly, function, context->unit, context->arena));
    }
    return table;
}

/* The instruction with the most cost of its own: "The instruction at 4000c5 of chain takes 31.10% of 582.0 ms: …" */
static void headline(const struct disassembly *disassembly, enum unit unit, struct arena *arena, struct report *report)
{
    const struct code_function *most = disassembly->hottest;
    const struct instruction *instruction;
    char share[FORMAT_LEN], total[FORMAT_LEN];
    struct span place;

    if (!most || disassembly->total <= 0)
        return;
    instruction = &most->list[disassembly->hottest_at];
    place = instruction->place.file.len ? place_text(most, &instruction->place, arena) : NO_TEXT;
    report_beforef(report, arena, "The instruction at %" PRIx64 " of %.*s takes %s of %s: %.*s%s%.*s%s.", instruction->address,
                   (int)most->symbol.name.len, most->symbol.name.at,
                   format_share(share, share_of(most->flat_at[disassembly->hottest_at], disassembly->total)),
                   format_value(total, disassembly->total, unit), (int)instruction->text.len, instruction->text.at,
                   place.len ? " (" : "", (int)place.len, place.at, place.len ? ")" : "");
}

void disasm_report(const struct disassembly *disassembly, struct arena *arena,
                   struct report *report)
{
    struct table_context context = graph_context(report->inputs[0].graph, arena);
    struct table *outer = functions_table(disassembly, &context);
    uint32_t instructions = 0;

    for (uint32_t i = 0; i < disassembly->count; i++)
        instructions += disassembly->functions[i].count;
    outer->inner = begin_instructions(&context, instructions);
    for (uint32_t i = 0; i < disassembly->count; i++) {
        for (uint32_t at = 0; at < disassembly->functions[i].count; at++)
            add_instruction(outer->inner, &disassembly->functions[i], at);
        outer->first[i + 1] = outer->inner->height;
    }
    report->has_value = true;
    report_value(report, "total", disassembly->total, graph_unit(report->inputs[0].graph));
    headline(disassembly, graph_unit(report->inputs[0].graph), arena, report);
    report_table(report, outer);
    write_binaries(disassembly, arena, report);
}

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

struct weblist_row {
    int64_t flat, cum;
    double share;
    const char *number;
    struct span source;
};

static struct table *begin_lines(const struct table_context *context, uint32_t room)
{
    typedef struct weblist_row row;
    static const struct column columns[] = {
        VALUE_AT("flat", flat, FOR_PEOPLE),
        SHARE_AT("flat%", share, FOR_PEOPLE, .is_heat = true),
        VALUE_AT("cum", cum, FOR_PEOPLE),
        TEXT_AT("line", number, FOR_PEOPLE, .is_right = true),
        TEXT_AT("source", source, FOR_PEOPLE, .is_code = true, .is_fold = true),
    };

    return TABLE_BEGIN(context, columns, room, "lines", NULL);
}

static void add_line(struct table *table, const struct source_row *at,
                     const struct code_function *function, const struct code_lines *lines,
                     const struct code_text *source)
{
    struct arena *arena = table->context.arena;
    const struct code_line *line = at->line;
    struct span text = code_without_tabs(code_text_line(source, at->number), arena);
    bool has_cost = line && line->cum;

    if (line && (!text.at || !span_eq(line->file, function->list[0].own.file))) {
        struct span file = line->file.len ? span_file_name(line->file) : SPAN("no line known");

        text = span_of(arena_printf(arena, "(%.*s)", (int)file.len, file.at));
    }
    if (line)
        text = folded(function, line, lines->order + line->first, text, table->context.unit, arena);
    table_add(table,
              &(struct weblist_row){
                  .flat = has_cost ? line->flat : UNKNOWN,
                  .cum = has_cost ? line->cum : UNKNOWN,
                  .share = has_cost && function->flat ? share_of(line->flat, function->flat) : NAN,
                  .number = at->number ? arena_printf(arena, "%" PRId64, at->number) : "?",
                  .source = text,
              });
}

void weblist_report(const struct disassembly *disassembly, const struct code_lines *lines,
                    const struct code_text *sources, struct arena *arena, struct report *report)
{
    static const struct code_text none;
    struct table_context context = graph_context(report->inputs[0].graph, arena);
    struct table *outer = functions_table(disassembly, &context);
    struct source_rows rows = {0};

    for (uint32_t i = 0; i < disassembly->count; i++) {
        list_rows(lines, i, sources ? &sources[i] : &none, &rows);
        outer->first[i + 1] = (uint32_t)rows.count;
    }
    outer->inner = begin_lines(&context, (uint32_t)rows.count);
    for (uint32_t i = 0; i < disassembly->count; i++)
        for (uint32_t at = outer->first[i]; at < outer->first[i + 1]; at++)
            add_line(outer->inner, &rows.list[at], &disassembly->functions[i], lines,
                     sources ? &sources[i] : &none);
    free(rows.list);
    report_table(report, outer);
    write_binaries(disassembly, arena, report);
}
