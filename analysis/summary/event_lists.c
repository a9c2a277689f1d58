/* SPDX-License-Identifier: Apache-2.0 */
/* event_lists.c — the tables with one row a name: kernels, memory manipulations, the user's
 * ranges */
#include "analysis/summary/host_tree.h"
#include "analysis/summary/summary.h"
#include "base/checked.h"
#include "graph/classify/event_class.h"

static void fill_rows(struct summary_list *list, const struct item_list *items,
                      const uint32_t *order, int64_t cpu, int64_t gpu, struct arena *arena)
{
    list->rows = arena_array(arena, items->count, sizeof(*list->rows));
    for (; list->count < items->count; list->count++) {
        const struct summary_item *item = &items->list[order[list->count]];

        list->rows[list->count] = (struct summary_named){
            *item, share_of(item->cpu.total, cpu), share_of(item->gpu.total, gpu), item->owner};
    }
}

/* ---- kernels ---- */

void summary_kernels(const struct host_tree *tree, const struct summary_options *options,
                     struct arena *arena, struct summary_list *kernels)
{
    const struct timeline *t = &tree->graph->timeline;
    const frame_id *groups = options->kernel_groups;
    enum summary_sort sort = options->sort;
    bool is_by_gpu = sort == SORT_GPU_AVG || sort == SORT_GPU_MAX || sort == SORT_GPU_MIN;
    struct item_list items = {0};
    uint32_t *order;
    int64_t whole = 0;

    for (uint32_t i = 0; i < tree->work_count; i++) {
        event_id e = tree->work[i].event;
        uint32_t at;

        if (role_of(tree, e) != ROLE_KERNEL)
            continue;
        at = items_at(&items, tree->graph, 0, groups ? groups[t->frame[e]] : t->frame[e]);
        item_add(&items.list[at], t->duration[e], t->duration[e],
                 host_tree_work_row_order(tree, &tree->work[i]));
        whole = checked_add(whole, t->duration[e]);
    }
    order = arena_array(arena, items.count, sizeof(*order));
    items_sort_seen(&items, order);
    items_sort_by(&items, is_by_gpu ? sort : SORT_GPU_TOTAL, order, items.count);
    *kernels = (struct summary_list){0};
    fill_rows(kernels, &items, order, 0, whole, arena);
    items_free(&items);
}

/* ---- ranges ---- */

static bool is_manipulation(const struct host_tree *tree, event_id event)
{
    enum event_role role = role_of(tree, event);
    frame_id frame = tree->graph->timeline.frame[event];

    return (role == ROLE_USER || role == ROLE_PYTHON_USER) &&
           graph_class(tree->graph, frame).marks & NAMED_MANIPULATION;
}

/* The device work of all steps. */
static int64_t step_work(const struct host_tree *tree)
{
    int64_t work = 0;

    for (uint32_t i = 0; i < tree->step_count; i++)
        if (!is_in_phase(tree, tree->step[i]))
            work = checked_add(work, tree->step_time[i]);
    return work;
}

static bool is_user_defined(const struct host_tree *tree, event_id event)
{
    return role_of(tree, event) == ROLE_PYTHON_USER && !is_manipulation(tree, event);
}

static void collect(const struct host_tree *tree, const struct summary_threads *threads,
                    bool (*is_wanted)(const struct host_tree *, event_id), struct item_list *items)
{
    const struct timeline *t = &tree->graph->timeline;

    if (!tree->has_role[ROLE_USER] && !tree->has_role[ROLE_PYTHON_USER])
        return;
    for (uint32_t i = 0; i < t->track_count; i++)
        for (uint32_t k = 0; k < t->tracks[i].count; k++) {
            event_id e = t->tracks[i].first + k;

            uint32_t at;

            if (!is_wanted(tree, e))
                continue;
            at = items_at(items, tree->graph, threads->of_track[i], t->frame[e]);
            item_add(&items->list[at], t->duration[e], host_tree_device_time(tree, e),
                     host_tree_row_order(tree, tree->turn[i], e, 0));
        }
}

void summary_manipulations(const struct host_tree *tree, struct arena *arena,
                           struct summary_list *list)
{
    struct summary_threads threads;
    struct item_list items = {0};
    uint32_t *order;

    summary_threads_make(tree, false, arena, &threads);
    collect(tree, &threads, is_manipulation, &items);
    order = arena_array(arena, items.count, sizeof(*order));
    items_sort_seen(&items, order);
    *list = (struct summary_list){0};
    fill_rows(list, &items, order, tree->total_time, step_work(tree), arena);
    items_free(&items);
}

void summary_user_defined(const struct host_tree *tree, const struct summary_options *options,
                          struct arena *arena, struct summary_list *list)
{
    struct summary_threads threads;
    struct item_list items = {0};
    uint32_t *order;

    summary_threads_make(tree, options->is_by_thread, arena, &threads);
    collect(tree, &threads, is_user_defined, &items);
    order = arena_array(arena, items.count, sizeof(*order));
    items_sort_seen(&items, order);
    for (size_t from = 0, to; from < items.count; from = to) {
        to = from;
        while (to < items.count && items.list[order[to]].owner == items.list[order[from]].owner)
            to++;
        items_sort_by(&items, options->sort, order + from, to - from);
    }
    *list = (struct summary_list){.threads = threads.numbers,
                                  .thread_count = threads.count,
                                  .is_by_thread = options->is_by_thread};
    fill_rows(list, &items, order, tree->total_time, step_work(tree), arena);
    items_free(&items);
}
