/* SPDX-License-Identifier: Apache-2.0 */
/* interpreter_lock.c — Python functions that took long because another thread held the interpreter's lock
 *
 * A thread that waits for the lock stays in the function that it was in, and nothing is recorded. A piece of a
 * function's own time that is many times longer than its pieces are while no other thread runs Python, and that lies
 * in such a time of another thread, waited for that. Once is chance. */
#include <stdlib.h>

#include "analysis/execution/task_graph.h"
#include "base/memory/memory.h"

enum {
    TIMES_LONGER = 10,     /* than the mean piece alone, */
    TIMES_LONGEST = 3,     /* and than the longest */
    ALONE_LEAST = 8,       /* pieces, */
    PIECE_LEAST = 1000000, /* ns: shorter ones may have work of their own, and */
    WAITS_LEAST = 3,       /* pieces that wait for one thread */
    PYTHON_THREADS_MAX = 64
};

/* When a thread was in Python without a break, and did not wait. */
struct python_thread {
    VECTOR(struct work_time);
    uint32_t track, waits;
};

/* A function's pieces while no other thread was in Python; ns. */
struct alone {
    int64_t sum, most;
    uint32_t count;
};

struct lock_search {
    struct task_builder *builder;
    struct python_thread *threads;
    uint32_t count;
    struct alone *alone; /* by frame */
};

static bool is_python(const struct task_builder *builder, const struct segment *segment)
{
    frame_id frame;

    if (segment->event == NO_EVENT)
        return false;
    frame = builder->timeline->frame[segment->event];
    return graph_frame(builder->graph, frame)->kind == KIND_PYTHON &&
           !role_waits(builder->execution->role[frame]);
}

static void list_times(const struct task_builder *builder, struct python_thread *thread)
{
    struct innermost place = {0};
    struct segment segment;

    innermost_begin(&place, builder->timeline, thread->track, NULL);
    while (innermost_next(&place, &segment)) {
        if (!is_python(builder, &segment))
            continue;
        if (thread->count && thread->list[thread->count - 1].end == segment.start)
            thread->list[thread->count - 1].end = segment.end;
        else
            vector_add(thread, ((struct work_time){segment.start, segment.end}));
    }
    innermost_free(&place);
}

/* The other thread that was in Python all the time that a piece took, and whether any was for some of it. */
static struct python_thread *beside(const struct lock_search *search, uint32_t track,
                                    const struct segment *piece, bool *is_alone)
{
    struct python_thread *holder = NULL;

    *is_alone = true;
    for (uint32_t i = 0; i < search->count; i++) {
        struct python_thread *thread = &search->threads[i];

        if (thread->track == track)
            continue;
        SEARCH(size_t, at, thread->count, thread->list[at].end <= piece->start);
        if (at == thread->count || thread->list[at].start >= piece->end)
            continue;
        *is_alone = false;
        if (thread->list[at].start <= piece->start && thread->list[at].end >= piece->end)
            holder = thread;
    }
    return holder;
}

static void measure_alone(const struct lock_search *search, uint32_t track)
{
    const struct task_builder *builder = search->builder;
    struct innermost place = {0};
    struct segment piece;
    bool is_alone;

    innermost_begin(&place, builder->timeline, track, NULL);
    while (innermost_next(&place, &piece)) {
        struct alone *alone;

        if (!is_python(builder, &piece))
            continue;
        beside(search, track, &piece, &is_alone);
        if (!is_alone)
            continue;
        alone = &search->alone[builder->timeline->frame[piece.event]];
        alone->sum += piece.end - piece.start;
        alone->most = piece.end - piece.start > alone->most ? piece.end - piece.start : alone->most;
        alone->count++;
    }
    innermost_free(&place);
}

/* Whether it is so long for no reason of its own. */
static bool is_held_up(const struct alone *alone, int64_t length)
{
    return alone->count >= ALONE_LEAST && length >= PIECE_LEAST &&
           length / TIMES_LONGER >= alone->sum / alone->count &&
           length / TIMES_LONGEST >= alone->most;
}

