/* SPDX-License-Identifier: Apache-2.0 */
#include "render/summary/summary_tables.h"

#include <math.h>

#include "base/checked.h"
#include "render/charts/charts.h"

const char *const summary_view_names[] = {"device",
                                          "overview",
                                          "model",
                                          "distributed",
                                          "operator",
                                          "kernel",
                                          "memory-manipulation",
                                          "user-defined",
                                          "memory",
                                          "benchmark",
                                          "steps",
                                          "gpu",
                                          "kernel-shapes",
                                          "operator-shapes",
                                          "launches",
                                          "queues",
                                          "copies",
                                          "graphs",
                                          "memory-peaks",
                                          "memory-curve",
                                          NULL};

/* ---- the whole run ---- */

static struct table *device_table(const struct view_context *context)
{
    static const struct column columns[] = {TEXT("device"), TIME("busy"), SHARE("utilization")};
    const struct summary_devices *devices = &context->summary->devices;
    struct table *table =
        table_new(context->arena, columns, COUNT_OF(columns),
                  devices->count + !isnan(devices->process_cpu) + !isnan(devices->system_cpu),
                  "device", "Device Summary");
    uint32_t row = 0;

    for (int i = 0; i < 2; i++) {
        double share = i ? devices->system_cpu : devices->process_cpu;
        struct row_writer writer = table_row(table, row);

        if (isnan(share))
            continue;
        row_text(&writer, i ? SPAN("CPU(System)") : SPAN("CPU(Process)"));
        row_number(&writer, TABLE_NULL);
        row_real(&writer, share);
        row++;
    }
    for (uint32_t i = 0; i < devices->count; i++) {
        struct row_writer writer = table_row(table, row++);

        row_text(&writer, span_of(arena_printf(context->arena, "GPU%d", devices->rows[i].device)));
        row_number(&writer, devices->rows[i].busy);
        row_real(&writer, devices->rows[i].share);
    }
    table->text = paddle_devices(devices, context->arena);
    return table;
}

static struct table *overview_table(const struct view_context *context)
{
    static const struct column columns[] = {TEXT("type"), FLAG("is_device"), COUNT("calls"),
                                            TIME("time"), SHARE("share")};
    const struct summary_overview *overview = &context->summary->overview;
    struct table *table = table_new(context->arena, columns, COUNT_OF(columns), overview->count,
                                    "overview", "Overview Summary");

    for (uint32_t i = 0; i < overview->count; i++) {
        struct row_writer writer = table_row(table, i);

        row_text(&writer, overview->rows[i].name);
        row_number(&writer, overview->rows[i].is_device);
        row_number(&writer, overview->rows[i].calls);
        row_number(&writer, overview->rows[i].time);
        row_real(&writer, overview->rows[i].share);
    }
    table->text = paddle_overview(overview, context->arena, context->unit);
    return table;
}

static void row_spread(struct row_writer *writer, const struct spread *spread, double share,
                       bool has_calls)
{
    row_number(writer, spread->total);
    row_number(writer, has_calls ? spread->max : TABLE_NULL);
    row_number(writer, has_calls ? spread->min : TABLE_NULL);
    row_real(writer, share);
}

static struct table *model_table(const struct view_context *context)
{
    static const struct column columns[] = {TEXT("name"), COUNT("calls"), SPREAD("cpu"),
                                            SPREAD("gpu")};
    const struct summary_model *model = &context->summary->model;
    struct table *table = table_new(context->arena, columns, COUNT_OF(columns), model->count,
                                    "model", "Model Summary");

    for (uint32_t i = 0; i < model->count; i++) {
        const struct summary_phase *phase = &model->rows[i];
        struct row_writer writer = table_row(table, i);
        bool has_calls = phase->role != ROLE_NONE;

        row_text(&writer, phase->item.name);
        row_number(&writer, has_calls ? phase->item.calls : TABLE_NULL);
        row_spread(&writer, &phase->item.cpu, phase->cpu_share, has_calls);
        row_spread(&writer, &phase->item.gpu, phase->gpu_share, has_calls);
    }
    table->text = paddle_model(model, context->arena, context->unit);
    return table;
}

static struct table *distributed_table(const struct view_context *context)
{
    static const struct column columns[] = {TEXT("name"), TIME("time"), SHARE("share")};
    static const char *const names[] = {"ProfileStep", "Communication", "Computation", "Overlap"};
    const struct summary_distribution *d = &context->summary->distribution;
    struct table *table =
        table_new(context->arena, columns, COUNT_OF(columns), d->has_communication ? 4 : 0,
                  "distributed", "Distribution Summary");

