/* SPDX-License-Identifier: Apache-2.0 */
/* perfetto_order.c — events by row, kept small until all packets are read, and then by time
 *
 * A row has chunks of bytes: times, and numbers that stand for the rest: what events of one kind have in common
 * is kept once. Memory that is written for the first time costs more than packing into a few bytes. Chunks are given back one by one while their events become the builder's. */
#define XXH_INLINE_ALL
#include <stdlib.h>
#include <xxhash.h>

#include "parsers/perfetto/perfetto.h"

enum { CHUNK_LEAST = 48, CHUNK_MOST = 1 << 17, EVENT_MOST = 15 }; /* bytes */

/* ---- as packets come ---- */

uint32_t perfetto_kind(struct perfetto *perfetto, const struct perfetto_kind *kind)
{
    struct index *index = &perfetto->kind_index;
    uint32_t *recent = &perfetto->recent_kinds[(kind->name ^ kind->type << 5) % RECENT_KINDS];
    struct index_place place;

    if (*recent < perfetto->kinds.count &&
        memcmp(&perfetto->kinds.list[*recent], kind, sizeof(*kind)) == 0)
        return *recent;
    index_reserve(index);
    place = index_start(index, (uint32_t)XXH3_64bits_withSeed(kind, sizeof(*kind), index->key));
    for (uint32_t id; (id = index_next(index, &place));)
        if (memcmp(&perfetto->kinds.list[id - 1], kind, sizeof(*kind)) == 0)
            return *recent = id - 1;
    vector_add(&perfetto->kinds, *kind);
    return *recent = index_add(index, &place) - 1;
}

static struct perfetto_chunk *add_chunk(struct perfetto_row_events *row)
{
    uint32_t cap = !row->last                    ? CHUNK_LEAST
                   : row->last->cap < CHUNK_MOST ? 4 * row->last->cap
                                                 : CHUNK_MOST;
    struct perfetto_chunk *chunk = grow_to(NULL, 1, sizeof(*chunk) + cap);

    *chunk = (struct perfetto_chunk){.cap = cap};
    if (row->last)
        row->last->next = chunk;
    else
        row->first = chunk;
    return row->last = chunk;
}

static inline unsigned char *put_number(unsigned char *at, uint64_t number)
{
    for (; number >= 0x80; number >>= 7)
        *at++ = (unsigned char)(number | 0x80);
    *at++ = (unsigned char)number;
    return at;
}

static inline uint64_t take_number(const unsigned char **at)
{
    uint64_t number = *(*at)++;

    if (number >= 0x80) {
        number &= 0x7f;
        for (int shift = 7;; shift += 7) {
            uint64_t byte = *(*at)++;

            number |= (byte & 0x7f) << shift;
            if (byte < 0x80)
                break;
        }
    }
    return number;
}

/* Differences modulo 2^64, whose sign is the last bit. */
static inline unsigned char *put_time(unsigned char *at, int64_t before, int64_t time)
{
    uint64_t later = (uint64_t)time - (uint64_t)before;

    return put_number(at, later << 1 ^ (later >> 63 ? UINT64_MAX : 0));
}

static inline int64_t take_time(const unsigned char **at, int64_t before)
{
    uint64_t packed = take_number(at);

    return (int64_t)((uint64_t)before + (packed >> 1 ^ (packed & 1 ? UINT64_MAX : 0)));
}

void perfetto_add_of_kind(struct perfetto *perfetto, uint32_t at, int64_t time, uint32_t kind)
{
    struct perfetto_row_events *row;
    struct perfetto_chunk *chunk;
    unsigned char *end;

    while (perfetto->row_events.count <= at)
        vector_add(&perfetto->row_events, (struct perfetto_row_events){0});
    row = &perfetto->row_events.list[at];
    chunk = row->last;
    if (!chunk || chunk->cap - chunk->used < EVENT_MOST)
        chunk = add_chunk(row);
    end = put_time(chunk->bytes + chunk->used, row->time, time);
    chunk->used = (uint32_t)(put_number(end, kind) - chunk->bytes);
    chunk->count++;
    row->time = time;
    perfetto->last = (struct perfetto_place){at, row->count++};
    perfetto->event_count++;
}

void perfetto_add_event(struct perfetto *perfetto, const struct perfetto_event *event)
{
    struct perfetto_kind kind = {event->name, event->category, event->clock, event->type};

    perfetto_add_of_kind(perfetto, event->row, event->time, perfetto_kind(perfetto, &kind));
    if (event->type == PERFETTO_COMPLETE)
        vector_add(&perfetto->row_events.list[event->row].durations,
                   (struct perfetto_duration){perfetto->last.number, event->duration});
}

/* ---- when all are there ---- */

/* The next event's time, of the trace; `before` is that of its clock. */
static inline int64_t take_event(const struct perfetto *perfetto, const unsigned char **at,
                                 int64_t *before, uint32_t *kind)
{
    *before = take_time(at, *before);
    *kind = (uint32_t)take_number(at);
    return perfetto_trace_time(&perfetto->clocks, perfetto->kinds.list[*kind].clock, *before);
}

