/* SPDX-License-Identifier: Apache-2.0 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/advice/thresholds.h"
#include "base/memory/memory.h"

/* The table of thresholds, the manual that shows it, and the cases that move each of its rows. */

static char *text_of_file(const char *path)
{
    FILE *file = fopen(path, "rb");
    char *text;
    long length;

    cr_assert_not_null(file, "%s", path);
    fseek(file, 0, SEEK_END);
    length = ftell(file);
    rewind(file);
    text = grow_zeroed((size_t)length + 1, 1);
    cr_assert_eq(fread(text, 1, (size_t)length, file), (size_t)length);
    fclose(file);
    return text;
}

Test(thresholds, the_manual_lists_all_in_their_order)
{
    char *manual = text_of_file("man/advise.txt");
    const char *at = strstr(manual, "# THRESHOLDS\n");
    struct arena arena = {0};

    cr_assert_not_null(at);
    for (int i = 0; i < LIMIT_COUNT; i++) {
        const struct threshold_row *row = &threshold_rows[i];
        bool is_share = row->unit == LIMIT_SHARE;
        const char *entry = arena_printf(&arena, "\n%s [%.10g%s]\n    %s (%s)\n", row->name,
                                         is_share ? row->value * 100 : row->value,
                                         is_share ? "%" : "", row->what, row->moves);
        const char *found = strstr(at, entry);

        cr_expect_not_null(found, "man/advise.txt lacks, or has in another place:%s", entry);
        at = found ? found : at;
    }
    arena_free(&arena);
    free(manual);
}

/* tests/check_thresholds runs them. */
Test(thresholds, each_has_a_case_that_moves_it)
{
    char *cases = text_of_file("tests/thresholds.txt");
    struct arena arena = {0};

    for (int i = 0; i < LIMIT_COUNT; i++)
        cr_expect_not_null(strstr(cases, arena_printf(&arena, "\n%s ", threshold_rows[i].name)),
                           "tests/thresholds.txt has no case of %s", threshold_rows[i].name);
    arena_free(&arena);
    free(cases);
}

Test(thresholds, all_can_be_set_by_their_names)
{
    struct thresholds thresholds;
    struct arena arena = {0};
    struct error err = {0};

    thresholds_default(&thresholds);
    for (int i = 0; i < LIMIT_COUNT; i++) {
        cr_expect(thresholds_set(&thresholds, arena_printf(&arena, "%s=7", threshold_rows[i].name),
                                 &err));
        cr_expect_eq(thresholds.of[i], 7, "%s", threshold_rows[i].name);
    }
    arena_free(&arena);
}
