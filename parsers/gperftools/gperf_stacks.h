/* SPDX-License-Identifier: Apache-2.0 */
/* gperf_stacks.h — samples by address, and the frames that the addresses stand for
 *
 * What an address is comes after the samples in these formats, so stacks are put aside first. */
#ifndef PTK_PARSERS_GPERFTOOLS_GPERF_STACKS_H
#define PTK_PARSERS_GPERFTOOLS_GPERF_STACKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/memory/idmap.h"
#include "base/memory/vector.h"
#include "base/symbols/symbols.h"
#include "base/text/span.h"
#include "base/text/string_table.h"
#include "graph/build/builder.h"

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

#endif
