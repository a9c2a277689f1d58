#include "analysis/summary/event_role.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory/grow.h"

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

const char *summary_role_name(enum summary_role role)
{
    return names[role];
}

/* The role that a category names by itself; ROLE_NONE when it is not one of Paddle's words. */
static enum summary_role named_role(struct span category)
{
    for (enum summary_role role = ROLE_STEP; role < ROLE_COUNT; role++)
        if (role != ROLE_OTHER && role != ROLE_PYTHON && span_eq(category, span_of(names[role])))
            return role;
    return ROLE_NONE;
}

static bool is_word(struct span text, const char *lower)
{
    for (size_t i = 0; i < text.len; i++)
        if (tolower((unsigned char)text.at[i]) != lower[i] || !lower[i])
            return false;
    return lower[text.len] == '\0';
}

/* "backward", "## forward ##": users name the passes themselves. */
static enum summary_role plain_role(struct span name)
{
    while (name.len && strchr("# ", name.at[0]))
        name = span_after(name, 1);
    while (name.len && strchr("# ", name.at[name.len - 1]))
        name.len--;
    if (is_word(name, "forward"))
        return ROLE_FORWARD;
    return is_word(name, "backward") ? ROLE_BACKWARD : ROLE_PYTHON_USER;
}

/* PyTorch has one category for every range, and tells the framework's own by their beginning. */
static enum summary_role annotation_role(struct span name)
{
    static const struct {
        const char *start;
        enum summary_role role;
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

    for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++)
        if (span_starts(name, span_of(known[i].start)))
            return known[i].role;
    return plain_role(name);
}

/* Before PyTorch 1.11 such ranges were of the operators' category. */
static enum summary_role operator_role(struct span name)
{
    enum summary_role role = annotation_role(name);

    return role == ROLE_STEP || role == ROLE_DATALOADER || role == ROLE_OPTIMIZATION ||
                   role == ROLE_COMMUNICATION
               ? role
               : ROLE_OPERATOR;
}

/* What an event of a thread is, as its name and kind tell. */
static enum summary_role host_role(const struct graph *graph, const struct frame *frame)
{
    switch (frame->kind) {
    case KIND_OPERATOR:
        return operator_role(graph_text(graph, frame->name));
    case KIND_ANNOTATION:
        return annotation_role(graph_text(graph, frame->name));
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

static enum summary_role device_role(const struct graph *graph, const struct frame *frame)
{
    (void)graph;
    switch (frame->kind) {
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

/* By frame, what its events are. */
static uint8_t *frame_roles(const struct graph *graph,
                            enum summary_role (*role_of_frame)(const struct graph *,
                                                               const struct frame *))
{
    uint8_t *role = grow_zeroed((size_t)graph->frames.count + 1, sizeof(*role));

    for (frame_id id = 0; id < graph->frames.count; id++)
        role[id] = (uint8_t)role_of_frame(graph, graph_frame(graph, id));
    return role;
}

/* By category, the role that its name means; ROLE_NONE where the frame tells more. */
static uint8_t *category_roles(const struct graph *graph)
{
    const struct timeline *t = &graph->timeline;
    uint8_t *role = grow_zeroed((size_t)t->category_count + 1, sizeof(*role));

    for (uint32_t i = 0; i < t->category_count; i++) {
        enum summary_role named = named_role(graph_text(graph, t->categories[i]));

        role[i] = named == ROLE_OPERATOR || role_is_device(named) ? ROLE_NONE : (uint8_t)named;
    }
    return role;
}

void roles_make(const struct graph *graph, struct roles *roles)
{
    *roles = (struct roles){&graph->timeline, category_roles(graph), frame_roles(graph, host_role),
                            frame_roles(graph, device_role)};
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

static void fill_track(const struct roles *roles, const struct track *track, uint8_t *role)
{
    for (event_id e = track->first; e < track->first + track->count; e++)
        if (track->kind == TRACK_STREAM)
            role[e] = (uint8_t)roles_on_device(roles, e);
        else if (roles_are_of_host(track))
            role[e] = (uint8_t)roles_on_host(roles, e);
}

uint8_t *summary_roles(const struct graph *graph)
{
    const struct timeline *t = &graph->timeline;
    uint8_t *role = grow_zeroed((size_t)t->count + 1, sizeof(*role));
    struct roles roles;

    roles_make(graph, &roles);
    for (uint32_t i = 0; i < t->track_count; i++)
        fill_track(&roles, &t->tracks[i], role);
    roles_mark_steps(&roles, role);
    roles_free(&roles);
    return role;
}
