/* SPDX-License-Identifier: Apache-2.0 */
/* json_writer.c — all that the graph knows, as one object: its richest level, and the names it
 * refers to
 *
 * Everything is referred to by its place in its array; what is not known is null. */
#include <inttypes.h>

#include "base/text/escape.h"
#include "base/text/format.h"
#include "render/writers/writer.h"

struct json {
    const struct graph *graph;
    FILE *out;
    struct trace_args args;
};

/* ---- parts ---- */

static void write_text(struct json *json, const char *key, str_id id)
{
    fprintf(json->out, ",\"%s\":", key);
    if (id)
        escape_json(json->out, graph_text(json->graph, id));
    else
        fputs("null", json->out);
}

static void write_figure(struct json *json, const char *key, int64_t figure)
{
    if (figure == UNKNOWN)
        fprintf(json->out, ",\"%s\":null", key);
    else
        fprintf(json->out, ",\"%s\":%" PRId64, key, figure);
}

/* Begins an array, and goes on with each object in it. */
static void begin_array(struct json *json, const char *key)
{
    fprintf(json->out, ",\n\"%s\":[", key);
}

static void next_line(struct json *json, uint32_t at)
{
    fputs(at ? ",\n  " : "\n  ", json->out);
}

static void write_values(struct json *json)
{
    const struct graph *graph = json->graph;

    begin_array(json, "values");
    for (uint32_t v = 0; v < graph->values.count; v++) {
        next_line(json, v);
        fputs("{\"name\":", json->out);
        escape_json(json->out, graph_text(graph, graph->values.list[v].name));
        fprintf(json->out, ",\"unit\":\"%s\"}", format_unit(graph->values.list[v].unit));
    }
    fputs("]", json->out);
}

static void write_frames(struct json *json)
{
    begin_array(json, "frames");
    for (frame_id id = 0; id < json->graph->frames.count; id++) {
        const struct frame *frame = graph_frame(json->graph, id);

        next_line(json, id);
        fputs("{\"name\":", json->out);
        escape_json(json->out, graph_text(json->graph, frame->name));
        write_text(json, "file", frame->file);
        write_figure(json, "line", frame->line);
        write_text(json, "module", frame->module);
        fprintf(json->out, ",\"kind\":\"%s\"}", frame_kind_name(frame->kind));
    }
    fputs("]", json->out);
}

/* ---- functions and calls ---- */

static void write_functions(struct json *json)
{
    const struct functions *functions = &json->graph->functions;

    begin_array(json, "functions");
    for (uint32_t i = 0; i < functions->count; i++) {
        bool is_listed = i < functions->listed;

        next_line(json, i);
        fprintf(json->out, "{\"frame\":%" PRIu32, functions->frame[i]);
        write_figure(json, "calls", is_listed ? functions->calls[i] : UNKNOWN);
        write_figure(json, "primitive_calls", is_listed ? functions->primitive_calls[i] : UNKNOWN);
        write_figure(json, "self", is_listed ? functions->self[i] : UNKNOWN);
        write_figure(json, "cum", is_listed ? functions->cum[i] : UNKNOWN);
        putc('}', json->out);
    }
    fputs("]", json->out);
}

static void write_calls(struct json *json)
{
    const struct calls *calls = &json->graph->calls;

    begin_array(json, "calls");
    for (uint32_t i = 0; i < calls->count; i++) {
        next_line(json, i);
        fprintf(json->out, "{\"caller\":%" PRIu32 ",\"callee\":%" PRIu32, calls->caller[i],
                calls->callee[i]);
        write_figure(json, "calls", calls->calls[i]);
        write_figure(json, "primitive_calls", calls->primitive_calls[i]);
        write_figure(json, "self", calls->self[i]);
        write_figure(json, "cum", calls->cum[i]);
        putc('}', json->out);
    }
    fputs("]", json->out);
}

/* ---- call tree ---- */

/* The root is the first, and its own parent. */
static void write_nodes(struct json *json)
{
    const struct calltree *tree = &json->graph->tree;
    struct row_text rows = {.out = json->out};

    begin_array(json, "nodes");
    for (node_id node = 0; node < tree->count; node++) {
        row_text_put(&rows, node ? SPAN(",\n  {\"parent\":") : SPAN("\n  {\"parent\":"));
        row_text_number(&rows, calltree_parent(tree, node));
        row_text_put(&rows, SPAN(",\"frame\":"));
        row_text_number(&rows, tree->frame[node]);
        if (tree->calls) {
            row_text_put(&rows, SPAN(",\"calls\":"));
            row_text_number(&rows, tree->calls[node]);
        }
        row_text_put(&rows, SPAN(",\"self\":["));
        for (uint32_t v = 0; v < json->graph->values.count; v++) {
            row_text_put(&rows, v ? SPAN(",") : SPAN(""));
            if (calltree_has_value(tree, v))
                row_text_number(&rows, calltree_self(tree, v, node));
            else
                row_text_put(&rows, SPAN("null"));
        }
        row_text_put(&rows, SPAN("]}"));
    }
    row_text_flush(&rows);
    fputs("]", json->out);
}

/* ---- timeline ---- */

