/* SPDX-License-Identifier: Apache-2.0 */
/* What a part's speedup gives the whole: for each function, a plan, and step by step. */
#include "render/reports/reports.h"

#include "analysis/execution/amdahl.h"
#include "base/memory/memory.h"
#include "base/text/format.h"
#include "graph/names/names.h"
#include "render/reports/report_columns.h"

#include <inttypes.h>
#include <math.h>

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

static struct table *speedup_table(const struct amdahl *amdahl, const struct table_context *context)
{
    typedef struct {
        double factor;
        struct gain overall;
    } row;
    static const struct column columns[] = {RATIO_AT("factor", factor, FOR_MACHINES),
                                            RATIO_AT("overall", overall.high, FOR_MACHINES),
                                            RATIO_AT("overall_low", overall.low, FOR_MACHINES)};
    uint32_t count = amdahl->count * AMDAHL_FACTORS;
    struct table *table = TABLE_BEGIN(context, columns, count, "speedup", NULL);

    table->row = "speedup";
    for (uint32_t i = 0; i < count; i++)
        TABLE_ADD(table, amdahl_factors[i % AMDAHL_FACTORS],
                  amdahl->rows[i / AMDAHL_FACTORS].overall[i % AMDAHL_FACTORS]);
    return table;
}

static const struct table *machine_table(const struct amdahl *amdahl, bool has_target,
                                         const struct table_context *context)
{
    typedef struct amdahl_row row;
    static const struct column columns[] = {
        FRAME_AT(frame, COLUMN_MACHINES),
        VALUE_AT("time", time, FOR_MACHINES),
        SHARE_AT("fraction", share, FOR_MACHINES),
        SHARE_AT("fraction_low", share_low, FOR_MACHINES),
        SHARE_AT("fraction_high", share_high, FOR_MACHINES),
        RATIO_AT("limit", limit.high, FOR_MACHINES),
        RATIO_AT("limit_low", limit.low, FOR_MACHINES),
        RATIO_AT("needed", needed.low, FOR_MACHINES),
        RATIO_AT("needed_high", needed.high, FOR_MACHINES),
        SHARE_AT("efficiency", efficiency, FOR_MACHINES),
        RATIO_AT("roof_factor", at_roof, FOR_MACHINES),
        RATIO_AT("at_roof", roof.high, FOR_MACHINES),
        RATIO_AT("at_roof_low", roof.low, FOR_MACHINES),
        SHORT_AT(frame),
    };
    struct table *table = TABLE_BEGIN(context, columns, amdahl->count, "rows", NULL);

    table->use = COLUMN_MACHINES;
    table->inner = speedup_table(amdahl, context);
    table->first = arena_array(context->arena, amdahl->count + 1u, sizeof(*table->first));
    for (uint32_t i = 0; i < amdahl->count; i++) {
        struct amdahl_row of = amdahl->rows[i];

        if (!has_target)
            of.needed = (struct gain){NAN, NAN};
        if (!(of.efficiency > 0))
            of.efficiency = NAN;
        if (!(of.at_roof > 0)) {
            of.at_roof = NAN;
            of.roof = (struct gain){NAN, NAN};
        }
        table_add(table, &of);
        table->first[i + 1] = (i + 1) * AMDAHL_FACTORS;
    }
    return table;
}

static union cell gain_cell(const struct cell_source *from)
{
    return (union cell){.text = span_of(amdahl_gain_text(from->field, from->context->arena))};
}

static union cell needed_cell(const struct cell_source *from)
{
    return (union cell){.text = span_of(needed_text(from->field, from->context->arena))};
}

static union cell factor_cell(const struct cell_source *from)
{
    return (union cell){
        .text = span_of(factor_text(*(const double *)from->field, from->context->arena))};
}

/* Of a lower and an upper bound. */
static union cell shares_cell(const struct cell_source *from)
{
    return (union cell){.text =
                            span_of(shares_text(*(const double *)from->field,
                                                *(const double *)from->per, from->context->arena))};
}

