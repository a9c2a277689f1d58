/* SPDX-License-Identifier: Apache-2.0 */
/* Two profiles: the runs, and a row a function that either has. */
#include "render/reports/reports.h"

#include "analysis/compare/diff.h"
#include "analysis/compare/structure.h"
#include "base/checked.h"
#include "base/text/format.h"
#include "graph/model/graph.h"
#include "graph/names/names.h"
#include "render/reports/report_columns.h"

#include <inttypes.h>
#include <math.h>

/* ---- texts ---- */

const char *diff_value_text(double value, enum unit unit, struct arena *arena)
{
    char text[FORMAT_LEN];

    format_value(text, (int64_t)llround(fabs(value)), unit);
    return arena_printf(arena, "%s%s", value < 0 ? "-" : value > 0 ? "+" : "", text);
}

const char *diff_growth_text(int64_t old, int64_t new, struct arena *arena)
{
    double growth = diff_growth(old, new);
    char text[FORMAT_LEN];

    if (isinf(growth))
        return "new";
    if (old && !new)
        return "gone";
    format_share(text, fabs(growth));
    return arena_printf(arena, "%s%s", growth < 0 ? "-" : growth > 0 ? "+" : "", text);
}

/* "noise" where it holds 0; nothing where nothing was sampled. */
static const char *interval_text(const struct confidence *interval, enum unit unit,
                                 struct arena *arena)
{
    if (!interval->is_known || (interval->low == 0 && interval->high == 0))
        return "";
    return arena_printf(arena, "%s … %s%s", diff_value_text(interval->low, unit, arena),
                        diff_value_text(interval->high, unit, arena),
                        confidence_is_clear(interval) ? "" : " noise");
}

/* "12", or where they differ "12 → 10". */
static const char *calls_text(const struct diff_row *row, struct arena *arena)
{
    char old[FORMAT_LEN], new[FORMAT_LEN];

    if (row->calls[DIFF_BEFORE] == UNKNOWN || row->calls[DIFF_AFTER] == UNKNOWN)
        return "";
    format_count(old, row->calls[DIFF_BEFORE]);
    format_count(new, row->calls[DIFF_AFTER]);
    return row->calls[DIFF_BEFORE] == row->calls[DIFF_AFTER]
               ? arena_printf(arena, "%s", new)
               : arena_printf(arena, "%s → %s", old, new);
}

/* ---- the runs themselves ---- */

static const char *measure_text(enum run_measure measure, bool is_by_step)
{
    static const char *const texts[MEASURE_COUNT] = {
        [MEASURE_TIME] = "time of the run",
        [MEASURE_BUSY] = "device busy",
        [MEASURE_IDLE] = "device idle",
        [MEASURE_COMPUTE] = "computing",
        [MEASURE_COMMUNICATION] = "only communicating",
        [MEASURE_COPIES] = "only copying",
    };

    return measure == MEASURE_TIME && is_by_step ? "time of a step" : texts[measure];
}

/* People are not told that neither run communicates, or copies. */
static bool is_worth_a_row(enum run_measure measure, const int64_t *time, enum column_use use)
{
    return use == COLUMN_MACHINES || measure < MEASURE_COMMUNICATION || time[DIFF_BEFORE] != 0 ||
           time[DIFF_AFTER] != 0;
}

/* Without devices there is only the time. */
static void add_run(const struct run_difference *run, enum column_use use, struct arena *arena,
                    struct report *report)
{
    typedef struct {
        const char *measure, *text, *delta, *percent, *interval;
        int64_t old, new;
        double growth, low, high;
    } row;
    static const struct column columns[] = {
        TEXT_AT("measure", measure, FOR_MACHINES),
        TIME_AT("old", old, FOR_MACHINES),
        TIME_AT("new", new, FOR_MACHINES),
        RATIO_AT("growth", growth, FOR_MACHINES),
        RATIO_AT("delta_low", low, FOR_MACHINES),
        RATIO_AT("delta_high", high, FOR_MACHINES),
        TEXT_AT("what", text, FOR_PEOPLE, .heading = ""),
        TIME_AT("before", old, FOR_PEOPLE),
        TIME_AT("after", new, FOR_PEOPLE),
        TEXT_AT("delta", delta, FOR_PEOPLE, .is_right = true),
        TEXT_AT("delta%", percent, FOR_PEOPLE, .is_right = true),
        TEXT_AT("95 % interval", interval, FOR_PEOPLE, .is_right = true),
    };
    bool has_devices = run->time[MEASURE_BUSY][DIFF_BEFORE] != UNKNOWN &&
                       run->time[MEASURE_BUSY][DIFF_AFTER] != UNKNOWN;
    uint32_t count = has_devices ? MEASURE_COUNT : 1;
    struct table *table =
        TABLE_BEGIN(&(struct table_context){.arena = arena}, columns, count, "run", NULL);

