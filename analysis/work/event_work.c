#include "analysis/work/event_work.h"

#include "analysis/work/paddle_work.h"

static struct span text_of(const struct graph *graph, enum property property, event_id event)
{
    int64_t value;

    if (!property_of(&graph->timeline.properties[property], event, &value))
        return (struct span){0};
    return graph_text(graph, (str_id)value);
}

bool event_work(const struct graph *graph, event_id event, struct work *work)
{
    const struct frame *frame = graph_frame(graph, graph->timeline.frame[event]);
    struct operator_call call = {.name = graph_text(graph, frame->name)};
    struct span shapes = text_of(graph, PROP_SHAPES, event);

    if (frame->kind != KIND_OPERATOR || !shapes.len)
        return false;
    call.types = text_of(graph, PROP_TYPES, event);
    if (!inputs_read(shapes, &call.inputs))
        return paddle_work(call.name, shapes, call.types, work);
    call.concrete = text_of(graph, PROP_CONCRETE, event);
    return operator_work(&call, work);
}
