#include <stdlib.h>

#include "analysis/execution/last_completed.h"
#include "analysis/execution/replay.h"
#include "analysis/execution/self_spans.h"
#include "analysis/execution/stream_dependencies.h"
#include "analysis/execution/wait_only_threads.h"
#include "analysis/execution/worker_threads.h"
#include "analysis/timeline/device_work.h"
#include "base/checked.h"
#include "base/memory/grow.h"
#include "base/memory/search.h"
#include "base/memory/sort.h"

/* How many ends of device work are looked at to find one on another stream. */
enum { ENDS_ASKED = 64 };

#define NO_PIECE UINT32_MAX

struct maker {
    const struct graph *graph;
    const struct timeline *timeline;
    struct replay *replay;
    struct waiting waiting;
    struct awaited awaited;
    struct ended ended;
    struct self_spans spans;
    struct helpers helpers;
    const bool *is_bystander; /* by track */
    uint8_t *change;          /* by event */
    uint32_t *piece_of_span;  /* NO_PIECE: in nothing */
    uint32_t *piece_of;       /* by event: of device work */
    uint32_t *ends;           /* ends of device work, in order */
    uint32_t *idles; /* ends of host pieces after which the thread does nothing, likewise */
    uint32_t end_count, idle_count;
};

/* ---- the order of moments ---- */

/* At one time what has lasted ends, device before host, before what waited for it; before what
 * takes no time happens, before what will last begins, host before device. So a cause comes
 * first. */
static int turn_of(const struct replay *replay, uint32_t moment)
{
    const struct replay_piece *piece = &replay->pieces[moment / 2];

    if (replay->moments[moment | 1].time == replay->moments[moment & ~1u].time)
        return 3;
    return moment & 1 ? !piece->is_device + piece->is_helped : 4 + piece->is_device;
}

static bool comes_before(const void *context, uint32_t a, uint32_t b)
{
    const struct replay *replay = context;
    int64_t first = replay->moments[a].time, second = replay->moments[b].time;
    int turn, other;

    if (first != second)
        return first < second;
    turn = turn_of(replay, a);
    other = turn_of(replay, b);
    return turn != other ? turn < other : a < b;
}

/* The last in a sorted list that comes before a moment; NO_MOMENT. */
static uint32_t last_before(const struct replay *replay, const uint32_t *list, uint32_t count,
                            uint32_t moment, uint32_t *at)
{
    SEARCH(uint32_t, past, count, comes_before(replay, list[past], moment));
    *at = past;
    return past ? list[past - 1] : NO_MOMENT;
}

/* ---- pieces ---- */

/* Each event's change: its own, or on a thread that of the innermost event around it that has
 * one. */
static void spread_changes(struct maker *maker, const uint8_t *change_of, struct arena *arena)
{
    const struct timeline *timeline = maker->timeline;
    event_id *stack = grow_zeroed((size_t)timeline->count + 1, sizeof(*stack));

    maker->change = arena_array(arena, timeline->count, sizeof(*maker->change));
    for (uint32_t t = 0; t < timeline->track_count; t++) {
        const struct track *track = &timeline->tracks[t];
        uint32_t depth = 0;

        for (event_id event = track->first; event < track->first + track->count; event++) {
            maker->change[event] = change_of[timeline->frame[event]];
            if (track->kind != TRACK_THREAD)
                continue;
            while (depth && event_end(timeline, stack[depth - 1]) <= timeline->start[event])
                depth--;
            if (!maker->change[event] && depth)
                maker->change[event] = maker->change[stack[depth - 1]];
            stack[depth++] = event;
        }
    }
    free(stack);
}