static const struct table *people_table(const struct amdahl *amdahl, bool has_target,
                                        const struct table_context *context)
{
    typedef struct amdahl_row row;
    static const struct column people_columns[] = {
        VALUE_AT("time", time, FOR_PEOPLE),
        TEXT_BY_TWO(shares_cell, "share", share_low, share_high, FOR_PEOPLE, .is_right = true),
        TEXT_BY(gain_cell, "1.5x", overall[0], FOR_PEOPLE, .yields = 2, .is_right = true),
        TEXT_BY(gain_cell, "2x", overall[1], FOR_PEOPLE, .is_right = true),
        TEXT_BY(gain_cell, "10x", overall[2], FOR_PEOPLE, .yields = 1, .is_right = true),
        TEXT_BY(gain_cell, "limit", limit, FOR_PEOPLE, .is_right = true),
        LABEL_AT("function", frame, FOR_PEOPLE, .is_path = true),
    };
    static const struct column target_columns[] = {
        VALUE_AT("time", time, FOR_PEOPLE),
        TEXT_BY_TWO(shares_cell, "share", share_low, share_high, FOR_PEOPLE, .is_right = true),
        TEXT_BY(needed_cell, "must get", needed, FOR_PEOPLE, .is_right = true),
        TEXT_BY(gain_cell, "limit", limit, FOR_PEOPLE, .is_right = true),
        LABEL_AT("function", frame, FOR_PEOPLE, .is_path = true),
    };
    struct table *table =
        has_target ? TABLE_OF(context, target_columns, amdahl->rows, amdahl->count, "rows", NULL)
                   : TABLE_OF(context, people_columns, amdahl->rows, amdahl->count, "rows", NULL);

    table->use = COLUMN_PEOPLE;
    return table;
}

static bool gives_more(const void *context, uint32_t a, uint32_t b)
{
    const struct amdahl_row *rows = context;

    return rows[a].roof.high > rows[b].roof.high;
}

/* What the hardware leaves to be had, the most first: of parts whose work is known, how much faster they,
 * and the whole, get at the roof. */
static void add_roofs(const struct amdahl *amdahl, const struct table_context *context,
                      struct report *report)
{
    typedef struct amdahl_row row;
    static const struct column columns[] = {
        TIME_AT("time", time, FOR_PEOPLE),
        SHARE_AT("of roof", efficiency, FOR_PEOPLE),
        TEXT_BY(factor_cell, "at the roof", at_roof, FOR_PEOPLE, .is_right = true),
        TEXT_BY(gain_cell, "the whole", roof, FOR_PEOPLE, .is_right = true),
        LABEL_AT("function", frame, FOR_PEOPLE, .is_path = true),
    };
    uint32_t *known = arena_array(context->arena, amdahl->count, sizeof(*known)), count = 0;
    struct table *table;

