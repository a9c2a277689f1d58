/* SPDX-License-Identifier: Apache-2.0 */
#include "render/reports/reports.h"

#include "analysis/functions/hotspots.h"
#include "analysis/timeline/inventory.h"
#include "base/checked.h"
#include "base/text/format.h"
#include "graph/derive/derive.h"
#include "render/forms/report.h"
#include "render/reports/report_columns.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ---- a timeline's tracks and devices as tables of `ptk info` ---- */

static const struct column track_columns[] = {
    TEXT_COLUMN("track", NULL),
    TEXT_COLUMN("process", NULL),
    TEXT_COLUMN("kind", NULL),
    {.key = "device", .kind = CELL_COUNT, .use = COLUMN_MACHINES},
    COUNT_COLUMN("events", NULL),
    COUNT_COLUMN("lanes", NULL),
    {.key = "busy", .kind = CELL_VALUE, .unit = UNIT_NS, .use = COLUMN_ALL},
    SHARE_COLUMN("busy_share", "%"),
};

static void add_tracks(const struct inventory *inventory, const struct graph *graph,
                       struct arena *arena, struct report *report)
{
    struct table *table = table_new(arena, track_columns, COUNT_OF(track_columns),
                                    inventory->track_count, "tracks", NULL);

    for (uint32_t i = 0; i < inventory->track_count; i++) {
        const struct track_use *use = &inventory->tracks[i];
        const struct track *track = &graph->timeline.tracks[use->track];
        struct row_writer row = table_row(table, i);

        row_text(&row, graph_text(graph, track->name));
        row_text(&row, graph_text(graph, track->process));
        row_text(&row, span_of(track_kind_name(track->kind)));
        row_number(&row, track->device < 0 ? TABLE_NULL : track->device);
        row_number(&row, (int64_t)use->events);
        row_number(&row, use->lanes);
        row_number(&row, use->busy);
        row_real(&row, use->busy_share);
    }
    report_table(report, table);
}

static const struct column device_columns[] = {
    COUNT_COLUMN("device", NULL),
    TEXT_COLUMN("name", NULL),
    TEXT_COLUMN("compute_capability", "capability"),
    COUNT_COLUMN("sms", "SMs"),
    {.key = "memory", .kind = CELL_VALUE, .unit = UNIT_BYTES, .use = COLUMN_ALL},
};

static void add_devices(const struct graph *graph, struct arena *arena, struct report *report)
{
    struct table *table = table_new(arena, device_columns, COUNT_OF(device_columns),
                                    (uint32_t)graph->source.devices.count, "devices", NULL);

    for (uint32_t i = 0; i < graph->source.devices.count; i++) {
        const struct device *device = &graph->source.devices.list[i];
        struct row_writer row = table_row(table, i);

        row_number(&row, device->ordinal);
        row_text(&row, graph_text(graph, device->name));
        row_text(&row, device->major > 0 ? span_of(arena_printf(arena, "%d.%d", (int)device->major,
                                                                (int)device->minor))
                                         : NO_TEXT);
        row_number(&row, device->sms > 0 ? device->sms : TABLE_NULL);
        row_number(&row, device->memory > 0 ? device->memory : TABLE_NULL);
    }
    report_table(report, table);
}

/* ---- lines for people ---- */

enum { ENTRIES_SHOWN = 10, IMBALANCES_SHOWN = 10 };

struct info_line {
    const char *key;
    struct span value;
};

/* Lines "what  value" for people, gathered before the table's height is known. */
struct info_lines {
    struct arena *arena;
    VECTOR(struct info_line);
};

static void add_line(struct info_lines *lines, const char *key, struct span value)
{
    vector_add(lines, (struct info_line){key, value});
}

static void add_text(struct info_lines *lines, const char *key, const char *value)
{
    if (value && *value)
        add_line(lines, key, span_of(value));
}

static void add_count(struct info_lines *lines, const char *key, int64_t count)
{
    char text[FORMAT_LEN];

    if (count != UNKNOWN)
        add_text(lines, key, arena_printf(lines->arena, "%s", format_count(text, count)));
}

static void add_value(struct info_lines *lines, const char *key, int64_t value, enum unit unit)
{
    char text[FORMAT_LEN];

    add_text(lines, key, arena_printf(lines->arena, "%s", format_value(text, value, unit)));
}

/* "self_time" → "self time", "cpu_ppm" → "cpu": what is shown has its unit */
static const char *spaced(struct arena *arena, const char *key)
{
    size_t length = strlen(key);
    char *text;

    if (length > 4 && strcmp(key + length - 4, "_ppm") == 0)
        length -= 4;
    text = arena_copy(arena, (struct span){key, length});
    for (char *c = text; *c; c++)
        if (*c == '_')
            *c = ' ';
    return text;
}

/* ---- the summary ---- */

static int64_t sum_calls(const struct graph *graph)
{
    int64_t sum = 0;

    for (uint32_t i = 0; i < graph->functions.listed; i++) {
        if (graph->functions.calls[i] == UNKNOWN)
            return UNKNOWN;
        sum = checked_add(sum, graph->functions.calls[i]);
    }
    return sum;
}