static uint32_t add_piece(struct maker *maker, uint32_t track, event_id event, int64_t start,
                          int64_t end, bool is_device)
{
    struct replay *replay = maker->replay;
    uint32_t at = replay->piece_count++;

    replay->pieces[at] = (struct replay_piece){
        .event = event,
        .track = track,
        .change = maker->change[event],
        .is_device = is_device,
    };
    for (uint32_t i = 0; i < 2; i++) {
        struct replay_moment *moment = &replay->moments[2 * at + i];

        moment->time = i ? end : start;
        for (uint32_t c = 0; c < REPLAY_CAUSES; c++)
            moment->cause[c] = NO_MOMENT;
    }
    return at;
}

/* A range in which a helper works: what is before, while and after that. Returns the first. */
static uint32_t add_range(struct maker *maker, uint32_t track, event_id event, int64_t start,
                          int64_t end)
{
    struct help help = helpers_between(&maker->helpers, event, start, end);
    uint32_t first = maker->replay->piece_count, helped;

    if (help.track == UINT32_MAX)
        return add_piece(maker, track, event, start, end, false);
    if (start < help.start)
        add_piece(maker, track, event, start, help.start, false);
    helped = add_piece(maker, track, event, help.start, help.end, false);
    maker->replay->pieces[helped].is_helped = true;
    maker->replay->pieces[helped].is_wait = true;
    if (help.end < end)
        add_piece(maker, track, event, help.end, end, false);
    return first;
}

static void add_host_pieces(struct maker *maker)
{
    const struct self_spans *spans = &maker->spans;

    for (uint32_t t = 0; t < maker->timeline->track_count; t++)
        for (size_t i = spans->first[t]; i < spans->first[t + 1]; i++) {
            const struct self_span *span = &spans->list[i];

            if (span->event == NO_EVENT || i + 1 == spans->first[t + 1] || maker->is_bystander[t])
                maker->piece_of_span[i] = NO_PIECE;
            else if (may_be_helped(maker->graph, span->event))
                maker->piece_of_span[i] =
                    add_range(maker, t, span->event, span->start, span[1].start);
            else
                maker->piece_of_span[i] =
                    add_piece(maker, t, span->event, span->start, span[1].start, false);
        }
}

static void add_device_pieces(struct maker *maker)
{
    const struct timeline *timeline = maker->timeline;

    for (uint32_t t = 0; t < timeline->track_count; t++) {
        const struct track *track = &timeline->tracks[t];

        for (event_id event = track->first; event < track->first + track->count; event++)
            maker->piece_of[event] =
                track->kind == TRACK_STREAM && is_device_work(maker->graph, event)
                    ? add_piece(maker, t, event, timeline->start[event], event_end(timeline, event),
                                true)
                    : NO_PIECE;
    }
}

/* Times count from the first start. */
static void shift_times(struct replay *replay)
{
    int64_t start = INT64_MAX, end = INT64_MIN;

    for (uint32_t i = 0; i < 2 * replay->piece_count; i++) {
        int64_t time = replay->moments[i].time;

        start = time < start ? time : start;
        end = time > end ? time : end;
    }
    if (replay->piece_count == 0)
        return;
    replay->start = start;
    replay->span = checked_sub(end, start);
    for (uint32_t i = 0; i < 2 * replay->piece_count; i++)
        replay->moments[i].time = checked_sub(replay->moments[i].time, start);
}

/* ---- causes ---- */

static void add_cause(struct replay *replay, uint32_t moment, uint32_t cause)
{
    struct replay_moment *at = &replay->moments[moment];

    if (cause == NO_MOMENT || !comes_before(replay, cause, moment))
        return;
    for (uint32_t i = 0; i < REPLAY_CAUSES; i++)
        if (at->cause[i] == NO_MOMENT || at->cause[i] == cause) {
            at->cause[i] = cause;
            return;
        }
}

/* The latest cause held the moment up: the time since it is its lag. */
static void settle(struct replay *replay, uint32_t moment)
{
    struct replay_moment *at = &replay->moments[moment];
    uint32_t latest = 0;

    at->is_fixed = at->cause[0] == NO_MOMENT;
    if (at->is_fixed)
        return;
    for (uint32_t i = 1; i < REPLAY_CAUSES && at->cause[i] != NO_MOMENT; i++)
        if (replay->moments[at->cause[i]].time > replay->moments[at->cause[latest]].time)
            latest = i;
    at->held_by = (uint8_t)latest;
    at->lag = at->time - replay->moments[at->cause[latest]].time;
}

