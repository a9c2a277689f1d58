/* SPDX-License-Identifier: Apache-2.0 */
/* csv_writer.c — the rows of the richest level: functions, calls, paths or events */
#include <stdlib.h>

#include "base/io/io.h"
#include "base/memory/memory.h"
#include "base/text/escape.h"
#include "render/writers/writer.h"

enum { FRAMES_KEPT = 32 << 20 }; /* bytes of their texts */

/* A table that is being written. */
struct csv {
    const struct graph *graph;
    struct csv_readers readers;
    struct row_text rows;
    struct span *frames; /* of paths and events: what their frames become, by frame; at == NULL: not made */
    char *texts;         /* these, one after the other */
};

static void write_span(struct csv *csv, struct span text)
{
    if (escape_csv_is_plain(text, csv->readers)) {
        row_text_put(&csv->rows, text);
        return;
    }
    row_text_flush(&csv->rows);
    escape_csv(csv->rows.out, text, csv->readers);
}

static void write_text(struct csv *csv, str_id id)
{
    write_span(csv, graph_text(csv->graph, id));
    row_text_put(&csv->rows, SPAN(","));
}

static void write_figure(struct csv *csv, int64_t figure, char after)
{
    if (figure != UNKNOWN)
        row_text_number(&csv->rows, figure);
    row_text_put(&csv->rows, (struct span){&after, 1});
}

/* name,file,line,module,kind */
static void write_columns_of_frame(struct csv *csv, frame_id id)
{
    const struct frame *frame = graph_frame(csv->graph, id);

    write_text(csv, frame->name);
    write_text(csv, frame->file);
    write_figure(csv, frame->line, ',');
    write_text(csv, frame->module);
    row_text_put(&csv->rows, span_of(frame_kind_name(frame->kind)));
}

/* Rows of paths and events share frames: a frame is put into words once, as long as there is room for these. */
static void make_frames(struct csv *csv, struct arena *arena)
{
    FILE *out = csv->rows.out;
    frame_id made = 0;
    size_t count = csv->graph->frames.count, end = 0, at = 0;

    csv->frames = arena_array(arena, count, sizeof(*csv->frames));
    csv->rows.out = memory_stream_open(&csv->texts, &end);
    for (; made < count && at < FRAMES_KEPT; made++) {
        write_columns_of_frame(csv, made);
        row_text_flush(&csv->rows);
        csv->frames[made].len = (size_t)ftello(csv->rows.out) - at;
        at += csv->frames[made].len;
    }
    memory_stream_close(csv->rows.out, &csv->texts);
    csv->rows.out = out;
    at = 0;
    for (frame_id id = 0; id < made; id++) {
        csv->frames[id].at = csv->texts + at;
        at += csv->frames[id].len;
    }
}

static void write_frame(struct csv *csv, frame_id id)
{
    if (csv->frames[id].at)
        row_text_put(&csv->rows, csv->frames[id]);
    else
        write_columns_of_frame(csv, id);
}

/* ---- functions and calls ---- */

static void write_functions(struct csv *csv)
{
    const struct functions *functions = &csv->graph->functions;

    for (uint32_t i = 0; i < functions->listed; i++) {
        row_text_put(&csv->rows, SPAN(",,,"));
        write_columns_of_frame(csv, functions->frame[i]);
        row_text_put(&csv->rows, SPAN(","));
        write_figure(csv, functions->calls[i], ',');
        write_figure(csv, functions->primitive_calls[i], ',');
        write_figure(csv, functions->self[i], ',');
        write_figure(csv, functions->cum[i], '\n');
    }
}

static void write_calls(struct csv *csv)
{
    const struct functions *functions = &csv->graph->functions;
    const struct calls *calls = &csv->graph->calls;

    for (uint32_t i = 0; i < calls->count; i++) {
        const struct frame *caller = graph_frame(csv->graph, functions->frame[calls->caller[i]]);

        write_text(csv, caller->name);
        write_text(csv, caller->file);
        write_figure(csv, caller->line, ',');
        write_columns_of_frame(csv, functions->frame[calls->callee[i]]);
        row_text_put(&csv->rows, SPAN(","));
        write_figure(csv, calls->calls[i], ',');
        write_figure(csv, calls->primitive_calls[i], ',');
        write_figure(csv, calls->self[i], ',');
        write_figure(csv, calls->cum[i], '\n');
    }
}

