#include "analysis/execution/idle_gaps.h"

#include <stdlib.h>

#include "analysis/execution/sync_calls.h"
#include "base/memory/grow.h"
#include "base/memory/sort.h"

/* Launching takes 5 to 20 µs on today's drivers; HTA draws its line at 30. */
enum { LAUNCH_COST_NS = 30000 };

const char *gap_cause_name(enum gap_cause cause)
{
    static const char *const names[GAP_CAUSE_COUNT] = {
        [GAP_HOST_LATE] = "host late",       [GAP_SYNC] = "sync",   [GAP_DEPENDENCY] = "dependency",
        [GAP_LAUNCH_QUEUE] = "launch queue", [GAP_OTHER] = "other", [GAP_UNKNOWN] = "unknown",
    };

    return names[cause];
}

/* The call in which the launching thread waited until after the gap had begun. Without it the
 * launch would have come as much sooner as it took: it is the cause when that is half the gap. */
static event_id wait_before_launch(const struct graph *graph, const struct waiting *waiting,
                                   event_id launch, const struct gap *gap)
{
    event_id wait = waiting_before(graph, waiting, launch);
    const struct timeline *timeline = &graph->timeline;

    if (wait == NO_EVENT || event_end(timeline, wait) < gap->start ||
        timeline->duration[wait] < gap->length / 2)
        return NO_EVENT;
    return wait;
}

/* What launched the work before this one on its stream began then; or the start of time. */
static int64_t launch_before(const struct timeline *timeline, uint32_t track, event_id work)
{
    event_id launch = work > timeline->tracks[track].first ? timeline->launch[work - 1] : NO_EVENT;

    return launch == NO_EVENT ? INT64_MIN : timeline->start[launch];
}

static void judge(const struct graph *graph, const struct waiting *waiting, struct gap *gap)
{
    const struct timeline *timeline = &graph->timeline;
    event_id launch = timeline->launch ? timeline->launch[gap->after] : NO_EVENT;
    uint32_t track = track_of_event(timeline, gap->after);

    gap->waited = NO_EVENT;
    if (launch == NO_EVENT) {
        gap->cause = GAP_UNKNOWN;
    } else if (timeline->start[launch] >= gap->start) {
        gap->waited = wait_before_launch(graph, waiting, launch, gap);
        gap->cause = gap->waited == NO_EVENT ? GAP_HOST_LATE : GAP_SYNC;
    } else if (waiting_of_stream(graph, waiting, track, launch_before(timeline, track, gap->after),
                                 timeline->start[launch])
                   .count > 0) {
        gap->cause = GAP_DEPENDENCY;
    } else {
        gap->cause = gap->length <= LAUNCH_COST_NS ? GAP_LAUNCH_QUEUE : GAP_OTHER;
    }
}

/* ---- all gaps of all devices ---- */

struct found {
    struct gap *list;
    size_t count, cap;
};

static void find_on_device(const struct graph *graph, const struct waiting *waiting,
                           const struct device_work *work, struct found *found)
{
    const struct timeline *timeline = &graph->timeline;
    event_id last = work->count ? work->events[0] : NO_EVENT;

    for (uint32_t i = 1; i < work->count; i++) {
        event_id next = work->events[i];
        int64_t busy_until = event_end(timeline, last);

        if (timeline->start[next] > busy_until) {
            found->list = grow_one(found->list, found->count, &found->cap, sizeof(*found->list));
            found->list[found->count] =
                (struct gap){.start = busy_until,
                             .length = checked_sub(timeline->start[next], busy_until),
                             .device = work->device,
                             .before = last,
                             .after = next};
            judge(graph, waiting, &found->list[found->count++]);
        }
        if (event_end(timeline, next) >= busy_until)
            last = next;
    }
}

static bool is_longer(const void *context, uint32_t a, uint32_t b)
{
    const struct gap *list = context;

    return list[a].length > list[b].length;
}

static void keep_largest(const struct found *found, uint32_t limit, struct arena *arena,
                         struct gaps *gaps)
{
    uint32_t count = (uint32_t)found->count;
    uint32_t *order = arena_array(arena, count, sizeof(*order));

    for (uint32_t i = 0; i < count; i++)
        order[i] = i;
    sort_stable(order, count, is_longer, found->list);
    gaps->count = limit && limit < count ? limit : count;
    gaps->largest = arena_array(arena, gaps->count, sizeof(*gaps->largest));
    for (uint32_t i = 0; i < gaps->count; i++)
        gaps->largest[i] = found->list[order[i]];
}

void gaps_find(const struct graph *graph, const struct devices_work *devices, uint32_t limit,
               struct arena *arena, struct gaps *gaps)
{
    struct waiting waiting;
    struct found found = {0};

    *gaps = (struct gaps){0};
    waiting_find(graph, arena, &waiting);
    for (uint32_t i = 0; i < devices->count; i++)
        find_on_device(graph, &waiting, &devices->list[i], &found);
    for (size_t i = 0; i < found.count; i++) {
        struct gap_sum *sum = &gaps->by_cause[found.list[i].cause];

        sum->time = checked_add(sum->time, found.list[i].length);
        sum->count++;
    }
    keep_largest(&found, limit, arena, gaps);
    free(found.list);
    waiting_free(&waiting);
}
