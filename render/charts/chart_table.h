/* SPDX-License-Identifier: Apache-2.0 */
/* chart_table.h — the table of a report below its chart, with the marks that the chart shows */
#ifndef PTK_RENDER_CHARTS_CHART_TABLE_H
#define PTK_RENDER_CHARTS_CHART_TABLE_H

#include "render/charts/chart.h"
#include "render/forms/table.h"

/* Pixels that so many rows take, with their headings. */
double chart_table_height(uint32_t rows);

/* The columns for people; the longest text is shortened to what room is left. Each row begins with
 * its number, on a mark of the class that `marks` has for it. At most `rows` rows. */
void chart_table_write(struct chart *chart, const struct table *table, const char *const *marks,
                       uint32_t rows, double y);

#endif
