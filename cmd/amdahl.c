#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/speedup.h"
#include "base/pattern.h"
#include "cmd/answer.h"
#include "cmd/ceilings.h"
#include "cmd/command.h"
#include "graph/need.h"
#include "render/amdahl_chart.h"
#include "render/amdahl_report.h"

struct fields {
    struct common common;
    struct selection selection;
    struct option_values parts;
    const char *karp_flatt;
    double target, workers;
    uint32_t limit;
    bool is_cum, has_roofs, has_steps;
    struct ceiling_choice ceilings;
};

static const struct option options[] = {
    OPT_INCLUDE(struct fields, common, struct common, chart_options),
    OPT_NUMBER(0, "target", struct fields, target, "S",
               "say what each part must reach for the whole to get S times faster"),
    OPT_EACH(0, "part", struct fields, parts, "RE=FACTOR",
             "a plan: what matches gets FACTOR (or inf) times faster; again for more parts", 0),
    OPT_FLAG(0, "cum", struct fields, is_cum, "shares with callees (not on timelines)"),
    OPT_NUMBER(0, "gustafson", struct fields, workers, "N",
               "the scaled speed-up when the plan's parts, or the first row, run on N workers"),
    OPT_TEXT(0, "karp-flatt", struct fields, karp_flatt, "S,P",
             "the serial share that a measured speed-up S on P workers implies"),
    OPT_FLAG(0, "roof", struct fields, has_roofs,
             "also say what each kernel gives the whole at the hardware's roof"),
    OPT_FLAG(0, "steps", struct fields, has_steps,
             "also say how shares vary from training step to step"),
    OPT_COUNT('n', "limit", struct fields, limit, "N", "at most N rows, 0 for all [20]"),
    OPT_INCLUDE(struct fields, ceilings, struct ceiling_choice, ceiling_options),
    OPT_INCLUDE(struct fields, selection, struct selection, selection_options),
    OPT_INCLUDE(struct fields, common, struct common, input_options),
    OPT_INCLUDE(struct fields, common, struct common, output_options),
    OPT_END,
};

/* ---- --part ---- */

struct plan_text {
    const char *names[AMDAHL_PARTS_MAX];
    struct pattern patterns[AMDAHL_PARTS_MAX];
    uint32_t count;
};

static bool parse_factor(const char *text, double *factor)
{
    char *end;

    *factor = strcmp(text, "inf") == 0 ? INFINITY : strtod(text, &end);
    return isinf(*factor) || (end != text && *end == '\0' && isfinite(*factor) && *factor > 0);
}

/* The expression may hold '=' itself: the last one counts. */
static bool add_part(const char *given, struct plan_text *text, struct amdahl_plan *plan,
                     struct arena *arena, struct error *err)
{
    const char *sign = strrchr(given, '=');
    uint32_t at = text->count;

    if (!sign || sign == given || !parse_factor(sign + 1, &plan->factors[at]))
        return error_set(err, ERROR_USAGE,
                         "--part takes RE=FACTOR with a factor above 0, or inf, not '%.60s'",
                         given);
    text->names[at] = arena_copy(arena, (struct span){given, (size_t)(sign - given)});
    if (!pattern_compile(&text->patterns[at], text->names[at], err))
        return false;
    text->count = plan->count = at + 1;
    return true;
}

static void free_patterns(struct plan_text *text)
{
    for (uint32_t i = 0; i < text->count; i++)
        pattern_free(&text->patterns[i]);
}

/* Each function goes to the first part whose expression its name, file or module matches. */
static uint32_t part_of(const struct graph *graph, const struct plan_text *text, frame_id id)
{
    const struct frame *frame = graph_frame(graph, id);

    for (uint32_t i = 0; i < text->count; i++)
        if (pattern_matches(&text->patterns[i], graph_text(graph, frame->name)) ||
            (frame->file && pattern_matches(&text->patterns[i], graph_text(graph, frame->file))) ||
            (frame->module &&
             pattern_matches(&text->patterns[i], graph_text(graph, frame->module))))
            return i;
    return text->count;
}

static void combine(const struct graph *graph, const struct amdahl_options *wanted,
                    const struct plan_text *text, struct amdahl_plan *plan, struct arena *arena)
{
    uint32_t *parts = arena_array(arena, graph->frames.count, sizeof(*parts));

    parts[0] = text->count;
    for (frame_id id = 1; id < graph->frames.count; id++)
        parts[id] = part_of(graph, text, id);
    amdahl_combine(graph, wanted, parts, plan);
}

static bool check_plan(const struct plan_text *text, const struct amdahl_plan *plan,
                       struct error *err)
{
    for (uint32_t i = 0; i < plan->count; i++)
        if (plan->parts[i].functions == 0)
            return error_set(err, ERROR_NO,
                             "--part '%.60s' matches no function that no earlier part has",
                             text->names[i]);
    return true;
}

/* ---- other laws ---- */

static bool say_karp_flatt(const char *given, struct arena *arena, struct report *report,
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
    report_after(report, arena_printf(arena,
                                      "Karp-Flatt: %.3gx on %.3g workers implies a serial share of "
                                      "%.3g%% (efficiency %.3g%%)",
                                      measured, workers, share * 100, measured / workers * 100));
    return true;
}

static void say_gustafson(double workers, double share, struct arena *arena, struct report *report)
{
    report_real(report, "scaled_speedup", speedup_scaled(share, workers));
    report_after(report, arena_printf(arena,
                                      "Gustafson: with %.3g%% on %.3g workers and a problem "
                                      "that grows with them: %.3gx",
                                      share * 100, workers, speedup_scaled(share, workers)));
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

    for (size_t i = 0; i < graph->fact_count; i++) {
        const struct fact *fact = &graph->facts[i];

        if (!fact->text && strcmp(fact->key, "period") == 0 && fact->figure >= PERIOD_LEAST &&
            graph_unit(graph) == UNIT_NS)
            return graph_total(graph) / fact->figure;
    }
    return 0;
}

