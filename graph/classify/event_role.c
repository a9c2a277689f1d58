/* SPDX-License-Identifier: Apache-2.0 */
#include "graph/classify/event_role.h"

#include <ctype.h>
#include <string.h>

#include "base/attr.h"

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

static bool is_word(struct span text, const char *lower)
{
    for (size_t i = 0; i < text.len; i++)
        if (tolower((unsigned char)text.at[i]) != lower[i] || !lower[i])
            return false;
    return lower[text.len] == '\0';
}

/* "backward", "## forward ##": users name the passes themselves. */
static enum event_role plain_role(struct span name)
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
    return plain_role(name);
}

/* Before PyTorch 1.11 such ranges were of the operators' category. */
static enum event_role operator_role(struct span name)
{
    enum event_role role = annotation_role(name);

    return role == ROLE_STEP || role == ROLE_DATALOADER || role == ROLE_OPTIMIZATION ||
                   role == ROLE_COMMUNICATION
               ? role
               : ROLE_OPERATOR;
}

bool category_is_reservation(struct span category)
{
    return span_starts(category, SPAN("Reserved"));
}

enum event_role host_role(enum frame_kind kind, struct span name)
{
    switch (kind) {
    case KIND_OPERATOR:
        return operator_role(name);
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

enum event_role device_role(enum frame_kind kind)
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

static bool ends_with_backward(struct span name)
{
    while (name.len && name.at[name.len - 1] >= '0' && name.at[name.len - 1] <= '9')
        name.len--;
    return span_ends(name, SPAN("Backward"));
}

/* Autograd's nodes: "autograd::engine::evaluate_function: MulBackward0", "MulBackward" before that
 * was written around them. */
static bool is_autograd_node(struct span name)
{
    return span_starts(name, SPAN("autograd::engine::evaluate_function")) ||
           span_starts(name, SPAN("torch::autograd::")) || ends_with_backward(name);
}

enum event_role implied_phase(enum frame_kind kind, struct span name)
{
    if (kind == KIND_OPERATOR && is_autograd_node(name))
        return ROLE_BACKWARD;
    if (kind == KIND_PYTHON && span_starts(name, SPAN("nn.Module: ")))
        return ROLE_FORWARD;
    return ROLE_NONE;
}
