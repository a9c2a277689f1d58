/* SPDX-License-Identifier: Apache-2.0 */
/* paths.c — which files a profile's names may lead to */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/checked.h"
#include "base/io/io.h"
#include "tests/unit/own_folder.h"

static void touch(const char *path)
{
    FILE *file = fopen(path, "w");

    cr_assert_not_null(file);
    fclose(file);
}

Test(path_below, follows_links_and_parents_and_passes_over_what_is_hidden)
{
    char root[OWN_FOLDER_MAX];
    static const struct {
        const char *path, *directory;
        bool is_below;
    } cases[] = {
        {"in/a", "in", true},
        {"in/deep/b", "in", true},
        {"in/deep/../a", "in", true},
        {"in/../out", "in", false},
        {"out", "in", false},
        {"in/to-out", "in", false},
        {"in/to-out", ".", true},
        {"in-more/c", "in", false},
        {"in/.ssh/key", "in", false},
        {"in/.ssh/key", "in/.ssh", true},
        {"in/.env", "in", false},
        {"to-in/a", "in", true},
        {"in/a", "to-in", true},
        {"in/gone", "in", false},
        {"in/a", "gone", false},
        {"in/a", "/", true},
        {"/etc/../etc/passwd", ".", false},
    };

    own_folder(root);
    cr_assert_eq(chdir(root), 0);
    cr_assert(mkdir("in", 0700) == 0 && mkdir("in/deep", 0700) == 0);
    cr_assert(mkdir("in/.ssh", 0700) == 0 && mkdir("in-more", 0700) == 0);
    for (size_t i = 0; i < 6; i++)
        touch(
            (const char *[]){"in/a", "in/deep/b", "out", "in-more/c", "in/.ssh/key", "in/.env"}[i]);
    cr_assert(symlink("../out", "in/to-out") == 0 && symlink("in", "to-in") == 0);
    for (size_t i = 0; i < COUNT_OF(cases); i++)
        cr_expect_eq(path_is_below(cases[i].path, cases[i].directory), cases[i].is_below,
                     "%s below %s", cases[i].path, cases[i].directory);
    cr_expect(path_is_local("in/a") && !path_is_local("/etc/passwd"));
    cr_assert(chdir("/") == 0);
    cr_expect_not(path_is_local("etc/passwd"), "everything is below /");
}
