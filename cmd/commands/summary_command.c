/* SPDX-License-Identifier: Apache-2.0 */
/* ptk summary: the profiler's tables of one timeline, or the steps of several ranks beside each
 * other. */
#include <string.h>

#include "analysis/selection/select.h"
#include "analysis/summary/summary.h"
#include "base/memory/memory.h"
#include "cmd/answer/job_rows.h"
#include "cmd/answer/profile_command.h"
#include "cmd/answer/rank_answer.h"
#include "cmd/help/command.h"
#include "cmd/load/files.h"
#include "cmd/load/job_inputs.h"
#include "cmd/load/profile_load.h"
#include "cmd/options/common_options.h"
#include "graph/derive/derive.h"
#include "render/charts/charts.h"
#include "render/reports/reports.h"

struct summary_arguments {
    struct common common;
    struct option_values tables;
    struct summary_options summary;
    int sort;
    int unit, by;
    uint64_t memory;
};

enum { BY_FUNCTIONS, BY_CATEGORIES };

static const char *const by_names[] = {"function", "category", NULL};

/* clang-format off */
static const struct option options[] = {
    OPT_INCLUDE(struct summary_arguments, common, struct common, chart_options),
    {OPTION_EACH, 't', "table", OPT_FIELD(struct summary_arguments, tables, struct option_values), "NAME",
     "only this table; may be given again", summary_view_names, 0, NULL},
    OPT_CHOICE('s', "sort", struct summary_arguments, sort, "KEY", "order rows by [CPUTotal]",
               summary_sort_names),
    OPT_CHOICE('u', "time-unit", struct summary_arguments, unit, "UNIT", "of times in text [ms]",
               time_unit_names),
    OPT_CHOICE(0, "by", struct summary_arguments, by, "WHAT",
               "kernels by name, or by what they compute: gemm, attention … [function]", by_names),
    OPT_FLAG(0, "thread-sep", struct summary_arguments, summary.is_by_thread,
             "operators and user-defined ranges of each thread by themselves"),
    OPT_FLAG(0, "no-detail", struct summary_arguments, summary.has_no_detail,
             "operators without what is inside them"),
    OPT_FLAG(0, "paddle-compat", struct summary_arguments, summary.is_paddle_compat,
             "Paddle's own figures where they differ"),
    RANK_MEMORY_OPTION(struct summary_arguments, memory),
    OPT_INCLUDE(struct summary_arguments, common, struct common, filter_options),
    OPT_INCLUDE(struct summary_arguments, common, struct common, part_options),
    OPT_INCLUDE(struct summary_arguments, common, struct common, capture_options),
    OPT_INCLUDE(struct summary_arguments, common, struct common, input_options),
    OPT_INCLUDE(struct summary_arguments, common, struct common, output_options),
    OPT_END,
};
/* clang-format on */

/* The views that were named, else all of Paddle's; what they need, and steps, which all do. */
static void choose_views(struct summary_arguments *fields, struct builder_options *wanted)
{
    struct summary_options *summary = &fields->summary;

    for (enum summary_view view = 0; view < VIEW_COUNT; view++)
        for (uint32_t i = 0; i < fields->tables.count; i++)
            if (strcmp(fields->tables.list[i].text, summary_view_names[view]) == 0)
                summary->asked_for |= summary_view_bit(view);
    summary->views =
        fields->tables.count ? summary->asked_for : summary_view_bit(VIEW_OF_PADDLE_COUNT) - 1;
    if (!fields->tables.count && fields->common.captures.count)
        summary->views |= summary_view_bit(VIEW_GRAPHS);
    wanted->properties = property_bit(PROP_STEP);
    for (enum summary_view view = 0; view < VIEW_COUNT; view++)
        if (summary->views & summary_view_bit(view))
            wanted->properties |= summary_view_properties(view);
    if (!(summary->views & summary_view_bit(VIEW_OPERATOR_SHAPES)))
        wanted->inputs = INPUTS_OF_FLOPS;
}

static bool add_chart(const struct summary_arguments *fields, const struct summary *summary,
                      struct report *report, struct error *err)
{
    bool is_of_steps = fields->summary.asked_for & summary_view_bit(VIEW_STEPS);

    if (summary_chart(is_of_steps ? VIEW_STEPS : VIEW_MEMORY_CURVE, summary, report))
        return true;
    error_set(err, ERROR_LACK, "no allocator shows how much memory is in use");
    return error_hint(err, "PyTorch writes it with profile_memory=True");
}

/* ---- one profile ---- */

static bool fill_report(struct profile *profile, const void *asked, struct arena *arena,
                        struct report *report, struct error *err)
{
    const struct summary_arguments *fields = asked;
    struct summary_options asked_for = fields->summary;
    struct summary *summary = arena_alloc(arena, sizeof(*summary)); /* the chart borrows it */

