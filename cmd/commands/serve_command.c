/* SPDX-License-Identifier: Apache-2.0 */
/* ptk serve: the steps of a server of language models by stage, and what is between them. */
#include "analysis/advice/thresholds.h"
#include "analysis/captures/captures.h"
#include "cmd/answer/profile_command.h"
#include "cmd/answer/rank_answer.h"
#include "cmd/help/command.h"
#include "cmd/load/job_inputs.h"
#include "cmd/options/ceiling_choice.h"
#include "cmd/options/common_options.h"
#include "graph/derive/derive.h"
#include "render/charts/charts.h"
#include "render/reports/reports.h"

struct serve_arguments {
    struct common common;
    struct ceiling_choice ceilings;
    uint64_t memory;
    struct option_values given;
    struct thresholds thresholds;
};

static const struct option options[] = {
    OPT_INCLUDE(struct serve_arguments, common, struct common, chart_options),
    OPT_INCLUDE(struct serve_arguments, ceilings, struct ceiling_choice, ceiling_options),
    RANK_MEMORY_OPTION(struct serve_arguments, memory),
    OPT_EACH(0, "threshold", struct serve_arguments, given, "NAME=VALUE",
             "where a figure begins to be a verdict; again for more: see ptk help advise", 0),
    OPT_INCLUDE(struct serve_arguments, common, struct common, part_options),
    OPT_INCLUDE(struct serve_arguments, common, struct common, input_options),
    OPT_INCLUDE(struct serve_arguments, common, struct common, capture_options),
    OPT_INCLUDE(struct serve_arguments, common, struct common, output_options),
    OPT_END,
};

static bool lack_steps(struct error *lack)
{
    error_set(lack, ERROR_LACK,
              "there are no steps of serving: no labels of vLLM, SGLang, ATOM or TensorRT-LLM, and "
              "no graphs that are launched again and again");
    return error_hint(lack, "ptk summary -t steps shows the steps of training, ptk overlap what "
                            "devices did");
}

static bool fill_report(struct profile *profile, const void *asked, struct arena *arena,
                        struct report *report, struct error *err)
{
    const struct serve_arguments *fields = asked;
    struct serve *serve = arena_alloc(arena, sizeof(*serve)); /* the chart borrows it */
    struct ceilings ceilings;
    bool is_text = fields->common.format == REPORT_TEXT && !fields->common.output &&
                   !fields->common.columns;

    if (!graph_need(&profile->graph, LEVEL_TIMELINE, "there are no steps", err) ||
        !ceilings_find(&fields->ceilings, report->inputs, report->input_count, arena, &ceilings,
                       NULL, err))
        return false;
    serve_compute(&profile->graph, &ceilings, thresholds_of_serving(&fields->thresholds), arena, serve);
    if (!serve->steps.count)
        return lack_steps(err);
    serve_report(serve, !is_text, arena, report);
    serve_chart(serve, report);
    return true;
}

/* ---- several ranks ---- */

static void *keep_serve(const struct graph *graph, const void *context, size_t at,
                        struct arena *arena, struct error *err)
{
    const struct serve_arguments *fields = context;
    struct serve *serve = arena_alloc(arena, sizeof(*serve));

    serve_compute(graph, NULL, thresholds_of_serving(&fields->thresholds), arena, serve);
    (void)at;
    (void)err;
    return serve;
}

static bool fill_ranks(const struct rank_file *files, const int64_t *numbers, uint32_t count,
                       struct arena *arena, struct report *report, struct error *err)
{
    const struct serve **list = arena_array(arena, count, sizeof(*list));
    bool has_steps = false;

    for (uint32_t i = 0; i < count; i++) {
        list[i] = files[i].digest;
        has_steps |= list[i]->steps.count > 0;
    }
    serve_ranks_report(list, numbers, count, arena, report);
    return has_steps || lack_steps(err);
}

static bool answer_several(const struct profile_request *request, struct error *err)
{
    const struct serve_arguments *fields = request->asked;
    struct rank_reading reading = {.wanted = &request->wanted,
                                   .common = &fields->common,
                                   .what = "there are no steps",
                                   .memory = fields->memory,
                                   .digest = keep_serve,
                                   .context = fields};

    if (is_shard_among(request->operands, request->count))
        return error_set(err, ERROR_USAGE, "shards of a job hold no steps of serving");
    if (fields->common.format == REPORT_SVG)
        return error_set(err, ERROR_USAGE, "a picture is of one trace, not of %zu", request->count);
    return rank_answer(request, &reading, fill_ranks, err);
}

static bool prepare(struct profile_request *request, struct error *err)
{
    struct serve_arguments *fields = request->asked;

    request->wanted.properties |= captures_properties();
    return thresholds_take(&fields->thresholds, &fields->given, err);
}

static const struct profile_command profile_command = {
    .size = sizeof(struct serve_arguments),
    .wanted = {.need = LEVEL_TIMELINE, .launches = true, .inputs = INPUTS_OF_WORK},
    .prepare = prepare,
    .answer_several = answer_several,
    .fill = fill_report,
};

const struct command command_serve = {
    .name = "serve",
    .summary = "steps of a server of language models: prefill, decode, and the time between",
    .operands = "[FILE...]",
    .reads = "a timeline",
    .examples = "ptk serve vllm.json.gz\n"
                "ptk serve --capture capture.json.gz replay.json.gz\n"
                "ptk serve -f json sglang.json.gz\n"
                "ptk serve -f svg -o steps.svg vllm.json.gz\n",

    .options = options,
    .profile = &profile_command,
};
