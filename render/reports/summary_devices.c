/* SPDX-License-Identifier: Apache-2.0 */
/* summary_devices.c — tables of `ptk summary`: how well devices are used, launched on and fed */
#include "render/reports/summary_tables.h"

#include <math.h>

#include "base/checked.h"

static union cell length_cell(const struct cell_source *from)
{
    const struct interval *span = from->field;

    return (union cell){.number = span->end - span->start};
}

static union cell known_cell(const struct cell_source *from)
{
    int64_t figure = *(const int64_t *)from->field;

    return (union cell){.number = figure == UNKNOWN ? TABLE_NULL : figure};
}

/* Stage, requests and tokens are of steps of serving alone. */
static struct table *steps_table(const struct view_context *view)
{
    typedef struct step_time row;
    static const struct column columns[] = {
        TEXT_AT("step", name),
        VALUE_BY(length_cell, "time", span, .unit = UNIT_NS),
        TIME_AT("kernel", parts[PART_KERNEL]),
        TIME_AT("memcpy", parts[PART_MEMCPY]),
        TIME_AT("memset", parts[PART_MEMSET]),
        TIME_AT("communication", parts[PART_COMMUNICATION]),
        TIME_AT("runtime", parts[PART_RUNTIME]),
        TIME_AT("dataloader", parts[PART_DATALOADER]),
        TIME_AT("operator", parts[PART_OPERATOR]),
        TIME_AT("other", parts[PART_OTHER]),
        NAME_AT("stage", stage),
        COUNT_BY(known_cell, "requests", requests),
        COUNT_BY(known_cell, "tokens", tokens),
        TIME_AT("launched", busy, .heading = "its device work"),
    };
    const struct step_times *steps = &view->summary->step_times;
    struct table *table =
        TABLE_OF(&view->of, columns, steps->rows, steps->count, "steps", "Step time");

    for (uint32_t i = 0; i < 4 && !(steps->count && steps->rows[0].stage.len); i++)
        table->columns[table->width - 1 - i].use = COLUMN_NOBODY;
    return table;
}

/* Where it is known at all. */
static union cell tensor_source_cell(const struct cell_source *from)
{
    bool is_known = !isnan(*(const double *)from->field);

    return (union cell){.text = is_known ? SPAN("by kernel names") : SPAN("unknown")};
}

static struct table *gpu_table(const struct view_context *view)
{
    typedef struct device_use row;
    static const struct column columns[] = {
        COUNT_AT("device", device),
        TIME_AT("span", span),
        TIME_AT("busy", busy),
        SHARE_AT("utilization", utilization),
        SHARE_AT("sm_efficiency", sm_efficiency),
        SHARE_AT("occupancy", occupancy),
        SHARE_AT("tensor_core_share", tensor_share),
        COUNT_AT("kernels", kernels),
        TEXT_BY(tensor_source_cell, "tensor cores", tensor_share, FOR_PEOPLE),
    };
    const struct device_uses *uses = &view->summary->device_uses;

    return TABLE_OF(&view->of, columns, uses->rows, uses->count, "gpu",
                    "GPU use (SM efficiency and occupancy are estimates)");
}

/* "128 x 1 x 1" */
static union cell size3_cell(const struct cell_source *from)
{
    int64_t packed = *(const int64_t *)from->field, x, y, z;

    if (packed == UNKNOWN)
        return (union cell){.text = NO_TEXT};
    property_unpack3(packed, &x, &y, &z);
    return (union cell){.text = span_of(arena_printf(from->context->arena, "%lld x %lld x %lld",
                                                     (long long)x, (long long)y, (long long)z))};
}

static struct table *kernel_shapes_table(const struct view_context *view)
{
    typedef struct kernel_shape row;
    static const struct column columns[] = {
        COUNT_AT("calls", calls),
        TIME_AT("total", time.total),
        SHARE_AT("share", share),
        MEAN_OF("mean", time.total, calls, .unit = UNIT_NS),
        TIME_AT("max", time.max),
        TIME_AT("min", time.min),
        TEXT_BY(size3_cell, "grid", grid),
        TEXT_BY(size3_cell, "block", block),
        COUNT_AT("registers", registers),
        BYTES_AT("shared_memory", shared_memory),
        RATIO_AT("blocks_per_sm", blocks_per_sm),
        SHARE_AT("occupancy", occupancy),
        FLAG_AT("uses_tensor_cores", uses_tensor_cores),
        NAME_AT("operator", operator_name),
        TEXT_AT("name", name),
    };
    const struct kernel_shapes *shapes = &view->summary->kernel_shapes;
    struct table *table =
        TABLE_OF(&view->of, columns, shapes->rows, limit_rows(shapes->kept, view->limit),
                 "kernel_shapes", "Kernels by launch shape");

    table->omitted = shapes->count - table->height;
    return table;
}

