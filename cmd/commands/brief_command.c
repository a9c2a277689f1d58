/* SPDX-License-Identifier: Apache-2.0 */
/* ptk brief: the answer within a budget, of a profile, of two, or of a job: for scripts, assistants and people in a hurry. */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "analysis/brief/brief.h"
#include "analysis/compare/diff.h"
#include "analysis/ranks/job.h"
#include "analysis/ranks/rank_summaries.h"
#include "base/text/escape.h"
#include "cmd/answer/profile_command.h"
#include "cmd/answer/report_output.h"
#include "cmd/answer/trace_job.h"
#include "cmd/help/command.h"
#include "cmd/load/job_inputs.h"
#include "cmd/load/profile_load.h"
#include "cmd/load/rank_files.h"
#include "cmd/options/ceiling_choice.h"
#include "cmd/options/common_options.h"
#include "graph/classify/event_class.h"
#include "graph/derive/derive.h"
#include "graph/names/names.h"
#include "render/reports/reports.h"

enum { NEXT_MOST = 4, CHANGES_COMPARED = 20, OPERANDS_NAMED = 8 };

struct brief_arguments {
    struct common common;
    struct judging judging;
    struct thresholds thresholds;
    struct ceiling_choice ceilings;
    const char *about;
};

static const struct option options[] = {
    OPT_INCLUDE(struct brief_arguments, common, struct common, report_options),
    OPT_TEXT(0, "about", struct brief_arguments, about, "NAME",
             "about one function alone: a part of its name, as it is printed"),
    OPT_TEXT(0, "gpu", struct brief_arguments, ceilings.gpu, "NAME",
             "compare kernels with this GPU instead of the one that the profile names"),
    OPT_INCLUDE(struct brief_arguments, judging, struct judging, judging_options),
    OPT_INCLUDE(struct brief_arguments, common, struct common, filter_options),
    OPT_INCLUDE(struct brief_arguments, common, struct common, part_options),
    OPT_INCLUDE(struct brief_arguments, common, struct common, input_options),
    OPT_INCLUDE(struct brief_arguments, common, struct common, capture_options),
    OPT_INCLUDE(struct brief_arguments, common, struct common, output_options),
    OPT_END,
};

/* ---- commands that show more, for a shell ---- */

struct next_commands {
    struct arena *arena;
    const char *list[NEXT_MOST];
    uint32_t count;
};

/* In single quotes where the shell would take it apart. */
static const char *quoted(struct arena *arena, struct span text)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./-+=:,@%";
    const char *made = arena_copy(arena, text);
    char *out, *at;

    if (text.len && strspn(made, plain) == text.len)
        return made;
    at = out = arena_alloc(arena, 4 * text.len + 3);
    *at++ = '\'';
    for (size_t i = 0; i < text.len; i++) {
        if (text.at[i] == '\'') {
            memcpy(at, "'\\''", 4);
            at += 4;
        } else {
            *at++ = text.at[i];
        }
    }
    *at++ = '\'';
    *at = '\0';
    return out;
}

static void add_next(struct next_commands *next, const char *command, const char *path)
{
    if (next->count < NEXT_MOST)
        next->list[next->count++] =
            arena_printf(next->arena, "%s %s", command, quoted(next->arena, span_of(path)));
}

/* By the name that it is printed with, which selects no other. Bytes that cannot be printed cannot be typed. */
static void add_next_about(struct next_commands *next, const char *command,
                           const struct graph *graph, frame_id frame, const char *path)
{
    struct span name = graph_short_name(graph, frame);

    if (graph_text(graph, graph_frame(graph, frame)->name).len &&
        span_eq(escape_plain(next->arena, name), name))
        add_next(next,
                 arena_printf(next->arena, "%s --literal %s", command, quoted(next->arena, name)),
                 path);
}

/* ---- one profile ---- */

/* What `ptk bound` says first: of devices, of the process, or of functions. */
static void fill_verdict(const struct graph *graph, const struct bottlenecks *devices,
                         const struct cost_shares *costs, const struct thresholds *thresholds,
                         struct arena *arena, struct report *verdict)
{
    struct process_bottleneck process = {.cpus = 0};

