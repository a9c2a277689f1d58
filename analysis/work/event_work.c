/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/work/work.h"

#include "graph/classify/event_class.h"

static str_id text_of(const struct graph *graph, enum property property, event_id event)
{
    int64_t text;

    return property_of(&graph->timeline.properties[property], event, &text) ? (str_id)text : 0;
}

static const struct operator_inputs *inputs_told(const struct graph *graph, enum property property,
                                                 str_id text)
{
    return text ? inputs_of(&graph->inputs, property, text) : NULL;
}

static bool call_work(const struct graph *graph, const struct captured_call *told,
                      struct work *work)
{
    struct operator_call call = {.shapes = inputs_told(graph, PROP_SHAPES, told->shapes)};

    if (!call.shapes)
        return false;
    call.operator= graph_class(graph, told->frame).operator;
    call.types = inputs_told(graph, PROP_TYPES, told->types);
    if (call.shapes->is_named)
        return paddle_work(&call, work);
    call.values = inputs_told(graph, PROP_CONCRETE, told->values);
    call.strides = inputs_told(graph, PROP_STRIDES, told->strides);
    return operator_work(&call, work);
}

uint32_t captured_operator(const struct graph *graph, event_id event, struct work *work)
{
    bool has_inputs = false;
    const struct captured_call *list = graph->captured.list,
                               *call = graph_captured(graph, event, &has_inputs);

    while (
        call && has_inputs &&
        (graph_frame(graph, call->frame)->kind != KIND_OPERATOR || !call_work(graph, call, work)))
        call = call->parent == NO_CAPTURED_CALL ? NULL : &list[call->parent];
    return call && has_inputs ? (uint32_t)(call - list) : NO_CAPTURED_CALL;
}

frame_id captured_frame(const struct graph *graph, event_id event)
{
    bool has_inputs;
    const struct captured_call *call = graph_captured(graph, event, &has_inputs);

    while (call && graph_frame(graph, call->frame)->kind != KIND_OPERATOR)
        call = call->parent == NO_CAPTURED_CALL ? NULL : &graph->captured.list[call->parent];
    return call ? call->frame : 0;
}

struct captured_call event_call(const struct graph *graph, event_id event)
{
    frame_id frame = graph->timeline.frame[event];
    struct work work;
    uint32_t captured = graph_frame(graph, frame)->kind == KIND_OPERATOR
                            ? NO_CAPTURED_CALL
                            : captured_operator(graph, event, &work);

    if (captured != NO_CAPTURED_CALL)
        return graph->captured.list[captured];
    return (struct captured_call){.parent = NO_CAPTURED_CALL,
                                  .frame = frame,
                                  .shapes = text_of(graph, PROP_SHAPES, event),
                                  .types = text_of(graph, PROP_TYPES, event),
                                  .strides = text_of(graph, PROP_STRIDES, event),
                                  .values = text_of(graph, PROP_CONCRETE, event)};
}

bool event_work(const struct graph *graph, event_id event, struct work *work)
{
    struct captured_call call;

    if (graph_frame(graph, graph->timeline.frame[event])->kind != KIND_OPERATOR)
        return captured_operator(graph, event, work) != NO_CAPTURED_CALL;
    if (!text_of(graph, PROP_SHAPES, event))
        return false;
    call = event_call(graph, event);
    return call_work(graph, &call, work);
}
