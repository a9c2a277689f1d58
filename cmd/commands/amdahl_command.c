/* SPDX-License-Identifier: Apache-2.0 */
/* ptk amdahl: how much faster the whole gets when parts do, by Amdahl's, Gustafson's and Karp-
 * Flatt's laws. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/execution/amdahl.h"
#include "base/text/pattern.h"
#include "cmd/answer/profile_command.h"
#include "cmd/help/command.h"
#include "cmd/load/profile_load.h"
#include "cmd/options/ceiling_choice.h"
#include "cmd/options/common_options.h"
#include "cmd/options/factor.h"
#include "graph/derive/derive.h"
#include "render/charts/charts.h"
#include "render/reports/reports.h"

/* --part: what gets faster, and by how much. */
struct amdahl_parts {
    const char *names[AMDAHL_PARTS_MAX]; /* the expressions, as given */
    struct pattern patterns[AMDAHL_PARTS_MAX];
    double factors[AMDAHL_PARTS_MAX];
    uint32_t count;
};

struct amdahl_arguments {
    struct common common;
    struct option_values given;
    struct amdahl_parts parts;
    const char *karp_flatt;
    double target, workers;
    uint32_t limit;
    bool is_cum, has_roofs, has_steps;
    struct ceiling_choice ceilings;
};

static const struct option options[] = {
    OPT_INCLUDE(struct amdahl_arguments, common, struct common, chart_options),
    OPT_NUMBER(0, "target", struct amdahl_arguments, target, "S",
               "say what each part must reach for the whole to get S times faster"),
    OPT_EACH(0, "part", struct amdahl_arguments, given, "RE=FACTOR",
             "a plan: what matches gets FACTOR (or inf) times faster; again for more parts", 0),
    OPT_FLAG(0, "cum", struct amdahl_arguments, is_cum, "shares with callees (not on timelines)"),
    OPT_NUMBER(0, "gustafson", struct amdahl_arguments, workers, "N",
               "the scaled speed-up when the plan's parts, or the first row, run on N workers"),
    OPT_TEXT(0, "karp-flatt", struct amdahl_arguments, karp_flatt, "S,P",
             "the serial share that a measured speed-up S on P workers implies"),
    OPT_FLAG(0, "roof", struct amdahl_arguments, has_roofs,
             "also say what each kernel gives the whole at the hardware's roof"),
    OPT_FLAG(0, "steps", struct amdahl_arguments, has_steps,
             "also say how shares vary from training step to step"),
    OPT_COUNT('n', "limit", struct amdahl_arguments, limit, "N", "at most N rows, 0 for all [20]"),
    OPT_INCLUDE(struct amdahl_arguments, ceilings, struct ceiling_choice, ceiling_options),
    OPT_INCLUDE(struct amdahl_arguments, common, struct common, selection_options),
    OPT_INCLUDE(struct amdahl_arguments, common, struct common, part_options),
    OPT_INCLUDE(struct amdahl_arguments, common, struct common, input_options),
    OPT_INCLUDE(struct amdahl_arguments, common, struct common, output_options),
    OPT_END,
};

/* ---- parts ---- */

static bool parts_parse(const struct option_values *given, struct amdahl_parts *parts,
                        struct arena *arena, struct error *err)
{
    for (uint32_t i = 0; i < given->count; i++, parts->count++)
        if (!factor_parse_part("part", given->list[i].text, &parts->names[i], &parts->factors[i],
                               arena, err) ||
            !pattern_compile(&parts->patterns[i], parts->names[i], err))
            return false;
    return true;
}

static uint32_t part_of_frame(const struct amdahl_parts *parts, const struct graph *graph,
                              frame_id id)
{
    const struct frame *frame = graph_frame(graph, id);

    for (uint32_t i = 0; i < parts->count; i++) {
        const struct pattern *pattern = &parts->patterns[i];

        if (pattern_matches(pattern, graph_text(graph, frame->name)) ||
            (frame->file && pattern_matches(pattern, graph_text(graph, frame->file))) ||
            (frame->module && pattern_matches(pattern, graph_text(graph, frame->module))))
            return i;
    }
    return parts->count;
}

