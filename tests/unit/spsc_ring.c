/* SPDX-License-Identifier: Apache-2.0 */
#include <criterion/criterion.h>

#include "base/parallel/parallel.h"

enum { SLOTS = 3 };

struct numbers {
    int slots[SLOTS];
    int next, last;
};

static bool fill(void *context, size_t slot)
{
    struct numbers *numbers = context;

    numbers->slots[slot] = numbers->next++;
    return numbers->next <= numbers->last;
}

Test(ring, slots_come_in_order_to_the_last)
{
    static const int lasts[] = {0, 1, 2, 3, 1000};

    for (size_t i = 0; i < sizeof(lasts) / sizeof(lasts[0]); i++) {
        struct numbers numbers = {.last = lasts[i]};
        struct spsc_ring *ring = ring_start(SLOTS, fill, &numbers);
        size_t slot;
        int seen = 0;

        cr_assert_not_null(ring);
        while (ring_take(ring, &slot)) {
            cr_expect_eq(numbers.slots[slot], seen++);
            ring_release(ring);
        }
        cr_expect_eq(seen, lasts[i] + 1);
        cr_expect_not(ring_take(ring, &slot), "the end stays the end");
        ring_stop(ring);
    }
}

/* The filler waits for room then, or is in the middle of a slot. */
Test(ring, can_end_before_all_is_taken)
{
    for (int taken = 0; taken < 5; taken++) {
        struct numbers numbers = {.last = 1000000};
        struct spsc_ring *ring = ring_start(SLOTS, fill, &numbers);
        size_t slot;

        cr_assert_not_null(ring);
        for (int i = 0; i < taken; i++) {
            cr_expect(ring_take(ring, &slot));
            ring_release(ring);
        }
        ring_stop(ring);
        cr_expect_leq(numbers.next, taken + SLOTS);
    }
}
