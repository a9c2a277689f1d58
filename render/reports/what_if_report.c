/* SPDX-License-Identifier: Apache-2.0 */
#include "render/reports/reports.h"

#include "analysis/execution/critical_path.h"
#include "analysis/execution/what_if.h"
#include "base/checked.h"
#include "base/text/format.h"
#include "render/reports/report_columns.h"

#include <math.h>

/* ---- what is changed ---- */

static const struct column change_columns[] = {
    {.key = "change", .kind = CELL_TEXT, .use = COLUMN_ALL},
    {.key = "factor", .kind = CELL_RATIO, .use = COLUMN_ALL}, /* null: it takes no time */
    {.key = "pieces", .kind = CELL_COUNT, .use = COLUMN_ALL},
    TIME_COLUMN("time", NULL),
    TIME_COLUMN("exposed", "alone"),
    TIME_COLUMN("union", "active"),
};

static void add_changes(const struct what_if *what_if, const char *const *names,
                        const double *factors, uint32_t count, struct arena *arena,
                        struct report *report)
{
    const struct replay_bounds *bounds = &what_if->bounds;
    struct table *table =
        table_new(arena, change_columns, COUNT_OF(change_columns), count, "changes", "Changes");

    for (uint32_t i = 1; i <= count; i++) {
        struct row_writer row = table_row(table, i - 1);

        row_text(&row, span_of(names[i]));
        row_real(&row, isinf(factors[i]) ? (double)NAN : factors[i]);
        row_number(&row, bounds->pieces[i]);
        row_number(&row, bounds->time[i]);
        row_number(&row, bounds->exposed[i]);
        row_number(&row, bounds->united[i]);
    }
    report_table(report, table);
}

/* ---- the path ---- */

static const struct column part_columns[] = {
    {.key = "part", .kind = CELL_TEXT, .use = COLUMN_ALL},
    TIME_COLUMN("before", NULL),
    {.key = "before_share", .heading = "%", .kind = CELL_SHARE, .use = COLUMN_ALL},
    TIME_COLUMN("after", NULL),
    {.key = "after_share", .heading = "%", .kind = CELL_SHARE, .use = COLUMN_ALL, .is_heat = true},
};

static bool has_part(const struct what_if *what_if, int part)
{
    return what_if->path[0].time[part] || what_if->path[1].time[part];
}

static void add_parts(const struct what_if *what_if, struct arena *arena, struct report *report)
{
    uint32_t height = 0, at = 0;
    struct table *table;

    for (int part = 0; part < PATH_PART_COUNT; part++)
        height += has_part(what_if, part);
    table = table_new(arena, part_columns, COUNT_OF(part_columns), height, "parts",
                      "Critical path, before and after");
    for (int part = 0; part < PATH_PART_COUNT; part++) {
        int64_t before = what_if->path[0].time[part], after = what_if->path[1].time[part];
        struct row_writer row = table_row(table, at);

        if (!has_part(what_if, part))
            continue;
        row_text(&row, span_of(path_part_name((enum path_part)part)));
        row_number(&row, before);
        row_real(&row, share_of(before, what_if->before));
        row_number(&row, after);
        row_real(&row, share_of(after, what_if->after));
        at++;
    }
    report_table(report, table);
}

static const struct column row_columns[] = {
    FRAME_COLUMNS(COLUMN_ALL),
    TIME_COLUMN("before", NULL),
    TIME_COLUMN("after", NULL),
    {.key = "what", .kind = CELL_TEXT, .use = COLUMN_PEOPLE},
};

static void add_rows(const struct what_if *what_if, uint32_t limit, struct arena *arena,
                     struct report *report)
{
    const struct graph *graph = report->inputs[0].graph;
    uint32_t height = limit && limit < what_if->row_count ? limit : what_if->row_count;
    struct table *table =
        table_new(arena, row_columns, COUNT_OF(row_columns), height, "rows", "What runs on it");

    for (uint32_t i = 0; i < height; i++) {
        const struct what_if_row *spent = &what_if->rows[i];
        struct row_writer row = table_row(table, i);

        row_frame(&row, graph, spent->frame);
        row_number(&row, spent->before);
        row_number(&row, spent->after);
        row_label(&row, graph, spent->frame, arena);
    }
    report_table(report, table);
}

/* ---- all of it ---- */

static void headline(const struct what_if *what_if, struct arena *arena, struct report *report)
{
    char before[FORMAT_LEN], after[FORMAT_LEN], least[FORMAT_LEN], most[FORMAT_LEN];

    format_value(before, what_if->before, UNIT_NS);
    format_value(after, what_if->after, UNIT_NS);
    format_value(least, what_if->bounds.least, UNIT_NS);
    format_value(most, what_if->bounds.most, UNIT_NS);
    report_before(report,
                  arena_printf(arena, "%s would take %s: %.3gx", before, after,
                               what_if->after ? (double)what_if->before / (double)what_if->after
                                              : (double)INFINITY));
    if (what_if->has_bounds)
        report_before(report, arena_printf(arena,
                                           "whatever was held up by what, it must lie between %s "
                                           "and %s",
                                           least, most));
    if (what_if->path[0].guesses)
        say_guesses(what_if->path[0].guesses, arena, report);
    if (!what_if->has_bounds)
        report_after(report, "no bracket is known where some work gets faster and some slower");
}

void what_if_report(const struct what_if *what_if, const char *const *names, const double *factors,
                    uint32_t count, uint32_t limit, struct arena *arena, struct report *report)
{
    bool has_bounds = what_if->has_bounds;

    report_number(report, "before", what_if->before);
    report_number(report, "after", what_if->after);
    report_number(report, "least", has_bounds ? what_if->bounds.least : TABLE_NULL);
    report_number(report, "most", has_bounds ? what_if->bounds.most : TABLE_NULL);
    report_number(report, "guesses", what_if->path[0].guesses);
    headline(what_if, arena, report);
    if (count == 0)
        report_after(report,
                     "nothing is changed: --scale, --remove and others say what gets faster");
    add_changes(what_if, names, factors, count, arena, report);
    add_parts(what_if, arena, report);
    add_rows(what_if, limit, arena, report);
}