static void write_call_graph(struct csv *csv)
{
    row_text_put(&csv->rows, SPAN("caller_name,caller_file,caller_line,name,file,line,module,kind,"
                                  "calls,primitive_calls,self,cum\n"));
    write_functions(csv);
    if (csv->graph->native == LEVEL_CALLGRAPH)
        write_calls(csv);
}

/* ---- paths ---- */

static void write_path_head(struct csv *csv)
{
    const struct graph *graph = csv->graph;

    row_text_put(&csv->rows, SPAN("node,parent,name,file,line,module,kind"));
    if (graph->tree.calls)
        row_text_put(&csv->rows, SPAN(",calls"));
    for (uint32_t v = 0; v < graph->values.count; v++)
        if (calltree_has_value(&graph->tree, v)) {
            row_text_put(&csv->rows, SPAN(","));
            write_span(csv, graph_text(graph, graph->values.list[v].name));
        }
    row_text_put(&csv->rows, SPAN("\n"));
}

/* The texts of frames are all over the memory: those of the nodes after this one are fetched meanwhile. */
static void fetch_ahead(const struct csv *csv, node_id node)
{
    enum { SPANS_AHEAD = 16, TEXTS_AHEAD = 8 };
    const struct calltree *tree = &csv->graph->tree;

    if (tree->count - node <= SPANS_AHEAD)
        return;
    __builtin_prefetch(&csv->frames[tree->frame[node + SPANS_AHEAD]]);
    row_text_fetch(csv->frames[tree->frame[node + TEXTS_AHEAD]]);
}

static void write_paths(struct csv *csv)
{
    const struct calltree *tree = &csv->graph->tree;

    write_path_head(csv);
    for (node_id node = 1; node < tree->count; node++) {
        fetch_ahead(csv, node);
        write_figure(csv, node, ',');
        write_figure(csv, calltree_parent(tree, node), ',');
        write_frame(csv, tree->frame[node]);
        if (tree->calls) {
            row_text_put(&csv->rows, SPAN(","));
            row_text_number(&csv->rows, tree->calls[node]);
        }
        for (uint32_t v = 0; v < csv->graph->values.count; v++)
            if (calltree_has_value(tree, v)) {
                row_text_put(&csv->rows, SPAN(","));
                row_text_number(&csv->rows, calltree_self(tree, v, node));
            }
        row_text_put(&csv->rows, SPAN("\n"));
    }
}

/* ---- events ---- */

static void write_event(struct csv *csv, const struct track *track, event_id event)
{
    const struct timeline *timeline = &csv->graph->timeline;
    event_id launch = timeline->launch ? timeline->launch[event] : NO_EVENT;

    write_figure(csv, event, ',');
    write_text(csv, track->process);
    write_text(csv, track->name);
    write_figure(csv, track->device >= 0 ? track->device : UNKNOWN, ',');
    write_frame(csv, timeline->frame[event]);
    row_text_put(&csv->rows, SPAN(","));
    write_text(csv, event_category(timeline, event));
    write_figure(csv, timeline->start[event], ',');
    write_figure(csv, timeline->duration[event], ',');
    write_figure(csv, launch != NO_EVENT ? (int64_t)launch : UNKNOWN, '\n');
}

static void write_events(struct csv *csv)
{
    const struct timeline *timeline = &csv->graph->timeline;

    row_text_put(&csv->rows, SPAN("event,process,track,device,name,file,line,module,kind,category,"
                                  "start,duration,launched_by\n"));
    for (uint32_t i = 0; i < timeline->track_count; i++) {
        const struct track *track = &timeline->tracks[i];

        for (event_id event = track->first; event < track->first + track->count; event++)
            write_event(csv, track, event);
    }
}

static void write_csv(struct writing *writing)
{
    struct csv csv = {.graph = writing->graph,
                      .readers = writing->readers,
                      .rows.out = writing->out};

    if (csv.graph->native == LEVEL_TIMELINE || csv.graph->native == LEVEL_CALLTREE)
        make_frames(&csv, writing->arena);
    if (csv.graph->native == LEVEL_TIMELINE)
        write_events(&csv);
    else if (csv.graph->native == LEVEL_CALLTREE)
        write_paths(&csv);
    else
        write_call_graph(&csv);
    row_text_flush(&csv.rows);
    free(csv.texts);
}

const struct writer writer_csv = {
    .name = "csv",
    .summary = "a row for each function and call, each path, or each event",
    .level = LEVEL_FLAT,
    .question = "there is nothing to write",
    .all_values = true,
    .wants_events = true,
    .wants_richest = true,
    .write = write_csv,
};
