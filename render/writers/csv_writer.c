/* SPDX-License-Identifier: Apache-2.0 */
/* csv_writer.c — the rows of the richest level: functions, calls, paths or events */
#include <inttypes.h>
#include <stdlib.h>

#include "base/io/io.h"
#include "base/memory/memory.h"
#include "base/text/escape.h"
#include "render/writers/writer.h"

static void write_text(struct writing *writing, str_id id)
{
    escape_csv(writing->out, graph_text(writing->graph, id), writing->readers);
    putc(',', writing->out);
}

static void write_figure(struct writing *writing, int64_t figure, char after)
{
    if (figure != UNKNOWN)
        fprintf(writing->out, "%" PRId64, figure);
    putc(after, writing->out);
}

/* name,file,line,module,kind, */
static void write_frame(struct writing *writing, frame_id id)
{
    const struct frame *frame = graph_frame(writing->graph, id);

    write_text(writing, frame->name);
    write_text(writing, frame->file);
    write_figure(writing, frame->line, ',');
    write_text(writing, frame->module);
    fprintf(writing->out, "%s,", frame_kind_name(frame->kind));
}

/* ---- functions and calls ---- */

static void write_functions(struct writing *writing)
{
    const struct functions *functions = &writing->graph->functions;

    for (uint32_t i = 0; i < functions->listed; i++) {
        fputs(",,,", writing->out);
        write_frame(writing, functions->frame[i]);
        write_figure(writing, functions->calls[i], ',');
        write_figure(writing, functions->primitive_calls[i], ',');
        write_figure(writing, functions->self[i], ',');
        write_figure(writing, functions->cum[i], '\n');
    }
}

static void write_calls(struct writing *writing)
{
    const struct functions *functions = &writing->graph->functions;
    const struct calls *calls = &writing->graph->calls;

    for (uint32_t i = 0; i < calls->count; i++) {
        const struct frame *caller =
            graph_frame(writing->graph, functions->frame[calls->caller[i]]);

        write_text(writing, caller->name);
        write_text(writing, caller->file);
        write_figure(writing, caller->line, ',');
        write_frame(writing, functions->frame[calls->callee[i]]);
        write_figure(writing, calls->calls[i], ',');
        write_figure(writing, calls->primitive_calls[i], ',');
        write_figure(writing, calls->self[i], ',');
        write_figure(writing, calls->cum[i], '\n');
    }
}

static void write_call_graph(struct writing *writing)
{
    fputs("caller_name,caller_file,caller_line,name,file,line,module,kind,"
          "calls,primitive_calls,self,cum\n",
          writing->out);
    write_functions(writing);
    if (writing->graph->native == LEVEL_CALLGRAPH)
        write_calls(writing);
}

/* ---- paths ---- */

static void write_path_head(struct writing *writing)
{
    const struct graph *graph = writing->graph;

    fputs("node,parent,name,file,line,module,kind", writing->out);
    if (graph->tree.calls)
        fputs(",calls", writing->out);
    for (uint32_t v = 0; v < graph->values.count; v++)
        if (calltree_has_value(&graph->tree, v)) {
            putc(',', writing->out);
            escape_csv(writing->out, graph_text(graph, graph->values.list[v].name),
                       writing->readers);
        }
    putc('\n', writing->out);
}

/* name,file,line,module,kind, as many rows have it; in the arena. */
static struct span frame_text(struct writing *writing, frame_id id)
{
    struct writing inside = *writing;
    char *text;
    size_t size;

    inside.out = memory_stream_open(&text, &size);
    write_frame(&inside, id);
    memory_stream_close(inside.out, &text);
    struct span copy = {arena_copy(writing->arena, (struct span){text, size}), size};
    free(text);
    return copy;
}

static void write_paths(struct writing *writing)
{
    const struct calltree *tree = &writing->graph->tree;
    struct span *text_of =
        arena_array(writing->arena, writing->graph->frames.count, sizeof(*text_of));
    struct row_text rows = {.out = writing->out};

    write_path_head(writing);
    for (node_id node = 1; node < tree->count; node++) {
        struct span *text = &text_of[tree->frame[node]];

        if (!text->at)
            *text = frame_text(writing, tree->frame[node]);
        row_text_number(&rows, node);
        row_text_put(&rows, SPAN(","));
        row_text_number(&rows, calltree_parent(tree, node));
        row_text_put(&rows, SPAN(","));
        row_text_put(&rows, (struct span){text->at, text->len - 1}); /* the line may end there */
        if (tree->calls) {
            row_text_put(&rows, SPAN(","));
            row_text_number(&rows, tree->calls[node]);
        }
        for (uint32_t v = 0; v < writing->graph->values.count; v++)
            if (calltree_has_value(tree, v)) {
                row_text_put(&rows, SPAN(","));
                row_text_number(&rows, calltree_self(tree, v, node));
            }
        row_text_put(&rows, SPAN("\n"));
    }
    row_text_flush(&rows);
}

/* ---- events ---- */

static void write_event(struct writing *writing, const struct track *track, event_id event)
{
    const struct timeline *timeline = &writing->graph->timeline;
    event_id launch = timeline->launch ? timeline->launch[event] : NO_EVENT;

    fprintf(writing->out, "%" PRIu32 ",", event);
    write_text(writing, track->process);
    write_text(writing, track->name);
    write_figure(writing, track->device >= 0 ? track->device : UNKNOWN, ',');
    write_frame(writing, timeline->frame[event]);
    write_text(writing, event_category(timeline, event));
    write_figure(writing, timeline->start[event], ',');
    write_figure(writing, timeline->duration[event], ',');
    write_figure(writing, launch != NO_EVENT ? (int64_t)launch : UNKNOWN, '\n');
}

static void write_events(struct writing *writing)
{
    const struct timeline *timeline = &writing->graph->timeline;

    fputs("event,process,track,device,name,file,line,module,kind,category,start,duration,"
          "launched_by\n",
          writing->out);
    for (uint32_t i = 0; i < timeline->track_count; i++) {
        const struct track *track = &timeline->tracks[i];

        for (event_id event = track->first; event < track->first + track->count; event++)
            write_event(writing, track, event);
    }
}

static void write_csv(struct writing *writing)
{
    if (writing->graph->native == LEVEL_TIMELINE)
        write_events(writing);
    else if (writing->graph->native == LEVEL_CALLTREE)
        write_paths(writing);
    else
        write_call_graph(writing);
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