static struct table *operator_shapes_table(const struct view_context *view)
{
    typedef struct operator_shape row;
    static const struct column columns[] = {
        COUNT_AT("calls", calls),  TIME_AT("device_self", device_self),
        TIME_AT("device", device), TIME_AT("host_self", host_self),
        TIME_AT("host", host),     TEXT_AT("name", name),
        NAME_AT("shapes", shapes)};
    const struct operator_shapes *shapes = &view->summary->operator_shapes;
    struct table *table =
        TABLE_OF(&view->of, columns, shapes->rows, limit_rows(shapes->kept, view->limit),
                 "operator_shapes", "Operators by input shape");

    table->omitted = shapes->count - table->height;
    return table;
}

static struct table *launches_table(const struct view_context *view)
{
    typedef struct launch_row row;
    static const struct column columns[] = {
        TEXT_AT("call", name),
        COUNT_AT("calls", calls),
        COUNT_AT("works", works),
        TIME_AT("call_time", call_time),
        TIME_AT("work_time", work_time),
        TIME_AT("delay", delay_total),
        MEAN_OF("delay_mean", delay_total, works, .unit = UNIT_NS),
        TIME_AT("delay_max", delay_max),
        COUNT_AT("shorter_than_call", shorter_than_call),
        COUNT_AT("slow_calls", slow_calls),
        COUNT_AT("late_starts", late_starts),
    };
    const struct launch_rows *launches = &view->summary->launches;

    return TABLE_OF(&view->of, columns, launches->rows, launches->count, "launches", "Launches");
}

static struct table *queues_table(const struct view_context *view)
{
    typedef struct queue_row row;
    static const struct column columns[] = {
        TEXT_AT("device", device),    TEXT_AT("stream", stream), COUNT_AT("launches", launches),
        COUNT_AT("longest", longest), RATIO_AT("mean", mean),    TIME_AT("full_time", full_time)};
    const struct queue_rows *queues = &view->summary->queues;

    return TABLE_OF(&view->of, columns, queues->rows, queues->count, "queues",
                    "Work waiting on streams");
}

static struct table *copies_table(const struct view_context *view)
{
    typedef struct copy_row row;
    static const struct column columns[] = {
        TEXT_AT("name", name),
        COUNT_AT("calls", calls),
        BYTES_AT("bytes", bytes),
        TIME_AT("time", time),
        RATE_AT("bytes_per_second", "GB/s", rate),
        RATE_AT("max_bytes_per_second", "most GB/s", max_rate),
    };
    const struct copy_rows *copies = &view->summary->copies;

    return TABLE_OF(&view->of, columns, copies->rows, copies->count, "copies", "Copies and fills");
}

static struct table *graphs_table(const struct view_context *view)
{
    typedef struct graph_row row;
    static const struct column columns[] = {TEXT_AT("name", name),
                                            COUNT_AT("calls", calls),
                                            COUNT_AT("works", works),
                                            TIME_AT("time", time),
                                            MEAN_OF("mean", time, calls, .unit = UNIT_NS),
                                            SHARE_AT("share", share)};
    const struct graph_rows *graphs = &view->summary->graphs;

    return TABLE_OF(&view->of, columns, graphs->rows, graphs->count, "graphs",
                    "Launches of graphs, by captured operator");
}

static struct table *memory_points(const struct view_context *view,
                                   const struct memory_curve *curve, const char *key,
                                   const char *title)
{
    typedef struct memory_point row;
    static const struct column columns[] = {TEXT_AT("place", place), TIME_AT("time", time),
                                            BYTES_AT("allocated", allocated),
                                            BYTES_AT("reserved", reserved)};

    return TABLE_OF(&view->of, columns, curve->rows, curve->count, key, title);
}

static struct table *peaks_table(const struct view_context *view)
{
    return memory_points(view, &view->summary->memory_peaks, "memory_peaks", "Most memory in use");
}

static struct table *curve_table(const struct view_context *view)
{
    return memory_points(view, &view->summary->memory_curve, "memory_curve", "Memory in use");
}

struct table *device_table_of(enum summary_view view, const struct view_context *context)
{
    static struct table *(*const tables[])(const struct view_context *) = {
        [VIEW_STEPS] = steps_table,
        [VIEW_GPU] = gpu_table,
        [VIEW_KERNEL_SHAPES] = kernel_shapes_table,
        [VIEW_OPERATOR_SHAPES] = operator_shapes_table,
        [VIEW_LAUNCHES] = launches_table,
        [VIEW_QUEUES] = queues_table,
        [VIEW_COPIES] = copies_table,
        [VIEW_GRAPHS] = graphs_table,
        [VIEW_MEMORY_PEAKS] = peaks_table,
        [VIEW_MEMORY_CURVE] = curve_table,
    };

    return tables[view](context);
}
