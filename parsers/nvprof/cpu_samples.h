/* SPDX-License-Identifier: Apache-2.0 */
/* cpu_samples.h — "CPU profiling result": a tree as text, callees first ("bottom up") or callers */
#ifndef PTK_PARSERS_NVPROF_CPU_SAMPLES_H
#define PTK_PARSERS_NVPROF_CPU_SAMPLES_H

#include "graph/build/builder.h"

enum { CPU_DEPTH_MAX = 1000 };

/* Ready for use when zeroed. */
struct cpu_samples {
    struct cpu_row {
        frame_id frame;
        uint32_t parent; /* row + 1; 0: none */
        int64_t rest;    /* ns that no row below it has */
    } * rows;
    size_t count, cap;
    uint32_t open[CPU_DEPTH_MAX]; /* row + 1 of each depth, of the path read last */
    uint32_t depth;
    bool is_open; /* the heading has been, and its header */
    bool is_top_down;
};

/* The heading "CPU profiling result (bottom up):", or any other, which ends the tree. */
void cpu_samples_heading(struct cpu_samples *samples, struct span text);

/* A row of the tree; false when the line is none. */
bool cpu_samples_take(struct cpu_samples *samples, struct builder *builder, struct span line);

/* States the level of a file that has nothing else, and gives the builder its stacks. */
MUST_CHECK bool cpu_samples_finish(struct cpu_samples *samples, struct builder *builder,
                                   struct error *err);

void cpu_samples_free(struct cpu_samples *samples);

#endif