static void set_duration(struct replay *replay, uint32_t piece)
{
    struct replay_moment *end = &replay->moments[2 * piece + 1];

    end->cause[0] = 2 * piece;
    end->lag = end->time - replay->moments[2 * piece].time;
}

/* The end of work that a waiting call saw, and of that on another stream, which it may have waited
 * for as well. */
static void link_wait(struct maker *maker, uint32_t piece)
{
    struct replay *replay = maker->replay;
    uint32_t end = 2 * piece + 1, at, asked = 0;
    uint32_t seen = last_before(replay, maker->ends, maker->end_count, end, &at);
    int64_t start = replay->moments[2 * piece].time;

    if (seen == NO_MOMENT || replay->moments[seen].time <= start) {
        set_duration(replay, piece);
        return;
    }
    replay->pieces[piece].is_wait = true;
    add_cause(replay, end, 2 * piece);
    add_cause(replay, end, seen);
    while (--at > 0 && asked++ < ENDS_ASKED && replay->moments[maker->ends[at - 1]].time > start)
        if (replay->pieces[maker->ends[at - 1] / 2].track != replay->pieces[seen / 2].track) {
            add_cause(replay, end, maker->ends[at - 1]);
            break;
        }
    settle(replay, end);
}

/* A helper's last piece before the end of one that waited for it; if that went on, from its
 * start. */
static void link_helped(struct maker *maker, uint32_t piece)
{
    struct replay *replay = maker->replay;
    int64_t end = replay->moments[2 * piece + 1].time;
    struct help help = helpers_between(&maker->helpers, replay->pieces[piece].event,
                                       checked_add(replay->moments[2 * piece].time, replay->start),
                                       checked_add(end, replay->start));
    uint32_t seen = NO_PIECE;
    size_t span = 0;

    if (help.track != UINT32_MAX &&
        self_spans_before(&maker->spans, help.track, checked_add(end, replay->start), &span))
        seen = maker->piece_of_span[span];
    add_cause(replay, 2 * piece + 1, 2 * piece);
    if (seen != NO_PIECE)
        add_cause(replay, 2 * piece + 1, 2 * seen + (replay->moments[2 * seen + 1].time <= end));
    settle(replay, 2 * piece + 1);
}

/* Another thread that went idle in the time in which this one did nothing. */
static uint32_t waker_of(const struct maker *maker, uint32_t piece, int64_t idle_since)
{
    uint32_t at;
    uint32_t waker = last_before(maker->replay, maker->idles, maker->idle_count, 2 * piece, &at);

    return waker != NO_MOMENT && maker->replay->moments[waker].time > idle_since ? waker
                                                                                 : NO_MOMENT;
}

static void link_host(struct maker *maker, uint32_t piece)
{
    struct replay *replay = maker->replay;
    struct replay_moment *start = &replay->moments[2 * piece];
    bool has_last = piece && replay->pieces[piece - 1].track == replay->pieces[piece].track;
    int64_t idle_since = has_last ? replay->moments[2 * piece - 1].time : -1;

    if (has_last)
        add_cause(replay, 2 * piece, 2 * piece - 1);
    if (idle_since < start->time)
        add_cause(replay, 2 * piece, waker_of(maker, piece, idle_since));
    settle(replay, 2 * piece);
    replay->pieces[piece].is_in_order = true;
    if (replay->pieces[piece].is_helped)
        link_helped(maker, piece);
    else if (maker->waiting.is_wait[maker->timeline->frame[replay->pieces[piece].event]])
        link_wait(maker, piece);
    else
        set_duration(replay, piece);
}

/* The moment of a launch call that its work came after: its end, or its start when the work began
 * before it returned. */
