/* SPDX-License-Identifier: Apache-2.0 */
#include "render/reports/reports.h"

#include "analysis/compare/diff.h"
#include "base/checked.h"
#include "base/text/format.h"
#include "graph/model/graph.h"
#include "render/reports/report_columns.h"

#include <math.h>

static const struct column columns[] = {
    FRAME_COLUMNS(COLUMN_MACHINES),
    {.key = "old_name", .kind = CELL_TEXT, .use = COLUMN_MACHINES},
    {.key = "old_line", .kind = CELL_COUNT, .use = COLUMN_MACHINES},
    {.key = "state", .kind = CELL_TEXT, .use = COLUMN_MACHINES},
    {.key = "old_calls", .kind = CELL_COUNT, .use = COLUMN_MACHINES},
    {.key = "new_calls", .kind = CELL_COUNT, .use = COLUMN_MACHINES},
    {.key = "old_self", .kind = CELL_VALUE, .use = COLUMN_MACHINES},
    {.key = "new_self", .kind = CELL_VALUE, .use = COLUMN_MACHINES},
    {.key = "old_cum", .kind = CELL_VALUE, .use = COLUMN_MACHINES},
    {.key = "new_cum", .kind = CELL_VALUE, .use = COLUMN_MACHINES},
    {.key = "delta", .kind = CELL_VALUE, .use = COLUMN_MACHINES},
    {.key = "growth", .kind = CELL_RATIO, .use = COLUMN_MACHINES},
    {.key = "delta_low", .kind = CELL_RATIO, .use = COLUMN_MACHINES},
    {.key = "delta_high", .kind = CELL_RATIO, .use = COLUMN_MACHINES},
    {.key = "fails", .kind = CELL_FLAG, .use = COLUMN_MACHINES},
    {.key = "is_doubtful", .kind = CELL_FLAG, .use = COLUMN_MACHINES},
    {.key = "calls", .kind = CELL_TEXT, .use = COLUMN_PEOPLE, .is_right = true},
    {.key = "old", .kind = CELL_VALUE, .use = COLUMN_PEOPLE},
    {.key = "new", .kind = CELL_VALUE, .use = COLUMN_PEOPLE},
    {.key = "delta", .kind = CELL_TEXT, .use = COLUMN_PEOPLE, .is_right = true},
    {.key = "delta%", .kind = CELL_TEXT, .use = COLUMN_PEOPLE, .is_right = true},
    {.key = "interval", .kind = CELL_TEXT, .use = COLUMN_PEOPLE, .is_right = true},
    {.key = "function", .kind = CELL_TEXT, .use = COLUMN_PEOPLE, .is_path = true},
};

enum { CALLS_COLUMN = 20, INTERVAL_COLUMN = 25 };

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

static const struct column run_columns[] = {
    {.key = "measure", .kind = CELL_TEXT, .use = COLUMN_MACHINES},
    {.key = "old", .kind = CELL_VALUE, .use = COLUMN_MACHINES, .unit = UNIT_NS},
    {.key = "new", .kind = CELL_VALUE, .use = COLUMN_MACHINES, .unit = UNIT_NS},
    {.key = "growth", .kind = CELL_RATIO, .use = COLUMN_MACHINES},
    {.key = "delta_low", .kind = CELL_RATIO, .use = COLUMN_MACHINES},
    {.key = "delta_high", .kind = CELL_RATIO, .use = COLUMN_MACHINES},
    {.key = "what", .heading = "", .kind = CELL_TEXT, .use = COLUMN_PEOPLE},
    {.key = "before", .kind = CELL_VALUE, .use = COLUMN_PEOPLE, .unit = UNIT_NS},
    {.key = "after", .kind = CELL_VALUE, .use = COLUMN_PEOPLE, .unit = UNIT_NS},
    {.key = "delta", .kind = CELL_TEXT, .use = COLUMN_PEOPLE, .is_right = true},
    {.key = "delta%", .kind = CELL_TEXT, .use = COLUMN_PEOPLE, .is_right = true},
    {.key = "95 % interval", .kind = CELL_TEXT, .use = COLUMN_PEOPLE, .is_right = true},
};

enum { RUN_INTERVAL_COLUMN = 11 };

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

/* Without devices there is only the time. */
static void add_run(const struct run_difference *run, enum column_use use, struct arena *arena,
                    struct report *report)
{
    bool has_devices = run->time[MEASURE_BUSY][DIFF_BEFORE] != UNKNOWN &&
                       run->time[MEASURE_BUSY][DIFF_AFTER] != UNKNOWN;
    uint32_t height = has_devices ? MEASURE_COUNT : 1;
    struct column *shown = columns_in_unit(arena, run_columns, COUNT_OF(run_columns), UNIT_NS);
    struct table *table = table_new(arena, shown, COUNT_OF(run_columns), height, "run", NULL);

    if (!run->noise[MEASURE_TIME].is_known)
        shown[RUN_INTERVAL_COLUMN].use = 0;
    table->use = use;
    for (uint32_t i = 0; i < height; i++) {
        struct row_writer row = table_row(table, i);
        const struct confidence *noise = &run->noise[i];
        int64_t old = run->time[i][DIFF_BEFORE], new = run->time[i][DIFF_AFTER];

        row_text(&row, span_of(run_measure_name((enum run_measure)i)));
        row_number(&row, old);
        row_number(&row, new);
        row_real(&row, diff_growth(old, new));
        row_real(&row, noise->is_known ? noise->low : NAN);
        row_real(&row, noise->is_known ? noise->high : NAN);
        row_text(&row, span_of(measure_text((enum run_measure)i, run->is_by_step)));
        row_number(&row, old);
        row_number(&row, new);
        row_text(&row, span_of(diff_value_text((double)new - (double)old, UNIT_NS, arena)));
        row_text(&row, span_of(diff_growth_text(old, new, arena)));
        row_text(&row, span_of(interval_text(noise, UNIT_NS, arena)));
    }
    report_table(report, table);
}