    table->use = use;
    for (uint32_t i = 0; i < count; i++) {
        const struct confidence *noise = &run->noise[i];
        int64_t old = run->time[i][DIFF_BEFORE], new = run->time[i][DIFF_AFTER];

        if (!is_worth_a_row((enum run_measure)i, run->time[i], use))
            continue;
        TABLE_ADD(
            table, .measure = run_measure_name((enum run_measure)i),
            .text = measure_text((enum run_measure)i, run->is_by_step), .old = old, .new = new,
            .growth = diff_growth(old, new), .low = noise->is_known ? noise->low : NAN,
            .high = noise->is_known ? noise->high : NAN,
            .delta = diff_value_text((double)new - (double)old, UNIT_NS, arena),
            .percent = diff_growth_text(old, new, arena),
            .interval =
                run->noise[MEASURE_TIME].is_known ? interval_text(noise, UNIT_NS, arena) : NULL);
    }
    report_table(report, table);
}

/* ---- functions ---- */

static const char *state_of(const struct diff_row *of, const int64_t *figure)
{
    if (!of->before)
        return "added";
    if (!of->after)
        return "removed";
    return figure[DIFF_BEFORE] == figure[DIFF_AFTER]  ? "same"
           : figure[DIFF_BEFORE] < figure[DIFF_AFTER] ? "grown"
                                                      : "shrunk";
}

static union cell function_cell(const struct cell_source *from);

/* A function of either profile, and what is made of its figures. */
typedef struct {
    struct diff_row of;
    frame_id frame;
    struct span old_name;
    int64_t old_line, old, new, delta;
    double growth, low, high;
    const char *state, *calls, *delta_text, *percent, *interval;
} row;

static const struct column columns[] = {
    FRAME_AT(frame, COLUMN_MACHINES),
    TEXT_AT("old_name", old_name, FOR_MACHINES),
    COUNT_AT("old_line", old_line, FOR_MACHINES),
    TEXT_AT("state", state, FOR_MACHINES),
    COUNT_AT("old_calls", of.calls[DIFF_BEFORE], FOR_MACHINES),
    COUNT_AT("new_calls", of.calls[DIFF_AFTER], FOR_MACHINES),
    VALUE_AT("old_self", of.self[DIFF_BEFORE], FOR_MACHINES),
    VALUE_AT("new_self", of.self[DIFF_AFTER], FOR_MACHINES),
    VALUE_AT("old_cum", of.cum[DIFF_BEFORE], FOR_MACHINES),
    VALUE_AT("new_cum", of.cum[DIFF_AFTER], FOR_MACHINES),
    VALUE_AT("delta", delta, FOR_MACHINES),
    RATIO_AT("growth", growth, FOR_MACHINES),
    RATIO_AT("delta_low", low, FOR_MACHINES),
    RATIO_AT("delta_high", high, FOR_MACHINES),
    FLAG_AT("fails", of.fails, FOR_MACHINES),
    FLAG_AT("is_doubtful", of.is_doubtful, FOR_MACHINES),
    FLAG_AT("is_renamed", of.is_renamed, FOR_MACHINES),
    SHORT_AT(frame),
    TEXT_AT("calls", calls, FOR_PEOPLE, .is_right = true, .yields = 4),
    VALUE_AT("old", old, FOR_PEOPLE, .yields = 2),
    VALUE_AT("new", new, FOR_PEOPLE),
    TEXT_AT("delta", delta_text, FOR_PEOPLE, .is_right = true),
    TEXT_AT("delta%", percent, FOR_PEOPLE, .is_right = true),
    TEXT_AT("interval", interval, FOR_PEOPLE, .is_right = true, .yields = 3),
    TEXT_BY(function_cell, "function", of, FOR_PEOPLE, .is_path = true, .is_label = true,
            .per = offsetof(row, frame)),
};

