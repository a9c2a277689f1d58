#include "graph/label.h"

#include <inttypes.h>
#include <stdio.h>

static struct span joined(struct arena *arena, struct span file, int64_t line, struct span name)
{
    char number[32];
    int digits = snprintf(number, sizeof(number), ":%" PRId64 "(", line);
    size_t len = file.len + (size_t)digits + name.len + 1;
    char *text = arena_array(arena, len, 1);

    memcpy(text, file.at, file.len);
    memcpy(text + file.len, number, (size_t)digits);
    memcpy(text + file.len + digits, name.at, name.len);
    text[len - 1] = ')';
    return (struct span){text, len};
}

/* "<built-in len>" → "{built-in len}", as pstats shows it */
static struct span braced(struct arena *arena, struct span name)
{
    char *text;

    if (!span_starts(name, SPAN("<")) || !span_ends(name, SPAN(">")))
        return name;
    text = arena_copy(arena, name);
    text[0] = '{';
    text[name.len - 1] = '}';
    return (struct span){text, name.len};
}

/* Traces have the place in the name: "file.py(12): function". */
static bool has_place(struct span name, struct span file)
{
    return file.len && name.len > file.len && span_starts(name, file) && name.at[file.len] == '(';
}

struct span frame_label(const struct graph *graph, frame_id id, struct arena *arena)
{
    const struct frame *frame = graph_frame(graph, id);
    struct span name = graph_text(graph, frame->name);

    if (frame->kind == KIND_PYTHON && has_place(name, graph_text(graph, frame->file)))
        return name;
    if (frame->kind == KIND_PYTHON && (frame->file || frame->line || !frame->name))
        return joined(arena, graph_text(graph, frame->file), frame->line, name);
    return frame->kind == KIND_HOST && !frame->file ? braced(arena, name) : name;
}
