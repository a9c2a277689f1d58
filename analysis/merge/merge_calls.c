/* SPDX-License-Identifier: Apache-2.0 */
/* merge_calls.c — functions and calls of one call graph onto those of another
 *
 * As Python's pstats.Stats.add: everything is summed, cumulative times as well. */
#include <stdlib.h>
#include <string.h>

#include "analysis/merge/merge.h"
#include "base/checked.h"
#include "base/memory/vector.h"

static int64_t sum_known(int64_t a, int64_t b)
{
    return a == UNKNOWN || b == UNKNOWN ? UNKNOWN : checked_add(a, b);
}

static uint32_t function_here(struct merge *merge, frame_id frame)
{
    uint32_t *at = idmap_at(&merge->function_of, frame);

    if (*at == IDMAP_NONE) {
        *at = functions_add(&merge->graph.functions, frame);
        merge->is_listed =
            grow_one(merge->is_listed, *at, &merge->is_listed_cap, sizeof(*merge->is_listed));
        merge->is_listed[*at] = false;
    }
    return *at;
}

static void add_function(struct merge *merge, uint32_t to, const struct functions *from,
                         uint32_t function)
{
    struct functions *f = &merge->graph.functions;

    merge->is_listed[to] = true;
    f->calls[to] = sum_known(f->calls[to], from->calls[function]);
    f->primitive_calls[to] = sum_known(f->primitive_calls[to], from->primitive_calls[function]);
    f->self[to] = sum_known(f->self[to], from->self[function]);
    f->cum[to] = sum_known(f->cum[to], from->cum[function]);
}

static void add_call(struct merge *merge, uint32_t caller, uint32_t callee,
                     const struct calls *from, uint32_t call)
{
    struct calls *c = &merge->graph.calls;
    uint32_t *known = idmap_at(&merge->call_of, idmap_pair(caller, callee)), at;

    if (*known == IDMAP_NONE)
        *known = calls_add(c, caller, callee);
    at = *known;
    c->calls[at] = sum_known(c->calls[at], from->calls[call]);
    c->primitive_calls[at] = sum_known(c->primitive_calls[at], from->primitive_calls[call]);
    c->self[at] = sum_known(c->self[at], from->self[call]);
    c->cum[at] = sum_known(c->cum[at], from->cum[call]);
}

/* The extremes of one call; where a profile does not tell calls apart they are gone for all. */
static void add_extremes(struct merge *merge, uint32_t to, const struct functions *from,
                         uint32_t function)
{
    struct functions *f = &merge->graph.functions;

    f->min[to] = from->min[function] < f->min[to] ? from->min[function] : f->min[to];
    f->max[to] = from->max[function] > f->max[to] ? from->max[function] : f->max[to];
}

static void drop_extremes(struct functions *functions)
{
    free(functions->min);
    free(functions->max);
    functions->min = functions->max = NULL;
}

/* New functions have extremes that any call replaces. */
static void grow_extremes(struct functions *f, uint32_t old_count)
{
    f->min = grow_to(f->min, f->cap, sizeof(*f->min));
    f->max = grow_to(f->max, f->cap, sizeof(*f->max));
    for (uint32_t i = old_count; i < f->count; i++) {
        f->min[i] = INT64_MAX;
        f->max[i] = INT64_MIN;
    }
}

void merge_calls(struct merge *merge, const struct graph *graph, const frame_id *frame_of)
{
    const struct functions *from = &graph->functions;
    const struct calls *calls = &graph->calls;
    struct functions *functions = &merge->graph.functions;
    uint32_t *place = grow_zeroed(from->count, sizeof(*place)), old_count = functions->count;
    bool has_extremes = from->min && (functions->min || merge->profiles == 0);

    for (uint32_t i = 0; i < from->count; i++)
        place[i] = function_here(merge, frame_of[from->frame[i]]);
    if (has_extremes)
        grow_extremes(functions, old_count);
    else
        drop_extremes(functions);
    for (uint32_t i = 0; i < from->listed; i++) {
        add_function(merge, place[i], from, i);
        if (has_extremes)
            add_extremes(merge, place[i], from, i);
    }
    for (uint32_t i = 0; i < calls->count; i++)
        add_call(merge, place[calls->caller[i]], place[calls->callee[i]], calls, i);
    free(place);
}
