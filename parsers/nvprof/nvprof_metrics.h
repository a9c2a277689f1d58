/* SPDX-License-Identifier: Apache-2.0 */
/* nvprof_metrics.h — tables of metrics and events: what hardware counters saw of each kernel
 *
 * Summed over launches ("Invocations" times "Avg"), one value an instance of the hardware
 * (--aggregate-mode off), of the whole run (--event-collection-mode continuous), or a row a launch
 * and a column a metric. */
#ifndef PTK_PARSERS_NVPROF_NVPROF_METRICS_H
#define PTK_PARSERS_NVPROF_NVPROF_METRICS_H

#include "base/memory/idmap.h"
#include "graph/build/builder.h"
#include "parsers/nvprof/nvprof_summary.h"
#include "parsers/nvprof/nvprof_table.h"
#include "parsers/nvprof/quantity.h"

/* Ready for use when zeroed. */
struct metrics {
    struct counted_kernel {
        struct counted sum;
        uint32_t first_metric;
        int rank[COUNTER_COUNT];       /* of what each figure is the sum of */
        int64_t read_rate, write_rate; /* bytes a second from and to memory; 0: not known */
    } * kernels;
    struct metric {
        str_id name;
        bool is_sum; /* a count; else a ratio, which does not add up */
    } * list;
    struct metric_cell {
        uint32_t kernel, metric;
        int64_t total;
    } * cells;
    size_t kernel_count, kernel_cap, count, cap, cell_count, cell_cap;
    struct idmap kernel_of, metric_of; /* (frame, device) and name → index */
    struct idmap devices;
    struct idmap launches_of; /* frame → how many rows of it there were */
    frame_id frame;           /* text: of the rows below "Kernel: …" */
    str_id device;
    uint64_t rows, missing;
    uint32_t column_metric[FIELDS_MAX]; /* of a wide table; the metric's index + 1 */
    struct column_unit column_unit[FIELDS_MAX];
    bool is_decimal; /* a GB is 10^9 bytes, as in old versions */
};

/* After table_open() of the line. */
void metrics_open(struct metrics *metrics, struct builder *builder, const struct table *table,
                  struct span line);

/* The units below the header of a wide table. */
void metrics_take_units(struct metrics *metrics, const struct table *table, struct span line);

/* A line below the header; false when it is none of the table's. */
bool metrics_take(struct metrics *metrics, struct builder *builder, const struct table *table,
                  struct span line);

/* A launch of which another reader knows the figures; returns its index. The order of its calls is
 * that of the launches. */
uint32_t metrics_launch(struct metrics *metrics, frame_id frame);

/* One count of that launch, in the metric's own unit. */
void metrics_count(struct metrics *metrics, struct builder *builder, uint32_t launch,
                   struct span name, int64_t value);

/* Gives what was counted to the builder, with the times that a
 * summary in the same file has, or that follow from bytes and throughputs. */
void metrics_give(struct metrics *metrics, const struct summary *summary, struct builder *builder);

/* Lists every kernel with its sum of one metric; UINT32_MAX: its launches. */
void metrics_list(const struct metrics *metrics, struct builder *builder, uint32_t metric);

void metrics_free(struct metrics *metrics);

#endif
