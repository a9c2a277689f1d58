/* SPDX-License-Identifier: Apache-2.0 */
/* Labels of frames as the tools of their format show them, and the sets of labels of samples. */
#include "graph/model/graph.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory/memory.h"

/* "file.py:12(name)", and "file.py(name)" where the line is not known; pstats shows 0 for what has
 * none. Of a line whose function is not known the name is the place itself: "file.py:12". */
static struct span joined(struct arena *arena, const struct frame *frame, struct span file,
                          struct span name)
{
    char number[32] = "(";
    int len = snprintf(number, sizeof(number), ":%" PRId64, frame->line);

    if (span_ends(name, span_of(number)) &&
        span_ends(file, (struct span){name.at, name.len - (size_t)len}))
        return JOINED(arena, file, span_of(number));
    snprintf(number, sizeof(number), "(");
    if (!frame->lacks_line)
        snprintf(number, sizeof(number), ":%" PRId64 "(", frame->line);
    return JOINED(arena, file, span_of(number), name, SPAN(")"));
}

/* "name file.c:12", and "000000000040a1f0 name file.c:12", as pprof shows them */
static struct span placed(struct arena *arena, const struct frame *frame, struct span name,
                          struct span file)
{
    char address[32] = "", line[48] = "";

    if (frame->address)
        snprintf(address, sizeof(address), "%016" PRIx64 " ", frame->address);
    if (file.len && frame->line && frame->shows_column)
        snprintf(line, sizeof(line), ":%" PRId64 ":%" PRIu32, frame->line, frame->column);
    else if (file.len && frame->line)
        snprintf(line, sizeof(line), ":%" PRId64, frame->line);

    struct span blank = {" ", file.len ? 1 : 0};

    return JOINED(arena, span_of(address), name, blank, file, span_of(line));
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

static struct span label_of(const struct graph *graph, const struct frame *frame,
                            struct arena *arena)
{
    struct span name = graph_text(graph, frame->name), file = graph_text(graph, frame->file);
    bool is_python = frame->kind == KIND_PYTHON;
    size_t behind;

    if (graph->selection.grouped_by && frame->name == frame->file)
        return name; /* the group of all that is in a file */
    if (is_python && file.len && name.len > file.len && span_starts(name, file) &&
        name.at[file.len] == '(')
        return name; /* traces have the place in the name: "file.py(12): function" */
    behind = span_find(name, SPAN(" ("));
    if (is_python && file.len && behind != SIZE_MAX && span_starts(span_after(name, behind + 2), file))
        name.len = behind; /* "function (file.py:12)" */
    if (is_python && graph->frames.detail != DETAIL_FILE &&
        (frame->file || frame->line || !frame->name))
        return joined(arena, frame, file, name);
    /* functions without a name are known by their places, and so are those of one name */
    if (graph->frames.detail != DETAIL_FUNCTION ||
        (frame->file &&
         (frame->shows_place || (frame->line && span_eq(name, SPAN("(anonymous)"))))))
        return placed(arena, frame, name, file);
    return frame->kind == KIND_HOST && !frame->file ? braced(arena, name) : name;
}

struct span frame_label(const struct graph *graph, frame_id id, struct arena *arena)
{
    struct frame frame = *graph_frame(graph, id);

    frame.shows_column &= graph->frames.detail == DETAIL_FUNCTION; /* else the line is another */
    return label_of(graph, &frame, arena);
}

struct span frame_label_of_function(const struct graph *graph, frame_id id, struct arena *arena)
{
    struct frame frame = *graph_frame(graph, id);

    if (frame_begins_at(&graph->frames, id) > 0)
        frame.line = frame_begins_at(&graph->frames, id);
    return label_of(graph, &frame, arena);
}

/* ---- labels of a sample ---- */

const struct sample_label *label_set_labels(const struct label_sets *sets, uint32_t set,
                                            size_t *count)
{
    uint32_t first = set > 1 ? sets->ends.list[set - 2] : 0;

    *count = set ? sets->ends.list[set - 1] - first : 0;
    return first ? &sets->labels.list[first] : sets->labels.list;
}

static uint32_t mix_hash(uint32_t hash, uint32_t part)
{
    uint64_t mixed = ((uint64_t)hash << 32 | part) * 0xbf58476d1ce4e5b9u;

    return (uint32_t)(mixed ^ mixed >> 31);
}

static bool label_set_is(const struct label_sets *sets, uint32_t set,
                         const struct sample_label *labels, uint32_t count)
{
    size_t there;
    const struct sample_label *of_set = label_set_labels(sets, set, &there);

    if (there != count)
        return false;
    for (uint32_t i = 0; i < count; i++)
        if (of_set[i].key != labels[i].key || of_set[i].text != labels[i].text ||
            of_set[i].unit != labels[i].unit || of_set[i].is_number != labels[i].is_number)
            return false;
    return true;
}

uint32_t label_set_intern(struct label_sets *sets, const struct sample_label *labels,
                          uint32_t count)
{
    struct index_place place;
    uint32_t hash, set;

    if (count == 0)
        return 0;
    index_reserve(&sets->index);
    hash = (uint32_t)sets->index.key;
    for (uint32_t i = 0; i < count; i++)
        hash = mix_hash(mix_hash(mix_hash(hash, labels[i].key), labels[i].text),
                        labels[i].unit * 2 + labels[i].is_number);
    place = index_start(&sets->index, hash);
    while ((set = index_next(&sets->index, &place)))
        if (label_set_is(sets, set, labels, count))
            return set;
    for (uint32_t i = 0; i < count; i++)
        vector_add(&sets->labels, labels[i]);
    vector_add(&sets->ends, (uint32_t)sets->labels.count);
    return index_add(&sets->index, &place);
}

void label_sets_free(struct label_sets *sets)
{
    free(sets->labels.list);
    free(sets->ends.list);
    index_free(&sets->index);
    *sets = (struct label_sets){0};
}
