/* SPDX-License-Identifier: Apache-2.0 */
/* event_role.h — the part that an event plays in training: a step, an operator, a kernel …
 *
 * The roles are Paddle's event types. The category that the producer gave decides; where it is
 * not one of Paddle's words, the kind and the name of the event do. */
#ifndef PTK_GRAPH_CLASSIFY_EVENT_ROLE_H
#define PTK_GRAPH_CLASSIFY_EVENT_ROLE_H

#include "base/text/span.h"
#include "graph/model/frame.h"
#include "graph/model/graph.h"

enum event_role {
    ROLE_NONE, /* not on a thread and not the device's work: instants, totals, async rows */
    ROLE_STEP,
    ROLE_DATALOADER,
    ROLE_FORWARD,
    ROLE_BACKWARD,
    ROLE_OPTIMIZATION,
    ROLE_OPERATOR,
    ROLE_INNER, /* a part of an operator: its shape inference, its kernel launch */
    ROLE_COMMUNICATION,
    ROLE_USER,        /* a range that the framework's native code named */
    ROLE_PYTHON_USER, /* a range that the user named */
    ROLE_PYTHON_OP,
    ROLE_PYTHON, /* a Python function */
    ROLE_OTHER,  /* any other host event; known by its category */
    ROLE_RUNTIME,
    ROLE_KERNEL,
    ROLE_MEMCPY,
    ROLE_MEMSET,
    ROLE_COUNT
};

/* "ProfileStep", "CudaRuntime": as Paddle's tables call it. */
const char *event_role_name(enum event_role role);

static inline bool role_is_device(enum event_role role)
{
    return role >= ROLE_KERNEL;
}

/* A node of the thread's tree: not what the runtime or the device does. */
static inline bool role_is_host(enum event_role role)
{
    return role > ROLE_NONE && role < ROLE_RUNTIME;
}

/* The four parts of a training step. */
static inline bool role_is_phase(enum event_role role)
{
    return role >= ROLE_DATALOADER && role <= ROLE_OPTIMIZATION;
}

/* The role that a category names by itself; ROLE_NONE when it is not one of Paddle's words, or one
 * that says less than the event's kind. */
enum event_role category_role(struct span category);

/* Whether its events are of memory that an allocator keeps for itself, not of what it hands out:
 * Paddle's "ReservedAllocate" and "ReservedFree". */
bool category_is_reservation(struct span category);

/* The role of a frame's events on a thread, as its kind and name tell. */
enum event_role host_role(enum frame_kind kind, struct span name);

/* The phase that a frame's events are part of where nothing names phases: ROLE_BACKWARD of
 * autograd's nodes, ROLE_FORWARD of modules' calls; else ROLE_NONE. */
enum event_role implied_phase(enum frame_kind kind, struct span name);

/* ---- the role of each event of a timeline, from its category and its frame's class ---- */

/* What roles go by. Owned: see roles_free(). */
struct roles {
    const struct timeline *timeline;
    uint8_t *of_category;         /* what its name means; ROLE_NONE where the frame tells more */
    uint8_t *on_host, *on_device; /* by frame */
};

void roles_make(const struct graph *graph, struct roles *roles);

/* An event's role on the host: of a thread that is none of a device's. */
static inline enum event_role roles_on_host(const struct roles *roles, event_id event)
{
    const struct timeline *t = roles->timeline;
    uint8_t named = t->category ? roles->of_category[t->category[event]] : (uint8_t)ROLE_NONE;

    return (enum event_role)(named ? named : roles->on_host[t->frame[event]]);
}

/* An event's role on a stream. */
static inline enum event_role roles_on_device(const struct roles *roles, event_id event)
{
    return (enum event_role)roles->on_device[roles->timeline->frame[event]];
}

/* Whether a track's events have roles of the host. */
static inline bool roles_are_of_host(const struct track *track)
{
    return track->kind == TRACK_THREAD;
}

/* Gives their role, by event, to the steps that are known by their number, whatever their name. */
void roles_mark_steps(const struct roles *roles, uint8_t *role);

void roles_free(struct roles *roles);

/* The role of every event, by event, in memory that the caller frees. */
uint8_t *event_roles(const struct graph *graph);

#endif
