/* time_outliers.c — events whose times are faults of the profiler's: left out, or at least told */
#include <inttypes.h>
#include <stdlib.h>

#include "base/checked.h"
#include "base/memory/grow.h"
#include "base/memory/sort.h"
#include "base/text/format.h"
#include "graph/build/builder_state.h"

#define MINUTE ((int64_t)60 * 1000000000)
#define DAY (24 * 60 * MINUTE)

/* Events of one minute; then those of the minutes after it, up to one in which there is nothing. */
struct cluster {
    int64_t start, end; /* ns */
    uint64_t timed;     /* events that do not start at 0 */
    int64_t distance;   /* ns to the run; 0: it is the run, or not far from it */
    bool is_absurd;
};

/* Where a track's events are. */
struct presence {
    uint32_t inside, outside; /* the run, by far */
};

struct straying {
    struct builder *builder;
    struct idmap numbers; /* minute → its number */
    struct cluster *minutes;
    size_t count, cap;
    uint32_t *cluster_of; /* by a minute's number: the number of its cluster's first */
    uint32_t run;         /* the number of the cluster that is the run */
    struct presence *tracks;
    uint64_t dropped, untimed, kept;
    int64_t least; /* distance of those that are kept */
};

typedef void look_at(struct straying *straying, struct event_chunk *chunk, uint32_t i);

static void for_each(struct straying *straying, look_at *look)
{
    const struct builder *builder = straying->builder;

    for (size_t c = 0; c < builder->chunk_count; c++)
        for (uint32_t i = 0; i < builder->chunks[c]->count; i++)
            if (builder->graph.timeline.tracks[builder->chunks[c]->track[i]].kind != TRACK_TOTALS)
                look(straying, builder->chunks[c], i);
}

/* ---- clusters ---- */

static uint64_t minute_of(int64_t time)
{
    return (uint64_t)(time / MINUTE - (time % MINUTE < 0));
}

static void count_event(struct straying *straying, struct event_chunk *chunk, uint32_t i)
{
    int64_t start = chunk->start[i], end = checked_add(start, chunk->duration[i]);
    uint32_t *number = idmap_at(&straying->numbers, minute_of(start));
    struct cluster *minute;

    if (*number == IDMAP_NONE) {
        *number = (uint32_t)straying->count;
        straying->minutes =
            grow_one(straying->minutes, straying->count, &straying->cap, sizeof(*minute));
        straying->minutes[straying->count++] = (struct cluster){.start = start, .end = start};
    }
    minute = &straying->minutes[*number];
    minute->start = start < minute->start ? start : minute->start;
    minute->end = end > minute->end && time_is_possible(end) ? end : minute->end;
    minute->timed += start != 0;
}

static bool is_earlier(const void *context, uint32_t a, uint32_t b)
{
    const struct cluster *minutes = context;

    return minutes[a].start < minutes[b].start;
}

static void add_minute(struct cluster *cluster, const struct cluster *minute)
{
    cluster->end = minute->end > cluster->end ? minute->end : cluster->end;
    cluster->timed += minute->timed;
}

/* Adds minutes that follow each other to the first of them, and finds which has the most events. */
static void gather(struct straying *straying)
{
    struct cluster *minutes = straying->minutes;
    uint32_t *order = grow_to(NULL, straying->count, sizeof(*order)), last;

    straying->cluster_of = grow_to(NULL, straying->count, sizeof(*straying->cluster_of));
    for (uint32_t i = 0; i < straying->count; i++)
        order[i] = i;
    sort_stable(order, straying->count, is_earlier, minutes);
    last = straying->run = order[0];
    for (uint32_t i = 0; i < straying->count; i++) {
        if (checked_sub(minutes[order[i]].start, minutes[last].end) >= MINUTE)
            last = order[i];
        if (order[i] != last)
            add_minute(&minutes[last], &minutes[order[i]]);
        straying->cluster_of[order[i]] = last;
        if (minutes[last].timed > minutes[straying->run].timed)
            straying->run = last;
    }
    free(order);
}

static bool is_times(int64_t distance, int64_t factor, int64_t span)
{
    return distance / factor >= span;
}

/* How far each is from the run. False when none is far, or when no run has most of the events. */
static bool measure(struct straying *straying)
{
    const struct cluster *run = &straying->minutes[straying->run];
    int64_t span = checked_sub(run->end, run->start);
    uint64_t elsewhere = 0;
    bool is_any_far = false;

    for (uint32_t i = 0; i < straying->count; i++) {
        struct cluster *cluster = &straying->minutes[i];
        int64_t distance = cluster->start > run->start ? checked_sub(cluster->start, run->end)
                                                       : checked_sub(run->start, cluster->end);

        if (straying->cluster_of[i] != i || i == straying->run)
            continue;
        elsewhere += cluster->timed;
        if (!is_times(distance, 10, span))
            continue;
        cluster->distance = distance;
        cluster->is_absurd = distance >= DAY && is_times(distance, 100, span);
        is_any_far = true;
    }
    return is_any_far && elsewhere < run->timed;
}

