/* SPDX-License-Identifier: Apache-2.0 */
/* profiler_ranges.h — what CUPTI counted, kernel by kernel, in a trace of PyTorch
 *
 * Kineto's range profiler runs each kernel again and again to count, so it has no times of kernels: it
 * lays the ranges one behind the other in the order of the launches. They are counters, not work. */
#ifndef PTK_PARSERS_CHROME_PROFILER_RANGES_H
#define PTK_PARSERS_CHROME_PROFILER_RANGES_H

#include "base/memory/vector.h"
#include "graph/build/builder.h"
#include "parsers/chrome/scan/event.h"

struct profiler_range {
    str_id kernel, device;
    int64_t start; /* ns */
};

struct range_metric {
    uint32_t range; /* whose it is */
    str_id name;
    int64_t total;
};

struct profiler_ranges {
    struct VECTOR_OF(struct profiler_range) list;
    struct VECTOR_OF(struct range_metric) metrics;
};

bool is_profiler_range(const struct event *event);

/* Keeps the metrics that stand as numbers in the event's args. */
void profiler_ranges_add(struct profiler_ranges *ranges, struct builder *builder,
                         const struct event *event, int64_t start);

/* Takes another reader's, which come after these. */
void profiler_ranges_absorb(struct profiler_ranges *ranges, const struct profiler_ranges *part,
                            const str_id *texts);

/* Gives them to the builder as launches, in the order of their starts. */
void profiler_ranges_finish(struct profiler_ranges *ranges, struct builder *builder);

void profiler_ranges_free(struct profiler_ranges *ranges);

#endif
