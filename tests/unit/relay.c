#include <criterion/criterion.h>

#include "base/parallel/spsc_ring.h"

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

Test(relay, slots_come_in_order_to_the_last)
{
    static const int lasts[] = {0, 1, 2, 3, 1000};

    for (size_t i = 0; i < sizeof(lasts) / sizeof(lasts[0]); i++) {
        struct numbers numbers = {.last = lasts[i]};
        struct relay *relay = relay_start(SLOTS, fill, &numbers);
        size_t slot;
        int seen = 0;

        cr_assert_not_null(relay);
        while (relay_take(relay, &slot)) {
            cr_expect_eq(numbers.slots[slot], seen++);
            relay_give_back(relay);
        }
        cr_expect_eq(seen, lasts[i] + 1);
        cr_expect_not(relay_take(relay, &slot), "the end stays the end");
        relay_end(relay);
    }
}

/* The filler waits for room then, or is in the middle of a slot. */
Test(relay, can_end_before_all_is_taken)
{
    for (int taken = 0; taken < 5; taken++) {
        struct numbers numbers = {.last = 1000000};
        struct relay *relay = relay_start(SLOTS, fill, &numbers);
        size_t slot;

        cr_assert_not_null(relay);
        for (int i = 0; i < taken; i++) {
            cr_expect(relay_take(relay, &slot));
            relay_give_back(relay);
        }
        relay_end(relay);
        cr_expect_leq(numbers.next, taken + SLOTS);
    }
}
