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

/* One step of the path to where the walk is. */
struct folded_frame {
    frame_id id;
    uint64_t end; /* of its text, from the beginning of the last line that has it */
};

/* Stacks that come one after the other share most of their frames: a line begins with a copy of what it shares
 * with the line before. */
struct folded_lines {
    const struct writing *writing;
    struct span *text_of; /* by frame, as it stands in a stack; at == NULL: not made yet */
    struct VECTOR_OF(struct folded_frame) path;
    size_t shared; /* of the path, with what stands on the line before */
    uint64_t line; /* where that begins, in all that is written */
    struct stack_allowance allowance;
    struct row_text rows;
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

/* Names are all over the memory: what is put some frames on is fetched meanwhile. */
static void fetch_ahead(const struct folded_lines *folded, size_t at)
{
    enum { SPANS_AHEAD = 8, TEXTS_AHEAD = 4 };
    const struct folded_frame *path = folded->path.list + at;

    if (folded->path.count - at <= SPANS_AHEAD)
        return;
    __builtin_prefetch(&folded->text_of[path[SPANS_AHEAD].id]);
    row_text_fetch(folded->text_of[path[TEXTS_AHEAD].id]);
}

static void put_frame(struct folded_lines *folded, size_t at)
{
    frame_id id = folded->path.list[at].id;
    struct span *text = &folded->text_of[id];

    fetch_ahead(folded, at);
    if (!text->at)
        *text = make_text(folded->writing, id);
    if (at)
        row_text_put(&folded->rows, SPAN(";"));
    if (at == 0 && text->len && text->at[0] == '#') {
        row_text_put(&folded->rows, SPAN("\\x23"));
        row_text_put(&folded->rows, span_after(*text, 1));
    } else
        row_text_put(&folded->rows, *text);
}

/* Of the line before, what was written to the file is gone. */
static void put_stack(struct folded_lines *folded, size_t depth, uint64_t line)
{
    struct row_text *rows = &folded->rows;
    struct folded_frame *path = folded->path.list;
    size_t shared = folded->line < rows->written ? 0 : folded->shared;

    if (shared)
        row_text_put(rows, (struct span){rows->room + (folded->line - rows->written),
                                         path[shared - 1].end});
    for (size_t i = shared; i < depth; i++) {
        put_frame(folded, i);
        path[i].end = row_text_end(rows) - line;
    }
    folded->line = line;
    folded->shared = depth;
}

static void write_stack(struct folded_lines *folded, size_t depth, int64_t figure)
{
    uint64_t line = row_text_end(&folded->rows);

    if (figure < 0)
        warning_count_many(
            folded->writing->warnings, WARNING_LOSS,
            "stacks with a negative figure, which folded stacks cannot have, left out", 1);
    if (figure <= 0 || !stack_allowance_has(&folded->allowance))
        return;
    put_stack(folded, depth, line);
    row_text_put(&folded->rows, SPAN(" "));
    row_text_number(&folded->rows, figure);
    row_text_put(&folded->rows, SPAN("\n"));
    stack_allowance_take(&folded->allowance, row_text_end(&folded->rows) - line);
}

/* The root is in no stack. */
static void write_run(struct folded_lines *folded, const struct run_walk *walk)
{
    const struct calltree *tree = walk->links->tree;
    uint32_t value = folded->writing->graph->values.selected;
    node_id first = walk->first ? walk->first : 1;
    size_t above = walk->first ? walk->depth - 1 : 0;

    folded->path.count = above;
    for (node_id node = first; node < walk->end; node++)
        vector_add(&folded->path, (struct folded_frame){.id = tree->frame[node]});
    folded->shared = folded->shared < above ? folded->shared : above;
    for (node_id node = first; (node = sparse_next(&tree->own, node, walk->end)) < walk->end; node++)
        write_stack(folded, above + (node - first) + 1, calltree_self(tree, value, node));
}

static void write_folded(struct writing *writing)
{
    struct folded_lines folded = {
        .writing = writing,
        .text_of = arena_array(writing->arena, writing->graph->frames.count, sizeof(*folded.text_of)),
        .allowance = stack_allowance_of(writing),
        .rows.out = writing->out,
    };
    struct tree_links links;
    struct run_walk walk = {.links = &links};

    tree_link(&writing->graph->tree, &links);
    while (run_walk_next(&walk))
        write_run(&folded, &walk);
    row_text_flush(&folded.rows);
    tree_unlink(&links);
    free(folded.path.list);
}

const struct writer writer_folded = {
    .name = "folded",
    .summary = "stacks for flamegraph.pl, inferno and speedscope, of the selected value",
    .level = LEVEL_CALLTREE,
    .question = "folded stacks cannot be written",
    .write = write_folded,
};