    if (devices->count) {
        bound_report(devices, thresholds, arena, verdict);
        return;
    }
    if (graph->has[LEVEL_TIMELINE] || graph->values.is_inclusive)
        return;
    process.locks = costs->of[COST_LOCK].time;
    process.functions = costs->whole;
    process.unit = graph_unit(graph);
    if (process_judge_profile(graph, thresholds, &process))
        bound_report_process(&process, graph, thresholds, arena, verdict);
    bound_report_costs(costs, graph, arena, verdict);
}

#define NO_FUNCTION UINT32_MAX

/* Of those whose name, as it is or as it is printed, contains the text: the one that costs most. */
static uint32_t find_about(const struct graph *graph, const char *text, struct arena *arena,
                           struct error *err)
{
    const struct functions *functions = &graph->functions;
    struct span wanted = span_of(text);
    uint32_t found = NO_FUNCTION;

    for (uint32_t i = 0; i < functions->listed; i++) {
        frame_id frame = functions->frame[i];

        if ((found == NO_FUNCTION || functions->self[i] > functions->self[found]) &&
            (span_find(graph_text(graph, graph_frame(graph, frame)->name), wanted) != SIZE_MAX ||
             span_find(frame_label(graph, frame, arena), wanted) != SIZE_MAX ||
             span_find(graph_short_name(graph, frame), wanted) != SIZE_MAX))
            found = i;
    }
    if (found != NO_FUNCTION)
        return found;
    error_set(err, ERROR_NO, "no function has '%.80s' in its name", text);
    error_hint(err, "'ptk hotspots' lists names");
    return NO_FUNCTION;
}

static void add_next_of_profile(struct next_commands *next, const struct graph *graph,
                                const struct brief_content *content, const char *path)
{
    const struct brief_parts *brief = content->brief;

    if (content->about) {
        frame_id frame = graph->functions.frame[content->about->function];

        add_next_about(next, "ptk peek", graph, frame, path);
        add_next(next, "ptk brief", path);
        return;
    }
    if (brief->lacks[LACKS_WORK]) {
        add_next(next, "ptk job --by collective", path);
        return;
    }
    if (brief->is_of_devices) {
        add_next(next, "ptk critical-path", path);
        add_next(next, "ptk hotspots --value device", path);
        add_next(next, "ptk report -o report.html", path);
        return;
    }
    if (brief->cost_count && graph->has[LEVEL_CALLGRAPH]) {
        frame_id frame = graph->functions.frame[brief->costs[0].function];

        add_next_about(next, "ptk peek", graph, frame, path);
        add_next(next, "ptk tree --min-percent 5", path);
    }
    add_next(next, "ptk hotspots -n 20", path);
}

static bool fill_profile(struct profile *profile, const struct brief_arguments *fields,
                         struct arena *arena, struct report *report, struct error *err)
{
    struct graph *graph = &profile->graph;
    struct report verdict = *report;
    struct next_commands next = {.arena = arena};
    struct execution execution = {0};
    struct bottlenecks devices = {0};
    struct ceilings ceilings;
    struct advice advice;
    struct brief_parts brief;
    struct brief_about about;
    struct brief_content content = {.verdict = &verdict,
                                    .advice = &advice,
                                    .brief = &brief,
                                    .thresholds = &fields->thresholds,
                                    .budget = fields->common.budget};
    struct error none = {0};

