/* SPDX-License-Identifier: Apache-2.0 */
/* loader_batches.c — who makes the batches that a thread takes from its data loader, and what they cost
 *
 * A thread that makes them is known by the waits that it ends: what it had done then, it does once a batch, in
 * the order in which they are taken. So one that was there in time is known, too, to have been made. One that is
 * always in time is known by its own waits: it goes on whenever a batch is taken.
 *
 * Of other processes, which nobody recorded, a thread that waited knows when a batch was there. Of those that
 * were there before, no more is known than that; that they cost nothing would promise too much. The first that a
 * thread waits for shows how long one takes, and later waits how fast they come. If they came faster than one
 * after another, several processes made them: as few as can have. Each makes two ahead, as PyTorch's do by
 * default. If the first cost more than those can have that were there in time, it is no measure of them. */
#include <stdlib.h>

#include "analysis/execution/task_graph.h"
#include "base/memory/memory.h"

enum {
    AHEAD = 2,
    TAKEN_LEAST = 3, /* so many waits for the next batch to be taken show who makes them */
    SHORT = 5,  /* % of what a batch costs: so short a wait may be time of the thread's own */
    SPREAD = 15 /* %: so much more than the one that is known others cost at most */
};

/* ---- threads ---- */

/* The outermost of the events that a thread had done last, at `time`; NO_EVENT. */
static event_id done_by(const struct timeline *timeline, uint32_t track, int64_t time)
{
    enum { EVENTS_ASKED = 256 };
    const struct track *at = &timeline->tracks[track];
    event_id done = NO_EVENT;
    uint32_t asked = 0;

    SEARCH(uint32_t, past, at->count, timeline->start[at->first + past] < time);
    for (; past-- > 0 && asked < EVENTS_ASKED; asked++) {
        event_id event = at->first + past;

        if (event_end(timeline, event) <= time &&
            (done == NO_EVENT || event_end(timeline, event) >= event_end(timeline, done)))
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
        if (making->track != UINT32_MAX || taken + AHEAD > making->count)
            continue;
        making->made = done_by(timeline, stop->track, stop->from);
        if (making->made == NO_EVENT)
            return;
        making->track = stop->track;
        making->first_known = taken + AHEAD - 1;
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

        while (direction < 0 ? at-- > 0 : ++at < making->count) {
            struct thread_stop *take = making->takes[at];

            made = same_again(timeline, making->track, made, direction);
            if (made == NO_EVENT || event_end(timeline, made) > take->to)
                break;
            if (take->waker != UINT32_MAX)
                continue;
            take->waker = making->track;
            take->waker_time = event_end(timeline, made);
        }
    }
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
        vector_add(&builder->execution->producers, making->track);
    }
    for (uint32_t i = 0; i < making->count; i++)
        making->takes[i]->batch = NO_EVENT;
}

void find_producers(struct task_builder *builder)
{
    struct making making = {.takes = grow_to(NULL, builder->stop_count + 1, sizeof(*making.takes))};
    size_t kept = 0;

    for (size_t i = 0; i < builder->stop_count; i++) {
        struct thread_stop *stop = &builder->stops[i];
        bool is_last = i + 1 == builder->stop_count || builder->stops[i + 1].track != stop->track;

        if (stop->batch != NO_EVENT)
            making.takes[making.count++] = stop;
        if (!is_last || making.count == 0)
            continue;
        settle_making(builder, &making);
        making.count = 0;
    }
    for (size_t i = 0; i < builder->stop_count; i++)
        if (builder->stops[i].from < builder->stops[i].to || builder->stops[i].batch != NO_EVENT ||
            builder->stops[i].waker != UINT32_MAX || !builder->stops[i].is_wait)
            builder->stops[kept++] = builder->stops[i];
    builder->stop_count = kept;
    free(making.takes);
}

/* ---- processes ---- */

/* The batches of one thread. */
struct supply {
    struct execution *execution;
    struct loader_batch *list;
    uint32_t count;
};

static int64_t taken_at(const struct supply *supply, uint32_t at)
{
    return supply->execution->end[supply->list[at].task];
}