static void write_tracks(struct json *json)
{
    const struct timeline *timeline = &json->graph->timeline;

    begin_array(json, "tracks");
    for (uint32_t i = 0; i < timeline->track_count; i++) {
        const struct track *track = &timeline->tracks[i];

        next_line(json, i);
        fprintf(json->out, "{\"kind\":\"%s\"", track_kind_name(track->kind));
        write_text(json, "name", track->name);
        write_text(json, "process", track->process);
        write_figure(json, "device", track->device >= 0 ? track->device : UNKNOWN);
        write_figure(json, "pid", track->pid);
        write_figure(json, "tid", track->tid);
        write_figure(json, "lane", track->lane);
        write_figure(json, "first", track->first);
        write_figure(json, "count", track->count);
        putc('}', json->out);
    }
    fputs("]", json->out);
}

static void write_events(struct json *json)
{
    const struct timeline *timeline = &json->graph->timeline;
    struct row_text rows = {.out = json->out};

    begin_array(json, "events");
    for (event_id event = 0; event < timeline->count; event++) {
        event_id launch = timeline->launch ? timeline->launch[event] : NO_EVENT;

        row_text_put(&rows, event ? SPAN(",\n  {\"start\":") : SPAN("\n  {\"start\":"));
        row_text_number(&rows, timeline->start[event]);
        row_text_put(&rows, SPAN(",\"duration\":"));
        row_text_number(&rows, timeline->duration[event]);
        row_text_put(&rows, SPAN(",\"frame\":"));
        row_text_number(&rows, timeline->frame[event]);
        if (launch != NO_EVENT) {
            row_text_put(&rows, SPAN(",\"launched_by\":"));
            row_text_number(&rows, launch);
        }
        if (timeline->category_count) {
            str_id category = event_category(timeline, event);

            row_text_put(&rows, category ? SPAN(",\"category\":") : SPAN(",\"category\":null"));
            if (category)
                row_text_json(&rows, graph_text(json->graph, category));
        }
        trace_args_write(&json->args, event, &rows);
        row_text_put(&rows, SPAN("}"));
    }
    row_text_flush(&rows);
    fputs("]", json->out);
}

static void write_series(struct json *json)
{
    const struct timeline *timeline = &json->graph->timeline;

    begin_array(json, "series");
    for (uint32_t i = 0; i < timeline->series.count; i++) {
        const struct series *series = &timeline->series.list[i];

        next_line(json, i);
        fputs("{\"name\":", json->out);
        escape_json(json->out, graph_text(json->graph, series->name));
        write_text(json, "process", series->process);
        fputs(",\"samples\":[", json->out);
        for (uint32_t s = 0; s < series->count; s++)
            fprintf(json->out, "%s[%" PRId64 ",%.17g]", s ? "," : "", series->time[s],
                    series->value[s]);
        fputs("]}", json->out);
    }
    fputs("]", json->out);
}

/* ---- the whole ---- */

static void write_head(struct json *json, const char *path)
{
    static const char *const levels[LEVEL_COUNT] = {"flat", "callgraph", "calltree", "timeline"};
    const struct graph *graph = json->graph;

    fputs("{\"schema\":\"ptk.convert/1\",\n\"inputs\":[{\"path\":", json->out);
    escape_json(json->out, span_of(path));
    fprintf(json->out, ",\"format\":\"%s\",\"producer\":", graph->source.format);
    if (graph->source.producer)
        escape_json(json->out, span_of(graph->source.producer));
    else
        fputs("null", json->out);
    fprintf(json->out, "}],\n\"value\":{\"name\":");
    escape_json(json->out, graph_text(graph, graph->values.list[graph->values.selected].name));
    fprintf(json->out, ",\"unit\":\"%s\"},\n\"warnings\":[", format_unit(graph_unit(graph)));
    for (size_t i = 0; i < graph->source.warnings.count; i++) {
        next_line(json, (uint32_t)i);
        fputs("{\"message\":", json->out);
        escape_json(json->out, span_of(graph->source.warnings.list[i].text));
        fprintf(json->out, ",\"count\":%" PRIu64 "}", graph->source.warnings.list[i].count);
    }
    fprintf(json->out, "],\n\"level\":\"%s\"", levels[graph->native]);
}

static void write_json(struct writing *writing)
{
    const struct graph *graph = writing->graph;
    struct json json = {.graph = graph, .out = writing->out};

    write_head(&json, writing->path);
    write_values(&json);
    write_frames(&json);
    if (graph->native <= LEVEL_CALLGRAPH)
        write_functions(&json);
    if (graph->native == LEVEL_CALLGRAPH)
        write_calls(&json);
    if (graph->native == LEVEL_CALLTREE)
        write_nodes(&json);
    if (graph->native == LEVEL_TIMELINE) {
        trace_args_init(&json.args, graph, writing->arena);
        write_tracks(&json);
        write_events(&json);
        write_series(&json);
    }
    fputs("}\n", writing->out);
}

const struct writer writer_json = {
    .name = "json",
    .summary = "all that ptk keeps of a profile, by ids",
    .level = LEVEL_FLAT,
    .question = "there is nothing to write",
    .all_values = true,
    .wants_events = true,
    .wants_richest = true,
    .write = write_json,
};