static const struct cluster *cluster_of(struct straying *straying, int64_t start)
{
    uint32_t minute = *idmap_at(&straying->numbers, minute_of(start));

    return &straying->minutes[straying->cluster_of[minute]];
}

/* ---- events ---- */

static void place_event(struct straying *straying, struct event_chunk *chunk, uint32_t i)
{
    struct presence *track = &straying->tracks[chunk->track[i]];

    if (chunk->start[i] == 0)
        return;
    if (cluster_of(straying, chunk->start[i])->distance)
        track->outside++;
    else
        track->inside++;
}

static void judge_event(struct straying *straying, struct event_chunk *chunk, uint32_t i)
{
    const struct cluster *cluster = cluster_of(straying, chunk->start[i]);
    const struct presence *track = &straying->tracks[chunk->track[i]];

    if (!cluster->distance)
        return;
    if (cluster->is_absurd && chunk->start[i] == 0) {
        chunk->track[i] = NO_TRACK;
        straying->untimed++;
    } else if (cluster->is_absurd && track->outside < track->inside) {
        chunk->track[i] = NO_TRACK;
        straying->dropped++;
    } else {
        straying->kept++;
        if (cluster->distance < straying->least)
            straying->least = cluster->distance;
    }
}

static void tell(struct straying *straying)
{
    struct warnings *warnings = builder_warnings(straying->builder);
    const struct cluster *run = &straying->minutes[straying->run];
    char far[FORMAT_LEN], span[FORMAT_LEN];

    warning_count_many(warnings, WARNING_LOSS,
                       "events at time 0, days before all others: no time was recorded, left out",
                       straying->untimed);
    warning_count_many(warnings, WARNING_LOSS,
                       "events more than a day from all others of their track, left out",
                       straying->dropped);
    if (straying->kept)
        warning_say(warnings, WARNING_LOSS,
                    "%" PRIu64 " events are %s or more before or after the others, which take %s: "
                    "spans and shares of the whole run count what is between",
                    straying->kept, format_value(far, straying->least, UNIT_NS),
                    format_value(span, checked_sub(run->end, run->start), UNIT_NS));
}

/* ---- what refers to them ---- */

static void forget(struct property_column *column, const bool *is_dropped)
{
    uint32_t kept = 0;

    for (uint32_t i = 0; i < column->count; i++) {
        if (is_dropped[column->event[i]])
            continue;
        column->event[kept] = column->event[i];
        column->value[kept++] = column->value[i];
    }
    column->count = kept;
}

static void forget_flows(struct builder *builder, const bool *is_dropped)
{
    size_t kept = 0;

    for (size_t i = 0; i < builder->flow_count; i++)
        if (!builder->flows[i].is_of_event || !is_dropped[builder->flows[i].event])
            builder->flows[kept++] = builder->flows[i];
    builder->flow_count = kept;
}

static void forget_dropped(struct builder *builder)
{
    bool *is_dropped = grow_zeroed((size_t)builder->event_count + 1, sizeof(*is_dropped));
    uint32_t number = 0;

    for (size_t c = 0; c < builder->chunk_count; c++)
        for (uint32_t i = 0; i < builder->chunks[c]->count; i++)
            is_dropped[number++] = builder->chunks[c]->track[i] == NO_TRACK;
    for (uint32_t p = 0; p < PROP_COUNT; p++)
        forget(&builder->graph.timeline.properties[p], is_dropped);
    forget(&builder->launches, is_dropped);
    forget(&builder->launched, is_dropped);
    forget(&builder->operations, is_dropped);
    forget_flows(builder, is_dropped);
    free(is_dropped);
}

/* ---- the whole ---- */

static void judge(struct straying *straying)
{
    straying->tracks = grow_zeroed((size_t)straying->builder->graph.timeline.track_count + 1,
                                   sizeof(*straying->tracks));
    for_each(straying, place_event);
    for_each(straying, judge_event);
    free(straying->tracks);
    tell(straying);
    if (straying->dropped || straying->untimed)
        forget_dropped(straying->builder);
}

void build_strays_drop(struct builder *builder)
{
    struct straying straying = {.builder = builder, .least = INT64_MAX};

    if (builder->event_count == 0 || checked_sub(builder->latest, builder->earliest) < MINUTE)
        return;
    for_each(&straying, count_event);
    if (straying.count) {
        gather(&straying);
        if (measure(&straying))
            judge(&straying);
    }
    free(straying.cluster_of);
    free(straying.minutes);
    idmap_free(&straying.numbers);
}
