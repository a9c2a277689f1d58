/* SPDX-License-Identifier: Apache-2.0 */
/* kernel_owners.c — the operator whose work each kernel does, and that work */
#define XXH_INLINE_ALL
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "analysis/captures/captures.h"
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

/* Variants of a call are numbered by part and format of weights. */
enum { FORMATS = WEIGHTS_NVFP4 + 1 };

/* What a call's work depends on besides its inputs. */
struct call_context {
    const struct step_label *step;
    const struct call_inside *inside;
    const struct operator_inputs *shapes; /* in place of its own; NULL */
    uint32_t variant;
    bool takes_least;
};

static bool call_work(const struct graph *graph, const struct captured_call *captured,
                      const struct call_context *context, struct work *work)
{
    struct operator_call call = {
        .shapes = context->shapes,
        .step = context->step,
        .inside = context->inside,
        .takes_least = context->takes_least};

    if (!call.shapes)
        call.shapes = inputs_known(graph, PROP_SHAPES, captured->shapes);
    if (!call.shapes)
        return false;
    call.operator= graph_class(graph, captured->frame).operator;
    call.types = inputs_known(graph, PROP_TYPES, captured->types);
    if (call.shapes->is_named)
        return paddle_work(&call, work);
    call.values = inputs_known(graph, PROP_CONCRETE, captured->values);
    call.strides = inputs_known(graph, PROP_STRIDES, captured->strides);
    if (context->variant) {
        call.part = (enum expert_part)((context->variant - 1) / FORMATS);
        call.weights = (enum weight_format)((context->variant - 1) % FORMATS);
    }
    return operator_work(&call, work);
}

static const struct call_inside *inside_of(const struct graph *graph,
                                           const struct captured_call *call)
{
    return call->inside ? &graph->captured.inside.list[call->inside - 1] : NULL;
}

/* The innermost operator whose work is known around the call that the event was captured as, in
 * graph->captured, and its work; NO_CAPTURED_CALL. `step`: that it was launched in, or NULL. */
static uint32_t captured_operator(const struct graph *graph, event_id event,
                                  const struct step_label *step, struct work *work)
{
    bool has_inputs = false;
    const struct captured_call *list = graph->captured.list,
                               *call = graph_captured(graph, event, &has_inputs);

    while (call && has_inputs &&
           (graph_frame(graph, call->frame)->kind != KIND_OPERATOR ||
            !call_work(graph, call,
                       &(struct call_context){.step = step, .inside = inside_of(graph, call)},
                       work)))
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
        return captured_operator(graph, event, NULL, work) != NO_CAPTURED_CALL;
    return shapes &&
           call_work(graph,
                     &(struct captured_call){
                         .frame = frame,
                         .shapes = shapes,
                         .types = (str_id)event_property(graph, PROP_TYPES, event, 0),
                         .strides = (str_id)event_property(graph, PROP_STRIDES, event, 0),
                         .values = (str_id)event_property(graph, PROP_CONCRETE, event, 0)},
                     &(struct call_context){0}, work);
}

/* ---- whose work a kernel does ---- */

static const struct call_inside *inside_of_call(const struct kernel_owners *owners,
                                                const struct captured_call *call)
{
    size_t of_graphs = owners->graph->captured.inside.count;

    return call->inside > of_graphs ? &owners->inside.list[call->inside - of_graphs - 1]
                                    : inside_of(owners->graph, call);
}

bool owner_work_with(const struct kernel_owners *owners, uint32_t owner,
                     const struct operator_inputs *shapes, const struct step_label *step,
                     struct work *work)
{
    const struct distinct_call *call = owner_call(owners, owner);

    return call_work(owners->graph, &call->key,
                     &(struct call_context){.step = step,
                                            .inside = inside_of_call(owners, &call->key),
                                            .shapes = shapes,
                                            .variant = call->variant,
                                            .takes_least = true},
                     work);
}