static bool is_waited_for(const struct supply *supply, uint32_t at)
{
    task_id task = supply->list[at].task;

    return supply->execution->kind[task] == TASK_WAIT && task_length(supply->execution, task) > 0;
}

/* By when it was there: a thread that took it without a wait may have found it long before. */
static int64_t there_by(const struct supply *supply, uint32_t at)
{
    task_id task = supply->list[at].task;

    return supply->execution->kind[task] == TASK_WAIT ? supply->execution->end[task]
                                                      : supply->execution->start[task];
}

/* The median time a batch between two that were waited for; INT64_MAX: there are none. */
static int64_t seen_period(const struct supply *supply)
{
    int64_t *periods = grow_to(NULL, (size_t)supply->count + 1, sizeof(*periods));
    int64_t median = INT64_MAX;
    uint32_t last = UINT32_MAX, count = 0;

    for (uint32_t i = 0; i < supply->count; i++) {
        if (!is_waited_for(supply, i))
            continue;
        if (last != UINT32_MAX)
            periods[count++] = (taken_at(supply, i) - taken_at(supply, last)) / (i - last);
        last = i;
    }
    if (count) {
        sort_numbers(periods, count);
        median = periods[count / 2];
    }
    free(periods);
    return median;
}

/* The median of what batches cost that one process makes, where that is known: of one that was waited for, as the one
 * before it was, for it was begun when that was there; and of the first. `first`: 0: not known. 0: none is. */
static int64_t cost_of_waited(const struct supply *supply, int64_t first)
{
    int64_t *costs = grow_to(NULL, (size_t)supply->count + 1, sizeof(*costs)), median = 0;
    uint32_t count = 0;

    if (first)
        costs[count++] = first;
    for (uint32_t i = 1; i < supply->count; i++)
        if (is_waited_for(supply, i - 1) && is_waited_for(supply, i))
            costs[count++] = taken_at(supply, i) - taken_at(supply, i - 1);
    if (count) {
        sort_numbers(costs, count);
        median = (costs[(count - 1) / 2] + costs[count / 2]) / 2;
    }
    free(costs);
    return median;
}

/* From the first batch, if it was waited for: what one costs, and how many processes make them at least. 0: not
 * known. */
static int64_t first_cost(const struct supply *supply, uint32_t *producers)
{
    int64_t cost, period;

    *producers = 1;
    if (!is_waited_for(supply, 0))
        return 0;
    cost = taken_at(supply, 0) - supply->execution->graph->timeline.start[supply->list[0].event];
    if (supply->count < 2)
        return cost;
    period = (taken_at(supply, supply->count - 1) - taken_at(supply, 0)) / (supply->count - 1);
    period += period / 100 * SPREAD;
    if (period > 0 && cost > period)
        *producers = (uint32_t)((cost + period - 1) / period);
    return cost / *producers;
}

/* The most that batches cost on average which nobody waited for: they were there in time, one made after the other.
 * INT64_MAX: each was waited for. */
static int64_t most_in_time(const struct supply *supply, uint32_t ahead)
{
    int64_t most = INT64_MAX;
    uint32_t last = UINT32_MAX;

    for (uint32_t i = 0; i < supply->count; i++) {
        if (is_waited_for(supply, i)) {
            last = i;
            continue;
        }
        if (last == UINT32_MAX)
            continue;

        int64_t time = (there_by(supply, i) - taken_at(supply, last)) / (i - last);
        int64_t since = i >= ahead ? there_by(supply, i) - taken_at(supply, i - ahead) : time;

        time = since < time ? since : time;
        most = time < most ? time : most;
    }
    return most;
}

/* What they cost at that rate, where the known batch cost more than they can have: it lies between the least that
 * batches differ by from that one and the most that was in time, and no end of that is likelier. */
static int64_t cost_in_time(const struct supply *supply, int64_t known, uint32_t ahead)
{
    int64_t most = most_in_time(supply, ahead), least = known - known / 100 * SPREAD;

    if (known <= most)
        return known;
    return most > least ? least + (most - least) / 2 : most;
}

