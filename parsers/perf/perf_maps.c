/* SPDX-License-Identifier: Apache-2.0 */
/* perf_maps.c — what lies where in the memory of each process, as it changes */
#include <stdlib.h>

#include "parsers/perf/perf_data.h"

/* Of one process all together, and of the copies that forks make: hostile files have chains of these. */
enum { PIECES_MAX = 4 << 20 };

struct mapped_piece {
    uint64_t start, end;
    uint32_t mapping;
};

/* Sorted, without overlaps. Shared by processes until one of them changes it. */
struct space {
    VECTOR(struct mapped_piece);
    uint32_t users;
};

struct perf_maps {
    const struct perf_data *perf;
    struct VECTOR_OF(struct space *) spaces; /* by process, in the order of coming */
    struct idmap space_of;
    struct space kernel, symbols; /* the latter: functions of BPF, which are found before all others */
    uint64_t pieces, dropped;
};

struct perf_maps *perf_maps_new(const struct perf_data *perf)
{
    struct perf_maps *maps = grow_zeroed(1, sizeof(*maps));

    maps->perf = perf;
    return maps;
}

static void put_back(struct perf_maps *maps, struct space *space)
{
    if (space && --space->users == 0) {
        maps->pieces -= space->count;
        free(space->list);
        free(space);
    }
}

static struct space **space_at(struct perf_maps *maps, uint32_t process)
{
    uint32_t *at = idmap_at(&maps->space_of, process);

    if (*at == IDMAP_NONE) {
        *at = (uint32_t)maps->spaces.count;
        vector_add(&maps->spaces, NULL);
    }
    return &maps->spaces.list[*at];
}

/* The space of a process, for it alone. */
static struct space *own_space(struct perf_maps *maps, uint32_t process)
{
    struct space **at = space_at(maps, process), *shared = *at;

    if (shared && shared->users == 1)
        return shared;
    *at = grow_zeroed(1, sizeof(**at));
    (*at)->users = 1;
    if (shared && maps->pieces + shared->count > PIECES_MAX) {
        maps->dropped++;
    } else if (shared) {
        (*at)->list = grow_to(NULL, shared->count, sizeof(*shared->list));
        (*at)->count = (*at)->cap = shared->count;
        memcpy((*at)->list, shared->list, shared->count * sizeof(*shared->list));
        maps->pieces += shared->count;
    }
    put_back(maps, shared);
    return *at;
}

static size_t first_behind(const struct space *space, uint64_t address)
{
    SEARCH(size_t, at, space->count, space->list[at].end <= address);
    return at;
}

/* The new one hides what it lies over: pieces that reach beyond it on one side, or on both, are cut. */
static void insert(struct perf_maps *maps, struct space *space, uint32_t mapping)
{
    const struct perf_mapping *row = &maps->perf->mappings.list[mapping];
    struct mapped_piece added[3];
    size_t first = first_behind(space, row->start), end = first, count = 0, room;

    while (end < space->count && space->list[end].start < row->end)
        end++;
    if (end > first && space->list[first].start < row->start)
        added[count++] =
            (struct mapped_piece){space->list[first].start, row->start, space->list[first].mapping};
    added[count++] = (struct mapped_piece){row->start, row->end, mapping};
    if (end > first && space->list[end - 1].end > row->end)
        added[count++] =
            (struct mapped_piece){row->end, space->list[end - 1].end, space->list[end - 1].mapping};
    if (maps->pieces + count > PIECES_MAX + (end - first)) {
        maps->dropped++;
        return;
    }
    room = space->count - (end - first) + count;
    if (room > space->cap) {
        space->cap = grow_cap(space->cap, room);
        space->list = grow_to(space->list, space->cap, sizeof(*space->list));
    }
    memmove(space->list + first + count, space->list + end, (space->count - end) * sizeof(*added));
    memcpy(space->list + first, added, count * sizeof(*added));
    maps->pieces += room - space->count;
    space->count = room;
}

static void fork_space(struct perf_maps *maps, uint32_t parent, uint32_t child)
{
    struct space *space = *space_at(maps, parent), **at = space_at(maps, child);

    if (space)
        space->users++;
    put_back(maps, *at);
    *at = space;
}

static void forget_space(struct perf_maps *maps, uint32_t process)
{
    struct space **at = space_at(maps, process);

    put_back(maps, *at);
    *at = NULL;
}

static void add_mapping(struct perf_maps *maps, uint32_t mapping, bool is_symbol)
{
    const struct perf_mapping *map = &maps->perf->mappings.list[mapping];

    if (map->start < map->end)
        insert(maps,
               is_symbol        ? &maps->symbols
               : map->is_kernel ? &maps->kernel
                                : own_space(maps, map->process),
               mapping);
}

static void change_process(struct perf_maps *maps, const struct thread_record *thread, bool is_fork)
{
    if (is_fork && thread->process != thread->parent_process && !thread->is_exec)
        fork_space(maps, thread->parent_process, thread->process);
    else if (!is_fork && thread->is_exec)
        forget_space(maps, thread->process);
}

void perf_maps_step(struct perf_maps *maps, const struct perf_step *step)
{
    if (step->kind == STEP_MAP || step->kind == STEP_KERNEL_SYMBOL)
        add_mapping(maps, step->item, step->kind == STEP_KERNEL_SYMBOL);
    else if (step->kind != STEP_SAMPLE)
        change_process(maps, &maps->perf->threads.list[step->item], step->kind == STEP_FORK);
}

static uint32_t find(const struct space *space, uint64_t address)
{
    size_t at = space ? first_behind(space, address) : 0;

    return space && at < space->count && space->list[at].start <= address ? space->list[at].mapping
                                                                          : NO_MAPPING;
}

uint32_t perf_maps_find(const struct perf_maps *maps, uint32_t process,
                        const struct code_place *place)
{
    uint32_t found;

    if (place->is_kernel) {
        found = find(&maps->symbols, place->address);
        return found == NO_MAPPING ? find(&maps->kernel, place->address) : found;
    }
    found = idmap_find(&maps->space_of, process);
    return found == IDMAP_NONE ? NO_MAPPING : find(maps->spaces.list[found], place->address);
}

uint64_t perf_maps_dropped(const struct perf_maps *maps)
{
    return maps->dropped;
}

void perf_maps_free(struct perf_maps *maps)
{
    for (size_t i = 0; i < maps->spaces.count; i++)
        put_back(maps, maps->spaces.list[i]);
    free(maps->spaces.list);
    free(maps->kernel.list);
    free(maps->symbols.list);
    idmap_free(&maps->space_of);
    free(maps);
}
