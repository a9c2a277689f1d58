/* SPDX-License-Identifier: Apache-2.0 */
/* Down a call tree, node by node or run by run, and from an arrow of a trace to the event that it means. */
#include "graph/model/walks.h"

#include "base/checked.h"
#include "base/memory/memory.h"

/* Backwards, so that each child goes in front and the lists end up in order. */
void tree_link(const struct calltree *tree, struct tree_links *links)
{
    *links = (struct tree_links){.tree = tree,
                                 .next = grow_zeroed(tree->above.used, sizeof(*links->next))};
    sparse_begin(&links->first, 1, NULL);
    for (node_id node = tree->count; node-- > 1;) {
        if (!sparse_has(&tree->above, node))
            continue;

        uint32_t at = sparse_place(&tree->above, node);
        uint32_t first = sparse_add(&links->first, (node_id)tree->above.columns[0][at]);

        links->next[at] = (node_id)links->first.columns[0][first];
        links->first.columns[0][first] = node;
    }
}

void tree_unlink(struct tree_links *links)
{
    sparse_free(&links->first);
    free(links->next);
}

/* What is beside the run comes after all below it, so that there is time to fetch it. */
static bool enter_run(struct run_walk *walk, node_id first)
{
    const struct calltree *tree = walk->links->tree;
    node_id beside = walk->links->next[sparse_place(&tree->above, first)];

    walk->first = first;
    walk->end = sparse_next(&tree->above, first + 1, tree->count);
    __builtin_prefetch(&tree->frame[beside]);
    return true;
}

/* A run's nodes have their other children after it: those of its last node first. */
bool run_walk_next(struct run_walk *walk)
{
    const struct tree_links *links = walk->links;
    const struct calltree *tree = links->tree;
    node_id left = walk->end; /* nodes before it have children that were not visited */

    if (!left)
        return enter_run(walk, 0);
    for (;;) {
        node_id at = left > walk->first ? sparse_last(&links->first, walk->first, left - 1) : left;

        if (at < left) {
            walk->depth += at - walk->first + 1;
            return enter_run(walk, (node_id)sparse_get(&links->first, 0, at));
        }
        if (!walk->first)
            return false;

        node_id beside = links->next[sparse_place(&tree->above, walk->first)];

        if (beside)
            return enter_run(walk, beside);
        left = calltree_parent(tree, walk->first);
        walk->first = calltree_run_first(tree, left);
        walk->depth -= left - walk->first + 1;
    }
}

void tree_sum_up(const struct calltree *tree, int64_t *figures)
{
    for (node_id node = tree->count; node-- > 1;) {
        int64_t *above = &figures[calltree_parent(tree, node)];

        *above = checked_add(*above, figures[node]);
    }
}

int64_t *tree_totals(const struct calltree *tree, uint32_t value, struct arena *arena)
{
    int64_t *total = arena_array(arena, tree->count, sizeof(*total));

    for (node_id node = 0; node < tree->count; node++)
        total[node] = calltree_self(tree, value, node);
    tree_sum_up(tree, total);
    return total;
}

enum {
    LOOK_BACK = 64, /* events that may have ended between the one looked for and a place */
    TRIES = 64,     /* events inside another, after which a place of its own is looked for */
};

/* The first event of a track that starts at `time` or after; past its last when there is none. */
static event_id first_from(const struct timeline *t, const struct track *track, int64_t time,
                           uint32_t *near)
{
    SEARCH_NEAR(uint32_t, at, *near, track->count, t->start[track->first + at] < time);
    *near = at;
    return track->first + at;
}

/* The innermost event around `time`, or NO_EVENT. */
static event_id around(const struct timeline *t, const struct track *track, int64_t time,
                       uint32_t *near)
{
    event_id at = first_from(t, track, time, near), past = track->first + track->count;

    while (at < past && t->start[at] == time)
        at++; /* what begins there is around it, the last one innermost */
    for (uint32_t i = 0; i < LOOK_BACK && at > track->first; i++) {
        at--;
        if (t->duration[at] >= time - t->start[at])
            return at;
    }
    return NO_EVENT;
}

event_id flow_place_event(const struct timeline *t, const struct track *lanes, uint32_t count,
                          struct flow_place place, uint32_t *near)
{
    event_id best = NO_EVENT;

    for (uint32_t i = 0; i < count; i++) {
        uint32_t middle = lanes[i].count / 2, *at = near ? &near[i] : &middle;
        event_id found = place.is_next ? first_from(t, &lanes[i], place.time, at)
                                       : around(t, &lanes[i], place.time, at);

        if (found == NO_EVENT || found == lanes[i].first + lanes[i].count)
            continue;
        if (best == NO_EVENT ||
            (place.is_next ? t->start[found] < t->start[best] : t->start[found] > t->start[best]))
            best = found;
    }
    return best;
}

bool flow_place_of(const struct timeline *t, const struct track *lanes, uint32_t count,
                   event_id event, int64_t earliest, struct flow_place *place)
{
    int64_t end = checked_add(t->start[event], t->duration[event]);

    *place = (struct flow_place){t->start[event] > earliest ? t->start[event] : earliest, false};
    for (int i = 0; i < TRIES && place->time <= end; i++) {
        event_id found = flow_place_event(t, lanes, count, *place, NULL);

        if (found == event)
            return true;
        if (found == NO_EVENT)
            break;
        place->time = checked_add(checked_add(t->start[found], t->duration[found]), 1);
    }
    *place = (struct flow_place){t->start[event], true};
    return t->start[event] >= earliest && flow_place_event(t, lanes, count, *place, NULL) == event;
}
