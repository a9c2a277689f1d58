/* SPDX-License-Identifier: Apache-2.0 */
/* tree_shapes.c — call trees as text, a function a line: of pmcstat and VTune */
#include "base/memory/memory.h"
#include "base/text/decimal.h"
#include "parsers/csv/csv.h"
#include "parsers/text_stacks/text_stacks.h"

/* ---- pmcstat -G ----
 *
 *     @ inst_retired.any [35705 samples]
 *     20.86%  [7447]     zfs_lz4_compress @ /boot/kernel/zfs.ko
 *      100.0%  [7447]      zio_compress_data
 *
 * The rows below one are its callers. A module is that of the row above unless it is said. */

static bool knows_pmcstat(struct span line)
{
    return span_starts(line, SPAN("@ ")) && span_ends(line, SPAN(" samples]"));
}

static bool read_pmcstat(struct text_stacks *text, struct span line)
{
    struct text_row row = {.frame.kind = KIND_HOST};
    struct span rest = text_unindented(line, &row.indent),
                name = span_trim(text_behind(rest, SPAN("]"))), module;

    text->is_inclusive = true;
    if (knows_pmcstat(line)) {
        struct span count = text_behind(line, SPAN(" ["));

        text->has_ended = text->nodes.count > 0; /* another event, counted in its own unit */
        text->left_out += text->has_ended;
        if (!text->has_ended && text_take_number(&count, &text->stated))
            builder_fact_text(text->builder, "event", text_up_to(span_after(line, 2), SPAN(" [")));
        return true;
    }
    if (!name.len)
        return !span_trim(line).len;
    rest = text_behind(rest, SPAN("%"));
    rest = text_behind(rest, SPAN("["));
    if (!text_take_number(&rest, &row.figures[0]))
        return false;
    module = span_trim(text_behind(name, SPAN(" @ ")));
    if (module.len)
        text->module = builder_intern(text->builder, module);
    row.frame.name = builder_intern(text->builder, span_trim(text_up_to(name, SPAN(" @ "))));
    row.frame.module = text->module;
    text_row_add(text, &row);
    return true;
}

const struct stack_shape shape_pmcstat = {.producer = "pmcstat",
                                          .knows = knows_pmcstat,
                                          .read = read_pmcstat,
                                          .is_tree = true,
                                          .is_inverted = true};

/* ---- VTune: -report top-down -format csv ----
 *
 *     Function Stack,CPU Time:Self,Module
 *     Total,0.0,[Unknown]
 *      "std::rt::lang_start<core::result::Result<(), E>>",0.015,app.exe
 *
 * The blanks before a name, and before its quote, are its depth. */

enum { SECONDS = 9 };

static bool knows_vtune(struct span line)
{
    return span_starts(line, SPAN("Function Stack,"));
}

static void find_vtune_columns(struct text_stacks *text, const struct csv_fields *titles)
{
    text->is_inside = true;
    text->values[0] = (struct value_name){SPAN("time"), UNIT_NS};
    for (size_t i = 0; i < titles->count; i++) {
        if (!text->column && span_starts(titles->list[i], SPAN("CPU Time:Self")))
            text->column = i;
        if (span_eq(titles->list[i], SPAN("Module")))
            text->module_column = i;
    }
}

static bool read_vtune(struct text_stacks *text, struct span line)
{
    struct text_row row = {.frame.kind = KIND_HOST};
    struct csv_fields cells;

    fields_of_csv(text_unindented(line, &row.indent), &cells);
    if (knows_vtune(line))
        find_vtune_columns(text, &cells);
    if (knows_vtune(line) || !text->is_inside || !span_trim(line).len)
        return true;
    if (!text->column || text->column >= cells.count ||
        !decimal_scaled(span_trim(cells.list[text->column]), SECONDS, &row.figures[0]))
        return false;
    row.frame.name = builder_intern(text->builder, cells.list[0]);
    if (text->module_column && text->module_column < cells.count)
        row.frame.module = builder_intern(text->builder, cells.list[text->module_column]);
    text_row_add(text, &row);
    return true;
}

const struct stack_shape shape_vtune = {
    .producer = "VTune", .knows = knows_vtune, .read = read_vtune, .is_tree = true};
