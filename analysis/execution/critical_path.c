#include "analysis/execution/critical_path.h"

#include "analysis/execution/last_completed.h"
#include "analysis/execution/self_spans.h"
#include "analysis/execution/stream_dependencies.h"
#include "analysis/execution/worker_threads.h"
#include "analysis/timeline/device_work.h"
#include "base/memory/sort.h"

/* How many other threads are asked what they did while one had nothing to do. */
enum { THREADS_ASKED = 64 };

const char *path_part_name(enum path_part part)
{
    static const char *const names[PATH_PART_COUNT] = {
        [PATH_HOST] = "host",
        [PATH_COMPUTE] = "compute",
        [PATH_COMMUNICATION] = "communication",
        [PATH_COPY] = "copy",
        [PATH_LAUNCH] = "launch delay",
        [PATH_QUEUE] = "queue delay",
        [PATH_SYNC] = "sync return",
        [PATH_WAIT] = "host wait",
        [PATH_IDLE] = "nothing recorded",
    };

    return names[part];
}

/* Where the walk is: before `time`, on a thread, or at the end of a piece of device work. */
struct walker {
    const struct graph *graph;
    const struct timeline *timeline;
    struct waiting waiting;
    struct self_spans spans;
    struct awaited awaited;
    struct ended ended;
    struct helpers helpers;
    int64_t *time_of; /* by frame */
    uint32_t *pieces_of;
    struct critical_path *path;

    int64_t time;
    event_id work; /* NO_EVENT: on a thread */
    uint32_t track;
    size_t span;    /* of that thread, where it was last */
    event_id begun; /* on that thread: what ran from `time` on; NO_EVENT */
    bool is_over;
};

/* ---- what is looked up ---- */

static enum frame_kind kind_of(const struct walker *walker, event_id event)
{
    return graph_frame(walker->graph, walker->timeline->frame[event])->kind;
}

/* ---- walking ---- */

/* Takes the time from `until` to where the walk is. */
static void take(struct walker *walker, enum path_part part, int64_t until, event_id event)
{
    int64_t length = checked_sub(walker->time, until);
    frame_id frame;

    if (length <= 0)
        return;
    walker->time = until;
    walker->path->time[part] = checked_add(walker->path->time[part], length);
    walker->path->pieces[part]++;
    if (event == NO_EVENT)
        return;
    frame = walker->timeline->frame[event];
    walker->time_of[frame] = checked_add(walker->time_of[frame], length);
    walker->pieces_of[frame]++;
}

static enum path_part part_of_work(const struct walker *walker, event_id work)
{
    static const enum path_part parts[WORK_COUNT] = {PATH_COMPUTE, PATH_COMMUNICATION, PATH_COPY};

    return parts[work_of(graph_frame(walker->graph, walker->timeline->frame[work])->kind)];
}

/* The one of two that ends later; NO_EVENT when there is none. */
static event_id later(const struct timeline *timeline, event_id a, event_id b)
{
    if (a == NO_EVENT || b == NO_EVENT)
        return a == NO_EVENT ? b : a;
    return event_end(timeline, b) > event_end(timeline, a) ? b : a;
}

/* Files without the waits of streams for one another: the last work on another stream of
 * the device, when the work began promptly after it and long after all else that could have held it
 * up; NO_EVENT. */
static event_id guess_awaited(const struct walker *walker, uint32_t track, event_id held_up)
{
    const struct timeline *timeline = walker->timeline;
    event_id ended;

    if (timeline->properties[PROP_WAIT_STREAM].count ||
        (held_up != NO_EVENT &&
         checked_sub(walker->time, event_end(timeline, held_up)) <= AWAITED_PROMPT))
        return NO_EVENT;
    ended = ended_on_device(&walker->ended, timeline->tracks[track].device, walker->time);
    return ended != NO_EVENT &&
                   checked_sub(walker->time, event_end(timeline, ended)) <= AWAITED_PROMPT
               ? ended
               : NO_EVENT;
}

static void go_to_thread(struct walker *walker, event_id launch)
{
    int64_t end = event_end(walker->timeline, launch);

    take(walker, PATH_LAUNCH, end < walker->time ? end : walker->time, NO_EVENT);
    walker->work = walker->begun = NO_EVENT;
    walker->track = track_of_event(walker->timeline, launch);
}

