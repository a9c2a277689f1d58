/* SPDX-License-Identifier: Apache-2.0 */
/* source_text.h — the text of a source file that a profile names, where it can be found now */
#ifndef PTK_BASE_IO_SOURCE_TEXT_H
#define PTK_BASE_IO_SOURCE_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/memory/memory.h"
#include "base/memory/span.h"

enum { CODE_TEXT_MAX = 16 << 20 };

struct code_text {
    struct span *lines; /* without their ends; line 1 is the first */
    size_t count;
    size_t size;      /* bytes of the lines */
    const char *path; /* where it was read; NULL: it was not */
    bool is_outside;  /* there is a file of that name where none may be read */
};

/* Where sources may be read. A profile from a stranger may name any file of the machine, and what
 * is made from it may be sent around. */
struct source_places {
    const char *const *directories; /* beside the working directory; the last is NULL */
    bool is_any;                    /* anywhere */
};

/* Looks for `path` itself, then in each directory, first all of the path below it and then less and
 * less: for "a/b.py" DIR/a/b.py and DIR/b.py. Only regular files of at most CODE_TEXT_MAX bytes are
 * read, and only in the places (path_is_below() says how). The lines are in the arena. False when
 * there is none; the text then has no lines, and says whether one is outside. */
bool code_text_find(struct code_text *text, struct span path, const struct source_places *places,
                    struct arena *arena);

/* The text of a line, counted from 1; `at` is NULL when the file has no such line. */
static inline struct span code_text_line(const struct code_text *text, int64_t line)
{
    return line > 0 && (uint64_t)line <= text->count ? text->lines[line - 1] : (struct span){0};
}

#endif
