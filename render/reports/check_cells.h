/* SPDX-License-Identifier: Apache-2.0 */
/* check_cells.h — the columns of a table of checks, filled in one place */
#ifndef PTK_RENDER_REPORTS_CHECK_CELLS_H
#define PTK_RENDER_REPORTS_CHECK_CELLS_H

#include "analysis/verdict/threshold_check.h"
#include "render/forms/table.h"

/* clang-format off */
#define CHECK_COLUMNS                                                                              \
    {.key = "holds", .kind = CELL_FLAG, .use = COLUMN_ALL},                                        \
    {.key = "bound", .heading = "says", .kind = CELL_TEXT, .use = COLUMN_ALL},                     \
    {.key = "what", .heading = "evidence", .kind = CELL_TEXT, .use = COLUMN_ALL},                  \
    {.key = "part", .kind = CELL_COUNT, .use = COLUMN_MACHINES},                                   \
    {.key = "unit", .kind = CELL_TEXT, .use = COLUMN_MACHINES},                                    \
    {.key = "whole", .kind = CELL_VALUE, .use = COLUMN_MACHINES, .unit = UNIT_NS},                 \
    {.key = "value", .kind = CELL_RATIO, .use = COLUMN_MACHINES},                                  \
    {.key = "is_below", .kind = CELL_FLAG, .use = COLUMN_MACHINES},                                \
    {.key = "limit", .kind = CELL_RATIO, .use = COLUMN_MACHINES},                                  \
    {.key = "threshold", .kind = CELL_TEXT, .use = COLUMN_MACHINES},                               \
    {.key = "figures", .heading = "", .kind = CELL_TEXT, .use = COLUMN_PEOPLE},                    \
    {.key = "threshold", .kind = CELL_TEXT, .use = COLUMN_PEOPLE}
/* clang-format on */

void row_check(struct row_writer *row, const struct check *check,
               const struct thresholds *thresholds, struct arena *arena);

/* Those of the columns that do not say what follows from it: all after "bound". */
void row_evidence(struct row_writer *row, const struct check *check,
                  const struct thresholds *thresholds, struct arena *arena);

/* "28.27 ms / 34.35 ms = 82.30%" */
const char *check_figures(const struct check *check, struct arena *arena);

/* "idle >= 15%" */
const char *check_threshold(const struct check *check, const struct thresholds *thresholds,
                            struct arena *arena);

#endif