static void stop_for_lock(struct lock_search *search, uint32_t track, struct thread_stops *stops)
{
    const struct task_builder *builder = search->builder;
    struct innermost place = {0};
    struct segment piece;
    bool is_alone;

    innermost_begin(&place, builder->timeline, track, NULL);
    while (innermost_next(&place, &piece)) {
        const struct alone *alone;
        struct python_thread *holder;
        int64_t to;

        if (!is_python(builder, &piece))
            continue;
        alone = &search->alone[builder->timeline->frame[piece.event]];
        if (!is_held_up(alone, piece.end - piece.start))
            continue;
        holder = beside(search, track, &piece, &is_alone);
        if (!holder)
            continue;
        holder->waits++;
        to = piece.end - alone->sum / alone->count;
        vector_add(stops, ((struct thread_stop){.from = piece.start,
                                                .to = to,
                                                .waker_time = to,
                                                .track = track,
                                                .waker = holder->track,
                                                .event = piece.event,
                                                .batch = NO_EVENT,
                                                .is_for_lock = true,
                                                .is_wait = true}));
    }
    innermost_free(&place);
}

static bool stops_sooner(const void *context, uint32_t a, uint32_t b)
{
    const struct thread_stop *stops = context;

    return stops[a].track != stops[b].track ? stops[a].track < stops[b].track
                                            : stops[a].from < stops[b].from;
}

static uint32_t waits_for(const struct lock_search *search, uint32_t track)
{
    for (uint32_t i = 0; i < search->count; i++)
        if (search->threads[i].track == track)
            return search->threads[i].waits;
    return 0;
}

/* Where a thread is known to have stopped for another reason, that counts. */
static void merge_stops(struct lock_search *search, struct thread_stops *stops)
{
    struct task_builder *builder = search->builder;
    size_t kept = 0;
    struct thread_stop *sorted;
    uint32_t *order;

    for (size_t i = 0; i < builder->stop_count; i++)
        vector_add(stops, builder->stops[i]);
    order = sorted_order(stops->count, stops_sooner, stops->list);
    sorted = grow_to(NULL, stops->count + 1, sizeof(*sorted));
    for (size_t i = 0; i < stops->count; i++) {
        const struct thread_stop *stop = &stops->list[order[i]];
        bool is_new = order[i] < stops->count - builder->stop_count;
        bool is_over =
            kept && sorted[kept - 1].track == stop->track && sorted[kept - 1].to > stop->from;

        if (!is_new || (!is_over && waits_for(search, stop->waker) >= WAITS_LEAST))
            sorted[kept++] = *stop;
    }
    free(order);
    free(builder->stops);
    builder->stops = sorted;
    builder->stop_count = kept;
    builder->stop_cap = stops->count + 1;
}

static void search_threads(struct lock_search *search)
{
    struct task_builder *builder = search->builder;
    struct thread_stops stops = {0};

    search->alone = grow_zeroed(builder->graph->frames.count, sizeof(*search->alone));
    for (uint32_t i = 0; i < search->count; i++)
        measure_alone(search, search->threads[i].track);
    for (uint32_t i = 0; i < search->count; i++)
        stop_for_lock(search, search->threads[i].track, &stops);
    if (stops.count)
        merge_stops(search, &stops);
    free(stops.list);
    free(search->alone);
}

void find_lock_stops(struct task_builder *builder)
{
    const struct timeline *timeline = builder->timeline;
    struct lock_search search = {
        .builder = builder, .threads = grow_zeroed(PYTHON_THREADS_MAX, sizeof(*search.threads))};

    for (uint32_t t = 0; t < timeline->track_count && search.count < PYTHON_THREADS_MAX; t++) {
        struct python_thread *thread = &search.threads[search.count];

        if (timeline->tracks[t].kind != TRACK_THREAD)
            continue;
        thread->track = t;
        list_times(builder, thread);
        search.count += thread->count > 0;
    }
    if (search.count > 1)
        search_threads(&search);
    for (uint32_t i = 0; i < PYTHON_THREADS_MAX; i++)
        free(search.threads[i].list);
    free(search.threads);
}
