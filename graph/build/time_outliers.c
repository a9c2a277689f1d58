/* SPDX-License-Identifier: Apache-2.0 */
/* time_outliers.c — events whose times are faults of the profiler's: left out, or at least told */
#include <inttypes.h>
#include <stdlib.h>

#include "base/checked.h"
#include "base/memory/memory.h"
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

struct time_outliers {
    struct timeline_builder *builder;
    struct idmap numbers; /* minute → its number */
    struct VECTOR_OF(struct cluster) minutes;
    uint32_t *cluster_of; /* by a minute's number: the number of its cluster's first */
    uint32_t run;         /* the number of the cluster that is the run */
    struct presence *tracks;
    uint64_t dropped, untimed, kept;
    int64_t least; /* distance of those that are kept */
};

typedef void look_at(struct time_outliers *outliers, struct event_chunk *chunk, uint32_t i);

static void for_each(struct time_outliers *outliers, look_at *look)
{
    const struct timeline_builder *builder = outliers->builder;

    for (size_t c = 0; c < builder->chunks.count; c++)
        for (uint32_t i = 0; i < builder->chunks.list[c]->count; i++)
            if (builder->shared->graph.timeline.tracks[builder->chunks.list[c]->track[i]].kind !=
                TRACK_TOTALS)
                look(outliers, builder->chunks.list[c], i);
}

/* ---- clusters ---- */

static uint64_t minute_of(int64_t time)
{
    return (uint64_t)(time / MINUTE - (time % MINUTE < 0));
}

static void count_event(struct time_outliers *outliers, struct event_chunk *chunk, uint32_t i)
{
    int64_t start = chunk->start[i], end = checked_add(start, chunk->duration[i]);
    uint32_t *number = idmap_at(&outliers->numbers, minute_of(start));
    struct cluster *minute;

    if (*number == IDMAP_NONE) {
        *number = (uint32_t)outliers->minutes.count;
        vector_add(&outliers->minutes, (struct cluster){.start = start, .end = start});
    }
    minute = &outliers->minutes.list[*number];
    minute->start = start < minute->start ? start : minute->start;
    minute->end = end > minute->end && time_is_possible(end) ? end : minute->end;
    minute->timed += start != 0;
}

static bool is_earlier(const void *context, uint32_t a, uint32_t b)
{
    const struct cluster *minutes = context;

    return minutes[a].start < minutes[b].start;
}

/* Adds minutes that follow each other to the first of them, and finds which has the most events. */
static void join_minutes(struct time_outliers *outliers)
{
    struct cluster *minutes = outliers->minutes.list;
    size_t count = outliers->minutes.count;
    uint32_t *order = sorted_order(count, is_earlier, minutes), last;

    outliers->cluster_of = grow_to(NULL, count, sizeof(*outliers->cluster_of));
    last = outliers->run = order[0];
    for (uint32_t i = 0; i < count; i++) {
        const struct cluster *minute = &minutes[order[i]];

        if (checked_sub(minute->start, minutes[last].end) >= MINUTE)
            last = order[i];
        if (order[i] != last) {
            minutes[last].end = minute->end > minutes[last].end ? minute->end : minutes[last].end;
            minutes[last].timed += minute->timed;
        }
        outliers->cluster_of[order[i]] = last;
        if (minutes[last].timed > minutes[outliers->run].timed)
            outliers->run = last;
    }
    free(order);
}

static bool is_times(int64_t distance, int64_t factor, int64_t span)
{
    return distance / factor >= span;
}

