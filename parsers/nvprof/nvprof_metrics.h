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
#include "parsers/nvprof/nvprof_table.h"
#include "parsers/shared/kernel_counters.h"

/* Ready for use when zeroed. */
struct metrics {
    struct kernel_counters counters;
    struct idmap devices;
    frame_id frame; /* text: of the rows below "Kernel: …" */
    str_id device;
    uint64_t rows, missing;
    uint32_t column_metric[FIELDS_MAX]; /* of a wide table; the metric's index + 1 */
    struct column_unit column_unit[FIELDS_MAX];
    bool is_decimal; /* a GB is 10^9 bytes, as in old versions */
};

/* After table_open() of the line. */
void metrics_open(struct metrics *metrics, struct builder *builder,
                  const struct nvprof_table *table, struct span line);

/* The units below the header of a wide table. */
void metrics_take_units(struct metrics *metrics, const struct nvprof_table *table,
                        struct span line);

/* A line below the header; false when it is none of the table's. */
bool metrics_take(struct metrics *metrics, struct builder *builder,
                  const struct nvprof_table *table, struct span line);

/* Gives what was counted to the builder; see kernel_counters_give(). */
void metrics_give(struct metrics *metrics, const struct kernel_totals *totals,
                  struct builder *builder);

void metrics_free(struct metrics *metrics);

#endif
