/* SPDX-License-Identifier: Apache-2.0 */
/* text_form.c — a report for a terminal: aligned columns, one unit a figure */

#include "base/text/escape.h"
#include "graph/names/names.h"
#include "render/forms/block.h"
#include "render/forms/report.h"
#include "render/forms/table.h"

enum { GAP = 2, INNER_INDENT = 4, NAME_MIN = 24, NAME_ROOM = 44, LABEL_MIN = 16 };

/* One table laid out: what each cell says, and how wide each column is. */
struct text_layout {
    const struct table *table;
    const struct text_style *style;
    struct arena *arena;
    struct span *shown; /* by row and column; escaped */
    uint32_t widths[TABLE_MAX_WIDTH];
    struct columns_shown columns;
    uint32_t last; /* the last column for people: it is not padded */
    uint32_t indent;
    FILE *out;
};

static uint32_t cells_of(struct span plain)
{
    return (uint32_t)escape_cells(plain);
}

static struct span *shown_at(const struct text_layout *layout, uint32_t row, uint32_t column)
{
    return &layout->shown[(size_t)row * layout->table->width + column];
}

/* The text with something else in the place of a part of it. */
static struct span replaced(struct text_layout *layout, struct span text, struct span part, struct span other)
{
    size_t head = (size_t)(part.at - text.at), tail = text.len - head - part.len;
    char *joined = arena_array(layout->arena, head + other.len + tail + 1, 1);

    memcpy(joined, text.at, head);
    memcpy(joined + head, other.at, other.len);
    memcpy(joined + head + other.len, part.at + part.len, tail);
    return (struct span){joined, head + other.len + tail};
}

/* The name of the row's function as it is asked for. */
static struct span name_of(struct text_layout *layout, uint32_t row)
{
    const struct graph *graph = layout->table->context.graph;
    frame_id frame = layout->table->frames[row];
    enum label_paths paths = layout->style->paths;

    if (layout->style->has_full_names)
        return frame_label(graph, frame, layout->arena);
    if ((paths == PATHS_FULL || paths == PATHS_NAME) && graph_frame(graph, frame)->kind == KIND_PYTHON)
        return label_short(frame_label(graph, frame, layout->arena), paths, SIZE_MAX);
    return graph_short_name(graph, frame);
}

/* The part of a cell of labels that is the short name; at == NULL: it has none. */
static struct span name_in_cell(const struct text_layout *layout, const struct column *column, struct span text,
                                uint32_t row)
{
    struct span label = label_in_cell(column, text), shown;

    if (!column->is_label || !layout->table->frames || !layout->table->frames[row] || !text.len)
        return NO_TEXT;
    shown = graph_short_name(layout->table->context.graph, layout->table->frames[row]);
    label.len = label.len < shown.len ? label.len : shown.len;
    return span_eq(label, shown) ? label : NO_TEXT;
}

static struct span text_of(struct text_layout *layout, uint32_t row, uint32_t column)
{
    const struct table *table = layout->table;
    const struct column *of = &table->columns[column];
    struct span text = cell_shown(of, table_cell(table, row, column), layout->arena);
    struct span name = name_in_cell(layout, of, text, row);

    if (name.at)
        text = replaced(layout, text, name, name_of(layout, row));
    else if (of->is_path && layout->style->paths != PATHS_FULL && !layout->style->has_full_names && text.len)
        text = replaced(layout, text, label_in_cell(of, text),
                        label_compact(label_short(label_in_cell(of, text), layout->style->paths,
                                                  layout->columns.common[column]),
                                      layout->arena));
    return escape_plain(layout->arena, text);
}

static void measure(struct text_layout *layout)
{
    const struct table *table = layout->table;

    layout->columns = table_shown(table);
    layout->shown =
        arena_array(layout->arena, (size_t)table->width * table->height, sizeof(*layout->shown));
    for (uint32_t c = 0; c < table->width; c++) {
        if (!layout->columns.is_shown[c])
            continue;
        layout->last = c;
        layout->widths[c] = cells_of(span_of(column_heading(&table->columns[c])));
        for (uint32_t row = 0; row < table->height; row++) {
            uint32_t cells;

            *shown_at(layout, row, c) = text_of(layout, row, c);
            cells = cells_of(*shown_at(layout, row, c));
            if (cells > layout->widths[c])
                layout->widths[c] = cells;
        }
    }
}

/* ---- shortening names to the terminal ---- */

