/* SPDX-License-Identifier: Apache-2.0 */
#include "parsers/nvprof/nvprof_metrics.h"

#include <stdlib.h>

#include "base/checked.h"
#include "base/memory/grow.h"
#include "base/text/decimal.h"
#include "parsers/nvprof/metric_names.h"
#include "parsers/nvprof/nvprof_names.h"

enum { MICRO = 6, MICROS = 1000000, DECIMAL = 1000, BINARY = 1024 };

/* ---- figures ---- */

/* A cell's value: a count or a ratio in millionths, or bytes a second. */
struct figure {
    bool is_sum, is_rate;
    int64_t value;
};

/* "9889546240", "249.000000", "99.94%", "43.938313GB/s", "2.5481e+10"; not "Mid (5)" and not
 * "<OVERFLOW>". Counts are written without a point, or rounded with an exponent. */
static bool read_figure(const struct metrics *metrics, struct span text, struct column_unit unit,
                        struct figure *figure)
{
    struct amount amount;
    bool is_whole = text.len && !memchr(text.at, '.', text.len);

    *figure = (struct figure){.is_sum = is_whole || span_find(text, SPAN("e+")) != SIZE_MAX};
    if (decimal_scaled(text, 0, &figure->value) && !unit.is_size) {
        if (!figure->is_sum)
            (void)!decimal_scaled(text, MICRO, &figure->value);
        return figure->value >= 0;
    }
    figure->is_sum = false;
    if (span_ends(text, SPAN("%"))) {
        text.len--;
        return decimal_scaled(text, MICRO, &figure->value);
    }
    figure->is_rate = quantity_amount(text, unit, &amount);
    if (figure->is_rate)
        figure->value = amount_bytes(amount, metrics->is_decimal ? DECIMAL : BINARY);
    return figure->is_rate;
}

/* ---- what is known so far ---- */

/* "Tesla K20c (0)" */
static str_id find_device(struct metrics *metrics, struct builder *builder, struct span text)
{
    str_id id = builder_intern(builder, text);
    uint32_t *at = idmap_at(&metrics->devices, id);
    struct device device = {0};

    if (*at != IDMAP_NONE || !text.len)
        return id;
    *at = 0;
    if (text.at[0] == '"' && span_ends(text, SPAN("\"")))
        text = (struct span){text.at + 1, text.len - 2};
    device.ordinal = name_take_ordinal(&text);
    device.ordinal = device.ordinal < 0 ? 0 : device.ordinal;
    device.name = builder_intern(builder, text);
    builder_device(builder, &device);
    return id;
}

static uint32_t find_kernel(struct metrics *metrics, frame_id frame, str_id device, int64_t nth)
{
    struct counted_kernel *kernel;
    uint32_t *at = idmap_at(&metrics->kernel_of, idmap_pair(frame, device));

    if (nth < 0 && *at != IDMAP_NONE)
        return *at;
    metrics->kernels = grow_one(metrics->kernels, metrics->kernel_count, &metrics->kernel_cap,
                                sizeof(*metrics->kernels));
    *at = (uint32_t)metrics->kernel_count++;
    kernel = &metrics->kernels[*at];
    *kernel = (struct counted_kernel){0};
    kernel->sum = (struct counted){.frame = frame,
                                   .nth = nth,
                                   .grid = UNKNOWN,
                                   .block = UNKNOWN,
                                   .time = UNKNOWN,
                                   .compute_ppm = UNKNOWN,
                                   .memory_ppm = UNKNOWN};
    for (int i = 0; i < COUNTER_COUNT; i++)
        kernel->sum.figure[i] = UNKNOWN;
    return *at;
}

static uint32_t find_metric(struct metrics *metrics, struct builder *builder, struct span name)
{
    str_id id;
    uint32_t *at;
    size_t instances = span_find(name, SPAN(" ("));

    if (span_ends(name, SPAN(" instances)")) && instances != SIZE_MAX)
        name.len = instances;
    id = builder_intern(builder, name);
    at = idmap_at(&metrics->metric_of, id);
    if (*at == IDMAP_NONE) {
        metrics->list =
            grow_one(metrics->list, metrics->count, &metrics->cap, sizeof(*metrics->list));
        *at = (uint32_t)metrics->count;
        metrics->list[metrics->count++] = (struct metric){.name = id};
    }
    return *at;
}