/* A file may say the same thing of itself any number of times: JSON has the first alone, and `summary`
 * all. */
static bool is_first_of_key(struct strings *keys, const struct fact *fact)
{
    size_t known = keys->count;

    strings_intern(keys, span_of(fact->key));
    return keys->count > known;
}

static void summarize(const struct info *info, const struct graph *graph, struct info_lines *lines,
                      struct report *report)
{
    struct strings keys = {0};

    report_text(report, "level", span_of(level_title(graph->native)));
    report_text(report, "packing", span_of(info->packing));
    report_number(report, "total", info->total);
    report_number(report, "functions", graph->functions.listed);
    report_number(report, "calls", sum_calls(graph));
    report_number(report, "edges",
                  graph->native == LEVEL_TIMELINE ? TABLE_NULL : graph->calls.count);
    add_line(lines, "file", span_of(report->inputs[0].path));
    add_text(lines, "format", graph->source.format);
    add_text(lines, "packed with", info->packing);
    add_text(lines, "written by", graph->source.producer);
    add_text(lines, "holds", level_title(graph->native));
    add_count(lines, "functions", graph->functions.listed);
    add_count(lines, "calls", sum_calls(graph));
    if (graph->has[LEVEL_CALLGRAPH])
        add_count(lines, "caller-callee pairs", graph->calls.count);
    if (graph->values.count)
        add_value(lines, "total", info->total, graph_unit(graph));
    for (size_t i = 0; i < graph->source.facts.count; i++) {
        const struct fact *fact = &graph->source.facts.list[i];
        bool is_first = is_first_of_key(&keys, fact);

        if (fact->text) {
            if (is_first)
                report_text(report, fact->key, span_of(fact->text));
            add_text(lines, spaced(lines->arena, fact->key), fact->text);
        } else {
            if (is_first)
                report_number(report, fact->key, fact->figure);
            add_value(lines, spaced(lines->arena, fact->key), fact->figure, fact->unit);
        }
    }
    strings_free(&keys);
}

static void add_integrity(const struct integrity *integrity, const struct graph *graph,
                          struct info_lines *lines, struct report *report)
{
    char lost[FORMAT_LEN], share[FORMAT_LEN];

    report_number(report, "entered", integrity->entered);
    report_number(report, "runs", integrity->runs);
    report_number(report, "lost", integrity->can_tell ? integrity->lost : TABLE_NULL);
    add_count(lines, "entered from outside", integrity->entries.count);
    if (integrity->runs > 1)
        add_text(lines, "runs or threads",
                 arena_printf(lines->arena,
                              "%u or more are merged: so many functions were entered "
                              "from outside for 1 %% or more of the time",
                              integrity->runs));
    if (!integrity->can_tell) {
        add_text(lines, "unaccounted for",
                 "cannot be told: the profile lacks times or counts of calls");
        return;
    }
    add_text(lines, "unaccounted for",
             arena_printf(lines->arena, "%s (%s)",
                          format_value(lost, integrity->lost, graph_unit(graph)),
                          format_share(share, integrity->lost_share)));
}

static void add_inventory(const struct inventory *inventory, struct info_lines *lines)
{
    add_value(lines, "span", inventory->span, UNIT_NS);
    if (inventory->steps && inventory->first_step == inventory->last_step)
        add_text(lines, "steps",
                 arena_printf(lines->arena, "%u (%" PRId64 ")", inventory->steps,
                              inventory->first_step));
    else if (inventory->steps)
        add_text(lines, "steps",
                 arena_printf(lines->arena, "%u (%" PRId64 " to %" PRId64 ")", inventory->steps,
                              inventory->first_step, inventory->last_step));
}

static const struct column fact_columns[] = {
    TEXT_COLUMN("what", ""),
    TEXT_COLUMN("value", ""),
};

static void add_lines_table(const struct info_lines *lines, struct report *report)
{
    struct table *table = table_new(lines->arena, fact_columns, COUNT_OF(fact_columns),
                                    (uint32_t)lines->count, "summary", NULL);

    for (uint32_t i = 0; i < lines->count; i++) {
        struct row_writer row = table_row(table, i);

        row_text(&row, span_of(lines->list[i].key));
        row_text(&row, lines->list[i].value);
    }
    report_table(report, table);
}

/* ---- values ---- */

static const struct column value_columns[] = {
    TEXT_COLUMN("name", "value"),
    TEXT_COLUMN("unit", NULL),
    {.key = "is_selected", .heading = "selected", .kind = CELL_FLAG, .use = COLUMN_ALL},
};

static void add_values(const struct graph *graph, struct arena *arena, struct report *report)
{
    struct table *table = table_new(arena, value_columns, COUNT_OF(value_columns),
                                    graph->values.count, "values", NULL);

    for (uint32_t i = 0; i < graph->values.count; i++) {
        struct row_writer row = table_row(table, i);

        row_text(&row, graph_text(graph, graph->values.list[i].name));
        row_text(&row, span_of(format_unit(graph->values.list[i].unit)));
        row_number(&row, i == graph->values.selected);
    }
    report_table(report, table);
}

