#include "analysis/summary/role.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/grow.h"

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

static enum summary_role device_role(const struct frame *frame)
{
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

/* By category, the role that its name means. */
static uint8_t *category_roles(const struct graph *graph)
{
    const struct timeline *t = &graph->timeline;
    uint8_t *role = grow_zeroed((size_t)t->category_count + 1, sizeof(*role));

    for (uint32_t i = 0; i < t->category_count; i++)
        role[i] = (uint8_t)named_role(graph_text(graph, t->categories[i]));
    return role;
}

static void fill_track(const struct graph *graph, const struct track *track,
                       const uint8_t *of_category, uint8_t *role)
{
    const struct timeline *t = &graph->timeline;

    for (event_id e = track->first; e < track->first + track->count; e++) {
        const struct frame *frame = graph_frame(graph, t->frame[e]);
        uint8_t named = t->category ? of_category[t->category[e]] : ROLE_NONE;
        bool is_telling = named && named != ROLE_OPERATOR && !role_is_device(named);

        if (track->kind == TRACK_STREAM)
            role[e] = (uint8_t)device_role(frame);
        else if (track->kind == TRACK_THREAD && track->device < 0)
            role[e] = is_telling ? named : (uint8_t)host_role(graph, frame);
    }
}

/* A range that has the number of a training step is one, whatever its name. */
static void mark_steps(const struct timeline *t, uint8_t *role)
{
    const struct property_column *steps = &t->properties[PROP_STEP];

    for (uint32_t i = 0; i < steps->count; i++)
        if (role_is_host((enum summary_role)role[steps->event[i]]))
            role[steps->event[i]] = ROLE_STEP;
}

uint8_t *summary_roles(const struct graph *graph)
{
    const struct timeline *t = &graph->timeline;
    uint8_t *role = grow_zeroed((size_t)t->count + 1, sizeof(*role));
    uint8_t *of_category = category_roles(graph);

    for (uint32_t i = 0; i < t->track_count; i++)
        fill_track(graph, &t->tracks[i], of_category, role);
    mark_steps(t, role);
    free(of_category);
    return role;
}
