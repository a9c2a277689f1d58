/* SPDX-License-Identifier: Apache-2.0 */
/* flame_diff.c — which box of an earlier profile is which of this one
 *
 * Places are compared, not functions: two boxes are one when they are the same function on boxes
 * that are one. So both profiles are walked together, from the ground. */
#include <stdlib.h>

#include "analysis/layout/flame.h"
#include "base/checked.h"
#include "base/memory/memory.h"

/* The items of one side, by what is compared. */
struct flame_side {
    const struct flame_items *items;
    const uint32_t *key; /* by frame */
    uint32_t *order, at;
};

static uint64_t key_of(const struct flame_side *side, uint32_t item)
{
    return side->key[side->items->list[item].box.frame];
}

static bool is_keyed_before(const void *context, uint32_t a, uint32_t b)
{
    return key_of(context, a) < key_of(context, b);
}

static uint64_t head_key(const struct flame_side *side)
{
    return side->at < side->items->count ? key_of(side, side->order[side->at]) : UINT64_MAX;
}

/* Both sides are in the order of their keys, which are distinguished within a side. */
static void pair_sides(struct flame_pairing *pairing, struct flame_side *now,
                       struct flame_side *before)
{
    while (before->at < before->items->count) {
        uint64_t key = head_key(before), key_now = head_key(now);

        const struct flame_item *old = &before->items->list[before->order[before->at]];

        if (key == key_now) {
            struct flame_item *item = &now->items->list[now->order[now->at]];

            item->ref_before = old->ref;
            item->box.total_before = old->box.total;
            item->box.is_estimate |= old->box.is_estimate;
        } else if (key < key_now) {
            pairing->gone = checked_add(pairing->gone, old->box.total);
        }
        before->at += key <= key_now;
        now->at += key_now <= key;
    }
}

void flame_pair(struct flame_pairing *pairing, struct flame_item *item, struct flame_items *above)
{
    struct flame_item past = {
        .ref = item->ref_before,
        .box = {.total = item->box.total_before, .is_estimate = item->box.is_estimate}};
    struct flame_side now = {.items = above, .key = pairing->past->key_now};
    struct flame_side before = {.items = &pairing->before, .key = pairing->past->key};

    if (item->ref_before == NO_BOX)
        return;
    pairing->before.count = 0;
    pairing->source->expand(pairing->source, &past, &pairing->before);
    item->box.self_before = past.box.self;
    now.order = sorted_order(above->count, is_keyed_before, &now);
    before.order = sorted_order(pairing->before.count, is_keyed_before, &before);
    pair_sides(pairing, &now, &before);
    free(now.order);
    free(before.order);
}
