/* SPDX-License-Identifier: Apache-2.0 */
/* callgrind_writer.c — for KCachegrind, QCachegrind and callgrind_annotate: functions and their
 * calls
 *
 * https://valgrind.org/docs/manual/cl-format.html. Names are written once and then meant by their
 * number. A function is known by its object, file and name; where name and file are those of
 * another, too, as for two lambdas of one file, its line becomes part of the name. */
#include <ctype.h>
#include <inttypes.h>

#include "analysis/functions/call_edges.h"
#include "base/checked.h"
#include "base/memory/memory.h"
#include "base/text/escape.h"
#include "base/text/format.h"
#include "render/writers/writer.h"

struct callgrind_writer {
    const struct graph *graph;
    FILE *out;
    struct arena *arena;
    struct warnings *warnings;
    bool *has_object, *has_file; /* by str_id: written already */
    bool *has_function;          /* by function */
    bool *is_ambiguous;          /* by function */
};

/* ---- names ---- */

static void find_ambiguous(struct callgrind_writer *callgrind)
{
    const struct functions *functions = &callgrind->graph->functions;
    struct idmap first_of = {0};

    for (uint32_t i = 0; i < functions->count; i++) {
        const struct frame *frame = graph_frame(callgrind->graph, functions->frame[i]);
        uint32_t *first = idmap_at(&first_of, idmap_pair(frame->name, frame->file));

        if (*first == IDMAP_NONE)
            *first = i;
        else
            callgrind->is_ambiguous[i] = callgrind->is_ambiguous[*first] = true;
    }
    idmap_free(&first_of);
}

/* What is not known is called "???", as callgrind does. */
static void write_text(struct callgrind_writer *callgrind, str_id id)
{
    struct span text = escape_plain(callgrind->arena, graph_text(callgrind->graph, id));

    fprintf(callgrind->out, " %.*s", id ? (int)text.len : 3, id ? text.at : "???");
}

/* "fl=(3) dir/m.py" at first, then "fl=(3)". */
static void write_name(struct callgrind_writer *callgrind, const char *key, bool *is_known,
                       str_id id)
{
    fprintf(callgrind->out, "%s=(%" PRIu32 ")", key, id + 1);
    if (!*is_known)
        write_text(callgrind, id);
    putc('\n', callgrind->out);
    *is_known = true;
}

static void write_function_name(struct callgrind_writer *callgrind, const char *key,
                                uint32_t function)
{
    const struct frame *frame =
        graph_frame(callgrind->graph, callgrind->graph->functions.frame[function]);

    fprintf(callgrind->out, "%s=(%" PRIu32 ")", key, function + 1);
    if (!callgrind->has_function[function])
        write_text(callgrind, frame->name);
    if (!callgrind->has_function[function] && callgrind->is_ambiguous[function])
        fprintf(callgrind->out, ":%" PRId64, frame->line);
    putc('\n', callgrind->out);
    callgrind->has_function[function] = true;
}

/* Where a function is: its object, its file, itself. */
static void write_place(struct callgrind_writer *callgrind, const char *const keys[3],
                        uint32_t function)
{
    const struct frame *frame =
        graph_frame(callgrind->graph, callgrind->graph->functions.frame[function]);

    write_name(callgrind, keys[0], &callgrind->has_object[frame->module], frame->module);
    write_name(callgrind, keys[1], &callgrind->has_file[frame->file], frame->file);
    write_function_name(callgrind, keys[2], function);
}

/* ---- figures ---- */

/* "alloc space" → "alloc_space": an event's name is one word, and its long name says the unit. */
static void write_event(struct callgrind_writer *callgrind)
{
    const struct graph *graph = callgrind->graph;
    struct span name = graph_text(graph, graph->values.list[graph->values.selected].name);
    char *word = arena_copy(callgrind->arena, name.len ? name : SPAN("value"));

    for (char *at = word; *at; at++)
        if (!isalnum((unsigned char)*at))
            *at = '_';
    fprintf(callgrind->out, "event: %s : %s (%s)\nevents: %s\n", word, word,
            format_unit(graph_unit(graph)), word);
}

static int64_t line_of(const struct graph *graph, uint32_t function)
{
    return graph_frame(graph, graph->functions.frame[function])->line;
}

/* The format's costs are not negative. */
static int64_t cost(struct callgrind_writer *callgrind, int64_t figure)
{
    if (figure < 0)
        warning_count_many(callgrind->warnings, WARNING_LOSS,
                           "negative figures, which callgrind files cannot have, written as 0", 1);
    return figure < 0 ? 0 : figure;
}

static void write_call(struct callgrind_writer *callgrind, uint32_t edge, int64_t cum)
{
    static const char *const keys[3] = {"cob", "cfi", "cfn"};
    const struct graph *graph = callgrind->graph;
    const struct calls *calls = &graph->calls;
    int64_t times = calls->calls[edge];

    write_place(callgrind, keys, calls->callee[edge]);
    fprintf(callgrind->out, "calls=%" PRId64 " %" PRId64 "\n%" PRId64 " %" PRId64 "\n",
            times < 0 ? 0 : times, line_of(graph, calls->callee[edge]),
            line_of(graph, calls->caller[edge]), cost(callgrind, cum));
}

static void write_function(struct callgrind_writer *callgrind, const struct edges *edges,
                           const struct edge_times *times, uint32_t function)
{
    static const char *const keys[3] = {"ob", "fl", "fn"};
    const struct graph *graph = callgrind->graph;

    putc('\n', callgrind->out);
    write_place(callgrind, keys, function);
    fprintf(callgrind->out, "%" PRId64 " %" PRId64 "\n", line_of(graph, function),
            cost(callgrind, graph->functions.self[function]));
    for (uint32_t i = edges->out_first[function]; i < edges->out_first[function + 1]; i++)
        write_call(callgrind, edges->out[i], times->cum[edges->out[i]]);
}

/* ---- the whole ---- */

static void write_functions(struct callgrind_writer *callgrind)
{
    const struct graph *graph = callgrind->graph;
    struct edge_times times;
    struct edges edges;
    int64_t total = 0;

    edges_index(graph, callgrind->arena, &edges);
    edges_times(graph, callgrind->arena, &times);
    for (uint32_t i = 0; i < graph->functions.count; i++) {
        write_function(callgrind, &edges, &times, i);
        total = checked_add(total, graph->functions.self[i] < 0 ? 0 : graph->functions.self[i]);
    }
    fprintf(callgrind->out, "\ntotals: %" PRId64 "\n", total);
}

static void write_callgrind(struct writing *writing)
{
    const struct graph *graph = writing->graph;
    size_t names = graph->strings.count + 1, functions = graph->functions.count;
    struct callgrind_writer callgrind = {
        .graph = graph,
        .out = writing->out,
        .arena = writing->arena,
        .warnings = writing->warnings,
        .has_object = arena_array(writing->arena, names, sizeof(bool)),
        .has_file = arena_array(writing->arena, names, sizeof(bool)),
        .has_function = arena_array(writing->arena, functions, sizeof(bool)),
        .is_ambiguous = arena_array(writing->arena, functions, sizeof(bool)),
    };

    find_ambiguous(&callgrind);
    fputs("# callgrind format\nversion: 1\ncreator: ptk\npositions: line\n", writing->out);
    write_event(&callgrind);
    write_functions(&callgrind);
}

const struct writer writer_callgrind = {
    .name = "callgrind",
    .summary = "functions and calls for KCachegrind and callgrind_annotate, of the selected value",
    .level = LEVEL_CALLGRAPH,
    .question = "a callgrind file cannot be written",
    .write = write_callgrind,
};
