/* SPDX-License-Identifier: Apache-2.0 */
/* loader_threads.c — which recorded thread makes the batches that another takes from its data loader
 *
 * A thread that makes them is known by the waits that it ends: what it had done then, it does once a batch, in
 * the order in which they are taken. So one that was there in time is known, too, to have been made. One that is
 * always in time is known by its own waits: it goes on whenever a batch is taken.
 *
 * It makes as many ahead as it makes at first without waiting in a call. Before each of the others it asks whether one
 * more has been taken. Where it always had been, it did not wait; it would if it made them sooner. */
#include "analysis/execution/loader_batches.h"

#include <stdlib.h>

#include "base/memory/memory.h"

enum { TAKEN_LEAST = 3 /* so many waits for the next batch to be taken show who makes them */ };

/* The outermost of the events that a thread had done last, at `time`: of several shortly before it the longest, for it may
 * have asked for more since then. NO_EVENT. */
static event_id done_by(const struct timeline *timeline, uint32_t track, int64_t time)
{
    enum { EVENTS_ASKED = 256 };
    const struct track *at = &timeline->tracks[track];
    event_id done = NO_EVENT;
    uint32_t asked = 0;

    SEARCH(uint32_t, past, at->count, timeline->start[at->first + past] < time);
    for (; past-- > 0 && asked < EVENTS_ASKED; asked++) {
        event_id event = at->first + past;
        int64_t end = event_end(timeline, event);

        if (end <= time &&
            (done == NO_EVENT ||
             (time - end <= HAND_OVER_MOST ? timeline->duration[event] >= timeline->duration[done]
                                           : end >= event_end(timeline, done))))
            done = event;
    }
    return done;
}

/* The batches that one thread takes, as its stops, and what the one that makes them does for each. */
struct making {
    struct thread_stop **takes;
    uint32_t count, first_known; /* which of them is the first that was waited for */
    uint32_t track;              /* who makes them; UINT32_MAX */
    event_id made;               /* that one */
    event_id *all_made;          /* by batch; NO_EVENT: not known */
    struct thread_stops rooms;   /* where it would wait for room */
};

/* Finds the thread that makes them; of several nothing is said. */
static void find_maker(const struct timeline *timeline, struct making *making)
{
    making->track = UINT32_MAX;
    for (uint32_t i = 0; i < making->count; i++) {
        const struct thread_stop *take = making->takes[i];

        if (take->from == take->to || take->waker == UINT32_MAX || take->waker == making->track)
            continue;
        if (making->track != UINT32_MAX) {
            making->track = UINT32_MAX;
            return;
        }
        making->track = take->waker;
        making->first_known = i;
        making->made = done_by(timeline, take->waker, take->waker_time);
    }
    if (making->made == NO_EVENT)
        making->track = UINT32_MAX;
}

/* The batch whose taking let a thread go on; UINT32_MAX: none did. */
static uint32_t taken_before(const struct making *making, const struct thread_stop *stop)
{
    SEARCH(uint32_t, past, making->count, making->takes[past]->to <= stop->to);
    if (past == 0 || making->takes[past - 1]->to < stop->from ||
        stop->to - making->takes[past - 1]->to > HAND_OVER_MOST)
        return UINT32_MAX;
    return past - 1;
}

/* Whether a wait is one that says who makes batches: not the last, which may never have ended. */
static bool is_told_by(const struct timeline *timeline, const struct thread_stop *stop)
{
    const struct track *track = &timeline->tracks[stop->track];

    return stop->is_wait && stop->batch == NO_EVENT && stop->to - stop->from >= WAIT_LEAST &&
           stop->event + 1 < track->first + track->count;
}

/* Whether all waits of a thread, [stop, past), ended when a batch was taken, each when another one was. */
static bool waits_for_takes(const struct timeline *timeline, const struct making *making,
                            const struct thread_stop *stop, const struct thread_stop *past)
{
    uint32_t last = UINT32_MAX, count = 0;

    for (; stop < past; stop++) {
        uint32_t taken;

        if (!is_told_by(timeline, stop))
            continue;
        taken = taken_before(making, stop);
        if (taken == UINT32_MAX || taken == last)
            return false;
        last = taken;
        count++;
    }
    return count >= TAKEN_LEAST;
}

