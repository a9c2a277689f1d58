/* SPDX-License-Identifier: Apache-2.0 */
#include <criterion/criterion.h>

#include "base/checked.h"
#include "base/memory/memory.h"

/* The things are the numbers themselves, `list` their owner. */
static uint32_t find(const struct index *index, const uint64_t *list, uint64_t thing, uint32_t hash,
                     struct index_place *place)
{
    uint32_t id;

    *place = index_start(index, hash);
    while ((id = index_next(index, place)))
        if (list[id] == thing)
            return id;
    return 0;
}

/* Adds `count` things under the hashes that `hash_of` gives, and finds each again. */
static void fill_and_find(uint32_t (*hash_of)(uint32_t thing), uint32_t count)
{
    static uint64_t list[5001];
    struct index index = {0};
    struct index_place place;

    for (uint32_t i = 1; i <= count; i++) {
        list[i] = i * 3u;
        index_reserve(&index);
        cr_expect_eq(find(&index, list, list[i], hash_of(i), &place), 0);
        cr_expect_eq(index_add(&index, &place), i, "ids come in order");
    }
    cr_expect_eq(index.last, count);
    for (uint32_t i = 1; i <= count; i++)
        cr_expect_eq(find(&index, list, list[i], hash_of(i), &place), i);
    cr_expect_eq(find(&index, list, 1, hash_of(1), &place), 0, "same hash, another thing");
    cr_expect_leq((index.last + 1) * 2, index.cap + 1, "at most half full");
    index_free(&index);
    cr_expect_eq(index.cap, 0);
}

static uint32_t spread(uint32_t thing)
{
    return thing * 2654435761u;
}

static uint32_t all_one(uint32_t thing)
{
    (void)thing;
    return 0xDEADBEEF;
}

/* All slots from the last one on, round the end. */
static uint32_t at_the_end(uint32_t thing)
{
    return thing << 28 | 0x0FFFFFFF;
}

static uint32_t zero(uint32_t thing)
{
    (void)thing;
    return 0; /* a tag of 0 would be a free slot */
}

Test(index, things_are_found_again_as_it_grows)
{
    fill_and_find(spread, 5000);
}

Test(index, things_of_one_hash_are_told_apart)
{
    static uint32_t (*const hashes[])(uint32_t) = {all_one, at_the_end, zero};

    for (size_t i = 0; i < COUNT_OF(hashes); i++)
        fill_and_find(hashes[i], 600);
}