/* The work before it on its lane; waits that some producers write between do nothing. */
static event_id before_on_lane(const struct walker *walker, uint32_t track, event_id work)
{
    event_id first = walker->timeline->tracks[track].first;

    while (work > first && (kind_of(walker, work - 1) == KIND_SYNC ||
                            event_end(walker->timeline, work - 1) > walker->time))
        work--;
    return work > first ? work - 1 : NO_EVENT;
}

/* The work on its stream that had ended last when it began. */
static event_id work_before(const struct walker *walker, uint32_t track, event_id work)
{
    return later(walker->timeline, before_on_lane(walker, track, work),
                 ended_on_stream(walker->graph, track, walker->time));
}

static void step_on_device(struct walker *walker)
{
    const struct timeline *timeline = walker->timeline;
    event_id work = walker->work, launch = timeline->launch ? timeline->launch[work] : NO_EVENT;
    uint32_t track = track_of_event(timeline, work);
    event_id source = timeline->launch ? awaited_by(&walker->awaited, track, work) : NO_EVENT;
    event_id before;

    take(walker, part_of_work(walker, work), timeline->start[work], work);
    walker->path->unlaunched += launch == NO_EVENT;
    before = later(timeline, work_before(walker, track, work), source);
    source = guess_awaited(walker, track, later(timeline, before, launch));
    walker->path->guesses += source != NO_EVENT;
    before = later(timeline, before, source);
    if (launch != NO_EVENT &&
        (before == NO_EVENT || event_end(timeline, before) < event_end(timeline, launch))) {
        go_to_thread(walker, launch);
    } else if (before != NO_EVENT) {
        take(walker, PATH_QUEUE, event_end(timeline, before), NO_EVENT);
        walker->work = before;
    } else {
        walker->is_over = true;
    }
}

/* When a thread was last in something, by now; false if never. */
static bool last_in_something(const struct walker *walker, uint32_t track, int64_t *time)
{
    size_t at = walker->span;

    if (!self_spans_before(&walker->spans, track, walker->time, &at))
        return false;
    *time = walker->spans.list[at].event == NO_EVENT ? walker->spans.list[at].start : walker->time;
    return true;
}

/* From a thread that is in nothing to the one that was in something last, itself if no other was
 * later; false when none ever was. */
static bool change_thread(struct walker *walker)
{
    int64_t latest = INT64_MIN, until;
    uint32_t asked = 0, track = walker->track;
    bool is_any = last_in_something(walker, track, &latest);

    for (uint32_t i = 0; i < walker->timeline->track_count && asked < THREADS_ASKED; i++) {
        if (i == walker->track || walker->spans.first[i] == walker->spans.first[i + 1])
            continue;
        asked++;
        if (last_in_something(walker, i, &until) && (!is_any || until > latest)) {
            is_any = true;
            latest = until;
            track = i;
        }
    }
    if (!is_any)
        return false;
    take(walker, PATH_IDLE, latest, NO_EVENT);
    walker->track = track;
    walker->begun = NO_EVENT;
    return true;
}

/* What made the thread's innermost event run, or one around it that began with it. */
static event_id launch_of_begun(const struct walker *walker)
{
    const struct timeline *timeline = walker->timeline;
    event_id event = walker->begun, first = timeline->tracks[walker->track].first;

    if (event == NO_EVENT || !timeline->launch)
        return NO_EVENT;
    while (timeline->launch[event] == NO_EVENT && event > first &&
           timeline->start[event - 1] == walker->time)
        event--;
    return timeline->start[event] == walker->time ? timeline->launch[event] : NO_EVENT;
}

/* From an event that began after its thread had had nothing to do, to what made it run. */
static bool follow_launch(struct walker *walker)
{
    event_id launch = launch_of_begun(walker);

    if (launch == NO_EVENT || walker->timeline->start[launch] >= walker->time)
        return false;
    go_to_thread(walker, launch);
    return true;
}

/* A range with nothing in it may only wait for another thread, as a training step does while its
 * backward pass runs: what a helper did meanwhile is known better. */
static void step_on_range(struct walker *walker, const struct self_span *range)
{
    struct help help = helpers_between(&walker->helpers, range->event, range->start, walker->time);

    walker->begun = range->event;
    take(walker, PATH_HOST, help.end, range->event);
    if (help.track == UINT32_MAX)
        return;
    walker->track = help.track;
    walker->begun = NO_EVENT;
}

