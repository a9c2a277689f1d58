/* SPDX-License-Identifier: Apache-2.0 */
/* ptk roofline: how far each kernel is from the device's peaks, with counters or work from other
 * files. */
#include <math.h>
#include <stdlib.h>

#include "analysis/advice/causes.h"
#include "analysis/captures/captures.h"
#include "analysis/kernels/roofline.h"
#include "analysis/selection/select.h"
#include "base/text/pattern.h"
#include "cmd/answer/profile_command.h"
#include "cmd/answer/report_output.h"
#include "cmd/help/command.h"
#include "cmd/load/merged_inputs.h"
#include "cmd/load/profile_load.h"
#include "cmd/options/ceiling_choice.h"
#include "cmd/options/common_options.h"
#include "cmd/options/factor.h"
#include "cmd/options/gpu_file.h"
#include "graph/derive/derive.h"
#include "render/charts/charts.h"
#include "render/reports/reports.h"

enum { WORK_FLOPS, WORK_BYTES };

struct roofline_arguments {
    struct common common;
    struct ceiling_choice ceilings;
    struct option_values work, limits;
    struct thresholds thresholds;
    struct roof_limits roofs;
    uint32_t limit;
    int by;
};

enum { ROOFLINE_BY_KERNEL, ROOFLINE_BY_OPERATOR, ROOFLINE_BY_CATEGORY };

static const char *const by_choices[] = {"kernel", "operator", "category", NULL};

static const struct option options[] = {
    OPT_INCLUDE(struct roofline_arguments, common, struct common, chart_options),
    OPT_INCLUDE(struct roofline_arguments, ceilings, struct ceiling_choice, ceiling_options),
    OPT_FLAG(0, "gpus", struct roofline_arguments, ceilings.lists_gpus,
             "print the built-in table of GPUs, in the form that --gpu-file reads"),
    OPT_GROUP("Work"),
    OPT_EACH(0, "flops", struct roofline_arguments, work, "RE=N",
             "a call of a kernel that matches does N FLOP; again for more kernels", WORK_FLOPS),
    OPT_EACH(0, "bytes", struct roofline_arguments, work, "RE=N",
             "a call of a kernel that matches moves N bytes; again for more kernels", WORK_BYTES),
    OPT_GROUP("Rows"),
    OPT_CHOICE(0, "by", struct roofline_arguments, by, "WHAT",
               "a row a kernel, an operator where shapes show its work, or a category of kernels: "
               "gemm, attention … [kernel]",
               by_choices),
    OPT_COUNT('n', "limit", struct roofline_arguments, limit, "N",
              "at most N rows, 0 for all [20]"),
    OPT_EACH(0, "threshold", struct roofline_arguments, limits, "NAME=VALUE",
             "where a figure begins to be a cause; again for more: see ptk help advise", 0),
    OPT_INCLUDE(struct roofline_arguments, common, struct common, filter_options),
    OPT_INCLUDE(struct roofline_arguments, common, struct common, part_options),
    OPT_INCLUDE(struct roofline_arguments, common, struct common, input_options),
    OPT_INCLUDE(struct roofline_arguments, common, struct common, capture_options),
    OPT_INCLUDE(struct roofline_arguments, common, struct common, output_options),
    OPT_END,
};

/* ---- --flops and --bytes ---- */

/* Of several that match, the last one given counts. */
static bool give(const struct graph *graph, const struct option_value *value,
                 struct given_work *given, struct arena *arena, struct error *err)
{
    const char *expression = NULL, *text = part_split(value->text, &expression, arena);
    char *end = NULL;
    double work = text ? strtod(text, &end) : NAN;
    struct pattern pattern;
    bool has_match = false;

