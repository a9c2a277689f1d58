#include "analysis/summary/nesting.h"

#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "base/sort.h"

/* An event that has begun and not ended, with others inside it. Under all of them is one that never
 * ends. */
struct open_event {
    int64_t end;
    frame_id frame;
    event_id event;
    event_id host; /* itself, or the innermost host event around it */
    uint8_t marks; /* of what is inside it */
};

/* What is read and written of each event, looked up once a track: the compiler cannot know that
 * writing marks does not move the columns. */
struct columns {
    const int64_t *start, *duration;
    const frame_id *frame;
    event_id *parent, *after;
    uint8_t *marks;
};

static struct columns columns_of(const struct host_tree *tree)
{
    const struct timeline *t = &tree->graph->timeline;

    return (struct columns){t->start,     t->duration, t->frame,
                            tree->parent, tree->after, tree->marks};
}

/* Closes what has ended when the event `at` begins. */
static void close_until(struct nest *nest, int64_t now, event_id *after, event_id at)
{
    for (; nest->opened[nest->depth].end <= now; nest->depth--) {
        const struct open_event *ended = &nest->opened[nest->depth];

        nest->of_frame[ended->frame]--;
        after[ended->event] = at;
    }
}

static void add_transfer(struct nest *nest, event_id event)
{
    nest->transfers = grow_one(nest->transfers, nest->transfer_count, &nest->transfer_cap,
                               sizeof(*nest->transfers));
    nest->transfers[nest->transfer_count++] = event;
}

/* Steps that are known by their number have their role already. */
static enum summary_role role_on(const struct nest *nest, bool is_of_host, event_id event)
{
    enum summary_role role = role_of(nest->tree, event);

    return role != ROLE_NONE || !is_of_host ? role : roles_on_host(nest->roles, event);
}

/* Gives an event its parent and its marks. The runtime's calls are leaves: what the file shows inside
 * them belongs to who called. */
static struct open_event look_at(struct nest *nest, const struct columns *c, event_id event,
                                 enum summary_role role)
{
    struct open_event inside = nest->opened[nest->depth];
    frame_id frame = c->frame[event];
    uint8_t marks = inside.marks;

    nest->has_role[role] = true;
    c->parent[event] = inside.host;
    if (is_host_transfer(role, nest->tree->transfer_marks[frame])) {
        marks |= MARK_IN_TRANSFER;
        add_transfer(nest, event);
    }
    if (role_is_host(role)) {
        inside.host = event;
        inside.marks = role_is_phase(role) ? marks | MARK_IN_PHASE : marks;
    }
    if (nest->of_frame[frame])
        marks |= MARK_REPEATED;
    c->marks[event] = (uint8_t)role | marks;
    inside.frame = frame;
    inside.event = event;
    return inside;
}

static void leave_open(struct nest *nest, struct open_event event, int64_t end)
{
    event.end = end;
    nest->of_frame[event.frame]++;
    nest->depth++;
    nest->opened = grow_one(nest->opened, nest->depth, &nest->cap, sizeof(*nest->opened));
    nest->opened[nest->depth] = event;
}

/* Most events have nothing inside them. */
static void nest_track(struct nest *nest, const struct track *track)
{
    const struct columns c = columns_of(nest->tree);
    bool is_of_host = roles_are_of_host(track);
    event_id last = track->first + track->count;

    for (event_id e = track->first; e < last; e++) {
        int64_t end = c.start[e] + c.duration[e];
        struct open_event event;

        close_until(nest, c.start[e], c.after, e);
        event = look_at(nest, &c, e, role_on(nest, is_of_host, e));
        if (e + 1 < last && c.start[e + 1] < end)
            leave_open(nest, event, end);
        else
            c.after[e] = e + 1;
    }
    close_until(nest, INT64_MAX - 1, c.after, last);
}

void nest_run(struct nest *nest)
{
    const struct graph *graph = nest->tree->graph;

    nest->of_frame = grow_zeroed((size_t)graph->frames.count + 1, sizeof(*nest->of_frame));
    nest->opened = grow_one(NULL, 0, &nest->cap, sizeof(*nest->opened));
    nest->opened[0] = (struct open_event){.end = INT64_MAX, .host = NO_EVENT};
    for (uint32_t i = 0; i < nest->track_count; i++)
        nest_track(nest, &graph->timeline.tracks[nest->tracks[i]]);
    free(nest->of_frame);
    free(nest->opened);
}

/* ---- several ---- */

static bool is_longer(const void *timeline, uint32_t a, uint32_t b)
{
    const struct timeline *t = timeline;

    return t->tracks[a].count > t->tracks[b].count;
}

/* The longest first, each to the one that has the fewest events. */
struct nest *nests_new(struct host_tree *tree, const struct roles *roles, size_t count)
{
    const struct timeline *t = &tree->graph->timeline;
    struct nest *nests = grow_zeroed(count, sizeof(*nests));
    uint64_t *events = grow_zeroed(count, sizeof(*events));
    uint32_t *by_size = grow_to(NULL, (size_t)tree->visit_count + 1, sizeof(*by_size));

    for (size_t i = 0; i < count; i++)
        nests[i] = (struct nest){
            .tree = tree,
            .roles = roles,
            .tracks = grow_to(NULL, (size_t)tree->visit_count + 1, sizeof(*nests[i].tracks))};
    memcpy(by_size, tree->visits, tree->visit_count * sizeof(*by_size));
    sort_stable(by_size, tree->visit_count, is_longer, t);
    for (uint32_t i = 0; i < tree->visit_count; i++) {
        size_t least = 0;

        for (size_t k = 1; k < count; k++)
            least = events[k] < events[least] ? k : least;
        nests[least].tracks[nests[least].track_count++] = by_size[i];
        events[least] += t->tracks[by_size[i]].count;
    }
    free(events);
    free(by_size);
    return nests;
}

void nests_end(struct nest *nests, size_t count)
{
    struct host_tree *tree = nests->tree;

    for (size_t i = 0; i < count; i++)
        tree->transfer_count += nests[i].transfer_count;
    tree->transfers = grow_to(NULL, tree->transfer_count + 1, sizeof(*tree->transfers));
    tree->transfer_count = 0;
    for (size_t i = 0; i < count; i++) {
        for (size_t k = 0; k < nests[i].transfer_count; k++)
            tree->transfers[tree->transfer_count++] = nests[i].transfers[k];
        for (enum summary_role role = ROLE_NONE; role < ROLE_COUNT; role++)
            tree->has_role[role] |= nests[i].has_role[role];
        free(nests[i].transfers);
        free(nests[i].tracks);
    }
    free(nests);
}