    for (uint32_t i = 0; i < table->height; i++) {
        int64_t times[] = {d->total_time, d->communication, d->computation, d->overlap};
        struct row_writer writer = table_row(table, i);

        row_text(&writer, span_of(names[i]));
        row_number(&writer, times[i]);
        row_real(&writer, d->total_time ? (double)times[i] / (double)d->total_time : NAN);
    }
    table->text = paddle_distribution(d, context->arena, context->unit);
    return table;
}

static struct table *benchmark_table(const struct view_context *context)
{
    static const struct column columns[] = {TEXT("name"), REAL("average"), REAL("max"), REAL("min"),
                                            COUNT("steps")};
    static const char *const names[] = {"batch_cost", "ips", "reader_cost"};
    const struct summary_benchmark *b = &context->summary->benchmark;
    struct table *table = table_new(context->arena, columns, COUNT_OF(columns),
                                    b->steps ? 2 + b->has_reader : 0, "benchmark", "Perf Summary");

    for (uint32_t i = 0; i < table->height; i++) {
        const struct summary_rate *rates[] = {&b->batch, &b->ips, &b->reader};
        struct row_writer writer = table_row(table, i);

        row_text(&writer, span_of(names[i]));
        row_real(&writer, rates[i]->average);
        row_real(&writer, rates[i]->max);
        row_real(&writer, isfinite(rates[i]->min) ? rates[i]->min : NAN);
        row_number(&writer, b->steps);
    }
    table->text = paddle_benchmark(b, context->arena);
    return table;
}

/* ---- by name ---- */

static struct table *operator_table(const struct view_context *context)
{
    static const struct column columns[] = {TEXT("name"),   TEXT("level"), COUNT("thread"),
                                            COUNT("calls"), SPREAD("cpu"), SPREAD("gpu"),
                                            COUNT("flops")};
    static const char *const levels[] = {"operator", "inner", "inner_work", "work"};
    const struct summary_operators *operators = &context->summary->operators;
    struct table *table = table_new(context->arena, columns, COUNT_OF(columns), operators->count,
                                    "operator", "Operator Summary");

    for (uint32_t i = 0; i < operators->count; i++) {
        const struct summary_operator *row = &operators->rows[i];
        bool is_host = row->level == OPERATOR_ITSELF || row->level == OPERATOR_INNER;
        struct spread none = {TABLE_NULL, 0, 0};
        struct row_writer writer = table_row(table, i);

        row_text(&writer, row->item.name);
        row_text(&writer, span_of(levels[row->level]));
        row_number(&writer, operators->is_by_thread ? operators->threads[row->thread] : TABLE_NULL);
        row_number(&writer, row->item.calls);
        row_spread(&writer, is_host ? &row->item.cpu : &none, is_host ? row->cpu_share : NAN,
                   is_host);
        row_spread(&writer, &row->item.gpu, row->gpu_share, true);
        row_number(&writer, row->level == OPERATOR_ITSELF ? row->item.flops : TABLE_NULL);
    }
    table->text = paddle_operators(operators, context->arena, context->unit);
    return table;
}

static struct table *kernel_table(const struct view_context *context)
{
    static const struct column columns[] = {TEXT("name"), COUNT("calls"), SPREAD("gpu")};
    const struct summary_list *kernels = &context->summary->kernels;
    struct table *table = table_new(context->arena, columns, COUNT_OF(columns), kernels->count,
                                    "kernel", "Kernel Summary");

    for (uint32_t i = 0; i < kernels->count; i++) {
        struct row_writer writer = table_row(table, i);

        row_text(&writer, kernels->rows[i].item.name);
        row_number(&writer, kernels->rows[i].item.calls);
        row_spread(&writer, &kernels->rows[i].item.gpu, kernels->rows[i].gpu_share, true);
    }
    table->text = paddle_kernels(kernels, context->arena, context->unit);
    return table;
}

static struct table *range_table(const struct view_context *context,
                                 const struct summary_list *list, const char *key,
                                 const char *title)
{
    static const struct column columns[] = {TEXT("name"), COUNT("thread"), COUNT("calls"),
                                            SPREAD("cpu"), SPREAD("gpu")};
    struct table *table =
        table_new(context->arena, columns, COUNT_OF(columns), list->count, key, title);

    for (uint32_t i = 0; i < list->count; i++) {
        const struct summary_named *row = &list->rows[i];
        struct row_writer writer = table_row(table, i);

        row_text(&writer, row->item.name);
        row_number(&writer, list->is_by_thread ? list->threads[row->thread] : TABLE_NULL);
        row_number(&writer, row->item.calls);
        row_spread(&writer, &row->item.cpu, row->cpu_share, true);
        row_spread(&writer, &row->item.gpu, row->gpu_share, true);
    }
    return table;
}

