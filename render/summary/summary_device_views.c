/* SPDX-License-Identifier: Apache-2.0 */
/* summary_device_views.c — how well the device is used, launched on and fed */
#include <math.h>

#include "render/reports/report_columns.h"
#include "render/summary/summary_tables.h"

static struct table *steps_table(const struct view_context *context)
{
    static const struct column columns[] = {
        TEXT("step"),     TIME("time"),          TIME("kernel"),  TIME("memcpy"),
        TIME("memset"),   TIME("communication"), TIME("runtime"), TIME("dataloader"),
        TIME("operator"), TIME("other")};
    const struct step_times *steps = &context->summary->step_times;
    struct table *table =
        table_new(context->arena, columns, COUNT_OF(columns), steps->count, "steps", "Step time");

    for (uint32_t i = 0; i < steps->count; i++) {
        const struct step_time *step = &steps->rows[i];
        struct row_writer writer = table_row(table, i);

        row_text(&writer, step->name);
        row_number(&writer, step->span.end - step->span.start);
        for (enum step_part part = 0; part < PART_COUNT; part++)
            row_number(&writer, step->parts[part]);
    }
    return table;
}

static struct table *gpu_table(const struct view_context *context)
{
    static const struct column columns[] = {COUNT("device"),
                                            TIME("span"),
                                            TIME("busy"),
                                            SHARE("utilization"),
                                            SHARE("sm_efficiency"),
                                            SHARE("occupancy"),
                                            SHARE("tensor_core_share"),
                                            COUNT("kernels"),
                                            SHOWN_TEXT("tensor cores")};
    const struct device_uses *uses = &context->summary->device_uses;
    struct table *table = table_new(context->arena, columns, COUNT_OF(columns), uses->count, "gpu",
                                    "GPU use (SM efficiency and occupancy are estimates)");

    for (uint32_t i = 0; i < uses->count; i++) {
        const struct device_use *use = &uses->rows[i];
        struct row_writer writer = table_row(table, i);

        row_number(&writer, use->device);
        row_number(&writer, use->span);
        row_number(&writer, use->busy);
        row_real(&writer, use->utilization);
        row_real(&writer, use->sm_efficiency);
        row_real(&writer, use->occupancy);
        row_real(&writer, use->tensor_share);
        row_number(&writer, use->kernels);
        row_text(&writer, isnan(use->tensor_share) ? SPAN("unknown") : SPAN("by kernel names"));
    }
    return table;
}

/* "128 x 1 x 1" */
static void row_size3(struct row_writer *writer, int64_t packed, struct arena *arena)
{
    int64_t x, y, z;

    if (packed == UNKNOWN) {
        row_text(writer, NO_TEXT);
        return;
    }
    property_unpack3(packed, &x, &y, &z);
    row_text(writer, span_of(arena_printf(arena, "%lld x %lld x %lld", (long long)x, (long long)y,
                                          (long long)z)));
}

static struct table *kernel_shapes_table(const struct view_context *context)
{
    static const struct column columns[] = {COUNT("calls"),
                                            TIME("total"),
                                            SHARE("share"),
                                            TIME("mean"),
                                            TIME("max"),
                                            TIME("min"),
                                            TEXT("grid"),
                                            TEXT("block"),
                                            COUNT("registers"),
                                            BYTES("shared_memory"),
                                            REAL("blocks_per_sm"),
                                            SHARE("occupancy"),
                                            FLAG("uses_tensor_cores"),
                                            TEXT("operator"),
                                            TEXT("name")};
    const struct kernel_shapes *shapes = &context->summary->kernel_shapes;
    uint32_t count = limit_rows(shapes->kept, context->limit);
    struct table *table = table_new(context->arena, columns, COUNT_OF(columns), count,
                                    "kernel_shapes", "Kernels by launch shape");

