/* SPDX-License-Identifier: Apache-2.0 */
/* kernel_counters.h — what hardware counters saw of each kernel, or of each of its launches */
#ifndef PTK_PARSERS_SHARED_KERNEL_COUNTERS_H
#define PTK_PARSERS_SHARED_KERNEL_COUNTERS_H

#include "base/memory/idmap.h"
#include "base/memory/vector.h"
#include "graph/build/builder.h"
#include "parsers/shared/kernel_totals.h"

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

/* Lists every kernel with its sum of one metric; UINT32_MAX: its launches. */
void kernel_counters_list(const struct kernel_counters *counters, struct callgraph_builder *builder,
                          uint32_t metric);

void kernel_counters_free(struct kernel_counters *counters);

#endif
