/* SPDX-License-Identifier: Apache-2.0 */
/* What the capture of a CUDA or HIP graph tells: its nodes in order, and the operators around
 * them. */
#include "analysis/captures/captures.h"

#include <stdlib.h>
#include <string.h>

#include "base/checked.h"
#include "base/memory/memory.h"
#include "graph/classify/event_class.h"
#include "graph/classify/function_class.h"
#include "graph/model/walks.h"

/* From the end of the call that begins a capture to the start of the one that ends it. */
struct capture_span {
    int64_t start, end, pid, size;
    uint32_t track;
};

/* A node before it is known how many its capture has. */
struct captured_node {
    uint32_t segment, call;
    int64_t start;
    struct graph_node node;
};

struct capture_reading {
    struct captures *captures;
    const struct graph *from;
    struct capture_span *segments; /* by start */
    bool *is_capturing;            /* by track: whether it has segments of its own */
    size_t segment_count, segment_cap;
    struct captured_node *found;
    size_t found_count, found_cap;
    uint32_t track; /* that nodes are looked for on */
};

uint64_t captures_properties(void)
{
    return property_bit(PROP_CAPTURED) | property_bit(PROP_KERNEL_NAME) |
           property_bit(PROP_GRAPH_NODE) | property_bit(PROP_NODE_MODULE) |
           property_bit(PROP_NODE_LABEL) | property_bit(PROP_SHAPES) | property_bit(PROP_TYPES) |
           property_bit(PROP_STRIDES) | property_bit(PROP_CONCRETE);
}

static struct frame_class class_of(const struct graph *graph, event_id event)
{
    return graph_class(graph, graph->timeline.frame[event]);
}

/* ---- segments ---- */

/* The size that the innermost labelled range says. */
static int64_t labelled_size(const struct graph *graph, const struct open_events *open)
{
    int64_t size = 0;

    for (size_t i = open->depth; i-- > 0 && !size;) {
        const struct frame *frame = graph_frame(graph, graph->timeline.frame[open->list[i].event]);

        if (frame->kind == KIND_ANNOTATION)
            size = capture_label_size(graph_text(graph, frame->name));
    }
    return size;
}

static void find_segments(struct capture_reading *reading, uint32_t index)
{
    const struct timeline *t = &reading->from->timeline;
    const struct track *track = &t->tracks[index];
    struct capture_span next = {.pid = track->pid, .track = index};
    struct open_events open = {0};
    bool is_begun = false;

    for (event_id e = track->first; e < track->first + track->count; e++) {
        enum runtime_call call = class_of(reading->from, e).call;

        open_events_close_all(&open, t->start[e]);
        if (call == CALL_CAPTURE_BEGIN && !is_begun) {
            next.start = event_end(t, e);
            next.size = labelled_size(reading->from, &open);
            is_begun = true;
        } else if (call == CALL_CAPTURE_END && is_begun) {
            next.end = t->start[e];
            reading->segments = grow_one(reading->segments, reading->segment_count,
                                         &reading->segment_cap, sizeof(*reading->segments));
            reading->segments[reading->segment_count++] = next;
            reading->is_capturing[index] = true;
            is_begun = false;
        }
        open_events_add(&open, (struct open_event){.end = event_end(t, e), .event = e});
    }
    open_events_free(&open);
}

static int by_start(const void *a, const void *b)
{
    const struct capture_span *x = a, *y = b;

    return x->start != y->start ? (x->start < y->start ? -1 : 1)
                                : (x->track > y->track) - (x->track < y->track);
}

/* The segment that a call on a track is in: of its own thread, or where that captures nothing of the
 * process's (autograd's threads work for the one that captures). */
static uint32_t segment_at(const struct capture_reading *reading, uint32_t track, int64_t time)
{
    const struct capture_span *segment;

    SEARCH(size_t, at, reading->segment_count, reading->segments[at].start <= time);
    if (!at)
        return UINT32_MAX;
    segment = &reading->segments[at - 1];
    if (time >= segment->end || segment->pid != reading->from->timeline.tracks[track].pid ||
        (segment->track != track && reading->is_capturing[track]))
        return UINT32_MAX;
    return (uint32_t)at - 1;
}

/* ---- captured calls ---- */

