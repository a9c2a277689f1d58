/* SPDX-License-Identifier: Apache-2.0 */
/* Nests the host's events by time, track by track, and gives each its parent, from several
 * threads. */
#include "analysis/summary/host_tree.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory/memory.h"

/* The columns that are read and written, looked up once a track: the compiler cannot know that
 * writing marks does not move them. */
struct nest_columns {
    const int64_t *start, *duration;
    const frame_id *frame;
    event_id *parent, *after;
    uint8_t *marks;
};

/* Closes what has ended when the event `at` begins. */
static void close_until(struct nest *nest, const struct nest_columns *c, int64_t now, event_id at)
{
    for (const struct open_event *ended; (ended = open_events_close(&nest->open, now));) {
        nest->of_frame[c->frame[ended->event]]--;
        c->after[ended->event] = at;
    }
}

/* What a host event's marks make of those inside it. */
static uint8_t marks_inside(uint8_t host)
{
    uint8_t inherited = host & (MARK_IN_TRANSFER | MARK_IN_PHASE);

    return role_is_phase((enum event_role)(host & MARK_ROLE)) ? inherited | MARK_IN_PHASE
                                                              : inherited;
}

/* Gives an event its parent and its marks. The runtime's calls are leaves: what the file shows
 * inside them belongs to who called. Open events are tagged with the innermost host event around
 * what is in them. */
static void look_at(struct nest *nest, const struct nest_columns *c, event_id event,
                    enum event_role role)
{
    const struct open_event *around = open_events_innermost(&nest->open);
    event_id host = around ? around->tag : NO_EVENT;
    uint8_t marks = host == NO_EVENT ? 0 : marks_inside(c->marks[host]);

    nest->has_role[role] = true;
    c->parent[event] = host;
    if (is_host_transfer(role, nest->nesting->transfer_marks[c->frame[event]])) {
        marks |= MARK_IN_TRANSFER;
        vector_add(&nest->transfers, event);
    }
    if (nest->of_frame[c->frame[event]])
        marks |= MARK_REPEATED;
    c->marks[event] = (uint8_t)role | marks;
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

        close_until(nest, &c, c.start[e], e);
        if (role == ROLE_NONE && is_of_host)
            role = roles_on_host(nesting->roles, e);
        look_at(nest, &c, e, role);
        if (e + 1 == last || c.start[e + 1] >= end) {
            c.after[e] = e + 1;
            continue;
        }
        nest->of_frame[c.frame[e]]++;
        open_events_add(&nest->open,
                        (struct open_event){end, e, role_is_host(role) ? e : c.parent[e]});
    }
    close_until(nest, &c, INT64_MAX, last);
}

void nest_run(struct nest *nest)
{
    const struct graph *graph = nest->nesting->graph;

    nest->of_frame = grow_zeroed((size_t)graph->frames.count + 1, sizeof(*nest->of_frame));
    for (uint32_t i = 0; i < nest->track_count; i++)
        nest_track(nest, &graph->timeline.tracks[nest->tracks[i]]);
    free(nest->of_frame);
    open_events_free(&nest->open);
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
