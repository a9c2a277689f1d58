/* SPDX-License-Identifier: Apache-2.0 */
/* summary_report.c — `ptk summary`: the tables that Paddle has, and the report of all */
#include "render/reports/reports.h"

#include <math.h>

#include "analysis/summary/summary.h"
#include "base/checked.h"
#include "render/reports/summary_tables.h"

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

/* A total, the largest, the least and the share, of a struct spread. */
#define SPREAD_AT(name, spread, its_share)                                                         \
    TIME_AT(name "_total", spread.total), TIME_AT(name "_max", spread.max),                        \
        TIME_AT(name "_min", spread.min), SHARE_AT(name "_share", its_share)

/* ---- the whole run ---- */

static struct table *device_table(const struct view_context *view)
{
    typedef struct {
        const char *device;
        int64_t busy;
        double share;
    } row;
    static const struct column columns[] = {TEXT_AT("device", device), TIME_AT("busy", busy),
                                            SHARE_AT("utilization", share)};
    const struct summary_devices *devices = &view->summary->devices;
    struct table *table =
        TABLE_BEGIN(&view->of, columns, devices->count + 2, "device", "Device Summary");

    if (!isnan(devices->process_cpu))
        TABLE_ADD(table, "CPU(Process)", TABLE_NULL, devices->process_cpu);
    if (!isnan(devices->system_cpu))
        TABLE_ADD(table, "CPU(System)", TABLE_NULL, devices->system_cpu);
    for (uint32_t i = 0; i < devices->count; i++)
        TABLE_ADD(table, arena_printf(view->of.arena, "GPU%d", devices->rows[i].device),
                  devices->rows[i].busy, devices->rows[i].share);
    table->text = paddle_devices(devices, view->of.arena);
    return table;
}

static struct table *overview_table(const struct view_context *view)
{
    typedef struct summary_type row;
    static const struct column columns[] = {TEXT_AT("type", name), FLAG_AT("is_device", is_device),
                                            COUNT_AT("calls", calls), TIME_AT("time", time),
                                            SHARE_AT("share", share)};
    const struct summary_overview *overview = &view->summary->overview;
    struct table *table = TABLE_OF(&view->of, columns, overview->rows, overview->count, "overview",
                                   "Overview Summary");

    table->text = paddle_overview(overview, view->of.arena, view->unit);
    return table;
}

static struct table *model_table(const struct view_context *view)
{
    typedef struct summary_phase row;
    static const struct column columns[] = {
        TEXT_AT("name", item.name), COUNT_AT("calls", item.calls),
        SPREAD_AT("cpu", item.cpu, cpu_share), SPREAD_AT("gpu", item.gpu, gpu_share)};
    const struct summary_model *model = &view->summary->model;
    struct table *table = TABLE_BEGIN(&view->of, columns, model->count, "model", "Model Summary");

    for (uint32_t i = 0; i < model->count; i++) {
        struct summary_phase phase = model->rows[i];

        if (phase.role == ROLE_NONE) {
            phase.item.calls = TABLE_NULL;
            phase.item.cpu = (struct spread){phase.item.cpu.total, TABLE_NULL, TABLE_NULL};
            phase.item.gpu = (struct spread){phase.item.gpu.total, TABLE_NULL, TABLE_NULL};
        }
        table_add(table, &phase);
    }
    table->text = paddle_model(model, view->of.arena, view->unit);
    return table;
}

static struct table *distributed_table(const struct view_context *view)
{
    typedef struct {
        const char *name;
        int64_t time;
        double share;
    } row;
    static const struct column columns[] = {TEXT_AT("name", name), TIME_AT("time", time),
                                            SHARE_AT("share", share)};
    const struct summary_distribution *d = &view->summary->distribution;
    row rows[] = {{.name = "ProfileStep", .time = d->total_time},
                  {.name = "Communication", .time = d->communication},
                  {.name = "Computation", .time = d->computation},
                  {.name = "Overlap", .time = d->overlap}};
    struct table *table;

    for (size_t i = 0; i < COUNT_OF(rows); i++)
        rows[i].share = d->total_time ? share_of(rows[i].time, d->total_time) : NAN;
    table = TABLE_OF(&view->of, columns, rows, d->has_communication ? COUNT_OF(rows) : 0,
                     "distributed", "Distribution Summary");
    table->text = paddle_distribution(d, view->of.arena, view->unit);
    return table;
}

static struct table *benchmark_table(const struct view_context *view)
{
    typedef struct {
        const char *name;
        struct summary_rate rate;
        int64_t steps;
    } row;
    static const struct column columns[] = {
        TEXT_AT("name", name), RATIO_AT("average", rate.average), RATIO_AT("max", rate.max),
        RATIO_AT("min", rate.min), COUNT_AT("steps", steps)};
    const struct summary_benchmark *b = &view->summary->benchmark;
    const row rows[] = {{"batch_cost", b->batch, b->steps},
                        {"ips", b->ips, b->steps},
                        {"reader_cost", b->reader, b->steps}};
    struct table *table = TABLE_OF(&view->of, columns, rows, b->steps ? 2 + b->has_reader : 0,
                                   "benchmark", "Perf Summary");

    table->text = paddle_benchmark(b, view->of.arena);
    return table;
}

/* ---- by name ---- */

