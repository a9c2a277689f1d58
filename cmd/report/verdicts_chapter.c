/* SPDX-License-Identifier: Apache-2.0 */
/* The chapters that say what to fix, what holds the run up, what changed, and how fast it could
 * be. */
#include "cmd/report/chapters.h"

#include "analysis/advice/advice.h"
#include "analysis/advice/bottleneck.h"
#include "analysis/advice/causes.h"
#include "analysis/compare/diff.h"
#include "analysis/compare/structure.h"
#include "analysis/execution/amdahl.h"
#include "analysis/kernels/roofline.h"
#include "base/checked.h"
#include "cmd/answer/overlap_ranks.h"
#include "cmd/load/profile_load.h"
#include "cmd/options/ceiling_choice.h"
#include "cmd/options/common_options.h"
#include "graph/derive/derive.h"
#include "render/charts/charts.h"
#include "render/reports/reports.h"

enum { CHANGES = 15, COLLECTIVES = 40 };

/* ---- what comes first: what to fix, what holds the run up, what changed, who was late ---- */

bool chapter_advice(const struct report_context *context, struct arena *arena,
                    struct chapter_content *content, struct error *err)
{
    const struct advice_view view = {.limit = 0, .is_for_page = true};
    struct thresholds thresholds;

    (void)err;
    if (!context->advice || !advice_applies(context->advice))
        return true;
    thresholds_default(&thresholds);
    advice_report(context->advice, &thresholds, &view, arena, &content->report);
    return true;
}

bool chapter_bound(const struct report_context *context, struct arena *arena,
                   struct chapter_content *content, struct error *err)
{
    const struct graph *graph = &context->profile->graph;
    struct process_bottleneck process = {.cpus = 0};
    struct thresholds thresholds;
    const struct cost_shares *costs = &context->advice->costs;
    bool is_judged;

    (void)err;
    thresholds_default(&thresholds);
    if (context->devices.count) {
        bound_report(&context->devices, &thresholds, arena, &content->report);
        return true;
    }
    if (graph->has[LEVEL_TIMELINE] || graph->values.is_inclusive || graph_unit(graph) == UNIT_BYTES)
        return true;
    process.locks = costs->of[COST_LOCK].time;
    process.functions = costs->whole;
    is_judged = process_judge_profile(graph, &thresholds, &process);
    if (is_judged)
        bound_report_process(&process, graph, &thresholds, arena, &content->report);
    bound_report_costs(costs, graph, arena, &content->report);
    if (!is_judged && costs->top) /* a page begins with what is known */
        bound_report_alone(graph, &content->report);
    return true;
}

/* Of two traces whose kernels have other names, parts of the program. */
static bool has_other_kernels(const struct report_context *context,
                              const struct difference *difference)
{
    return context->structure &&
           structure_tells_more(context->structure, difference->paired_kernels);
}

static void report_parts(const struct report_context *context,
                         const struct difference *difference, struct arena *arena,
                         struct chapter_content *content)
{
    const struct structure_options options = {.limit = context->limit, .fail_percent = -1};
    struct structure_difference parts;

    structure_compare(context->structure, &options, arena, &parts);
    diff_parts_report(difference, context->diff,
                      &(const struct diff_parts){context->structure, &parts, COLUMN_NOBODY}, arena,
                      &content->report);
    parts.count = limit_rows(parts.count, CHANGES);
    structure_chart(context->structure, &parts, arena, &content->report);
    chapter_draw_chart(content);
    structure_difference_free(&parts);
}

bool chapter_diff(const struct report_context *context, struct arena *arena,
                  struct chapter_content *content, struct error *err)
{
    const struct diff_options wanted = {.limit = context->limit, .fail_percent = -1};
    const struct diff *diff = context->diff;
    struct difference difference;

    (void)err;
    if (!diff)
        return true;
    diff_compute(diff, &wanted, arena, &difference);
    if (has_other_kernels(context, &difference)) {
        report_parts(context, &difference, arena, content);
        return true;
    }
    diff_report(&difference, diff, arena, &content->report);
    difference.count = limit_rows(difference.count, CHANGES);
    diff_chart(&difference, diff, arena, &content->report);
    chapter_draw_chart(content);
    return true;
}

bool chapter_ranks(const struct report_context *context, struct arena *arena,
                   struct chapter_content *content, struct error *err)
{
    (void)err;
    if (!context->ranks)
        return true;
    overlap_ranks_report(context->ranks, COLLECTIVES, arena, &content->report);
    chapter_draw_chart(content);
    return true;
}

/* ---- how much faster the whole can get, and how far from the peak its kernels are ---- */

enum { PARTS = 40, CURVES = 6, DOTS = 15 };

bool chapter_roofline(const struct report_context *context, struct arena *arena,
                      struct chapter_content *content, struct error *err)
{
    const struct graph *graph = &context->profile->graph;
    struct roofline_options wanted = {.limit = context->limit};
    struct report report = content->report;
    struct kernel_causes causes = {0};
    struct thresholds thresholds;
    struct roofline roofline;

    if (graph->native != LEVEL_TIMELINE && !graph->has[LEVEL_COUNTERS])
        return true;
    if (!ceilings_find(context->ceilings, content->input, 1, arena, &wanted.ceilings, &report, err))
        return false;
    thresholds_default(&thresholds);
    if (graph->native == LEVEL_TIMELINE) {
        const struct kernel_owners *owners = page_owners_find(context);

        roofline_compute(owners, &wanted, arena, &roofline);
        if (roofline.explained > 0)
            kernel_causes_find(owners, &wanted.ceilings, &thresholds, INT64_MIN, INT64_MAX, arena,
                               &causes);
    } else {
        roofline_compute_counted(graph, &wanted, arena, &roofline);
    }
    if (roofline.explained > 0) {
        roofline_report(&roofline, &wanted, &causes, arena, &report);
        captures_report(&context->profile->captures, arena, &report);
        content->report = report;
        roofline.count = limit_rows(roofline.count, DOTS);
        roofline_chart(&roofline, &wanted, arena, &content->report);
        chapter_draw_chart(content);
    }
    return true;
}

bool chapter_amdahl(const struct report_context *context, struct arena *arena,
                    struct chapter_content *content, struct error *err)
{
    const struct amdahl_options wanted = {
        .limit = PARTS, .has_curves = true, .execution = context->execution};
    struct amdahl amdahl;

    (void)err;
    if (context->profile->graph.values.is_inclusive ||
        graph_unit(&context->profile->graph) == UNIT_BYTES)
        return true; /* no part has a share of its own, or nothing takes time */
    amdahl_compute(&context->profile->graph, &wanted, arena, &amdahl);
    amdahl_report(&amdahl, &wanted, arena, &content->report);
    if (amdahl.count) {
        amdahl.count = limit_rows(amdahl.count, CURVES);
        amdahl_chart(&amdahl, &wanted, arena, &content->report);
        chapter_draw_chart(content);
    }
    return true;
}
