/* SPDX-License-Identifier: Apache-2.0 */
/* Samples: their labels, and their stacks one by one. */
#include "render/reports/reports.h"

#include "analysis/functions/hotspots.h"
#include "analysis/functions/tree.h"
#include "base/io/io.h"
#include "base/text/format.h"
#include "graph/model/graph.h"
#include "graph/names/names.h"
#include "render/forms/table.h"
#include "render/reports/report_columns.h"

#include <stdlib.h>

static const char *headline(const struct graph *graph, const struct labels *labels,
                            struct arena *arena)
{
    const struct labels_row *most = &labels->rows[labels->most];
    char total[FORMAT_LEN], share[FORMAT_LEN];
    struct span key, text;

    if (labels->count == 0)
        return "No sample has a label.";
    key = graph_text(graph, most->label.key);
    text = graph_text(graph, most->label.text);
    return arena_printf(arena, "%.*s=%.*s has %s of %s, the most of %s of %s.", (int)key.len, key.at, (int)text.len, text.at,
                        format_share(share, most->share), format_value(total, labels->total, graph_unit(graph)),
                        format_many(arena, labels->count, "value"), format_many(arena, labels->keys, "label"));
}

void labels_report(const struct labels *labels, struct arena *arena, struct report *report)
{
    const struct graph *graph = report->inputs[0].graph;
    typedef struct labels_row row;
    static const struct column columns[] = {
        STRING_AT("key", label.key),
        STRING_AT("label", label.text, .heading = "value"),
        TEXT_BY(cell_graph_text_if_any, "unit", label.unit),
        COUNT_AT("samples", samples),
        VALUE_AT("sum", value),
        SHARE_AT("share", share, .heading = "%", .is_heat = true),
    };
    struct table_context context = graph_context(graph, arena);
    struct table *table = TABLE_OF(&context, columns, labels->rows, labels->count, "rows", NULL);

    report->has_value = true;
    report_value(report, "total", labels->total, graph_unit(report->inputs[0].graph));
    report_before(report, headline(graph, labels, arena));
    report_table(report, table);
}

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

/* The frames of a stack from the leaf up. Adds them; returns the set of labels that stands above them, or 0. */
static uint32_t add_frames(struct table *table, const struct graph *graph, node_id leaf)
{
    const struct calltree *tree = &graph->tree;
    node_id node = leaf;

    for (; tree->frame[node]; node = calltree_parent(tree, node))
        table_add(table, &tree->frame[node]);
    return calltree_set(tree, node);
}

/* A row is a frame_id. */
static struct table *begin_frames(const struct table_context *context, uint32_t room)
{
    typedef struct {
        frame_id frame;
    } row;
    static const struct column columns[] = {
        FRAME_AT(frame, COLUMN_MACHINES),
        SHORT_AT(frame),
        LABEL_AT("function", frame, FOR_PEOPLE, .heading = "", .is_path = true),
    };
    struct table *table = TABLE_BEGIN(context, columns, room, "frames", NULL);

    table->row = "frame";
    return table;
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

/* "work takes 51.72% of 58 in the costliest stack, called by main." */
static const char *first_sentence(const struct graph *graph, const struct stacks *stacks, struct arena *arena)
{
    const struct calltree *tree = &graph->tree;
    const struct stacks_row *row = &stacks->rows[0];
    char share[FORMAT_LEN], whole[FORMAT_LEN];
    struct span name, caller = {0};
    node_id parent;

    if (!tree->frame[row->leaf])
        return "The costliest stack is empty.";
    name = graph_short_name(graph, tree->frame[row->leaf]);
    parent = calltree_parent(tree, row->leaf);
    if (tree->frame[parent])
        caller = graph_short_name(graph, tree->frame[parent]);
    return arena_printf(arena, "%.*s takes %s of %s in the costliest stack%s%.*s.", (int)name.len, name.at,
                        format_share(share, row->share), format_value(whole, stacks->whole, graph_unit(graph)),
                        caller.len ? ", called by " : "", (int)caller.len, caller.at);
}

void traces_report(const struct stacks *stacks, struct arena *arena, struct report *report)
{
    const struct graph *graph = report->inputs[0].graph;
    typedef struct {
        struct stacks_row of;
        const char *labels;
    } row;
    static const struct column columns[] = {
        VALUE_AT("self", of.self),
        SHARE_AT("share", of.share, .heading = "%", .is_heat = true),
        COUNT_AT("depth", of.depth, FOR_MACHINES),
        TEXT_AT("labels", labels, .heading = ""),
    };
    struct table_context context = graph_context(graph, arena);
    struct table *outer = TABLE_BEGIN(&context, columns, stacks->count, "rows", NULL);
    uint32_t frames = 0;

    for (uint32_t i = 0; i < stacks->count; i++)
        frames += stacks->rows[i].depth;
    outer->inner = begin_frames(&context, frames);
    outer->first = arena_array(arena, (size_t)stacks->count + 1, sizeof(*outer->first));
    for (uint32_t i = 0; i < stacks->count; i++) {
        uint32_t set = add_frames(outer->inner, graph, stacks->rows[i].leaf);

        TABLE_ADD(outer, stacks->rows[i], set ? labels_text(graph, set, arena) : NULL);
        outer->first[i + 1] = outer->inner->height;
    }
    report->has_value = true;
    report_value(report, "total", stacks->whole, graph_unit(report->inputs[0].graph));
    if (stacks->count)
        report_before(report, first_sentence(graph, stacks, arena));
    report_table(report, outer);
    add_notes(graph, stacks, arena, report);
}
