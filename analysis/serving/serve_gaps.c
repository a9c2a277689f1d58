/* SPDX-License-Identifier: Apache-2.0 */
/* serve_gaps.c — the idle time between the device work of steps, and what the host was in then */
#include "analysis/serving/serve.h"

#include <stdlib.h>

#include "base/checked.h"
#include "graph/classify/event_class.h"
#include "graph/model/walks.h"

/* What the gaps of a thread are told by: its events, and the gaps in order of time. */
struct gap_search {
    const struct graph *graph;
    struct serve_gaps *gaps;
    const struct serving_step *list; /* of the thread */
    uint32_t first, count;           /* of its steps */
    uint32_t at;                     /* the gap at hand is behind this step, counted from `first` */
    struct VECTOR_OF(struct serve_owner) owners;
    struct idmap owner_of;          /* frame → owner */
    struct VECTOR_OF(uint32_t) met; /* owners with a part of the gap at hand, */
    int64_t *part;                  /* by owner, and what they have of it */
    size_t part_cap;
    int64_t owned; /* ns of the gap at hand that have an owner */
};

static uint32_t owner_at(struct gap_search *search, frame_id frame)
{
    uint32_t *at = idmap_at(&search->owner_of, frame);

    if (*at == IDMAP_NONE) {
        *at = (uint32_t)search->owners.count;
        search->part =
            grow_one(search->part, search->owners.count, &search->part_cap, sizeof(*search->part));
        search->part[search->owners.count] = 0;
        vector_add(&search->owners, (struct serve_owner){.frame = frame});
    }
    return *at;
}

static void give(struct gap_search *search, frame_id frame, int64_t time)
{
    uint32_t owner;

    if (time <= 0)
        return;
    owner = owner_at(search, frame);
    if (!search->part[owner])
        vector_add(&search->met, owner);
    search->part[owner] = checked_add(search->part[owner], time);
    search->owned = checked_add(search->owned, time);
}

/* What nothing of the host was open in is nobody's; the largest part owns the gap. */
static void close_gap(struct gap_search *search)
{
    uint32_t step = search->first + search->at, best = 0;
    int64_t gap = search->gaps->after[step];

    give(search, 0, gap - search->owned);
    for (size_t i = 0; i < search->met.count; i++) {
        uint32_t owner = search->met.list[i];

        search->owners.list[owner].time =
            checked_add(search->owners.list[owner].time, search->part[owner]);
        if (i == 0 || search->part[owner] > search->part[best])
            best = owner;
    }
    for (size_t i = 0; i < search->met.count; i++)
        search->part[search->met.list[i]] = 0;
    if (search->met.count)
        search->owners.list[best].gaps++;
    search->gaps->owner[step] = best;
    search->met.count = 0;
    search->owned = 0;
}

/* Goes on to the first gap that ends after a time; the last step has none behind it. */
static bool gap_after(struct gap_search *search, int64_t time)
{
    while (search->at + 1 < search->count) {
        uint32_t step = search->first + search->at;

        if (search->gaps->after[step] > 0) {
            if (search->list[search->at + 1].first > time)
                return true;
            close_gap(search);
        }
        search->at++;
    }
    return false;
}

/* From one time to another a frame was open innermost. Stretches come in order. */
static void add_time(struct gap_search *search, int64_t from, int64_t to, frame_id frame)
{
    while (from < to && gap_after(search, from)) {
        int64_t begin = search->list[search->at].last, end = search->list[search->at + 1].first;
        int64_t start = begin > from ? begin : from, until = end < to ? end : to;

        if (begin >= to)
            return;
        give(search, frame, until - start);
        if (end > to)
            return;
        from = end;
    }
}

/* ---- the host's events ---- */

static bool is_function(const struct graph *graph, event_id event)
{
    frame_id frame = graph->timeline.frame[event];
    struct frame_class class = graph_class(graph, frame);

    return graph_frame(graph, frame)->kind == KIND_PYTHON || class.is_wait ||
           (class.call == CALL_COPY && class.blocks);
}

static bool starts_before(const void *context, uint32_t a, uint32_t b)
{
    const struct timeline *t = context;

    return t->start[a] != t->start[b] ? t->start[a] < t->start[b]
                                      : t->duration[a] > t->duration[b];
}

static bool has_python(const struct graph *graph, const struct track *track)
{
    for (event_id e = track->first; e < track->first + track->count; e++)
        if (graph_frame(graph, graph->timeline.frame[e])->kind == KIND_PYTHON)
            return true;
    return false;
}