static void add_known(int64_t *sum, int64_t more)
{
    *sum = *sum == UNKNOWN ? more : checked_add(*sum, more);
}

static int64_t times(int64_t value, int64_t count)
{
    int64_t product;

    return __builtin_mul_overflow(value, count, &product) ? INT64_MAX : product;
}

/* One metric of a kernel: `total` of all its launches. */
static void add_sum(struct metrics *metrics, struct builder *builder, uint32_t kernel,
                    uint32_t metric, int64_t total)
{
    const struct metric_meaning *meaning =
        metric_meaning(builder_text(builder, metrics->list[metric].name));
    struct counted_kernel *at = &metrics->kernels[kernel];

    metrics->list[metric].is_sum = true;
    metrics->cells =
        grow_one(metrics->cells, metrics->cell_count, &metrics->cell_cap, sizeof(*metrics->cells));
    metrics->cells[metrics->cell_count++] = (struct metric_cell){kernel, metric, total};
    if (!meaning || meaning->rank < at->rank[meaning->counter])
        return;
    if (meaning->rank > at->rank[meaning->counter])
        at->sum.figure[meaning->counter] = UNKNOWN;
    at->rank[meaning->counter] = meaning->rank;
    add_known(&at->sum.figure[meaning->counter], times(total, meaning->factor));
}

static void add_rate(struct metrics *metrics, struct builder *builder, uint32_t kernel,
                     uint32_t metric, int64_t rate)
{
    struct span name = builder_text(builder, metrics->list[metric].name);

    if (span_eq(name, SPAN("dram_read_throughput")))
        metrics->kernels[kernel].read_rate = rate;
    else if (span_eq(name, SPAN("dram_write_throughput")))
        metrics->kernels[kernel].write_rate = rate;
}

static void add_figure(struct metrics *metrics, struct builder *builder, uint32_t kernel,
                       uint32_t metric, const struct figure *figure, int64_t launches)
{
    if (figure->is_sum)
        add_sum(metrics, builder, kernel, metric, times(figure->value, launches));
    else if (figure->is_rate)
        add_rate(metrics, builder, kernel, metric, figure->value);
}

static frame_id kernel_frame(struct builder *builder, struct span name)
{
    if (!name.len)
        return name_frame(builder, SPAN("(the whole run)"), KIND_OTHER);
    return name_frame(builder, name, device_name_kind(name));
}

/* ---- long tables ---- */

/* The average of launches; of the hardware's instances, where there are more values than columns,
 * their sum. */
static bool read_values(const struct metrics *metrics, const struct table *table,
                        const struct fields *fields, struct figure *sum)
{
    size_t first = table_place(table, COLUMN_AVG), last = first + 1;
    struct figure figure;

    if (fields->count > table->width) {
        first = table_place(table, COLUMN_MAX) + 1;
        last = fields->count;
    }
    *sum = (struct figure){0};
    for (size_t i = first; i < last; i++) {
        if (i >= fields->count ||
            !read_figure(metrics, span_trim(fields->list[i]), (struct column_unit){0}, &figure))
            return false;
        figure.value = checked_add(figure.value, sum->value);
        *sum = figure;
    }
    return last > first;
}

/* Every metric repeats how often the kernel was launched; one that comes again is of another
 * run. */
static void count_launches(struct counted_kernel *kernel, uint32_t metric, int64_t launches)
{
    if (kernel->sum.launches == 0)
        kernel->first_metric = metric;
    if (kernel->first_metric == metric)
        kernel->sum.launches = checked_add(kernel->sum.launches, launches);
}

static bool take_long(struct metrics *metrics, struct builder *builder, const struct table *table,
                      struct span line)
{
    struct fields fields;
    struct span name;
    int64_t launches;
    struct figure figure;
    uint32_t kernel, metric;