    table->omitted = shapes->count - count;
    for (uint32_t i = 0; i < count; i++) {
        const struct kernel_shape *shape = &shapes->rows[i];
        struct row_writer writer = table_row(table, i);

        row_number(&writer, shape->calls);
        row_number(&writer, shape->time.total);
        row_real(&writer, shape->share);
        row_per_call(&writer, shape->time.total, shape->calls);
        row_number(&writer, shape->time.max);
        row_number(&writer, shape->time.min);
        row_size3(&writer, shape->grid, context->arena);
        row_size3(&writer, shape->block, context->arena);
        row_number(&writer, shape->registers);
        row_number(&writer, shape->shared_memory);
        row_real(&writer, shape->blocks_per_sm);
        row_real(&writer, shape->occupancy);
        row_number(&writer, shape->uses_tensor_cores);
        row_text(&writer, shape->operator_name.len ? shape->operator_name : NO_TEXT);
        row_text(&writer, shape->name);
    }
    return table;
}

static struct table *operator_shapes_table(const struct view_context *context)
{
    static const struct column columns[] = {COUNT("calls"),    TIME("device_self"), TIME("device"),
                                            TIME("host_self"), TIME("host"),        TEXT("name"),
                                            TEXT("shapes")};
    const struct operator_shapes *shapes = &context->summary->operator_shapes;
    uint32_t count = limit_rows(shapes->kept, context->limit);
    struct table *table = table_new(context->arena, columns, COUNT_OF(columns), count,
                                    "operator_shapes", "Operators by input shape");

    table->omitted = shapes->count - count;
    for (uint32_t i = 0; i < count; i++) {
        const struct operator_shape *shape = &shapes->rows[i];
        struct row_writer writer = table_row(table, i);

        row_number(&writer, shape->calls);
        row_number(&writer, shape->device_self);
        row_number(&writer, shape->device);
        row_number(&writer, shape->host_self);
        row_number(&writer, shape->host);
        row_text(&writer, shape->name);
        row_text(&writer, shape->shapes.len ? shape->shapes : NO_TEXT);
    }
    return table;
}

static struct table *launches_table(const struct view_context *context)
{
    static const struct column columns[] = {
        TEXT("call"),        COUNT("calls"),      COUNT("works"),
        TIME("call_time"),   TIME("work_time"),   TIME("delay"),
        TIME("delay_mean"),  TIME("delay_max"),   COUNT("shorter_than_call"),
        COUNT("slow_calls"), COUNT("late_starts")};
    const struct launch_rows *launches = &context->summary->launches;
    struct table *table = table_new(context->arena, columns, COUNT_OF(columns), launches->count,
                                    "launches", "Launches");

    for (uint32_t i = 0; i < launches->count; i++) {
        const struct launch_row *row = &launches->rows[i];
        struct row_writer writer = table_row(table, i);

        row_text(&writer, row->name);
        row_number(&writer, row->calls);
        row_number(&writer, row->works);
        row_number(&writer, row->call_time);
        row_number(&writer, row->work_time);
        row_number(&writer, row->delay_total);
        row_per_call(&writer, row->delay_total, row->works);
        row_number(&writer, row->delay_max);
        row_number(&writer, row->shorter_than_call);
        row_number(&writer, row->slow_calls);
        row_number(&writer, row->late_starts);
    }
    return table;
}

static struct table *queues_table(const struct view_context *context)
{
    static const struct column columns[] = {TEXT("device"),   TEXT("stream"), COUNT("launches"),
                                            COUNT("longest"), REAL("mean"),   TIME("full_time")};
    const struct queue_rows *queues = &context->summary->queues;
    struct table *table = table_new(context->arena, columns, COUNT_OF(columns), queues->count,
                                    "queues", "Work waiting on streams");

    for (uint32_t i = 0; i < queues->count; i++) {
        struct row_writer writer = table_row(table, i);

        row_text(&writer, queues->rows[i].device);
        row_text(&writer, queues->rows[i].stream);
        row_number(&writer, queues->rows[i].launches);
        row_number(&writer, queues->rows[i].longest);
        row_real(&writer, queues->rows[i].mean);
        row_number(&writer, queues->rows[i].full_time);
    }
    return table;
}

