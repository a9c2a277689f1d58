/* SPDX-License-Identifier: Apache-2.0 */
#include "cmd/report/chapters.h"

#include "cmd/load/profile_load.h"
#include "render/reports/reports.h"

bool chapter_memory(const struct report_context *context, struct arena *arena,
                    struct chapter_content *content, struct error *err)
{
    const struct graph *graph = &context->profile->graph;

    (void)err;
    segments_report(graph, context->limit, arena, &content->report);
    content->has_segments = graph->segments.count > 0;
    return true;
}
