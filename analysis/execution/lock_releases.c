/* SPDX-License-Identifier: Apache-2.0 */
/* lock_releases.c — when a thread that holds the interpreter's lock lets it go
 *
 * Who comes sooner or later than recorded goes on at another of these times. The waits of others show some. A thread
 * that holds the lock piece by piece, as one that pickles does, lets it go after each piece, whether another one waits
 * or not: where the times that are known lie whole periods apart, there are more between them. */
#include <stdlib.h>

#include "analysis/execution/replay.h"
#include "analysis/execution/task_graph.h"
#include "base/memory/memory.h"

enum {
    PERIODS_MOST = 64, /* between two times that are known */
    RELEASES_MOST = 1 << 16,
    ONE_PERIOD = 150, /* %: of the shortest; what is longer is several */
    OFF_MOST = 25     /* % of a period: so far off a whole number of them */
};

/* Those of one thread that others waited for, by time. */
struct known_releases {
    VECTOR(int64_t);
    uint32_t track;
};

/* How many periods a time is about; 0: none, or too many. */
static int64_t periods_in(int64_t time, int64_t period)
{
    int64_t count = (time + period / 2) / period;

    return count <= PERIODS_MOST ? count : 0;
}

/* Whether it is a whole number of them. */
static bool fits(int64_t time, int64_t period)
{
    int64_t count = periods_in(time, period), off = time - count * period;

    return count > 0 && (off < 0 ? -off : off) <= period / 100 * OFF_MOST;
}

/* The mean of those that are one; 0: they show none. */
static int64_t find_period(const struct known_releases *known)
{
    int64_t least = INT64_MAX, sum = 0, period;
    size_t ones = 0, fit = 0;

    for (size_t i = 1; i < known->count; i++) {
        int64_t time = known->list[i] - known->list[i - 1];

        least = time > 0 && time < least ? time : least;
    }
    if (least == INT64_MAX || least < WAIT_LEAST)
        return 0;
    for (size_t i = 1; i < known->count; i++) {
        int64_t time = known->list[i] - known->list[i - 1];

        if (time > 0 && time / ONE_PERIOD <= least / 100) {
            sum += time;
            ones++;
        }
    }
    period = sum / (int64_t)ones;
    for (size_t i = 1; i < known->count; i++)
        fit += fits(known->list[i] - known->list[i - 1], period);
    return 4 * fit >= 3 * (known->count - 1) ? period : 0;
}

static void add_release(struct task_builder *builder, uint32_t track, int64_t time, bool is_first)
{
    if (builder->releases.count < RELEASES_MOST)
        vector_add(&builder->releases, ((struct lock_cut){{time, track}, is_first}));
}

/* The innermost event that lasted over all of them: the thread held the lock from its start to its end. */
static event_id held_in(const struct task_builder *builder, const struct known_releases *known)
{
    const struct timeline *timeline = builder->timeline;
    const struct track *at = &timeline->tracks[known->track];
    event_id found = NO_EVENT;

    for (event_id e = at->first; e < at->first + at->count && timeline->start[e] < known->list[0];
         e++)
        if (event_end(timeline, e) >= known->list[known->count - 1])
            found = e;
    return found;
}

static void add_others(struct task_builder *builder, const struct known_releases *known,
                       int64_t period)
{
    const struct timeline *timeline = builder->timeline;
    event_id holding = held_in(builder, known);
    int64_t time;

    for (size_t i = 1; i < known->count; i++) {
        int64_t from = known->list[i - 1], length = known->list[i] - from;
        int64_t count = periods_in(length, period);

        for (int64_t k = 1; k < count; k++)
            add_release(builder, known->track, from + length / count * k, false);
    }
    if (holding == NO_EVENT)
        return;
    time = known->list[0] - period;
    for (int k = 0; k < PERIODS_MOST && time > timeline->start[holding] + period / 2; k++) {
        add_release(builder, known->track, time, false);
        time -= period;
    }
    time = known->list[known->count - 1] + period;
    for (int k = 0; k < PERIODS_MOST && time < event_end(timeline, holding) - period / 2; k++) {
        add_release(builder, known->track, time, false);
        time += period;
    }
    add_release(builder, known->track, timeline->start[holding], true);
    add_release(builder, known->track, event_end(timeline, holding), false);
}

