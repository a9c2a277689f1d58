/* SPDX-License-Identifier: Apache-2.0 */
/* advice_collectives.c — how much of its collectives one rank waits in, and how much they transfer
 *
 * One rank's trace has no other's starts. Collectives of one operation and group are compared instead: each transfers
 * for as long as the fastest of its size took, or as the shortest of all and its bytes at the best rate of all, if that
 * is less. What it took more, it waited for other ranks. Of one whose size is not known, nothing is said. */
#include "analysis/advice/advice.h"

#include <stdlib.h>

#include "analysis/ranks/rank_overlap.h"
#include "base/memory/memory.h"

enum { ALIKE_LEAST = 4 /* collectives of one operation and group */ };

/* Of one operation and group. */
struct kind_of_collective {
    uint32_t count;
    int64_t shortest; /* ns */
    double rate;      /* the best: bytes a ns */
};

struct collective_search {
    const struct collectives *all;
    struct idmap kinds, sizes; /* → below, and → the fastest of those of one kind and size */
    struct VECTOR_OF(struct kind_of_collective) list;
    struct VECTOR_OF(int64_t) fastest; /* ns */
};

static uint64_t kind_key(const struct collective *collective)
{
    return idmap_pair(collective->operation,
                      collective->group == UNKNOWN ? 0 : (uint32_t)collective->group);
}

/* Bytes beyond 4 GB are of one size with others: they are few. */
static uint64_t size_key(uint32_t kind, int64_t bytes)
{
    return idmap_pair(kind, bytes > UINT32_MAX ? UINT32_MAX : (uint32_t)bytes);
}

static int64_t length_of(const struct collective *collective)
{
    return collective->end - collective->start;
}

static bool is_known(const struct collective *collective)
{
    return collective_bytes(collective) > 0 && length_of(collective) > 0;
}

static void compare(struct collective_search *search, const struct collective *collective)
{
    int64_t bytes = collective_bytes(collective), length = length_of(collective);
    uint32_t *kind = idmap_at(&search->kinds, kind_key(collective)), *size;
    struct kind_of_collective *of;

    if (*kind == IDMAP_NONE) {
        *kind = (uint32_t)search->list.count;
        vector_add(&search->list, ((struct kind_of_collective){.shortest = INT64_MAX}));
    }
    of = &search->list.list[*kind];
    of->count++;
    of->shortest = length < of->shortest ? length : of->shortest;
    of->rate =
        (double)bytes / (double)length > of->rate ? (double)bytes / (double)length : of->rate;
    size = idmap_at(&search->sizes, size_key(*kind, bytes));
    if (*size == IDMAP_NONE) {
        *size = (uint32_t)search->fastest.count;
        vector_add(&search->fastest, length);
    }
    if (length < search->fastest.list[*size])
        search->fastest.list[*size] = length;
}

static int64_t transfer_of(const struct collective_search *search,
                           const struct collective *collective)
{
    int64_t length = length_of(collective), bytes = collective_bytes(collective), transfer;
    const struct kind_of_collective *of;
    uint32_t kind;

    if (!is_known(collective))
        return length;
    kind = idmap_find(&search->kinds, kind_key(collective));
    of = &search->list.list[kind];
    if (of->count < ALIKE_LEAST)
        return length;
    transfer = checked_add(of->shortest, checked_whole((double)bytes / of->rate));
    length = search->fastest.list[idmap_find(&search->sizes, size_key(kind, bytes))];
    return length < transfer ? length : transfer;
}

static void sum_up(const struct collective_search *search, const struct device_bottleneck *device,
                   struct collective_waits *waits)
{
    int64_t longest = 0;

    *waits = (struct collective_waits){.longest = NO_EVENT};
    for (uint32_t i = 0; i < search->all->count; i++) {
        const struct collective *collective = &search->all->list[i];
        int64_t wait;

        if (collective->device != device->device || collective->start < device->start ||
            collective->start >= device->end)
            continue;
        wait = length_of(collective) - transfer_of(search, collective);
        waits->time = checked_add(waits->time, length_of(collective));
        waits->waited = checked_add(waits->waited, wait);
        if (wait > longest) {
            longest = wait;
            waits->longest = collective->event;
        }
    }
}

struct collective_waits *collective_waits_find(const struct graph *graph,
                                               const struct bottlenecks *all, struct arena *arena)
{
    struct collectives collectives;
    struct collective_search search = {.all = &collectives};
    struct collective_waits *waits = arena_array(arena, all->count, sizeof(*waits));

    collectives_find(graph, arena, &collectives);
    for (uint32_t i = 0; i < collectives.count; i++)
        if (is_known(&collectives.list[i]))
            compare(&search, &collectives.list[i]);
    for (uint32_t i = 0; i < all->count; i++)
        sum_up(&search, &all->devices[i], &waits[i]);
    idmap_free(&search.kinds);
    idmap_free(&search.sizes);
    free(search.list.list);
    free(search.fastest.list);
    return waits;
}

/* Where it holds, what is done against slow transfers does not help. */
static struct check check_of(const struct advice_context *context)
{
    struct check check = {.what = "waiting for other ranks / collectives",
                          .part = context->waits->waited,
                          .whole = context->waits->time,
                          .unit = UNIT_NS,
                          .limit = LIMIT_COLLECTIVE_WAITS};

    check_judge(&check, context->thresholds);
    return check;
}

bool collectives_wait(const struct advice_context *context)
{
    return check_of(context).holds;
}

void judge_collective_waits(const struct advice_context *context, struct finding *finding)
{
    const struct check check = check_of(context);
    int64_t alone = context->device->communication_only, most = context->waits->waited;

    if (check.whole == 0) {
        finding->why_not = "the device does not communicate";
        return;
    }
    finding_set(context, finding, &check, not_negative(alone - (check.whole - most)),
                alone < most ? alone : most);
    finding->event = context->waits->longest;
}