/* Of all lanes of a thread, in order. */
static uint32_t *events_of(const struct graph *graph, const struct serving_thread *thread,
                           bool *has_functions, size_t *count)
{
    const struct timeline *t = &graph->timeline;
    struct VECTOR_OF(uint32_t) found = {0};
    uint32_t lanes = 0;

    *has_functions = false;
    for (uint32_t i = 0; i < t->track_count; i++)
        if (t->tracks[i].kind == TRACK_THREAD && t->tracks[i].pid == thread->pid &&
            t->tracks[i].tid == thread->tid)
            *has_functions |= has_python(graph, &t->tracks[i]);
    for (uint32_t i = 0; i < t->track_count; i++) {
        const struct track *track = &t->tracks[i];

        if (track->kind != TRACK_THREAD || track->pid != thread->pid || track->tid != thread->tid)
            continue;
        lanes++;
        for (event_id e = track->first; e < track->first + track->count; e++)
            if (!*has_functions || is_function(graph, e))
                vector_add(&found, e);
    }
    if (lanes > 1)
        sort_stable(found.list, found.count, starts_before, t);
    *count = found.count;
    return found.list;
}

static void sweep(struct gap_search *search, const uint32_t *events, size_t count)
{
    const struct timeline *t = &search->graph->timeline;
    struct open_events open = {0};
    int64_t at = INT64_MIN;

    for (size_t i = 0; i <= count; i++) {
        int64_t start = i < count ? t->start[events[i]] : INT64_MAX;

        while (open.depth && open_events_innermost(&open)->end <= start) {
            struct open_event ended = *open_events_innermost(&open);

            open.depth--;
            if (ended.end <= at)
                continue;
            add_time(search, at, ended.end, ended.tag);
            at = ended.end;
        }
        if (i == count)
            break;
        if (open.depth && start > at)
            add_time(search, at, start, open_events_innermost(&open)->tag);
        at = start;
        open_events_add(&open, (struct open_event){.end = event_end(t, events[i]),
                                                   .event = events[i],
                                                   .tag = t->frame[events[i]]});
    }
    open_events_free(&open);
    (void)gap_after(search, INT64_MAX);
}

/* ---- all ---- */

static bool is_longer(const void *context, uint32_t a, uint32_t b)
{
    const struct serve_owner *owners = context;

    return owners[a].time > owners[b].time;
}

static void rank(struct gap_search *search, uint32_t steps, struct arena *arena)
{
    struct serve_gaps *gaps = search->gaps;
    uint32_t count = (uint32_t)search->owners.count, *order, *place;

    order = sorted_order(count, is_longer, search->owners.list);
    place = arena_array(arena, count + 1u, sizeof(*place));
    gaps->owners = arena_array(arena, count + 1u, sizeof(*gaps->owners));
    gaps->owner_count = count;
    for (uint32_t i = 0; i < count; i++) {
        const struct serve_owner *owner = &search->owners.list[order[i]];

        gaps->owners[i] = *owner;
        place[order[i]] = i;
        if (owner->frame && graph_class(search->graph, owner->frame).waits_for_requests)
            gaps->of_requests = checked_add(gaps->of_requests, owner->time);
    }
    for (uint32_t i = 0; i < steps && count; i++)
        gaps->owner[i] = place[gaps->owner[i]];
    free(order);
}

void serve_gaps_find(const struct graph *graph, const struct serving_steps *steps,
                     struct arena *arena, struct serve_gaps *gaps)
{
    struct gap_search search = {.graph = graph, .gaps = gaps};

    *gaps = (struct serve_gaps){.after = arena_array(arena, steps->count + 1u, sizeof(int64_t)),
                                .owner = arena_array(arena, steps->count + 1u, sizeof(uint32_t))};
    for (uint32_t i = 0; i < steps->count; i++) {
        uint32_t next = serving_step_after(steps, i);

        if (next == NO_STEP || steps->list[i].last == UNKNOWN || steps->list[next].first == UNKNOWN ||
            steps->list[next].first <= steps->list[i].last)
            continue;
        gaps->after[i] = steps->list[next].first - steps->list[i].last;
        gaps->total = checked_add(gaps->total, gaps->after[i]);
        gaps->count++;
    }
    for (uint32_t i = 0; i < steps->thread_count; i++) {
        bool has_functions;
        size_t count;
        uint32_t *events = events_of(graph, &steps->threads[i], &has_functions, &count);

        gaps->has_functions |= has_functions;
        search.first = steps->threads[i].first;
        search.count = steps->threads[i].count;
        search.list = steps->list + search.first;
        search.at = 0;
        sweep(&search, events, count);
        free(events);
    }
    rank(&search, steps->count, arena);
    free(search.owners.list);
    free(search.met.list);
    free(search.part);
    idmap_free(&search.owner_of);
}
