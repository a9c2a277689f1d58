/* SPDX-License-Identifier: Apache-2.0 */
#include "render/reports/reports.h"

#include "analysis/execution/critical_path.h"
#include "base/checked.h"
#include "base/text/format.h"
#include "render/reports/report_columns.h"

static const struct column part_columns[] = {
    {.key = "part", .kind = CELL_TEXT, .use = COLUMN_ALL},
    {.key = "pieces", .kind = CELL_COUNT, .use = COLUMN_ALL},
    {.key = "time", .kind = CELL_VALUE, .use = COLUMN_ALL, .unit = UNIT_NS},
    {.key = "share", .heading = "%", .kind = CELL_SHARE, .use = COLUMN_ALL, .is_heat = true},
};

static void add_parts(const struct critical_path *path, int64_t length, struct arena *arena,
                      struct report *report)
{
    struct table *table = arena_alloc(arena, sizeof(*table));
    uint32_t height = 0, at = 0;

    for (int part = 0; part < PATH_PART_COUNT; part++)
        height += path->pieces[part] > 0;
    table_init(table, arena, part_columns, COUNT_OF(part_columns), height);
    table->key = "parts";
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
    {.key = "pieces", .kind = CELL_COUNT, .use = COLUMN_ALL},
    {.key = "time", .kind = CELL_VALUE, .use = COLUMN_ALL, .unit = UNIT_NS},
    {.key = "share", .heading = "%", .kind = CELL_SHARE, .use = COLUMN_ALL, .is_heat = true},
    {.key = "what", .kind = CELL_TEXT, .use = COLUMN_PEOPLE},
};

static void add_rows(const struct critical_path *path, int64_t length, uint32_t limit,
                     struct arena *arena, struct report *report)
{
    const struct graph *graph = report->inputs[0].graph;
    struct table *table = arena_alloc(arena, sizeof(*table));
    uint32_t count = limit && limit < path->row_count ? limit : path->row_count;

    table_init(table, arena, row_columns, COUNT_OF(row_columns), count);
    table->key = "rows";
    table->title = "What ran on it";
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

void say_guesses(int64_t guesses, struct arena *arena, struct report *report)
{
    report_after(report, arena_printf(arena,
                                      "the file has no waits of streams for one another: %s of "
                                      "device work that began right after another stream had "
                                      "ended %s taken to have waited for it",
                                      pieces_of(arena, guesses), guesses == 1 ? "is" : "are"));
}

static void say_what_is_missing(const struct critical_path *path, const struct graph *graph,
                                struct arena *arena, struct report *report)
{
    char missing[FORMAT_LEN];

    if (path->missing > 0)
        report_after(report, arena_printf(arena,
                                          "nothing recorded says what held up the first %s of "
                                          "it",
                                          format_value(missing, path->missing, UNIT_NS)));
    if (path->unlaunched)
        report_after(report,
                     arena_printf(arena,
                                  "%s of device work on it ha%s no launch call in the file: "
                                  "only stream order led back from there",
                                  pieces_of(arena, path->unlaunched),
                                  path->unlaunched == 1 ? "s" : "ve"));
    if (path->inferred)
        report_after(report,
                     arena_printf(arena, "%.1f%% of the dependencies on it are inferred from times",
                                  100.0 * path->inferred / path->dependencies));
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
    report_before(report,
                  arena_printf(arena, "critical path of %s", format_value(shown, length, UNIT_NS)));
    add_parts(path, length, arena, report);
    add_rows(path, length, limit, arena, report);
    say_what_is_missing(path, graph, arena, report);
}