/* It had made all but one of those that it makes ahead when the taking of one let it go on. */
static void set_maker(const struct timeline *timeline, struct making *making,
                      struct thread_stop *stop, const struct thread_stop *past)
{
    for (; stop < past; stop++) {
        uint32_t taken;

        if (!is_told_by(timeline, stop))
            continue;
        taken = taken_before(making, stop);
        stop->waker = making->takes[taken]->track;
        stop->waker_time = making->takes[taken]->to;
        if (making->track != UINT32_MAX || taken + BATCHES_AHEAD > making->count)
            continue;
        making->made = done_by(timeline, stop->track, stop->from);
        if (making->made == NO_EVENT)
            return;
        making->track = stop->track;
        making->first_known = taken + BATCHES_AHEAD - 1;
        making->takes[making->first_known]->waker = stop->track;
        making->takes[making->first_known]->waker_time = event_end(timeline, making->made);
    }
}

/* Finds the thread that makes them where it always was in time. */
static void find_maker_in_time(const struct task_builder *builder, struct making *making)
{
    const struct track *tracks = builder->timeline->tracks;
    struct thread_stop *stops = builder->stops;
    uint32_t taker = making->takes[0]->track;

    making->track = UINT32_MAX;
    for (size_t first = 0, past; first < builder->stop_count && making->track == UINT32_MAX;
         first = past) {
        uint32_t track = stops[first].track;

        for (past = first + 1; past < builder->stop_count && stops[past].track == track;)
            past++;
        if (track != taker && tracks[track].pid == tracks[taker].pid &&
            tracks[track].process == tracks[taker].process &&
            waits_for_takes(builder->timeline, making, &stops[first], &stops[past]))
            set_maker(builder->timeline, making, &stops[first], &stops[past]);
    }
}

/* The next or the last time that a thread did the same; NO_EVENT. */
static event_id same_again(const struct timeline *timeline, uint32_t track, event_id event,
                           int direction)
{
    const struct track *at = &timeline->tracks[track];
    event_id next = event;

    do {
        if (next == (direction < 0 ? at->first : at->first + at->count - 1))
            return NO_EVENT;
        next = direction < 0 ? next - 1 : next + 1;
    } while (timeline->frame[next] != timeline->frame[event]);
    return next;
}

/* One batch was made after the other; all, before they were taken, or it is something else that is made. */
static void join_to_maker(const struct timeline *timeline, const struct making *making)
{
    for (int direction = -1; direction <= 1; direction += 2) {
        event_id made = making->made;
        uint32_t at = making->first_known;

        making->all_made[at] = made;
        while (direction < 0 ? at-- > 0 : ++at < making->count) {
            struct thread_stop *take = making->takes[at];

            made = same_again(timeline, making->track, made, direction);
            if (made == NO_EVENT || event_end(timeline, made) > take->to)
                break;
            making->all_made[at] = made;
            if (take->waker != UINT32_MAX)
                continue;
            take->waker = making->track;
            take->waker_time = event_end(timeline, made);
        }
    }
}

/* Where the thread last waited before it made a batch, since it had made the one before; NO_EVENT. */
static event_id asked_before(const struct task_builder *builder, const struct making *making,
                             uint32_t at)
{
    const struct timeline *timeline = builder->timeline;
    event_id made = making->all_made[at], first = timeline->tracks[making->track].first;
    event_id last = at ? making->all_made[at - 1] : NO_EVENT;
    int64_t since = last == NO_EVENT ? timeline->start[first] : event_end(timeline, last);

    for (event_id e = made; made != NO_EVENT && e-- > first && timeline->start[e] >= since;)
        if (builder->execution->role[timeline->frame[e]] == HOST_LOCKS &&
            event_end(timeline, e) <= timeline->start[made])
            return e;
    return NO_EVENT;
}

