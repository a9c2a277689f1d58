/* SPDX-License-Identifier: Apache-2.0 */
#include "render/reports/reports.h"

#include "analysis/functions/hotspots.h"
#include "analysis/functions/tree.h"
#include "base/io/io.h"
#include "base/text/format.h"
#include "graph/model/graph.h"
#include "render/forms/table.h"
#include "render/reports/report_columns.h"

#include <stdlib.h>

static const struct column columns[] = {
    TEXT_COLUMN("key", NULL),
    TEXT_COLUMN("label", "value"),
    TEXT_COLUMN("unit", NULL),
    COUNT_COLUMN("samples", NULL),
    {.key = "sum", .kind = CELL_VALUE, .use = COLUMN_ALL},
    {.key = "share", .heading = "%", .kind = CELL_SHARE, .use = COLUMN_ALL, .is_heat = true},
};

static const char *headline(const struct graph *graph, const struct labels *labels,
                            struct arena *arena)
{
    char total[FORMAT_LEN];

    if (labels->count == 0)
        return "no sample has a label";
    return arena_printf(arena, "%s of %s in %s", format_many(arena, labels->count, "value"),
                        format_many(arena, labels->keys, "label"),
                        format_value(total, labels->total, graph_unit(graph)));
}

void labels_report(const struct labels *labels, struct arena *arena, struct report *report)
{
    const struct graph *graph = report->inputs[0].graph;
    struct table *table =
        table_new(arena, columns_in_unit(arena, columns, COUNT_OF(columns), graph_unit(graph)),
                  COUNT_OF(columns), labels->count, "rows", NULL);

    for (uint32_t i = 0; i < labels->count; i++) {
        const struct labels_row *from = &labels->rows[i];
        struct row_writer row = table_row(table, i);

        row_text(&row, graph_text(graph, from->label.key));
        row_text(&row, graph_text(graph, from->label.text));
        row_text(&row, from->label.unit ? graph_text(graph, from->label.unit) : NO_TEXT);
        row_number(&row, from->samples);
        row_number(&row, from->value);
        row_real(&row, from->share);
    }
    report->has_value = true;
    report_number(report, "total", labels->total);
    report_before(report, headline(graph, labels, arena));
    report_table(report, table);
}

static const struct column outer_columns[] = {
    {.key = "self", .kind = CELL_VALUE, .use = COLUMN_ALL},
    {.key = "share", .heading = "%", .kind = CELL_SHARE, .use = COLUMN_ALL, .is_heat = true},
    {.key = "depth", .kind = CELL_COUNT, .use = COLUMN_MACHINES},
    TEXT_COLUMN("labels", ""),
};

static const struct column inner_columns[] = {
    FRAME_COLUMNS(COLUMN_MACHINES),
    {.key = "function", .heading = "", .kind = CELL_TEXT, .use = COLUMN_PEOPLE, .is_path = true},
};

/* "worker=1, bytes=48"; NULL where a sample has no label. */
static const char *labels_text(const struct graph *graph, uint32_t set, struct arena *arena)
{
    size_t count;
    const struct sample_label *labels = label_set_labels(&graph->label_sets, set, &count);
    char *text, *copy;
    size_t size;
    FILE *out;

    if (!count)
        return NULL;
    out = memory_stream_open(&text, &size);
    for (size_t i = 0; i < count; i++) {
        struct span key = graph_text(graph, labels[i].key);
        struct span value = graph_text(graph, labels[i].text);

        fprintf(out, "%s%.*s=%.*s", i ? ", " : "", (int)key.len, key.at, (int)value.len, value.at);
    }
    memory_stream_close(out, &text);
    copy = arena_copy(arena, (struct span){text, size});
    free(text);
    return copy;
}

/* The frames from the leaf up; returns the set of labels that stands above them, or 0. */
static uint32_t fill_frames(const struct table *table, uint32_t at, const struct graph *graph,
                            const struct stacks_row *stack, struct arena *arena)
{
    const struct calltree *tree = &graph->tree;

    node_id node = stack->leaf;

    for (; tree->frame[node]; node = calltree_parent(tree, node)) {
        struct row_writer row = table_row(table, at++);

        row_frame(&row, graph, tree->frame[node]);
        row_label(&row, graph, tree->frame[node], arena);
    }
    return calltree_set(tree, node);
}

static void add_notes(const struct graph *graph, const struct stacks *stacks, struct arena *arena,
                      struct report *report)
{
    char rest[FORMAT_LEN];

    if (stacks->left_out)
        report_afterf(report, arena, "%s: %s (%.2f%%)%s",
                      format_many(arena, stacks->left_out, "more stack"),
                      format_value(rest, stacks->left_out_self, graph_unit(graph)),
                      100 * share_of(stacks->left_out_self, stacks->whole),
                      stacks->is_cut ? "; that is too much to show" : "; -n 0 shows all");
}

void traces_report(const struct stacks *stacks, struct arena *arena, struct report *report)
{
    const struct graph *graph = report->inputs[0].graph;
    struct table *outer = table_new(
        arena, columns_in_unit(arena, outer_columns, COUNT_OF(outer_columns), graph_unit(graph)),
        COUNT_OF(outer_columns), stacks->count, "rows", NULL);
    uint32_t at = 0;

    outer->first = arena_array(arena, (size_t)stacks->count + 1, sizeof(*outer->first));
    for (uint32_t i = 0; i < stacks->count; i++) {
        outer->first[i] = at;
        at += stacks->rows[i].depth;
    }
    outer->first[stacks->count] = at;
    outer->inner = table_new(arena, inner_columns, COUNT_OF(inner_columns), at, "frames", NULL);
    outer->inner->row = "frame";
    for (uint32_t i = 0; i < stacks->count; i++) {
        const struct stacks_row *stack = &stacks->rows[i];
        uint32_t set = fill_frames(outer->inner, outer->first[i], graph, stack, arena);
        const char *labels = set ? labels_text(graph, set, arena) : NULL;
        struct row_writer row = table_row(outer, i);

        row_number(&row, stack->self);
        row_real(&row, stack->share);
        row_number(&row, stack->depth);
        row_text(&row, labels ? span_of(labels) : NO_TEXT);
    }
    report->has_value = true;
    report_number(report, "total", stacks->whole);
    report_table(report, outer);
    add_notes(graph, stacks, arena, report);
}
