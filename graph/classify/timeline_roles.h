/* SPDX-License-Identifier: Apache-2.0 */
/* timeline_roles.h — the role of each event of a timeline, from its category and its frame's
 * class */
#ifndef PTK_GRAPH_CLASSIFY_TIMELINE_ROLES_H
#define PTK_GRAPH_CLASSIFY_TIMELINE_ROLES_H

#include "graph/classify/event_role.h"
#include "graph/model/graph.h"

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