    for (uint32_t i = 0; i < amdahl->count; i++)
        if (amdahl->rows[i].at_roof > 0)
            known[count++] = i;
    if (count == 0)
        return;
    sort_stable(known, count, gives_more, amdahl->rows);
    table =
        TABLE_BEGIN(context, columns, count, "rows", "At its roof, each gives the whole at most");
    table->use = COLUMN_PEOPLE;
    for (uint32_t i = 0; i < count; i++)
        table_add(table, &amdahl->rows[known[i]]);
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
                            "Shares are of the %s from the first event to the last: at "
                            "least while nothing else ran, at most whenever it ran.",
                            whole);
    if (options->samples)
        return arena_printf(arena, "Shares are of %s in %s, give or take two standard errors.",
                            whole, format_many(arena, options->samples, "sample"));
    return arena_printf(arena, "Shares are of %s, %s.", whole,
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

/* "Without gemm fp16 128x64 the whole would be 1.2x to 1.6x faster." */
static void add_sentence(const struct amdahl *amdahl, const struct graph *graph, struct arena *arena,
                         struct report *report)
{
    struct span name;

    if (!amdahl->count)
        return;
    name = graph_short_name(graph, amdahl->rows[0].frame);
    report_beforef(report, arena, "Without %.*s the whole would be %s faster.", (int)name.len, name.at,
                   amdahl_gain_text(&amdahl->rows[0].limit, arena));
}

void amdahl_report(const struct amdahl *amdahl, const struct amdahl_options *options,
                   struct arena *arena, struct report *report)
{
    const struct graph *graph = report->inputs[0].graph;
    struct table_context context = graph_context(graph, arena);
    bool has_target = options->target > 1;

    report->has_value = true;
    report_value(report, "whole", amdahl->whole, graph_unit(report->inputs[0].graph));
    report_number(report, "samples", options->samples ? options->samples : TABLE_NULL);
    if (has_target)
        report_real(report, "target", options->target);
    add_sentence(amdahl, graph, arena, report);
    report_before(report, denominator(amdahl, options, graph, arena));
    if (has_target)
        report_beforef(report, arena,
                       "For the whole to get %s faster, one of them must get so much faster.",
                       factor_text(options->target, arena));
    report_table(report, machine_table(amdahl, has_target, &context));
    report_table(report, people_table(amdahl, has_target, &context));
    add_roofs(amdahl, &context, report);
    add_notes(amdahl, arena, report);
}

void amdahl_plan_report(const struct amdahl_plan *plan, const char *const *names,
                        struct arena *arena, struct report *report)
{
    typedef struct {
        struct amdahl_part of;
        const char *name, *faster;
        double factor;
    } row;
    static const struct column columns[] = {
        TEXT_AT("part", name),
        COUNT_AT("functions", of.functions),
        VALUE_AT("time", of.time),
        TEXT_BY_TWO(shares_cell, "share", of.share_low, of.share_high, FOR_PEOPLE,
                    .is_right = true),
        SHARE_AT("fraction", of.share_high, FOR_MACHINES),
        SHARE_AT("fraction_low", of.share_low, FOR_MACHINES),
        TEXT_AT("faster by", faster, FOR_PEOPLE, .is_right = true),
        RATIO_AT("factor", factor, FOR_MACHINES),
    };
    struct table_context context = graph_context(report->inputs[0].graph, arena);
    struct table *table = TABLE_BEGIN(&context, columns, plan->count, "plan", NULL);

    for (uint32_t i = 0; i < plan->count; i++)
        TABLE_ADD(table, plan->parts[i], names[i],
                  isinf(plan->factors[i]) ? "removed" : factor_text(plan->factors[i], arena),
                  plan->factors[i]);
    report_table(report, table);
    report_real(report, "overall", plan->overall.high);
    report_real(report, "overall_low", plan->overall.low);
    report_afterf(report, arena, "all parts of the plan together: %s",
                  amdahl_gain_text(&plan->overall, arena));
}

/* ---- steps ---- */

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
    typedef struct {
        frame_id frame;
        struct step_shares of;
        struct gain limit;
    } row;
    static const struct column columns[] = {
        TEXT_BY(cell_frame_name, "name", frame, FOR_MACHINES),
        TEXT_BY(cell_frame_kind, "kind", frame, FOR_MACHINES),
        SHARE_AT("fraction_min", of.least, .heading = "least"),
        SHARE_AT("fraction_median", of.median, .heading = "median"),
        SHARE_AT("fraction_max", of.most, .heading = "most"),
        SHARE_AT("exposed_median", of.exposed, .heading = "exposed"),
        RATIO_AT("limit_median", limit.high, FOR_MACHINES),
        TEXT_BY(gain_cell, "limit", limit, FOR_PEOPLE, .is_right = true),
        LABEL_AT("function", frame, FOR_PEOPLE, .is_path = true),
    };
    const struct graph *graph = report->inputs[0].graph;
    struct table_context context = {.arena = arena, .graph = graph};
    struct table *table =
        TABLE_BEGIN(&context, columns, amdahl->count, "steps", step_title(steps, arena));

    for (uint32_t i = 0; i < amdahl->count; i++) {
        frame_id frame = amdahl->rows[i].frame;
        const struct step_shares *shares = &steps->of[frame];
        bool has_low =
            !(amdahl->waits_for_launches && frame_kind_is_device(graph_frame(graph, frame)->kind));

        /* Of a step of median length: at least by what nothing hides, at most by all of it. */
        TABLE_ADD(
            table, .frame = frame, .of = *shares,
            .limit = {has_low ? speedup_limit(shares->exposed) : 1, speedup_limit(shares->median)});
    }
    report_table(report, table);
    report_number(report, "step_count", steps->count);
    report_number(report, "steps_left_out", steps->left_out);
}
