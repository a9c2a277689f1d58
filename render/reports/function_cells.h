/* SPDX-License-Identifier: Apache-2.0 */
/* function_cells.h — the columns that every table of functions has, filled in one place */
#ifndef PTK_RENDER_REPORTS_FUNCTION_CELLS_H
#define PTK_RENDER_REPORTS_FUNCTION_CELLS_H

#include "graph/model/graph.h"
#include "render/forms/table.h"

/* clang-format off */
#define FRAME_COLUMNS(kind_use)                                                                    \
    {.key = "name", .kind = CELL_TEXT, .use = COLUMN_MACHINES},                                    \
    {.key = "file", .kind = CELL_TEXT, .use = COLUMN_MACHINES},                                    \
    {.key = "line", .kind = CELL_COUNT, .use = COLUMN_MACHINES},                                   \
    {.key = "module", .kind = CELL_TEXT, .use = COLUMN_MACHINES},                                  \
    {.key = "kind", .kind = CELL_TEXT, .use = kind_use}
/* clang-format on */

/* FRAME_COLUMNS: null where not known; a line of 0 stays 0. */
void row_frame(struct row_writer *writer, const struct graph *graph, frame_id id);

/* A figure that may be UNKNOWN. */
void row_figure(struct row_writer *writer, int64_t figure);

/* "12/3": all calls, and the primitive ones where they differ; nothing when not known. */
void row_call_counts(struct row_writer *writer, int64_t calls, int64_t primitive_calls,
                     struct arena *arena);

/* figure / calls, rounded; nothing when there were no calls. */
void row_per_call(struct row_writer *writer, int64_t figure, int64_t calls);

/* How people call the function, and whether its code stands within its callers': " (inline)", or
 * " (partial-inline)" where it does so in places. */
void row_label(struct row_writer *writer, const struct graph *graph, frame_id id,
               struct arena *arena);

/* Most of the functions are Python's: their users know its column names. */
bool is_python_profile(const struct graph *graph);

#endif
