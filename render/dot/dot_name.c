/* SPDX-License-Identifier: Apache-2.0 */
/* How nodes of a graph for Graphviz are labelled. */
#include "render/dot/dot.h"

#include <inttypes.h>

#include "base/text/escape.h"
#include "graph/classify/function_class.h"

enum { NAME_MAX_BYTES = 4095, WRAP_COLUMNS = 32 };

/* "/lib/json/decoder.py" → "decoder" */
static struct span stem(struct span path)
{
    size_t slash = span_rfind(path, '/'), dot;

    if (slash != SIZE_MAX)
        path = span_after(path, slash + 1);
    dot = span_rfind(path, '.');
    if (dot != SIZE_MAX && dot > 0)
        path.len = dot;
    return path;
}

static struct span joined(struct arena *arena, struct span file, int64_t line, struct span name)
{
    const char *middle = arena_printf(arena, ":%" PRId64 ":", line);
    size_t len = file.len + strlen(middle) + name.len;
    char *text = arena_array(arena, len + 1, 1);

    memcpy(text, file.at, file.len);
    memcpy(text + file.len, middle, strlen(middle));
    memcpy(text + len - name.len, name.at, name.len);
    return (struct span){text, len};
}

static struct span whole_name(const struct graph *graph, const struct frame *frame,
                              struct arena *arena)
{
    struct span name = graph_text(graph, frame->name);

    if (frame->kind == KIND_PYTHON)
        return joined(arena, stem(graph_text(graph, frame->file)), frame->line, name);
    if (frame->kind == KIND_HOST && !frame->file && name_is_bracketed(name))
        return joined(arena, SPAN("~"), 0, name);
    return name;
}

static size_t characters(struct span text)
{
    size_t count = 0;

    for (; text.len; count++)
        text = span_after(text, utf8_next(text).len);
    return count;
}

/* Greedy, at blanks; a word longer than a line stays whole. */
static void write_wrapped(FILE *out, struct span name)
{
    size_t column = 0;

    while (name.len) {
        struct span word = span_split(&name, ' ');
        size_t width = characters(word);

        if (word.len == 0)
            continue;
        if (column && column + 1 + width > WRAP_COLUMNS) {
            fputs("\\n", out);
            column = 0;
        }
        if (column)
            putc(' ', out);
        escape_dot(out, word);
        column += width + (column > 0);
    }
}

/* Never inside a character. */
static struct span cut(struct span name)
{
    if (name.len > NAME_MAX_BYTES) {
        name.len = NAME_MAX_BYTES;
        while (name.len && ((unsigned char)name.at[name.len] & 0xC0) == 0x80)
            name.len--;
    }
    return name;
}

void dot_name(FILE *out, const struct graph *graph, const struct frame *frame,
              bool strips_arguments, bool wraps)
{
    struct arena arena = {0};
    struct span name = whole_name(graph, frame, &arena), shown;

    if (strips_arguments)
        name = cpp_name_short(name, &arena);
    shown = cut(name);
    if (wraps && characters(shown) > WRAP_COLUMNS)
        write_wrapped(out, shown);
    else
        escape_dot(out, shown);
    if (shown.len < name.len)
        fputs("…", out);
    arena_free(&arena);
}

/* "net/http.(*conn).serve" → "http.(*conn).serve": paths of packages are long and say little. */
static struct span without_path(struct span name)
{
    size_t end = 0, slash;

    while (end < name.len && !memchr("(<[ ", name.at[end], 4))
        end++;
    slash = span_rfind((struct span){name.at, end}, '/');
    return slash != SIZE_MAX && slash + 1 < name.len ? span_after(name, slash + 1) : name;
}

/* "::" and "." end a line, but not within brackets or at an end of the name. */
static void write_parts(FILE *out, struct span name)
{
    size_t from = 0, depth = 0;

    for (size_t i = 0; i + 1 < name.len; i++) {
        size_t separator = name.at[i] == '.'                            ? 1
                           : name.at[i] == ':' && name.at[i + 1] == ':' ? 2
                                                                        : 0;

        if (memchr("(<[", name.at[i], 3))
            depth++;
        else if (memchr(")>]", name.at[i], 3) && depth)
            depth--;
        if (!separator || depth || i == from || i + separator >= name.len)
            continue;
        escape_dot(out, (struct span){name.at + from, i - from});
        fputs("\\n", out);
        from = i + separator;
        i = from - 1;
    }
    escape_dot(out, span_after(name, from));
}

void dot_name_parts(FILE *out, const struct graph *graph, const struct frame *frame)
{
    struct arena arena = {0};
    struct span name = graph_text(graph, frame->name), file = graph_text(graph, frame->file);
    struct span shown = without_path(name);
    size_t slash = span_rfind(file, '/');
    bool has_receiver = false; /* "regexp.(*machine).add": brackets that tell whose method it is */

    for (size_t i = 0; i + 1 < shown.len; i++)
        has_receiver |= shown.at[i] == '(' && shown.at[i + 1] == '*';
    if (!has_receiver)
        shown = cpp_name_short(shown, &arena);
    write_parts(out, cut(shown.len ? shown : name));
    if (frame->kind == KIND_PYTHON && file.len) {
        fputs("\\n", out);
        escape_dot(out, cut(slash == SIZE_MAX ? file : span_after(file, slash + 1)));
        fprintf(out, ":%" PRId64, frame->line);
    }
    arena_free(&arena);
}

void dot_tooltip(FILE *out, const struct graph *graph, const struct frame *frame)
{
    struct span text = graph_text(graph, frame->file ? frame->file : frame->name);

    escape_dot(out, cut(text));
}
