/* SPDX-License-Identifier: Apache-2.0 */
/* summary_result.h — all that `ptk summary` tells of a timeline: every table's figures, before
 * anybody lays them out */
#ifndef PTK_ANALYSIS_SUMMARY_SUMMARY_RESULT_H
#define PTK_ANALYSIS_SUMMARY_SUMMARY_RESULT_H

#include "analysis/summary/device_use.h"
#include "analysis/summary/launches.h"
#include "analysis/summary/memory_curve.h"
#include "analysis/summary/shape_tables.h"
#include "analysis/summary/summary.h"

enum summary_view {
    VIEW_DEVICE,
    VIEW_OVERVIEW,
    VIEW_MODEL,
    VIEW_DISTRIBUTED,
    VIEW_OPERATOR,
    VIEW_KERNEL,
    VIEW_MEMORY_MANIPULATION,
    VIEW_USER_DEFINED,
    VIEW_MEMORY,
    VIEW_BENCHMARK,
    VIEW_OF_PADDLE_COUNT, /* those above are Paddle's, and shown when nothing else is asked for */
    VIEW_STEPS = VIEW_OF_PADDLE_COUNT,
    VIEW_GPU,
    VIEW_KERNEL_SHAPES,
    VIEW_OPERATOR_SHAPES,
    VIEW_LAUNCHES,
    VIEW_QUEUES,
    VIEW_COPIES,
    VIEW_MEMORY_PEAKS,
    VIEW_MEMORY_CURVE,
    VIEW_COUNT
};

/* Sets of views: summary_view_bit(VIEW_DEVICE) | summary_view_bit(VIEW_MODEL). */
static inline uint32_t summary_view_bit(enum summary_view view)
{
    return (uint32_t)1 << view;
}

/* What the passes of a view want of a parser, as builder_options.properties. */
uint64_t summary_view_properties(enum summary_view view);

/* All lives in the arena that it was computed with; of views that were not wanted nothing is
 * set. */
struct summary {
    uint32_t views;     /* those that are filled */
    int64_t total_time; /* ns, of all steps, or of the whole timeline where there are none */
    uint32_t steps;
    bool has_allocators; /* that tell how much memory is in use */

    struct summary_devices devices;
    struct summary_overview overview;
    struct summary_model model;
    struct summary_distribution distribution;
    struct summary_operators operators;
    struct summary_list kernels, manipulations, user_defined;
    struct summary_memory memory;
    struct summary_benchmark benchmark;

    struct step_times step_times;
    struct device_uses device_uses;
    struct kernel_shapes kernel_shapes;
    struct operator_shapes operator_shapes;
    struct launch_rows launches;
    struct queue_rows queues;
    struct copy_rows copies;
    struct memory_curve memory_peaks, memory_curve;
};

/* Needs LEVEL_TIMELINE, and the properties of the views. */
void summary_compute(const struct graph *graph, const struct summary_options *options,
                     struct arena *arena, struct summary *summary);

#endif
