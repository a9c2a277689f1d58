/* SPDX-License-Identifier: Apache-2.0 */
/* Summary tables of launches: calls with the delay to their work, graphs, queues of streams,
 * copies. */
#include "analysis/summary/host_tree.h"

#include <math.h>
#include <stdlib.h>

#include "base/checked.h"
#include "base/memory/memory.h"

enum { SLOW_CALL = 50000, LATE_START = 100000 };

/* ---- launches ---- */

static void add_work(const struct host_tree *tree, event_id work, struct launch_row *row)
{
    const struct timeline *t = &tree->graph->timeline;
    event_id call = t->launch[work];
    int64_t delay = checked_sub(t->start[work], end_of(tree, call));

    delay = delay > 0 ? delay : 0;
    row->works++;
    row->work_time = checked_add(row->work_time, t->duration[work]);
    row->delay_total = checked_add(row->delay_total, delay);
    row->delay_max = delay > row->delay_max ? delay : row->delay_max;
    row->shorter_than_call += t->duration[work] < t->duration[call];
    row->late_starts += delay > LATE_START;
}

static bool has_more_work(const void *rows, uint32_t a, uint32_t b)
{
    return ((const struct launch_row *)rows)[a].works > ((const struct launch_row *)rows)[b].works;
}

void summary_launches(const struct host_tree *tree, struct arena *arena,
                      struct launch_rows *launches)
{
    const struct timeline *t = &tree->graph->timeline;
    bool *is_counted; /* by call */
    VECTOR(struct launch_row) list = {0};
    struct idmap index = {0};

    *launches = (struct launch_rows){.rows = NULL};
    if (!t->launch)
        return;
    is_counted = grow_zeroed((size_t)t->count + 1, sizeof(*is_counted));
    for (uint32_t i = 0; i < tree->work_count; i++) {
        event_id e = tree->work[i].event, call = t->launch[e];
        struct launch_row *row;
        uint32_t *at;

        if (call == NO_EVENT)
            continue;
        at = idmap_at(&index, name_of(tree, call));
        if (*at == IDMAP_NONE) {
            *at = (uint32_t)list.count;
            vector_add(&list,
                       (struct launch_row){.name = graph_text(tree->graph, name_of(tree, call))});
        }
        row = &list.list[*at];
        if (!is_counted[call]) {
            row->calls++;
            row->call_time = checked_add(row->call_time, t->duration[call]);
            row->slow_calls += t->duration[call] > SLOW_CALL;
        }
        is_counted[call] = true;
        add_work(tree, e, row);
    }
    *launches = (struct launch_rows){
        sorted_copy(arena, list.list, sizeof(*list.list), list.count, list.count, has_more_work),
        (uint32_t)list.count};
    free(list.list);
    free(is_counted);
    idmap_free(&index);
}

/* ---- what graphs launched ---- */

static uint32_t operator_around(const struct graph *graph, const struct captured_call *call)
{
    const struct captured_call *list = graph->captured.list, *at = call;

    while (graph_frame(graph, at->frame)->kind != KIND_OPERATOR && at->parent != NO_CAPTURED_CALL)
        at = &list[at->parent];
    return (uint32_t)((graph_frame(graph, at->frame)->kind == KIND_OPERATOR ? at : call) - list);
}

static bool has_more_time(const void *rows, uint32_t a, uint32_t b)
{
    return ((const struct graph_row *)rows)[a].time > ((const struct graph_row *)rows)[b].time;
}

void summary_graphs(const struct host_tree *tree, struct arena *arena, struct graph_rows *graphs)
{
    const struct graph *graph = tree->graph;
    const struct timeline *t = &graph->timeline;
    VECTOR(struct graph_row) list = {0};
    struct idmap index = {0}, is_counted = {0}; /* by name; (launch, captured call) */
    int64_t all = 0;

    for (uint32_t i = 0; i < tree->work_count; i++) {
        event_id e = tree->work[i].event;
        bool has_inputs;
        const struct captured_call *call = graph_captured(graph, e, &has_inputs);
        uint32_t around, *at, *counted;
        struct graph_row *row;
        str_id name;

        all = checked_add(all, t->duration[e]);
        if (!call || !t->launch)
            continue;
        around = operator_around(graph, call);
        name = graph_frame(graph, graph->captured.list[around].frame)->name;
        at = idmap_at(&index, name);
        if (*at == IDMAP_NONE) {
            *at = (uint32_t)list.count;
            vector_add(&list, (struct graph_row){.name = graph_text(graph, name)});
        }
        row = &list.list[*at];
        counted = idmap_at(&is_counted, idmap_pair(t->launch[e], around));
        row->calls += *counted == IDMAP_NONE;
        *counted = 0;
        row->works++;
        row->time = checked_add(row->time, t->duration[e]);
    }
    for (size_t i = 0; i < list.count; i++)
        list.list[i].share = share_of(list.list[i].time, all);
    *graphs = (struct graph_rows){
        sorted_copy(arena, list.list, sizeof(*list.list), list.count, list.count, has_more_time),
        (uint32_t)list.count};
    free(list.list);
    idmap_free(&index);
    idmap_free(&is_counted);
}

/* ---- copies ---- */

static bool takes_longer(const void *rows, uint32_t a, uint32_t b)
{
    return ((const struct copy_row *)rows)[a].time > ((const struct copy_row *)rows)[b].time;
}

static double rate_of(int64_t bytes, int64_t time)
{
    return time > 0 ? (double)bytes * 1e9 / (double)time : 0;
}

static void add_copy(const struct host_tree *tree, event_id copy, int64_t bytes,
                     struct copy_row *row)
{
    int64_t time = tree->graph->timeline.duration[copy];
    double rate = rate_of(bytes, time);

    row->calls++;
    row->time = checked_add(row->time, time);
    if (bytes < 0)
        return;
    row->bytes = row->bytes == UNKNOWN ? bytes : checked_add(row->bytes, bytes);
    row->sized_time = checked_add(row->sized_time, time);
    row->max_rate = rate > row->max_rate || isnan(row->max_rate) ? rate : row->max_rate;
    row->rate = rate_of(row->bytes, row->sized_time);
}

void summary_copies(const struct host_tree *tree, struct arena *arena, struct copy_rows *copies)
{
    struct property_cursors properties = {.columns = tree->graph->timeline.properties};
    VECTOR(struct copy_row) list = {0};
    struct idmap index = {0};

    for (uint32_t i = 0; i < tree->work_count; i++) {
        event_id e = tree->work[i].event;
        enum frame_kind kind = graph_frame(tree->graph, tree->graph->timeline.frame[e])->kind;
        int64_t bytes = property_or(&properties, PROP_BYTES, e, UNKNOWN);
        uint32_t *at;

        if (kind != KIND_MEMCPY && kind != KIND_MEMSET)
            continue;
        at = idmap_at(&index, name_of(tree, e));
        if (*at == IDMAP_NONE) {
            *at = (uint32_t)list.count;
            vector_add(&list, (struct copy_row){.name = graph_text(tree->graph, name_of(tree, e)),
                                                .bytes = UNKNOWN,
                                                .rate = NAN,
                                                .max_rate = NAN});
        }
        add_copy(tree, e, bytes, &list.list[*at]);
    }
    *copies = (struct copy_rows){
        sorted_copy(arena, list.list, sizeof(*list.list), list.count, list.count, takes_longer),
        (uint32_t)list.count};
    free(list.list);
    idmap_free(&index);
}
