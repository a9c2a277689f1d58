/* SPDX-License-Identifier: Apache-2.0 */
#include "render/reports/reports.h"

#include "analysis/execution/amdahl.h"
#include "base/memory/memory.h"
#include "base/text/format.h"
#include "render/reports/report_columns.h"

#include <inttypes.h>
#include <math.h>

static const struct column machine_columns[] = {
    FRAME_COLUMNS(COLUMN_MACHINES),
    {.key = "time", .kind = CELL_VALUE, .use = COLUMN_MACHINES},
    {.key = "fraction", .kind = CELL_SHARE, .use = COLUMN_MACHINES},
    {.key = "fraction_low", .kind = CELL_SHARE, .use = COLUMN_MACHINES},
    {.key = "fraction_high", .kind = CELL_SHARE, .use = COLUMN_MACHINES},
    {.key = "limit", .kind = CELL_RATIO, .use = COLUMN_MACHINES},
    {.key = "limit_low", .kind = CELL_RATIO, .use = COLUMN_MACHINES},
    {.key = "needed", .kind = CELL_RATIO, .use = COLUMN_MACHINES},
    {.key = "needed_high", .kind = CELL_RATIO, .use = COLUMN_MACHINES},
    {.key = "efficiency", .kind = CELL_SHARE, .use = COLUMN_MACHINES},
    {.key = "roof_factor", .kind = CELL_RATIO, .use = COLUMN_MACHINES},
    {.key = "at_roof", .kind = CELL_RATIO, .use = COLUMN_MACHINES},
    {.key = "at_roof_low", .kind = CELL_RATIO, .use = COLUMN_MACHINES},
};

static const struct column speedup_columns[] = {
    {.key = "factor", .kind = CELL_RATIO, .use = COLUMN_MACHINES},
    {.key = "overall", .kind = CELL_RATIO, .use = COLUMN_MACHINES},
    {.key = "overall_low", .kind = CELL_RATIO, .use = COLUMN_MACHINES},
};

static const struct column people_columns[] = {
    {.key = "time", .kind = CELL_VALUE, .use = COLUMN_PEOPLE},
    {.key = "share", .kind = CELL_TEXT, .use = COLUMN_PEOPLE, .is_right = true},
    {.key = "1.5x", .kind = CELL_TEXT, .use = COLUMN_PEOPLE, .is_right = true},
    {.key = "2x", .kind = CELL_TEXT, .use = COLUMN_PEOPLE, .is_right = true},
    {.key = "10x", .kind = CELL_TEXT, .use = COLUMN_PEOPLE, .is_right = true},
    {.key = "limit", .kind = CELL_TEXT, .use = COLUMN_PEOPLE, .is_right = true},
    {.key = "function", .kind = CELL_TEXT, .use = COLUMN_PEOPLE, .is_path = true},
};

/* Of parts whose work is known: how much faster they, and the whole, get at the roof. */
static const struct column roof_columns[] = {
    {.key = "time", .kind = CELL_VALUE, .use = COLUMN_PEOPLE, .unit = UNIT_NS},
    {.key = "of roof", .kind = CELL_SHARE, .use = COLUMN_PEOPLE},
    {.key = "at the roof", .kind = CELL_TEXT, .use = COLUMN_PEOPLE, .is_right = true},
    {.key = "the whole", .kind = CELL_TEXT, .use = COLUMN_PEOPLE, .is_right = true},
    {.key = "function", .kind = CELL_TEXT, .use = COLUMN_PEOPLE, .is_path = true},
};

static const struct column target_columns[] = {
    {.key = "time", .kind = CELL_VALUE, .use = COLUMN_PEOPLE},
    {.key = "share", .kind = CELL_TEXT, .use = COLUMN_PEOPLE, .is_right = true},
    {.key = "must get", .kind = CELL_TEXT, .use = COLUMN_PEOPLE, .is_right = true},
    {.key = "limit", .kind = CELL_TEXT, .use = COLUMN_PEOPLE, .is_right = true},
    {.key = "function", .kind = CELL_TEXT, .use = COLUMN_PEOPLE, .is_path = true},
};

