/* SPDX-License-Identifier: Apache-2.0 */
/* What comes first: what to fix, what holds the run up, what changed, who was late */
#include "cmd/report/chapters.h"

#include "analysis/compare/diff.h"
#include "analysis/verdict/advice.h"
#include "analysis/verdict/bottleneck.h"
#include "analysis/verdict/cost_shares.h"
#include "analysis/verdict/process_time.h"
#include "render/charts/charts.h"
#include "render/reports/reports.h"

enum { CHANGES = 15, COLLECTIVES = 40 };

bool fill_advice(const struct report_context *context, struct arena *arena,
                 struct chapter_content *content, struct error *err)
{
    const struct advice_view view = {.limit = 0};
    struct thresholds thresholds;
    struct ceilings ceilings;
    struct advice advice;

    if (!ceilings_find(context->ceilings, content->input, 1, arena, &ceilings, NULL, err))
        return false;
    thresholds_default(&thresholds);
    advice_give(&context->profile->graph, context->execution, STRETCH_AUTO, &thresholds, &ceilings,
                arena, &advice);
    advice_report(&advice, &thresholds, &view, arena, &content->report);
    return true;
}

bool fill_bound(const struct report_context *context, struct arena *arena,
                struct chapter_content *content, struct error *err)
{
    const struct graph *graph = &context->profile->graph;
    struct process_bottleneck process = {.cpus = 0};
    struct bottlenecks devices = {.count = 0};
    struct thresholds thresholds;

    (void)err;
    thresholds_default(&thresholds);
    if (context->execution)
        bottleneck_find(context->execution, STRETCH_AUTO, &thresholds, arena, &devices);
    if (devices.count)
        bound_report(&devices, &thresholds, arena, &content->report);
    else if (!graph->has[LEVEL_TIMELINE] && process_judge_functions(graph, &thresholds, &process))
        bound_report_process(&process, &thresholds, arena, &content->report);
    return true;
}

bool fill_diff(const struct report_context *context, struct arena *arena,
               struct chapter_content *content, struct error *err)
{
    const struct diff_options wanted = {.limit = context->limit, .fail_percent = -1};
    const struct diff *diff = context->diff;
    struct difference difference;

    (void)err;
    if (!diff)
        return true;
    diff_compute(diff, &wanted, arena, &difference);
    diff_report(&difference, diff, arena, &content->report);
    difference.count = at_most(difference.count, CHANGES);
    diff_chart(&difference, diff, arena, &content->report);
    chapter_draw_chart(content);
    return true;
}

bool fill_ranks(const struct report_context *context, struct arena *arena,
                struct chapter_content *content, struct error *err)
{
    (void)err;
    if (!context->ranks)
        return true;
    overlap_ranks_report(context->ranks, COLLECTIVES, arena, &content->report);
    chapter_draw_chart(content);
    return true;
}
