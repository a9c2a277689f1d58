/* SPDX-License-Identifier: Apache-2.0 */
/* walks.h — ways over a graph: down its call tree, along a track, from arrow to arrow */
#ifndef PTK_GRAPH_MODEL_WALKS_H
#define PTK_GRAPH_MODEL_WALKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "base/memory/memory.h"
#include "graph/model/graph.h"

/* ---- depth first through a call tree, without recursion: files choose the depth, not we ---- */

/* The children of each node, in the order in which they were added: the one that follows it first. */
struct tree_links {
    const struct calltree *tree;
    struct sparse first; /* one column: by node, the first of its children that do not follow it */
    node_id *next; /* of these, by place in tree->above: the next of the same parent; 0: none */
};

/* Its caller frees it: see tree_unlink(). */
void tree_link(const struct calltree *tree, struct tree_links *links);
void tree_unlink(struct tree_links *links);

/* 0: none, as the root is nobody's child. */
static inline node_id tree_first_child(const struct tree_links *links, node_id node)
{
    return node + 1 < links->tree->count && !sparse_has(&links->tree->above, node + 1)
               ? node + 1
               : (node_id)sparse_get(&links->first, 0, node);
}

/* The next child of the same parent; 0: none. */
static inline node_id tree_next_child(const struct tree_links *links, node_id node)
{
    return sparse_has(&links->tree->above, node)
               ? links->next[sparse_place(&links->tree->above, node)]
               : (node_id)sparse_get(&links->first, 0, node - 1);
}

/* Start zeroed but for `links`. Every node is entered once and left once, children between. */
struct walk {
    const struct tree_links *links;
    node_id node;
    bool is_leaving, has_begun;
};

static inline bool walk_next(struct walk *walk)
{
    node_id next;

    if (!walk->has_begun) {
        walk->has_begun = true;
    } else if (!walk->is_leaving) {
        next = tree_first_child(walk->links, walk->node);
        walk->is_leaving = next == 0;
        walk->node = next ? next : walk->node;
    } else if (walk->node == 0) {
        return false;
    } else {
        next = tree_next_child(walk->links, walk->node);
        walk->is_leaving = next == 0;
        walk->node = next ? next : calltree_parent(walk->links->tree, walk->node);
    }
    return true;
}

/* ---- the same by runs: nodes of which each is the parent of the next, and is followed by it ---- */

/* Starts zeroed but for `links`. Each node is in one run. */
struct run_walk {
    const struct tree_links *links;
    node_id first, end; /* the run is those before `end` */
    uint32_t depth;     /* how many are above the first */
};

/* Goes to the next run, in the order in which walk_next() enters nodes; false: there is none. */
bool run_walk_next(struct run_walk *walk);

/* Adds figures of nodes to those of the nodes above: what each costs with all that is below it. */
void tree_sum_up(const struct calltree *tree, int64_t *figures);

/* By node, of a value's self. */
int64_t *tree_totals(const struct calltree *tree, uint32_t value, struct arena *arena);

/* ---- the events of a track that are open at a point of a sweep over it ---- */

/* Events of a track nest: a sweep in their order first closes what has ended when the next begins,
 * then opens that one. What a sweep needs of an open event besides its end is in `tag`: its node of
 * a tree, its frame, its number. */

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

/* ---- which event a place in time means, where an arrow of a trace begins or ends ---- */

/* A place on a track of the file, which may have become several lanes. */
struct flow_place {
    int64_t time;
    bool is_next; /* means the next event, not the innermost around `time` */
};

/* The event that is meant; NO_EVENT: there is none. `near`: by lane, about how many events begin
 * before then; becomes how many do, as the next place is seldom far from it. NULL: nobody knows. */
event_id flow_place_event(const struct timeline *timeline, const struct track *lanes,
                          uint32_t count, struct flow_place place, uint32_t *near);

/* A place that means the event, not before `earliest`. False when none does, as where others cover
 * all of it. */
bool flow_place_of(const struct timeline *timeline, const struct track *lanes, uint32_t count,
                   event_id event, int64_t earliest, struct flow_place *place);

#endif
