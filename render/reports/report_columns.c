/* SPDX-License-Identifier: Apache-2.0 */
/* Columns and lines that several reports have. */
#include "render/reports/report_columns.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/checked.h"
#include "base/text/format.h"
#include "graph/model/graph.h"
#include "graph/names/names.h"

static struct span label_of(const struct graph *graph, frame_id id, struct arena *arena)
{
    struct span label = graph_short_name(graph, id);
    uint8_t places = frame_inlining(&graph->frames, id);
    const char *mark = !(places & IN_ITS_CALLERS) ? ""
                       : places & ON_ITS_OWN      ? " (partial-inline)"
                                                  : " (inline)";
    size_t len = label.len + strlen(mark);
    char *text;

    if (!*mark)
        return label;
    text = arena_array(arena, len, 1);
    memcpy(text, label.at, label.len);
    memcpy(text + label.len, mark, len - label.len);
    return (struct span){text, len};
}

static union cell text_cell(struct span text)
{
    return (union cell){.text = text};
}

static const struct frame *frame_from(const struct cell_source *from)
{
    return graph_frame(from->context->graph, *(const frame_id *)from->field);
}

static union cell string_cell(const struct cell_source *from, str_id id)
{
    return text_cell(id ? graph_text(from->context->graph, id) : NO_TEXT);
}

union cell cell_frame_name(const struct cell_source *from)
{
    return text_cell(graph_text(from->context->graph, frame_from(from)->name));
}

union cell cell_frame_file(const struct cell_source *from)
{
    return string_cell(from, frame_from(from)->file);
}

union cell cell_frame_line(const struct cell_source *from)
{
    return (union cell){.number = frame_from(from)->line};
}

union cell cell_frame_module(const struct cell_source *from)
{
    return string_cell(from, frame_from(from)->module);
}

union cell cell_frame_kind(const struct cell_source *from)
{
    return text_cell(span_of(frame_kind_name(frame_from(from)->kind)));
}

union cell cell_track_kind(const struct cell_source *from)
{
    return text_cell(span_of(track_kind_name(*(const enum track_kind *)from->field)));
}

union cell cell_graph_text(const struct cell_source *from)
{
    return text_cell(graph_text(from->context->graph, *(const str_id *)from->field));
}

union cell cell_graph_text_if_any(const struct cell_source *from)
{
    return string_cell(from, *(const str_id *)from->field);
}

union cell cell_label(const struct cell_source *from)
{
    return text_cell(
        label_of(from->context->graph, *(const frame_id *)from->field, from->context->arena));
}

union cell cell_short_name(const struct cell_source *from)
{
    frame_id frame = *(const frame_id *)from->field;

    return text_cell(frame ? graph_short_name(from->context->graph, frame) : NO_TEXT);
}

union cell cell_call_counts(const struct cell_source *from)
{
    int64_t calls = *(const int64_t *)from->field, primitive = *(const int64_t *)from->per;
    struct arena *arena = from->context->arena;

    if (calls == UNKNOWN)
        return text_cell(NO_TEXT);
    if (primitive == UNKNOWN || primitive == calls)
        return text_cell(span_of(arena_printf(arena, "%" PRId64, calls)));
    return text_cell(span_of(arena_printf(arena, "%" PRId64 "/%" PRId64, calls, primitive)));
}

void hide_kind_of_groups(struct table *table, const struct graph *graph)
{
    if (graph->selection.grouped_by)
        table_column(table, "kind")->use = COLUMN_MACHINES;
}

bool is_python_profile(const struct graph *graph)
{
    uint32_t python = 0;

    for (uint32_t i = 0; i < graph->functions.listed; i++)
        python += graph_frame(graph, graph->functions.frame[i])->kind == KIND_PYTHON;
    return graph->native <= LEVEL_CALLGRAPH && python * 4 >= graph->functions.listed;
}

const char *amount_text(const struct graph *graph, int64_t amount, struct arena *arena)
{
    struct span name = graph->values.count ? graph_text(graph, graph->values.list[graph->values.selected].name) : NO_TEXT;
    enum unit unit = graph_unit(graph);
    char text[FORMAT_LEN];
    bool is_singular = graph_value_time(graph) == VALUE_STOCK && name.at[name.len - 1] != 's';

    format_value(text, amount, unit);
    if (unit == UNIT_NS || !name.len)
        return arena_printf(arena, "%s", text);
    return arena_printf(arena, "%s %s%.*s%s", text, unit == UNIT_COUNT ? "" : "of ",
                        (int)(name.len < 80 ? name.len : 80), name.at,
                        is_singular && amount != 1 ? "s" : "");
}

const char *check_figures(const struct check *check, struct arena *arena)
{
    char part[FORMAT_LEN], whole[FORMAT_LEN], share[FORMAT_LEN], rate[FORMAT_LEN];

    if (isnan(check->value))
        return "not known";
    format_value(part, check->part, check->unit);
    format_value(whole, check->whole,
                 threshold_rows[check->limit].unit == LIMIT_RATE ? UNIT_NS : check->unit);
    if (check->whole <= 0)
        return arena_printf(arena, "%s", part);
    if (threshold_rows[check->limit].unit == LIMIT_RATE)
        return arena_printf(arena, "%s / %s = %s", part, whole,
                            format_rate(rate, check->value, check->unit));
    return arena_printf(arena, "%s / %s = %s", part, whole, format_share(share, check->value));
}

const char *check_threshold(const struct check *check, const struct thresholds *thresholds,
                            struct arena *arena)
{
    double limit = thresholds->of[check->limit];
    bool is_share = threshold_rows[check->limit].unit == LIMIT_SHARE;

    return arena_printf(arena, "%s %s %.10g%s", threshold_rows[check->limit].name,
                        check->is_below ? "<" : ">=", is_share ? limit * 100 : limit,
                        is_share ? "%" : "");
}

struct check_row check_row(const struct check *check, const struct thresholds *thresholds,
                           struct arena *arena)
{
    return (struct check_row){
        .of = *check,
        .bound = check->verdict == HELD_BY_NOTHING ? NULL : bottleneck_name(check->verdict),
        .unit = format_unit(check->unit),
        .threshold = threshold_rows[check->limit].name,
        .figures = check_figures(check, arena),
        .threshold_shown = check_threshold(check, thresholds, arena),
        .whole = check->whole > 0 ? check->whole : TABLE_NULL,
        .limit = thresholds->of[check->limit],
    };
}

struct span code_without_tabs(struct span source, struct arena *arena)
{
    enum { TAB = 4 };
    char *copy;
    size_t len = 0;

    if (source.len == 0 || !memchr(source.at, '\t', source.len))
        return source;
    copy = arena_array(arena, source.len, TAB);
    for (size_t i = 0; i < source.len; i++) {
        if (source.at[i] != '\t') {
            copy[len++] = source.at[i];
            continue;
        }
        do
            copy[len++] = ' ';
        while (len % TAB);
    }
    return (struct span){copy, len};
}
