/* SPDX-License-Identifier: Apache-2.0 */
/* speedscope_writer.c — speedscope's own file: a timeline as it ran, track by track; stacks as
 * samples
 *
 * https://www.speedscope.app/file-format-schema.json. An "evented" profile wants its events to nest
 * and its times to ascend, which tracks do but for what the file's rounding lets them overlap. */
#include <inttypes.h>
#include <stdlib.h>

#include "base/checked.h"
#include "base/text/escape.h"
#include "graph/model/walks.h"
#include "render/writers/writer.h"

/* The number of a frame, as a stack has it: with the comma before it. */
struct frame_number {
    char text[15];
    uint8_t len; /* 0: not made yet */
};

/* Nodes of which each is the parent of the next. */
struct stack_run {
    node_id first, last;
};

/* One file on its way out. */
struct scope {
    const struct graph *graph;
    FILE *out;
    struct arena *arena;
    uint32_t *place_of; /* by frame: its place in the file's list, from 1; 0: not in use */
    bool has_profile;   /* a comma must come before the next */

    struct frame_number *number_of; /* by frame: that */
    struct VECTOR_OF(struct stack_run) runs; /* of the stack at hand, the innermost first */
    struct stack_allowance allowance;
    struct row_text rows; /* the stacks */

    struct open_events open; /* tagged with their frames */
    int64_t now;             /* when the last mark was made */
    bool has_event;          /* as has_profile */
};

static bool is_evented(const struct graph *graph)
{
    return graph->has[LEVEL_TIMELINE] && graph->values.selected == TIMELINE_TIME;
}

/* ---- frames ---- */

static void write_frame(struct scope *scope, frame_id id)
{
    const struct graph *graph = scope->graph;
    const struct frame *frame = graph_frame(graph, id);

    fputs("{\"name\":", scope->out);
    escape_json(scope->out, graph_text(graph, frame->name));
    if (frame->file) {
        fputs(",\"file\":", scope->out);
        escape_json(scope->out, graph_text(graph, frame->file));
    }
    if (frame->line > 0)
        fprintf(scope->out, ",\"line\":%" PRId64, frame->line);
    putc('}', scope->out);
}

static void write_frames(struct scope *scope)
{
    const struct graph *graph = scope->graph;
    bool is_by_event = is_evented(graph);
    uint32_t place = 0;

    for (node_id node = 1; !is_by_event && node < graph->tree.count; node++)
        scope->place_of[graph->tree.frame[node]] = 1;
    for (event_id event = 0; is_by_event && event < graph->timeline.count; event++)
        scope->place_of[graph->timeline.frame[event]] = 1;
    fputs("\"shared\":{\"frames\":[", scope->out);
    for (frame_id id = 1; id < graph->frames.count; id++) {
        if (!scope->place_of[id])
            continue;
        fputs(place ? ",\n" : "\n", scope->out);
        write_frame(scope, id);
        scope->place_of[id] = ++place;
    }
    fputs("]},\n", scope->out);
}

/* ---- a profile's head ---- */

static void begin_profile(struct scope *scope, const char *type, enum unit unit)
{
    fputs(scope->has_profile ? ",\n" : "\n", scope->out);
    scope->has_profile = true;
    fprintf(scope->out, "{\"type\":\"%s\",\"unit\":\"%s\",\"name\":", type,
            unit == UNIT_NS      ? "nanoseconds"
            : unit == UNIT_BYTES ? "bytes"
                                 : "none");
}

static void end_profile(struct scope *scope, int64_t start, int64_t end)
{
    fprintf(scope->out, "],\n\"startValue\":%" PRId64 ",\"endValue\":%" PRId64 "}", start, end);
}

/* ---- samples ---- */

static void put_number(struct scope *scope, frame_id frame, size_t comma)
{
    struct frame_number *number = &scope->number_of[frame];

    if (!number->len)
        number->len = (uint8_t)snprintf(number->text, sizeof(number->text), ",%" PRIu32,
                                        scope->place_of[frame] - 1);
    row_text_put_short(&scope->rows, number->text + comma, number->len - comma);
}

static void write_stack(struct scope *scope, node_id node)
{
    const struct calltree *tree = &scope->graph->tree;
    uint64_t start = row_text_end(&scope->rows);
    size_t comma = 1;

    scope->runs.count = 0;
    for (; node; node = calltree_parent(tree, scope->runs.list[scope->runs.count - 1].first))
        vector_add(&scope->runs, (struct stack_run){calltree_run_first(tree, node), node});
    row_text_put(&scope->rows, SPAN("["));
    for (size_t i = scope->runs.count; i-- > 0;)
        for (node = scope->runs.list[i].first; node <= scope->runs.list[i].last; node++)
            if (node) {
                put_number(scope, tree->frame[node], comma);
                comma = 0;
            }
    row_text_put(&scope->rows, SPAN("]"));
    stack_allowance_take(&scope->allowance, row_text_end(&scope->rows) - start);
}

/* The stacks of the nodes that have a figure; speedscope knows none below 0. Returns the first node that
 * there is no room for. */
static node_id write_stacks(struct scope *scope, uint32_t value)
{
    const struct calltree *tree = &scope->graph->tree;
    struct span comma = SPAN("\n");
    node_id end = 0;

    for (node_id node = 1; (node = sparse_next(&tree->own, node, tree->count)) < tree->count; node++) {
        if (calltree_self(tree, value, node) <= 0)
            continue;
        if (!stack_allowance_has(&scope->allowance)) {
            end = end ? end : node;
            continue;
        }
        row_text_put(&scope->rows, comma);
        write_stack(scope, node);
        comma = SPAN(",\n");
    }
    row_text_flush(&scope->rows);
    return end ? end : tree->count;
}

