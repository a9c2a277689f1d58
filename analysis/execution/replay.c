#include "analysis/execution/replay.h"

#include <math.h>

#include "analysis/timeline/device_work.h"
#include "base/checked.h"
#include "base/memory/search.h"

/* ---- running ---- */

static int64_t shortened(int64_t length, double factor)
{
    return factor == 1 ? length : checked_whole(round((double)length / factor));
}

static bool is_end(uint32_t moment)
{
    return moment & 1;
}

/* From a cause to the moment, after the change. */
static int64_t lag_of(const struct replay *replay, const double *factors, uint32_t moment,
                      uint32_t at)
{
    const struct replay_piece *piece = &replay->pieces[moment / 2];
    int64_t lag = replay->moments[moment].held_by == at ? replay->moments[moment].lag : 0;

    return is_end(moment) && !piece->is_wait ? shortened(lag, factors[piece->change]) : lag;
}

static int64_t time_of(const struct replay *replay, const double *factors, uint32_t moment,
                       const int64_t *times)
{
    const struct replay_moment *at = &replay->moments[moment];
    int64_t time = 0;

    if (at->is_fixed)
        return at->time;
    for (uint32_t i = 0; i < REPLAY_CAUSES; i++) {
        int64_t after;

        if (at->cause[i] == NO_MOMENT)
            continue;
        after = checked_add(times[at->cause[i]], lag_of(replay, factors, moment, i));
        time = after > time ? after : time;
    }
    return time;
}

int64_t replay_run(const struct replay *replay, const double *factors, int64_t *times)
{
    int64_t span = 0;

    for (uint32_t i = 0; i < 2 * replay->piece_count; i++) {
        uint32_t moment = replay->order[i];

        times[moment] = time_of(replay, factors, moment, times);
        span = times[moment] > span ? times[moment] : span;
    }
    return span;
}

/* ---- the path ---- */

static enum path_part part_of_piece(const struct replay *replay, const struct replay_piece *piece)
{
    static const enum path_part parts[WORK_COUNT] = {PATH_COMPUTE, PATH_COMMUNICATION, PATH_COPY};
    const struct graph *graph = replay->graph;

    return piece->is_device
               ? parts[work_of(graph_frame(graph, graph->timeline.frame[piece->event])->kind)]
               : PATH_HOST;
}

/* The piece that waited for a helper's while that did nothing from a cause to a moment;
 * NO_MOMENT. */
static uint32_t helped_meanwhile(const struct replay *replay, uint32_t moment, uint32_t cause)
{
    const struct replay_moment *moments = replay->moments;

    SEARCH(uint32_t, past, replay->helped_count,
           moments[replay->helped[past]].time <= moments[cause].time);
    return past && moments[replay->helped[past - 1] + 1].time >= moments[moment].time
               ? replay->helped[past - 1] / 2
               : NO_MOMENT;
}

/* What the time from a cause to a moment is, and whose. */
static enum path_part part_of_lag(const struct replay *replay, uint32_t moment, uint32_t cause,
                                  event_id *event)
{
    const struct replay_piece *piece = &replay->pieces[moment / 2];
    uint32_t helped;

    *event = NO_EVENT;
    if (is_end(moment) && piece->is_wait && !piece->is_helped)
        return PATH_SYNC;
    if (is_end(moment)) {
        *event = piece->event;
        return part_of_piece(replay, piece);
    }
    if (piece->is_device && replay->pieces[cause / 2].is_device)
        return PATH_QUEUE;
    if (piece->is_device && is_end(cause))
        return PATH_LAUNCH;
    if (piece->is_device) { /* the work began before its launch call returned */
        *event = replay->pieces[cause / 2].event;
        return PATH_HOST;
    }
    helped = helped_meanwhile(replay, moment, cause);
    if (helped == NO_MOMENT)
        return PATH_IDLE;
    *event = replay->pieces[helped].event;
    return PATH_HOST;
}

