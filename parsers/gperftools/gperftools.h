/* SPDX-License-Identifier: Apache-2.0 */
/* gperftools.h — the text forms of gperftools */
#ifndef PTK_PARSERS_GPERFTOOLS_GPERFTOOLS_H
#define PTK_PARSERS_GPERFTOOLS_GPERFTOOLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/memory/memory.h"
#include "base/memory/span.h"
#include "base/symbols/symbols.h"
#include "base/text/string_table.h"
#include "graph/build/builder.h"
#include "parsers/parser.h"

/* ---- samples by address, and the frames that the addresses stand for ---- */

/* What an address is comes after the samples in these formats, so stacks are put aside first. */

/* ---- the list of mapped programs and libraries that ends a gperftools profile ---- */

/* Either /proc/PID/maps, or a short form: START-END: PATH (@OFFSET). */

struct map {
    struct symbol_map at;
    str_id path;
};

/* Ready for use when zeroed. */
struct maps {
    VECTOR(struct map); /* by start, once maps_sort() is called */
};

/* ---- samples by address, and the frames that the addresses stand for ---- */

enum { STACK_VALUES_MAX = 4 };

struct stack_row {
    size_t first; /* its addresses, the leaf first: addresses[first] … */
    uint32_t count;
    int64_t values[STACK_VALUES_MAX];
    int64_t block; /* bytes of one allocation, as a label; 0: not known */
};

/* What the file itself says of an address: names[first] …, the innermost inlined first. */
struct symbol {
    uint32_t first, count;
    bool is_folded; /* with those next to it in a stack that are the same */
};

/* Ready for use when zeroed but for `builder`. */
struct gperf_stacks {
    struct builder *builder;
    enum detail detail;
    str_id interpreter; /* where not 0: it is one frame, and so is each library without symbols */
    struct VECTOR_OF(uint64_t) addresses;
    struct VECTOR_OF(struct stack_row) rows;
    struct VECTOR_OF(struct symbol) symbols;
    struct VECTOR_OF(frame_id) names;
    struct idmap symbol_of; /* address → symbol */
    uint64_t described;     /* the address of the last symbol begun */
    struct maps maps;
};

void stacks_begin_row(struct gperf_stacks *stacks, const int64_t *values);
void stacks_label_block(struct gperf_stacks *stacks, int64_t bytes);
void stacks_push(struct gperf_stacks *stacks, uint64_t address);

/* Takes out the frames of a signal handler, at most two, which old profilers left behind the leaf
 * of nearly every stack, and leaves that were recorded twice. For addresses of callers less one. As
 * pprof does it: https://github.com/google/pprof/blob/main/profile/legacy_profile.go */
void stacks_drop_handlers(struct gperf_stacks *stacks);

/* Says what an address is; several times in a row for inlined functions, the innermost first. An
 * address that has been described before keeps its first description: then false. */
bool stacks_begin_symbol(struct gperf_stacks *stacks, uint64_t address);
void stacks_add_name(struct gperf_stacks *stacks, struct frame frame);

/* A line of the list of mappings, or of nothing that anyone knows. */
void stacks_map(struct gperf_stacks *stacks, struct span line);

/* Adds all rows to the graph, which has begun. */
void stacks_plant(struct gperf_stacks *stacks);

void stacks_free(struct gperf_stacks *stacks);

/* The formats of gperftools and of Go's debug=1, one file each; gperftools.c tells
 * them apart. Each fills stacks and says which values its rows have, up to the list of mappings. */

/* ---- hexadecimal numbers, with or without 0x ---- */

/* Takes a number off the front. False when there is none, or it has more than 64 bits. */
static inline bool hex_take(struct span *text, uint64_t *value)
{
    struct span rest = span_starts(*text, SPAN("0x")) ? span_after(*text, 2) : *text;
    size_t digits = span_hex_digits(rest);

    if (!span_hex_to_u64((struct span){rest.at, digits}, value))
        return false;
    *text = span_after(rest, digits);
    return true;
}

/* ---- the formats ---- */

struct legacy {
    struct input *in;
    struct builder *builder;
    struct gperf_stacks stacks;
    struct value_name values[STACK_VALUES_MAX];
    uint32_t value_count;   /* the last one is the standard */
    bool has_caller_places; /* addresses are those of calls already, not of where they return */
};

/* How the words of a CPU profile are written. */
struct word_form {
    uint8_t size; /* 4 or 8; 0: this is no CPU profile */
    bool is_big_endian;
};

struct word_form cpu_form(struct span head);
MUST_CHECK bool cpu_parse(struct legacy *legacy, struct error *err);

/* "heap profile: …", "--- contentionz 1 ---", "--- mutex:", "--- threadz 1 ---",
 * "goroutine profile: total 3". */
bool heap_knows(struct span head);
bool contention_knows(struct span head);
bool threads_know(struct span head);
bool counts_know(struct span head);
MUST_CHECK bool heap_parse(struct legacy *legacy, struct error *err);
MUST_CHECK bool contention_parse(struct legacy *legacy, struct error *err);
MUST_CHECK bool threads_parse(struct legacy *legacy, struct error *err);
MUST_CHECK bool counts_parse(struct legacy *legacy, struct error *err);

bool java_knows(struct span head);
MUST_CHECK bool java_parse(struct legacy *legacy, struct error *err);

/* "0xADDR NAME (FILE:LINE)": what stands behind an address of a Java profile of any kind. */
void java_symbol(struct legacy *legacy, struct span line);

/* From the allocations that were sampled, one in `rate` bytes on average, to all. */
void heap_unsample(double rate, int64_t *count, int64_t *bytes);

/* ---- what the text formats share ---- */

/* Where the list of mappings begins. */
bool legacy_is_maps_title(struct span line);

/* "0x1 0x2 …" to the end of the text, all of a row that has begun. Each is moved back by one, into
 * the call, but for the leaf where `is_leaf_exact`. False when something else is there. */
bool legacy_push_addresses(struct legacy *legacy, struct span text, bool is_leaf_exact);

/* "#\t0xADDR\tFUNCTION+0xOFFSET\tFILE:LINE", as Go writes it below its rows. */
struct comment_run {
    uint64_t address;
    bool is_kept;
    bool has_names, is_open; /* some stack has such lines; no blank line has ended the last one */
};
void legacy_comment(struct legacy *legacy, struct span line, struct comment_run *run);

/* A line that is no comment; and the end of them all, which lies behind a blank line in Go's texts. */
void comment_run_end(struct comment_run *run, struct span line);
void comment_run_check(const struct comment_run *run, struct legacy *legacy);

/* Takes a number off the front, with the blanks before it; false when there is none that fits. */
bool legacy_take_int(struct span *text, int64_t *value);

/* A line that breaks its format. */
bool legacy_line_fault(struct legacy *legacy, struct span line, const char *format,
                       struct error *err);

#endif
