/* SPDX-License-Identifier: Apache-2.0 */
/* ptk advise: which rules find something to fix in a profile, and the most that it can give. */
#include <sys/stat.h>

#include "analysis/advice/advice.h"
#include "analysis/ranks/rank_summaries.h"
#include "analysis/serving/serve.h"
#include "cmd/answer/profile_command.h"
#include "cmd/answer/trace_job.h"
#include "cmd/help/command.h"
#include "cmd/load/profile_load.h"
#include "cmd/options/ceiling_choice.h"
#include "cmd/options/common_options.h"
#include "graph/classify/event_class.h"
#include "graph/derive/derive.h"
#include "render/reports/reports.h"

struct advise_arguments {
    struct common common;
    struct judging judging;
    struct thresholds thresholds;
    struct ceiling_choice ceilings;
    uint32_t limit;
    bool is_all;
};

static const struct option options[] = {
    OPT_INCLUDE(struct advise_arguments, common, struct common, report_options),
    OPT_FLAG('a', "all", struct advise_arguments, is_all,
             "also list the rules that report nothing, and why"),
    OPT_COUNT('n', "limit", struct advise_arguments, limit, "N",
              "at most N findings, 0 for all [0]"),
    OPT_TEXT(0, "gpu", struct advise_arguments, ceilings.gpu, "NAME",
             "compare kernels with this GPU instead of the one that the profile names"),
    OPT_INCLUDE(struct advise_arguments, judging, struct judging, judging_options),
    OPT_INCLUDE(struct advise_arguments, common, struct common, filter_options),
    OPT_INCLUDE(struct advise_arguments, common, struct common, part_options),
    OPT_INCLUDE(struct advise_arguments, common, struct common, input_options),
    OPT_INCLUDE(struct advise_arguments, common, struct common, capture_options),
    OPT_INCLUDE(struct advise_arguments, common, struct common, output_options),
    OPT_END,
};

static bool fill_report(struct profile *profile, const void *asked, struct arena *arena,
                        struct report *report, struct error *err)
{
    const struct advise_arguments *fields = asked;
    const struct advice_view view = {.limit = fields->limit, .has_silent = fields->is_all};
    struct execution execution = {0};
    struct bottlenecks devices = {0};
    struct ceilings ceilings;
    struct advice advice;
    struct serve serve;

    if (!ceilings_find(&fields->ceilings, report->inputs, report->input_count, arena, &ceilings,
                       NULL, err))
        return false;
    if (profile->graph.has[LEVEL_TIMELINE]) {
        execution_build(&profile->graph, &execution);
        bottleneck_find(&execution, (enum window_kind)fields->judging.window, &fields->thresholds,
                        arena, &devices);
    }
    if (!devices.count &&
        !graph_need(&profile->graph, LEVEL_FLAT, "there is nothing to look at", err)) {
        execution_free(&execution);
        return false;
    }
    graph_classify(&profile->graph); /* many rules ask for the class of a frame, once a node of its tree */
    advice_give(&profile->graph, &execution, &devices, &fields->thresholds, &ceilings, NULL, arena,
                &advice);
    execution_free(&execution);
    if (!devices.count)
        job_of_trace_report(&profile->graph, profile->path, arena, report);
    advice_report(&advice, &fields->thresholds, &view, arena, report);
    if (devices.count && serve_has_labels(&profile->graph)) {
        serve_compute(&profile->graph, &ceilings, thresholds_of_serving(&fields->thresholds), arena,
                      &serve);
        serve_limits_report(&serve, arena, report);
    }
    return true;
}

/* A folder, or several files, are the ranks of a job, most likely. */
static bool check_operands(char **operands, size_t count, struct error *err)
{
    struct stat info;

    if (count > 1)
        error_set(err, ERROR_USAGE, "advise takes one profile: '%.100s' is one more", operands[1]);
    else if (count == 1 && stat(operands[0], &info) == 0 && S_ISDIR(info.st_mode))
        error_set(err, ERROR_USAGE, "advise takes one profile, and %s is a folder", operands[0]);
    else
        return true;
    return error_hint(err, "for the ranks of a job: ptk job %s%s", operands[0],
                      count > 1 ? " ..." : "");
}

static bool prepare(struct profile_request *request, struct error *err)
{
    struct advise_arguments *fields = request->asked;

    request->wanted.properties |= advice_properties() | phase_summaries_properties();
    return check_operands(request->operands, request->count, err) &&
           thresholds_take(&fields->thresholds, &fields->judging.limits, err);
}

static const struct profile_command profile_command = {
    .size = sizeof(struct advise_arguments),
    .defaults = &(const struct advise_arguments){.common.content = CONTENT_FIGURES},
    .wanted = {.categories = true, .all_values = true},
    .wants_execution = true,
    .filtering = FILTERS_EVENTS,
    .prepare = prepare,
    .fill = fill_report,
};

const struct command command_advise = {
    .name = "advise",
    .summary = "what to fix first, with the evidence, and the most that it can give",
    .operands = "[FILE]",
    .examples = "ptk advise trace.json\n"
                "ptk advise --all --gpu MI300X kernels.json\n"
                "ptk advise --threshold hot_function=10% profile.out\n",
    .options = options,
    .profile = &profile_command,
};
