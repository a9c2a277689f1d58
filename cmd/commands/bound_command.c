/* SPDX-License-Identifier: Apache-2.0 */
/* ptk bound: what holds the run up, by devices, by functions, or by what /usr/bin/time says of
 * the process. */
#include "graph/classify/event_class.h"
#include "render/reports/reports.h"

#include "analysis/advice/bottleneck.h"
#include "analysis/serving/serve.h"
#include "cmd/answer/profile_command.h"
#include "cmd/answer/report_output.h"
#include "cmd/help/command.h"
#include "cmd/load/profile_load.h"
#include "cmd/options/ceiling_choice.h"
#include "cmd/options/common_options.h"
#include "graph/derive/derive.h"

struct bound_arguments {
    struct common common;
    struct judging judging;
    struct thresholds thresholds;
    const char *time;
    uint32_t cpus;
};

static const struct option options[] = {
    OPT_INCLUDE(struct bound_arguments, common, struct common, report_options),
    OPT_INCLUDE(struct bound_arguments, judging, struct judging, judging_options),
    OPT_FILE(0, "time", struct bound_arguments, time, "FILE",
             "what /usr/bin/time -v wrote of the run; with a profile or without"),
    OPT_COUNT(0, "cpus", struct bound_arguments, cpus, "N", "how many CPUs the process may use"),
    OPT_INCLUDE(struct bound_arguments, common, struct common, filter_options),
    OPT_INCLUDE(struct bound_arguments, common, struct common, part_options),
    OPT_INCLUDE(struct bound_arguments, common, struct common, input_options),
    OPT_INCLUDE(struct bound_arguments, common, struct common, output_options),
    OPT_END,
};

/* What is known of where time went: of devices, of the process, or of both. */
struct bound_findings {
    struct profile profile, report; /* a path of NULL: there is none */
    struct bottlenecks devices;
    struct process_bottleneck process;
    bool has_process;
    struct cost_shares costs; /* of the profile's functions */
    bool has_costs;
};

/* Of functions that have times without callees. */
static void find_costs(struct bound_findings *known, struct arena *arena)
{
    struct graph *graph = &known->profile.graph;
    struct error err = {0};

    if (!known->profile.path || known->devices.count || graph->values.is_inclusive ||
        !graph_need(graph, LEVEL_FLAT, "there are no classes", &err))
        return;
    known->has_costs = true;
    if (!graph_need(graph, LEVEL_CALLGRAPH, "nobody knows who called", &err))
        err.kind = 0; /* then callers are not shown */
    cost_shares_find(graph, arena, &known->costs);
    if (graph->native == LEVEL_FLAT)
        return; /* what /usr/bin/time writes has no functions */
    known->process.locks = known->costs.of[COST_LOCK].time;
    known->process.functions = known->costs.whole;
    known->process.unit = graph_unit(graph);
}

/* What the report of `time` says counts before what the profile itself does. */
static bool judge(struct bound_findings *known, const struct bound_arguments *fields,
                  struct arena *arena, struct error *err)
{
    const struct thresholds *thresholds = &fields->thresholds;
    struct profile *profile = known->profile.path ? &known->profile : &known->report;
    struct execution execution;

    if (profile->graph.has[LEVEL_TIMELINE]) {
        execution_build(&profile->graph, &execution);
        bottleneck_find(&execution, (enum window_kind)fields->judging.window, thresholds, arena,
                        &known->devices);
        execution_free(&execution);
    }
    graph_classify(&profile->graph);
    find_costs(known, arena);
    known->process.cpus = fields->cpus;
    if (known->report.path && process_use_find(&known->report.graph, &known->process.use)) {
        process_judge(&known->process, thresholds);
        known->has_process = true;
    } else if (!profile->graph.has[LEVEL_TIMELINE]) {
        known->has_process =
            graph_need(&profile->graph, LEVEL_FLAT, "nothing shows what delays the run", err) &&
            process_judge_profile(&profile->graph, thresholds, &known->process);
    }
    if (known->has_process || known->devices.count || (known->has_costs && known->costs.top))
        return true;
    error_set(err, ERROR_LACK, "neither devices nor CPU time beside wall-clock time are recorded");
    error_file(err, profile->path);
    return error_hint(err, "run the program under /usr/bin/time -v, and name what it writes with "
                           "--time FILE");
}

