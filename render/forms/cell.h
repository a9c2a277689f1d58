/* SPDX-License-Identifier: Apache-2.0 */
/* cell.h — a cell as people read it, for text and Markdown alike */
#ifndef PTK_RENDER_FORMS_CELL_H
#define PTK_RENDER_FORMS_CELL_H

#include "render/forms/table.h"

/* Scaled and rounded; a text as it is. Empty when there is none. Lives in `arena`. */
struct span cell_shown(const struct column *column, const union cell *cell, struct arena *arena);

/* Figures stand at the right, texts at the left unless the column says otherwise. */
bool column_is_right(const struct column *column);

const char *column_heading(const struct column *column);

#endif