/* The cause whose effect came last, the first of equals. */
static uint32_t decisive(const struct replay *replay, const double *factors, uint32_t moment,
                         const int64_t *times)
{
    const struct replay_moment *at = &replay->moments[moment];

    for (uint32_t i = 0; i < REPLAY_CAUSES && !at->is_fixed; i++)
        if (at->cause[i] != NO_MOMENT &&
            checked_add(times[at->cause[i]], lag_of(replay, factors, moment, i)) == times[moment])
            return at->cause[i];
    return NO_MOMENT;
}

static uint32_t last_moment(const struct replay *replay, const int64_t *times)
{
    uint32_t last = NO_MOMENT;

    for (uint32_t i = 1; i < 2 * replay->piece_count; i += 2)
        if (last == NO_MOMENT || times[i] > times[last])
            last = i;
    return last;
}

void replay_path(const struct replay *replay, const double *factors, const int64_t *times,
                 struct arena *arena, struct replay_path *path)
{
    const struct graph *graph = replay->graph;
    uint32_t moment = last_moment(replay, times);

    *path = (struct replay_path){
        .time_of = arena_array(arena, graph->frames.count, sizeof(*path->time_of))};
    while (moment != NO_MOMENT) {
        uint32_t cause = decisive(replay, factors, moment, times);
        int64_t length = times[moment] - (cause == NO_MOMENT ? 0 : times[cause]);
        event_id event = NO_EVENT;
        enum path_part part =
            cause == NO_MOMENT ? PATH_IDLE : part_of_lag(replay, moment, cause, &event);

        path->time[part] = checked_add(path->time[part], length);
        if (event != NO_EVENT) {
            int64_t *time = &path->time_of[graph->timeline.frame[event]];

            *time = checked_add(*time, length);
        }
        moment = cause;
    }
}

/* ---- the bracket ---- */

static void add_piece(const struct replay *replay, uint32_t at, struct activities *activities,
                      struct replay_bounds *bounds)
{
    const struct replay_piece *piece = &replay->pieces[at];
    int64_t start = replay->moments[2 * at].time, end = replay->moments[2 * at + 1].time;

    if (piece->is_wait)
        return;
    activities_add(activities, &(struct activity){start, end, piece->change,
                                                  piece->is_in_order ? piece->track : NO_RESOURCE});
    bounds->pieces[piece->change]++;
    bounds->time[piece->change] = checked_add(bounds->time[piece->change], end - start);
}

static void add_lags(const struct replay *replay, uint32_t moment, struct activities *activities)
{
    const struct replay_moment *at = &replay->moments[moment];

    if (at->is_fixed)
        activities_add(activities, &(struct activity){0, at->time, 0, NO_RESOURCE});
    if (is_end(moment) && !replay->pieces[moment / 2].is_wait)
        return;
    activities_add(activities, &(struct activity){at->time - at->lag, at->time, 0, NO_RESOURCE});
}

static void sum_up(const struct replay *replay, const struct bracket *bracket,
                   const double *factors, struct replay_bounds *bounds)
{
    double less = 0, more = 0, busiest = bracket_floor(bracket, factors);

    for (uint32_t i = 0; i <= REPLAY_CHANGES_MAX; i++) {
        double gain = 1 - 1 / factors[i];
        double by_exposed = gain * (double)bracket->exposed[i];
        double by_united = gain * (double)bracket->united[i];

        bounds->exposed[i] = bracket->exposed[i];
        bounds->united[i] = bracket->united[i];
        less += fmin(by_exposed, by_united);
        more += fmax(by_exposed, by_united);
    }
    bounds->most = checked_whole(ceil((double)replay->span - less));
    bounds->least = checked_whole(floor(fmax((double)replay->span - more, busiest)));
}

void replay_bound(const struct replay *replay, const double *factors, struct replay_bounds *bounds)
{
    struct activities activities = {0};
    struct bracket bracket;

    *bounds = (struct replay_bounds){0};
    for (uint32_t i = 0; i < replay->piece_count; i++)
        add_piece(replay, i, &activities, bounds);
    for (uint32_t i = 0; i < 2 * replay->piece_count; i++)
        add_lags(replay, i, &activities);
    bracket_compute(&activities, replay->span, REPLAY_CHANGES_MAX + 1,
                    replay->graph->timeline.track_count, &bracket);
    sum_up(replay, &bracket, factors, bounds);
    bracket_free(&bracket);
    activities_free(&activities);
}
