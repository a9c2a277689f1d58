/* SPDX-License-Identifier: Apache-2.0 */
/* thread_turns.c — threads that run operators in turn, and the thread beginnings that turns rule out */
#include <stdlib.h>

#include "analysis/execution/thread_turns.h"
#include "base/memory/memory.h"

/* Of the stops of one thread the one whose end comes after `time`; `past` if none does. */
static size_t stop_at(const struct thread_stop *stops, size_t at, size_t past, int64_t time)
{
    while (at < past && stops[at].to <= time)
        at++;
    return at;
}

static size_t first_stop_of(const struct task_builder *builder, uint32_t track)
{
    SEARCH(size_t, at, builder->stop_count, builder->stops[at].track < track);
    return at;
}

static void take_turn(struct thread_stop *stop, uint32_t waker, int64_t time)
{
    if (stop->event != NO_EVENT || stop->is_read || (stop->takes_turns && stop->waker_time >= time))
        return;
    stop->waker = waker;
    stop->waker_time = time;
    stop->takes_turns = true;
}

/* Both run operators, as the forward and the backward pass do. All that `worker` does while `caller` is silent
 * begins and ends in that silence: it was asked to begin, and `caller` waited until it had ended, however long
 * the hand-over took. */
static void find_turns(struct task_builder *builder, uint32_t caller, uint32_t worker)
{
    struct thread_stop *stops = builder->stops;
    size_t at = first_stop_of(builder, caller), first = first_stop_of(builder, worker), last;
    size_t past = first_stop_of(builder, worker + 1);

    for (; at < builder->stop_count && stops[at].track == caller; at++) {
        struct thread_stop *silence = &stops[at];

        first = stop_at(stops, first, past, silence->from);
        last = stop_at(stops, first, past, silence->to);
        if (silence->event != NO_EVENT || silence->from == INT64_MIN || last == first ||
            last == past || stops[first].from > silence->from || stops[last].from > silence->to ||
            stops[first].event != NO_EVENT || stops[last].event != NO_EVENT)
            continue;
        take_turn(&stops[first], caller, silence->from);
        take_turn(silence, worker, stops[last].from);
    }
}

void find_operator_turns(struct task_builder *builder)
{
    const struct worker_threads *threads = &builder->workers;

    for (uint32_t i = 0; i < threads->count; i++)
        for (uint32_t k = 0; k < threads->count; k++)
            if (i != k)
                find_turns(builder, threads->list[i].track, threads->list[k].track);
}

/* ---- threads that are made ---- */

/* By the thread that is taken to have made them, then by time. */
static bool made_sooner(const void *context, uint32_t a, uint32_t b)
{
    const struct thread_stop *stops = context;

    return stops[a].waker != stops[b].waker ? stops[a].waker < stops[b].waker
                                            : stops[a].waker_time < stops[b].waker_time;
}

/* `made`: beginnings, in that order. */
static void forget_maker(const struct thread_stop *stops, const uint32_t *made, size_t count,
                         const struct thread_stop *went_on, bool *is_forgotten)
{
    SEARCH(size_t, at, count,
           stops[made[at]].waker < went_on->waker ||
               (stops[made[at]].waker == went_on->waker &&
                stops[made[at]].waker_time < went_on->waker_time));
    for (; at < count && stops[made[at]].waker == went_on->waker &&
           stops[made[at]].waker_time == went_on->waker_time;
         at++)
        is_forgotten[at] |= !stops[made[at]].is_read && went_on->to <= stops[made[at]].to;
}

void forget_makers(struct task_builder *builder)
{
    struct thread_stop *stops = builder->stops;
    uint32_t *made = grow_to(NULL, builder->stop_count + 1, sizeof(*made));
    bool *is_forgotten;
    size_t count = 0;

    for (size_t i = 0; i < builder->stop_count; i++)
        if (stops[i].from == INT64_MIN && stops[i].waker != UINT32_MAX)
            made[count++] = (uint32_t)i;
    sort_stable(made, count, made_sooner, stops);
    is_forgotten = grow_zeroed(count + 1, sizeof(*is_forgotten));
    for (size_t i = 0; count && i < builder->stop_count; i++)
        if (stops[i].from != INT64_MIN && stops[i].waker != UINT32_MAX &&
            (stops[i].event != NO_EVENT || stops[i].takes_turns))
            forget_maker(stops, made, count, &stops[i], is_forgotten);
    for (size_t i = 0; i < count; i++)
        if (is_forgotten[i])
            stops[made[i]].waker = UINT32_MAX;
    free(is_forgotten);
    free(made);
}
