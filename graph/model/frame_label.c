/* SPDX-License-Identifier: Apache-2.0 */
#include "graph/model/graph.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory/memory.h"

/* Texts may hold any byte, so no printf. */
static struct span concatenated(struct arena *arena, const struct span *parts, size_t count)
{
    size_t len = 0, at = 0;
    char *text;

    for (size_t i = 0; i < count; i++)
        len += parts[i].len;
    text = arena_array(arena, len + 1, 1);
    for (size_t i = 0; i < count; i++) {
        if (parts[i].len)
            memcpy(text + at, parts[i].at, parts[i].len);
        at += parts[i].len;
    }
    return (struct span){text, len};
}

/* "file.py:12(name)", and "file.py(name)" where the line is not known; pstats shows 0 for what has
 * none */
static struct span joined(struct arena *arena, const struct frame *frame, struct span file,
                          struct span name)
{
    char number[32] = "(";

    if (!frame->lacks_line)
        snprintf(number, sizeof(number), ":%" PRId64 "(", frame->line);
    return concatenated(arena, (struct span[]){file, span_of(number), name, SPAN(")")}, 4);
}

/* "name file.c:12", and "000000000040a1f0 name file.c:12", as pprof shows them */
static struct span placed(struct arena *arena, const struct frame *frame, struct span name,
                          struct span file)
{
    char address[32] = "", line[32] = "";

    if (frame->address)
        snprintf(address, sizeof(address), "%016" PRIx64 " ", frame->address);
    if (file.len && frame->line)
        snprintf(line, sizeof(line), ":%" PRId64, frame->line);

    struct span blank = {" ", file.len ? 1 : 0};

    return concatenated(arena, (struct span[]){span_of(address), name, blank, file, span_of(line)},
                        5);
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

/* Functions without a name are known by their places, and so are those of one name. */
static bool is_known_by_place(const struct frame *frame, struct span name)
{
    return frame->file &&
           (frame->shows_place || (frame->line && span_eq(name, SPAN("(anonymous)"))));
}

static struct span label_of(const struct graph *graph, const struct frame *frame,
                            struct arena *arena)
{
    struct span name = graph_text(graph, frame->name);

    if (graph->selection.grouped_by && frame->name == frame->file)
        return name; /* the group of all that is in a file */
    if (frame->kind == KIND_PYTHON && has_place(name, graph_text(graph, frame->file)))
        return name;
    if (frame->kind == KIND_PYTHON && graph->frames.detail != DETAIL_FILE &&
        (frame->file || frame->line || !frame->name))
        return joined(arena, frame, graph_text(graph, frame->file), name);
    if (graph->frames.detail != DETAIL_FUNCTION || is_known_by_place(frame, name))
        return placed(arena, frame, name, graph_text(graph, frame->file));
    return frame->kind == KIND_HOST && !frame->file ? braced(arena, name) : name;
}

struct span frame_label(const struct graph *graph, frame_id id, struct arena *arena)
{
    return label_of(graph, graph_frame(graph, id), arena);
}

struct span frame_label_of_function(const struct graph *graph, frame_id id, struct arena *arena)
{
    struct frame frame = *graph_frame(graph, id);

    if (frame_begins_at(&graph->frames, id) > 0)
        frame.line = frame_begins_at(&graph->frames, id);
    return label_of(graph, &frame, arena);
}

/* Each label is its key, its text, its unit and "n" or "t", each ended by a NUL. */
struct encoding {
    char *bytes;
    size_t len, cap;
};

static void append_escaped(struct encoding *encoding, struct span text)
{
    const char *end = text.len ? memchr(text.at, '\0', text.len) : NULL;
    size_t len = end ? (size_t)(end - text.at) : text.len;

    if (encoding->cap - encoding->len <= len) {
        encoding->cap = grow_cap(encoding->cap, encoding->len + len + 1);
        encoding->bytes = grow_to(encoding->bytes, encoding->cap, 1);
    }
    if (len)
        memcpy(encoding->bytes + encoding->len, text.at, len);
    encoding->len += len;
    encoding->bytes[encoding->len++] = '\0';
}

struct frame label_set_frame(struct strings *strings, const struct sample_label *labels,
                             uint32_t count)
{
    struct frame frame = {.kind = KIND_OTHER};
    struct encoding encoding = {0};

    for (uint32_t i = 0; i < count; i++) {
        append_escaped(&encoding, strings_get(strings, labels[i].key));
        append_escaped(&encoding, strings_get(strings, labels[i].text));
        append_escaped(&encoding, strings_get(strings, labels[i].unit));
        append_escaped(&encoding, labels[i].is_number ? SPAN("n") : SPAN("t"));
    }
    frame.name = strings_intern(strings, (struct span){encoding.bytes, encoding.len});
    free(encoding.bytes);
    return frame;
}

bool label_set_next(struct span *rest, struct set_label *label)
{
    if (rest->len == 0)
        return false;
    label->key = span_split(rest, '\0');
    label->text = span_split(rest, '\0');
    label->unit = span_split(rest, '\0');
    label->is_number = span_eq(span_split(rest, '\0'), SPAN("n"));
    return true;
}