/* The thread would have waited there, had that batch not been taken by then. */
static void wait_for_room(const struct task_builder *builder, struct making *making,
                          const struct thread_stop *take, event_id asked)
{
    const struct thread_stop *stops = builder->stops;
    int64_t time = event_end(builder->timeline, asked);
    struct thread_stops *rooms = &making->rooms;

    SEARCH(size_t, past, builder->stop_count,
           stops[past].track < making->track ||
               (stops[past].track == making->track && stops[past].from <= time));
    if (past > 0 && stops[past - 1].event == asked && stops[past - 1].waker != UINT32_MAX)
        return;
    vector_add(rooms, ((struct thread_stop){.from = time,
                                            .to = time,
                                            .track = making->track,
                                            .event = asked,
                                            .batch = NO_EVENT,
                                            .is_wait = true,
                                            .waker = take->track,
                                            .waker_time = take->to}));
}

/* Those that it makes without asking are as many as there is room for, else it asks for each; or more, where fewer had
 * been taken when it asked. */
static void limit_maker(const struct task_builder *builder, struct making *making)
{
    event_id *asked = grow_to(NULL, making->count + 1u, sizeof(*asked));
    uint32_t ahead = 0;

    for (uint32_t i = 0; i < making->count; i++)
        asked[i] = asked_before(builder, making, i);
    while (ahead < making->count && making->all_made[ahead] != NO_EVENT &&
           asked[ahead] == NO_EVENT)
        ahead++;
    ahead = ahead ? ahead : BATCHES_AHEAD;
    for (uint32_t i = 0; i < making->count; i++) {
        if (asked[i] == NO_EVENT)
            continue;
        SEARCH(uint32_t, taken, making->count,
               making->takes[taken]->to <= event_end(builder->timeline, asked[i]));
        ahead = i + 1 > taken + ahead ? i + 1 - taken : ahead;
    }
    for (uint32_t i = ahead; i < making->count; i++)
        if (asked[i] != NO_EVENT)
            wait_for_room(builder, making, making->takes[i - ahead], asked[i]);
    free(asked);
}

/* Waits that recorded threads ended, less those that nobody known did. */
static int64_t recorded_waits(const struct making *making)
{
    int64_t recorded = 0;

    for (uint32_t i = 0; i < making->count; i++)
        if (making->takes[i]->to - making->takes[i]->from >= WAIT_LEAST)
            recorded += making->takes[i]->waker == UINT32_MAX ? -1 : 1;
    return recorded;
}

/* Joins what a thread takes with the recorded thread that makes it. What a recorded thread made, even if it is not
 * known which, is no batch of another process. */
static void settle_making(struct task_builder *builder, struct making *making)
{
    bool is_recorded = recorded_waits(making) > 0;

    if (is_recorded)
        find_maker(builder->timeline, making);
    else
        find_maker_in_time(builder, making);
    if (!is_recorded && making->track == UINT32_MAX)
        return;
    if (making->track != UINT32_MAX) {
        join_to_maker(builder->timeline, making);
        limit_maker(builder, making);
        vector_add(&builder->execution->producers, making->track);
    }
    for (uint32_t i = 0; i < making->count; i++)
        making->takes[i]->batch = NO_EVENT;
}

void find_producers(struct task_builder *builder)
{
    size_t most = builder->stop_count + 1, kept = 0;
    struct making making = {.takes = grow_to(NULL, most, sizeof(*making.takes)),
                            .all_made = grow_to(NULL, most, sizeof(*making.all_made))};

    for (size_t i = 0; i < builder->stop_count; i++) {
        struct thread_stop *stop = &builder->stops[i];
        bool is_last = i + 1 == builder->stop_count || builder->stops[i + 1].track != stop->track;

        if (stop->batch != NO_EVENT) {
            making.all_made[making.count] = NO_EVENT;
            making.takes[making.count++] = stop;
        }
        if (!is_last || making.count == 0)
            continue;
        settle_making(builder, &making);
        making.count = 0;
    }
    if (making.rooms.count)
        add_thread_stops(builder, &making.rooms);
    for (size_t i = 0; i < builder->stop_count; i++)
        if (builder->stops[i].from < builder->stops[i].to || builder->stops[i].batch != NO_EVENT ||
            builder->stops[i].waker != UINT32_MAX || !builder->stops[i].is_wait)
            builder->stops[kept++] = builder->stops[i];
    builder->stop_count = kept;
    free(making.rooms.list);
    free(making.takes);
    free(making.all_made);
}
