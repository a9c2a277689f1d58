/* SPDX-License-Identifier: Apache-2.0 */
#include "render/reports/reports.h"

#include <math.h>

#include "analysis/execution/replay.h"
#include "base/checked.h"
#include "base/text/format.h"
#include "render/reports/report_columns.h"

static const struct column part_columns[] = {
    TEXT_COLUMN("part", NULL),
    COUNT_COLUMN("pieces", NULL),
    TIME_COLUMN("time", NULL),
    {.key = "share", .heading = "%", .kind = CELL_SHARE, .use = COLUMN_ALL, .is_heat = true},
};

static void add_parts(const struct critical_path *path, int64_t length, struct arena *arena,
                      struct report *report)
{
    uint32_t height = 0, at = 0;
    struct table *table;

    for (int part = 0; part < PATH_PART_COUNT; part++)
        height += path->pieces[part] > 0;
    table = table_new(arena, part_columns, COUNT_OF(part_columns), height, "parts", NULL);
    for (int part = 0; part < PATH_PART_COUNT; part++) {
        struct row_writer row = table_row(table, at);

        if (path->pieces[part] == 0)
            continue;
        row_text(&row, span_of(path_part_name((enum path_part)part)));
        row_number(&row, path->pieces[part]);
        row_number(&row, path->time[part]);
        row_real(&row, share_of(path->time[part], length));
        at++;
    }
    report_table(report, table);
}

static const struct column row_columns[] = {
    FRAME_COLUMNS(COLUMN_ALL),
    COUNT_COLUMN("pieces", NULL),
    TIME_COLUMN("time", NULL),
    {.key = "share", .heading = "%", .kind = CELL_SHARE, .use = COLUMN_ALL, .is_heat = true},
    {.key = "what", .kind = CELL_TEXT, .use = COLUMN_PEOPLE},
};

static void add_rows(const struct critical_path *path, int64_t length, uint32_t limit,
                     struct arena *arena, struct report *report)
{
    const struct graph *graph = report->inputs[0].graph;
    uint32_t count = limit_rows(path->row_count, limit);
    struct table *table =
        table_new(arena, columns_of_frames(graph, row_columns, COUNT_OF(row_columns), arena),
                  COUNT_OF(row_columns), count, "rows", "What ran on it");

    for (uint32_t i = 0; i < count; i++) {
        const struct path_row *spent = &path->rows[i];
        struct row_writer row = table_row(table, i);

        row_frame(&row, graph, spent->frame);
        row_number(&row, spent->pieces);
        row_number(&row, spent->time);
        row_real(&row, share_of(spent->time, length));
        row_label(&row, graph, spent->frame, arena);
    }
    report_table(report, table);
}

static const char *pieces_of(struct arena *arena, int64_t count)
{
    char shown[FORMAT_LEN];

    return arena_printf(arena, "%s piece%s", format_count(shown, count), count == 1 ? "" : "s");
}

static void say_guesses(int64_t guesses, struct arena *arena, struct report *report)
{
    report_afterf(report, arena,
                  "the file has no waits of streams for one another: %s of "
                  "device work that began right after another stream had "
                  "ended %s taken to have waited for it",
                  pieces_of(arena, guesses), guesses == 1 ? "is" : "are");
}

static void say_what_is_missing(const struct critical_path *path, const struct graph *graph,
                                struct arena *arena, struct report *report)
{
    char missing[FORMAT_LEN];

    if (path->missing > 0)
        report_afterf(report, arena, "nothing recorded says what held up the first %s of it",
                      format_value(missing, path->missing, UNIT_NS));
    if (path->unlaunched)
        report_afterf(report, arena,
                      "%s of device work on it ha%s no launch call in the file: "
                      "only stream order led back from there",
                      pieces_of(arena, path->unlaunched), path->unlaunched == 1 ? "s" : "ve");
    if (path->inferred)
        report_afterf(report, arena, "%.1f%% of the dependencies on it are inferred from times",
                      100.0 * path->inferred / path->dependencies);
    if (path->guesses)
        say_guesses(path->guesses, arena, report);
    else if (path->has_devices && graph->timeline.properties[PROP_WAIT_STREAM].count == 0)
        report_after(report, "the file has no waits of streams for one another: such dependencies "
                             "are not on it");
}

