/* SPDX-License-Identifier: Apache-2.0 */
/* answers.c — what info, bound, advise, what-if and job say of a graph that was read, in every form, and as
 * the chapters of a page */
#include "tests/fuzz/answers.h"

#include "analysis/advice/advice.h"
#include "analysis/advice/bottleneck.h"
#include "analysis/execution/replay.h"
#include "analysis/execution/task_graph.h"
#include "analysis/functions/hotspots.h"
#include "analysis/kernels/roofline.h"
#include "analysis/ranks/job.h"
#include "analysis/ranks/rank_summaries.h"
#include "analysis/ranks/shard_join.h"
#include "analysis/timeline/inventory.h"
#include "graph/derive/derive.h"
#include "render/charts/charts.h"
#include "render/page/page.h"
#include "render/reports/reports.h"

/* What the reports are made of. */
struct questions {
    struct graph *graph;
    struct execution execution; /* of a timeline */
    struct bottlenecks devices;
    struct thresholds thresholds;
    struct job_shard shard; /* the graph as a job, whose report shows its texts */
    struct arena *arena;
};

static void ask_info(struct questions *asked, struct report *report)
{
    const struct graph *graph = asked->graph;
    struct info info = {.packing = "", .total = graph_total(graph), .whole = graph_whole(graph)};
    struct integrity integrity;
    struct inventory inventory;

    if (graph->native == LEVEL_CALLGRAPH) {
        integrity_check(graph, asked->arena, &integrity);
        info.integrity = &integrity;
    }
    if (graph->native == LEVEL_TIMELINE) {
        inventory_take(graph, asked->arena, &inventory);
        info.inventory = &inventory;
    }
    info_report(&info, asked->arena, report);
}

static void ask_bound(struct questions *asked, struct report *report)
{
    struct process_bottleneck process = {0};
    struct cost_shares costs;

    if (asked->devices.count)
        bound_report(&asked->devices, &asked->thresholds, asked->arena, report);
    else if (process_judge_profile(asked->graph, &asked->thresholds, &process))
        bound_report_process(&process, asked->graph, &asked->thresholds, asked->arena, report);
    else
        bound_report_alone(asked->graph, report);
    cost_shares_find(asked->graph, asked->arena, &costs);
    bound_report_costs(&costs, asked->graph, asked->arena, report);
}

static void ask_advise(struct questions *asked, struct report *report)
{
    const struct advice_view view = {.has_silent = true};
    const struct ceilings ceilings = {.memory = 1e12, .units = 100};
    struct advice advice;

    advice_give(asked->graph, &asked->execution, &asked->devices, &asked->thresholds, &ceilings, NULL,
                asked->arena, &advice);
    advice_report(&advice, &asked->thresholds, &view, asked->arena, report);
}

static void ask_what_if(struct questions *asked, struct report *report)
{
    static const char *const names[] = {NULL, "no blocking copies", "data ready"};
    struct scenario scenario;
    struct what_if what_if;

    if (!asked->graph->has[LEVEL_TIMELINE])
        return;
    scenario_begin(&scenario, &asked->execution);
    scenario_apply(&scenario, REMEDY_BLOCKING_COPIES, 1);
    scenario_apply(&scenario, REMEDY_INPUT, 2);
    what_if_compute(&asked->execution, &scenario.change, asked->arena, &what_if);
    what_if_report(&what_if, names, scenario.factors, 2, 10, asked->arena, report);
    scenario_free(&scenario);
}

static void ask_job(struct questions *asked, struct report *report)
{
    const struct rank_summaries_options named = {.file = "fuzz", .rank = -1};
    struct job_options wanted = {.step = NOT_KNOWN};
    struct thresholds thresholds;
    struct error err = {0};
    struct job job;

    if (!asked->graph->has[LEVEL_TIMELINE] ||
        !rank_summaries_make(asked->graph, &named, &asked->shard, &err))
        return;
    thresholds_default(&thresholds);
    wanted.limits = thresholds_of_job(&thresholds);
    shard_align(&asked->shard, GROUPS_ALL, NULL);
    if (job_analyze(&asked->shard, &wanted, asked->arena, &job, &err))
        job_report(&job, JOB_BY_RANK, 10, asked->arena, report);
}

void write_reports(struct graph *graph, FILE *out)
{
    static void (*const asks[])(struct questions *, struct report *) = {
        ask_info, ask_bound, ask_advise, ask_what_if, ask_job};
    const struct hotspots_options options = {.order = {.keys = {ORDER_SELF}, .count = 1}};
    struct report_input input = {"fuzz", graph};
    struct arena arena = {0};
    struct questions asked = {.graph = graph, .arena = &arena};
    struct hotspots hotspots;
    struct page page;

    thresholds_default(&asked.thresholds);
    if (graph->has[LEVEL_TIMELINE]) {
        execution_build(graph, &asked.execution);
        bottleneck_find(&asked.execution, WINDOW_AUTO, &asked.thresholds, &arena, &asked.devices);
    }
    page_open(&page, out, &(const struct page_head){.title = "fuzz"});
    for (size_t i = 0; i < COUNT_OF(asks); i++) {
        const struct text_style style = {.columns = 80};
        struct report report = {
            .command = "fuzz", .inputs = &input, .input_count = 1, .arena = &arena};

        asks[i](&asked, &report);
        for (int format = REPORT_TEXT; format <= REPORT_MARKDOWN; format++)
            report_write(&report, (enum report_format)format, &style, out);
        page_section(&page, "fuzz", "fuzz");
        page_report(&page, &report, 100);
    }
    hotspots_compute(graph, &options, &arena, &hotspots);
    page_calls(&page, graph, &hotspots);
    page_close(&page);
    execution_free(&asked.execution);
    job_shard_free(&asked.shard);
    arena_free(&arena);
}