/* How far each is from the run. False when none is far, or when no run has most of the events. */
static bool measure(struct time_outliers *outliers)
{
    const struct cluster *run = &outliers->minutes.list[outliers->run];
    int64_t span = checked_sub(run->end, run->start);
    uint64_t elsewhere = 0;
    bool is_any_far = false;

    for (uint32_t i = 0; i < outliers->minutes.count; i++) {
        struct cluster *cluster = &outliers->minutes.list[i];
        int64_t distance = cluster->start > run->start ? checked_sub(cluster->start, run->end)
                                                       : checked_sub(run->start, cluster->end);

        if (outliers->cluster_of[i] != i || i == outliers->run)
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

static const struct cluster *cluster_of(struct time_outliers *outliers, int64_t start)
{
    uint32_t minute = *idmap_at(&outliers->numbers, minute_of(start));

    return &outliers->minutes.list[outliers->cluster_of[minute]];
}

/* ---- events ---- */

static void place_event(struct time_outliers *outliers, struct event_chunk *chunk, uint32_t i)
{
    struct presence *track = &outliers->tracks[chunk->track[i]];

    if (chunk->start[i] == 0)
        return;
    if (cluster_of(outliers, chunk->start[i])->distance)
        track->outside++;
    else
        track->inside++;
}

static void judge_event(struct time_outliers *outliers, struct event_chunk *chunk, uint32_t i)
{
    const struct cluster *cluster = cluster_of(outliers, chunk->start[i]);
    const struct presence *track = &outliers->tracks[chunk->track[i]];

    if (!cluster->distance)
        return;
    if (cluster->is_absurd && chunk->start[i] == 0) {
        chunk->track[i] = NO_TRACK;
        outliers->untimed++;
    } else if (cluster->is_absurd && track->outside < track->inside) {
        chunk->track[i] = NO_TRACK;
        outliers->dropped++;
    } else {
        outliers->kept++;
        if (cluster->distance < outliers->least)
            outliers->least = cluster->distance;
    }
}

static void warn_of_outliers(struct time_outliers *outliers)
{
    struct warnings *warnings = builder_warnings(outliers->builder->shared);
    const struct cluster *run = &outliers->minutes.list[outliers->run];
    char far[FORMAT_LEN], span[FORMAT_LEN];

    warning_count_many(warnings, WARNING_LOSS,
                       "events at time 0, days before all others: no time was recorded, left out",
                       outliers->untimed);
    warning_count_many(warnings, WARNING_LOSS,
                       "events more than a day from all others of their track, left out",
                       outliers->dropped);
    if (outliers->kept)
        warning_say(warnings, WARNING_LOSS,
                    "%" PRIu64 " events are %s or more before or after the others, which take %s: "
                    "spans and shares of the whole run count what is between",
                    outliers->kept, format_value(far, outliers->least, UNIT_NS),
                    format_value(span, checked_sub(run->end, run->start), UNIT_NS));
}

/* ---- what refers to them ---- */

static void forget(struct pairs *pairs, const bool *is_dropped)
{
    for (size_t p = 0; p < pairs->count; p++) {
        const bool *is_dropped_here = is_dropped + pairs->list[p].first;
        struct property_column *piece = &pairs->list[p].pairs;
        uint32_t kept = 0;

        for (uint32_t i = 0; i < piece->count; i++) {
            if (is_dropped_here[piece->event[i]])
                continue;
            piece->event[kept] = piece->event[i];
            piece->value[kept++] = piece->value[i];
        }
        piece->count = kept;
    }
}

static void forget_dropped(struct timeline_builder *builder)
{
    bool *is_dropped = grow_zeroed((size_t)builder->event_count + 1, sizeof(*is_dropped));
    uint32_t number = 0;
    size_t kept = 0;

    for (size_t c = 0; c < builder->chunks.count; c++)
        for (uint32_t i = 0; i < builder->chunks.list[c]->count; i++)
            is_dropped[number++] = builder->chunks.list[c]->track[i] == NO_TRACK;
    for (uint32_t p = 0; p < PROP_COUNT; p++)
        forget(&builder->properties[p], is_dropped);
    forget(&builder->launches, is_dropped);
    forget(&builder->launched, is_dropped);
    forget(&builder->operations, is_dropped);
    for (size_t i = 0; i < builder->flows.count; i++)
        if (!builder->flows.list[i].is_of_event || !is_dropped[builder->flows.list[i].event])
            builder->flows.list[kept++] = builder->flows.list[i];
    builder->flows.count = kept;
    free(is_dropped);
}

/* ---- the whole ---- */

static void judge_clusters(struct time_outliers *outliers)
{
    outliers->tracks =
        grow_zeroed((size_t)outliers->builder->shared->graph.timeline.track_count + 1,
                    sizeof(*outliers->tracks));
    for_each(outliers, place_event);
    for_each(outliers, judge_event);
    free(outliers->tracks);
    warn_of_outliers(outliers);
    if (outliers->dropped || outliers->untimed)
        forget_dropped(outliers->builder);
}

void drop_time_outliers(struct timeline_builder *builder)
{
    struct time_outliers outliers = {.builder = builder, .least = INT64_MAX};

    if (builder->event_count == 0 || checked_sub(builder->latest, builder->earliest) < MINUTE)
        return;
    for_each(&outliers, count_event);
    if (outliers.minutes.count) {
        join_minutes(&outliers);
        if (measure(&outliers))
            judge_clusters(&outliers);
    }
    free(outliers.cluster_of);
    free(outliers.minutes.list);
    idmap_free(&outliers.numbers);
}