static bool find_roofs(const struct graph *graph, const struct fields *fields, struct arena *arena,
                       struct report *report, struct amdahl_options *wanted, struct error *err)
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

static bool say_steps(const struct graph *graph, const struct amdahl *amdahl, struct arena *arena,
                      struct report *report, struct error *err)
{
    struct amdahl_steps steps = {.count = 0};

    if (graph->has[LEVEL_TIMELINE])
        amdahl_steps_find(graph, arena, &steps);
    if (steps.count == 0) {
        error_set(err, ERROR_LACK, "no training steps are on record");
        return error_hint(err, "torch.profiler marks them when prof.step() is called");
    }
    amdahl_steps_report(amdahl, &steps, arena, report);
    return true;
}

static bool fill_report(struct profile *profile, const struct fields *fields,
                        const struct plan_text *text, struct amdahl_plan *plan, struct arena *arena,
                        struct report *report, struct amdahl_options *wanted, struct amdahl *amdahl,
                        struct error *err)
{
    const struct graph *graph = &profile->graph;

    if (!graph->has[LEVEL_TIMELINE])
        wanted->samples = samples_of(graph);
    if (fields->has_roofs && !find_roofs(graph, fields, arena, report, wanted, err))
        return false;
    amdahl_compute(graph, wanted, arena, amdahl);
    amdahl_report(amdahl, wanted, arena, report);
    if (fields->has_steps && !say_steps(graph, amdahl, arena, report, err))
        return false;
    if (text->count) {
        combine(graph, wanted, text, plan, arena);
        if (!check_plan(text, plan, err))
            return false;
        amdahl_plan_report(plan, text->names, arena, report);
    }
    if (fields->workers > 0)
        say_gustafson(fields->workers, parallel_share(amdahl, plan), arena, report);
    amdahl_chart(amdahl, wanted, arena, report);
    return !fields->karp_flatt || say_karp_flatt(fields->karp_flatt, arena, report, err);
}

static bool answer(struct profile *profile, const struct fields *fields,
                   const struct plan_text *text, struct amdahl_plan *plan, struct error *err)
{
    struct report_input input = {profile->path, &profile->graph};
    struct report report = {.command = "amdahl", .inputs = &input, .input_count = 1};
    struct amdahl_options wanted = {.is_cum = fields->is_cum,
                                    .target = fields->target,
                                    .limit = fields->limit,
                                    .has_curves = fields->common.format == REPORT_SVG};
    struct amdahl amdahl;
    struct arena arena = {0};
    bool ok;

    if (!profile_select(profile, &fields->selection, err) ||
        !graph_need(&profile->graph, LEVEL_FLAT, "no part has a share", err))
        return false;
    ok = fill_report(profile, fields, text, plan, &arena, &report, &wanted, &amdahl, err) &&
         answer_write(&report, &fields->common, err);
    arena_free(&arena);
    return ok;
}

static bool parse_plan(const struct fields *fields, struct plan_text *text,
                       struct amdahl_plan *plan, struct arena *arena, struct error *err)
{
    if (fields->target > 0 && fields->target <= 1)
        return error_set(err, ERROR_USAGE, "--target takes a factor above 1");
    for (uint32_t i = 0; i < fields->parts.count; i++)
        if (!add_part(fields->parts.list[i].text, text, plan, arena, err))
            return false;
    return true;
}

static bool load(struct profile *profile, char **operands, size_t count,
                 const struct fields *fields, struct error *err)
{
    struct builder_options wanted = selection_wanted(&fields->selection, LEVEL_TIMELINE);

    wanted.launches = true;
    if (fields->has_roofs)
        wanted.properties |= roofline_properties();
    if (fields->has_steps)
        wanted.properties |= property_bit(PROP_STEP);
    return profile_load_operand_events(profile, operands, count, &wanted, &fields->common, err);
}

static bool run(char **argv, struct error *err)
{
    struct fields fields = {.limit = 20};
    struct plan_text text = {.count = 0};
    struct amdahl_plan plan = {.count = 0};
    struct profile profile = {.path = NULL};
    struct arena arena = {0};
    size_t operands;
    bool ok = option_parse(options, &fields, argv, &operands, err) &&
              parse_plan(&fields, &text, &plan, &arena, err) &&
              load(&profile, argv, operands, &fields, err);

    if (ok) {
        ok = answer(&profile, &fields, &text, &plan, err);
        profile_free(&profile);
    }
    free_patterns(&text);
    arena_free(&arena);
    return ok;
}

const struct command command_amdahl = {
    .name = "amdahl",
    .summary = "how much faster the whole gets when a part gets faster",
    .operands = "[FILE]",
    .examples =
        "ptk amdahl testdata/pstats/fractal.pstats\n"
        "ptk amdahl --target 1.5 testdata/pstats/fractal.pstats\n"
        "ptk amdahl --part escape_time=4 --part '^step$=inf' testdata/pstats/fractal.pstats\n"
        "ptk amdahl --steps testdata/chrome/overlap.json\n"
        "ptk amdahl --roof testdata/chrome/roofline.json\n"
        "ptk amdahl --karp-flatt 3.2,4 -n 3 testdata/pstats/fractal.pstats\n"
        "ptk amdahl -f svg -o amdahl.svg testdata/chrome/overlap.json\n",
    .options = options,
    .run = run,
};