/* ---- rows ---- */

static const char *state_of(const struct diff_row *row, const struct difference *difference)
{
    const int64_t *figure = difference->is_cum ? row->cum : row->self;

    if (!row->before)
        return "added";
    if (!row->after)
        return "removed";
    return figure[DIFF_BEFORE] == figure[DIFF_AFTER]  ? "same"
           : figure[DIFF_BEFORE] < figure[DIFF_AFTER] ? "grown"
                                                      : "shrunk";
}

static void fill_figures(struct row_writer *writer, const struct diff_row *row,
                         const int64_t *figure)
{
    for (int end = 0; end < DIFF_ENDS; end++)
        row_figure(writer, row->calls[end]);
    for (int end = 0; end < DIFF_ENDS; end++)
        row_number(writer, row->self[end]);
    for (int end = 0; end < DIFF_ENDS; end++)
        row_number(writer, row->cum[end]);
    row_number(writer, checked_sub(figure[DIFF_AFTER], figure[DIFF_BEFORE]));
    row_real(writer, diff_growth(figure[DIFF_BEFORE], figure[DIFF_AFTER]));
    row_real(writer, row->noise.is_known ? row->noise.low : NAN);
    row_real(writer, row->noise.is_known ? row->noise.high : NAN);
    row_number(writer, row->fails);
    row_number(writer, row->is_doubtful);
}

static void fill_row(struct row_writer *writer, const struct graph *names,
                     const struct difference *difference, const struct diff_row *row,
                     struct arena *arena)
{
    const int64_t *figure = difference->is_cum ? row->cum : row->self;
    const struct frame *before = graph_frame(names, row->before);
    int64_t old = figure[DIFF_BEFORE], new = figure[DIFF_AFTER];
    enum unit unit = graph_unit(names);

    row_frame(writer, names, row->after ? row->after : row->before);
    row_text(writer, row->before ? graph_text(names, before->name) : NO_TEXT);
    row_number(writer, row->before ? before->line : TABLE_NULL);
    row_text(writer, span_of(state_of(row, difference)));
    fill_figures(writer, row, figure);
    row_text(writer, span_of(calls_text(row, arena)));
    row_number(writer, old);
    row_number(writer, new);
    row_text(writer, span_of(diff_value_text((double)new - (double)old, unit, arena)));
    row_text(writer, span_of(diff_growth_text(old, new, arena)));
    row_text(writer, span_of(interval_text(&row->noise, unit, arena)));
    if (row->is_doubtful)
        row_text(writer,
                 span_of(arena_printf(arena, "%s  (which of its name is not certain)",
                                      arena_copy(arena, frame_label(names, row->after, arena)))));
    else
        row_label(writer, names, row->after ? row->after : row->before, arena);
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
        arena, "%s%s before, %s after: %s (%s)%s%s",
        !run->is_known    ? ""
        : run->is_by_step ? "a step takes "
                          : "the run takes ",
        format_value(old, total[DIFF_BEFORE], unit), format_value(new, total[DIFF_AFTER], unit),
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

    return arena_printf(arena, "functions added: %u, removed: %u%s", difference->added,
                        difference->removed, runs);
}

static void report_total(const struct difference *difference, struct report *report)
{
    bool is_known = difference->noise.is_known;

    report_number(report, "old_total", difference->total[DIFF_BEFORE]);
    report_number(report, "new_total", difference->total[DIFF_AFTER]);
    report_real(report, "growth",
                diff_growth(difference->total[DIFF_BEFORE], difference->total[DIFF_AFTER]));
    report_real(report, "delta_low", is_known ? difference->noise.low : NAN);
    report_real(report, "delta_high", is_known ? difference->noise.high : NAN);
    report_number(report, "added", difference->added);
    report_number(report, "removed", difference->removed);
    report_number(report, "failed", difference->failed);
}

void diff_report(const struct difference *difference, const struct diff *diff, struct arena *arena,
                 struct report *report)
{
    struct column *shown =
        columns_in_unit(arena, columns, COUNT_OF(columns), graph_unit(&diff->names));
    struct table *table =
        table_new(arena, shown, COUNT_OF(columns), difference->count, "rows", NULL);
    bool has_noise = false;

    for (uint32_t i = 0; i < difference->count; i++)
        has_noise |= difference->rows[i].noise.is_known;
    if (!has_noise)
        shown[INTERVAL_COLUMN].use = 0;
    if (!difference->run.is_known)
        shown[CALLS_COLUMN].use = 0;
    for (uint32_t i = 0; i < difference->count; i++) {
        struct row_writer row = table_row(table, i);

        fill_row(&row, &diff->names, difference, &difference->rows[i], arena);
    }
    report->has_value = true;
    report_total(difference, report);
    report_before(report, headline(difference, diff, arena));
    report_before(report, counts_line(difference, diff, arena));
    if (difference->run.is_known)
        add_run(&difference->run, COLUMN_PEOPLE, arena, report);
    report_table(report, table);
    if (difference->run.is_known) {
        report_text(report, "run_is_of", span_of(difference->run.is_by_step ? "step" : "run"));
        add_run(&difference->run, COLUMN_MACHINES, arena, report);
    }
    if (difference->left_out)
        report_afterf(report, arena, "%s; -n 0 shows all",
                      format_many(arena, difference->left_out, "more function"));
}