static str_id text_in(const struct capture_reading *reading, str_id text)
{
    struct graph *into = reading->captures->into;

    return !text || reading->from == into
               ? text
               : strings_intern(&into->strings, graph_text(reading->from, text));
}

static frame_id frame_in(const struct capture_reading *reading, frame_id id)
{
    struct frame frame = *graph_frame(reading->from, id);

    if (reading->from == reading->captures->into)
        return id;
    frame.name = text_in(reading, frame.name);
    frame.file = text_in(reading, frame.file);
    frame.module = text_in(reading, frame.module);
    return frame_intern(&reading->captures->into->frames, &frame);
}

/* A property's text, with what it says. */
static str_id input_in(const struct capture_reading *reading, enum property property,
                       event_id event)
{
    struct graph *into = reading->captures->into;
    const struct operator_inputs *inputs;
    int64_t value;
    str_id text;

    if (!property_of(&reading->from->timeline.properties[property], event, &value))
        return 0;
    text = text_in(reading, (str_id)value);
    inputs = inputs_of(&reading->from->inputs, property, (str_id)value);
    if (inputs && into != reading->from)
        inputs_add(&into->inputs, &into->arena, text, inputs);
    return text;
}

static uint32_t numbered(struct idmap *map, uint32_t outer, uint32_t own)
{
    uint32_t next = (uint32_t)map->count;
    uint32_t *at = idmap_at(map, idmap_pair(outer, own));

    if (*at == IDMAP_NONE)
        *at = next;
    return *at;
}

static uint32_t add_call(struct captures *captures, struct captured_call call)
{
    struct captured_calls *calls = &captures->into->captured;
    size_t at = calls->count;
    bool is_inner = call.parent != NO_CAPTURED_CALL;

    calls->list = grow_one(calls->list, at, &calls->cap, sizeof(*calls->list));
    captures->path = grow_one(captures->path, at, &captures->path_cap, sizeof(*captures->path));
    captures->inputs =
        grow_one(captures->inputs, at, &captures->inputs_cap, sizeof(*captures->inputs));
    calls->list[calls->count++] = call;
    captures->path[at] =
        numbered(&captures->paths, is_inner ? captures->path[call.parent] : UINT32_MAX, call.frame);
    captures->inputs[at] = numbered(
        &captures->all_inputs, is_inner ? captures->inputs[call.parent] : UINT32_MAX, call.shapes);
    return (uint32_t)at;
}

/* 1 + the place of what stands within; equal ones of a run of calls are one. */
static uint32_t add_inside(struct capture_reading *reading, event_id event)
{
    const struct track *track = &reading->from->timeline.tracks[reading->track];
    struct captured_calls *calls = &reading->captures->into->captured;
    struct call_inside inside;

    if (!call_inside_find(reading->from, track, event, &inside))
        return 0;
    for (size_t i = calls->inside.count; i-- > 0 && i + 8 >= calls->inside.count;)
        if (memcmp(&calls->inside.list[i], &inside, sizeof(inside)) == 0)
            return (uint32_t)i + 1;
    vector_add(&calls->inside, inside);
    return (uint32_t)calls->inside.count;
}

static uint32_t add_event(struct capture_reading *reading, uint32_t parent, event_id event)
{
    return add_call(reading->captures,
                    (struct captured_call){
                        .parent = parent,
                        .frame = frame_in(reading, reading->from->timeline.frame[event]),
                        .shapes = input_in(reading, PROP_SHAPES, event),
                        .types = input_in(reading, PROP_TYPES, event),
                        .strides = input_in(reading, PROP_STRIDES, event),
                        .values = input_in(reading, PROP_CONCRETE, event),
                        .inside = add_inside(reading, event),
                    });
}

static bool is_kept(const struct graph *graph, event_id event)
{
    return graph_frame(graph, graph->timeline.frame[event])->kind == KIND_OPERATOR ||
           class_of(graph, event).implied_phase == ROLE_FORWARD /* a module */;
}

/* The innermost captured call of those open. Each has the one at its place as its tag, 2 more so that
 * none is 1 and 0 says that nobody asked yet, as of none above it. */