static uint32_t launch_of(const struct maker *maker, uint32_t piece)
{
    const struct timeline *timeline = maker->timeline;
    event_id work = maker->replay->pieces[piece].event;
    event_id call = timeline->launch ? timeline->launch[work] : NO_EVENT;
    bool is_done;
    size_t span = 0;

    if (call == NO_EVENT)
        return NO_MOMENT;
    is_done = event_end(timeline, call) <= timeline->start[work];
    if (!self_spans_before(
            &maker->spans, track_of_event(timeline, call),
            is_done ? event_end(timeline, call) : checked_add(timeline->start[call], 1), &span) ||
        maker->piece_of_span[span] == NO_PIECE)
        return NO_MOMENT;
    return 2 * maker->piece_of_span[span] + is_done;
}

static uint32_t end_of(const struct maker *maker, event_id work)
{
    return work == NO_EVENT || maker->piece_of[work] == NO_PIECE ? NO_MOMENT
                                                                 : 2 * maker->piece_of[work] + 1;
}

static uint32_t end_awaited(const struct maker *maker, uint32_t piece)
{
    const struct replay_piece *at = &maker->replay->pieces[piece];

    return maker->timeline->launch
               ? end_of(maker, awaited_by(&maker->awaited, at->track, at->event))
               : NO_MOMENT;
}

/* Files without the waits of streams for one another: work that began right after another stream
 * of its device had ended, and long after all that is known to have held it up, waited for that. */
static uint32_t end_guessed(const struct maker *maker, uint32_t piece)
{
    const struct replay *replay = maker->replay;
    const struct replay_moment *start = &replay->moments[2 * piece];
    int32_t device = maker->timeline->tracks[replay->pieces[piece].track].device;
    uint32_t end;

    if (maker->timeline->properties[PROP_WAIT_STREAM].count)
        return NO_MOMENT;
    for (uint32_t i = 0; i < REPLAY_CAUSES && start->cause[i] != NO_MOMENT; i++)
        if (start->time - replay->moments[start->cause[i]].time <= AWAITED_PROMPT)
            return NO_MOMENT;
    end = end_of(maker, ended_on_device(&maker->ended, device,
                                        maker->timeline->start[replay->pieces[piece].event]));
    return end == NO_MOMENT || start->time - replay->moments[end].time > AWAITED_PROMPT ? NO_MOMENT
                                                                                        : end;
}

/* The end of the work on its stream that had ended last, where that has lanes; `last`: on its
 * own. */
static uint32_t end_on_stream(const struct maker *maker, uint32_t piece, uint32_t last)
{
    const struct replay *replay = maker->replay;
    const struct timeline *timeline = maker->timeline;
    event_id event = replay->pieces[piece].event;
    uint32_t track = replay->pieces[piece].track, end;

    if (!timeline->tracks[track].lane &&
        (track + 1 == timeline->track_count || !timeline->tracks[track + 1].lane))
        return last;
    end = end_of(maker, ended_on_stream(maker->graph, track, timeline->start[event]));
    return last == NO_MOMENT || (end != NO_MOMENT && comes_before(replay, last, end)) ? end : last;
}

/* `last`: the end on its lane before it that is the latest; NO_MOMENT. */
static void link_device(struct maker *maker, uint32_t piece, uint32_t last)
{
    struct replay *replay = maker->replay;
    uint32_t guessed;

    replay->pieces[piece].is_in_order = last == NO_MOMENT || comes_before(replay, last, 2 * piece);
    add_cause(replay, 2 * piece, end_on_stream(maker, piece, last));
    add_cause(replay, 2 * piece, launch_of(maker, piece));
    add_cause(replay, 2 * piece, end_awaited(maker, piece));
    guessed = end_guessed(maker, piece);
    replay->guesses += guessed != NO_MOMENT;
    add_cause(replay, 2 * piece, guessed);
    settle(replay, 2 * piece);
    set_duration(replay, piece);
}

