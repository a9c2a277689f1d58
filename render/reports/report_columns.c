/* SPDX-License-Identifier: Apache-2.0 */
#include "render/reports/report_columns.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/checked.h"
#include "base/text/format.h"
#include "graph/model/graph.h"

const struct column *columns_of_frames(const struct graph *graph, const struct column *columns,
                                       uint32_t count, struct arena *arena)
{
    enum { KIND = 4 };
    struct column *grouped;

    if (!graph->selection.grouped_by)
        return columns;
    grouped = arena_array(arena, count, sizeof(*grouped));
    memcpy(grouped, columns, count * sizeof(*grouped));
    grouped[KIND].use = COLUMN_MACHINES;
    return grouped;
}

void row_frame(struct row_writer *writer, const struct graph *graph, frame_id id)
{
    const struct frame *frame = graph_frame(graph, id);

    row_text(writer, graph_text(graph, frame->name));
    row_text(writer, frame->file ? graph_text(graph, frame->file) : NO_TEXT);
    row_number(writer, frame->line);
    row_text(writer, frame->module ? graph_text(graph, frame->module) : NO_TEXT);
    row_text(writer, span_of(frame_kind_name(frame->kind)));
}

void row_figure(struct row_writer *writer, int64_t figure)
{
    row_number(writer, figure == UNKNOWN ? TABLE_NULL : figure);
}

void row_call_counts(struct row_writer *writer, int64_t calls, int64_t primitive_calls,
                     struct arena *arena)
{
    if (calls == UNKNOWN)
        row_text(writer, NO_TEXT);
    else if (primitive_calls == UNKNOWN || primitive_calls == calls)
        row_text(writer, span_of(arena_printf(arena, "%" PRId64, calls)));
    else
        row_text(writer,
                 span_of(arena_printf(arena, "%" PRId64 "/%" PRId64, calls, primitive_calls)));
}

void row_per_call(struct row_writer *writer, int64_t figure, int64_t calls)
{
    if (figure == UNKNOWN || calls == UNKNOWN || calls == 0)
        row_number(writer, TABLE_NULL);
    else
        row_number(writer, checked_add(figure, figure < 0 ? -calls / 2 : calls / 2) / calls);
}

void row_label(struct row_writer *writer, const struct graph *graph, frame_id id,
               struct arena *arena)
{
    struct span label = frame_label(graph, id, arena);
    uint8_t places = frame_inlining(&graph->frames, id);
    const char *mark = !(places & IN_ITS_CALLERS) ? ""
                       : places & ON_ITS_OWN      ? " (partial-inline)"
                                                  : " (inline)";
    size_t len = label.len + strlen(mark);
    char *text;

    if (*mark) {
        text = arena_array(arena, len, 1);
        memcpy(text, label.at, label.len);
        memcpy(text + label.len, mark, len - label.len);
        label = (struct span){text, len};
    }
    row_text(writer, label);
}

bool is_python_profile(const struct graph *graph)
{
    uint32_t python = 0;

    for (uint32_t i = 0; i < graph->functions.listed; i++)
        python += graph_frame(graph, graph->functions.frame[i])->kind == KIND_PYTHON;
    return graph->native <= LEVEL_CALLGRAPH && python * 4 >= graph->functions.listed;
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

    if (check->is_largest)
        return "the largest loss";
    return arena_printf(arena, "%s %s %.10g%s", threshold_rows[check->limit].name,
                        check->is_below ? "<" : ">=", is_share ? limit * 100 : limit,
                        is_share ? "%" : "");
}

void row_evidence(struct row_writer *row, const struct check *check,
                  const struct thresholds *thresholds, struct arena *arena)
{
    row_text(row, span_of(check->what));
    row_figure(row, check->part);
    row_text(row, span_of(format_unit(check->unit)));
    row_number(row, check->whole > 0 ? check->whole : TABLE_NULL);
    row_real(row, check->value);
    row_number(row, check->is_below);
    row_real(row, thresholds->of[check->limit]);
    row_text(row, span_of(threshold_rows[check->limit].name));
    row_text(row, span_of(check_figures(check, arena)));
    row_text(row, span_of(check_threshold(check, thresholds, arena)));
}

void row_check(struct row_writer *row, const struct check *check,
               const struct thresholds *thresholds, struct arena *arena)
{
    row_number(row, check->holds);
    row_text(row, check->verdict == HELD_BY_NOTHING ? NO_TEXT
                                                    : span_of(bottleneck_name(check->verdict)));
    row_evidence(row, check, thresholds, arena);
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