static struct table *operator_table(const struct view_context *view)
{
    typedef struct {
        struct summary_operator of;
        const char *level;
        int64_t thread;
    } row;
    static const struct column columns[] = {TEXT_AT("name", of.item.name),
                                            TEXT_AT("level", level),
                                            COUNT_AT("thread", thread),
                                            COUNT_AT("calls", of.item.calls),
                                            SPREAD_AT("cpu", of.item.cpu, of.cpu_share),
                                            SPREAD_AT("gpu", of.item.gpu, of.gpu_share),
                                            COUNT_AT("flops", of.item.flops)};
    static const char *const levels[] = {"operator", "inner", "inner_work", "work"};
    const struct summary_operators *operators = &view->summary->operators;
    struct table *table =
        TABLE_BEGIN(&view->of, columns, operators->count, "operator", "Operator Summary");

    for (uint32_t i = 0; i < operators->count; i++) {
        struct summary_operator of = operators->rows[i];

        if (of.level != OPERATOR_ITSELF)
            of.item.flops = TABLE_NULL;
        if (of.level != OPERATOR_ITSELF && of.level != OPERATOR_INNER) {
            of.item.cpu = (struct spread){TABLE_NULL, TABLE_NULL, TABLE_NULL};
            of.cpu_share = NAN;
        }
        TABLE_ADD(table, of, levels[of.level],
                  operators->is_by_thread ? operators->threads[of.thread] : TABLE_NULL);
    }
    table->text = paddle_operators(operators, view->of.arena, view->unit);
    return table;
}

static struct table *kernel_table(const struct view_context *view)
{
    typedef struct summary_named row;
    static const struct column columns[] = {TEXT_AT("name", item.name),
                                            COUNT_AT("calls", item.calls),
                                            SPREAD_AT("gpu", item.gpu, gpu_share)};
    const struct summary_list *kernels = &view->summary->kernels;
    struct table *table =
        TABLE_OF(&view->of, columns, kernels->rows, kernels->count, "kernel", "Kernel Summary");

    table->text = paddle_kernels(kernels, view->of.arena, view->unit);
    return table;
}

static union cell thread_cell(const struct cell_source *from)
{
    const struct summary_list *list = from->context->subject;

    return (union cell){.number = list->is_by_thread ? list->threads[*(const uint32_t *)from->field]
                                                     : TABLE_NULL};
}

static struct table *range_table(const struct view_context *view, const struct summary_list *list,
                                 const char *key, const char *title)
{
    typedef struct summary_named row;
    static const struct column columns[] = {
        TEXT_AT("name", item.name), COUNT_BY(thread_cell, "thread", thread),
        COUNT_AT("calls", item.calls), SPREAD_AT("cpu", item.cpu, cpu_share),
        SPREAD_AT("gpu", item.gpu, gpu_share)};
    struct table_context context = view->of;

    context.subject = list;
    return TABLE_OF(&context, columns, list->rows, list->count, key, title);
}

static struct table *manipulation_table(const struct view_context *view)
{
    const struct summary_list *list = &view->summary->manipulations;
    struct table *table =
        range_table(view, list, "memory_manipulation", "Memory Manipulation Summary");

    table->text = paddle_manipulations(list, view->of.arena, view->unit);
    return table;
}

static struct table *user_table(const struct view_context *view)
{
    const struct summary_list *list = &view->summary->user_defined;
    struct table *table = range_table(view, list, "user_defined", "UserDefined Summary");

    table->text = paddle_user_defined(list, view->of.arena, view->unit);
    return table;
}

static struct table *memory_table(const struct view_context *view)
{
    typedef struct {
        struct summary_place place;
        struct summary_allocation of;
        const char *type;
        int64_t increase;
    } row;
    static const struct column columns[] = {TEXT_AT("place", place.name),
                                            TEXT_AT("name", of.name),
                                            TEXT_AT("type", type),
                                            COUNT_AT("allocations", of.allocations),
                                            COUNT_AT("frees", of.frees),
                                            BYTES_AT("allocated", of.allocated),
                                            BYTES_AT("freed", of.freed),
                                            BYTES_AT("increase", increase),
                                            BYTES_AT("peak_allocated", place.peak_allocated),
                                            BYTES_AT("peak_reserved", place.peak_reserved)};
    const struct summary_memory *memory = &view->summary->memory;
    struct table *table =
        TABLE_BEGIN(&view->of, columns, memory->count, "memory", "Memory Summary");

    for (uint32_t p = 0; p < memory->place_count; p++) {
        const struct summary_place *place = &memory->places[p];

        for (uint32_t i = place->first; i < place->first + place->count; i++) {
            const struct summary_allocation *of = &memory->rows[i];

            TABLE_ADD(table, *place, *of, of->is_reserved ? "Reserved" : "Allocated",
                      checked_sub(of->allocated, of->freed));
        }
    }
    table->text = paddle_memory(memory, view->of.arena);
    return table;
}

/* ---- the report ---- */

void summary_report(const struct summary *summary, uint32_t views, uint32_t asked_for,
                    uint32_t limit, enum time_unit unit, struct arena *arena, struct report *report)
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
    const struct view_context context = {summary, unit, limit, {.arena = arena}};

    for (enum summary_view view = 0; view < VIEW_COUNT; view++) {
        bool is_asked_for = asked_for & summary_view_bit(view);
        struct table *table;

        if (!(summary->views & views & summary_view_bit(view)))
            continue;
        table =
            view < VIEW_OF_PADDLE_COUNT ? tables[view](&context) : device_table_of(view, &context);
        if (table->height == 0 && view != VIEW_MEMORY)
            table->text = NULL;
        if (table->height || is_asked_for || (table->text && *table->text))
            report_table(report, table);
        if (table->height == 0 && !(table->text && *table->text) && is_asked_for)
            report_afterf(report, arena, "%s: the profile has nothing to show there",
                          summary_view_names[view]);
    }
}
