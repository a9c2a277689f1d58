/* SPDX-License-Identifier: Apache-2.0 */
/* Rows of summary tables while they are gathered, their order, and their threads. */
#include <stdlib.h>
#include <string.h>

#include "analysis/summary/host_tree.h"
#include "base/memory/memory.h"

const char *const summary_sort_names[] = {"CPUTotal", "CPUAvg", "CPUMax", "CPUMin", "GPUTotal",
                                          "GPUAvg",   "GPUMax", "GPUMin", NULL};

uint32_t items_find(struct item_list *items, const struct graph *graph, uint32_t owner,
                    frame_id frame)
{
    str_id name = graph_frame(graph, frame)->name;
    uint32_t *item = idmap_at(&items->index, idmap_pair(owner, name));

    if (!items->last) {
        items->last = grow_to(NULL, graph->frames.count, sizeof(*items->last));
        memset(items->last, 0xff, graph->frames.count * sizeof(*items->last));
    }
    if (*item == IDMAP_NONE) {
        *item = (uint32_t)items->count;
        vector_add(items, (struct summary_item){.name = graph_text(graph, name), .owner = owner});
    }
    items->last[frame] = (struct last_item){owner, *item};
    return *item;
}

static bool is_seen_before(const void *items, uint32_t a, uint32_t b)
{
    const struct summary_item *list = items;

    if (list[a].owner != list[b].owner)
        return list[a].owner < list[b].owner;
    return row_order_is_before(list[a].seen, list[b].seen);
}

void items_sort_seen(const struct item_list *items, uint32_t *order)
{
    for (uint32_t i = 0; i < items->count; i++)
        order[i] = i;
    sort_stable(order, items->count, is_seen_before, items->list);
}

struct item_sorting {
    const struct item_list *items;
    enum summary_sort sort;
};

/* What a larger one of comes first. */
static double sort_figure(const struct summary_item *item, enum summary_sort sort)
{
    const struct spread *spread = sort < SORT_GPU_TOTAL ? &item->cpu : &item->gpu;

    switch (sort) {
    case SORT_CPU_AVG:
    case SORT_GPU_AVG:
        return (double)spread->total / (double)item->calls;
    case SORT_CPU_MAX:
    case SORT_GPU_MAX:
        return (double)spread->max;
    case SORT_CPU_MIN:
    case SORT_GPU_MIN:
        return -(double)spread->min;
    default:
        return (double)spread->total;
    }
}

static bool is_larger(const void *context, uint32_t a, uint32_t b)
{
    const struct item_sorting *sorting = context;
    const struct summary_item *list = sorting->items->list;

    return sort_figure(&list[a], sorting->sort) > sort_figure(&list[b], sorting->sort);
}

void items_sort_by(const struct item_list *items, enum summary_sort sort, uint32_t *order,
                   size_t count)
{
    struct item_sorting sorting = {items, sort};

    sort_stable(order, count, is_larger, &sorting);
}

void items_free(struct item_list *items)
{
    free(items->list);
    free(items->last);
    idmap_free(&items->index);
}

/* Lanes of a thread follow each other among the visits. */
void summary_threads_make(const struct host_tree *tree, bool is_by_thread, struct arena *arena,
                          struct summary_threads *threads)
{
    const struct timeline *t = &tree->graph->timeline;
    const struct track *last = NULL;

    *threads = (struct summary_threads){
        .of_track = arena_array(arena, t->track_count, sizeof(*threads->of_track)),
        .numbers = arena_array(arena, (size_t)t->track_count + 1, sizeof(*threads->numbers)),
        .count = is_by_thread ? 0 : 1,
    };
    for (uint32_t i = 0; is_by_thread && i < tree->visit_count; i++) {
        const struct track *track = &t->tracks[tree->visits[i]];

        if (!last || last->pid != track->pid || last->tid != track->tid)
            threads->numbers[threads->count++] = track->tid;
        threads->of_track[tree->visits[i]] = threads->count - 1;
        last = track;
    }
}