static void link_all(struct maker *maker)
{
    struct replay *replay = maker->replay;
    uint32_t last = NO_MOMENT;

    for (uint32_t piece = 0; piece < replay->piece_count; piece++) {
        if (!replay->pieces[piece].is_device) {
            link_host(maker, piece);
            continue;
        }
        if (last != NO_MOMENT && replay->pieces[last / 2].track != replay->pieces[piece].track)
            last = NO_MOMENT;
        link_device(maker, piece, last);
        if (last == NO_MOMENT || comes_before(replay, last, 2 * piece + 1))
            last = 2 * piece + 1;
    }
}

/* ---- all of it ---- */

static void list_ends(struct maker *maker, struct arena *arena)
{
    struct replay *replay = maker->replay;

    maker->ends = arena_array(arena, replay->piece_count, sizeof(*maker->ends));
    maker->idles = arena_array(arena, replay->piece_count, sizeof(*maker->idles));
    replay->helped = arena_array(arena, replay->piece_count, sizeof(*replay->helped));
    for (uint32_t i = 0; i < replay->piece_count; i++) {
        bool has_next =
            i + 1 < replay->piece_count && replay->pieces[i + 1].track == replay->pieces[i].track;

        if (replay->pieces[i].is_helped)
            replay->helped[replay->helped_count++] = 2 * i;
        if (replay->pieces[i].is_device)
            maker->ends[maker->end_count++] = 2 * i + 1;
        else if (!has_next || replay->pieces[i + 1].is_helped ||
                 replay->moments[2 * i + 2].time > replay->moments[2 * i + 1].time)
            maker->idles[maker->idle_count++] = 2 * i + 1;
    }
    sort_stable(maker->ends, maker->end_count, comes_before, replay);
    sort_stable(replay->helped, replay->helped_count, comes_before, replay);
    sort_stable(maker->idles, maker->idle_count, comes_before, replay);
}

static void allocate(struct maker *maker, struct arena *arena)
{
    size_t most = maker->spans.count + maker->timeline->count;

    for (size_t i = 0; i < maker->spans.count; i++)
        if (maker->spans.list[i].event != NO_EVENT &&
            may_be_helped(maker->graph, maker->spans.list[i].event))
            most += 2; /* add_range() may make three of it */
    maker->piece_of_span = arena_array(arena, maker->spans.count, sizeof(*maker->piece_of_span));
    maker->piece_of = arena_array(arena, maker->timeline->count, sizeof(*maker->piece_of));
    maker->replay->pieces = arena_array(arena, most, sizeof(*maker->replay->pieces));
    maker->replay->moments = arena_array(arena, 2 * most, sizeof(*maker->replay->moments));
    maker->replay->order = arena_array(arena, 2 * most, sizeof(*maker->replay->order));
}

void replay_make(const struct graph *graph, const uint8_t *change_of, struct arena *arena,
                 struct replay *replay)
{
    struct maker maker = {.graph = graph, .timeline = &graph->timeline, .replay = replay};

    *replay = (struct replay){.graph = graph};
    waiting_find(graph, arena, &maker.waiting);
    awaited_index(graph, &maker.waiting, &maker.awaited);
    ended_index(graph, arena, &maker.ended);
    self_spans_find(graph, &maker.spans);
    helpers_find(graph, &maker.spans, maker.waiting.is_wait, arena, &maker.helpers);
    maker.is_bystander = bystanders_find(graph, arena);
    spread_changes(&maker, change_of, arena);
    allocate(&maker, arena);
    add_host_pieces(&maker);
    add_device_pieces(&maker);
    shift_times(replay);
    list_ends(&maker, arena);
    link_all(&maker);
    for (uint32_t i = 0; i < 2 * replay->piece_count; i++)
        replay->order[i] = i;
    sort_stable(replay->order, 2 * (size_t)replay->piece_count, comes_before, replay);
    self_spans_free(&maker.spans);
    awaited_free(&maker.awaited);
    ended_free(&maker.ended);
    waiting_free(&maker.waiting);
}