static void step_on_thread(struct walker *walker)
{
    const struct self_span *span;
    event_id ended;
    bool is_in = self_spans_before(&walker->spans, walker->track, walker->time, &walker->span);

    if (!is_in || walker->spans.list[walker->span].event == NO_EVENT) {
        walker->is_over = !follow_launch(walker) && !change_thread(walker);
        return;
    }
    span = &walker->spans.list[walker->span];
    if (may_be_helped(walker->graph, span->event)) {
        step_on_range(walker, span);
        return;
    }
    if (!walker->waiting.is_wait[walker->timeline->frame[span->event]]) {
        walker->begun = span->event;
        take(walker, PATH_HOST, span->start, span->event);
        return;
    }
    ended = ended_before(&walker->ended, walker->time);
    if (ended != NO_EVENT && event_end(walker->timeline, ended) > span->start) {
        take(walker, PATH_SYNC, event_end(walker->timeline, ended), span->event);
        walker->work = ended;
    } else {
        take(walker, PATH_WAIT, span->start, span->event);
    }
}

/* Where the run ended; returns where it began. */
static int64_t find_end(struct walker *walker)
{
    const struct timeline *timeline = walker->timeline;
    int64_t start = INT64_MAX;

    walker->is_over = true;
    walker->time = INT64_MIN;
    for (uint32_t i = 0; i < timeline->track_count; i++) {
        size_t first = walker->spans.first[i], past = walker->spans.first[i + 1];

        if (first == past)
            continue;
        if (walker->spans.list[first].start < start)
            start = walker->spans.list[first].start;
        if (walker->spans.list[past - 1].start > walker->time) {
            walker->time = walker->spans.list[past - 1].start;
            walker->track = i;
            walker->is_over = false;
        }
    }
    for (uint32_t i = 0; i < walker->ended.all.count; i++)
        if (timeline->start[walker->ended.all.events[i]] < start)
            start = timeline->start[walker->ended.all.events[i]];
    walker->work = ended_before(&walker->ended, INT64_MAX);
    if (walker->work != NO_EVENT && event_end(timeline, walker->work) >= walker->time) {
        walker->time = event_end(timeline, walker->work);
        walker->is_over = false;
    } else {
        walker->work = NO_EVENT;
    }
    return start;
}

/* ---- the result ---- */

static bool took_longer(const void *context, uint32_t a, uint32_t b)
{
    const int64_t *time_of = context;

    return time_of[a] > time_of[b];
}

static void rank_frames(const struct walker *walker, struct arena *arena)
{
    uint32_t frames = (uint32_t)walker->graph->frames.count, count = 0;
    uint32_t *order = arena_array(arena, frames, sizeof(*order));
    struct critical_path *path = walker->path;

    for (frame_id i = 0; i < frames; i++)
        if (walker->pieces_of[i])
            order[count++] = i;
    sort_stable(order, count, took_longer, walker->time_of);
    path->rows = arena_array(arena, count, sizeof(*path->rows));
    path->row_count = count;
    for (uint32_t i = 0; i < count; i++)
        path->rows[i] =
            (struct path_row){order[i], walker->time_of[order[i]], walker->pieces_of[order[i]]};
}

void critical_path_compute(const struct graph *graph, struct arena *arena,
                           struct critical_path *path)
{
    struct walker walker = {
        .graph = graph, .timeline = &graph->timeline, .path = path, .begun = NO_EVENT};
    int64_t first;

    *path = (struct critical_path){0};
    walker.time_of = arena_array(arena, graph->frames.count, sizeof(*walker.time_of));
    walker.pieces_of = arena_array(arena, graph->frames.count, sizeof(*walker.pieces_of));
    waiting_find(graph, arena, &walker.waiting);
    awaited_index(graph, &walker.waiting, &walker.awaited);
    self_spans_find(graph, &walker.spans);
    ended_index(graph, arena, &walker.ended);
    helpers_find(graph, &walker.spans, walker.waiting.is_wait, arena, &walker.helpers);
    path->has_devices = walker.ended.all.count > 0;
    first = find_end(&walker);
    if (!walker.is_over) {
        path->end = walker.time;
        while (!walker.is_over)
            walker.work != NO_EVENT ? step_on_device(&walker) : step_on_thread(&walker);
        path->start = walker.time;
        path->missing = checked_sub(path->start, first);
    }
    rank_frames(&walker, arena);
    waiting_free(&walker.waiting);
    self_spans_free(&walker.spans);
    awaited_free(&walker.awaited);
    ended_free(&walker.ended);
}
