/* SPDX-License-Identifier: Apache-2.0 */
/* Tables: their rows, and how people read their cells. */
#include "render/forms/table.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/checked.h"
#include "base/text/format.h"
#include "graph/classify/function_class.h"

struct table *table_begin(const struct table_context *context, const struct column *columns,
                          uint32_t width, uint32_t room, const char *key, const char *title)
{
    struct table *table = arena_alloc(context->arena, sizeof(*table));

    assert(width > 0 && width <= TABLE_MAX_WIDTH);
    *table = (struct table){
        .key = key, .title = title, .width = width, .room = room, .context = *context};
    table->columns = arena_array(context->arena, width, sizeof(*columns));
    for (uint32_t c = 0; c < width; c++) {
        table->columns[c] = columns[c];
        if (columns[c].kind == CELL_VALUE && columns[c].unit == UNIT_COUNT) {
            table->columns[c].unit = context->unit;
            table->columns[c].has_table_unit = true;
        }
        if (columns[c].is_label && context->graph)
            table->frames = arena_array(context->arena, room, sizeof(*table->frames));
    }
    return table;
}

static size_t cell_size(enum cell_kind kind)
{
    return kind == CELL_TEXT ? sizeof(struct span) : sizeof(int64_t);
}

/* With the first row, because what kind its columns are is settled by then. */
static void lay_out_rows(struct table *table)
{
    for (uint32_t c = 0; c < table->width; c++) {
        table->columns[c].place = (uint16_t)table->row_size;
        table->row_size += (uint32_t)cell_size(table->columns[c].kind);
    }
    table->cells = arena_array(table->context.arena, table->room, table->row_size);
}

void table_add(struct table *table, const void *row)
{
    char *cells;

    assert(table->height < table->room);
    if (!table->row_size)
        lay_out_rows(table);
    cells = table->cells + (size_t)table->height * table->row_size;
    for (uint32_t c = 0; c < table->width; c++) {
        const struct column *column = &table->columns[c];
        const union cell cell = column->make(&(struct cell_source){
            (const char *)row + column->field, (const char *)row + column->per, &table->context});

        memcpy(cells + column->place, &cell, cell_size(column->kind));
        if (column->is_label && table->frames)
            table->frames[table->height] = *(const uint32_t *)((const char *)row + column->per);
    }
    table->height++;
}

struct table *table_of(const struct table_context *context, const struct column *columns,
                       uint32_t width, const void *rows, size_t size, uint32_t count,
                       const char *key, const char *title)
{
    struct table *table = table_begin(context, columns, width, count, key, title);

    for (uint32_t i = 0; i < count; i++)
        table_add(table, (const char *)rows + i * size);
    return table;
}

struct column *table_column(const struct table *table, const char *key)
{
    uint32_t c = 0;

    while (c + 1 < table->width && strcmp(table->columns[c].key, key) != 0)
        c++;
    return &table->columns[c];
}

union cell table_cell(const struct table *table, uint32_t row, uint32_t column)
{
    const struct column *of = &table->columns[column];
    union cell cell = {0};

    assert(row < table->height && column < table->width);
    memcpy(&cell, table->cells + (size_t)row * table->row_size + of->place, cell_size(of->kind));
    return cell;
}

static bool is_blank(enum cell_kind kind, union cell cell)
{
    switch (kind) {
    case CELL_TEXT:
        return !cell.text.at || cell.text.len == 0;
    case CELL_COUNT:
    case CELL_VALUE:
        return cell.number == TABLE_NULL;
    case CELL_SHARE:
    case CELL_RATIO:
        return !isfinite(cell.real);
    case CELL_FLAG:
        return false;
    }
    return false;
}

/* How much of a text is the branches of a tree that tree_report.c draws before it. */
static size_t branches_len(struct span text)
{
    static const char *const pieces[] = {"├─ ", "└─ ", "│  ", "   ", "|- ", "`- ", "|  "};
    size_t len = 0, i = 0;

    while (i < COUNT_OF(pieces)) {
        size_t size = strlen(pieces[i]);
        bool is_piece = text.len - len >= size && memcmp(text.at + len, pieces[i], size) == 0;

        len += is_piece ? size : 0;
        i = is_piece ? 0 : i + 1;
    }
    return len;
}

struct span label_in_cell(const struct column *column, struct span text)
{
    struct span label = text;

    if (!column->is_branch)
        return label;
    label = span_after(text, branches_len(text));
    for (size_t i = 0; i + 2 < label.len; i++)
        if (memcmp(label.at + i, "  (", 3) == 0)
            label.len = i;
    return label;
}

/* What of their labels' folders all functions of a program have in common. */
static size_t common_folder(const struct table *table, uint32_t column)
{
    struct span first = {0};
    size_t common = SIZE_MAX;

    for (uint32_t row = 0; row < table->height; row++) {
        struct span label = table_cell(table, row, column).text;

        if (!label.at)
            continue;
        label = label_in_cell(&table->columns[column], label);
        if (!label_has_folder(label))
            continue;
        first = first.at ? first : label;
        common = label_common(label, first, common);
    }
    return common;
}

struct columns_shown table_shown(const struct table *table)
{
    struct columns_shown shown = {0};

    for (uint32_t c = 0; c < table->width; c++) {
        bool is_filled = table->height == 0;

        for (uint32_t row = 0; row < table->height && !is_filled; row++)
            is_filled = !is_blank(table->columns[c].kind, table_cell(table, row, c));
        shown.is_shown[c] = is_filled && column_is_for(&table->columns[c], COLUMN_PEOPLE);
        if (shown.is_shown[c] && table->columns[c].is_path)
            shown.common[c] = common_folder(table, c);
    }
    return shown;
}

struct span cell_shown(const struct column *column, union cell cell, struct arena *arena)
{
    char text[FORMAT_LEN] = "";

    switch (column->kind) {
    case CELL_TEXT:
        return cell.text.at ? cell.text : SPAN("");
    case CELL_COUNT:
        if (cell.number != TABLE_NULL)
            format_count(text, cell.number);
        break;
    case CELL_VALUE:
        if (cell.number != TABLE_NULL)
            format_value(text, cell.number, column->unit);
        break;
    case CELL_SHARE:
        if (isfinite(cell.real))
            format_share(text, cell.real);
        break;
    case CELL_RATIO:
        if (isfinite(cell.real))
            format_ratio(text, cell.real);
        break;
    case CELL_FLAG:
        return cell.number ? SPAN("yes") : SPAN("");
    }
    struct span shown = span_of(text);

    return (struct span){arena_copy(arena, shown), shown.len};
}

bool column_is_right(const struct column *column)
{
    return (column->kind != CELL_TEXT && column->kind != CELL_FLAG) || column->is_right;
}

const char *column_heading(const struct column *column)
{
    return column->heading ? column->heading : column->key;
}
