/* SPDX-License-Identifier: Apache-2.0 */
/* text_layout.c — what there is room for on a terminal: columns give way in their order, names by meaning */
#include "render/forms/text_layout.h"

#include "base/text/escape.h"
#include "graph/names/names.h"

enum { NAME_MIN = 24, NAME_ROOM = 44, LABEL_MIN = 16, TEXT_MIN = 20, SPARE = 1000 };

static uint32_t cells_of(struct span plain)
{
    return (uint32_t)escape_cells(plain);
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
    layout->first = table->width;
    layout->shown =
        arena_array(layout->arena, (size_t)table->width * table->height, sizeof(*layout->shown));
    for (uint32_t c = 0; c < table->width; c++) {
        if (!layout->columns.is_shown[c])
            continue;
        layout->first = layout->first < c ? layout->first : c;
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

/* ---- columns give way ---- */

/* A text that may be shortened; what is short anyway, such as a kind, is read whole. */
static bool is_cuttable(const struct text_layout *layout, uint32_t column)
{
    const struct column *of = &layout->table->columns[column];

    return of->kind == CELL_TEXT && !of->is_right && !of->is_code && !of->is_whole;
}

static uint32_t least(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

/* What the columns before the last take, if texts are `most` wide there, and those that hold more wider. */
static uint32_t taken(const struct text_layout *layout, uint32_t most, bool holds)
{
    uint32_t cells = layout->indent;

    for (uint32_t c = 0; c < layout->last; c++) {
        uint32_t held = holds ? layout->table->columns[c].holds : 0;

        if (layout->columns.is_shown[c])
            cells += TEXT_GAP + (is_cuttable(layout, c) ? least(layout->widths[c], most > held ? most : held)
                                                        : layout->widths[c]);
    }
    return cells;
}

/* Whether the line has room, if a text in the last column is `name` wide, and others are `most`. */
static bool has_room(const struct text_layout *layout, uint32_t name, uint32_t most, bool holds)
{
    uint32_t last = layout->widths[layout->last];

    return taken(layout, most, holds) + (is_cuttable(layout, layout->last) ? least(last, name) : last) <=
           layout->style->columns;
}

/* When a column gives way: the highest first; 0: never. The first tells which row it is, and so does a text that ends the line. */
static uint32_t rank_of(const struct text_layout *layout, uint32_t column)
{
    const struct column *of = &layout->table->columns[column];
    bool ends_line = column == layout->last && of->kind == CELL_TEXT && !of->is_right;

    return column == layout->first || of->is_kept ? 0 : of->is_spare ? SPARE : ends_line ? 0 : of->yields + 1;
}

/* The column that gives way next, where there is one: those that follow from others come first. */
static bool next_to_go(const struct text_layout *layout, uint32_t *found)
{
    uint32_t most = 0;

    for (uint32_t c = 0; c <= layout->last; c++) {
        uint32_t rank = layout->columns.is_shown[c] ? rank_of(layout, c) : 0;

        if (rank == 0 || rank < most)
            continue;
        most = rank;
        *found = c;
    }
    return most == SPARE ? !has_room(layout, NAME_ROOM, UINT32_MAX, true)
                         : most > 0 && !has_room(layout, layout->name_min, TEXT_MIN, most > 1);
}

/* Of a tree what is before the name counts, too, unless its branches alone would take the line. */
static uint32_t name_min(const struct text_layout *layout)
{
    const struct column *last = &layout->table->columns[layout->last];
    uint32_t most = NAME_MIN;

    for (uint32_t row = 0; last->is_branch && row < layout->table->height; row++) {
        struct span text = *shown_at(layout, row, layout->last);
        uint32_t needed = cells_of(text) - cells_of(label_in_cell(last, text)) + LABEL_MIN;

        if (needed > most && needed <= layout->style->columns * 2 / 3)
            most = needed;
    }
    return most;
}

static void leave_out(struct text_layout *layout)
{
    uint32_t column = 0;

    while (next_to_go(layout, &column)) {
        layout->columns.is_shown[column] = false;
        while (layout->last > 0 && !layout->columns.is_shown[layout->last])
            layout->last--;
    }
}

/* ---- names and texts are shortened ---- */

static struct span shortened(struct text_layout *layout, struct span text, uint32_t column, uint32_t room)
{
    struct span mark = layout->style->is_unicode ? SPAN("…") : SPAN("...");
    struct span label = label_in_cell(&layout->table->columns[column], text), fitting;
    size_t cells = escape_cells(text);
    size_t beside = cells - escape_cells(label);

    if (cells <= room)
        return text;
    fitting = label_fit(label, room > beside + LABEL_MIN ? room - beside : LABEL_MIN, mark,
                        layout->table->columns[column].is_path, layout->arena);
    return replaced(layout, text, label, fitting);
}

/* Short names have forms for less room. Of trees each row has its own, since it is indented. */
static void fit_names(struct text_layout *layout, uint32_t at, uint32_t room)
{
    const struct table *table = layout->table;
    const struct column *column = &table->columns[at];
    struct span mark = layout->style->is_unicode ? SPAN("…") : SPAN("..."), *names;

    if (!column->is_label || !table->frames || layout->style->has_full_names)
        return;
    names = column->is_branch ? NULL
                              : short_names_fit(table->context.graph, table->frames, table->height, room, mark,
                                                layout->arena);
    for (uint32_t row = 0; row < table->height; row++) {
        struct span text = cell_shown(column, table_cell(table, row, at), layout->arena);
        struct span name = name_in_cell(layout, column, text, row), *shown = shown_at(layout, row, at);
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

static void shorten(struct text_layout *layout, uint32_t column, uint32_t room)
{
    if (layout->widths[column] <= room || layout->table->columns[column].is_prose)
        return;
    fit_names(layout, column, room);
    layout->widths[column] = cells_of(span_of(column_heading(&layout->table->columns[column])));
    for (uint32_t row = 0; row < layout->table->height; row++) {
        struct span *text = shown_at(layout, row, column);

        *text = shortened(layout, *text, column, room);
        if (cells_of(*text) > layout->widths[column])
            layout->widths[column] = cells_of(*text);
    }
}

/* The texts of a line share what the figures leave: the longest give first, and the last has at least what a name needs. */
static void fit(struct text_layout *layout)
{
    uint32_t most = layout->style->columns, room;

    if (layout->style->columns == 0)
        return;
    layout->name_min = name_min(layout);
    leave_out(layout);
    while (most > TEXT_MIN && !has_room(layout, most < layout->name_min ? layout->name_min : most, most, false))
        most--;
    for (uint32_t c = 0; c < layout->last; c++)
        if (layout->columns.is_shown[c] && is_cuttable(layout, c))
            shorten(layout, c, most);
    room = layout->style->columns > taken(layout, UINT32_MAX, false) + NAME_MIN ? layout->style->columns - taken(layout, UINT32_MAX, false)
                                                                         : NAME_MIN;
    if (is_cuttable(layout, layout->last))
        shorten(layout, layout->last, room);
}

struct text_layout text_lay_out(const struct table *table, const struct text_style *style, uint32_t indent,
                                struct arena *arena, FILE *out)
{
    struct text_layout layout = {.table = table, .style = style, .arena = arena, .indent = indent, .out = out};

    measure(&layout);
    fit(&layout);
    return layout;
}
