/* source_text.h — the text of a source file that a profile names, where it can be found now */
#ifndef PTK_BASE_TEXT_SOURCE_TEXT_H
#define PTK_BASE_TEXT_SOURCE_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/memory/arena.h"
#include "base/text/span.h"

enum { CODE_TEXT_MAX = 16 << 20 };

struct code_text {
    struct span *lines; /* without their ends; line 1 is the first */
    size_t count;
};

/* Looks for `path` itself, then in each directory (the last is NULL), first all of the path below
 * it and then less and less: for "a/b.py" DIR/a/b.py and DIR/b.py. Only regular files of at most
 * CODE_TEXT_MAX bytes are read. The lines are in the arena. False when there is none. */
bool code_text_find(struct code_text *text, struct span path, const char *const *directories,
                    struct arena *arena);

/* The text of a line, counted from 1; `at` is NULL when the file has no such line. */
static inline struct span code_text_line(const struct code_text *text, int64_t line)
{
    return line > 0 && (uint64_t)line <= text->count ? text->lines[line - 1] : (struct span){0};
}

#endif
