/* SPDX-License-Identifier: Apache-2.0 */
/* Nests the host's events by time, track by track, and gives each its parent, from several
 * threads. */
#include "analysis/summary/host_tree.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory/memory.h"

/* An event that has begun and not ended, with others inside it. Under all of them is one that never
 * ends. */
struct nest_open {
    int64_t end;
    frame_id frame;
    event_id event;
    event_id host; /* itself, or the innermost host event around it */
    uint8_t marks; /* of what is inside it */
};

/* The columns that are read and written, looked up once a track: the compiler cannot know that
 * writing marks does not move them. */
struct nest_columns {
    const int64_t *start, *duration;
    const frame_id *frame;
    event_id *parent, *after;
    uint8_t *marks;
};

/* Closes what has ended when the event `at` begins. */
static void close_until(struct nest *nest, int64_t now, event_id *after, event_id at)
{
    for (; nest->opened[nest->depth].end <= now; nest->depth--) {
        const struct nest_open *ended = &nest->opened[nest->depth];

        nest->of_frame[ended->frame]--;
        after[ended->event] = at;
    }
}

/* Gives an event its parent and its marks. The runtime's calls are leaves: what the file shows
 * inside them belongs to who called. */
static struct nest_open look_at(struct nest *nest, const struct nest_columns *c, event_id event,
                                enum event_role role)
{
    struct nest_open inside = nest->opened[nest->depth];
    frame_id frame = c->frame[event];
    uint8_t marks = inside.marks;

    nest->has_role[role] = true;
    c->parent[event] = inside.host;
    if (is_host_transfer(role, nest->nesting->transfer_marks[frame])) {
        marks |= MARK_IN_TRANSFER;
        vector_add(&nest->transfers, event);
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

/* Most events have nothing inside them. */
static void nest_track(struct nest *nest, const struct track *track)
{
    const struct nesting *nesting = nest->nesting;
    const struct timeline *t = &nesting->graph->timeline;
    const struct nest_columns c = {t->start,        t->duration,    t->frame,
                                   nesting->parent, nesting->after, nesting->marks};
    bool is_of_host = roles_are_of_host(track);
    event_id last = track->first + track->count;

    for (event_id e = track->first; e < last; e++) {
        int64_t end = c.start[e] + c.duration[e];
        enum event_role role = (enum event_role)c.marks[e]; /* of steps known by their number */
        struct nest_open event;

        close_until(nest, c.start[e], c.after, e);
        if (role == ROLE_NONE && is_of_host)
            role = roles_on_host(nesting->roles, e);
        event = look_at(nest, &c, e, role);
        if (e + 1 == last || c.start[e + 1] >= end) {
            c.after[e] = e + 1;
            continue;
        }
        event.end = end;
        nest->of_frame[event.frame]++;
        nest->depth++;
        nest->opened = grow_one(nest->opened, nest->depth, &nest->cap, sizeof(*nest->opened));
        nest->opened[nest->depth] = event;
    }
    close_until(nest, INT64_MAX - 1, c.after, last);
}

void nest_run(struct nest *nest)
{
    const struct graph *graph = nest->nesting->graph;

    nest->of_frame = grow_zeroed((size_t)graph->frames.count + 1, sizeof(*nest->of_frame));
    nest->opened = grow_one(NULL, 0, &nest->cap, sizeof(*nest->opened));
    nest->opened[0] = (struct nest_open){.end = INT64_MAX, .host = NO_EVENT};
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
struct nest *nests_new(const struct nesting *nesting, const uint32_t *tracks, uint32_t track_count,
                       size_t count)
{
    const struct timeline *t = &nesting->graph->timeline;
    struct nest *nests = grow_zeroed(count, sizeof(*nests));
    uint64_t *events = grow_zeroed(count, sizeof(*events));
    uint32_t *by_size = grow_to(NULL, (size_t)track_count + 1, sizeof(*by_size));

    for (size_t i = 0; i < count; i++)
        nests[i] = (struct nest){
            .nesting = nesting,
            .tracks = grow_to(NULL, (size_t)track_count + 1, sizeof(*nests[i].tracks))};
    memcpy(by_size, tracks, track_count * sizeof(*by_size));
    sort_stable(by_size, track_count, is_longer, t);
    for (uint32_t i = 0; i < track_count; i++) {
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

void nests_free(struct nest *nests, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        free(nests[i].transfers.list);
        free(nests[i].tracks);
    }
    free(nests);
}