/* ---- entries and imbalances ---- */

static const struct column entry_columns[] = {
    FRAME_COLUMNS(COLUMN_MACHINES),
    COUNT_COLUMN("calls", NULL),
    {.key = "self", .kind = CELL_VALUE, .use = COLUMN_MACHINES},
    {.key = "cum", .kind = CELL_VALUE, .use = COLUMN_ALL},
    {.key = "function", .kind = CELL_TEXT, .use = COLUMN_PEOPLE},
};

static void add_entries(const struct integrity *integrity, const struct graph *graph,
                        struct arena *arena, struct report *report)
{
    uint32_t count = integrity->entries.count;
    struct table *table;

    if (count > ENTRIES_SHOWN) {
        report_afterf(report, arena, "%s entered from outside",
                      format_many(arena, count - ENTRIES_SHOWN, "more function"));
        count = ENTRIES_SHOWN;
    }
    table = table_new(
        arena, columns_in_unit(arena, entry_columns, COUNT_OF(entry_columns), graph_unit(graph)),
        COUNT_OF(entry_columns), count, "entries", "Entered from outside");
    for (uint32_t i = 0; i < count; i++) {
        const struct entry *entry = &integrity->entries.list[i];
        frame_id frame = graph->functions.frame[entry->function];
        struct row_writer row = table_row(table, i);

        row_frame(&row, graph, frame);
        row_figure(&row, entry->calls);
        row_figure(&row, entry->self);
        row_figure(&row, entry->cum);
        row_label(&row, graph, frame, arena);
    }
    report_table(report, table);
}

static const struct column imbalance_columns[] = {
    FRAME_COLUMNS(COLUMN_MACHINES),
    {.key = "excess", .kind = CELL_VALUE, .use = COLUMN_ALL},
    {.key = "means", .kind = CELL_TEXT, .use = COLUMN_PEOPLE},
    {.key = "function", .kind = CELL_TEXT, .use = COLUMN_PEOPLE},
};

static void add_imbalances(const struct integrity *integrity, const struct graph *graph,
                           struct arena *arena, struct report *report)
{
    uint32_t count = limit_rows(integrity->imbalance_count, IMBALANCES_SHOWN);
    struct table *table = table_new(
        arena,
        columns_in_unit(arena, imbalance_columns, COUNT_OF(imbalance_columns), graph_unit(graph)),
        COUNT_OF(imbalance_columns), count, "imbalances",
        "Does not add up: cum - self - what it calls");

    for (uint32_t i = 0; i < count; i++) {
        const struct imbalance *imbalance = &integrity->imbalances[i];
        frame_id frame = graph->functions.frame[imbalance->function];
        struct row_writer row = table_row(table, i);

        row_frame(&row, graph, frame);
        row_figure(&row, imbalance->excess);
        row_text(&row, imbalance->excess > 0 ? SPAN("it called something that is missing")
                                             : SPAN("another function of its label is missing"));
        row_label(&row, graph, frame, arena);
    }
    if (count)
        report_table(report, table);
}

/* ---- warnings ---- */

static const struct column warning_columns[] = {
    {.key = "count", .kind = CELL_COUNT, .use = COLUMN_PEOPLE},
    {.key = "warning", .kind = CELL_TEXT, .use = COLUMN_PEOPLE},
};

static void add_warnings(const struct warnings *warnings, struct arena *arena,
                         struct report *report)
{
    struct table *table;

    if (warnings->count == 0)
        return;
    table = table_new(arena, warning_columns, COUNT_OF(warning_columns), (uint32_t)warnings->count,
                      NULL /* JSON has them at its head */, "Warnings and repairs");
    for (uint32_t i = 0; i < warnings->count; i++) {
        struct row_writer row = table_row(table, i);

        row_number(&row, (int64_t)warnings->list[i].count);
        row_text(&row, span_of(warnings->list[i].text));
    }
    report_table(report, table);
}

void info_report(const struct info *info, struct arena *arena, struct report *report)
{
    const struct graph *graph = report->inputs[0].graph;
    struct info_lines lines = {.arena = arena};

    report->has_value = graph->values.count > 0;
    summarize(info, graph, &lines, report);
    if (info->integrity)
        add_integrity(info->integrity, graph, &lines, report);
    if (info->inventory)
        add_inventory(info->inventory, &lines);
    add_lines_table(&lines, report);
    free(lines.list);
    add_values(graph, arena, report);
    if (info->inventory) {
        report_number(report, "span", info->inventory->span);
        report_number(report, "steps", info->inventory->steps);
        report_number(report, "events", (int64_t)info->inventory->events);
        if (graph->source.devices.count)
            add_devices(graph, arena, report);
        add_tracks(info->inventory, graph, arena, report);
    }
    if (info->integrity) {
        add_entries(info->integrity, graph, arena, report);
        add_imbalances(info->integrity, graph, arena, report);
    }
    add_warnings(&graph->source.warnings, arena, report);
}