/* Looks at the times of a row; false where they are not in order. */
bool perfetto_find_times(struct perfetto *perfetto, struct perfetto_row_events *row,
                         struct perfetto_times *times)
{
    int64_t before = INT64_MIN, own = 0;
    bool is_sorted = true;

    for (struct perfetto_chunk *chunk = row->first; chunk; chunk = chunk->next) {
        const unsigned char *at = chunk->bytes;

        for (uint32_t i = 0; i < chunk->count; i++) {
            uint32_t kind;
            int64_t time = take_event(perfetto, &at, &own, &kind);

            times->unknown += time == UNKNOWN;
            times->begins += perfetto->kinds.list[kind].type != PERFETTO_END;
            times->end = time > times->end ? time : times->end;
            is_sorted &= time >= before;
            before = time;
        }
    }
    return is_sorted;
}

static bool is_before(const void *context, uint32_t a, uint32_t b)
{
    const int64_t *times = context;

    return times[a] < times[b];
}

static void free_chunk(struct perfetto_chunk *chunk)
{
    free(chunk->arguments.list);
    free(chunk);
}

/* All of the row into the walk's arrays; its arguments into one chunk. */
static void unpack_row(const struct perfetto *perfetto, struct perfetto_walk *walk)
{
    struct perfetto_row_events *row = walk->row;
    struct perfetto_chunk *chunk, *next = row->first, *joined = grow_zeroed(1, sizeof(*joined));
    int64_t own = 0;
    uint32_t count = 0;

    walk->times = grow_to(NULL, row->count, sizeof(*walk->times));
    walk->kinds = grow_to(NULL, row->count, sizeof(*walk->kinds));
    while ((chunk = next)) {
        const unsigned char *at = chunk->bytes;

        for (uint32_t i = 0; i < chunk->count; i++, count++)
            walk->times[count] = take_event(perfetto, &at, &own, &walk->kinds[count]);
        for (size_t i = 0; i < chunk->arguments.count; i++)
            vector_add(&joined->arguments, chunk->arguments.list[i]);
        next = chunk->next;
        free_chunk(chunk);
    }
    joined->count = row->count;
    row->first = row->last = joined;
}

void perfetto_begin_walk(struct perfetto *perfetto, struct perfetto_walk *walk,
                         struct perfetto_row_events *row, bool is_sorted)
{
    *walk = (struct perfetto_walk){.row = row, .bytes = row->first->bytes};
    if (is_sorted)
        return;
    unpack_row(perfetto, walk);
    walk->order = sorted_order(row->count, is_before, walk->times);
}

void perfetto_end_walk(struct perfetto_walk *walk)
{
    free(walk->times);
    free(walk->kinds);
    free(walk->order);
}

static int64_t duration_of(const struct perfetto_row_events *row, uint32_t number, size_t *near)
{
    const struct perfetto_duration *list = row->durations.list;

    SEARCH_NEAR(size_t, at, *near, row->durations.count, list[at].number < number)
    *near = at + 1;
    return list[at].duration;
}

bool perfetto_next_event(struct perfetto *perfetto, struct perfetto_walk *walk,
                         struct perfetto_event *event)
{
    struct perfetto_row_events *row = walk->row;
    const struct perfetto_kind *kind;

    if (walk->at == row->count)
        return false;
    if (walk->in_chunk == row->first->count) {
        struct perfetto_chunk *chunk = row->first;

        row->first = chunk->next;
        free_chunk(chunk);
        walk->bytes = row->first->bytes;
        walk->in_chunk = 0;
        walk->argument = 0;
    }
    walk->in_chunk++;
    if (walk->order) {
        walk->number = walk->order[walk->at];
        event->time = walk->times[walk->number];
        walk->kind = walk->kinds[walk->number];
    } else {
        walk->number = walk->at;
        event->time = take_event(perfetto, &walk->bytes, &walk->before, &walk->kind);
    }
    walk->at++;
    kind = &perfetto->kinds.list[walk->kind];
    event->row = (uint32_t)(row - perfetto->row_events.list);
    event->clock = kind->clock;
    event->name = kind->name;
    event->category = kind->category;
    event->type = kind->type;
    event->duration =
        kind->type == PERFETTO_COMPLETE ? duration_of(row, walk->number, &walk->near) : 0;
    walk->arguments = &row->first->arguments;
    return true;
}

const struct perfetto_argument *perfetto_next_argument(struct perfetto_walk *walk)
{
    const struct perfetto_argument *list = walk->arguments->list;
    size_t count = walk->arguments->count;
    bool is_begun = walk->argument && list[walk->argument - 1].number == walk->number;

    if (!is_begun) {
        SEARCH_NEAR(size_t, at, walk->argument, count, list[at].number < walk->number)
        walk->argument = at;
    }
    if (walk->argument == count || list[walk->argument].number != walk->number)
        return NULL;
    return &list[walk->argument++];
}

void perfetto_free_row(struct perfetto_row_events *row)
{
    struct perfetto_chunk *chunk, *next = row->first;

    while ((chunk = next)) {
        next = chunk->next;
        free_chunk(chunk);
    }
    free(row->durations.list);
    free(row->made);
    *row = (struct perfetto_row_events){0};
}
