/* SPDX-License-Identifier: Apache-2.0 */
/* nvprof_metrics.c — metrics and events of kernels: tables of one row a metric, and of one row a launch */
#include "parsers/nvprof/nvprof.h"

#include "base/checked.h"
#include "base/text/decimal.h"
#include "parsers/device/kernel_counters.h"
#include "parsers/text/text_end.h"

enum { MICRO = 6, DECIMAL = 1000, BINARY = 1024 };

/* ---- figures ---- */

/* A cell's value: a count or a ratio in millionths, or bytes a second. */
struct metric_figure {
    bool is_sum, is_rate;
    int64_t value;
};

/* "9889546240", "249.000000", "99.94%", "43.938313GB/s", "2.5481e+10"; not "Mid (5)" and not
 * "<OVERFLOW>". Counts are written without a point, or rounded with an exponent. */
static bool read_figure(const struct metrics *metrics, struct span text, struct column_unit unit,
                        struct metric_figure *figure)
{
    struct amount amount;
    bool is_whole = text.len && !memchr(text.at, '.', text.len);

    *figure = (struct metric_figure){.is_sum = is_whole || span_find(text, SPAN("e+")) != SIZE_MAX};
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

static void add_figure(struct metrics *metrics, struct builder *builder, uint32_t kernel,
                       uint32_t metric, const struct metric_figure *figure, int64_t launches)
{
    struct counted_kernel *at = &metrics->counters.kernels.list[kernel];
    struct span name = builder_text(builder, metrics->counters.metrics.list[metric].name);

    if (figure->is_sum)
        kernel_counters_add(&metrics->counters, builder, kernel, metric,
                            checked_mul(figure->value, launches));
    else if (figure->is_rate && span_eq(name, SPAN("dram_read_throughput")))
        at->read_rate = figure->value;
    else if (figure->is_rate && span_eq(name, SPAN("dram_write_throughput")))
        at->write_rate = figure->value;
}

static frame_id kernel_frame(struct builder *builder, struct span name)
{
    if (!name.len)
        return kernel_name_frame(builder, SPAN("(the whole run)"), KIND_OTHER);
    return kernel_name_frame(builder, name, kernel_name_kind(name));
}

/* ---- long tables ---- */

/* The average of launches; of the hardware's instances, where there are more values than columns,
 * their sum. */
static bool read_values(const struct metrics *metrics, const struct nvprof_table *table,
                        const struct csv_fields *fields, struct metric_figure *sum)
{
    size_t first = table->header.place[COLUMN_AVG], last = first + 1;
    struct metric_figure figure;

    if (fields->count > table->header.width) {
        first = table->header.place[COLUMN_MAX] + 1;
        last = fields->count;
    }
    *sum = (struct metric_figure){0};
    for (size_t i = first; i < last; i++) {
        if (i >= fields->count ||
            !read_figure(metrics, span_trim(fields->list[i]), (struct column_unit){0}, &figure))
            return false;
        figure.value = checked_add(figure.value, sum->value);
        *sum = figure;
    }
    return last > first;
}

/* One kernel after the other has a row of each metric. */
static void count_row(struct metric_rows *rows, uint32_t kernel)
{
    if (rows->kernel != kernel + 1) {
        rows->alike = rows->before == rows->here ? rows->alike + 1 : 1;
        rows->before = rows->here;
        rows->here = 0;
        rows->kernel = kernel + 1;
    }
    rows->here++;
}

static bool take_long(struct metrics *metrics, struct builder *builder,
                      const struct nvprof_table *table, struct span line)
{
    struct csv_fields fields;
    struct span name;
    int64_t launches;
    struct metric_figure figure;
    uint32_t kernel, metric;

    if (!table_fields(table, line, &fields) || fields.count < table->header.width ||
        !span_to_i64(csv_cell(&table->header, &fields, COLUMN_INVOCATIONS), &launches) ||
        launches < 0)
        return false;
    name = csv_cell(&table->header, &fields, COLUMN_METRIC);
    if (!name.len)
        return false;
    metrics->rows++;
    if (table->form == FORM_CSV) {
        metrics->device =
            find_device(metrics, builder, csv_cell(&table->header, &fields, COLUMN_DEVICE));
        metrics->frame = kernel_frame(builder, csv_cell(&table->header, &fields, COLUMN_KERNEL));
    }
    kernel = kernel_counters_kernel(&metrics->counters, metrics->frame, metrics->device);
    count_row(&metrics->of_kernel, kernel);
    metric = kernel_counters_metric(&metrics->counters, builder, name);
    kernel_counters_launched(&metrics->counters, kernel, metric, launches);
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

void metrics_open(struct metrics *metrics, struct builder *builder,
                  const struct nvprof_table *table, struct span line)
{
    struct csv_fields fields;

    metrics->of_kernel = (struct metric_rows){0};
    metrics->frame = kernel_frame(builder, (struct span){0});
    if (table->kind != TABLE_WIDE || !table_fields(table, line, &fields))
        return;
    for (size_t i = 0; i < table->header.width; i++) {
        bool is_metric = table->header.field[i] == COLUMN_OTHER && fields.list[i].len;

        metrics->column_metric[i] =
            is_metric ? kernel_counters_metric(&metrics->counters, builder, fields.list[i]) + 1 : 0;
        metrics->column_unit[i] = (struct column_unit){0};
    }
}

void metrics_take_units(struct metrics *metrics, const struct nvprof_table *table, struct span line)
{
    struct csv_fields fields;

    if (table->kind != TABLE_WIDE || !table_fields(table, line, &fields))
        return;
    for (size_t i = 0; i < fields.count && i < table->header.width; i++)
        metrics->column_unit[i] = column_unit_of(fields.list[i]);
}

static bool take_wide(struct metrics *metrics, struct builder *builder,
                      const struct nvprof_table *table, struct span line)
{
    struct csv_fields fields;
    struct metric_figure figure;
    uint32_t kernel;
    str_id device;
    frame_id frame;

    if (!table_fields(table, line, &fields) || fields.count != table->header.width)
        return false;
    device = find_device(metrics, builder, csv_cell(&table->header, &fields, COLUMN_DEVICE));
    frame = kernel_frame(builder, csv_cell(&table->header, &fields, COLUMN_KERNEL));
    kernel = kernel_counters_launch(&metrics->counters, frame, device);
    metrics->rows++;
    for (size_t i = 0; i < table->header.width; i++) {
        if (!metrics->column_metric[i])
            continue;
        if (read_figure(metrics, fields.list[i], metrics->column_unit[i], &figure))
            add_figure(metrics, builder, kernel, metrics->column_metric[i] - 1, &figure, 1);
        else
            metrics->missing++;
    }
    return true;
}

bool metrics_take(struct metrics *metrics, struct builder *builder,
                  const struct nvprof_table *table, struct span line)
{
    if (table->kind == TABLE_WIDE)
        return take_wide(metrics, builder, table, line);
    return take_long(metrics, builder, table, line) ||
           (table->form != FORM_CSV && take_heading(metrics, builder, line));
}

void metrics_give(struct metrics *metrics, const struct kernel_totals *totals,
                  struct builder *builder)
{
    const struct metric_rows *rows = &metrics->of_kernel;

    kernel_counters_give(&metrics->counters, totals, builder);
    if (rows->alike > 1 && rows->here < rows->before)
        text_ends_within(builder, "the metrics of a kernel");
    if (metrics->rows)
        builder_fact(builder, "metric_rows", (int64_t)metrics->rows, UNIT_COUNT);
    warning_count_many(builder_warnings(builder), WARNING_NOTE,
                       "metrics that are levels, or were not measured, left out", metrics->missing);
}

void metrics_free(struct metrics *metrics)
{
    kernel_counters_free(&metrics->counters);
    idmap_free(&metrics->devices);
}
