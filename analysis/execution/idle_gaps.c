/* SPDX-License-Identifier: Apache-2.0 */
/* The gaps in which a device was idle, each with its cause and culprit, summed by both. */
#include "analysis/execution/idle_gaps.h"

#include <stdlib.h>

#include "analysis/execution/task_graph.h"
#include "analysis/timeline/device_work.h"
#include "base/checked.h"
#include "base/memory/memory.h"
#include "graph/classify/event_class.h"

const char *gap_cause_name(enum gap_cause cause)
{
    static const char *const names[GAP_CAUSE_COUNT] = {
        [GAP_HOST_LATE] = "host late",       [GAP_SYNC] = "sync",   [GAP_DEPENDENCY] = "dependency",
        [GAP_LAUNCH_QUEUE] = "launch queue", [GAP_OTHER] = "other", [GAP_UNKNOWN] = "unknown",
    };

    return names[cause];
}

const char *idle_class_name(enum idle_class class)
{
    static const char *const names[IDLE_CLASS_COUNT] = {
        [IDLE_OF_INPUT] = "data loader",    [IDLE_OF_SYNC] = "synchronisation",
        [IDLE_OF_COPY] = "blocking copies", [IDLE_OF_ALLOCATOR] = "allocator",
        [IDLE_OF_LAUNCH] = "launching",     [IDLE_OF_HOST] = "other host work",
        [IDLE_OF_SETUP] = "setting up",     [IDLE_OF_DEPENDENCY] = "other streams",
        [IDLE_OF_PROFILER] = "profiler",    [IDLE_OF_EARLIER] = "earlier work",
        [IDLE_OF_REQUESTS] = "requests",    [IDLE_OF_UNKNOWN] = "unknown",
    };

    return names[class];
}

static void end_gap(struct gap_explanation *all, const struct open_gap *open)
{
    struct ended_gap ended = {open->gap, open->number};
    int most = GAP_UNKNOWN;

    for (int cause = 0; cause < GAP_CAUSE_COUNT; cause++) {
        struct gap_sum *sum = &all->gaps->by_cause[cause];

        sum->time = checked_add(sum->time, open->by_cause[cause]);
        sum->count += open->by_cause[cause] > 0;
        most = open->by_cause[cause] > open->by_cause[most] ? cause : most;
    }
    ended.gap.cause = (enum gap_cause)most;
    ended.gap.waited = most == GAP_SYNC ? open->sync : NO_EVENT;
    vector_add(&all->ended, ended);
}

/* Lengths by their first four binary digits, all of 1 to 7 ns apart. */
enum { SIZE_DIGITS = 3, GAP_SIZES = (64 - SIZE_DIGITS) << SIZE_DIGITS };

static uint32_t gap_size(int64_t length)
{
    int more = 63 - SIZE_DIGITS - __builtin_clzll((uint64_t)length | 1 << SIZE_DIGITS);

    return ((uint32_t)more << SIZE_DIGITS) + (uint32_t)(length >> more);
}

/* The least length of that size. */
static int64_t size_least(uint32_t size)
{
    uint32_t more = size >> SIZE_DIGITS ? (size >> SIZE_DIGITS) - 1 : 0;

    return (int64_t)(size - (more << SIZE_DIGITS)) << more;
}

/* A gap in which no thread was late is explained at once, and its state is not kept. */
static void add_gap(struct gap_explanation *all, const struct gap *gap,
                    const struct window_bounds *window)
{
    struct open_gap open = {.gap = *gap, .sync = NO_EVENT, .sync_class = IDLE_OF_SYNC};
    int64_t end = gap->start + gap->length;

    if (window) {
        open.gap.start = gap->start > window->start ? gap->start : window->start;
        end = end < window->end ? end : window->end;
        open.gap.length = end - open.gap.start;
    }
    if (open.gap.length <= 0 || open.gap.length < all->least)
        return;
    if (all->longer) {
        all->longer[gap_size(open.gap.length)]++;
        return;
    }
    open.number = all->count++;
    all->open = grow_one(all->open, all->open_count, &all->open_cap, sizeof(*all->open));
    all->open[all->open_count] = open;
    gap_explain(all, (uint32_t)all->open_count);
    if (all->open[all->open_count].late > 0)
        all->open_count++;
    else
        end_gap(all, &all->open[all->open_count]);
}

static void find_on_device(struct gap_explanation *all, const struct device_work *work,
                           const struct window_bounds *window)
{
    const struct timeline *timeline = all->timeline;
    event_id last = NO_EVENT;
    int64_t busy_until = window ? window->start : timeline->start[work->events[0]];

    for (uint32_t i = 0; i < work->count; i++) {
        event_id next = work->events[i];

        if (timeline->start[next] > busy_until)
            add_gap(all,
                    &(struct gap){.start = busy_until,
                                  .length = timeline->start[next] - busy_until,
                                  .device = work->device,
                                  .before = last,
                                  .after = next,
                                  .waited = NO_EVENT,
                                  .class = IDLE_OF_UNKNOWN},
                    window);
        if (event_end(timeline, next) >= busy_until) {
            busy_until = event_end(timeline, next);
            last = next;
        }
    }
    if (window && window->end > busy_until)
        add_gap(all,
                &(struct gap){.start = busy_until,
                              .length = window->end - busy_until,
                              .device = work->device,
                              .before = last,
                              .after = NO_EVENT,
                              .waited = NO_EVENT,
                              .class = IDLE_OF_UNKNOWN},
                window);
}

