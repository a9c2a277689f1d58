/* SPDX-License-Identifier: Apache-2.0 */
/* What is in a profile, and how far it can be trusted. */
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

static void add_tracks(const struct inventory *inventory, const struct table_context *context,
                       struct report *report)
{
    typedef struct {
        struct track track;
        struct track_use use;
    } row;
    static const struct column columns[] = {
        STRING_AT("track", track.name),
        STRING_AT("process", track.process),
        TEXT_BY(cell_track_kind, "kind", track.kind),
        INDEX_AT("device", track.device, FOR_MACHINES),
        COUNT_AT("events", use.events),
        COUNT_AT("lanes", use.lanes, .yields = 1),
        TIME_AT("busy", use.busy),
        SHARE_AT("busy_share", use.busy_share, .heading = "%"),
    };
    struct table *table = TABLE_BEGIN(context, columns, inventory->track_count, "tracks", NULL);

    for (uint32_t i = 0; i < inventory->track_count; i++)
        TABLE_ADD(table, context->graph->timeline.tracks[inventory->tracks[i].track],
                  inventory->tracks[i]);
    report_table(report, table);
}

static void add_devices(const struct table_context *context, struct report *report)
{
    typedef struct {
        struct device of;
        const char *capability;
        int64_t sms, memory;
    } row;
    static const struct column columns[] = {
        COUNT_AT("device", of.ordinal),
        STRING_AT("name", of.name),
        TEXT_AT("compute_capability", capability, .heading = "capability"),
        COUNT_AT("sms", sms, .heading = "SMs"),
        BYTES_AT("memory", memory),
    };
    const struct graph *graph = context->graph;
    struct table *table =
        TABLE_BEGIN(context, columns, (uint32_t)graph->source.devices.count, "devices", NULL);

    for (uint32_t i = 0; i < table->room; i++) {
        const struct device *device = &graph->source.devices.list[i];

        TABLE_ADD(table, .of = *device,
                  .capability = device->major > 0
                                    ? arena_printf(context->arena, "%d.%d", (int)device->major,
                                                   (int)device->minor)
                                    : NULL,
                  .sms = device->sms > 0 ? device->sms : TABLE_NULL,
                  .memory = device->memory > 0 ? device->memory : TABLE_NULL);
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
    report_value(report, "total", info->total, graph_unit(report->inputs[0].graph));
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
                report_value(report, fact->key, fact->figure, fact->unit);
            add_value(lines, spaced(lines->arena, fact->key), fact->figure, fact->unit);
        }
    }
    strings_free(&keys);
}

/* ", 28.31 ms in all"; of what is counted, what that is: ", 58 samples in all". */
static const char *total_text(const struct info *info, const struct graph *graph, struct arena *arena)
{
    struct span name = graph->values.count ? graph_text(graph, graph->values.list[graph->values.selected].name) : NO_TEXT;
    enum unit unit = graph_unit(graph);
    char total[FORMAT_LEN];

    if (info->total <= 0)
        return "";
    if (unit != UNIT_COUNT)
        name.len = 0;
    return arena_printf(arena, ", %s%s%.*s in all", format_value(total, info->total, unit), name.len ? " " : "",
                        (int)(name.len < 40 ? name.len : 40), name.at);
}

/* "This is a call graph by cProfile: 56,057 calls of 286 functions, 28.31 ms in all." */
static void headline(const struct info *info, const struct graph *graph, struct arena *arena, struct report *report)
{
    static const char *const titles[LEVEL_COUNT] = {[LEVEL_FLAT] = "table", [LEVEL_COUNTERS] = "table of counters"};
    bool is_timeline = info->inventory && info->inventory->span > 0;
    const char *title = titles[graph->native] ? titles[graph->native] : level_title(graph->native);
    const char *by = graph->source.producer ? arena_printf(arena, " by %s", graph->source.producer) : "", *span = "";
    const char *functions = format_many(arena, graph->functions.listed, "function");
    char value[FORMAT_LEN];
    int64_t calls = sum_calls(graph);

    if (is_timeline)
        span = arena_printf(arena, " of %s", format_value(value, info->inventory->span, UNIT_NS));
    if (calls != UNKNOWN && calls)
        functions = arena_printf(arena, "%s of %s", format_many(arena, calls, "call"), functions);
    report_beforef(report, arena, "This is a %s%s%s: %s%s.", title, span, by, functions,
                   is_timeline ? "" : total_text(info, graph, arena));
}

