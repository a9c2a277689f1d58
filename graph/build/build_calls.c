/* SPDX-License-Identifier: Apache-2.0 */
/* build_calls.c — gathers functions and calls, and puts functions into the file's order */
#include <stdlib.h>
#include <string.h>

#include "base/checked.h"
#include "base/memory/memory.h"
#include "graph/build/builder_state.h"

uint32_t builder_function(struct callgraph_builder *builder, frame_id frame)
{
    if (frame >= builder->function_of_cap) {
        size_t old = builder->function_of_cap;

        builder->function_of_cap = grow_cap(old, (size_t)frame + 1);
        builder->function_of =
            grow_to(builder->function_of, builder->function_of_cap, sizeof(uint32_t));
        memset(builder->function_of + old, 0, (builder->function_of_cap - old) * sizeof(uint32_t));
    }
    if (builder->function_of[frame] == 0) {
        uint32_t added = functions_add(&builder->shared->graph.functions, frame);

        builder->listed_at = grow_one(builder->listed_at, added, &builder->listed_at_cap,
                                      sizeof(*builder->listed_at));
        builder->listed_at[added] = 0;
        builder->function_of[frame] = added + 1;
    }
    return builder->function_of[frame] - 1;
}

void builder_list(struct callgraph_builder *builder, uint32_t function,
                  const struct call_figures *figures)
{
    struct functions *functions = &builder->shared->graph.functions;

    if (!builder->listed_at[function])
        builder->listed_at[function] = ++builder->listed;
    functions->calls[function] = figures->calls;
    functions->primitive_calls[function] = figures->primitive_calls;
    functions->self[function] = figures->self;
    functions->cum[function] = figures->cum;
}

void builder_list_time(struct builder *builder, const char *name, int64_t time)
{
    struct frame frame = {.name = builder_intern(builder, span_of(name)), .kind = KIND_OTHER};
    struct callgraph_builder *rows = builder_callgraph(builder);

    builder_list(rows, builder_function(rows, builder_frame(builder, &frame)),
                 &(struct call_figures){UNKNOWN, UNKNOWN, time, time});
}

void builder_list_values(struct callgraph_builder *builder, uint32_t function, const int64_t *self)
{
    struct functions *functions = &builder->shared->graph.functions;
    size_t values = builder->shared->graph.values.count, old = builder->each_cap;

    if (functions->count > old) {
        builder->each_cap = grow_cap(old, functions->count);
        functions->each = grow_to(functions->each, builder->each_cap * values, sizeof(*self));
        memset(functions->each + old * values, 0,
               (builder->each_cap - old) * values * sizeof(*self));
    }
    memcpy(functions->each + function * values, self, values * sizeof(*self));
}

void builder_estimate_cum(struct callgraph_builder *builder, uint32_t function)
{
    struct functions *functions = &builder->shared->graph.functions;
    size_t old = builder->estimates_cap;

    if (functions->count > old) {
        builder->estimates_cap = grow_cap(old, functions->count);
        functions->estimates = grow_to(functions->estimates, builder->estimates_cap, 1);
        memset(functions->estimates + old, 0, builder->estimates_cap - old);
    }
    functions->estimates[function] |= ESTIMATE_CUM;
}

void builder_extremes(struct callgraph_builder *builder, uint32_t function, int64_t min,
                      int64_t max)
{
    struct functions *functions = &builder->shared->graph.functions;

    if (functions->count > builder->extremes_cap) {
        builder->extremes_cap = grow_cap(builder->extremes_cap, functions->count);
        functions->min = grow_to(functions->min, builder->extremes_cap, sizeof(*functions->min));
        functions->max = grow_to(functions->max, builder->extremes_cap, sizeof(*functions->max));
    }
    functions->min[function] = min;
    functions->max[function] = max;
}

void builder_swap_call_counts(struct callgraph_builder *builder)
{
    struct functions *functions = &builder->shared->graph.functions;
    int64_t *calls = functions->calls;

    functions->calls = functions->primitive_calls;
    functions->primitive_calls = calls;
}

void builder_call(struct callgraph_builder *builder, uint32_t caller, uint32_t callee,
                  const struct call_figures *figures)
{
    struct calls *calls = &builder->shared->graph.calls;
    uint32_t at;

    if (builder->shared->options.need == LEVEL_FLAT) {
        edge_totals_add(&builder->shared->graph.edge_totals, caller, callee, figures->calls,
                        figures->self, figures->cum);
        return;
    }
    at = calls_add(calls, caller, callee);
    calls->calls[at] = figures->calls;
    calls->primitive_calls[at] = figures->primitive_calls;
    calls->self[at] = figures->self;
    calls->cum[at] = figures->cum;
}

void builder_prefetch_call(const struct callgraph_builder *builder, uint32_t caller)
{
    const struct edge_totals *edge_totals = &builder->shared->graph.edge_totals;

    if (caller < edge_totals->count)
        __builtin_prefetch(&edge_totals->out_cum[caller], 1);
}

