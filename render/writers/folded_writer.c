/* SPDX-License-Identifier: Apache-2.0 */
/* folded_writer.c — one stack a line, the root first, then its own figure: "main;parse;read 12"
 *
 * Python functions carry their place as py-spy writes it: "f (dir/m.py:7)". Bytes that would end a
 * frame or a line, or make a comment of it, become "\x3b", which ptk reads back. */
#include <inttypes.h>
#include <stdlib.h>

#include "base/memory/memory.h"
#include "base/text/escape.h"
#include "base/text/format.h"
#include "graph/model/walks.h"
#include "render/writers/writer.h"

/* The path of frames to where the walk is. */
struct path {
    const struct writing *writing;
    struct span *text_of; /* by frame, as it stands in a stack; at == NULL: not made yet */
    struct VECTOR_OF(frame_id) frames;
    struct stack_text stacks;
};

static bool must_escape(struct span text, size_t i)
{
    unsigned char byte = (unsigned char)text.at[i];

    return byte < 0x20 || byte == 0x7f || byte == ';' ||
           (byte == '\\' && i + 1 < text.len && text.at[i + 1] == 'x');
}

/* The text itself where nothing in it must be escaped. */
static struct span escaped(const struct writing *writing, struct span text)
{
    size_t escapes = 0, len = 0;
    char *made;

    if (writing->readers.is_terminal)
        text = escape_plain(writing->arena, text);
    for (size_t i = 0; i < text.len; i++)
        escapes += must_escape(text, i);
    if (!escapes)
        return text;
    made = arena_array(writing->arena, text.len + escapes * 3 + 1, 1);
    for (size_t i = 0; i < text.len; i++)
        if (must_escape(text, i))
            len += (size_t)sprintf(made + len, "\\x%02x", (unsigned)(unsigned char)text.at[i]);
        else
            made[len++] = text.at[i];
    return (struct span){made, len};
}

static struct span make_text(const struct writing *writing, frame_id id)
{
    const struct graph *graph = writing->graph;
    const struct frame *frame = graph_frame(graph, id);
    struct span name = frame->name ? graph_text(graph, frame->name) : SPAN("[unnamed]"), file;
    char line[FORMAT_LEN] = "";

    name = escaped(writing, name.len ? name : SPAN(""));
    if (frame->kind != KIND_PYTHON || !frame->file)
        return name;
    file = escaped(writing, graph_text(graph, frame->file));
    if (frame->line > 0)
        snprintf(line, sizeof(line), ":%" PRId64, frame->line);
    return span_of(arena_printf(writing->arena, "%.*s (%.*s%s)", (int)name.len, name.at,
                                (int)file.len, file.at, line));
}

static void write_stack(struct path *path, int64_t figure)
{
    char end[FORMAT_LEN];

    if (figure < 0)
        warning_count_many(
            path->writing->warnings, WARNING_LOSS,
            "stacks with a negative figure, which folded stacks cannot have, left out", 1);
    if (figure <= 0 || !stack_text_has_room(&path->stacks))
        return;
    for (size_t i = 0; i < path->frames.count; i++) {
        struct span text = path->text_of[path->frames.list[i]];

        if (i)
            stack_text_put(&path->stacks, SPAN(";"));
        else if (text.len && text.at[0] == '#') {
            stack_text_put(&path->stacks, SPAN("\\x23"));
            text = span_after(text, 1);
        }
        stack_text_put(&path->stacks, text);
    }
    snprintf(end, sizeof(end), " %" PRId64 "\n", figure);
    stack_text_put(&path->stacks, span_of(end));
}

static void write_folded(struct writing *writing)
{
    const struct calltree *tree = &writing->graph->tree;
    uint32_t value = writing->graph->values.selected;
    struct path path = {.writing = writing,
                        .text_of = arena_array(writing->arena, writing->graph->frames.count,
                                               sizeof(*path.text_of))};
    struct tree_links links;
    struct walk walk = {.links = &links};

    stack_text_init(&path.stacks, writing);
    tree_link(tree, &links);
    while (walk_next(&walk)) {
        frame_id frame = tree->frame[walk.node];

        if (walk.node == 0)
            continue;
        if (walk.is_leaving) {
            path.frames.count--;
            continue;
        }
        if (!path.text_of[frame].at)
            path.text_of[frame] = make_text(writing, frame);
        vector_add(&path.frames, frame);
        write_stack(&path, calltree_self(tree, value, walk.node));
    }
    row_text_flush(&path.stacks.rows);
    tree_unlink(&links);
    free(path.frames.list);
}

const struct writer writer_folded = {
    .name = "folded",
    .summary = "stacks for flamegraph.pl, inferno and speedscope, of the selected value",
    .level = LEVEL_CALLTREE,
    .question = "folded stacks cannot be written",
    .write = write_folded,
};
