/* SPDX-License-Identifier: Apache-2.0 */
/* Steps of several ranks beside each other. */
#include "render/reports/reports.h"

#include "analysis/summary/summary.h"
#include "base/checked.h"

#define TIME(name)                                                                                 \
    {                                                                                              \
        .key = name, .kind = CELL_VALUE, .use = COLUMN_ALL, .unit = UNIT_NS                        \
    }
#define NUMBER(name, title)                                                                        \
    {                                                                                              \
        .key = name, .heading = title, .kind = CELL_COUNT, .use = COLUMN_ALL                       \
    }

static const char *const part_names[PART_COUNT] = {
    "kernel", "memcpy", "memset", "communication", "runtime", "dataloader", "operator", "other"};

/* ---- each rank ---- */

static const struct column rank_columns[] = {
    NUMBER("rank", NULL),
    NUMBER("steps", NULL),
    TIME("time"),
    TIME_COLUMN("least_step", "shortest"),
    TIME_COLUMN("median_step", "median"),
    TIME_COLUMN("most_step", "longest"),
    TIME("kernel"),
    TIME("memcpy"),
    TIME("memset"),
    TIME("communication"),
    TIME("runtime"),
    TIME("dataloader"),
    TIME("operator"),
    TIME("other"),
    TEXT_COLUMN("file", NULL),
};

static void add_ranks(const struct rank_steps *steps, const int64_t *numbers, struct arena *arena,
                      struct report *report)
{
    struct table *table = table_new(arena, rank_columns, COUNT_OF(rank_columns),
                                    report->input_count, "ranks", "Ranks: all their steps");

    for (uint32_t i = 0; i < report->input_count; i++) {
        const struct rank_total *total = &steps->ranks[i];
        struct row_writer row = table_row(table, i);

        row_number(&row, numbers[i]);
        row_number(&row, total->steps);
        row_number(&row, total->time);
        row_number(&row, total->step.least);
        row_number(&row, total->step.median);
        row_number(&row, total->step.most);
        for (int part = 0; part < PART_COUNT; part++)
            row_number(&row, total->parts[part]);
        row_text(&row, span_of(report->inputs[i].path));
    }
    report_table(report, table);
}

/* ---- how far apart they are ---- */

#define SPREAD_COLUMNS                                                                             \
    TIME("least"), NUMBER("least_rank", "rank"), TIME("median"), TIME("most"),                     \
        NUMBER("most_rank", "rank"),                                                               \
    {                                                                                              \
        .key = "spread", .heading = "spread %", .kind = CELL_SHARE, .use = COLUMN_ALL              \
    }

static void row_spread(struct row_writer *row, const struct extremes *spread,
                       const int64_t *numbers)
{
    row_number(row, spread->least);
    row_number(row, numbers[spread->least_at]);
    row_number(row, spread->median);
    row_number(row, spread->most);
    row_number(row, numbers[spread->most_at]);
    row_real(row, share_of(checked_sub(spread->most, spread->least), spread->median));
}

static const struct column part_columns[] = {
    TEXT_COLUMN("figure", NULL),
    SPREAD_COLUMNS,
};

static void add_parts(const struct rank_steps *steps, const int64_t *numbers, struct arena *arena,
                      struct report *report)
{
    struct table *table = table_new(arena, part_columns, COUNT_OF(part_columns), PART_COUNT + 1,
                                    "spread", "Mean step, over ranks");
    struct row_writer row = table_row(table, 0);

    row_text(&row, SPAN("step"));
    row_spread(&row, &steps->time, numbers);
    for (uint32_t part = 0; part < PART_COUNT; part++) {
        row = table_row(table, part + 1);
        row_text(&row, span_of(part_names[part]));
        row_spread(&row, &steps->parts[part], numbers);
    }
    report_table(report, table);
}

static const struct column step_columns[] = {
    TEXT_COLUMN("step", NULL),
    NUMBER("ranks", NULL),
    SPREAD_COLUMNS,
};

static void add_steps(const struct rank_steps *steps, const int64_t *numbers, struct arena *arena,
                      struct report *report)
{
    struct table *table = table_new(arena, step_columns, COUNT_OF(step_columns), steps->step_count,
                                    "steps", "Steps, over ranks");

    for (uint32_t i = 0; i < steps->step_count; i++) {
        struct row_writer row = table_row(table, i);

        row_text(&row, steps->steps[i].name);
        row_number(&row, steps->steps[i].ranks);
        row_spread(&row, &steps->steps[i].time, numbers);
    }
    report_table(report, table);
}

void rank_steps_report(const struct rank_steps *steps, const int64_t *numbers, struct arena *arena,
                       struct report *report)
{
    add_ranks(steps, numbers, arena, report);
    add_parts(steps, numbers, arena, report);
    add_steps(steps, numbers, arena, report);
}
