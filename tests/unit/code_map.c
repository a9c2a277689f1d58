/* SPDX-License-Identifier: Apache-2.0 */
#include <criterion/criterion.h>

#include "base/checked.h"
#include "base/symbols/symbols.h"

/* One function with two inlined into it, the second with another inside; a gap; a second
 * function. */
static void fill(struct code_map *map)
{
    code_map_add(map, 0x200, 0x280, 5, 1);
    code_map_add(map, 0x140, 0x180, 4, 3);
    code_map_add(map, 0x140, 0x180, 3, 2);
    code_map_add(map, 0x110, 0x120, 2, 2);
    code_map_add(map, 0x100, 0x1c0, 1, 1);
    code_map_add(map, 0x300, 0x300, 6, 1);
    code_map_seal(map);
}

Test(code_map, the_innermost_range_comes_first_and_leads_outwards)
{
    static const struct {
        uint64_t address, items[4];
    } cases[] = {{0xff, {0}},        {0x100, {1}},       {0x110, {2, 1}},   {0x11f, {2, 1}},
                 {0x120, {1}},       {0x1bf, {1}},       {0x1c0, {0}},      {0x1ff, {0}},
                 {0x140, {4, 3, 1}}, {0x17f, {4, 3, 1}}, {0x180, {1}},      {0x27f, {5}},
                 {0x280, {0}},       {0x300, {0}},       {UINT64_MAX, {0}}, {0, {0}}};
    struct code_map map = {0};

    fill(&map);
    cr_expect_eq(map.count, 5, "empty ranges are none");
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        uint32_t at = code_map_find(&map, cases[i].address);

        for (const uint64_t *item = cases[i].items; *item; item++) {
            cr_assert_neq(at, CODE_NONE, "0x%lx", (unsigned long)cases[i].address);
            cr_expect_eq(map.list[at].item, *item, "0x%lx", (unsigned long)cases[i].address);
            at = map.list[at].outer;
        }
        cr_expect_eq(at, CODE_NONE, "0x%lx", (unsigned long)cases[i].address);
    }
    code_map_free(&map);
}

Test(code_map, nothing_is_found_in_an_empty_one)
{
    struct code_map map = {0};

    code_map_seal(&map);
    cr_expect_eq(code_map_find(&map, 1), CODE_NONE);
    code_map_free(&map);
}
