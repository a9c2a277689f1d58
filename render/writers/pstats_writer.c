/* SPDX-License-Identifier: Apache-2.0 */
/* pstats_writer.c — what Python's pstats reads: a marshalled dict of functions and their callers
 *
 *     (file, line, name): (primitive calls, calls, self, cum,
 *                          {caller: (calls, primitive calls, self, cum), …})
 *
 * in seconds. Native functions without a file are built-ins, whose file is "~". */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "analysis/functions/call_edges.h"
#include "base/memory/span.h"
#include "base/text/escape.h"
#include "render/writers/writer.h"

/* ---- Python objects as marshal.dump writes them, version 4 ---- */

/* An object that is written again can be a reference to the first time. Start zeroed but for
 * `out`. */
struct marshal_out {
    FILE *out;
    uint32_t objects; /* that can be referred to, so far */
};

/* 0: not written yet; else its number + 1. */
typedef uint32_t marshal_ref;

enum { CAN_BE_REFERRED_TO = 0x80, DIGIT_BITS = 15 };

static void put_bytes(struct marshal_out *marshal, uint64_t value, unsigned bytes)
{
    for (unsigned i = 0; i < bytes; i++)
        putc((int)(value >> (8 * i) & 0xff), marshal->out);
}

/* Writes a reference if there is something to refer to. */
static bool marshal_again(struct marshal_out *marshal, marshal_ref ref)
{
    if (!ref)
        return false;
    putc('r', marshal->out);
    put_bytes(marshal, ref - 1, 4);
    return true;
}

/* What 32 bits cannot hold is written in digits of 15 bits. */
static void marshal_int(struct marshal_out *marshal, int64_t value)
{
    uint64_t size = value < 0 ? 0 - (uint64_t)value : (uint64_t)value;
    int32_t digits = 0;

    if (value >= INT32_MIN && value <= INT32_MAX) {
        putc('i', marshal->out);
        put_bytes(marshal, (uint32_t)value, 4);
        return;
    }
    for (uint64_t rest = size; rest; rest >>= DIGIT_BITS)
        digits++;
    putc('l', marshal->out);
    put_bytes(marshal, (uint32_t)(value < 0 ? -digits : digits), 4);
    for (; digits; digits--, size >>= DIGIT_BITS)
        put_bytes(marshal, size & ((1 << DIGIT_BITS) - 1), 2);
}

static void marshal_float(struct marshal_out *marshal, double value)
{
    uint64_t bits;

    memcpy(&bits, &value, sizeof(bits));
    putc('g', marshal->out);
    put_bytes(marshal, bits, 8);
}

/* A str. Bytes that are not UTF-8 become lone surrogates, U+DC80 … U+DCFF in three bytes, as
 * surrogateescape reads them. */
static marshal_ref marshal_text(struct marshal_out *marshal, struct span text)
{
    uint32_t len = 0;

    for (struct span rest = text; rest.len;) {
        struct utf8 next = utf8_next(rest);

        len += next.kind == UTF8_BYTE ? 3 : next.len;
        rest = span_after(rest, next.len);
    }
    putc('u' | CAN_BE_REFERRED_TO, marshal->out);
    put_bytes(marshal, len, 4);
    for (struct span rest = text; rest.len;) {
        struct utf8 next = utf8_next(rest);
        unsigned byte = (unsigned char)rest.at[0];

        if (next.kind == UTF8_BYTE)
            put_bytes(marshal, 0x80b0ed | (byte >> 6) << 8 | (byte & 0x3f) << 16, 3);
        else
            fwrite(rest.at, 1, next.len, marshal->out);
        rest = span_after(rest, next.len);
    }
    return ++marshal->objects;
}

/* A tuple of so many objects, which are written next. */
static marshal_ref marshal_tuple(struct marshal_out *marshal, unsigned count)
{
    putc(')' | CAN_BE_REFERRED_TO, marshal->out);
    putc((int)count, marshal->out);
    return ++marshal->objects;
}

/* A dict: keys and values are written next, in turn, then the end. */
static void marshal_dict_begin(struct marshal_out *marshal)
{
    putc('{', marshal->out);
}

static void marshal_dict_end(struct marshal_out *marshal)
{
    putc('0', marshal->out);
}