/* Where nothing is known, each may have come at the last moment. What is likely lies half way from what is known to the
 * most that they can cost, which is no more than those can have that were in time. */
static int64_t cost_of_others(int64_t known, int64_t in_time, enum batch_cost kind)
{
    int64_t most = known + known / 100 * SPREAD;

    if (kind == BATCH_COST_MOST)
        return known == 0 ? INT64_MAX : most;
    most = most < in_time ? most : in_time;
    return kind == BATCH_COST_LIKELY && known < most ? known + (most - known) / 2 : known;
}

/* When the making of a batch could begin; the one before it was there at `ready`. */
static int64_t begin_of(const struct supply *supply, uint32_t at, uint32_t ahead, int64_t ready)
{
    return at >= ahead && taken_at(supply, at - ahead) > ready ? taken_at(supply, at - ahead)
                                                               : ready;
}

/* `cost`: of those that were not waited for; 0: not known. */
static void date_all(const struct supply *supply, int64_t cost, uint32_t ahead,
                     enum batch_cost kind)
{
    int64_t ready = supply->execution->run_start;
    bool is_made_before = true;

    for (uint32_t i = 0; i < supply->count; i++) {
        int64_t begun = begin_of(supply, i, ahead, ready);

        ready = is_waited_for(supply, i) || there_by(supply, i) - begun < cost ? there_by(supply, i)
                                                                               : begun + cost;
        is_made_before &= i < ahead && !is_waited_for(supply, i);
        if (is_made_before && kind != BATCH_COST_MOST) /* it was there before the recording */
            ready = begun;
        supply->list[i].ahead = ahead;
        supply->list[i].cost[kind] = ready - begun;
    }
}

/* A short wait for what had been there, at such a cost, is time of the thread's own; so is one that is too short to be
 * told from taking a batch, unless this one cannot have been there yet. `cost`: 0: not known. */
static void part_taking(const struct supply *supply, int64_t cost, uint32_t ahead)
{
    struct execution *execution = supply->execution;
    int64_t ready = execution->run_start, brief = cost / 100 * SHORT;
    int64_t most = cost_of_others(cost, INT64_MAX, BATCH_COST_MOST), least = cost - (most - cost);

    for (uint32_t i = 0; i < supply->count; i++) {
        task_id task = supply->list[i].task;
        int64_t begun = begin_of(supply, i, ahead, ready);
        bool is_there = cost && begun + most <= execution->start[task];

        if (supply->list[i].is_short && (cost == 0 || begun + least <= execution->start[task]))
            execution->kind[task] = TASK_HOST;
        if (is_waited_for(supply, i) && is_there && task_length(execution, task) <= brief)
            execution->kind[task] = TASK_HOST;
        ready = is_there ? begun + most : there_by(supply, i);
    }
}

static void date_supply(struct supply *supply)
{
    uint32_t producers;
    int64_t cost = first_cost(supply, &producers), period, known, most;

    part_taking(supply, cost, AHEAD * producers);
    period = seen_period(supply);
    known = producers == 1 ? cost_of_waited(supply, cost) : cost;
    if (known != cost)
        cost = known;
    else if (cost == 0 || period < cost)
        cost = period == INT64_MAX ? 0 : period;
    cost = cost_in_time(supply, cost, AHEAD * producers);
    for (uint32_t i = 0; i < supply->count; i++)
        supply->list[i].is_unknown = cost == 0 && !is_waited_for(supply, i);
    most = most_in_time(supply, AHEAD * producers);
    for (int kind = 0; kind < BATCH_COSTS; kind++)
        date_all(supply, cost_of_others(cost, most, (enum batch_cost)kind), AHEAD * producers,
                 (enum batch_cost)kind);
}

void date_batches(struct execution *execution)
{
    struct loader_batch *list = execution->batches.list;
    size_t first = 0;

    for (size_t i = 1; i <= execution->batches.count; i++) {
        struct supply supply = {execution, &list[first], (uint32_t)(i - first)};

        if (i < execution->batches.count &&
            execution->track[list[i].task] == execution->track[list[first].task])
            continue;
        date_supply(&supply);
        first = i;
    }
}