static void find_of_holder(struct task_builder *builder, struct known_releases *known)
{
    size_t kept = 0;
    int64_t period;

    for (size_t i = 0; i < builder->stop_count; i++)
        if (builder->stops[i].is_for_lock && builder->stops[i].waker == known->track &&
            builder->stops[i].from < builder->stops[i].to)
            vector_add(known, builder->stops[i].waker_time);
    if (known->count == 0)
        return;
    sort_numbers(known->list, known->count);
    for (size_t i = 0; i < known->count; i++)
        if (i == 0 || known->list[i] != known->list[kept - 1])
            known->list[kept++] = known->list[i];
    known->count = kept;
    for (size_t i = 0; i < known->count; i++)
        add_release(builder, known->track, known->list[i], false);
    period = find_period(known);
    if (period)
        add_others(builder, known, period);
}

void find_lock_releases(struct task_builder *builder)
{
    bool *is_holder = grow_zeroed(builder->timeline->track_count + (size_t)1, sizeof(*is_holder));

    for (size_t i = 0; i < builder->stop_count; i++)
        if (builder->stops[i].is_for_lock && builder->stops[i].waker != UINT32_MAX)
            is_holder[builder->stops[i].waker] = true;
    for (uint32_t t = 0; t < builder->timeline->track_count; t++) {
        struct known_releases known = {.track = t};

        if (is_holder[t])
            find_of_holder(builder, &known);
        free(known.list);
    }
    for (size_t i = 0; i < builder->releases.count; i++)
        builder_cut(builder, builder->releases.list[i].at.track, builder->releases.list[i].at.time);
    free(is_holder);
}

static int by_task(const void *a, const void *b)
{
    const struct lock_release *left = a, *right = b;

    return (left->task > right->task) - (left->task < right->task);
}

void keep_lock_releases(const struct task_builder *builder)
{
    struct execution *execution = builder->execution;
    size_t kept = 0;

    for (size_t i = 0; i < builder->releases.count; i++) {
        const struct cut *release = &builder->releases.list[i].at;
        task_id task = task_ending_by(execution, release->track, release->time);

        if (task != NO_TASK && execution->end[task] == release->time)
            vector_add(&execution->releases,
                       ((struct lock_release){task, builder->releases.list[i].is_first}));
    }
    if (execution->releases.count)
        qsort(execution->releases.list, execution->releases.count,
              sizeof(*execution->releases.list), by_task);
    for (size_t i = 0; i < execution->releases.count; i++)
        if (i == 0 || execution->releases.list[i].task != execution->releases.list[kept - 1].task)
            execution->releases.list[kept++] = execution->releases.list[i];
    execution->releases.count = kept;
}

/* ---- replayed ---- */

/* Whether nothing but the task before it on its thread lets a task begin. */
static bool follows(const struct execution *execution, task_id task)
{
    const struct dependency *by = &execution->dependencies[execution->first[task]];

    return execution->first[task + 1] - execution->first[task] == 1 &&
           by->kind == DEPENDS_ON_THREAD && by->lag == 0;
}

/* The next after a task. Later ones may not have been replayed yet: they follow one another. */
static task_id next_release(const struct execution *execution, task_id task, int64_t comes,
                            const int64_t *length, const int64_t *end, int64_t *time)
{
    const struct lock_release *releases = execution->releases.list;
    uint32_t track = execution->track[task];

    SEARCH(size_t, at, execution->releases.count, releases[at].task <= task);
    *time = end[task];
    for (int k = 0; k < PERIODS_MOST && at < execution->releases.count &&
                    execution->track[releases[at].task] == track;
         k++, at++) {
        while (task < releases[at].task) {
            if (!follows(execution, ++task))
                return NO_TASK;
            *time = checked_add(*time, length[task]);
        }
        if (*time >= comes)
            return releases[at].is_first ? NO_TASK : task;
    }
    return NO_TASK;
}

task_id lock_release(const struct execution *execution, task_id task, task_id recorded,
                     int64_t comes, const int64_t *length, const int64_t *end, int64_t *time)
{
    const struct lock_release *releases = execution->releases.list;
    task_id first = execution->first_task[execution->track[recorded]];
    int64_t came = task > execution->first_task[execution->track[task]] ? execution->end[task - 1]
                                                                        : execution->run_start;
    SEARCH(size_t, own, execution->releases.count, releases[own].task < first);
    SEARCH(size_t, count, execution->releases.count - own, releases[own + count].task <= recorded);
    /* those in the time that it waited let others go on */
    SEARCH(size_t, before, count, execution->end[releases[own + before].task] < came);
    SEARCH(size_t, earlier, before, end[releases[own + earlier].task] < comes);
    if (earlier < before) {
        *time = end[releases[own + earlier].task];
        return releases[own + earlier].is_first ? NO_TASK : releases[own + earlier].task;
    }
    *time = end[recorded];
    return *time >= comes ? recorded : next_release(execution, recorded, comes, length, end, time);
}
