/* folded_writer.c — one stack a line, the root first, then its own figure: "main;parse;read 12"
 *
 * Python functions carry their place as py-spy writes it: "f (dir/m.py:7)". Bytes that would end a
 * frame or a line, or make a comment of it, become "\x3b", which ptk reads back. */
#include <inttypes.h>
#include <stdlib.h>

#include "base/memory/grow.h"
#include "graph/model/calltree_walk.h"
#include "render/writers/writer.h"

/* The path of frames to where the walk is. */
struct path {
    frame_id *frames;
    size_t depth, cap;
};

static bool must_escape(struct span text, size_t i)
{
    unsigned char byte = (unsigned char)text.at[i];

    return byte < 0x20 || byte == 0x7f || byte == ';' ||
           (byte == '\\' && i + 1 < text.len && text.at[i + 1] == 'x');
}

static void write_text(struct span text, FILE *out)
{
    for (size_t i = 0; i < text.len; i++) {
        if (must_escape(text, i))
            fprintf(out, "\\x%02x", (unsigned)(unsigned char)text.at[i]);
        else
            putc(text.at[i], out);
    }
}

static void write_frame(const struct graph *graph, frame_id id, bool is_comment, FILE *out)
{
    const struct frame *frame = graph_frame(graph, id);
    struct span name = frame->name ? graph_text(graph, frame->name) : SPAN("[unnamed]");

    if (is_comment)
        fputs("\\x23", out);
    write_text(span_after(name, is_comment), out);
    if (frame->kind != KIND_PYTHON || !frame->file)
        return;
    fputs(" (", out);
    write_text(graph_text(graph, frame->file), out);
    if (frame->line > 0)
        fprintf(out, ":%" PRId64, frame->line);
    putc(')', out);
}

static void write_stack(struct writing *writing, const struct path *path, int64_t figure)
{
    if (figure < 0)
        warning_count_many(
            writing->warnings, WARNING_LOSS,
            "stacks with a negative figure, which folded stacks cannot have, left out", 1);
    if (figure <= 0)
        return;
    for (size_t i = 0; i < path->depth; i++) {
        const struct frame *frame = graph_frame(writing->graph, path->frames[i]);
        bool is_comment = i == 0 && span_starts(graph_text(writing->graph, frame->name), SPAN("#"));

        if (i)
            putc(';', writing->out);
        write_frame(writing->graph, path->frames[i], is_comment, writing->out);
    }
    fprintf(writing->out, " %" PRId64 "\n", figure);
}

static void enter(struct path *path, frame_id frame)
{
    path->frames = grow_one(path->frames, path->depth, &path->cap, sizeof(*path->frames));
    path->frames[path->depth++] = frame;
}

static void write_folded(struct writing *writing)
{
    const struct calltree *tree = &writing->graph->tree;
    const int64_t *self = tree->self[writing->graph->value];
    struct path path = {0};
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
        enter(&path, tree->frame[walk.node]);
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