    if (!table_fields(table, line, &fields) || fields.count < table->width ||
        !span_to_i64(table_field(table, &fields, COLUMN_INVOCATIONS), &launches) || launches < 0)
        return false;
    name = table_field(table, &fields, COLUMN_METRIC);
    if (!name.len)
        return false;
    metrics->rows++;
    if (table->form == FORM_CSV) {
        metrics->device = find_device(metrics, builder, table_field(table, &fields, COLUMN_DEVICE));
        metrics->frame = kernel_frame(builder, table_field(table, &fields, COLUMN_KERNEL));
    }
    kernel = find_kernel(metrics, metrics->frame, metrics->device, -1);
    metric = find_metric(metrics, builder, name);
    count_launches(&metrics->kernels[kernel], metric, launches);
    if (read_values(metrics, table, &fields, &figure))
        add_figure(metrics, builder, kernel, metric, &figure, launches);
    else
        metrics->missing++;
    return true;
}

/* "Device "Tesla K20m (0)"" and "Kernel: name", above the rows of a text. */
static bool take_heading(struct metrics *metrics, struct builder *builder, struct span line)
{
    line = span_trim(line);
    if (span_starts(line, SPAN("Kernel: "))) {
        metrics->frame = kernel_frame(builder, span_trim(span_after(line, 8)));
        return true;
    }
    if (!span_starts(line, SPAN("Device \"")))
        return false;
    metrics->device = find_device(metrics, builder, span_after(line, 7));
    metrics->frame = kernel_frame(builder, (struct span){0});
    return true;
}

/* ---- wide tables ---- */

void metrics_open(struct metrics *metrics, struct builder *builder, const struct table *table,
                  struct span line)
{
    struct fields fields;

    metrics->frame = kernel_frame(builder, (struct span){0});
    if (table->kind != TABLE_WIDE || !table_fields(table, line, &fields))
        return;
    for (size_t i = 0; i < table->width; i++) {
        bool is_metric = table->column[i] == COLUMN_OTHER && fields.list[i].len;

        metrics->column_metric[i] =
            is_metric ? find_metric(metrics, builder, fields.list[i]) + 1 : 0;
        metrics->column_unit[i] = (struct column_unit){0};
    }
}

void metrics_take_units(struct metrics *metrics, const struct table *table, struct span line)
{
    struct fields fields;

    if (table->kind != TABLE_WIDE || !table_fields(table, line, &fields))
        return;
    for (size_t i = 0; i < fields.count && i < table->width; i++)
        metrics->column_unit[i] = column_unit_of(fields.list[i]);
}

static int64_t next_launch(struct metrics *metrics, frame_id frame, str_id device)
{
    uint32_t *at = idmap_at(&metrics->launches_of, idmap_pair(frame, device));

    *at = *at == IDMAP_NONE ? 0 : *at + 1;
    return *at;
}

uint32_t metrics_launch(struct metrics *metrics, frame_id frame)
{
    uint32_t launch = find_kernel(metrics, frame, 0, next_launch(metrics, frame, 0));

    metrics->kernels[launch].sum.launches = 1;
    return launch;
}

void metrics_count(struct metrics *metrics, struct builder *builder, uint32_t launch,
                   struct span name, int64_t value)
{
    add_sum(metrics, builder, launch, find_metric(metrics, builder, name), value);
}

static bool take_wide(struct metrics *metrics, struct builder *builder, const struct table *table,
                      struct span line)
{
    struct fields fields;
    struct figure figure;
    uint32_t kernel;
    str_id device;
    frame_id frame;

    if (!table_fields(table, line, &fields) || fields.count != table->width)
        return false;
    device = find_device(metrics, builder, table_field(table, &fields, COLUMN_DEVICE));
    frame = kernel_frame(builder, table_field(table, &fields, COLUMN_KERNEL));
    kernel = find_kernel(metrics, frame, device, next_launch(metrics, frame, device));
    metrics->kernels[kernel].sum.launches = 1;
    metrics->rows++;
    for (size_t i = 0; i < table->width; i++) {
        if (!metrics->column_metric[i])
            continue;
        if (read_figure(metrics, fields.list[i], metrics->column_unit[i], &figure))
            add_figure(metrics, builder, kernel, metrics->column_metric[i] - 1, &figure, 1);
        else
            metrics->missing++;
    }
    return true;
}

