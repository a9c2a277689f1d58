/* SPDX-License-Identifier: Apache-2.0 */
/* The part that each event plays in training: a step, a phase, an operator, a collective, a
 * copy. */
#include "graph/classify/event_class.h"

#include <stdlib.h>
#include <string.h>

#include "base/checked.h"
#include "base/memory/memory.h"

/* ---- the part that an event plays in training: a step, an operator, a kernel … ---- */

static const char *const names[ROLE_COUNT] = {
    [ROLE_NONE] = "",
    [ROLE_STEP] = "ProfileStep",
    [ROLE_DATALOADER] = "Dataloader",
    [ROLE_FORWARD] = "Forward",
    [ROLE_BACKWARD] = "Backward",
    [ROLE_OPTIMIZATION] = "Optimization",
    [ROLE_OPERATOR] = "Operator",
    [ROLE_INNER] = "OperatorInner",
    [ROLE_COMMUNICATION] = "Communication",
    [ROLE_USER] = "UserDefined",
    [ROLE_PYTHON_USER] = "PythonUserDefined",
    [ROLE_PYTHON_OP] = "PythonOp",
    [ROLE_PYTHON] = "PythonFunction",
    [ROLE_OTHER] = "Other",
    [ROLE_RUNTIME] = "CudaRuntime",
    [ROLE_KERNEL] = "Kernel",
    [ROLE_MEMCPY] = "Memcpy",
    [ROLE_MEMSET] = "Memset",
};

const char *event_role_name(enum event_role role)
{
    return names[role];
}

enum event_role category_role(struct span category)
{
    for (enum event_role role = ROLE_STEP; role < ROLE_COUNT; role++)
        if (role != ROLE_OTHER && role != ROLE_PYTHON && span_eq(category, span_of(names[role])))
            return role == ROLE_OPERATOR || role_is_device(role) ? ROLE_NONE : role;
    return ROLE_NONE;
}

/* PyTorch has one category for every range, and tells the framework's own by their beginning; users
 * name the passes themselves. */
static enum event_role annotation_role(struct span name)
{
    static const struct {
        const char *start;
        enum event_role role;
    } known[] = {
        {"ProfilerStep#", ROLE_STEP},
        {"enumerate(DataLoader)#", ROLE_DATALOADER},
        {"enumerate(DataPipe)#", ROLE_DATALOADER},
        {"Optimizer.step#", ROLE_OPTIMIZATION},
        {"nccl:", ROLE_COMMUNICATION},
        {"gloo:", ROLE_COMMUNICATION},
        {"DistributedDataParallel.forward", ROLE_FORWARD},
        {"FullyShardedDataParallel.forward", ROLE_FORWARD},
    };

    for (size_t i = 0; i < COUNT_OF(known); i++)
        if (span_starts(name, span_of(known[i].start)))
            return known[i].role;
    while (name.len && strchr("# ", name.at[0])) /* "## forward ##" */
        name = span_after(name, 1);
    while (name.len && strchr("# ", name.at[name.len - 1]))
        name.len--;
    if (span_is_word(name, "forward"))
        return ROLE_FORWARD;
    return span_is_word(name, "backward") ? ROLE_BACKWARD : ROLE_PYTHON_USER;
}

bool category_is_reservation(struct span category)
{
    return span_starts(category, SPAN("Reserved"));
}

enum event_role host_role(enum frame_kind kind, struct span name)
{
    enum event_role role;

    switch (kind) {
    case KIND_OPERATOR:
        role = annotation_role(name); /* before PyTorch 1.11 such ranges were of this category */
        return role == ROLE_STEP || role == ROLE_DATALOADER || role == ROLE_OPTIMIZATION ||
                       role == ROLE_COMMUNICATION
                   ? role
                   : ROLE_OPERATOR;
    case KIND_ANNOTATION:
        return annotation_role(name);
    case KIND_COMMUNICATION:
        return ROLE_COMMUNICATION;
    case KIND_RUNTIME:
    case KIND_SYNC:
        return ROLE_RUNTIME;
    case KIND_PYTHON:
        return ROLE_PYTHON;
    default:
        return ROLE_OTHER;
    }
}