static union cell function_cell(const struct cell_source *from)
{
    const struct diff_row *of = from->field;
    frame_id frame = of->after ? of->after : of->before;

    if (!of->is_doubtful && !of->is_renamed)
        return cell_label(&(struct cell_source){.field = &frame, .context = from->context});
    struct span name = graph_short_name(from->context->graph, of->after);
    struct span what = SPAN("  (which of its name is not certain)"), old = NO_TEXT, end = NO_TEXT;

    if (of->is_renamed) {
        what = SPAN("  (was ");
        old = graph_short_name(from->context->graph, of->before);
        end = SPAN(")");
    }
    char *text = arena_array(from->context->arena, name.len + what.len + old.len + end.len, 1);

    memcpy(text, name.at, name.len);
    memcpy(text + name.len, what.at, what.len);
    if (old.len)
        memcpy(text + name.len + what.len, old.at, old.len);
    memcpy(text + name.len + what.len + old.len, ")", end.len);
    return (union cell){.text = {text, name.len + what.len + old.len + end.len}};
}

static void add_function(struct table *table, const struct diff_row *of, bool is_cum)
{
    const struct graph *names = table->context.graph;
    const struct frame *before = graph_frame(names, of->before);
    const int64_t *figure = is_cum ? of->cum : of->self;
    int64_t old = figure[DIFF_BEFORE], new = figure[DIFF_AFTER];
    struct arena *arena = table->context.arena;
    enum unit unit = graph_unit(names);

    TABLE_ADD(table, .of = *of, .frame = of->after ? of->after : of->before,
              .old_name = of->before ? graph_text(names, before->name) : NO_TEXT,
              .old_line = of->before ? before->line : TABLE_NULL, .state = state_of(of, figure),
              .old = old, .new = new, .delta = checked_sub(new, old),
              .growth = diff_growth(old, new), .low = of->noise.is_known ? of->noise.low : NAN,
              .high = of->noise.is_known ? of->noise.high : NAN, .calls = calls_text(of, arena),
              .delta_text = diff_value_text((double)new - (double)old, unit, arena),
              .percent = diff_growth_text(old, new, arena),
              .interval = interval_text(&of->noise, unit, arena));
}

/* ---- the whole ---- */

/* Of traces the sum over functions, which run side by side, is nothing that anybody waited for. */
static const char *headline(const struct difference *difference, const struct diff *diff,
                            struct arena *arena)
{
    const struct run_difference *run = &difference->run;
    enum unit unit = run->is_known ? UNIT_NS : graph_unit(&diff->names);
    char old[FORMAT_LEN], new[FORMAT_LEN];
    const int64_t *total = run->is_known ? run->time[MEASURE_TIME] : difference->total;
    const char *interval =
        interval_text(run->is_known ? &run->noise[MEASURE_TIME] : &difference->noise, unit, arena);

    return arena_printf(
        arena, "%s %s %s instead of %s: %s (%s)%s%s.",
        run->is_known ? (run->is_by_step ? "A step" : "The run") : "It", unit == UNIT_NS ? "takes" : "has",
        format_value(new, total[DIFF_AFTER], unit), format_value(old, total[DIFF_BEFORE], unit),
        diff_value_text((double)total[DIFF_AFTER] - (double)total[DIFF_BEFORE], unit, arena),
        diff_growth_text(total[DIFF_BEFORE], total[DIFF_AFTER], arena),
        *interval ? "; 95 % interval " : "", interval);
}