/* Models call the same few operators again and again: what one computes is reckoned once. */
static uint32_t find_call(struct kernel_owners *owners, const struct captured_call *captured,
                          uint32_t step, uint32_t variant)
{
    enum { KEY = offsetof(struct distinct_call, variant) + sizeof(uint32_t) };
    const struct graph *graph = owners->graph;
    struct index *index = &owners->call_index;
    struct distinct_call call = {.key = *captured, .step = NO_STEP, .variant = variant};
    struct call_context context = {.variant = variant, .takes_least = true};
    struct index_place place;
    uint32_t alike = UINT32_MAX, id;

    if (step != NO_STEP && operator_goes_by_step(graph_class(graph, captured->frame).operator)) {
        call.step = step;
        context.step = owners->steps.list[step].label;
        alike = find_call(owners, captured, NO_STEP, variant);
    }
    call.key.parent = NO_CAPTURED_CALL; /* it is the same wherever it is made */
    index_reserve(index);
    place = index_start(index, (uint32_t)XXH3_64bits_withSeed(&call, KEY, index->key));
    while ((id = index_next(index, &place)))
        if (memcmp(&owners->calls.list[id - 1], &call, KEY) == 0)
            return id - 1;
    context.inside = inside_of_call(owners, captured);
    call.has_work = call_work(graph, captured, &context, &call.work);
    call.alike = alike == UINT32_MAX ? (uint32_t)owners->calls.count : alike;
    vector_add(&owners->calls, call);
    return index_add(index, &place) - 1;
}

static uint32_t add_owner(struct kernel_owners *owners, event_id event, uint32_t call)
{
    vector_add(owners,
               (struct work_owner){.event = event, .call = call, .precision = PRECISION_UNKNOWN});
    return (uint32_t)owners->count - 1;
}

/* 1 + the place of what stands within a call, behind those of graphs; 0: nothing. */
static uint32_t add_inside(struct kernel_owners *owners, const struct track *track, event_id event)
{
    uint32_t before = (uint32_t)owners->graph->captured.inside.count;
    struct call_inside inside;

    if (!call_inside_find(owners->graph, track, event, &inside))
        return 0;
    for (size_t i = owners->inside.count; i-- > 0 && i + 8 >= owners->inside.count;)
        if (memcmp(&owners->inside.list[i], &inside, sizeof(inside)) == 0)
            return before + (uint32_t)i + 1;
    vector_add(&owners->inside, inside);
    return before + (uint32_t)owners->inside.count;
}

/* What an operator needs at least says less than what the one around it needs in all. */
static bool takes_over(const struct distinct_call *call, uint32_t owner)
{
    return call->has_work && (!call->work.is_least || owner == NO_OWNER);
}

/* Events of a thread nest: an open one's owner is its own, or that of the one around it. */
static void own_track(struct kernel_owners *owners, const struct track *track)
{
    const struct timeline *t = &owners->graph->timeline;
    struct property_cursors texts = {.columns = t->properties};
    struct open_events open = {0};
    struct serving_cursor near = {0};

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
            key.inside = add_inside(owners, track, e);
            call = find_call(owners, &key,
                             serving_step_near(owners->graph, &owners->steps, e, &near), 0);
            if (takes_over(&owners->calls.list[call], owner))
                owner = add_owner(owners, e, call);
        }
        owners->of_event[e] = owner + 1;
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
        uint32_t step = serving_step_of_work(graph, &owners->steps, event);
        const struct step_label *label = step == NO_STEP ? NULL : owners->steps.list[step].label;
        struct work work;
        uint32_t operator= captured_operator(graph, event, label, &work), *at;

        if (operator== NO_CAPTURED_CALL)
            continue;
        at = idmap_at(&owner_of, idmap_pair(graph->timeline.launch[event], operator));
        if (*at == IDMAP_NONE)
            *at = add_owner(owners, event,
                            find_call(owners, &graph->captured.list[operator], step, 0));
        owners->of_event[event] = *at + 1;
    }
    idmap_free(&owner_of);
}

/* The part of an operator that a kernel does, where its kernels do parts; 0: all. */
static uint32_t variant_of(const struct kernel_owners *owners, event_id kernel, uint32_t owner)
{
    const struct graph *graph = owners->graph;
    struct frame_class class = graph_class(graph, graph->timeline.frame[kernel]);
    frame_id operator= owner_call(owners, owner)->key.frame;

    if (graph_class(graph, operator).operator.kind != OPERATOR_EXPERTS_INSIDE)
        return 0;
    return 1 + (uint32_t)class.expert_part * FORMATS + (uint32_t)class.weight_format;
}

static void add_variant(struct kernel_owners *owners, event_id kernel, uint32_t owner)
{
    const struct distinct_call *call = owner_call(owners, owner);
    uint32_t variant = variant_of(owners, kernel, owner);
    uint32_t *at = variant ? idmap_at(&owners->variants, idmap_pair(owner, variant)) : NULL;
    struct captured_call key = call->key;

    if (at && *at == IDMAP_NONE) {
        *at = IDMAP_NONE - 1;
        *idmap_at(&owners->variants, idmap_pair(owner, variant)) = add_owner(
            owners, owners->list[owner].event, find_call(owners, &key, call->step, variant));
    }
}

