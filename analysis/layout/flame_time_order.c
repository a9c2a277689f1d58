/* SPDX-License-Identifier: Apache-2.0 */
/* flame_time_order.c — functions that stand in another place than before
 *
 * A wrapper around main() puts every box in a new place, and a call graph's cycles come and go
 * with one call. So what a function had in places that are gone is what its boxes in new places
 * are compared with, in proportion to their self values. */
#include "analysis/layout/flame.h"
#include "base/checked.h"

/* Self values by key that are in no box which stands where it stood. */
struct unplaced {
    int64_t *had, *has;
};

static uint32_t most_key(const uint32_t *key, const struct graph *graph, uint32_t most)
{
    for (frame_id id = 1; id < graph->frames.count; id++)
        most = key[id] > most ? key[id] : most;
    return most;
}

static int64_t *sum_by_key(const struct graph *graph, const uint32_t *key, uint32_t keys,
                           struct arena *arena)
{
    int64_t *sum = arena_array(arena, keys, sizeof(*sum));

    for (uint32_t i = 0; i < graph->functions.listed; i++) {
        int64_t self = graph->functions.self[i], *at = &sum[key[graph->functions.frame[i]]];

        *at = checked_add(*at, self > 0 ? self : 0);
    }
    return sum;
}

static bool is_function(const struct flame_box *box)
{
    return !box->merged;
}

static void place_box(struct unplaced *unplaced, uint32_t key, const struct flame_box *box)
{
    unplaced->had[key] = checked_sub(unplaced->had[key], box->self_before);
    unplaced->has[key] = checked_sub(unplaced->has[key], box->self);
}

/* What the box gets of what its function had elsewhere. */
static int64_t take_unplaced(struct unplaced *unplaced, uint32_t key, int64_t self, int64_t most)
{
    int64_t *had = &unplaced->had[key], *has = &unplaced->has[key];
    int64_t part = *had > 0 && self > 0 && self <= *has ? checked_share(*had, self, *has) : 0;

    part = part < most ? part : most;
    *had -= part;
    *has = checked_sub(*has, self);
    return part;
}

void flame_compare_moved(const struct graph *graph, const struct flame_past *past,
                         struct flame *flame, struct arena *arena)
{
    const uint32_t *key = past->key_now;
    uint32_t keys = most_key(key, graph, most_key(past->key, past->graph, 0)) + 1;
    struct unplaced unplaced = {.had = sum_by_key(past->graph, past->key, keys, arena),
                                .has = sum_by_key(graph, key, keys, arena)};

    for (uint32_t i = 0; i < flame->count; i++)
        if (is_function(&flame->boxes[i]) && !flame->boxes[i].is_new)
            place_box(&unplaced, key[flame->boxes[i].frame], &flame->boxes[i]);
    for (uint32_t i = 0; i < flame->count; i++) {
        struct flame_box *box = &flame->boxes[i];

        if (!box->is_new || !is_function(box))
            continue;
        box->self_before = take_unplaced(&unplaced, key[box->frame], box->self, flame->gone);
        flame->gone -= box->self_before;
    }
    for (uint32_t i = flame->count; i-- > 0;) {
        struct flame_box *box = &flame->boxes[i];

        if (box->is_new)
            box->total_before = checked_add(box->total_before, box->self_before);
        if (box->parent != NO_BOX && flame->boxes[box->parent].is_new)
            flame->boxes[box->parent].total_before =
                checked_add(flame->boxes[box->parent].total_before, box->total_before);
    }
}
