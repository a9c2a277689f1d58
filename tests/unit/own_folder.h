/* SPDX-License-Identifier: Apache-2.0 */
/* own_folder.h — a folder for one test, below $TMPDIR, which tests/run-units removes with all that is in it */
#ifndef PTK_TESTS_UNIT_OWN_FOLDER_H
#define PTK_TESTS_UNIT_OWN_FOLDER_H

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>

enum { OWN_FOLDER_MAX = 256 };

/* Makes it, and writes its path into `path`, of OWN_FOLDER_MAX bytes. */
static inline void own_folder(char *path)
{
    const char *above = getenv("TMPDIR");

    snprintf(path, OWN_FOLDER_MAX, "%s/ptk-unit-XXXXXX", above ? above : "/tmp");
    cr_assert_not_null(mkdtemp(path));
}

#endif