static uint32_t call_around(struct capture_reading *reading, struct open_events *open)
{
    size_t at = open->depth;

    while (at && !open->list[at - 1].tag)
        at--;
    for (; at < open->depth; at++) {
        uint32_t outer = at ? open->list[at - 1].tag - 2 : NO_CAPTURED_CALL;
        event_id event = open->list[at].event;

        open->list[at].tag =
            (is_kept(reading->from, event) ? add_event(reading, outer, event) : outer) + 2;
    }
    return at ? open->list[at - 1].tag - 2 : NO_CAPTURED_CALL;
}

/* ---- nodes ---- */

static enum frame_kind node_kind(enum runtime_call call)
{
    return call == CALL_LAUNCH ? KIND_KERNEL
           : call == CALL_COPY ? KIND_MEMCPY
           : call == CALL_FILL ? KIND_MEMSET
                               : KIND_OTHER;
}

static void find_nodes(struct capture_reading *reading, uint32_t index)
{
    const struct timeline *t = &reading->from->timeline;
    const struct track *track = &t->tracks[index];
    struct open_events open = {0};

    reading->track = index;
    for (event_id e = track->first; e < track->first + track->count; e++) {
        enum frame_kind kind = node_kind(class_of(reading->from, e).call);
        uint32_t segment =
            kind == KIND_OTHER ? UINT32_MAX : segment_at(reading, index, t->start[e]);
        int64_t name = 0, id = 0;

        open_events_close_all(&open, t->start[e]);
        if (segment != UINT32_MAX) {
            (void)property_of(&t->properties[PROP_KERNEL_NAME], e, &name);
            (void)property_of(&t->properties[PROP_GRAPH_NODE], e, &id);
            reading->found = grow_one(reading->found, reading->found_count, &reading->found_cap,
                                      sizeof(*reading->found));
            reading->found[reading->found_count++] = (struct captured_node){
                segment,
                call_around(reading, &open),
                t->start[e],
                {.kind = name ? kernel_stands_for(graph_text(reading->from, (str_id)name)) : kind,
                 .name = text_in(reading, (str_id)name),
                 .id = id}};
        }
        open_events_add(&open, (struct open_event){.end = event_end(t, e), .event = e});
    }
    open_events_free(&open);
}

static bool is_before(const void *context, uint32_t a, uint32_t b)
{
    const struct captured_node *found = context;

    return found[a].segment != found[b].segment ? found[a].segment < found[b].segment
                                                : found[a].start < found[b].start;
}

static void take_captures(struct capture_reading *reading)
{
    struct captures *captures = reading->captures;
    uint32_t *order = sorted_order(reading->found_count, is_before, reading->found);
    size_t at = 0;

    for (size_t s = 0; s < reading->segment_count; s++) {
        struct capture capture = {.size = reading->segments[s].size};
        size_t first = at;

        while (at < reading->found_count && reading->found[order[at]].segment == s)
            at++;
        capture.count = (uint32_t)(at - first);
        capture.nodes = arena_array(captures->arena, capture.count, sizeof(*capture.nodes));
        capture.calls = arena_array(captures->arena, capture.count, sizeof(*capture.calls));
        for (size_t i = first; i < at; i++) {
            capture.nodes[i - first] = reading->found[order[i]].node;
            capture.calls[i - first] = reading->found[order[i]].call;
        }
        vector_add(captures, capture);
    }
    free(order);
}

/* ---- annotations ---- */

/* The calls that an annotation stands for: "Model_0/Layer_0", and an operator. */
static uint32_t annotated_call(struct captures *captures, struct span module, struct span label)
{
    struct graph *into = captures->into;
    uint32_t call = NO_CAPTURED_CALL;

    while (module.len) {
        struct span one = span_split(&module, '/');
        struct frame frame = {.kind = KIND_PYTHON};

        frame.name = strings_intern(
            &into->strings,
            span_of(arena_printf(captures->arena, "nn.Module: %.*s", (int)one.len, one.at)));
        call = add_call(
            captures,
            (struct captured_call){.parent = call, .frame = frame_intern(&into->frames, &frame)});
    }
    if (label.len) {
        struct frame frame = {.kind = KIND_OPERATOR, .name = strings_intern(&into->strings, label)};

        call = add_call(
            captures,
            (struct captured_call){.parent = call, .frame = frame_intern(&into->frames, &frame)});
    }
    return call;
}