static struct table *copies_table(const struct view_context *context)
{
    static const struct column columns[] = {
        TEXT("name"),
        COUNT("calls"),
        BYTES("bytes"),
        TIME("time"),
        {.key = "bytes_per_second", .heading = "GB/s", .kind = CELL_RATIO, .use = COLUMN_MACHINES},
        {.key = "max_bytes_per_second", .kind = CELL_RATIO, .use = COLUMN_MACHINES},
        {.key = "GB/s", .kind = CELL_RATIO, .use = COLUMN_PEOPLE},
        {.key = "most GB/s", .kind = CELL_RATIO, .use = COLUMN_PEOPLE}};
    const struct copy_rows *copies = &context->summary->copies;
    struct table *table = table_new(context->arena, columns, COUNT_OF(columns), copies->count,
                                    "copies", "Copies and fills");

    for (uint32_t i = 0; i < copies->count; i++) {
        struct row_writer writer = table_row(table, i);

        row_text(&writer, copies->rows[i].name);
        row_number(&writer, copies->rows[i].calls);
        row_number(&writer, copies->rows[i].bytes);
        row_number(&writer, copies->rows[i].time);
        row_real(&writer, copies->rows[i].rate);
        row_real(&writer, copies->rows[i].max_rate);
        row_real(&writer, copies->rows[i].rate / 1e9);
        row_real(&writer, copies->rows[i].max_rate / 1e9);
    }
    return table;
}

static struct table *graphs_table(const struct view_context *context)
{
    static const struct column columns[] = {TEXT("name"), COUNT("calls"), COUNT("works"),
                                            TIME("time"), TIME("mean"),   SHARE("share")};
    const struct graph_rows *graphs = &context->summary->graphs;
    struct table *table = table_new(context->arena, columns, COUNT_OF(columns), graphs->count,
                                    "graphs", "Launches of graphs, by captured operator");

    for (uint32_t i = 0; i < graphs->count; i++) {
        struct row_writer writer = table_row(table, i);

        row_text(&writer, graphs->rows[i].name);
        row_number(&writer, graphs->rows[i].calls);
        row_number(&writer, graphs->rows[i].works);
        row_number(&writer, graphs->rows[i].time);
        row_per_call(&writer, graphs->rows[i].time, graphs->rows[i].calls);
        row_real(&writer, graphs->rows[i].share);
    }
    return table;
}

static struct table *memory_points(const struct view_context *context, bool peaks_only)
{
    static const struct column columns[] = {TEXT("place"), TIME("time"), BYTES("allocated"),
                                            BYTES("reserved")};
    const struct memory_curve *curve =
        peaks_only ? &context->summary->memory_peaks : &context->summary->memory_curve;
    struct table *table = table_new(context->arena, columns, COUNT_OF(columns), curve->count,
                                    peaks_only ? "memory_peaks" : "memory_curve",
                                    peaks_only ? "Most memory in use" : "Memory in use");

    for (uint32_t i = 0; i < curve->count; i++) {
        struct row_writer writer = table_row(table, i);

        row_text(&writer, curve->rows[i].place);
        row_number(&writer, curve->rows[i].time);
        row_number(&writer, curve->rows[i].allocated);
        row_number(&writer, curve->rows[i].reserved);
    }
    return table;
}

struct table *device_view_table(enum summary_view view, const struct view_context *context)
{
    switch (view) {
    case VIEW_STEPS:
        return steps_table(context);
    case VIEW_GPU:
        return gpu_table(context);
    case VIEW_KERNEL_SHAPES:
        return kernel_shapes_table(context);
    case VIEW_OPERATOR_SHAPES:
        return operator_shapes_table(context);
    case VIEW_LAUNCHES:
        return launches_table(context);
    case VIEW_QUEUES:
        return queues_table(context);
    case VIEW_COPIES:
        return copies_table(context);
    case VIEW_GRAPHS:
        return graphs_table(context);
    default:
        return memory_points(context, view == VIEW_MEMORY_PEAKS);
    }
}
