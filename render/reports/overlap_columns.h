/* SPDX-License-Identifier: Apache-2.0 */
/* overlap_columns.h — what a device did, as columns of any table that tells it */
#ifndef PTK_RENDER_REPORTS_OVERLAP_COLUMNS_H
#define PTK_RENDER_REPORTS_OVERLAP_COLUMNS_H

#include "analysis/timeline/overlap.h"
#include "render/forms/table.h"

/* The contract of cli.md, and what people read of it. */
#define OVERLAP_COLUMNS                                                                            \
    {.key = "start", .kind = CELL_VALUE, .use = COLUMN_MACHINES, .unit = UNIT_NS},                 \
        {.key = "span", .kind = CELL_VALUE, .use = COLUMN_ALL, .unit = UNIT_NS},                   \
        {.key = "busy", .kind = CELL_VALUE, .use = COLUMN_ALL, .unit = UNIT_NS},                   \
        {.key = "%", .kind = CELL_SHARE, .use = COLUMN_PEOPLE},                                    \
        {.key = "idle", .kind = CELL_VALUE, .use = COLUMN_ALL, .unit = UNIT_NS},                   \
        {.key = "%", .kind = CELL_SHARE, .use = COLUMN_PEOPLE, .is_heat = true},                   \
        {.key = "compute", .kind = CELL_VALUE, .use = COLUMN_ALL, .unit = UNIT_NS},                \
        {.key = "communication", .kind = CELL_VALUE, .use = COLUMN_ALL, .unit = UNIT_NS},          \
        {.key = "exposed_communication",                                                           \
         .heading = "exposed",                                                                     \
         .kind = CELL_VALUE,                                                                       \
         .use = COLUMN_ALL,                                                                        \
         .unit = UNIT_NS},                                                                         \
        {.key = "overlap_compute_communication",                                                   \
         .heading = "hidden",                                                                      \
         .kind = CELL_VALUE,                                                                       \
         .use = COLUMN_ALL,                                                                        \
         .unit = UNIT_NS},                                                                         \
        {.key = "memory",                                                                          \
         .heading = "copies",                                                                      \
         .kind = CELL_VALUE,                                                                       \
         .use = COLUMN_ALL,                                                                        \
         .unit = UNIT_NS},                                                                         \
        {.key = "exposed_memory",                                                                  \
         .heading = "exposed",                                                                     \
         .kind = CELL_VALUE,                                                                       \
         .use = COLUMN_ALL,                                                                        \
         .unit = UNIT_NS},                                                                         \
    {                                                                                              \
        .key = "events", .kind = CELL_COUNT, .use = COLUMN_ALL                                     \
    }

/* Fills them. */
void row_overlap(struct row_writer *row, const struct overlap_figures *all);

#endif