/* The figures of those before `end`, and what they come to. */
static int64_t write_weights(struct scope *scope, uint32_t value, node_id end)
{
    const struct calltree *tree = &scope->graph->tree;
    struct span comma = SPAN("\n");
    int64_t sum = 0;

    for (node_id node = 1; (node = sparse_next(&tree->own, node, end)) < end; node++) {
        int64_t self = calltree_self(tree, value, node);

        if (self <= 0)
            continue;
        row_text_put(&scope->rows, comma);
        row_text_number(&scope->rows, self);
        sum = checked_add(sum, self);
        comma = SPAN(",\n");
    }
    row_text_flush(&scope->rows);
    return sum;
}

static void write_samples(struct scope *scope, uint32_t value)
{
    const struct graph *graph = scope->graph;
    int64_t sum;
    node_id end;

    begin_profile(scope, "sampled", graph->values.list[value].unit);
    escape_json(scope->out, graph_text(graph, graph->values.list[value].name));
    fputs(",\"samples\":[", scope->out);
    end = write_stacks(scope, value);
    fputs("],\"weights\":[", scope->out);
    sum = write_weights(scope, value, end);
    end_profile(scope, 0, sum);
}

/* ---- events ---- */

static void write_mark(struct scope *scope, char type, frame_id frame, int64_t at)
{
    scope->now = at > scope->now ? at : scope->now;
    fprintf(scope->out, "%s{\"type\":\"%c\",\"frame\":%" PRIu32 ",\"at\":%" PRId64 "}",
            scope->has_event ? ",\n" : "\n", type, scope->place_of[frame] - 1, scope->now);
    scope->has_event = true;
}

static void close_until(struct scope *scope, int64_t time)
{
    for (const struct open_event *last; (last = open_events_close(&scope->open, time));)
        write_mark(scope, 'C', last->tag, last->end);
}

/* An event ends with the one around it at the latest. */
static void open_event(struct scope *scope, frame_id frame, int64_t start, int64_t duration)
{
    int64_t end = checked_add(start, duration);

    if (scope->open.depth && open_events_innermost(&scope->open)->end < end)
        end = open_events_innermost(&scope->open)->end;
    write_mark(scope, 'O', frame, start);
    open_events_add(&scope->open, (struct open_event){.end = end, .tag = frame});
}

static void write_track(struct scope *scope, const struct track *track)
{
    const struct timeline *timeline = &scope->graph->timeline;
    struct span process = graph_text(scope->graph, track->process);
    struct span name = graph_text(scope->graph, track->name);
    int64_t begin = timeline->start[track->first];

    begin_profile(scope, "evented", UNIT_NS);
    escape_json(scope->out, span_of(arena_printf(scope->arena, "%.*s: %.*s", (int)process.len,
                                                 process.at, (int)name.len, name.at)));
    fputs(",\"events\":[", scope->out);
    scope->now = begin;
    scope->has_event = false;
    for (event_id event = track->first; event < track->first + track->count; event++) {
        close_until(scope, timeline->start[event]);
        open_event(scope, timeline->frame[event], timeline->start[event],
                   timeline->duration[event]);
    }
    close_until(scope, INT64_MAX);
    end_profile(scope, begin, scope->now);
}

/* ---- the whole ---- */

static void write_speedscope(struct writing *writing)
{
    const struct graph *graph = writing->graph;
    struct scope scope = {
        .graph = graph,
        .out = writing->out,
        .arena = writing->arena,
        .place_of = arena_array(writing->arena, graph->frames.count, sizeof(*scope.place_of)),
        .number_of = arena_array(writing->arena, graph->frames.count, sizeof(*scope.number_of)),
        .allowance = stack_allowance_of(writing),
        .rows.out = writing->out,
    };
    bool is_by_event = is_evented(graph);
    uint32_t first = 0; /* the profile shown first: that of the selected value */

    for (uint32_t v = 0; !is_by_event && v < graph->values.selected; v++)
        first += calltree_has_value(&graph->tree, v);
    fputs("{\"$schema\":\"https://www.speedscope.app/file-format-schema.json\",\n"
          "\"exporter\":\"ptk\",\n",
          scope.out);
    fprintf(scope.out, "\"activeProfileIndex\":%" PRIu32 ",\n", first);
    write_frames(&scope);
    fputs("\"profiles\":[", scope.out);
    for (uint32_t i = 0; is_by_event && i < graph->timeline.track_count; i++) {
        const struct track *track = &graph->timeline.tracks[i];

        if (track->count && track->kind != TRACK_POINTS && track->kind != TRACK_TOTALS)
            write_track(&scope, track);
    }
    for (uint32_t v = 0; !is_by_event && v < graph->values.count; v++)
        if (calltree_has_value(&graph->tree, v))
            write_samples(&scope, v);
    fputs("]}\n", scope.out);
    open_events_free(&scope.open);
    free(scope.runs.list);
}

const struct writer writer_speedscope = {
    .name = "speedscope",
    .summary = "speedscope's file: a trace track by track as it ran, stacks as samples",
    .level = LEVEL_CALLTREE,
    .question = "a speedscope file cannot be written",
    .all_values = true,
    .write = write_speedscope,
};