static void add_integrity(const struct integrity *integrity, const struct graph *graph,
                          struct info_lines *lines, struct report *report)
{
    char lost[FORMAT_LEN], share[FORMAT_LEN];

    report_value(report, "entered", integrity->entered, graph_unit(report->inputs[0].graph));
    report_number(report, "runs", integrity->runs);
    report_value(report, "lost", integrity->can_tell ? integrity->lost : TABLE_NULL, graph_unit(report->inputs[0].graph));
    add_count(lines, "entered from outside", integrity->entries.count);
    if (integrity->runs > 1)
        add_text(lines, "runs or threads",
                 arena_printf(lines->arena,
                              "%u or more are merged: so many functions were entered "
                              "from outside for 1 %% or more of the time",
                              integrity->runs));
    if (!integrity->can_tell) {
        add_text(lines, "unaccounted for",
                 "not known: the profile lacks times or counts of calls");
        return;
    }
    add_text(lines, "unaccounted for",
             arena_printf(lines->arena, "%s (%s)",
                          format_value(lost, integrity->lost, graph_unit(graph)),
                          format_share(share, integrity->lost_share)));
}

/* "48: prefill 3, decode 34, mixed 11; 28,962 tokens" */
static void add_serving(const struct inventory *inventory, struct info_lines *lines)
{
    const char *text = arena_printf(lines->arena, "%" PRIu32 ":", inventory->serving_steps);
    char tokens[FORMAT_LEN];
    const char *separator = " ";

    for (int stage = 0; stage < STAGE_COUNT; stage++)
        if (inventory->by_stage[stage]) {
            text = arena_printf(lines->arena, "%s%s%s %" PRIu32, text, separator,
                                serving_stage_name((enum serving_stage)stage),
                                inventory->by_stage[stage]);
            separator = ", ";
        }
    if (inventory->serving_tokens != UNKNOWN)
        text = arena_printf(lines->arena, "%s; %s tokens", text,
                            format_count(tokens, inventory->serving_tokens));
    add_text(lines, "serving steps", text);
}

static void add_lines_table(const struct info_lines *lines, const struct table_context *context,
                            struct report *report)
{
    typedef struct info_line row;
    static const struct column columns[] = {TEXT_AT("what", key, .heading = ""),
                                            TEXT_AT("value", value, .heading = "", .is_prose = true)};

    report_table(report,
                 TABLE_OF(context, columns, lines->list, (uint32_t)lines->count, "summary", NULL));
}

/* ---- values ---- */

static void add_values(const struct table_context *context, struct report *report)
{
    typedef struct {
        str_id name;
        const char *unit;
        bool is_selected;
    } row;
    static const struct column columns[] = {
        STRING_AT("name", name, .heading = "value"), TEXT_AT("unit", unit),
        FLAG_AT("is_selected", is_selected, .heading = "selected")};
    const struct graph *graph = context->graph;
    struct table *table = TABLE_BEGIN(context, columns, graph->values.count, "values", NULL);

    for (uint32_t i = 0; i < graph->values.count; i++)
        TABLE_ADD(table, graph->values.list[i].name, format_unit(graph->values.list[i].unit),
                  i == graph->values.selected);
    report_table(report, table);
}

/* ---- entries and imbalances ---- */

static void add_entries(const struct integrity *integrity, const struct table_context *context,
                        struct report *report)
{
    typedef struct {
        struct entry of;
        frame_id frame;
    } row;
    static const struct column columns[] = {
        FRAME_AT(frame, COLUMN_MACHINES),        COUNT_AT("calls", of.calls),
        VALUE_AT("self", of.self, FOR_MACHINES), VALUE_AT("cum", of.cum),
        SHORT_AT(frame),
        LABEL_AT("function", frame, FOR_PEOPLE),
    };
    uint32_t count = integrity->entries.count;
    struct table *table = TABLE_BEGIN(context, columns, limit_rows(count, ENTRIES_SHOWN), "entries",
                                      "Entered from outside");