/* Each function goes to the first part whose expression its name, file or module matches; ERROR_NO
 * for a part that has none. */
static bool parts_combine(const struct amdahl_parts *parts, const struct graph *graph,
                          const struct amdahl_options *wanted, struct arena *arena,
                          struct amdahl_plan *plan, struct error *err)
{
    uint32_t *of = arena_array(arena, graph->frames.count, sizeof(*of));

    plan->count = parts->count;
    memcpy(plan->factors, parts->factors, sizeof(plan->factors));
    of[0] = parts->count;
    for (frame_id id = 1; id < graph->frames.count; id++)
        of[id] = part_of_frame(parts, graph, id);
    amdahl_combine(graph, wanted, of, plan);
    for (uint32_t i = 0; i < plan->count; i++)
        if (plan->parts[i].functions == 0)
            return error_set(err, ERROR_NO,
                             "--part '%.60s' matches no function that no earlier part has",
                             parts->names[i]);
    return true;
}

/* ---- other laws ---- */

static bool write_karp_flatt(const char *given, struct arena *arena, struct report *report,
                             struct error *err)
{
    char *comma, *end;
    double measured = strtod(given, &comma);
    double workers = *comma == ',' ? strtod(comma + 1, &end) : 0;

    if (!(measured > 0) || !(workers > 1) || !isfinite(measured) || !isfinite(workers) || *end)
        return error_set(err, ERROR_USAGE,
                         "--karp-flatt takes a speed-up and more than 1 worker, as in 3.2,4, "
                         "not '%.60s'",
                         given);

    double share = speedup_serial_share(measured, workers);

    report_real(report, "serial_fraction", share);
    report_afterf(report, arena,
                  "Karp-Flatt: %.3gx on %.3g workers implies a serial share of "
                  "%.3g%% (efficiency %.3g%%)",
                  measured, workers, share * 100, measured / workers * 100);
    return true;
}

static double parallel_share(const struct amdahl *amdahl, const struct amdahl_plan *plan)
{
    double share = 0;

    for (uint32_t i = 0; i < plan->count; i++)
        share += plan->parts[i].share_high;
    if (plan->count == 0 && amdahl->count)
        share = amdahl->rows[0].share;
    return share < 1 ? share : 1;
}

/* ---- the command ---- */

/* A sampled profile of time says how far apart its samples are. Below a microsecond it is not a
 * clock's period, but that of a profile which samples something else. */
static int64_t samples_of(const struct graph *graph)
{
    enum { PERIOD_LEAST = 1000 };
    int64_t period;

    return graph_fact(graph, FACT_PERIOD, &period) && period >= PERIOD_LEAST &&
                   graph_unit(graph) == UNIT_NS
               ? graph_total(graph) / period
               : 0;
}

static bool find_roofs(const struct graph *graph, const struct amdahl_arguments *fields,
                       struct arena *arena, struct report *report, struct amdahl_options *wanted,
                       struct error *err)
{
    struct ceilings ceilings;

    if (!graph->has[LEVEL_TIMELINE])
        return error_set(err, ERROR_LACK,
                         "no kernel has a duration of its own to compare with a roof");
    if (!ceilings_find(&fields->ceilings, report->inputs, report->input_count, arena, &ceilings,
                       report, err))
        return false;
    wanted->roofs = roofline_distances(graph, &ceilings, arena);
    return true;
}

static bool write_steps(const struct graph *graph, const struct amdahl *amdahl, struct arena *arena,
                        struct report *report, struct error *err)
{
    struct amdahl_steps steps = {.count = 0};

    if (graph->has[LEVEL_TIMELINE])
        amdahl_steps_find(graph, arena, &steps);
    if (steps.count == 0) {
        error_set(err, ERROR_LACK, "no training steps are recorded");
        return error_hint(
            err, "torch.profiler.profile marks them with schedule=, and prof.step() after each");
    }
    amdahl_steps_report(amdahl, &steps, arena, report);
    return true;
}