bool metrics_take(struct metrics *metrics, struct builder *builder, const struct table *table,
                  struct span line)
{
    if (table->kind == TABLE_WIDE)
        return take_wide(metrics, builder, table, line);
    return take_long(metrics, builder, table, line) ||
           (table->form != FORM_CSV && take_heading(metrics, builder, line));
}

/* ---- the end ---- */

/* Bytes over bytes a second, of all launches; throughputs are averages of theirs. */
static int64_t derived_time(const struct counted *sum, int64_t rate)
{
    int64_t bytes = sum->figure[COUNTER_DRAM_BYTES];

    if (bytes == UNKNOWN || bytes <= 0 || rate <= 0)
        return UNKNOWN;
    return (int64_t)((double)bytes / (double)rate * 1e9 + 0.5);
}

static void give(struct counted_kernel *kernel, const struct summary *summary,
                 struct builder *builder)
{
    int64_t mean = summary_mean(summary, kernel->sum.frame);

    if (kernel->sum.time != UNKNOWN) {
        builder_counted(builder, &kernel->sum, false);
        return;
    }
    kernel->sum.time =
        mean != UNKNOWN
            ? times(mean, kernel->sum.launches)
            : derived_time(&kernel->sum, checked_add(kernel->read_rate, kernel->write_rate));
    builder_counted(builder, &kernel->sum, mean == UNKNOWN && kernel->sum.time != UNKNOWN);
}

void metrics_give(struct metrics *metrics, const struct summary *summary, struct builder *builder)
{
    for (size_t i = 0; i < metrics->kernel_count; i++)
        give(&metrics->kernels[i], summary, builder);
    if (metrics->rows)
        builder_fact(builder, "metric_rows", (int64_t)metrics->rows, UNIT_COUNT);
    warning_count_many(builder_warnings(builder), WARNING_NOTE,
                       "metrics that are levels, or were not measured, left out", metrics->missing);
}

/* A function's figures, which can be in several kernels: of several devices, or launches. */
static struct call_figures *figures_of(struct call_figures *figures, struct idmap *place,
                                       frame_id frame)
{
    uint32_t *at = idmap_at(place, frame);

    if (*at == IDMAP_NONE) {
        *at = (uint32_t)place->count - 1;
        figures[*at] = (struct call_figures){0};
    }
    return &figures[*at];
}

static void sum_up(const struct metrics *metrics, uint32_t metric, struct call_figures *figures,
                   struct idmap *place)
{
    for (size_t i = 0; i < metrics->kernel_count; i++) {
        const struct counted *sum = &metrics->kernels[i].sum;
        struct call_figures *into = figures_of(figures, place, sum->frame);

        into->calls = checked_add(into->calls, sum->launches);
    }
    for (size_t i = 0; i < metrics->cell_count; i++) {
        const struct metric_cell *cell = &metrics->cells[i];
        struct call_figures *into =
            figures_of(figures, place, metrics->kernels[cell->kernel].sum.frame);

        if (cell->metric == metric)
            into->self = checked_add(into->self, cell->total);
    }
}

void metrics_list(const struct metrics *metrics, struct builder *builder, uint32_t metric)
{
    struct call_figures *figures = grow_zeroed(metrics->kernel_count + 1, sizeof(*figures));
    struct idmap place = {0};

    sum_up(metrics, metric, figures, &place);
    for (size_t i = 0; i < metrics->kernel_count; i++) {
        frame_id frame = metrics->kernels[i].sum.frame;
        struct call_figures *all = figures_of(figures, &place, frame);

        all->primitive_calls = all->calls;
        all->self = metric == UINT32_MAX ? all->calls : all->self;
        all->cum = all->self;
        builder_list(builder, builder_function(builder, frame), all);
    }
    idmap_free(&place);
    free(figures);
}

void metrics_free(struct metrics *metrics)
{
    free(metrics->kernels);
    free(metrics->list);
    free(metrics->cells);
    idmap_free(&metrics->kernel_of);
    idmap_free(&metrics->metric_of);
    idmap_free(&metrics->launches_of);
    idmap_free(&metrics->devices);
}