    if (!ceilings_find(&fields->ceilings, report->inputs, report->input_count, arena, &ceilings,
                       NULL, err))
        return false;
    if (graph->has[LEVEL_TIMELINE]) {
        execution_build(graph, &execution);
        bottleneck_find(&execution, (enum window_kind)fields->judging.window, &fields->thresholds,
                        arena, &devices);
    }
    if (!graph_need(graph, LEVEL_FLAT, "there is nothing to look at", err)) {
        execution_free(&execution);
        return false;
    }
    if ((fields->about || graph->native != LEVEL_TIMELINE) && graph->native >= LEVEL_CALLGRAPH &&
        !graph_need(graph, LEVEL_CALLGRAPH, "nobody knows who called", &none))
        none.kind = 0; /* then callers are not shown */
    graph_classify(graph);
    advice_give(graph, &execution, &devices, &fields->thresholds, &ceilings, NULL, arena, &advice);
    brief_compose(graph, &advice, devices.count > 0, arena, &brief);
    if (devices.count)
        brief_add_replays(&execution, &devices, &fields->thresholds, &brief);
    execution_free(&execution);
    if (!devices.count && job_of_trace_report(graph, profile->path, arena, &verdict))
        add_next(&next, "ptk job", profile->path);
    fill_verdict(graph, &devices, &advice.costs, &fields->thresholds, arena, &verdict);
    if (fields->about) {
        uint32_t function = find_about(graph, fields->about, arena, err);

        if (function == NO_FUNCTION)
            return false;
        brief_compose_about(graph, function, arena, &about);
        content.about = &about;
    }
    add_next_of_profile(&next, graph, &content, profile->path);
    content.next = next.list;
    content.next_count = next.count;
    brief_report(&content, arena, report);
    return true;
}

static bool answer_one(struct profile *profile, const struct brief_arguments *fields,
                       struct error *err)
{
    struct report_input input = {profile->path, &profile->graph};
    struct arena arena = {0};
    struct report report = {
        .command = "brief", .inputs = &input, .input_count = 1, .arena = &arena};
    bool ok = profile_select(profile, &fields->common.selection, err) &&
              fill_profile(profile, fields, &arena, &report, err) &&
              report_output_write(&report, &fields->common, err);

    arena_free(&arena);
    return ok;
}

/* ---- two profiles ---- */

static bool fill_pair(struct profile *before, struct profile *after,
                      const struct brief_arguments *fields, struct report *report,
                      struct diff *diff, struct error *err)
{
    const struct diff_options wanted = {.limit = CHANGES_COMPARED, .fail_percent = -1};
    struct arena *arena = report->arena;
    struct next_commands next = {.arena = arena};
    struct report verdict = *report;
    struct difference difference;
    const char *paths;

    if (!diff_add_whole(diff, DIFF_BEFORE, &before->graph, err) ||
        !diff_add_whole(diff, DIFF_AFTER, &after->graph, err))
        return false;
    diff_compute(diff, &wanted, arena, &difference);
    diff_report(&difference, diff, arena, &verdict);
    paths = arena_printf(arena, "ptk diff -n 0 %s", quoted(arena, span_of(before->path)));
    add_next(&next, paths, after->path);
    add_next(&next, "ptk brief", after->path);
    brief_report(&(struct brief_content){.verdict = &verdict,
                                 .difference = &difference,
                                 .diff = diff,
                                 .next = next.list,
                                 .next_count = next.count,
                                 .budget = fields->common.budget},
                 arena, report);
    return report_output_write(report, &fields->common, err);
}

static bool answer_pair(struct profile *before, struct profile *after,
                        const struct brief_arguments *fields, struct error *err)
{
    struct report_input inputs[] = {{before->path, &before->graph}, {after->path, &after->graph}};
    struct arena arena = {0};
    struct report report = {
        .command = "brief", .inputs = inputs, .input_count = COUNT_OF(inputs), .arena = &arena};
    struct diff diff = {0};
    bool ok = fill_pair(before, after, fields, &report, &diff, err);

    diff_free(&diff);
    arena_free(&arena);
    return ok;
}

/* ---- a job ---- */