static const struct column part_columns[] = {
    TEXT_COLUMN("part", NULL),
    COUNT_COLUMN("functions", NULL),
    {.key = "time", .kind = CELL_VALUE, .use = COLUMN_ALL},
    {.key = "share", .kind = CELL_TEXT, .use = COLUMN_PEOPLE, .is_right = true},
    {.key = "fraction", .kind = CELL_SHARE, .use = COLUMN_MACHINES},
    {.key = "fraction_low", .kind = CELL_SHARE, .use = COLUMN_MACHINES},
    {.key = "faster by", .kind = CELL_TEXT, .use = COLUMN_PEOPLE, .is_right = true},
    {.key = "factor", .kind = CELL_RATIO, .use = COLUMN_MACHINES},
};

/* ---- factors and shares as people read them: three digits at most ---- */

static const char *factor_text(double factor, struct arena *arena)
{
    if (isinf(factor))
        return "no limit";
    return arena_printf(arena, "%.*fx", factor < 9.995 ? 2 : factor < 99.95 ? 1 : 0, factor);
}

const char *amdahl_gain_text(const struct gain *gain, struct arena *arena)
{
    const char *low = factor_text(gain->low, arena), *high = factor_text(gain->high, arena);

    if (strcmp(low, high) == 0)
        return high;
    return arena_printf(arena, "%.*s-%s", (int)strcspn(low, "x"), low, high);
}

static const char *shares_text(double low, double high, struct arena *arena)
{
    char from[FORMAT_LEN], to[FORMAT_LEN];

    format_share(from, low);
    format_share(to, high);
    return strcmp(from, to) == 0 ? arena_printf(arena, "%s", to)
                                 : arena_printf(arena, "%s-%s", from, to);
}

static const char *needed_text(const struct gain *needed, struct arena *arena)
{
    if (isinf(needed->low))
        return "impossible alone";
    if (isinf(needed->high))
        return arena_printf(arena, "%s at least", factor_text(needed->low, arena));
    return amdahl_gain_text(needed, arena);
}

/* ---- tables ---- */

static void add_speedups(const struct amdahl *amdahl, struct table *outer, struct arena *arena)
{
    struct table *inner = table_new(arena, speedup_columns, COUNT_OF(speedup_columns),
                                    amdahl->count * AMDAHL_FACTORS, "speedup", NULL);

    inner->row = "speedup";
    outer->inner = inner;
    outer->first = arena_array(arena, amdahl->count + 1u, sizeof(*outer->first));
    for (uint32_t i = 0; i < amdahl->count * AMDAHL_FACTORS; i++) {
        struct row_writer row = table_row(inner, i);
        const struct gain *gain = &amdahl->rows[i / AMDAHL_FACTORS].overall[i % AMDAHL_FACTORS];

        row_real(&row, amdahl_factors[i % AMDAHL_FACTORS]);
        row_real(&row, gain->high);
        row_real(&row, gain->low);
    }
    for (uint32_t i = 0; i <= amdahl->count; i++)
        outer->first[i] = i * AMDAHL_FACTORS;
}

static const struct table *machine_table(const struct amdahl *amdahl, bool has_target,
                                         const struct graph *graph, struct arena *arena)
{
    struct table *table =
        table_new(arena, machine_columns, COUNT_OF(machine_columns), amdahl->count, "rows", NULL);

    table->use = COLUMN_MACHINES;
    for (uint32_t i = 0; i < amdahl->count; i++) {
        const struct amdahl_row *from = &amdahl->rows[i];
        struct row_writer row = table_row(table, i);

        row_frame(&row, graph, from->frame);
        row_number(&row, from->time);
        row_real(&row, from->share);
        row_real(&row, from->share_low);
        row_real(&row, from->share_high);
        row_real(&row, from->limit.high);
        row_real(&row, from->limit.low);
        row_real(&row, has_target ? from->needed.low : NAN);
        row_real(&row, has_target ? from->needed.high : NAN);
        row_real(&row, from->efficiency > 0 ? from->efficiency : NAN);
        row_real(&row, from->at_roof > 0 ? from->at_roof : NAN);
        row_real(&row, from->at_roof > 0 ? from->roof.high : NAN);
        row_real(&row, from->at_roof > 0 ? from->roof.low : NAN);
    }
    add_speedups(amdahl, table, arena);
    return table;
}

