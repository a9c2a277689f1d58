/* SPDX-License-Identifier: Apache-2.0 */
/* How much faster the whole can get, and how far from the peak its kernels are */
#include "cmd/report/chapters.h"

#include "analysis/amdahl/amdahl.h"
#include "analysis/amdahl/amdahl_steps.h"
#include "analysis/causes/kernel_causes.h"
#include "analysis/roofline/roofline.h"
#include "graph/derive/derive.h"
#include "render/charts/charts.h"
#include "render/reports/reports.h"

enum { PARTS = 40, CURVES = 6, DOTS = 15 };

bool fill_roofline(const struct report_context *context, struct arena *arena,
                   struct chapter_content *content, struct error *err)
{
    const struct graph *graph = &context->profile->graph;
    struct roofline_options wanted = {.limit = context->limit};
    struct report report = content->report;
    struct kernel_causes causes = {0};
    struct roofline roofline;

    if (graph->native != LEVEL_TIMELINE && !graph->has[LEVEL_COUNTERS])
        return true;
    if (!ceilings_find(context->ceilings, content->input, 1, arena, &wanted.ceilings, &report, err))
        return false;
    if (graph->native == LEVEL_TIMELINE)
        roofline_compute(graph, &wanted, arena, &roofline);
    else
        roofline_compute_counted(graph, &wanted, arena, &roofline);
    if (roofline.explained > 0) {
        if (graph->native == LEVEL_TIMELINE)
            kernel_causes_find(graph, &wanted.ceilings, INT64_MIN, INT64_MAX, arena, &causes);
        roofline_report(&roofline, &wanted, &causes, arena, &report);
        content->report = report;
        roofline.count = at_most(roofline.count, DOTS);
        roofline_chart(&roofline, &wanted, arena, &content->report);
        chapter_draw_chart(content);
    }
    return true;
}

bool fill_amdahl(const struct report_context *context, struct arena *arena,
                 struct chapter_content *content, struct error *err)
{
    const struct amdahl_options wanted = {
        .limit = PARTS, .has_curves = true, .execution = context->execution};
    struct amdahl amdahl;

    (void)err;
    if (context->profile->graph.values.is_inclusive)
        return true; /* no part has a share of its own */
    amdahl_compute(&context->profile->graph, &wanted, arena, &amdahl);
    amdahl_report(&amdahl, &wanted, arena, &content->report);
    if (amdahl.count) {
        amdahl.count = at_most(amdahl.count, CURVES);
        amdahl_chart(&amdahl, &wanted, arena, &content->report);
        chapter_draw_chart(content);
    }
    return true;
}
