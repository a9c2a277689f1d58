/* SPDX-License-Identifier: Apache-2.0 */
/* The steps of a server of language models: its stages, and what is between them. */
#include "cmd/report/chapters.h"

#include "analysis/advice/thresholds.h"
#include "cmd/options/ceiling_choice.h"
#include "render/charts/charts.h"
#include "render/reports/reports.h"

bool chapter_serve(const struct report_context *context, struct arena *arena,
                   struct chapter_content *content, struct error *err)
{
    const struct graph *graph = &context->profile->graph;
    struct serve *serve = arena_alloc(arena, sizeof(*serve)); /* the chart borrows it */
    struct thresholds thresholds;
    struct ceilings ceilings;

    if (!serve_has_labels(graph))
        return true;
    if (!ceilings_find(context->ceilings, content->input, 1, arena, &ceilings, NULL, err))
        return false;
    thresholds_default(&thresholds);
    serve_compute(graph, &ceilings, thresholds_of_serving(&thresholds), arena, serve);
    serve_report(serve, true, arena, &content->report);
    serve_chart(serve, &content->report);
    chapter_draw_chart(content);
    return true;
}
