/* inventory_tables.h — a timeline's tracks and devices as tables of `ptk info` */
#ifndef PTK_RENDER_REPORTS_INVENTORY_TABLES_H
#define PTK_RENDER_REPORTS_INVENTORY_TABLES_H

#include "analysis/timeline/inventory.h"
#include "render/forms/report.h"

/* Adds fields and tables; what they point to lives in `arena`. */
void inventory_tables(const struct inventory *inventory, const struct graph *graph,
                      struct arena *arena, struct report *report);

#endif