    if (!text || end == text || *end || !isfinite(work) || work < 0)
        return error_set(err, ERROR_USAGE,
                         "--flops and --bytes take RE=N, as in gemm=2.1e9, not '%.60s'",
                         value->text);
    if (!pattern_compile(&pattern, expression, err))
        return false;
    for (frame_id i = 1; i < graph->frames.count; i++) {
        const struct frame *frame = graph_frame(graph, i);

        if (frame->kind != KIND_KERNEL ||
            !pattern_matches(&pattern, graph_text(graph, frame->name)))
            continue;
        *(value->tag == WORK_FLOPS ? &given[i].flops : &given[i].bytes) = work;
        has_match = true;
    }
    pattern_free(&pattern);
    return has_match || error_set(err, ERROR_NO, "no kernel matches '%.60s'", expression);
}

static bool take_work(const struct graph *graph, const struct option_values *values,
                      struct arena *arena, struct roofline_options *wanted, struct error *err)
{
    struct given_work *given = arena_array(arena, graph->frames.count, sizeof(*given));

    for (frame_id i = 0; i < graph->frames.count; i++)
        given[i] = (struct given_work){NAN, NAN};
    for (uint32_t i = 0; i < values->count; i++)
        if (!give(graph, &values->list[i], given, arena, err))
            return false;
    wanted->given = values->count ? given : NULL;
    return true;
}

/* ---- several files ---- */

static const char *join_text(const struct merged_inputs *joined, struct arena *arena)
{
    const struct counters_join *join = &joined->join;
    const char *counted = joined->count == 1 ? "" : " of the other run";

    if (joined->list[0].graph.native != LEVEL_TIMELINE)
        return arena_printf(arena, "%u of %u counted kernels are in the table of times",
                            join->kernels - join->absent, join->kernels);
    return arena_printf(arena, "%u of %u launches have counters%s%s%s%s", join->matched,
                        join->launches, counted,
                        join->by_short_names && join->matched
                            ? ", found by the kernels' names without their arguments"
                            : "",
                        join->uneven ? "; kernels launched another number of times: " : "",
                        join->uneven ? arena_printf(arena, "%u", join->uneven) : "");
}

/* ---- the command ---- */

static bool fill_report(struct merged_inputs *joined, const struct roofline_arguments *fields,
                        struct arena *arena, struct report *report, struct roofline_options *wanted,
                        struct roofline *roofline, struct error *err)
{
    struct graph *graph = &joined->list[0].graph;
    struct kernel_causes causes = {0};

    if (!ceilings_find(&fields->ceilings, report->inputs, report->input_count, arena,
                       &wanted->ceilings, report, err) ||
        !take_work(graph, &fields->work, arena, wanted, err))
        return false;
    if (fields->by == ROOFLINE_BY_CATEGORY)
        wanted->rows = group_frames(graph, BY_CATEGORY, arena);
    if (graph->native == LEVEL_TIMELINE) {
        struct kernel_owners owners;

        kernel_owners_find(&owners, graph);
        roofline_compute(&owners, wanted, arena, roofline);
        kernel_causes_find(&owners, &wanted->ceilings, &fields->thresholds, INT64_MIN, INT64_MAX,
                           arena, &causes);
        kernel_owners_free(&owners);
    } else {
        roofline_compute_counted(graph, wanted, arena, roofline);
        if (graph->counters.has_derived_times)
            report_before(report, "no times were measured: they follow from the bytes and "
                                  "throughputs of memory that counters saw");
    }
    captures_report(&joined->list[0].captures, arena, report);
    if (joined->is_joined && (joined->join.launches || joined->join.kernels > joined->join.absent))
        report_before(report, join_text(joined, arena));
    roofline_report(roofline, wanted, &causes, arena, report);
    causes_report(&causes, &wanted->ceilings, fields->limit, arena, report);
    roofline_chart(roofline, wanted, arena, report);
    return true;
}

