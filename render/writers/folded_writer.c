/* SPDX-License-Identifier: Apache-2.0 */
/* folded_writer.c — one stack a line, the root first, then its own figure: "main;parse;read 12"
 *
 * Python functions carry their place as py-spy writes it: "f (dir/m.py:7)". Bytes that would end a
 * frame or a line, or make a comment of it, become "\x3b", which ptk reads back. */
#include <inttypes.h>
#include <stdlib.h>

#include "base/memory/memory.h"
#include "base/text/escape.h"
#include "graph/model/walks.h"
#include "render/writers/writer.h"

/* The path of frames to where the walk is. */
struct path {
    frame_id *frames;
    size_t depth, cap;
    uint64_t left; /* bytes that may still be written */
};

/* A stack of a thousand frames is some 16 kB as a rule; each repeats all names above it. */
enum { BYTES_MIN = 1 << 28, BYTES_OF_STACK = 1 << 14 };

static bool must_escape(struct span text, size_t i)
{
    unsigned char byte = (unsigned char)text.at[i];

    return byte < 0x20 || byte == 0x7f || byte == ';' ||
           (byte == '\\' && i + 1 < text.len && text.at[i + 1] == 'x');
}

static size_t write_text(const struct writing *writing, struct span text)
{
    struct arena arena = {0};

    if (writing->readers.is_terminal)
        text = escape_plain(&arena, text);
    for (size_t i = 0; i < text.len; i++) {
        size_t clean = i;

        while (clean < text.len && !must_escape(text, clean))
            clean++;
        fwrite(text.at + i, 1, clean - i, writing->out);
        i = clean;
        if (i < text.len)
            fprintf(writing->out, "\\x%02x", (unsigned)(unsigned char)text.at[i]);
    }
    arena_free(&arena);
    return text.len;
}

/* Returns how many bytes of the profile's these are, about. */
static size_t write_frame(const struct writing *writing, frame_id id, bool is_comment)
{
    const struct graph *graph = writing->graph;
    FILE *out = writing->out;
    size_t size;
    const struct frame *frame = graph_frame(graph, id);
    struct span name = frame->name ? graph_text(graph, frame->name) : SPAN("[unnamed]");

    if (is_comment)
        fputs("\\x23", out);
    size = write_text(writing, span_after(name, is_comment));
    if (frame->kind != KIND_PYTHON || !frame->file)
        return size;
    fputs(" (", out);
    size += write_text(writing, graph_text(graph, frame->file));
    if (frame->line > 0)
        fprintf(out, ":%" PRId64, frame->line);
    putc(')', out);
    return size;
}

static void write_stack(struct writing *writing, struct path *path, int64_t figure)
{
    if (figure < 0)
        warning_count_many(
            writing->warnings, WARNING_LOSS,
            "stacks with a negative figure, which folded stacks cannot have, left out", 1);
    if (figure <= 0)
        return;
    if (path->left == 0) {
        warning_count_many(
            writing->warnings, WARNING_LOSS,
            "stacks left out: deep ones of long names, written out one by one, would "
            "be thousands of times the profile",
            1);
        return;
    }
    for (size_t i = 0; i < path->depth; i++) {
        const struct frame *frame = graph_frame(writing->graph, path->frames[i]);
        size_t size;
        struct span name = graph_text(writing->graph, frame->name);
        bool is_comment = i == 0 && name.len && name.at[0] == '#';

        if (i)
            putc(';', writing->out);
        size = write_frame(writing, path->frames[i], is_comment) + 1;
        path->left -= size < path->left ? size : path->left;
    }
    fprintf(writing->out, " %" PRId64 "\n", figure);
}

static void write_folded(struct writing *writing)
{
    const struct calltree *tree = &writing->graph->tree;
    const int64_t *self = tree->self[writing->graph->values.selected];
    struct path path = {.left = BYTES_MIN + (uint64_t)BYTES_OF_STACK * tree->count};
    struct tree_links links;
    struct walk walk = {.tree = tree, .links = &links};

    tree_link(tree, writing->arena, &links);
    while (walk_next(&walk)) {
        if (walk.node == 0)
            continue;
        if (walk.is_leaving) {
            path.depth--;
            continue;
        }
        path.frames = grow_one(path.frames, path.depth, &path.cap, sizeof(*path.frames));
        path.frames[path.depth++] = tree->frame[walk.node];
        write_stack(writing, &path, self[walk.node]);
    }
    free(path.frames);
}

const struct writer writer_folded = {
    .name = "folded",
    .summary = "stacks for flamegraph.pl, inferno and speedscope, of the selected value",
    .level = LEVEL_CALLTREE,
    .question = "folded stacks cannot be written",
    .write = write_folded,
};
