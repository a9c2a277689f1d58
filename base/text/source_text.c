#include "base/text/source_text.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/io/input.h"
#include "base/memory/grow.h"

/* A device or a pipe could keep us for ever. */
static bool is_regular(const char *path)
{
    struct stat stat_of;

    return stat(path, &stat_of) == 0 && S_ISREG(stat_of.st_mode) &&
           stat_of.st_size <= CODE_TEXT_MAX;
}

static bool read_lines(struct code_text *text, const char *path, struct arena *arena)
{
    struct input_options options = {.max_size = CODE_TEXT_MAX};
    struct error ignored = {0};
    struct input in;
    struct span line, *lines = NULL;
    size_t cap = 0, count = 0;

    if (!is_regular(path) || !input_open(&in, path, &options, &ignored))
        return false;
    for (; input_line(&in, &line); count++) {
        lines = grow_one(lines, count, &cap, sizeof(*lines));
        lines[count] = (struct span){arena_copy(arena, line), line.len};
    }
    input_close(&in);
    *text = (struct code_text){arena_array(arena, count, sizeof(*lines)), count};
    if (count)
        memcpy(text->lines, lines, count * sizeof(*lines));
    free(lines);
    return true;
}

static bool find_below(struct code_text *text, const char *directory, struct span path,
                       struct arena *arena)
{
    while (path.len) {
        if (read_lines(text, arena_printf(arena, "%s/%.*s", directory, (int)path.len, path.at),
                       arena))
            return true;
        const char *slash = memchr(path.at, '/', path.len);

        path = slash ? span_after(path, (size_t)(slash - path.at) + 1) : SPAN("");
    }
    return false;
}

bool code_text_find(struct code_text *text, struct span path, const char *const *directories,
                    struct arena *arena)
{
    *text = (struct code_text){0};
    if (path.len == 0 || path.len > 4096 || memchr(path.at, '\0', path.len))
        return false;
    if (read_lines(text, arena_copy(arena, path), arena))
        return true;
    for (; *directories; directories++)
        if (find_below(text, *directories, path, arena))
            return true;
    return false;
}
