/* summary_report.h — the tables of the summary for every output form */
#ifndef PTK_RENDER_SUMMARY_SUMMARY_REPORT_H
#define PTK_RENDER_SUMMARY_SUMMARY_REPORT_H

#include "analysis/summary/summary.h"
#include "render/forms/report.h"
#include "render/summary/paddle_page.h"

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

extern const char *const summary_view_names[]; /* "device", …; ends with NULL */

/* Sets of views: summary_view_bit(VIEW_DEVICE) | summary_view_bit(VIEW_MODEL). */
static inline uint32_t summary_view_bit(enum summary_view view)
{
    return (uint32_t)1 << view;
}

/* What a table wants of a parser, as builder_options.properties. */
uint64_t summary_view_properties(enum summary_view view);

/* Gives the report the chart of a view. False where it has none: the curve of memory does if an
 * allocator was recorded, the steps always, and no other does. */
bool summary_chart(enum summary_view view, const struct host_tree *tree, struct arena *arena,
                   struct report *report);

/* Adds the tables of a set to the report; one that has nothing to show is left out unless it is in
 * `asked_for`. */
void summary_report(uint32_t views, uint32_t asked_for, const struct host_tree *tree,
                    const struct summary_options *options, enum time_unit unit, struct arena *arena,
                    struct report *report);

#endif
