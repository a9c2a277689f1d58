/* SPDX-License-Identifier: Apache-2.0 */
#include "graph/classify/timeline_roles.h"

#include <stdlib.h>

#include "base/memory/grow.h"
#include "graph/classify/frame_class.h"

/* By category, the role that its name means; ROLE_NONE where the frame tells more. */
static uint8_t *category_roles(const struct graph *graph)
{
    const struct timeline *t = &graph->timeline;
    uint8_t *role = grow_zeroed((size_t)t->category_count + 1, sizeof(*role));

    for (uint32_t i = 0; i < t->category_count; i++)
        role[i] = (uint8_t)category_role(graph_text(graph, t->categories[i]));
    return role;
}

void roles_make(const struct graph *graph, struct roles *roles)
{
    size_t count = graph->frames.count + 1;

    *roles = (struct roles){.timeline = &graph->timeline,
                            .of_category = category_roles(graph),
                            .on_host = grow_zeroed(count, sizeof(*roles->on_host)),
                            .on_device = grow_zeroed(count, sizeof(*roles->on_device))};
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

static void fill_track(const struct roles *roles, const struct track *track, uint8_t *role)
{
    for (event_id e = track->first; e < track->first + track->count; e++)
        if (track->kind == TRACK_STREAM)
            role[e] = (uint8_t)roles_on_device(roles, e);
        else if (roles_are_of_host(track))
            role[e] = (uint8_t)roles_on_host(roles, e);
}

uint8_t *event_roles(const struct graph *graph)
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
