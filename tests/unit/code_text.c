/* SPDX-License-Identifier: Apache-2.0 */
/* code_text.c — where a source file is looked for, and what is not read */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/checked.h"
#include "base/io/source_text.h"
#include "tests/unit/own_folder.h"

static void write_file(const char *directory, const char *name, const char *text)
{
    char path[200];
    FILE *file;

    snprintf(path, sizeof(path), "%s/%s", directory, name);
    file = fopen(path, "w");
    cr_assert_not_null(file);
    fputs(text, file);
    fclose(file);
}

Test(code_text, is_found_below_directories_by_any_part_of_its_path)
{
    char root[OWN_FOLDER_MAX], below[OWN_FOLDER_MAX + 8], pipe[OWN_FOLDER_MAX + 8];
    static const struct {
        const char *path, *first;
    } cases[] = {
        {"/build/x/src/a.py", "one"},
        {"src/a.py", "one"},
        {"gone/b.py", "b"},
        {"b.py", "b"},
        {"/build/c.py", NULL},
        {"", NULL},
        {"src", NULL},
        {"pipe", NULL},
        {"/dev/zero", NULL},
        {"/etc/passwd", NULL},
        {"../../etc/passwd", NULL},
    };

    own_folder(root);
    snprintf(below, sizeof(below), "%s/src", root);
    snprintf(pipe, sizeof(pipe), "%s/pipe", root);
    cr_assert(mkdir(below, 0700) == 0 && mkfifo(pipe, 0600) == 0);
    write_file(root, "src/a.py", "one\ntwo\r\n\nfour");
    write_file(root, "a.py", "other\n");
    write_file(root, "b.py", "b\n");
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct arena arena = {0};
        struct code_text text;
        const struct source_places places = {(const char *[]){"/nowhere", root, NULL}, false};
        bool found = code_text_find(&text, span_of(cases[i].path), &places, &arena);

        cr_expect_eq(found, cases[i].first != NULL, "%s", cases[i].path);
        if (found && cases[i].first)
            cr_expect(span_eq(code_text_line(&text, 1), span_of(cases[i].first)), "%s",
                      cases[i].path);
        arena_free(&arena);
    }
}

Test(code_text, has_lines_from_1_on)
{
    char root[OWN_FOLDER_MAX];
    const struct source_places places = {(const char *[]){root, NULL}, false};
    struct arena arena = {0};
    struct code_text text;

    own_folder(root);
    write_file(root, "a.py", "one\ntwo\r\n\nfour");
    cr_assert(code_text_find(&text, SPAN("a.py"), &places, &arena));
    cr_expect_eq(text.count, 4);
    cr_expect(span_eq(code_text_line(&text, 2), SPAN("two")));
    cr_expect(span_eq(code_text_line(&text, 4), SPAN("four")));
    cr_expect_null(code_text_line(&text, 0).at);
    cr_expect_null(code_text_line(&text, 5).at);
    cr_expect_null(code_text_line(&text, INT64_MAX).at);
    arena_free(&arena);
}