    if (!graph_need(&profile->graph, LEVEL_TIMELINE, "events cannot be summarised", err))
        return false;
    if (fields->by == BY_CATEGORIES)
        asked_for.kernel_groups = group_frames(&profile->graph, BY_CATEGORY, arena);
    summary_compute(&profile->graph, &asked_for, arena, summary);
    report_time(report, "total_time", summary->total_time);
    report_number(report, "steps", summary->steps);
    summary_report(summary, fields->summary.views, fields->summary.asked_for, 0,
                   (enum time_unit)fields->unit, arena, report);
    return fields->common.format != REPORT_SVG || add_chart(fields, summary, report, err);
}

/* ---- several ranks ---- */

static void *keep_steps(const struct graph *graph, const void *context, size_t at,
                        struct arena *arena, struct error *err)
{
    struct step_times *steps = arena_alloc(arena, sizeof(*steps));
    const bool *is_paddle_compat = context;
    struct host_tree tree;

    host_tree_make(graph, *is_paddle_compat, &tree);
    summary_step_times(&tree, arena, steps);
    host_tree_free(&tree);
    (void)at;
    (void)err;
    return steps;
}

static bool fill_ranks(const struct rank_file *files, const int64_t *numbers, uint32_t count,
                       struct arena *arena, struct report *report, struct error *err)
{
    const struct step_times **list = arena_array(arena, count, sizeof(*list));
    struct rank_steps *steps = arena_alloc(arena, sizeof(*steps)); /* the chart borrows it */

    for (uint32_t i = 0; i < count; i++)
        list[i] = files[i].digest;
    rank_steps_compare(list, count, arena, steps);
    rank_steps_report(steps, numbers, arena, report);
    rank_steps_chart(steps, numbers, arena, report);
    (void)err;
    return true;
}

static bool answer_several(const struct profile_request *request, struct error *err)
{
    const struct summary_arguments *fields = request->asked;
    struct rank_reading reading = {.wanted = &request->wanted,
                                   .common = &fields->common,
                                   .what = "events cannot be summarised",
                                   .memory = fields->memory,
                                   .digest = keep_steps,
                                   .context = &fields->summary.is_paddle_compat};
    size_t count = request->count;

    if (is_shard_among(request->operands, count))
        return job_rows_run("summary", rank_step_rows, request->operands, count, &fields->common,
                            fields->memory, err);
    if (fields->tables.count || fields->by != BY_FUNCTIONS) {
        error_set(err, ERROR_USAGE, "--%s is of one profile, not of %zu",
                  fields->tables.count ? "table" : "by", count);
        return error_hint(err, "several profiles are compared by their steps");
    }
    return rank_answer(request, &reading, fill_ranks, err);
}

/* ---- the command ---- */

/* What a form cannot hold. */
static bool check_form(const struct summary_arguments *fields, struct error *err)
{
    const uint32_t drawn = summary_view_bit(VIEW_STEPS) | summary_view_bit(VIEW_MEMORY_CURVE);

    if (fields->common.format == REPORT_CSV && fields->tables.count != 1) {
        error_set(err, ERROR_USAGE, "CSV is one table: name it with --table");
        return error_hint(err, "for example --table operator");
    }
    if (fields->common.format == REPORT_SVG &&
        !(fields->tables.count == 1 && fields->summary.asked_for & drawn)) {
        error_set(err, ERROR_USAGE, "a chart is of one table: name it with --table");
        return error_hint(err, "--table steps or --table memory-curve");
    }
    return true;
}

static bool prepare(struct profile_request *request, struct error *err)
{
    struct summary_arguments *fields = request->asked;

    fields->summary.sort = (enum summary_sort)fields->sort;
    choose_views(fields, &request->wanted);
    return request->count > 1 || is_shard_among(request->operands, request->count) ||
           check_form(fields, err);
}

static const struct profile_command profile_command = {
    .size = sizeof(struct summary_arguments),
    .wanted = {.need = LEVEL_TIMELINE, .launches = true, .categories = true},
    .filtering = FILTERS_EVENTS,
    .prepare = prepare,
    .answer_several = answer_several,
    .fill = fill_report,
};

const struct command command_summary = {
    .name = "summary",
    .summary = "the profiler's tables: devices, phases, operators, kernels, memory, batches",
    .operands = "[FILE...]",
    .reads = "a timeline",
    .examples = "ptk summary paddle.json\n"
                "ptk summary --table operator --sort GPUTotal paddle.json\n"
                "ptk summary -t steps -t gpu paddle.json\n"
                "ptk summary -t kernel-shapes -f csv paddle.json\n"
                "ptk summary -t kernel --by category trace.json\n"
                "ptk summary -t graphs --capture capture.json.gz replay.json.gz\n"
                "ptk summary rank-*.json\n"
                "ptk summary -t steps -f svg -o steps.svg trace.json\n"
                "ptk summary -t memory-curve -f svg -o memory.svg memory.json\n",
    .options = options,
    .profile = &profile_command,
};
