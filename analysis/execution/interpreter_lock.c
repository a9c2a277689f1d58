/* SPDX-License-Identifier: Apache-2.0 */
/* interpreter_lock.c — Python functions that took long because another thread held the interpreter's lock
 *
 * A thread that waits for the lock stays in the function that it was in, and nothing is recorded. A piece of a
 * function's own time that is many times longer than its pieces are while another thread runs no Python, and that lies
 * in a time in which that one does, waited for that. Once is chance. */
#include <stdlib.h>
#include <string.h>

#include "analysis/execution/task_graph.h"
#include "base/memory/memory.h"

enum {
    TIMES_LONGER = 10,     /* than the mean piece alone, */
    TIMES_LONGEST = 3,     /* and than the longest */
    ALONE_LEAST = 8,       /* pieces, */
    ALONE_FEWEST = 4,      /* or so many, where as many as WAITS_MANY wait */
    PIECE_LEAST = 1000000, /* ns: shorter ones may have work of their own, */
    WAITS_LEAST = 3,       /* but beside as many longer ones that wait for the same thread, */
    FEW_WAITS = 2,         /* or so many, and as many shorter ones */
    WAITS_MANY = 6,
    PYTHON_THREADS_MAX = 64
};

/* When a thread was in Python without a break, and did not wait. */
struct python_thread {
    VECTOR(struct work_time);
    uint32_t track;
    uint32_t beside; /* long pieces of others, all the time that they took, */
    uint32_t waits;  /* ... and those that waited for it; */
    uint32_t shorter; /* shorter ones that did */
    bool is_by_few;   /* of functions that were alone in few pieces */
};

/* A function's pieces while the thread that is asked for was not in Python; ns. */
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

/* The next piece of a function's own time in which the thread is in Python, and does not wait. */
static bool next_python_piece(const struct task_builder *builder, struct innermost *at,
                              struct segment *piece)
{
    while (innermost_next(at, piece))
        if (is_python(builder, piece))
            return true;
    return false;
}

static void list_times(const struct task_builder *builder, struct python_thread *thread)
{
    struct innermost place = {0};
    struct segment segment;

    innermost_begin(&place, builder->timeline, thread->track, NULL);
    while (next_python_piece(builder, &place, &segment)) {
        if (thread->count && thread->list[thread->count - 1].end == segment.start)
            thread->list[thread->count - 1].end = segment.end;
        else
            vector_add(thread, ((struct work_time){segment.start, segment.end}));
    }
    innermost_free(&place);
}

/* What another thread did in the time of a piece. */
struct beside {
    bool is_any; /* it was in Python in some of it, */
    bool is_all; /* ... or all the time */
};

static struct beside beside(const struct python_thread *thread, const struct segment *piece)
{
    SEARCH(size_t, at, thread->count, thread->list[at].end <= piece->start);
    if (at == thread->count || thread->list[at].start >= piece->end)
        return (struct beside){0};
    return (struct beside){true, thread->list[at].start <= piece->start &&
                                     thread->list[at].end >= piece->end};
}

/* Each process has an interpreter of its own. */
static bool shares_lock(const struct lock_search *search, uint32_t a, uint32_t b)
{
    const struct track *tracks = search->builder->timeline->tracks;

    return a != b && tracks[a].pid == tracks[b].pid && tracks[a].process == tracks[b].process;
}

/* Beside which threads long pieces lie, which alone are asked for then. */
static void count_long_pieces(const struct lock_search *search, uint32_t track)
{
    const struct task_builder *builder = search->builder;
    struct innermost place = {0};
    struct segment piece;

    innermost_begin(&place, builder->timeline, track, NULL);
    while (next_python_piece(builder, &place, &piece))
        for (uint32_t i = 0; piece.end - piece.start >= PIECE_LEAST && i < search->count; i++)
            search->threads[i].beside += shares_lock(search, search->threads[i].track, track) &&
                                         beside(&search->threads[i], &piece).is_all;
    innermost_free(&place);
}