static struct span shortened(struct text_layout *layout, struct span text, uint32_t room)
{
    const struct column *column = &layout->table->columns[layout->last];
    struct span mark = layout->style->is_unicode ? SPAN("…") : SPAN("...");
    struct span label = label_in_cell(column, text), fitting;
    size_t cells = escape_cells(text);
    size_t beside = cells - escape_cells(label);

    if (cells <= room)
        return text;
    fitting = label_fit(label, room > beside + LABEL_MIN ? room - beside : LABEL_MIN, mark,
                        column->is_path, layout->arena);
    return replaced(layout, text, label, fitting);
}

static uint32_t room_of_last(const struct text_layout *layout)
{
    uint32_t taken = layout->indent;

    for (uint32_t c = 0; c < layout->last; c++)
        if (layout->columns.is_shown[c])
            taken += layout->widths[c] + GAP;
    return layout->style->columns > taken + NAME_MIN ? layout->style->columns - taken : NAME_MIN;
}

/* Short names have forms for less room. Of trees each row has its own, since it is indented. */
static void fit_names(struct text_layout *layout, uint32_t room)
{
    const struct table *table = layout->table;
    const struct column *column = &table->columns[layout->last];
    struct span mark = layout->style->is_unicode ? SPAN("…") : SPAN("..."), *names;

    if (!column->is_label || !table->frames || layout->style->has_full_names)
        return;
    names = column->is_branch ? NULL
                              : short_names_fit(table->context.graph, table->frames, table->height, room, mark,
                                                layout->arena);
    for (uint32_t row = 0; row < table->height; row++) {
        struct span text = cell_shown(column, table_cell(table, row, layout->last), layout->arena);
        struct span name = name_in_cell(layout, column, text, row), *shown = shown_at(layout, row, layout->last);
        size_t beside = escape_cells(text) - (name.at ? escape_cells(name) : 0), own_room;

        if (!name.at || escape_cells(*shown) <= room)
            continue;
        own_room = room > beside + LABEL_MIN ? room - beside : LABEL_MIN;
        if (!names || beside)
            name = replaced(layout, text, name,
                            *short_names_fit(table->context.graph, &table->frames[row], 1, own_room, mark, layout->arena));
        else
            name = names[row];
        *shown = escape_plain(layout->arena, name);
    }
}

/* Columns that follow from others are left out, from the right, where the figures alone are too wide. */
static void fit_figures(struct text_layout *layout)
{
    const struct table *table = layout->table;
    uint32_t wide = layout->indent;

    for (uint32_t c = 0; c <= layout->last; c++)
        wide += layout->columns.is_shown[c] ? layout->widths[c] + GAP : 0;
    for (uint32_t c = layout->last + 1; c-- > 0 && wide > layout->style->columns + GAP;) {
        if (!table->columns[c].is_spare || !layout->columns.is_shown[c])
            continue;
        layout->columns.is_shown[c] = false;
        wide -= layout->widths[c] + GAP;
    }
    while (layout->last > 0 && !layout->columns.is_shown[layout->last])
        layout->last--;
}

/* Names tell more than the figures that follow from others. */
static void fit(struct text_layout *layout)
{
    const struct table *table = layout->table;
    uint32_t room;

    if (layout->style->columns == 0)
        return;
    if (table->columns[layout->last].kind != CELL_TEXT) {
        fit_figures(layout);
        return;
    }
    for (uint32_t c = layout->last; c-- > 0;) {
        room = room_of_last(layout);
        if (table->columns[c].is_spare && room < NAME_ROOM && room < layout->widths[layout->last])
            layout->columns.is_shown[c] = false;
    }
    room = room_of_last(layout);
    fit_names(layout, room);
    for (uint32_t row = 0; row < table->height; row++) {
        struct span *text = shown_at(layout, row, layout->last);

        *text = shortened(layout, *text, room);
    }
}

/* ---- writing ---- */

static void pad(FILE *out, uint32_t count)
{
    fprintf(out, "%*s", (int)count, "");
}

static const char *heat_of(const struct text_layout *layout, uint32_t row, uint32_t column)
{
    const struct table *table = layout->table;
    double share;

    if (!layout->style->has_color || !table->columns[column].is_heat)
        return NULL;
    share = table_cell(table, row, column)->real;
    return share >= 0.1 ? "\033[1;31m" : share >= 0.02 ? "\033[33m" : NULL;
}