void builder_forget_callers(struct callgraph_builder *builder, uint32_t callee)
{
    struct edge_totals *edge_totals = &builder->shared->graph.edge_totals;
    size_t old = builder->calls_from_cap;

    if (callee < edge_totals->count) {
        edge_totals->in_calls[callee] = edge_totals->in_self[callee] = edge_totals->in_cum[callee] =
            0;
        edge_totals->marks[callee] = 0;
        edge_totals->is_partial = true;
    }
    if (callee >= old) {
        builder->calls_from_cap = grow_cap(old, (size_t)callee + 1);
        builder->calls_from =
            grow_to(builder->calls_from, builder->calls_from_cap, sizeof(uint32_t));
        memset(builder->calls_from + old, 0, (builder->calls_from_cap - old) * sizeof(uint32_t));
    }
    builder->calls_from[callee] = builder->shared->graph.calls.count;
}

/* Closes the gaps that builder_forget_callers() left. */
static void drop_forgotten(const struct callgraph_builder *builder, struct calls *calls)
{
    uint32_t kept = 0;

    for (uint32_t i = 0; i < calls->count; i++) {
        uint32_t callee = calls->callee[i];

        if (callee < builder->calls_from_cap && i < builder->calls_from[callee])
            continue;
        calls->caller[kept] = calls->caller[i];
        calls->callee[kept] = callee;
        calls->calls[kept] = calls->calls[i];
        calls->primitive_calls[kept] = calls->primitive_calls[i];
        calls->self[kept] = calls->self[i];
        calls->cum[kept] = calls->cum[i];
        kept++;
    }
    calls->count = kept;
}

/* Moves row i of each column that is there to place[i]. What is moved last is in the room of what
 * came before. */
static void move_columns(int64_t **const *columns, size_t column_count, size_t cap,
                         const uint32_t *place, uint32_t count)
{
    int64_t *to = grow_to(NULL, cap + 1, sizeof(*to));

    for (size_t c = 0; c < column_count; c++) {
        int64_t *from = *columns[c];

        if (!from)
            continue;
        for (uint32_t i = 0; i < count; i++)
            to[place[i]] = from[i];
        *columns[c] = to;
        to = from;
    }
    free(to);
}

static void move_functions(struct functions *f, const uint32_t *place)
{
    int64_t **const columns[] = {&f->calls, &f->primitive_calls, &f->self, &f->cum, &f->min,
                                 &f->max};
    frame_id *frames = grow_to(NULL, (size_t)f->cap + 1, sizeof(*frames));

    for (uint32_t i = 0; i < f->count; i++)
        frames[place[i]] = f->frame[i];
    free(f->frame);
    f->frame = frames;
    move_columns(columns, COUNT_OF(columns), f->cap, place, f->count);
}

static void move_values(struct callgraph_builder *builder, const uint32_t *place)
{
    struct functions *f = &builder->shared->graph.functions;
    size_t values = builder->shared->graph.values.count;
    int64_t *each;

    if (!f->each)
        return;
    each = grow_zeroed((size_t)f->count * values, sizeof(*each));
    for (uint32_t i = 0; i < f->count && i < builder->each_cap; i++)
        memcpy(each + place[i] * values, f->each + i * values, values * sizeof(*each));
    free(f->each);
    f->each = each;
}

static void move_estimates(struct callgraph_builder *builder, const uint32_t *place)
{
    struct functions *f = &builder->shared->graph.functions;
    uint8_t *estimates;

    if (!f->estimates)
        return;
    estimates = grow_zeroed(f->count, sizeof(*estimates));
    for (uint32_t i = 0; i < f->count && i < builder->estimates_cap; i++)
        estimates[place[i]] = f->estimates[i];
    free(f->estimates);
    f->estimates = estimates;
}

void build_calls_finish(struct callgraph_builder *builder)
{
    struct graph *graph = &builder->shared->graph;
    struct edge_totals *totals = &graph->edge_totals;
    uint32_t count = graph->functions.count, next = builder->listed;
    uint32_t *place = grow_to(NULL, (size_t)count + 1, sizeof(*place));

    /* from the order of first mention to the file's: the listed ones first, then the others */
    for (uint32_t i = 0; i < count; i++)
        place[i] = builder->listed_at[i] ? builder->listed_at[i] - 1 : next++;
    if (builder->calls_from)
        drop_forgotten(builder, &graph->calls);
    graph->functions.listed = builder->listed;
    for (uint32_t i = 0; i < graph->calls.count; i++) {
        graph->calls.caller[i] = place[graph->calls.caller[i]];
        graph->calls.callee[i] = place[graph->calls.callee[i]];
    }
    if (builder->shared->options.need == LEVEL_FLAT) {
        int64_t **const columns[] = {&totals->in_calls, &totals->in_self, &totals->in_cum,
                                     &totals->out_cum};

        edge_totals_grow(totals, count);
        uint8_t *marks = grow_to(NULL, (size_t)totals->cap + 1, sizeof(*marks));

        for (uint32_t i = 0; i < totals->count; i++)
            marks[place[i]] = totals->marks[i];
        free(totals->marks);
        totals->marks = marks;
        move_columns(columns, COUNT_OF(columns), totals->cap, place, totals->count);
    }
    move_functions(&graph->functions, place);
    move_values(builder, place);
    move_estimates(builder, place);
    free(place);
}