static const struct table *people_table(const struct amdahl *amdahl, bool has_target,
                                        const struct graph *graph, struct arena *arena)
{
    const struct column *columns = has_target ? target_columns : people_columns;
    uint32_t width = has_target ? COUNT_OF(target_columns) : COUNT_OF(people_columns);
    struct table *table =
        table_new(arena, columns_in_unit(arena, columns, width, graph_unit(graph)), width,
                  amdahl->count, "rows", NULL);

    table->use = COLUMN_PEOPLE;
    for (uint32_t i = 0; i < amdahl->count; i++) {
        const struct amdahl_row *from = &amdahl->rows[i];
        struct row_writer row = table_row(table, i);

        row_number(&row, from->time);
        row_text(&row, span_of(shares_text(from->share_low, from->share_high, arena)));
        if (has_target)
            row_text(&row, span_of(needed_text(&from->needed, arena)));
        else
            for (uint32_t k = 0; k < AMDAHL_FACTORS; k++)
                row_text(&row, span_of(amdahl_gain_text(&from->overall[k], arena)));
        row_text(&row, span_of(amdahl_gain_text(&from->limit, arena)));
        row_label(&row, graph, from->frame, arena);
    }
    return table;
}

static bool gives_more(const void *context, uint32_t a, uint32_t b)
{
    const struct amdahl_row *rows = context;

    return rows[a].roof.high > rows[b].roof.high;
}

/* What the hardware leaves to be had, the most first. */
static void add_roofs(const struct amdahl *amdahl, struct arena *arena, struct report *report)
{
    const struct graph *graph = report->inputs[0].graph;
    uint32_t *known = arena_array(arena, amdahl->count, sizeof(*known)), count = 0;
    struct table *table;

    for (uint32_t i = 0; i < amdahl->count; i++)
        if (amdahl->rows[i].at_roof > 0)
            known[count++] = i;
    if (count == 0)
        return;
    sort_stable(known, count, gives_more, amdahl->rows);
    table = table_new(arena, roof_columns, COUNT_OF(roof_columns), count, "rows",
                      "At its roof, each gives the whole at most");
    table->use = COLUMN_PEOPLE;
    for (uint32_t i = 0; i < count; i++) {
        const struct amdahl_row *from = &amdahl->rows[known[i]];
        struct row_writer row = table_row(table, i);

        row_number(&row, from->time);
        row_real(&row, from->efficiency);
        row_text(&row, span_of(factor_text(from->at_roof, arena)));
        row_text(&row, span_of(amdahl_gain_text(&from->roof, arena)));
        row_label(&row, graph, from->frame, arena);
    }
    report_table(report, table);
}

/* ---- lines ---- */

static const char *denominator(const struct amdahl *amdahl, const struct amdahl_options *options,
                               const struct graph *graph, struct arena *arena)
{
    char whole[FORMAT_LEN];

    format_value(whole, amdahl->whole, graph_unit(graph));
    if (amdahl->is_timeline)
        return arena_printf(arena,
                            "shares are of the %s from the first event to the last: at "
                            "least while nothing else ran, at most whenever it ran",
                            whole);
    if (options->samples)
        return arena_printf(arena, "shares are of %s in %s, give or take two standard errors",
                            whole, format_many(arena, options->samples, "sample"));
    return arena_printf(arena, "shares are of %s, %s", whole,
                        options->is_cum ? "with callees" : "without callees");
}

static void add_notes(const struct amdahl *amdahl, struct arena *arena, struct report *report)
{
    report_after(report, "assumes that everything else stays as it was");
    if (amdahl->waits_for_launches)
        report_after(report, "the device waits for its launches: what makes its work faster may "
                             "save nothing, so its lower bounds are 1");
    if (amdahl->odd)
        report_afterf(report, arena,
                      "%" PRIu32 " functions are left out: their times are no share of the whole",
                      amdahl->odd);
    if (amdahl->left_out)
        report_afterf(report, arena, "%" PRIu32 " more functions can give less; -n 0 shows all",
                      amdahl->left_out);
}

void amdahl_report(const struct amdahl *amdahl, const struct amdahl_options *options,
                   struct arena *arena, struct report *report)
{
    const struct graph *graph = report->inputs[0].graph;
    bool has_target = options->target > 1;

    report->has_value = true;
    report_number(report, "whole", amdahl->whole);
    report_number(report, "samples", options->samples ? options->samples : TABLE_NULL);
    if (has_target)
        report_real(report, "target", options->target);
    report_before(report, denominator(amdahl, options, graph, arena));
    if (has_target)
        report_beforef(report, arena,
                       "for the whole to get %s faster, one of them must get so much faster",
                       factor_text(options->target, arena));
    report_table(report, machine_table(amdahl, has_target, graph, arena));
    report_table(report, people_table(amdahl, has_target, graph, arena));
    add_roofs(amdahl, arena, report);
    add_notes(amdahl, arena, report);
}