static void measure_alone(const struct lock_search *search, uint32_t track,
                          const struct python_thread *holder)
{
    const struct task_builder *builder = search->builder;
    struct innermost place = {0};
    struct segment piece;

    innermost_begin(&place, builder->timeline, track, NULL);
    while (next_python_piece(builder, &place, &piece)) {
        struct alone *alone;

        if (beside(holder, &piece).is_any)
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
    return alone->count >= ALONE_FEWEST && length >= WAIT_LEAST &&
           length / TIMES_LONGER >= alone->sum / alone->count &&
           length / TIMES_LONGEST >= alone->most;
}

/* ---- where threads ask for the lock ---- */

/* A thread asks for the lock again at certain places of its functions: after what was called before, or where they
 * begin. */
static uint64_t place_of(const struct task_builder *builder, const struct segment *piece,
                         const struct segment *before)
{
    frame_id called = before->event == NO_EVENT || before->end != piece->start
                          ? 0
                          : builder->timeline->frame[before->event];

    return idmap_pair(builder->timeline->frame[piece->event],
                      called << 1 | (uint32_t)piece->is_after_end);
}

/* How often a thread was at a place while the holder was in Python all the time, and how often it waited there. */
struct lock_place {
    uint32_t inside, waits;
};

struct lock_places {
    struct idmap ids;
    VECTOR(struct lock_place);
};

/* A walk through a thread's Python pieces. */
struct python_walk {
    const struct lock_search *search;
    struct innermost place;
    struct segment piece, before;
};

static bool python_next(struct python_walk *walk)
{
    do {
        walk->before = walk->piece;
        if (!innermost_next(&walk->place, &walk->piece))
            return false;
    } while (!is_python(walk->search->builder, &walk->piece));
    return true;
}

static void python_begin(struct python_walk *walk, const struct lock_search *search, uint32_t track)
{
    *walk = (struct python_walk){
        .search = search, .piece = {.start = INT64_MIN, .end = INT64_MIN, .event = NO_EVENT}};
    innermost_begin(&walk->place, search->builder->timeline, track, NULL);
}

static const struct alone *alone_of(const struct python_walk *walk)
{
    return &walk->search->alone[walk->search->builder->timeline->frame[walk->piece.event]];
}

static bool is_piece_held_up(const struct python_walk *walk)
{
    return is_held_up(alone_of(walk), walk->piece.end - walk->piece.start);
}

static void find_places(const struct lock_search *search, uint32_t track,
                        struct python_thread *holder, struct lock_places *places)
{
    struct python_walk walk;

    python_begin(&walk, search, track);
    while (python_next(&walk)) {
        uint64_t key = place_of(search->builder, &walk.piece, &walk.before);
        uint32_t *id;

        if (!beside(holder, &walk.piece).is_all)
            continue;
        id = idmap_at(&places->ids, key);
        if (*id == IDMAP_NONE) {
            *id = (uint32_t)places->count;
            vector_add(places, (struct lock_place){0});
        }
        places->list[*id].inside++;
        if (!is_piece_held_up(&walk))
            continue;
        places->list[*id].waits++;
        holder->is_by_few |= alone_of(&walk)->count < ALONE_LEAST;
        if (walk.piece.end - walk.piece.start >= PIECE_LEAST)
            holder->waits++;
        else
            holder->shorter++;
    }
    innermost_free(&walk.place);
}

/* Whether a thread asks for the lock wherever it is there. */
static bool is_asking(const struct lock_places *places, uint64_t key)
{
    uint32_t id = idmap_find(&places->ids, key);

    return id != IDMAP_NONE && places->list[id].waits > 0 &&
           places->list[id].waits >= places->list[id].inside / 4 * 3;
}

static bool is_waited_for(const struct python_thread *holder)
{
    if (holder->is_by_few)
        return holder->waits + holder->shorter >= WAITS_MANY && holder->waits >= WAITS_LEAST;
    return holder->waits >= WAITS_LEAST ||
           (holder->waits >= FEW_WAITS && holder->shorter >= FEW_WAITS);
}

/* Where a thread waited for the lock, and where it would have, had the holder still had it. */
static void stop_for_lock(struct lock_search *search, uint32_t track, struct python_thread *holder,
                          const struct lock_places *places, struct thread_stops *stops)
{
    const struct task_builder *builder = search->builder;
    int64_t last = holder->list[holder->count - 1].end;
    struct python_walk walk;

    python_begin(&walk, search, track);
    while (python_next(&walk)) {
        const struct alone *alone = alone_of(&walk);
        bool is_waiting = is_piece_held_up(&walk) && beside(holder, &walk.piece).is_all;
        struct thread_stop stop = {.from = walk.piece.start,
                                   .to = walk.piece.start,
                                   .waker_time = last,
                                   .track = track,
                                   .waker = holder->track,
                                   .event = walk.piece.event,
                                   .batch = NO_EVENT,
                                   .is_for_lock = true,
                                   .is_wait = true};

        if (is_waiting)
            stop.to = stop.waker_time = walk.piece.end - alone->sum / alone->count;
        else if (walk.piece.start <= last ||
                 !is_asking(places, place_of(builder, &walk.piece, &walk.before)))
            continue;
        vector_add(stops, stop);
    }
    innermost_free(&walk.place);
}

/* A thread that is in Python beside all others, as a data loader's is, hides no other one: each is asked for alone. */
static void search_threads(struct lock_search *search)
{
    struct task_builder *builder = search->builder;
    size_t frames = builder->graph->frames.count;
    struct thread_stops stops = {0};

    search->alone = grow_to(NULL, frames, sizeof(*search->alone));
    for (uint32_t i = 0; i < search->count; i++)
        count_long_pieces(search, search->threads[i].track);
    for (uint32_t h = 0; h < search->count; h++) {
        struct python_thread *holder = &search->threads[h];
        struct lock_places places = {0};

        if (holder->beside < FEW_WAITS)
            continue;
        memset(search->alone, 0, frames * sizeof(*search->alone));
        for (uint32_t i = 0; i < search->count; i++)
            if (shares_lock(search, search->threads[i].track, holder->track))
                measure_alone(search, search->threads[i].track, holder);
        for (uint32_t i = 0; i < search->count; i++)
            if (shares_lock(search, search->threads[i].track, holder->track))
                find_places(search, search->threads[i].track, holder, &places);
        for (uint32_t i = 0; i < search->count && is_waited_for(holder); i++)
            if (shares_lock(search, search->threads[i].track, holder->track))
                stop_for_lock(search, search->threads[i].track, holder, &places, &stops);
        idmap_free(&places.ids);
        free(places.list);
    }
    if (stops.count)
        add_thread_stops(search->builder, &stops);
    free(stops.list);
    free(search->alone);
}

void find_lock_stops(struct task_builder *builder)
{
    const struct timeline *timeline = builder->timeline;
    struct VECTOR_OF(uint32_t) running = {0}; /* tracks: cheaper than their pieces, and enough for most traces */
    struct lock_search search = {
        .builder = builder, .threads = grow_zeroed(PYTHON_THREADS_MAX, sizeof(*search.threads))};

    for (uint32_t t = 0; t < timeline->track_count; t++)
        if (timeline->tracks[t].kind == TRACK_THREAD &&
            track_runs_python(builder->graph, &timeline->tracks[t]))
            vector_add(&running, t);
    for (size_t i = 0; running.count > 1 && i < running.count && search.count < PYTHON_THREADS_MAX; i++) {
        struct python_thread *thread = &search.threads[search.count];

        thread->track = running.list[i];
        list_times(builder, thread);
        search.count += thread->count > 0;
    }
    if (search.count > 1)
        search_threads(&search);
    for (uint32_t i = 0; i < PYTHON_THREADS_MAX; i++)
        free(search.threads[i].list);
    free(search.threads);
    free(running.list);
}
