/* SPDX-License-Identifier: Apache-2.0 */
/* The file itself: what is in it, and how far it can be trusted */
#include "cmd/report/chapters.h"

#include "analysis/functions/integrity.h"
#include "analysis/timeline/inventory.h"
#include "graph/derive/derive.h"
#include "render/reports/reports.h"

bool fill_info(const struct report_context *context, struct arena *arena,
               struct chapter_content *content, struct error *err)
{
    struct graph *graph = &context->profile->graph;
    struct info info = {.packing = context->profile->packing,
                        .total = graph_total(graph),
                        .whole = graph_whole(graph)};

    (void)err;
    if (graph->native == LEVEL_CALLGRAPH) {
        struct integrity *integrity = arena_alloc(arena, sizeof(*integrity));

        integrity_check(graph, arena, integrity);
        info.integrity = integrity;
    }
    if (graph->native == LEVEL_TIMELINE) {
        struct inventory *inventory = arena_alloc(arena, sizeof(*inventory));

        inventory_take(graph, arena, inventory);
        info.inventory = inventory;
    }
    info_report(&info, arena, &content->report);
    return true;
}