static void find_loading(struct gap_explanation *all)
{
    const struct timeline *timeline = all->timeline;
    uint8_t *roles = event_roles(all->execution->graph);

    for (event_id e = 0; e < timeline->count; e++)
        if (roles[e] == ROLE_DATALOADER)
            intervals_add(&all->loading, timeline->start[e], event_end(timeline, e));
    intervals_unite(&all->loading);
    free(roles);
}

static bool is_longer(const void *context, uint32_t a, uint32_t b)
{
    const struct ended_gap *list = context;

    return list[a].gap.length != list[b].gap.length ? list[a].gap.length > list[b].gap.length
                                                    : list[a].number < list[b].number;
}

static void keep_largest(const struct gap_explanation *all, uint32_t limit, struct arena *arena)
{
    struct gaps *gaps = all->gaps;
    uint32_t kept = limit_rows((uint32_t)all->ended.count, limit);
    uint32_t *order = sorted_first(all->ended.count, kept, is_longer, all->ended.list);

    gaps->count = kept;
    gaps->largest = arena_array(arena, gaps->count, sizeof(*gaps->largest));
    for (uint32_t i = 0; i < gaps->count; i++)
        gaps->largest[i] = all->ended.list[order[i]].gap;
    free(order);
}

static bool owns_more(const void *context, uint32_t a, uint32_t b)
{
    const struct idle_owner *owners = context;

    return owners[a].time > owners[b].time;
}

static bool took_more(const void *context, uint32_t a, uint32_t b)
{
    const struct after_wait *runs = context;

    return runs[a].time > runs[b].time;
}

/* The largest of those lengths that at least `limit` gaps reach; 0 if fewer do. ns. */
static int64_t length_of_largest(const struct execution *execution,
                                 const struct devices_work *devices, uint32_t limit)
{
    uint32_t longer[GAP_SIZES] = {0}, size = GAP_SIZES - 1;
    uint64_t count = 0;
    struct gap_explanation all = {.timeline = &execution->graph->timeline, .longer = longer};

    for (uint32_t i = 0; i < devices->count; i++)
        find_on_device(&all, &devices->list[i], NULL);
    while (size > 0 && (count += longer[size]) < limit)
        size--;
    return size_least(size);
}

/* What is asked for besides the gaps, their causes and owners. */
struct gap_wishes {
    const struct window_bounds *window;
    int64_t *time_of;
    int64_t least;
};

static void find_gaps(const struct execution *execution, const struct devices_work *devices,
                      uint32_t limit, const struct gap_wishes *wishes, struct arena *arena,
                      struct gaps *gaps)
{
    struct gap_explanation all = {.execution = execution,
                                  .timeline = &execution->graph->timeline,
                                  .gaps = gaps,
                                  .least = wishes->least,
                                  .time_of = wishes->time_of};

    *gaps = (struct gaps){0};
    find_loading(&all);
    for (uint32_t i = 0; i < devices->count; i++)
        find_on_device(&all, &devices->list[i], wishes->window);
    gaps_explain_windows(&all);
    for (size_t i = 0; i < all.open_count; i++)
        end_gap(&all, &all.open[i]);
    free(all.open);
    keep_largest(&all, limit, arena);
    gaps->owners = sorted_copy(arena, all.owners, sizeof(*all.owners), gaps->owner_count,
                               gaps->owner_count, owns_more);
    gaps->after_waits = sorted_copy(arena, all.after_waits, sizeof(*all.after_waits),
                                    gaps->after_wait_count, gaps->after_wait_count, took_more);
    idmap_free(&all.owner_of);
    idmap_free(&all.after_wait_of);
    free(all.after_waits);
    intervals_free(&all.loading);
    free(all.ended.list);
    free(all.windows);
    free(all.owners);
    free(all.last_gap);
}

void gaps_find(const struct execution *execution, const struct devices_work *devices,
               uint32_t limit, const struct window_bounds *window, struct arena *arena,
               struct gaps *gaps)
{
    find_gaps(execution, devices, limit, &(const struct gap_wishes){.window = window}, arena, gaps);
}

void gaps_find_largest(const struct execution *execution, const struct devices_work *devices,
                       uint32_t limit, struct arena *arena, struct gaps *gaps)
{
    const struct gap_wishes wishes = {.least = length_of_largest(execution, devices, limit)};

    find_gaps(execution, devices, limit, &wishes, arena, gaps);
}

void gaps_find_by_event(const struct execution *execution, const struct devices_work *devices,
                        struct arena *arena, struct gaps *gaps, int64_t *time_of)
{
    find_gaps(execution, devices, 1, &(const struct gap_wishes){.time_of = time_of}, arena, gaps);
}

void gaps_of_graph(const struct graph *graph, const struct devices_work *devices, uint32_t limit,
                   struct arena *arena, struct gaps *gaps)
{
    struct execution execution;

    execution_build(graph, &execution);
    gaps_find(&execution, devices, limit, NULL, arena, gaps);
    execution_free(&execution);
}
