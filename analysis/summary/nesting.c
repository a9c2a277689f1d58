#include "analysis/summary/nesting.h"

#include <stdlib.h>

#include "base/grow.h"
#include "base/sort.h"

/* An event that has begun and not ended. */
struct open_event {
    int64_t end;
    frame_id frame;
    event_id event;
    event_id host; /* itself, or the innermost host event around it */
    uint8_t marks; /* of what is inside it */
};

/* The sweep over one thread: the events that are open at its point. */
struct sweep {
    struct host_tree *tree;
    struct open_event *opened;
    size_t depth, cap;
    uint32_t *of_frame; /* by frame, how many of the open events have it */
};

/* Closes what has ended when the event `at` begins. */
static void close_until(struct sweep *sweep, int64_t now, event_id at)
{
    while (sweep->depth && sweep->opened[sweep->depth - 1].end <= now) {
        const struct open_event *ended = &sweep->opened[--sweep->depth];

        sweep->of_frame[ended->frame]--;
        sweep->tree->after[ended->event] = at;
    }
}

static void add_transfer(struct host_tree *tree, event_id event)
{
    tree->transfers = grow_one(tree->transfers, tree->transfer_count, &tree->transfer_cap,
                               sizeof(*tree->transfers));
    tree->transfers[tree->transfer_count++] = event;
}

/* The runtime's calls are leaves: what the file shows inside them belongs to who called. */
static void open_event(struct sweep *sweep, event_id event, int64_t end)
{
    static const struct open_event outside = {.host = NO_EVENT};
    struct host_tree *tree = sweep->tree;
    frame_id frame = tree->graph->timeline.frame[event];
    enum summary_role role = role_of(tree, event);
    struct open_event next = sweep->depth ? sweep->opened[sweep->depth - 1] : outside;
    uint8_t marks = next.marks;

    tree->has_role[role] = true;
    tree->parent[event] = next.host;
    if (is_host_transfer(role, tree->transfer_marks[frame])) {
        marks |= MARK_IN_TRANSFER;
        add_transfer(tree, event);
    }
    if (role_is_host(role)) {
        next.host = event;
        next.marks = role_is_phase(role) ? marks | MARK_IN_PHASE : marks;
    }
    if (sweep->of_frame[frame]++)
        marks |= MARK_REPEATED;
    tree->marks[event] |= marks;
    next.end = end;
    next.frame = frame;
    next.event = event;
    sweep->opened = grow_one(sweep->opened, sweep->depth, &sweep->cap, sizeof(*sweep->opened));
    sweep->opened[sweep->depth++] = next;
}

static void nest_track(struct sweep *sweep, const struct track *track)
{
    const struct timeline *t = &sweep->tree->graph->timeline;

    for (event_id e = track->first; e < track->first + track->count; e++) {
        close_until(sweep, t->start[e], e);
        open_event(sweep, e, t->start[e] + t->duration[e]);
    }
    close_until(sweep, INT64_MAX, track->first + track->count);
}

static void leave_alone(struct host_tree *tree, const struct track *track)
{
    for (event_id e = track->first; e < track->first + track->count; e++)
        tree->parent[e] = NO_EVENT;
}

static bool is_earlier_track(const void *timeline, uint32_t a, uint32_t b)
{
    const struct track *x = &((const struct timeline *)timeline)->tracks[a];
    const struct track *y = &((const struct timeline *)timeline)->tracks[b];

    if (x->pid != y->pid)
        return x->pid < y->pid;
    return x->tid < y->tid;
}

static void give_turns(struct host_tree *tree)
{
    const struct timeline *t = &tree->graph->timeline;

    tree->turn = grow_zeroed((size_t)t->track_count + 1, sizeof(*tree->turn));
    tree->visits = grow_to(NULL, (size_t)t->track_count + 1, sizeof(*tree->visits));
    for (uint32_t i = 0; i < t->track_count; i++)
        if (t->tracks[i].kind == TRACK_THREAD)
            tree->visits[tree->visit_count++] = i;
    sort_stable(tree->visits, tree->visit_count, is_earlier_track, t);
    for (uint32_t i = 0; i < tree->visit_count; i++)
        tree->turn[tree->visits[i]] = i + 1;
}

void host_tree_nest(struct host_tree *tree)
{
    const struct timeline *t = &tree->graph->timeline;
    struct sweep sweep = {.tree = tree};

    give_turns(tree);
    tree->parent = grow_to(NULL, (size_t)t->count + 1, sizeof(*tree->parent));
    tree->after = grow_to(NULL, (size_t)t->count + 1, sizeof(*tree->after));
    sweep.of_frame = grow_zeroed((size_t)tree->graph->frames.count + 1, sizeof(*sweep.of_frame));
    for (uint32_t i = 0; i < t->track_count; i++)
        if (tree->turn[i])
            nest_track(&sweep, &t->tracks[i]);
        else
            leave_alone(tree, &t->tracks[i]);
    free(sweep.of_frame);
    free(sweep.opened);
}
