/* SPDX-License-Identifier: Apache-2.0 */
/* open_events.h — the events of a track that are open at a point of a sweep over it
 *
 * Events of a track nest: a sweep in their order first closes what has ended when the next begins,
 * then opens that one. What a sweep needs of an open event besides its end is in `tag`: its node of
 * a tree, its frame, its number. */
#ifndef PTK_GRAPH_MODEL_OPEN_EVENTS_H
#define PTK_GRAPH_MODEL_OPEN_EVENTS_H

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "base/memory/vector.h"
#include "graph/model/graph.h"

struct open_event {
    int64_t end; /* ns */
    event_id event;
    uint32_t tag;
};

/* The outermost first. Ready for use when zeroed; the list is kept from track to track. */
struct open_events {
    struct open_event *list;
    size_t depth, cap;
};

static inline void open_events_add(struct open_events *open, struct open_event event)
{
    open->list = grow_one(open->list, open->depth, &open->cap, sizeof(*open->list));
    open->list[open->depth++] = event;
}

/* NULL: none is open. Borrowed until the next event opens. */
static inline struct open_event *open_events_innermost(const struct open_events *open)
{
    return open->depth ? &open->list[open->depth - 1] : NULL;
}

/* Closes the innermost if it has ended by `time`: called until it returns NULL, it closes all that
 * have, from the innermost out. Borrowed until the next event opens. */
static inline struct open_event *open_events_close(struct open_events *open, int64_t time)
{
    if (!open->depth || open->list[open->depth - 1].end > time)
        return NULL;
    return &open->list[--open->depth];
}

/* Closes all that have ended by `time`. */
static inline void open_events_close_all(struct open_events *open, int64_t time)
{
    while (open_events_close(open, time))
        continue;
}

static inline void open_events_free(struct open_events *open)
{
    free(open->list);
    *open = (struct open_events){0};
}

#endif