/* Of a server's trace: stages differ in what holds them up. */
static bool add_stages(const struct bound_findings *known, const struct thresholds *thresholds,
                       struct arena *arena, struct report *report, struct error *err)
{
    const struct ceiling_choice as_recorded = {0};
    struct ceilings ceilings;
    struct serve serve;

    if (!known->devices.count || !serve_has_labels(&known->profile.graph))
        return true;
    if (!ceilings_find(&as_recorded, report->inputs, report->input_count, arena, &ceilings, NULL,
                       err))
        return false;
    serve_compute(&known->profile.graph, &ceilings, thresholds_of_serving(thresholds), arena, &serve);
    serve_limits_report(&serve, arena, report);
    return true;
}

static bool answer(struct bound_findings *known, const struct bound_arguments *fields,
                   struct error *err)
{
    const struct thresholds *thresholds = &fields->thresholds;
    struct report_input inputs[2];
    struct arena arena = {0};
    struct report report = {.command = "bound", .inputs = inputs, .arena = &arena};
    bool ok = judge(known, fields, &arena, err);

    if (known->profile.path)
        inputs[report.input_count++] =
            (struct report_input){known->profile.path, &known->profile.graph};
    if (known->report.path)
        inputs[report.input_count++] =
            (struct report_input){known->report.path, &known->report.graph};
    if (ok && known->devices.count)
        bound_report(&known->devices, thresholds, &arena, &report);
    if (ok && known->has_process)
        bound_report_process(&known->process, &known->profile.graph, thresholds, &arena, &report);
    else if (ok && !known->devices.count)
        bound_report_alone(&known->profile.graph, &report);
    if (ok && known->has_costs)
        bound_report_costs(&known->costs, &known->profile.graph, &arena, &report);
    ok = ok && add_stages(known, thresholds, &arena, &report, err) &&
         report_output_write(&report, &fields->common, err);
    arena_free(&arena);
    return ok;
}

/* With --time alone no profile is looked for. */
static bool load(struct bound_findings *known, const struct profile_request *request,
                 struct error *err)
{
    const struct bound_arguments *fields = request->asked;
    const struct builder_options flat = {.need = LEVEL_FLAT};
    const struct common how = {.from = "time", .is_quiet = fields->common.is_quiet};

    if (request->count || !fields->time) {
        if (!profile_load_operand(&known->profile, request->operands, request->count,
                                  &request->wanted, &fields->common, err)) {
            known->profile.path = NULL;
            return false;
        }
        if (!profile_select(&known->profile, &fields->common.selection, err))
            return false;
    }
    if (fields->time && !profile_load(&known->report, fields->time, &flat, &how, err)) {
        known->report.path = NULL;
        return false;
    }
    return true;
}

static bool prepare(struct profile_request *request, struct error *err)
{
    struct bound_arguments *fields = request->asked;

    fields->common.content = fields->time ? CONTENT_ANY : CONTENT_FIGURES;
    request->wanted.properties |= bottleneck_properties() | roofline_properties();
    return thresholds_take(&fields->thresholds, &fields->judging.limits, err);
}

static bool read_and_answer(struct profile_request *request, struct error *err)
{
    struct bound_findings known = {.has_process = false};
    bool ok = load(&known, request, err) && answer(&known, request->asked, err);

    if (known.profile.path)
        profile_free(&known.profile);
    if (known.report.path)
        profile_free(&known.report);
    return ok;
}

static const struct profile_command profile_command = {
    .size = sizeof(struct bound_arguments),
    .wanted = {.categories = true},
    .wants_execution = true,
    .filtering = FILTERS_EVENTS,
    .prepare = prepare,
    .answer = read_and_answer,
};

const struct command command_bound = {
    .name = "bound",
    .summary = "what limits the run: input, launches, copies, compute; CPU, I/O, paging",
    .operands = "[FILE]",
    .examples = "ptk bound trace.json\n"
                "ptk bound --over device kernels.json\n"
                "ptk bound --time time.txt --cpus 4\n"
                "ptk bound --threshold idle=30% -f json trace.json\n",
    .options = options,
    .profile = &profile_command,
};
