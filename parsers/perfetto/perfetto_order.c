/* SPDX-License-Identifier: Apache-2.0 */
/* perfetto_order.c — events by row, kept small until all packets are read, and then by time
 *
 * A row has chunks of times and of numbers that stand for the rest: what events of one kind have in common is
 * kept once. Chunks are given back one by one while their events become the builder's. */
#define XXH_INLINE_ALL
#include <stdlib.h>
#include <xxhash.h>

#include "parsers/perfetto/perfetto.h"

enum { CHUNK_LEAST = 4, CHUNK_MOST = 16384 };

/* ---- as packets come ---- */

static uint32_t kind_number(struct perfetto *perfetto, const struct perfetto_kind *kind)
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

/* In one piece with its columns. */
static struct perfetto_chunk *add_chunk(struct perfetto_row_events *row)
{
    uint32_t cap = !row->last                    ? CHUNK_LEAST
                   : row->last->cap < CHUNK_MOST ? 4 * row->last->cap
                                                 : CHUNK_MOST;
    struct perfetto_chunk *chunk = grow_to(
        NULL, 1, sizeof(*chunk) + cap * (sizeof(chunk->times[0]) + sizeof(chunk->kinds[0])));

    *chunk = (struct perfetto_chunk){.cap = cap, .kinds = (uint32_t *)(void *)(chunk->times + cap)};
    if (row->last)
        row->last->next = chunk;
    else
        row->first = chunk;
    return row->last = chunk;
}

void perfetto_add_event(struct perfetto *perfetto, const struct perfetto_event *event)
{
    struct perfetto_kind kind = {event->name, event->category, event->clock, event->type};
    struct perfetto_row_events *row;
    struct perfetto_chunk *chunk;

    while (perfetto->row_events.count <= event->row)
        vector_add(&perfetto->row_events, (struct perfetto_row_events){0});
    row = &perfetto->row_events.list[event->row];
    chunk = row->last;
    if (!chunk || chunk->count == chunk->cap)
        chunk = add_chunk(row);
    if (event->type == PERFETTO_COMPLETE)
        vector_add(&row->durations, (struct perfetto_duration){row->count, event->duration});
    chunk->times[chunk->count] = event->time;
    chunk->kinds[chunk->count++] = kind_number(perfetto, &kind);
    perfetto->last = (struct perfetto_place){event->row, row->count++};
    perfetto->event_count++;
}

/* ---- when all are there ---- */

/* The times of a row as the trace's; false where they are not in order. */
bool perfetto_find_times(struct perfetto *perfetto, struct perfetto_row_events *row, int64_t *end,
                         uint64_t *unknown)
{
    int64_t before = INT64_MIN;
    bool is_sorted = true;

    for (struct perfetto_chunk *chunk = row->first; chunk; chunk = chunk->next)
        for (uint32_t i = 0; i < chunk->count; i++) {
            int64_t time = perfetto_trace_time(
                &perfetto->clocks, perfetto->kinds.list[chunk->kinds[i]].clock, chunk->times[i]);

            chunk->times[i] = time;
            *unknown += time == UNKNOWN;
            *end = time > *end ? time : *end;
            is_sorted &= time >= before;
            before = time;
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

/* The row as one chunk. */
static struct perfetto_chunk *join_chunks(struct perfetto_row_events *row)
{
    struct perfetto_chunk *chunk, *next = row->first,
                                  *joined = grow_to(NULL, 1, sizeof(*joined) + row->count * 12);

    *joined = (struct perfetto_chunk){.cap = row->count,
                                      .kinds = (uint32_t *)(void *)(joined->times + row->count)};
    while ((chunk = next)) {
        memcpy(joined->times + joined->count, chunk->times, chunk->count * sizeof(*chunk->times));
        memcpy(joined->kinds + joined->count, chunk->kinds, chunk->count * sizeof(*chunk->kinds));
        joined->count += chunk->count;
        for (size_t i = 0; i < chunk->arguments.count; i++)
            vector_add(&joined->arguments, chunk->arguments.list[i]);
        next = chunk->next;
        free_chunk(chunk);
    }
    return row->first = row->last = joined;
}

void perfetto_begin_walk(struct perfetto_walk *walk, struct perfetto_row_events *row,
                         bool is_sorted)
{
    *walk = (struct perfetto_walk){.row = row};
    if (is_sorted)
        return;
    join_chunks(row);
    walk->order = sorted_order(row->count, is_before, row->first->times);
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
    struct perfetto_chunk *chunk = row->first;
    const struct perfetto_kind *kind;
    uint32_t at;

    if (walk->at == row->count)
        return false;
    if (walk->in_chunk == chunk->count) {
        row->first = chunk->next;
        free_chunk(chunk);
        chunk = row->first;
        walk->in_chunk = 0;
        walk->argument = 0;
    }
    at = walk->in_chunk++;
    walk->number = walk->order ? walk->order[walk->at] : walk->at;
    at = walk->order ? walk->number : at;
    walk->at++;
    walk->kind = chunk->kinds[at];
    kind = &perfetto->kinds.list[walk->kind];
    *event = (struct perfetto_event){.time = chunk->times[at],
                                     .clock = kind->clock,
                                     .row = (uint32_t)(row - perfetto->row_events.list),
                                     .name = kind->name,
                                     .category = kind->category,
                                     .type = kind->type};
    if (kind->type == PERFETTO_COMPLETE)
        event->duration = duration_of(row, walk->number, &walk->near);
    walk->arguments = &chunk->arguments;
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
