/* SPDX-License-Identifier: Apache-2.0 */
#include "render/forms/table.h"

#include <math.h>

#include "base/text/format.h"

struct span cell_shown(const struct column *column, const union cell *cell, struct arena *arena)
{
    char text[FORMAT_LEN] = "";

    switch (column->kind) {
    case CELL_TEXT:
        return cell->text.at ? cell->text : SPAN("");
    case CELL_COUNT:
        if (cell->number != TABLE_NULL)
            format_count(text, cell->number);
        break;
    case CELL_VALUE:
        if (cell->number != TABLE_NULL)
            format_value(text, cell->number, column->unit);
        break;
    case CELL_SHARE:
        if (isfinite(cell->real))
            format_share(text, cell->real);
        break;
    case CELL_RATIO:
        if (isfinite(cell->real))
            format_ratio(text, cell->real);
        break;
    case CELL_FLAG:
        return cell->number ? SPAN("yes") : SPAN("");
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