static const char *counts_line(const struct difference *difference, const struct diff *diff,
                               struct arena *arena)
{
    uint32_t before = diff->run_count[DIFF_BEFORE], after = diff->run_count[DIFF_AFTER];
    const char *runs =
        before + after > 2 ? arena_printf(arena, "; means of %u and %u runs", before, after) : "";
    const uint32_t *slower = diff->slower;
    const char *rest = slower[DIFF_BEFORE] + slower[DIFF_AFTER]
                           ? arena_printf(arena, ", the fastest of %u and %u",
                                          before + slower[DIFF_BEFORE], after + slower[DIFF_AFTER])
                           : "";

    return arena_printf(arena, "functions added: %u, removed: %u%s%s", difference->added,
                        difference->removed, runs, rest);
}

static void report_total(const struct difference *difference, struct report *report)
{
    bool is_known = difference->noise.is_known;

    report_value(report, "old_total", difference->total[DIFF_BEFORE], graph_unit(report->inputs[0].graph));
    report_value(report, "new_total", difference->total[DIFF_AFTER], graph_unit(report->inputs[0].graph));
    report_real(report, "growth",
                diff_growth(difference->total[DIFF_BEFORE], difference->total[DIFF_AFTER]));
    report_real(report, "delta_low", is_known ? difference->noise.low : NAN);
    report_real(report, "delta_high", is_known ? difference->noise.high : NAN);
    report_number(report, "added", difference->added);
    report_number(report, "removed", difference->removed);
    report_number(report, "failed", difference->failed);
}

static const char *noise_line(const struct difference *difference, const struct diff *diff,
                              struct arena *arena)
{
    if (difference->merged > 1 && !difference->noise.is_known)
        return arena_printf(arena,
                            "a sum of %" PRId64
                            " runs does not hold how they differ: noise is not known; name "
                            "their files or a directory of them instead",
                            difference->merged);
    if (difference->has_exact_calls && graph_unit(&diff->names) == UNIT_NS)
        return "one run each: the noise of times is not known; calls are exact, and "
               "functions with other calls come first";
    if (difference->run.is_known && !difference->run.noise[MEASURE_TIME].is_known)
        return "one run each: the noise of times is not known";
    return NULL;
}

void diff_report(const struct difference *difference, const struct diff *diff, struct arena *arena,
                 struct report *report)
{
    diff_parts_report(difference, diff, NULL, arena, report);
}

void diff_parts_report(const struct difference *difference, const struct diff *diff,
                       const struct diff_parts *parts, struct arena *arena, struct report *report)
{
    const char *noise =
        parts && parts->found->has_noise ? NULL : noise_line(difference, diff, arena);
    enum column_use use = parts ? parts->functions : COLUMN_ALL;
    struct table_context context = graph_context(&diff->names, arena);
    struct table *table = TABLE_BEGIN(&context, columns, difference->count, "rows", NULL);
    bool has_noise = false;

    for (uint32_t i = 0; i < difference->count; i++) {
        has_noise |= difference->rows[i].noise.is_known;
        add_function(table, &difference->rows[i], difference->is_cum);
    }
    if (!has_noise)
        table_column(table, "interval")->use = COLUMN_NOBODY;
    if (!difference->run.is_known && !difference->has_exact_calls)
        table_column(table, "calls")->use = COLUMN_NOBODY;
    table->use = use;
    report->has_value = true;
    report_total(difference, report);
    report_before(report, headline(difference, diff, arena));
    if (use == COLUMN_ALL)
        report_before(report, counts_line(difference, diff, arena));
    if (noise)
        report_before(report, noise);
    if (difference->run.is_known)
        add_run(&difference->run, COLUMN_PEOPLE, arena, report);
    if (use != COLUMN_NOBODY)
        report_table(report, table);
    if (parts)
        structure_report(parts->structure, parts->found, arena, report);
    if (difference->run.is_known) {
        report_text(report, "run_is_of", span_of(difference->run.is_by_step ? "step" : "run"));
        add_run(&difference->run, COLUMN_MACHINES, arena, report);
    }
    if (difference->left_out && use == COLUMN_ALL)
        report_afterf(report, arena, "%s; -n 0 shows all",
                      format_many(arena, difference->left_out, "more function"));
}
