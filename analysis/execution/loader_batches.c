/* SPDX-License-Identifier: Apache-2.0 */
/* loader_batches.c — what the batches cost that a thread takes from processes that nobody recorded
 *
 * A thread that waited knows when a batch was there. Of those that were there before, no more is known than that;
 * that they cost nothing would promise too much. The first that a thread waits for shows how long one takes, and
 * later waits how fast they come. If they came faster than one after another, several processes made them: as few
 * as can have. If the first cost more than those can have that were there in time, it is no measure of them. */
#include "analysis/execution/loader_batches.h"

#include <stdlib.h>

#include "base/memory/memory.h"

enum {
    SHORT = 5,  /* % of what a batch costs: so short a wait may be time of the thread's own */
    SPREAD = 15 /* %: so much more than the one that is known others cost at most */
};

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
 * known. One process may have begun it before the thread waited, as long ago as the recording. */
static int64_t first_cost(const struct supply *supply, uint32_t *producers)
{
    int64_t cost, period = 0;

    *producers = 1;
    if (!is_waited_for(supply, 0))
        return 0;
    cost = taken_at(supply, 0) - supply->execution->graph->timeline.start[supply->list[0].event];
    if (supply->count > 1)
        period = (taken_at(supply, supply->count - 1) - taken_at(supply, 0)) / (supply->count - 1);
    period += period / 100 * SPREAD;
    if (period > 0 && cost > period)
        *producers = (uint32_t)((cost + period - 1) / period);
    return *producers > 1 ? cost / *producers
                          : taken_at(supply, 0) - supply->execution->run_start;
}

/* Whether the first batch, which alone was waited for, may have been begun long before. */
static bool is_begun_before(const struct supply *supply)
{
    const int64_t *start = supply->execution->graph->timeline.start;
    int64_t waiting = start[supply->list[0].event];

    for (uint32_t i = 1; i < supply->count; i++)
        if (is_waited_for(supply, i - 1) && is_waited_for(supply, i))
            return false;
    return is_waited_for(supply, 0) && waiting - supply->execution->run_start >
                                           (taken_at(supply, 0) - waiting) / 100 * SPREAD;
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

/* Where nothing is known for sure, each may have come at the last moment. What is likely lies half way from what is known to the
 * most that they can cost, which is no more than those can have that were in time. */
static int64_t cost_of_others(int64_t known, bool is_sure, int64_t in_time, enum batch_cost kind)
{
    int64_t most = known + known / 100 * SPREAD;

    if (kind == BATCH_COST_MOST)
        return is_sure ? most : INT64_MAX;
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
    int64_t most = cost + cost / 100 * SPREAD, least = cost - cost / 100 * SPREAD;

    for (uint32_t i = 0; i < supply->count; i++) {
        task_id task = supply->list[i].task;
        int64_t begun = begin_of(supply, i, ahead, ready);
        bool is_there = cost && begun + most <= execution->start[task];

        if (supply->list[i].is_short &&
            (cost == 0 || (begun + least <= execution->start[task] &&
                           begun + most < execution->end[task])))
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
    bool is_sure;

    part_taking(supply, cost, BATCHES_AHEAD * producers);
    period = seen_period(supply);
    known = producers == 1 ? cost_of_waited(supply, cost) : cost;
    if (known != cost)
        cost = known;
    else if (cost == 0 || period < cost)
        cost = period == INT64_MAX ? 0 : period;
    cost = cost_in_time(supply, cost, BATCHES_AHEAD * producers);
    is_sure = cost > 0 && !is_begun_before(supply);
    for (uint32_t i = 0; i < supply->count; i++)
        supply->list[i].is_unknown = !is_sure && !is_waited_for(supply, i);
    most = most_in_time(supply, BATCHES_AHEAD * producers);
    for (int kind = 0; kind < BATCH_COSTS; kind++)
        date_all(supply, cost_of_others(cost, is_sure, most, (enum batch_cost)kind),
                 BATCHES_AHEAD * producers, (enum batch_cost)kind);
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
