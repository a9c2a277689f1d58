/* SPDX-License-Identifier: Apache-2.0 */
#include "base/io/source_text.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/io/io.h"
#include "base/memory/memory.h"

static bool read_lines(struct code_text *text, const char *path, struct arena *arena)
{
    struct input_options options = {.max_size = CODE_TEXT_MAX};
    struct error ignored = {0};
    struct input in;
    struct span line, *lines = NULL;
    size_t cap = 0, count = 0, size = 0;

    if (!input_open(&in, path, &options, &ignored))
        return false;
    for (; input_line(&in, &line); count++) {
        lines = grow_one(lines, count, &cap, sizeof(*lines));
        lines[count] = (struct span){arena_copy(arena, line), line.len};
        size += line.len;
    }
    input_close(&in);
    *text = (struct code_text){.lines = arena_array(arena, count, sizeof(*lines)),
                               .count = count,
                               .size = size,
                               .path = arena_copy(arena, span_of(path))};
    if (count)
        memcpy(text->lines, lines, count * sizeof(*lines));
    free(lines);
    return true;
}

/* Takes the file if there is one and it may be read; a device or a pipe could keep us for ever. */
static bool try_path(struct code_text *text, const char *path, const struct source_places *places,
                     struct arena *arena)
{
    struct stat info;
    bool is_in;

    if (stat(path, &info) != 0 || !S_ISREG(info.st_mode) || info.st_size > CODE_TEXT_MAX)
        return false;
    is_in = places->is_any || path_is_local(path);
    for (size_t i = 0; !is_in && places->directories[i]; i++)
        is_in = path_is_below(path, places->directories[i]);
    text->is_outside |= !is_in;
    return is_in && read_lines(text, path, arena);
}

bool code_text_find(struct code_text *text, struct span path, const struct source_places *places,
                    struct arena *arena)
{
    *text = (struct code_text){0};
    if (path.len == 0 || path.len > 4096 || memchr(path.at, '\0', path.len))
        return false;
    if (try_path(text, arena_copy(arena, path), places, arena))
        return true;
    for (size_t i = 0; places->directories[i]; i++)
        for (struct span rest = path; rest.len;) {
            size_t slash = span_find(rest, SPAN("/"));

            if (try_path(
                    text,
                    arena_printf(arena, "%s/%.*s", places->directories[i], (int)rest.len, rest.at),
                    places, arena))
                return true;
            rest = span_after(rest, slash == SIZE_MAX ? rest.len : slash + 1);
        }
    return false;
}