void critical_path_report(const struct critical_path *path, uint32_t limit, struct arena *arena,
                          struct report *report)
{
    const struct graph *graph = report->inputs[0].graph;
    int64_t length = checked_sub(path->end, path->start);
    char shown[FORMAT_LEN];

    report_number(report, "length", length);
    report_number(report, "missing", path->missing);
    report_number(report, "unlaunched", path->unlaunched);
    report_number(report, "guesses", path->guesses);
    report_number(report, "dependencies", path->dependencies);
    report_number(report, "inferred", path->inferred);
    report_beforef(report, arena, "critical path of %s", format_value(shown, length, UNIT_NS));
    add_parts(path, length, arena, report);
    add_rows(path, length, limit, arena, report);
    say_what_is_missing(path, graph, arena, report);
}

/* ---- what-if: what is changed, and the path before and after ---- */

static const struct column change_columns[] = {
    TEXT_COLUMN("change", NULL),     RATIO_COLUMN("factor", NULL), /* null: it takes no time */
    COUNT_COLUMN("pieces", NULL),    TIME_COLUMN("time", NULL),
    TIME_COLUMN("exposed", "alone"), TIME_COLUMN("union", "active"),
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

static const struct column part_change_columns[] = {
    TEXT_COLUMN("part", NULL),
    TIME_COLUMN("before", NULL),
    SHARE_COLUMN("before_share", "%"),
    TIME_COLUMN("after", NULL),
    {.key = "after_share", .heading = "%", .kind = CELL_SHARE, .use = COLUMN_ALL, .is_heat = true},
};

static bool has_part(const struct what_if *what_if, int part)
{
    return what_if->path[0].time[part] || what_if->path[1].time[part];
}

static void add_part_changes(const struct what_if *what_if, struct arena *arena,
                             struct report *report)
{
    uint32_t height = 0, at = 0;
    struct table *table;

    for (int part = 0; part < PATH_PART_COUNT; part++)
        height += has_part(what_if, part);
    table = table_new(arena, part_change_columns, COUNT_OF(part_change_columns), height, "parts",
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

static const struct column row_change_columns[] = {
    FRAME_COLUMNS(COLUMN_ALL),
    TIME_COLUMN("before", NULL),
    TIME_COLUMN("after", NULL),
    {.key = "what", .kind = CELL_TEXT, .use = COLUMN_PEOPLE},
};

static void add_row_changes(const struct what_if *what_if, uint32_t limit, struct arena *arena,
                            struct report *report)
{
    const struct graph *graph = report->inputs[0].graph;
    uint32_t height = limit_rows(what_if->row_count, limit);
    struct table *table = table_new(
        arena, columns_of_frames(graph, row_change_columns, COUNT_OF(row_change_columns), arena),
        COUNT_OF(row_change_columns), height, "rows", "What runs on it");

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

static void headline(const struct what_if *what_if, struct arena *arena, struct report *report)
{
    char before[FORMAT_LEN], after[FORMAT_LEN], least[FORMAT_LEN], most[FORMAT_LEN];

    format_value(before, what_if->before, UNIT_NS);
    format_value(after, what_if->after, UNIT_NS);
    format_value(least, what_if->bounds.least, UNIT_NS);
    format_value(most, what_if->bounds.most, UNIT_NS);
    report_beforef(report, arena, "%s would take %s: %.3gx", before, after,
                   what_if->after ? (double)what_if->before / (double)what_if->after
                                  : (double)INFINITY);
    if (what_if->has_bounds)
        report_beforef(report, arena, "whatever was held up by what, it must lie between %s and %s",
                       least, most);
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
    add_part_changes(what_if, arena, report);
    add_row_changes(what_if, limit, arena, report);
}