/* What can be said is said; that nothing is known of FLOPs is the exit status. */
static void lack_work(const struct profile *profile, const struct roofline *roofline,
                      struct error *lack)
{
    if (roofline->kernel_time == 0 && profile->graph.has[LEVEL_COUNTERS]) {
        error_set(lack, ERROR_LACK, "it has counters, and no times");
        error_hint(lack, "add a file of another run that has times: ptk roofline trace.csv "
                         "metrics.csv");
    } else {
        error_set(lack, ERROR_LACK, "nothing says how many FLOPs the kernels did");
        error_hint(lack, "looked for: counters, flops, kernel_flop, and the shapes of "
                         "inputs, which PyTorch and Paddle write with record_shapes=True; --flops "
                         "RE=N says it");
    }
    error_file(lack, profile->path);
}

static bool answer(struct merged_inputs *joined, const struct roofline_arguments *fields,
                   struct error *err)
{
    struct profile *profile = &joined->list[0];
    struct report_input inputs[MERGED_INPUTS_MAX];
    struct arena arena = {0};
    struct report report = {
        .command = "roofline", .inputs = inputs, .input_count = joined->count, .arena = &arena};
    struct roofline_options wanted = {.by_operator = fields->by == ROOFLINE_BY_OPERATOR,
                                      .limits = &fields->roofs,
                                      .limit = fields->limit};
    struct roofline roofline;
    bool ok;

    for (uint32_t i = 0; i < joined->count; i++)
        inputs[i] = (struct report_input){joined->list[i].path, &joined->list[i].graph};
    if (!profile->graph.has[LEVEL_COUNTERS] &&
        !graph_need(&profile->graph, LEVEL_TIMELINE, "no kernel has a duration of its own", err))
        return false;
    ok = fill_report(joined, fields, &arena, &report, &wanted, &roofline, err);
    if (ok && roofline.explained <= 0)
        lack_work(profile, &roofline, &report.lack);
    ok = ok && report_output_write(&report, &fields->common, err);
    arena_free(&arena);
    return ok;
}

static bool prepare(struct profile_request *request, struct error *err)
{
    struct roofline_arguments *fields = request->asked;

    request->wanted.properties |= roofline_properties();
    if (!thresholds_take(&fields->thresholds, &fields->limits, err))
        return false;
    fields->roofs = thresholds_of_roofs(&fields->thresholds);
    return true;
}

static bool read_and_answer(struct profile_request *request, struct error *err)
{
    const struct roofline_arguments *fields = request->asked;
    struct merged_inputs joined;
    bool ok;

    if (fields->ceilings.lists_gpus) {
        gpu_table_write(stdout);
        return true;
    }
    if (!merged_inputs_load(&joined, request->operands, request->count, &request->wanted,
                            &fields->common, err))
        return false;
    ok = answer(&joined, fields, err);
    merged_inputs_free(&joined);
    return ok;
}

static const struct profile_command profile_command = {
    .size = sizeof(struct roofline_arguments),
    .defaults = &(const struct roofline_arguments){.limit = 20},
    .wanted = {.need = LEVEL_TIMELINE, .launches = true},
    .filtering = FILTERS_EVENTS,
    .prepare = prepare,
    .answer = read_and_answer,
};

const struct command command_roofline = {
    .name = "roofline",
    .summary = "how close each kernel comes to what the hardware can do",
    .operands = "[FILE [COUNTERS|CAPTURE...]]",
    .reads = "a timeline, or what hardware counted of kernels",
    .examples = "ptk roofline kernels.json\n"
                "ptk roofline trace.csv metrics.csv\n"
                "ptk roofline --by operator replay.json.gz capture.json.gz\n"
                "ptk roofline --peak-tflops 6 --by operator kernels.json\n"
                "ptk roofline --flops sgemm=4.3e9 --bytes sgemm=1e8 kernels.json\n"
                "ptk roofline --gpu H200 --precision tf32 kernels.json\n"
                "ptk roofline --gpus >gpus.toml && ptk roofline --gpu-file gpus.toml --gpu H200 "
                "kernels.json\n"
                "ptk roofline -f svg -o roofline.svg kernels.json\n",
    .options = options,
    .profile = &profile_command,
};
