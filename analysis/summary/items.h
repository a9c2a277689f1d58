/* SPDX-License-Identifier: Apache-2.0 */
/* items.h — figures of events that go by one name: how often, and how long on host and device */
#ifndef PTK_ANALYSIS_SUMMARY_ITEMS_H
#define PTK_ANALYSIS_SUMMARY_ITEMS_H

#include "analysis/summary/host_tree.h"
#include "base/checked.h"
#include "base/memory/hash_index.h"

struct spread {
    int64_t total, max, min; /* ns */
};

struct summary_item {
    struct span name; /* borrowed from the graph, or a literal */
    int64_t calls;
    struct spread cpu;     /* of the event itself */
    struct spread gpu;     /* of the device work that it launched: kernels, copies and fills */
    int64_t flops;         /* or UNKNOWN */
    struct row_order seen; /* the first */
    uint32_t owner;
};

/* The item that a frame's events went to last: mostly the next one does, too. */
struct last_item {
    uint32_t owner, item;
};

/* Ready for use when zeroed. */
struct item_list {
    struct summary_item *list;
    size_t count, cap;
    struct idmap index;     /* (owner, name) → item */
    struct last_item *last; /* by frame; item: IDMAP_NONE before the first event */
};

enum summary_sort {
    SORT_CPU_TOTAL,
    SORT_CPU_AVG,
    SORT_CPU_MAX,
    SORT_CPU_MIN, /* the smallest first; all others the largest first */
    SORT_GPU_TOTAL,
    SORT_GPU_AVG,
    SORT_GPU_MAX,
    SORT_GPU_MIN
};

extern const char *const summary_sort_names[]; /* as Paddle's SortedKeys; ends with NULL */

/* As items_at(), however it was the last time. */
uint32_t items_find(struct item_list *items, const struct graph *graph, uint32_t owner,
                    frame_id frame);

/* The index of an owner's item with the frame's name, which is added on first use. */
static inline uint32_t items_at(struct item_list *items, const struct graph *graph, uint32_t owner,
                                frame_id frame)
{
    const struct last_item *last = items->last ? &items->last[frame] : NULL;

    return last && last->item != IDMAP_NONE && last->owner == owner
               ? last->item
               : items_find(items, graph, owner, frame);
}

static inline void spread_add(struct spread *spread, int64_t time, bool is_first)
{
    spread->total = checked_add(spread->total, time);
    spread->max = is_first || time > spread->max ? time : spread->max;
    spread->min = is_first || time < spread->min ? time : spread->min;
}

/* Counts one event's times. */
static inline void item_count(struct summary_item *item, int64_t cpu, int64_t gpu)
{
    spread_add(&item->cpu, cpu, item->calls == 0);
    spread_add(&item->gpu, gpu, item->calls == 0);
    item->calls++;
}

/* Besides, when the tables first see it. */
static inline void item_add(struct summary_item *item, int64_t cpu, int64_t gpu,
                            struct row_order seen)
{
    if (item->calls == 0 || row_order_is_before(seen, item->seen))
        item->seen = seen;
    item_count(item, cpu, gpu);
}

/* By owner, then in the order in which they are first seen. */
void items_sort_seen(const struct item_list *items, uint32_t *order);

/* Puts a part of such an order into that of a key; ties stay as they are. */
void items_sort_by(const struct item_list *items, enum summary_sort sort, uint32_t *order,
                   size_t count);

void items_free(struct item_list *items);

#endif
