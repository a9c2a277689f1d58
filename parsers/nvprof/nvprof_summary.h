/* SPDX-License-Identifier: Apache-2.0 */
/* nvprof_summary.h — summary tables: one row a kernel, copy or API call, with its count and times */
#ifndef PTK_PARSERS_NVPROF_NVPROF_SUMMARY_H
#define PTK_PARSERS_NVPROF_NVPROF_SUMMARY_H

#include "graph/build/builder.h"
#include "parsers/nvprof/nvprof_table.h"
#include "parsers/shared/kernel_counters.h"

/* ---- "CPU profiling result": a tree as text, callees first ("bottom up") or callers ---- */

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

/* ---- summary tables: one row a kernel, copy or API call, with its count and times ---- */

/* Ready for use when zeroed. */
struct nvprof_summary {
    struct kernel_totals totals;
    enum section section, row_section; /* of the open table, and of its row */
    bool is_ranged;                    /* below "NVTX result:": activities told again, by range */
    bool has_main;                     /* some table was not told by range */
    uint64_t retold;                   /* rows left out since they are told by range, too */
    enum table_kind teller[SECTION_COUNT]; /* the first table of kernels, and of calls */
    uint64_t resummed;                     /* rows of others that say the same, left out */
};

/* A heading: "API calls:", "NVTX result:". */
void summary_heading(struct nvprof_summary *summary, struct span text);

/* A table of nsys stats was opened; its heading told of the operating system, or not. */
void summary_open_nsight(struct nvprof_summary *summary, const struct nvprof_table *table,
                         bool is_os);

/* A row of the open table; false when its cells are not what they should be. */
bool summary_take(struct nvprof_summary *summary, struct builder *builder,
                  const struct nvprof_table *table, const struct nvprof_row *row);

/* A row of TABLE_EXECUTION_SUMS: calls, and the kernels that they launched. */
bool summary_take_executions(struct nvprof_summary *summary, struct builder *builder,
                             const struct nvprof_table *table, const struct nvprof_row *row);

/* What was left out. */
void summary_warn(const struct nvprof_summary *summary, struct warnings *warnings);

void summary_free(struct nvprof_summary *summary);

#endif