    if (count > ENTRIES_SHOWN)
        report_afterf(report, context->arena, "%s entered from outside",
                      format_many(context->arena, count - ENTRIES_SHOWN, "more function"));
    for (uint32_t i = 0; i < table->room; i++) {
        const struct entry *entry = &integrity->entries.list[i];

        TABLE_ADD(table, *entry, context->graph->functions.frame[entry->function]);
    }
    report_table(report, table);
}

static void add_imbalances(const struct integrity *integrity, const struct table_context *context,
                           struct report *report)
{
    typedef struct {
        frame_id frame;
        int64_t excess;
        const char *meaning;
    } row;
    static const struct column columns[] = {
        FRAME_AT(frame, COLUMN_MACHINES),
        VALUE_AT("excess", excess),
        TEXT_AT("means", meaning, FOR_PEOPLE, .is_whole = true),
        SHORT_AT(frame),
        LABEL_AT("function", frame, FOR_PEOPLE),
    };
    uint32_t count = limit_rows(integrity->imbalance_count, IMBALANCES_SHOWN);
    struct table *table = TABLE_BEGIN(context, columns, count, "imbalances",
                                      "Does not add up: cum - self - what it calls");

    for (uint32_t i = 0; i < count; i++) {
        const struct imbalance *imbalance = &integrity->imbalances[i];

        TABLE_ADD(table, context->graph->functions.frame[imbalance->function], imbalance->excess,
                  imbalance->excess > 0 ? "it called something that is missing"
                                        : "another function of its label is missing");
    }
    if (count)
        report_table(report, table);
}

static void add_warnings(const struct warnings *warnings, const struct table_context *context,
                         struct report *report)
{
    typedef struct warning row;
    static const struct column columns[] = {COUNT_AT("count", count, FOR_PEOPLE),
                                            TEXT_AT("warning", text, FOR_PEOPLE, .is_prose = true)};

    if (warnings->count)
        report_table(report,
                     TABLE_OF(context, columns, warnings->list, (uint32_t)warnings->count,
                              NULL /* JSON has them at its head */, "Warnings and repairs"));
}

void info_report(const struct info *info, struct arena *arena, struct report *report)
{
    const struct graph *graph = report->inputs[0].graph;
    struct table_context context = graph_context(graph, arena);
    struct info_lines lines = {.arena = arena};

    report->has_value = graph->values.count > 0;
    headline(info, graph, arena, report);
    summarize(info, graph, &lines, report);
    if (info->integrity)
        add_integrity(info->integrity, graph, &lines, report);
    if (info->inventory) {
        add_value(&lines, "span", info->inventory->span, UNIT_NS);
        if (info->inventory->steps && info->inventory->first_step == info->inventory->last_step)
            add_text(&lines, "steps",
                     arena_printf(lines.arena, "%u (%" PRId64 ")", info->inventory->steps,
                                  info->inventory->first_step));
        else if (info->inventory->steps)
            add_text(&lines, "steps",
                     arena_printf(lines.arena, "%u (%" PRId64 " to %" PRId64 ")",
                                  info->inventory->steps, info->inventory->first_step,
                                  info->inventory->last_step));
    }
    if (info->inventory && info->inventory->serving_steps)
        add_serving(info->inventory, &lines);
    add_lines_table(&lines, &context, report);
    free(lines.list);
    add_values(&context, report);
    if (info->inventory) {
        report_time(report, "span", info->inventory->span);
        report_number(report, "steps", info->inventory->steps);
        report_number(report, "serving_steps", info->inventory->serving_steps);
        report_number(report, "events", (int64_t)info->inventory->events);
        if (graph->source.devices.count)
            add_devices(&context, report);
        add_tracks(info->inventory, &context, report);
    }
    if (info->integrity) {
        add_entries(info->integrity, &context, report);
        add_imbalances(info->integrity, &context, report);
    }
    add_warnings(&graph->source.warnings, &context, report);
}