/* The same on a stream: of kernels, copies and fills; else ROLE_NONE. */
static enum event_role device_role(enum frame_kind kind)
{
    switch (kind) {
    case KIND_KERNEL:
    case KIND_COMMUNICATION:
        return ROLE_KERNEL;
    case KIND_MEMCPY:
        return ROLE_MEMCPY;
    case KIND_MEMSET:
        return ROLE_MEMSET;
    default:
        return ROLE_NONE;
    }
}

/* ---- phases that nobody named ---- */

static const struct span module_prefix = LITERAL("nn.Module: ");

struct span module_call_name(struct span name)
{
    return span_starts(name, module_prefix) ? span_after(name, module_prefix.len) : name;
}

enum event_role implied_phase(enum frame_kind kind, struct span name)
{
    struct span numberless = name;

    if (kind == KIND_PYTHON && span_starts(name, module_prefix))
        return ROLE_FORWARD;
    if (kind != KIND_OPERATOR)
        return ROLE_NONE;
    while (numberless.len && is_digit(numberless.at[numberless.len - 1]))
        numberless.len--;
    /* "autograd::engine::evaluate_function: MulBackward0", which older versions do not write around
     * "MulBackward" */
    return span_starts(name, SPAN("autograd::engine::evaluate_function")) ||
                   span_starts(name, SPAN("torch::autograd::")) ||
                   span_ends(numberless, SPAN("Backward"))
               ? ROLE_BACKWARD
               : ROLE_NONE;
}

/* ---- the role of each event of a timeline, from its category and its frame's class ---- */

void roles_make(const struct graph *graph, struct roles *roles)
{
    const struct timeline *t = &graph->timeline;
    size_t count = graph->frames.count + 1;

    *roles = (struct roles){
        .timeline = t,
        .of_category = grow_zeroed((size_t)t->category_count + 1, sizeof(*roles->of_category)),
        .on_host = grow_zeroed(count, sizeof(*roles->on_host)),
        .on_device = grow_zeroed(count, sizeof(*roles->on_device))};
    for (uint32_t i = 0; i < t->category_count; i++)
        roles->of_category[i] = (uint8_t)category_role(graph_text(graph, t->categories[i]));
    for (frame_id id = 0; id < graph->frames.count; id++) {
        roles->on_host[id] = (uint8_t)graph_class(graph, id).role;
        roles->on_device[id] = (uint8_t)device_role(graph_frame(graph, id)->kind);
    }
}

void roles_mark_steps(const struct roles *roles, uint8_t *role)
{
    const struct timeline *t = roles->timeline;
    const struct property_column *steps = &t->properties[PROP_STEP];

    for (uint32_t i = 0; i < steps->count; i++) {
        event_id event = steps->event[i];

        if (roles_are_of_host(&t->tracks[track_of_event(t, event)]) &&
            role_is_host(roles_on_host(roles, event)))
            role[event] = ROLE_STEP;
    }
}

void roles_free(struct roles *roles)
{
    free(roles->of_category);
    free(roles->on_host);
    free(roles->on_device);
}

uint8_t *event_roles(const struct graph *graph)
{
    const struct timeline *t = &graph->timeline;
    uint8_t *role = grow_zeroed((size_t)t->count + 1, sizeof(*role));
    struct roles roles;

    roles_make(graph, &roles);
    for (const struct track *track = t->tracks; track < t->tracks + t->track_count; track++)
        for (event_id e = track->first; e < track->first + track->count; e++)
            if (track->kind == TRACK_STREAM)
                role[e] = (uint8_t)roles_on_device(&roles, e);
            else if (roles_are_of_host(track))
                role[e] = (uint8_t)roles_on_host(&roles, e);
    roles_mark_steps(&roles, role);
    roles_free(&roles);
    return role;
}
