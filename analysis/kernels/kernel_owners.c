/* SPDX-License-Identifier: Apache-2.0 */
/* kernel_owners.c — the operator whose work each kernel does, and that work */
#define XXH_INLINE_ALL
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "analysis/kernels/work.h"
#include "base/checked.h"
#include "base/memory/memory.h"
#include "graph/classify/event_class.h"
#include "graph/model/walks.h"

/* ---- the work of an operator's event ---- */

static const struct operator_inputs *inputs_known(const struct graph *graph, enum property property,
                                                  str_id text)
{
    return text ? inputs_of(&graph->inputs, property, text) : NULL;
}

static bool call_work(const struct graph *graph, const struct captured_call *captured,
                      struct work *work)
{
    struct operator_call call = {.shapes = inputs_known(graph, PROP_SHAPES, captured->shapes)};

    if (!call.shapes)
        return false;
    call.operator= graph_class(graph, captured->frame).operator;
    call.types = inputs_known(graph, PROP_TYPES, captured->types);
    if (call.shapes->is_named)
        return paddle_work(&call, work);
    call.values = inputs_known(graph, PROP_CONCRETE, captured->values);
    call.strides = inputs_known(graph, PROP_STRIDES, captured->strides);
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

bool event_work(const struct graph *graph, event_id event, struct work *work)
{
    frame_id frame = graph->timeline.frame[event];
    str_id shapes = (str_id)event_property(graph, PROP_SHAPES, event, 0);

    if (graph_frame(graph, frame)->kind != KIND_OPERATOR)
        return captured_operator(graph, event, work) != NO_CAPTURED_CALL;
    return shapes &&
           call_work(graph,
                     &(struct captured_call){
                         .frame = frame,
                         .shapes = shapes,
                         .types = (str_id)event_property(graph, PROP_TYPES, event, 0),
                         .strides = (str_id)event_property(graph, PROP_STRIDES, event, 0),
                         .values = (str_id)event_property(graph, PROP_CONCRETE, event, 0)},
                     work);
}

/* ---- whose work a kernel does ---- */

/* Models call the same few operators again and again: what one computes is reckoned once. */
static uint32_t find_call(struct kernel_owners *owners, const struct captured_call *captured)
{
    struct index *index = &owners->call_index;
    struct distinct_call call = {.key = *captured};
    struct index_place place;
    uint32_t id;

    call.key.parent = NO_CAPTURED_CALL; /* it is the same wherever it is made */
    index_reserve(index);
    place =
        index_start(index, (uint32_t)XXH3_64bits_withSeed(&call.key, sizeof(call.key), index->key));
    while ((id = index_next(index, &place)))
        if (memcmp(&owners->calls.list[id - 1].key, &call.key, sizeof(call.key)) == 0)
            return id - 1;
    call.has_work = call_work(owners->graph, captured, &call.work);
    vector_add(&owners->calls, call);
    return index_add(index, &place) - 1;
}

static uint32_t add_owner(struct kernel_owners *owners, event_id event, uint32_t call)
{
    vector_add(owners,
               (struct work_owner){.event = event, .call = call, .precision = PRECISION_UNKNOWN});
    return (uint32_t)owners->count - 1;
}

/* Events of a thread nest: an open one's owner is its own, or that of the one around it. */
static void own_track(struct kernel_owners *owners, const struct track *track)
{
    const struct timeline *t = &owners->graph->timeline;
    struct property_cursors texts = {.columns = t->properties};
    struct open_events open = {0};

    for (event_id e = track->first; e < track->first + track->count; e++) {
        struct captured_call key = {.frame = t->frame[e]};
        uint32_t owner, call;

        open_events_close_all(&open, t->start[e]);
        owner = open.depth ? open_events_innermost(&open)->tag : NO_OWNER;
        if (graph_frame(owners->graph, key.frame)->kind == KIND_OPERATOR)
            key.shapes = (str_id)property_or(&texts, PROP_SHAPES, e, 0);
        if (key.shapes) {
            key.types = (str_id)property_or(&texts, PROP_TYPES, e, 0);
            key.strides = (str_id)property_or(&texts, PROP_STRIDES, e, 0);
            key.values = (str_id)property_or(&texts, PROP_CONCRETE, e, 0);
            call = find_call(owners, &key);
            if (owners->calls.list[call].has_work)
                owner = add_owner(owners, e, call);
        }
        owners->of_event[e] = owner;
        open_events_add(&open, (struct open_event){
                                   .end = t->start[e] + t->duration[e], .event = e, .tag = owner});
    }
    open_events_free(&open);
}

/* Of a graph's launch, all that was captured in one call has the first of it as its owner. */
static void own_captured(struct kernel_owners *owners)
{
    const struct graph *graph = owners->graph;
    const struct property_column *captured = &graph->timeline.properties[PROP_CAPTURED];
    struct idmap owner_of = {0}; /* (launch, captured operator) → owner */

    for (uint32_t i = 0; i < captured->count; i++) {
        event_id event = captured->event[i];
        struct work work;
        uint32_t operator= captured_operator(graph, event, &work), *at;

        if (operator== NO_CAPTURED_CALL)
            continue;
        at = idmap_at(&owner_of, idmap_pair(graph->timeline.launch[event], operator));
        if (*at == IDMAP_NONE)
            *at = add_owner(owners, event, find_call(owners, &graph->captured.list[operator]));
        owners->of_event[event] = *at;
    }
    idmap_free(&owner_of);
}

/* The operator around a graph's launch is not that of its kernels: these know their own, or none. */
uint32_t kernel_owner(const struct kernel_owners *owners, event_id kernel)
{
    const struct timeline *t = &owners->graph->timeline;
    event_id launch = t->launch ? t->launch[kernel] : NO_EVENT;

    if (launch == NO_EVENT || !owners->of_event)
        return NO_OWNER;
    if (graph_class(owners->graph, t->frame[launch]).call == CALL_GRAPH_LAUNCH)
        return owners->of_event[kernel];
    return owners->of_event[launch];
}

bool kernel_shares_work(const struct kernel_owners *owners, event_id kernel, uint32_t owner)
{
    const struct graph *graph = owners->graph;
    frame_id operator= owner_call(owners, owner)->key.frame;

    return graph_class(graph, graph->timeline.frame[kernel]).family != FAMILY_COPY ||
           !operator_multiplies(graph_class(graph, operator).operator);
}

void kernel_owners_find(struct kernel_owners *owners, const struct graph *graph)
{
    const struct timeline *t = &graph->timeline;

    *owners = (struct kernel_owners){.graph = graph};
    if (!t->properties[PROP_SHAPES].count && !t->properties[PROP_CAPTURED].count)
        return;
    owners->of_event = grow_to(NULL, t->count + 1u, sizeof(*owners->of_event));
    for (event_id e = 0; e < t->count; e++)
        owners->of_event[e] = NO_OWNER;
    for (uint32_t i = 0; i < t->track_count; i++)
        if (t->tracks[i].kind == TRACK_THREAD)
            own_track(owners, &t->tracks[i]);
    own_captured(owners);
    for (event_id e = 0; e < t->count; e++) {
        struct frame_class class;
        struct work_owner *owner;
        uint32_t at;

        if (graph_frame(graph, t->frame[e])->kind != KIND_KERNEL ||
            (at = kernel_owner(owners, e)) == NO_OWNER || !kernel_shares_work(owners, e, at))
            continue;
        owner = &owners->list[at];
        owner->kernel_ns = checked_add(owner->kernel_ns, t->duration[e]);
        class = graph_class(graph, t->frame[e]);
        if (class.matrix != MATRIX_NONE && class.precision != PRECISION_UNKNOWN)
            owner->precision = class.precision;
    }
}

void kernel_owners_free(struct kernel_owners *owners)
{
    free(owners->of_event);
    free(owners->list);
    free(owners->calls.list);
    index_free(&owners->call_index);
}
