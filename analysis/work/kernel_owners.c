/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include <string.h>

#include "analysis/work/work.h"
#include "base/checked.h"
#include "base/memory/memory.h"
#include "graph/classify/event_class.h"
#include "graph/model/walks.h"

/* ---- the work of an operator's event ---- */

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

/* The innermost operator whose work is known around the call that the event was captured as, in
 * graph->captured, and its work; NO_CAPTURED_CALL. */
static uint32_t captured_operator(const struct graph *graph, event_id event, struct work *work)
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

/* ---- whose work a kernel does ---- */

/* Events of a thread nest: an open one's owner is its own, or that of the one around it. */
static void own_track(struct kernel_owners *owners, const struct track *track)
{
    const struct timeline *t = &owners->graph->timeline;
    struct open_events open = {0};
    struct work work;

    for (event_id e = track->first; e < track->first + track->count; e++) {
        open_events_close_all(&open, t->start[e]);
        owners->owner[e] = event_work(owners->graph, e, &work) ? e
                           : open.depth ? owners->owner[open_events_innermost(&open)->event]
                                        : NO_EVENT;
        open_events_add(&open,
                        (struct open_event){.end = t->start[e] + t->duration[e], .event = e});
    }
    open_events_free(&open);
}

/* Of a graph's launch, all that was captured in one call has the first of it as its owner. */
static void own_captured(struct kernel_owners *owners)
{
    const struct timeline *t = &owners->graph->timeline;
    const struct property_column *captured = &t->properties[PROP_CAPTURED];
    struct idmap first = {0}; /* (launch, captured operator) → event */

    for (uint32_t i = 0; i < captured->count; i++) {
        event_id event = captured->event[i];
        struct work work;
        uint32_t call = captured_operator(owners->graph, event, &work), *at;

        if (call == NO_CAPTURED_CALL)
            continue;
        at = idmap_at(&first, idmap_pair(t->launch[event], call));
        if (*at == IDMAP_NONE)
            *at = event;
        owners->owner[event] = *at;
    }
    idmap_free(&first);
}

/* The operator around a graph's launch is not that of its kernels: these know their own, or none. */
event_id kernel_owner(const struct kernel_owners *owners, event_id kernel)
{
    const struct timeline *t = &owners->graph->timeline;
    event_id launch = t->launch ? t->launch[kernel] : NO_EVENT;

    if (launch == NO_EVENT || !owners->owner)
        return NO_EVENT;
    if (graph_class(owners->graph, t->frame[launch]).call == CALL_GRAPH_LAUNCH)
        return owners->owner[kernel];
    return owners->owner[launch];
}

bool kernel_shares_work(const struct graph *graph, event_id kernel, event_id owner)
{
    const struct timeline *t = &graph->timeline;

    return graph_class(graph, t->frame[kernel]).family != FAMILY_COPY ||
           !operator_multiplies(graph_class(graph, event_call(graph, owner).frame).operator);
}

void kernel_owners_find(struct kernel_owners *owners, const struct graph *graph)
{
    const struct timeline *t = &graph->timeline;

    *owners = (struct kernel_owners){.graph = graph};
    if (!t->properties[PROP_SHAPES].count && !t->properties[PROP_CAPTURED].count)
        return;
    *owners = (struct kernel_owners){
        .graph = graph,
        .owner = grow_to(NULL, t->count + 1u, sizeof(*owners->owner)),
        .kernel_ns = grow_zeroed(t->count + 1u, sizeof(*owners->kernel_ns)),
        .precision = grow_to(NULL, t->count + 1u, sizeof(*owners->precision)),
    };
    memset(owners->precision, PRECISION_UNKNOWN, t->count + 1u);
    for (event_id e = 0; e <= t->count; e++)
        owners->owner[e] = NO_EVENT;
    for (uint32_t i = 0; i < t->track_count; i++)
        if (t->tracks[i].kind == TRACK_THREAD)
            own_track(owners, &t->tracks[i]);
    own_captured(owners);
    for (event_id e = 0; e < t->count; e++) {
        event_id owner = kernel_owner(owners, e);
        struct frame_class class;

        if (owner == NO_EVENT || graph_frame(graph, t->frame[e])->kind != KIND_KERNEL ||
            !kernel_shares_work(graph, e, owner))
            continue;
        owners->kernel_ns[owner] = checked_add(owners->kernel_ns[owner], t->duration[e]);
        class = graph_class(graph, t->frame[e]);
        if (class.matrix != MATRIX_NONE && class.precision != PRECISION_UNKNOWN)
            owners->precision[owner] = (uint8_t) class.precision;
    }
}

void kernel_owners_free(struct kernel_owners *owners)
{
    free(owners->owner);
    free(owners->kernel_ns);
    free(owners->precision);
}