void amdahl_plan_report(const struct amdahl_plan *plan, const char *const *names,
                        struct arena *arena, struct report *report)
{
    enum unit unit = graph_unit(report->inputs[0].graph);
    struct table *table =
        table_new(arena, columns_in_unit(arena, part_columns, COUNT_OF(part_columns), unit),
                  COUNT_OF(part_columns), plan->count, "plan", NULL);

    for (uint32_t i = 0; i < plan->count; i++) {
        const struct amdahl_part *part = &plan->parts[i];
        struct row_writer row = table_row(table, i);

        row_text(&row, span_of(names[i]));
        row_number(&row, part->functions);
        row_number(&row, part->time);
        row_text(&row, span_of(shares_text(part->share_low, part->share_high, arena)));
        row_real(&row, part->share_high);
        row_real(&row, part->share_low);
        row_text(&row, isinf(plan->factors[i]) ? SPAN("removed")
                                               : span_of(factor_text(plan->factors[i], arena)));
        row_real(&row, plan->factors[i]);
    }
    report_table(report, table);
    report_real(report, "overall", plan->overall.high);
    report_real(report, "overall_low", plan->overall.low);
    report_afterf(report, arena, "all parts of the plan together: %s",
                  amdahl_gain_text(&plan->overall, arena));
}

/* ---- steps ---- */

static const struct column step_columns[] = {
    {.key = "name", .kind = CELL_TEXT, .use = COLUMN_MACHINES},
    {.key = "kind", .kind = CELL_TEXT, .use = COLUMN_MACHINES},
    SHARE_COLUMN("fraction_min", "least"),
    SHARE_COLUMN("fraction_median", "median"),
    SHARE_COLUMN("fraction_max", "most"),
    SHARE_COLUMN("exposed_median", "exposed"),
    {.key = "limit_median", .kind = CELL_RATIO, .use = COLUMN_MACHINES},
    {.key = "limit", .kind = CELL_TEXT, .use = COLUMN_PEOPLE, .is_right = true},
    {.key = "function", .kind = CELL_TEXT, .use = COLUMN_PEOPLE, .is_path = true},
};

static const char *step_title(const struct amdahl_steps *steps, struct arena *arena)
{
    char least[FORMAT_LEN], middle[FORMAT_LEN], most[FORMAT_LEN];

    return arena_printf(arena, "Shares of %" PRIu32 " steps that took %s to %s, %s in the median",
                        steps->count, format_value(least, steps->shortest, UNIT_NS),
                        format_value(most, steps->longest, UNIT_NS),
                        format_value(middle, steps->median, UNIT_NS));
}

void amdahl_steps_report(const struct amdahl *amdahl, const struct amdahl_steps *steps,
                         struct arena *arena, struct report *report)
{
    const struct graph *graph = report->inputs[0].graph;
    struct table *table = table_new(arena, step_columns, COUNT_OF(step_columns), amdahl->count,
                                    "steps", step_title(steps, arena));

    for (uint32_t i = 0; i < amdahl->count; i++) {
        frame_id frame = amdahl->rows[i].frame;
        const struct step_shares *shares = &steps->of[frame];
        enum frame_kind kind = graph_frame(graph, frame)->kind;
        bool has_low = !(amdahl->waits_for_launches && frame_kind_is_device(kind));
        /* Of a step of median length: at least by what nothing hides, at most by all of it. */
        struct gain limit = {has_low ? speedup_limit(shares->exposed) : 1,
                             speedup_limit(shares->median)};
        struct row_writer row = table_row(table, i);

        row_text(&row, graph_text(graph, graph_frame(graph, frame)->name));
        row_text(&row, span_of(frame_kind_name(kind)));
        row_real(&row, shares->least);
        row_real(&row, shares->median);
        row_real(&row, shares->most);
        row_real(&row, shares->exposed);
        row_real(&row, isinf(limit.high) ? NAN : limit.high);
        row_text(&row, span_of(amdahl_gain_text(&limit, arena)));
        row_label(&row, graph, frame, arena);
    }
    report_table(report, table);
    report_number(report, "step_count", steps->count);
    report_number(report, "steps_left_out", steps->left_out);
}