/* The operator around a graph's launch is not that of its kernels: these know their own, or none. */
static uint32_t whole_owner(const struct kernel_owners *owners, event_id kernel)
{
    const struct timeline *t = &owners->graph->timeline;
    event_id launch = t->launch ? t->launch[kernel] : NO_EVENT;

    if (launch == NO_EVENT || !owners->of_event)
        return NO_OWNER;
    if (graph_class(owners->graph, t->frame[launch]).call == CALL_GRAPH_LAUNCH)
        return owner_around(owners, kernel);
    return owner_around(owners, launch);
}

uint32_t kernel_owner_or_least(const struct kernel_owners *owners, event_id kernel)
{
    uint32_t owner = whole_owner(owners, kernel);
    uint32_t variant = owner == NO_OWNER ? 0 : variant_of(owners, kernel, owner);

    return variant ? idmap_find(&owners->variants, idmap_pair(owner, variant)) : owner;
}

uint32_t kernel_owner(const struct kernel_owners *owners, event_id kernel)
{
    uint32_t owner = kernel_owner_or_least(owners, kernel);

    return owner == NO_OWNER || owner_call(owners, owner)->work.is_least ? NO_OWNER : owner;
}

bool kernel_shares_work(const struct kernel_owners *owners, event_id kernel, uint32_t owner)
{
    const struct graph *graph = owners->graph;
    frame_id operator= owner_call(owners, owner)->key.frame;

    return graph_class(graph, graph->timeline.frame[kernel]).family != FAMILY_COPY ||
           !operator_multiplies(graph_class(graph, operator).operator);
}

/* Of the operator's part that it does: its time, and the precision that its name says. */
static void own_kernel(struct kernel_owners *owners, event_id kernel)
{
    const struct graph *graph = owners->graph;
    const struct timeline *t = &graph->timeline;
    uint32_t whole = whole_owner(owners, kernel), at;
    struct frame_class class;
    struct work_owner *owner;

    if (whole == NO_OWNER)
        return;
    add_variant(owners, kernel, whole);
    at = kernel_owner_or_least(owners, kernel);
    if (at == NO_OWNER || !kernel_shares_work(owners, kernel, at))
        return;
    owner = &owners->list[at];
    owner->kernel_ns = checked_add(owner->kernel_ns, t->duration[kernel]);
    class = graph_class(graph, t->frame[kernel]);
    if (class.matrix != MATRIX_NONE && class.precision != PRECISION_UNKNOWN)
        owner->precision = class.precision;
}

static void own_kernels(struct kernel_owners *owners, const struct track *track)
{
    const struct graph *graph = owners->graph;

    for (event_id e = track->first; e < track->first + track->count; e++)
        if (graph_frame(graph, graph->timeline.frame[e])->kind == KIND_KERNEL)
            own_kernel(owners, e);
}

static bool has_inputs(const struct graph *graph)
{
    const struct property_column *properties = graph->timeline.properties;

    return properties[PROP_SHAPES].count || properties[PROP_CAPTURED].count;
}

void kernel_owners_find(struct kernel_owners *owners, const struct graph *graph)
{
    struct arena arena = {0};
    struct serving_steps steps = {0};

    if (has_inputs(graph))
        serving_steps_find(graph, false, &arena, &steps);
    kernel_owners_find_in_steps(owners, graph, &steps);
    owners->arena = arena;
}

void kernel_owners_find_in_steps(struct kernel_owners *owners, const struct graph *graph,
                                 const struct serving_steps *steps)
{
    const struct timeline *t = &graph->timeline;

    *owners = (struct kernel_owners){.graph = graph, .steps = *steps};
    if (!has_inputs(graph))
        return;
    owners->of_event = grow_zeroed(t->count + 1u, sizeof(*owners->of_event));
    for (uint32_t i = 0; i < t->track_count; i++)
        if (t->tracks[i].kind == TRACK_THREAD)
            own_track(owners, &t->tracks[i]);
    own_captured(owners);
    for (uint32_t i = 0; i < t->track_count; i++)
        if (t->tracks[i].kind == TRACK_STREAM)
            own_kernels(owners, &t->tracks[i]);
}

void kernel_owners_free(struct kernel_owners *owners)
{
    free(owners->of_event);
    free(owners->list);
    free(owners->calls.list);
    free(owners->inside.list);
    index_free(&owners->call_index);
    idmap_free(&owners->variants);
    arena_free(&owners->arena);
}