/* What was asked for beside the table. */
static bool message_detail(const struct graph *graph, const struct amdahl_arguments *fields,
                           const struct amdahl_options *wanted, const struct amdahl *amdahl,
                           struct arena *arena, struct report *report, struct error *err)
{
    struct amdahl_plan plan = {.count = 0};

    if (fields->has_steps && !write_steps(graph, amdahl, arena, report, err))
        return false;
    if (fields->parts.count) {
        if (!parts_combine(&fields->parts, graph, wanted, arena, &plan, err))
            return false;
        amdahl_plan_report(&plan, fields->parts.names, arena, report);
    }
    if (fields->workers > 0) {
        double share = parallel_share(amdahl, &plan);
        double speedup = speedup_scaled(share, fields->workers);

        report_real(report, "scaled_speedup", speedup);
        report_afterf(report, arena,
                      "Gustafson: with %.3g%% on %.3g workers and a problem "
                      "that grows with them: %.3gx",
                      share * 100, fields->workers, speedup);
    }
    return !fields->karp_flatt || write_karp_flatt(fields->karp_flatt, arena, report, err);
}

static bool fill_report(struct profile *profile, const void *asked, struct arena *arena,
                        struct report *report, struct error *err)
{
    const struct amdahl_arguments *fields = asked;
    const struct graph *graph = &profile->graph;
    struct amdahl_options wanted = {.is_cum = fields->is_cum,
                                    .target = fields->target,
                                    .limit = fields->limit,
                                    .has_curves = fields->common.format == REPORT_SVG};
    struct amdahl *amdahl = arena_alloc(arena, sizeof(*amdahl));

    if (!graph_need(&profile->graph, LEVEL_FLAT, "no part has a share", err))
        return false;
    if (graph->values.is_inclusive)
        return error_set(err, ERROR_LACK,
                         "%s hold times with callees only, so no part has a share of its own",
                         graph->source.format_title);
    if (!graph->has[LEVEL_TIMELINE])
        wanted.samples = samples_of(graph);
    if (fields->has_roofs && !find_roofs(graph, fields, arena, report, &wanted, err))
        return false;
    amdahl_compute(graph, &wanted, arena, amdahl);
    amdahl_report(amdahl, &wanted, arena, report);
    amdahl_chart(amdahl, &wanted, arena, report);
    return message_detail(graph, fields, &wanted, amdahl, arena, report, err);
}

static bool prepare(struct profile_request *request, struct error *err)
{
    struct amdahl_arguments *fields = request->asked;

    if (fields->target > 0 && fields->target <= 1)
        return error_set(err, ERROR_USAGE, "--target takes a factor above 1");
    if (fields->has_roofs)
        request->wanted.properties |= roofline_properties();
    return parts_parse(&fields->given, &fields->parts, &request->arena, err);
}

static void release(void *asked)
{
    struct amdahl_arguments *fields = asked;

    for (uint32_t i = 0; i < fields->parts.count; i++)
        pattern_free(&fields->parts.patterns[i]);
}

static const struct profile_command profile_command = {
    .size = sizeof(struct amdahl_arguments),
    .defaults = &(const struct amdahl_arguments){.limit = 20},
    .wants_execution = true,
    .prepare = prepare,
    .fill = fill_report,
    .release = release,
};

const struct command command_amdahl = {
    .name = "amdahl",
    .summary = "how much faster the whole gets when a part gets faster",
    .operands = "[FILE]",
    .examples = "ptk amdahl profile.out\n"
                "ptk amdahl --target 1.5 profile.out\n"
                "ptk amdahl --part escape_time=4 --part '^step$=inf' profile.out\n"
                "ptk amdahl --steps trace.json\n"
                "ptk amdahl --roof kernels.json\n"
                "ptk amdahl --karp-flatt 3.2,4 -n 3 profile.out\n"
                "ptk amdahl -f svg -o amdahl.svg trace.json\n",
    .options = options,
    .profile = &profile_command,
};