/* ---- the dump ---- */

struct pstats_out {
    const struct graph *graph;
    struct warnings *warnings;
    struct marshal_out marshal;
    marshal_ref *function, *text; /* by function, by str_id */
    marshal_ref no_file;
    double scale; /* of the value's base unit to what pstats shows as seconds */
};

static void write_text(struct pstats_out *pstats, str_id id)
{
    if (!marshal_again(&pstats->marshal, pstats->text[id]))
        pstats->text[id] = marshal_text(&pstats->marshal, graph_text(pstats->graph, id));
}

static void write_key(struct pstats_out *pstats, uint32_t function)
{
    const struct frame *frame =
        graph_frame(pstats->graph, pstats->graph->functions.frame[function]);

    if (marshal_again(&pstats->marshal, pstats->function[function]))
        return;
    pstats->function[function] = marshal_tuple(&pstats->marshal, 3);
    if (frame->file || frame->kind == KIND_PYTHON)
        write_text(pstats, frame->file);
    else if (!marshal_again(&pstats->marshal, pstats->no_file))
        pstats->no_file = marshal_text(&pstats->marshal, SPAN("~"));
    marshal_int(&pstats->marshal, frame->line);
    write_text(pstats, frame->name);
}

/* pstats has no word for what is not known. */
static int64_t known(struct pstats_out *pstats, int64_t figure)
{
    if (figure == UNKNOWN)
        warning_count_many(pstats->warnings, WARNING_LOSS,
                           "figures that are not known, written as 0", 1);
    return figure == UNKNOWN ? 0 : figure;
}

static void write_times(struct pstats_out *pstats, int64_t self, int64_t cum)
{
    marshal_float(&pstats->marshal, (double)known(pstats, self) / pstats->scale);
    marshal_float(&pstats->marshal, (double)known(pstats, cum) / pstats->scale);
}

static void write_callers(struct pstats_out *pstats, const struct edges *edges, uint32_t function)
{
    const struct calls *calls = &pstats->graph->calls;

    marshal_dict_begin(&pstats->marshal);
    for (uint32_t i = edges->in_first[function]; i < edges->in_first[function + 1]; i++) {
        uint32_t call = edges->in[i];

        write_key(pstats, calls->caller[call]);
        marshal_tuple(&pstats->marshal, 4);
        marshal_int(&pstats->marshal, known(pstats, calls->calls[call]));
        marshal_int(&pstats->marshal, known(pstats, calls->primitive_calls[call]));
        write_times(pstats, calls->self[call], calls->cum[call]);
    }
    marshal_dict_end(&pstats->marshal);
}

static void write_function(struct pstats_out *pstats, const struct edges *edges, uint32_t function)
{
    const struct functions *functions = &pstats->graph->functions;

    write_key(pstats, function);
    marshal_tuple(&pstats->marshal, 5);
    marshal_int(&pstats->marshal, known(pstats, functions->primitive_calls[function]));
    marshal_int(&pstats->marshal, known(pstats, functions->calls[function]));
    write_times(pstats, functions->self[function], functions->cum[function]);
    write_callers(pstats, edges, function);
}

static void write_pstats(struct writing *writing)
{
    const struct graph *graph = writing->graph;
    struct pstats_out pstats = {
        .graph = graph,
        .warnings = writing->warnings,
        .marshal = {.out = writing->out},
        .function = arena_array(writing->arena, graph->functions.count, sizeof(marshal_ref)),
        .text = arena_array(writing->arena, graph->strings.count + 1, sizeof(marshal_ref)),
        .scale = graph_unit(graph) == UNIT_NS ? 1e9 : 1,
    };
    struct edges edges;

    edges_index(graph, writing->arena, &edges);
    marshal_dict_begin(&pstats.marshal);
    for (uint32_t i = 0; i < graph->functions.listed; i++)
        write_function(&pstats, &edges, i);
    marshal_dict_end(&pstats.marshal);
}

const struct writer writer_pstats = {
    .name = "pstats",
    .summary = "a dump for Python's pstats, SnakeViz and others, of the selected value",
    .level = LEVEL_CALLGRAPH,
    .question = "a pstats dump cannot be written",
    .is_binary = true,
    .write = write_pstats,
};
