/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/work/event_work.h"

#include "analysis/work/paddle_work.h"
#include "graph/classify/frame_class.h"

static const struct operator_inputs *inputs_told(const struct graph *graph, enum property property,
                                                 event_id event)
{
    int64_t text;

    if (!property_of(&graph->timeline.properties[property], event, &text))
        return NULL;
    return inputs_of(&graph->inputs, property, (str_id)text);
}

bool event_work(const struct graph *graph, event_id event, struct work *work)
{
    frame_id frame = graph->timeline.frame[event];
    struct operator_call call = {.shapes = inputs_told(graph, PROP_SHAPES, event)};

    if (graph_frame(graph, frame)->kind != KIND_OPERATOR || !call.shapes)
        return false;
    call.operator= graph_class(graph, frame).operator;
    call.types = inputs_told(graph, PROP_TYPES, event);
    if (call.shapes->is_named)
        return paddle_work(&call, work);
    call.values = inputs_told(graph, PROP_CONCRETE, event);
    call.strides = inputs_told(graph, PROP_STRIDES, event);
    return operator_work(&call, work);
}