static bool answer_job(struct profile_request *request, struct error *err)
{
    const struct brief_arguments *fields = request->asked;
    const struct job_options wanted = {.step = NOT_KNOWN,
                                       .limits = thresholds_of_job(&fields->thresholds)};
    struct job_inputs inputs = {0};
    struct arena arena = {0};
    struct next_commands next = {.arena = &arena};
    struct job job;
    bool ok = job_inputs_read(&inputs, request->operands, request->count,
                              &(struct job_input_options){0}, &fields->common, err) &&
              job_analyze(&inputs.shard, &wanted, &arena, &job, err);

    if (ok) {
        struct report report = {.command = "brief",
                                .inputs = inputs.inputs,
                                .input_count = inputs.count,
                                .arena = &arena};
        struct report verdict = report;
        const char *paths = "";

        job_headlines(&job, &arena, &verdict);
        for (size_t i = 0; i + 1 < request->count && i < OPERANDS_NAMED; i++)
            paths = arena_printf(&arena, "%s %s", paths,
                                 quoted(&arena, span_of(request->operands[i])));
        if (request->count <= OPERANDS_NAMED) {
            const char *last = request->operands[request->count - 1];

            add_next(&next, arena_printf(&arena, "ptk job --by stage%s", paths), last);
            add_next(&next, arena_printf(&arena, "ptk job --by collective%s", paths), last);
            if (job.is_measured)
                add_next(&next, arena_printf(&arena, "ptk job -f svg -o job.svg%s", paths), last);
        }
        brief_report(&(struct brief_content){.verdict = &verdict,
                                     .next = next.list,
                                     .next_count = next.count,
                                     .budget = fields->common.budget},
                     &arena, &report);
        ok = report_output_write(&report, &fields->common, err);
    }
    job_inputs_free(&inputs);
    arena_free(&arena);
    return ok;
}

/* ---- which of them the operands are ---- */

static bool is_folder(const char *path)
{
    struct stat info;

    return stat(path, &info) == 0 && S_ISDIR(info.st_mode);
}

/* Two profiles are one before and one after, unless they say that they are ranks of one job. */
static bool answer_two(struct profile_request *request, struct error *err)
{
    const struct brief_arguments *fields = request->asked;
    struct profile profiles[2];
    bool ok, is_job = false;

    if (!profile_load(&profiles[0], request->operands[0], &request->wanted, &fields->common, err))
        return false;
    ok = profile_load(&profiles[1], request->operands[1], &request->wanted, &fields->common, err);
    if (ok) {
        is_job = is_of_one_job(&profiles[0].graph, &profiles[1].graph);
        ok = is_job || (profile_select(&profiles[0], &fields->common.selection, err) &&
                        profile_select(&profiles[1], &fields->common.selection, err) &&
                        answer_pair(&profiles[0], &profiles[1], fields, err));
        profile_free(&profiles[1]);
    }
    profile_free(&profiles[0]);
    return ok && (!is_job || answer_job(request, err));
}

static bool answer(struct profile_request *request, struct error *err)
{
    struct brief_arguments *fields = request->asked;
    struct profile profile;
    bool ok;

    request->wanted.properties |= advice_properties() | run_measures_properties() | phase_summaries_properties();
    if (!thresholds_take(&fields->thresholds, &fields->judging.limits, err))
        return false;
    if (request->count > 2 || is_shard_among(request->operands, request->count) ||
        (request->count && is_folder(request->operands[0])))
        return answer_job(request, err);
    if (request->count == 2)
        return answer_two(request, err);
    if (!profile_load_operand(&profile, request->operands, request->count, &request->wanted,
                              &fields->common, err))
        return false;
    ok = answer_one(&profile, fields, err);
    profile_free(&profile);
    return ok;
}

static const struct profile_command profile_command = {
    .size = sizeof(struct brief_arguments),
    .defaults =
        &(const struct brief_arguments){.common.content = CONTENT_FIGURES, .common.budget = 2000},
    .wanted = {.categories = true, .all_values = true},
    .wants_execution = true,
    .filtering = FILTERS_EVENTS,
    .answer = answer,
};

const struct command command_brief = {
    .name = "brief",
    .summary = "the answer within a budget: verdict, findings, places, what to run next",
    .operands = "[BEFORE] [FILE...]",
    .examples = "ptk brief trace.json\n"
                "ptk brief --budget 400 profile.out\n"
                "ptk brief before.out after.out\n"
                "ptk brief -f json job\n",
    .options = options,
    .profile = &profile_command,
};