static struct table *manipulation_table(const struct view_context *context)
{
    const struct summary_list *list = &context->summary->manipulations;
    struct table *table =
        range_table(context, list, "memory_manipulation", "Memory Manipulation Summary");
    table->text = paddle_manipulations(list, context->arena, context->unit);
    return table;
}

static struct table *user_table(const struct view_context *context)
{
    const struct summary_list *list = &context->summary->user_defined;
    struct table *table = range_table(context, list, "user_defined", "UserDefined Summary");
    table->text = paddle_user_defined(list, context->arena, context->unit);
    return table;
}

static void fill_place(const struct table *table, const struct summary_memory *memory,
                       const struct summary_place *place)
{
    for (uint32_t i = place->first; i < place->first + place->count; i++) {
        const struct summary_allocation *row = &memory->rows[i];
        struct row_writer writer = table_row(table, i);

        row_text(&writer, place->name);
        row_text(&writer, row->name);
        row_text(&writer, row->is_reserved ? SPAN("Reserved") : SPAN("Allocated"));
        row_number(&writer, row->allocations);
        row_number(&writer, row->frees);
        row_number(&writer, row->allocated);
        row_number(&writer, row->freed);
        row_number(&writer, checked_sub(row->allocated, row->freed));
        row_number(&writer, place->peak_allocated);
        row_number(&writer, place->peak_reserved);
    }
}

static struct table *memory_table(const struct view_context *context)
{
    static const struct column columns[] = {
        TEXT("place"),           TEXT("name"),          TEXT("type"),   COUNT("allocations"),
        COUNT("frees"),          BYTES("allocated"),    BYTES("freed"), BYTES("increase"),
        BYTES("peak_allocated"), BYTES("peak_reserved")};
    const struct summary_memory *memory = &context->summary->memory;
    struct table *table = table_new(context->arena, columns, COUNT_OF(columns), memory->count,
                                    "memory", "Memory Summary");

    for (uint32_t i = 0; i < memory->place_count; i++)
        fill_place(table, memory, &memory->places[i]);
    table->text = paddle_memory(memory, context->arena);
    return table;
}

static struct table *table_of(enum summary_view view, const struct view_context *context)
{
    static struct table *(*const tables[])(const struct view_context *) = {
        [VIEW_DEVICE] = device_table,
        [VIEW_OVERVIEW] = overview_table,
        [VIEW_MODEL] = model_table,
        [VIEW_DISTRIBUTED] = distributed_table,
        [VIEW_OPERATOR] = operator_table,
        [VIEW_KERNEL] = kernel_table,
        [VIEW_MEMORY_MANIPULATION] = manipulation_table,
        [VIEW_USER_DEFINED] = user_table,
        [VIEW_MEMORY] = memory_table,
        [VIEW_BENCHMARK] = benchmark_table,
    };

    return view < VIEW_OF_PADDLE_COUNT ? tables[view](context) : device_view_table(view, context);
}

void summary_report(const struct summary *summary, uint32_t views, uint32_t asked_for,
                    uint32_t limit, enum time_unit unit, struct arena *arena, struct report *report)
{
    const struct view_context context = {
        .summary = summary, .unit = unit, .limit = limit, .arena = arena};

    for (enum summary_view view = 0; view < VIEW_COUNT; view++) {
        struct table *table;

        if (!(summary->views & views & summary_view_bit(view)))
            continue;
        table = table_of(view, &context);
        if (table->height == 0 && view != VIEW_MEMORY)
            table->text = NULL;
        if (table->height || asked_for & summary_view_bit(view) || (table->text && *table->text))
            report_table(report, table);
        if (table->height == 0 && !(table->text && *table->text) &&
            asked_for & summary_view_bit(view))
            report_afterf(report, arena, "%s: the profile has nothing to show there",
                          summary_view_names[view]);
    }
}

bool summary_chart(enum summary_view view, const struct summary *summary, struct report *report)
{
    if (view == VIEW_STEPS)
        steps_chart(&summary->step_times, report);
    else if (view == VIEW_MEMORY_CURVE && summary->has_allocators)
        memory_chart(&summary->memory_curve, report);
    else
        return false;
    return true;
}
