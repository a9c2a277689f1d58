/* items.h — figures of events that go by one name: how often, and how long on host and device */
#ifndef PTK_ANALYSIS_SUMMARY_ITEMS_H
#define PTK_ANALYSIS_SUMMARY_ITEMS_H

#include "analysis/summary/host_tree.h"
#include "base/idmap.h"

struct spread {
    int64_t total, max, min; /* ns */
};

struct summary_item {
    struct span name; /* borrowed from the graph, or a literal */
    int64_t calls;
    struct spread cpu; /* of the event itself */
    struct spread gpu; /* of the device work that it launched: kernels, copies and fills */
    int64_t flops;     /* or UNKNOWN */
    struct sight seen; /* the first */
    uint32_t owner;
};

/* Ready for use when zeroed. */
struct item_list {
    struct summary_item *list;
    size_t count, cap;
    struct idmap index;
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

/* The index of the item with this key, which is added on first use. */
uint32_t items_at(struct item_list *items, uint64_t key, struct span name);

/* Counts one event: its times, and when the tables first see it. */
void item_add(const struct host_tree *tree, struct summary_item *item, int64_t cpu, int64_t gpu,
              struct sight seen);

/* Its times alone. */
void item_count(struct summary_item *item, int64_t cpu, int64_t gpu);

/* By owner, then in the order in which they are first seen. */
void items_sort_seen(const struct host_tree *tree, const struct item_list *items, uint32_t *order);

/* Puts a part of such an order into that of a key; ties stay as they are. */
void items_sort_by(const struct item_list *items, enum summary_sort sort, uint32_t *order,
                   size_t count);

/* The figure of a property of an event, or `otherwise`. */
int64_t summary_property(const struct host_tree *tree, enum property property, event_id event,
                         int64_t otherwise);

void items_free(struct item_list *items);

#endif