static void write_cell(const struct text_layout *layout, uint32_t column, struct span text,
                       const char *color)
{
    bool is_right = column_is_right(&layout->table->columns[column]);
    uint32_t cells = cells_of(text);
    uint32_t blanks = layout->widths[column] > cells ? layout->widths[column] - cells : 0;

    if (is_right)
        pad(layout->out, blanks);
    if (color)
        fputs(color, layout->out);
    fwrite(text.at, 1, text.len, layout->out);
    if (color)
        fputs("\033[0m", layout->out);
    if (column == layout->last)
        putc('\n', layout->out);
    else
        pad(layout->out, (is_right ? 0 : blanks) + GAP);
}

static void write_headings(const struct text_layout *layout)
{
    const struct table *table = layout->table;
    const char *color = layout->style->has_color ? "\033[1m" : NULL;

    if (!column_heading(&table->columns[layout->last])[0])
        return; /* a list of facts has no headings */
    pad(layout->out, layout->indent);
    for (uint32_t c = 0; c < table->width; c++)
        if (layout->columns.is_shown[c])
            write_cell(layout, c, span_of(column_heading(&table->columns[c])), color);
}

static void write_row(const struct text_layout *layout, uint32_t row)
{
    pad(layout->out, layout->indent);
    for (uint32_t c = 0; c < layout->table->width; c++)
        if (layout->columns.is_shown[c])
            write_cell(layout, c, *shown_at(layout, row, c), heat_of(layout, row, c));
}

static struct text_layout lay_out(const struct table *table, const struct text_style *style,
                                  uint32_t indent, struct arena *arena, FILE *out)
{
    struct text_layout layout = {
        .table = table, .style = style, .arena = arena, .indent = indent, .out = out};

    measure(&layout);
    fit(&layout);
    return layout;
}

/* Each outer row on a line of its own, and its inner rows under it. */
static void write_nested(const struct text_layout *outer)
{
    const struct table *table = outer->table;
    struct text_layout inner =
        lay_out(table->inner, outer->style, INNER_INDENT, outer->arena, outer->out);

    for (uint32_t row = 0; row < table->height; row++) {
        if (row)
            putc('\n', outer->out);
        write_row(outer, row);
        if (table->first[row] < table->first[row + 1])
            write_headings(&inner);
        for (uint32_t i = table->first[row]; i < table->first[row + 1]; i++)
            write_row(&inner, i);
    }
}

static void write_table(const struct table *table, const struct text_style *style, FILE *out)
{
    struct arena arena = {0};
    struct text_layout layout = lay_out(table, style, 0, &arena, out);

    if (table->title)
        fprintf(out, "%s\n", table->title);
    if (table->height && !table->inner)
        write_headings(&layout);
    if (table->inner)
        write_nested(&layout);
    else
        for (uint32_t row = 0; row < table->height; row++)
            write_row(&layout, row);
    arena_free(&arena);
}

/* Prose is wrapped to a terminal; a pipe gets each sentence in a line. */
static void write_line(const char *line, const struct text_style *style, FILE *out)
{
    struct arena arena = {0};
    struct span plain = escape_plain(&arena, span_of(line));

    if (style->columns && escape_cells(plain) > style->columns && line[0] != ' ') {
        prose_write(plain, style->columns, out);
    } else {
        fwrite(plain.at, 1, plain.len, out);
        putc('\n', out);
    }
    arena_free(&arena);
}

/* Returns whether there was any. */
static bool write_tables(const struct report *report, const struct text_style *style, FILE *out)
{
    bool is_first = true, is_after_table = false;

    for (uint32_t i = 0; i < report->table_count; i++) {
        const struct table *table = report->tables[i];

        if (!table_is_for(table, COLUMN_PEOPLE) || (table->text ? !*table->text : !table->height))
            continue;
        if (is_first ? report->before_count > 0 : is_after_table && !table->text)
            putc('\n', out);
        if (table->text)
            fputs(table->text, out);
        else if (table->blocks)
            blocks_write(table->blocks, table->height, style->columns, out);
        else
            write_table(table, style, out);
        is_first = false;
        is_after_table = !table->text;
    }
    return !is_first;
}

void report_write_text(const struct report *report, const struct text_style *style, FILE *out)
{
    bool has_tables;

    for (uint32_t i = 0; i < report->before_count; i++)
        write_line(report->before[i], style, out);
    has_tables = write_tables(report, style, out);
    if (report->after_count && (report->before_count || has_tables))
        putc('\n', out);
    for (uint32_t i = 0; i < report->after_count; i++)
        write_line(report->after[i], style, out);
}
