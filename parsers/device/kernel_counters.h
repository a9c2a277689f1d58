/* SPDX-License-Identifier: Apache-2.0 */
/* kernel_counters.h — what hardware counted of kernels, and their names */
#ifndef PTK_PARSERS_DEVICE_KERNEL_COUNTERS_H
#define PTK_PARSERS_DEVICE_KERNEL_COUNTERS_H

#include "base/memory/memory.h"
#include "base/text/string_table.h"
#include "graph/build/builder.h"
#include "graph/model/graph.h"

/* ---- what hardware counters saw of each kernel, or of each of its launches ---- */

/* How often kernels, copies and calls ran, and how long, where a file has a row for each of them
 * and no timeline. */

/* Which part of a run a row is about. */
enum section {
    SECTION_GPU,
    SECTION_API,
    SECTION_OPENACC, /* host constructs, without what they call */
    SECTION_OS,      /* calls of the operating system, most of them waits */
    SECTION_RANGE,   /* with all that happens inside: its time is others' time, too */
    SECTION_COUNT
};

struct kernel_total {
    frame_id frame;
    enum section section;
    int64_t calls, time, min, max; /* ns */
};

/* Ready for use when zeroed; rows are kept until the end, when it is known what the file is. */
struct kernel_totals {
    VECTOR(struct kernel_total);
    struct idmap places;          /* (frame, section) → row */
    uint64_t read[SECTION_COUNT]; /* rows of the file */
};

/* Adds to what there is of the frame in that section. */
void kernel_totals_add(struct kernel_totals *totals, const struct kernel_total *row);

/* One launch of a kernel, or one copy. */
void kernel_totals_add_launch(struct kernel_totals *totals, frame_id frame, int64_t ns);

void kernel_totals_free(struct kernel_totals *totals);

/* A kernel on a device, or one launch of it. */
struct counted_kernel {
    struct kernel_counts sum;
    uint32_t first_metric;         /* counted for it: see kernel_counters_launched() */
    int rank[COUNTER_COUNT];       /* of what each figure is the sum of */
    int64_t read_rate, write_rate; /* bytes a second from and to memory; 0: not known */
};

struct kernel_metric {
    str_id name;
    bool is_sum; /* a count; else a ratio, which does not add up */
};

struct metric_cell {
    uint32_t kernel, metric;
    int64_t total;
};

/* Ready for use when zeroed. Kernels and metrics are known by their index. */
struct kernel_counters {
    struct VECTOR_OF(struct counted_kernel) kernels;
    struct VECTOR_OF(struct kernel_metric) metrics;
    struct VECTOR_OF(struct metric_cell) cells;
    struct idmap kernel_of, metric_of; /* (frame, device) and name → index */
    struct idmap launches_of;          /* (frame, device) → launches so far, less one */
};

/* The kernel of all launches; made on first mention. `device`: the name of one of several, or 0. */
uint32_t kernel_counters_kernel(struct kernel_counters *counters, frame_id frame, str_id device);

/* A launch of its own; the order of calls is that of the launches. */
uint32_t kernel_counters_launch(struct kernel_counters *counters, frame_id frame, str_id device);

/* Counts the launches that a row of a table is about: each of a kernel's metrics repeats them, and one
 * that comes again is of another run. */
void kernel_counters_launched(struct kernel_counters *counters, uint32_t kernel, uint32_t metric,
                              int64_t launches);

/* " (16 instances)" after the name is no part of it. */
uint32_t kernel_counters_metric(struct kernel_counters *counters, struct builder *builder,
                                struct span name);

/* One metric of a kernel, in the metric's own unit: what all its launches add up to. */
void kernel_counters_add(struct kernel_counters *counters, const struct builder *builder,
                         uint32_t kernel, uint32_t metric, int64_t total);

/* Gives what was counted to the builder, with the times that totals of the same file have, or that
 * follow from bytes and throughputs. */
void kernel_counters_give(struct kernel_counters *counters, const struct kernel_totals *totals,
                          struct builder *builder);

void kernel_counters_free(struct kernel_counters *counters);

/* The level of files without a trace: a row a kernel, copy or call; each metric that adds up is a
 * value that rows can be ranked by. */

MUST_CHECK bool kernel_flat(const struct kernel_totals *totals,
                            const struct kernel_counters *counters, struct builder *builder,
                            struct error *err);

/* ---- device work by its name in a table: a kernel's as its source has it, a copy's ---- */

/* Interned; demangled where the file has it mangled and this build knows how. */
str_id kernel_name_intern(struct builder *builder, struct span name);

/* What the name is: "[CUDA memcpy HtoD]", "[CUDA memset]", "ncclKernel…", else a kernel. */
enum frame_kind kernel_name_kind(struct span name);

frame_id kernel_name_frame(struct builder *builder, struct span name, enum frame_kind kind);

#endif
