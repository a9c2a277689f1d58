/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/execution/task_graph.h"

#include "base/memory/vector.h"
#include "graph/classify/event_class.h"

static enum host_role role_of_call(struct frame_class class)
{
    switch (class.call) {
    case CALL_SYNC_EVENT:
        return HOST_WAITS_EVENT;
    case CALL_SYNC_STREAM:
        return HOST_WAITS_STREAM;
    case CALL_SYNC_DEVICE:
        return HOST_WAITS_DEVICE;
    case CALL_COPY:
        return class.blocks ? HOST_COPIES_WAITS : HOST_COPIES;
    case CALL_FREE:
        return class.may_block ? HOST_FREES : HOST_SUBMITS;
    case CALL_ALLOCATE:
        return class.may_block ? HOST_ALLOCATES : HOST_SUBMITS;
    default:
        return class.is_wait ? HOST_WAITS_STREAM : HOST_SUBMITS;
    }
}

static enum host_role role_of(enum frame_kind kind, struct frame_class class)
{
    static const enum host_role waits[BLOCKING_COUNT] = {
        [BLOCKING_LOCK] = HOST_LOCKS, [BLOCKING_SLEEP] = HOST_SLEEPS};
    enum host_role role = waits[class.blocking];

    switch (kind) {
    case KIND_RUNTIME:
    case KIND_SYNC:
        return role_of_call(class);
    case KIND_ANNOTATION:
        return HOST_RANGE;
    case KIND_PYTHON:
        return role == HOST_RUNS ? HOST_RANGE : role;
    case KIND_HOST:
        return role;
    default:
        return HOST_RUNS;
    }
}

uint8_t *host_roles(const struct graph *graph)
{
    uint8_t *roles = grow_zeroed(graph->frames.count, sizeof(*roles));

    for (frame_id id = 1; id < graph->frames.count; id++)
        roles[id] = (uint8_t)role_of(graph_frame(graph, id)->kind, graph_class(graph, id));
    return roles;
}