static struct span text_of(const struct graph *graph, enum property property, event_id event)
{
    int64_t text;

    return property_of(&graph->timeline.properties[property], event, &text)
               ? graph_text(graph, (str_id)text)
               : (struct span){0};
}

static bool is_annotated(const struct graph *graph, event_id event)
{
    return text_of(graph, PROP_NODE_MODULE, event).len ||
           text_of(graph, PROP_NODE_LABEL, event).len;
}

/* The later of a node's annotations holds. A graph's launches repeat its nodes. */
static void add_annotations(struct captures *captures, const struct graph *from)
{
    const struct property_column *nodes = &from->timeline.properties[PROP_GRAPH_NODE];
    struct idmap annotated = {0}; /* (module, label) → captured call */

    for (uint32_t i = 0; i < nodes->count; i++) {
        struct span module = text_of(from, PROP_NODE_MODULE, nodes->event[i]);
        struct span label = text_of(from, PROP_NODE_LABEL, nodes->event[i]);
        uint32_t graph = (uint32_t)(nodes->value[i] >> 32), *call;

        if (!is_annotated(from, nodes->event[i]))
            continue;
        call = idmap_at(&annotated, idmap_pair(strings_intern(&captures->into->strings, module),
                                          strings_intern(&captures->into->strings, label)));
        if (*call == IDMAP_NONE)
            *call = annotated_call(captures, module, label);
        captures->are_of_one_graph =
            !captures->annotated.count || (captures->are_of_one_graph && graph == captures->graph);
        captures->graph = graph;
        *idmap_at(&captures->annotated, (uint64_t)nodes->value[i]) = *call;
    }
    idmap_free(&annotated);
}

uint32_t captures_annotation(const struct captures *captures, int64_t id)
{
    uint32_t call = id ? idmap_find(&captures->annotated, (uint64_t)id) : IDMAP_NONE;

    if (call == IDMAP_NONE && id && captures->are_of_one_graph)
        call = idmap_find(&captures->annotated, idmap_pair(captures->graph, (uint32_t)id));
    return call == IDMAP_NONE ? NO_CAPTURED_CALL : call;
}

/* ---- all ---- */

bool captures_hold(const struct graph *graph)
{
    if (!graph->has[LEVEL_TIMELINE])
        return false;
    for (uint32_t i = 0; i < graph->timeline.properties[PROP_GRAPH_NODE].count; i++)
        if (is_annotated(graph, graph->timeline.properties[PROP_GRAPH_NODE].event[i]))
            return true;
    for (frame_id id = 1; id < graph->frames.count; id++)
        if (graph_class(graph, id).call == CALL_CAPTURE_BEGIN)
            return true;
    return false;
}

bool graphs_are_launched(const struct graph *graph)
{
    for (frame_id id = 1; id < graph->frames.count; id++)
        if (graph_class(graph, id).call == CALL_GRAPH_LAUNCH)
            return true;
    return false;
}

void captures_add(struct captures *captures, const struct graph *from)
{
    const struct timeline *t = &from->timeline;
    struct capture_reading reading = {.captures = captures, .from = from};

    if (!captures_hold(from))
        return;
    add_annotations(captures, from);
    reading.is_capturing = grow_zeroed(t->track_count + 1u, sizeof(*reading.is_capturing));
    for (uint32_t i = 0; i < t->track_count; i++)
        if (t->tracks[i].kind == TRACK_THREAD)
            find_segments(&reading, i);
    if (reading.segment_count)
        qsort(reading.segments, reading.segment_count, sizeof(*reading.segments), by_start);
    for (uint32_t i = 0; i < t->track_count && reading.segment_count; i++)
        if (t->tracks[i].kind == TRACK_THREAD)
            find_nodes(&reading, i);
    take_captures(&reading);
    free(reading.segments);
    free(reading.is_capturing);
    free(reading.found);
}

void captures_free(struct captures *captures)
{
    free(captures->list);
    free(captures->path);
    free(captures->inputs);
    idmap_free(&captures->annotated);
    idmap_free(&captures->paths);
    idmap_free(&captures->all_inputs);
}
