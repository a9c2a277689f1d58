/* SPDX-License-Identifier: Apache-2.0 */
/* Steps of several ranks beside each other. */
#include "render/reports/reports.h"

#include "analysis/summary/summary.h"
#include "base/checked.h"

/* ---- each rank ---- */

static void add_ranks(const struct rank_steps *steps, const int64_t *numbers,
                      const struct table_context *context, struct report *report)
{
    typedef struct {
        int64_t rank;
        struct rank_total of;
        const char *file;
    } row;
    static const struct column columns[] = {
        COUNT_AT("rank", rank),
        COUNT_AT("steps", of.steps),
        TIME_AT("time", of.time),
        TIME_AT("least_step", of.step.least, .heading = "shortest"),
        TIME_AT("median_step", of.step.median, .heading = "median"),
        TIME_AT("most_step", of.step.most, .heading = "longest"),
        TIME_AT("kernel", of.parts[PART_KERNEL]),
        TIME_AT("memcpy", of.parts[PART_MEMCPY]),
        TIME_AT("memset", of.parts[PART_MEMSET]),
        TIME_AT("communication", of.parts[PART_COMMUNICATION]),
        TIME_AT("runtime", of.parts[PART_RUNTIME]),
        TIME_AT("dataloader", of.parts[PART_DATALOADER]),
        TIME_AT("operator", of.parts[PART_OPERATOR]),
        TIME_AT("other", of.parts[PART_OTHER]),
        TEXT_AT("file", file),
    };
    struct table *table =
        TABLE_BEGIN(context, columns, report->input_count, "ranks", "Ranks: all their steps");

    for (uint32_t i = 0; i < report->input_count; i++)
        TABLE_ADD(table, numbers[i], steps->ranks[i], report->inputs[i].path);
    report_table(report, table);
}

/* ---- how far apart they are ---- */

/* Extremes of a time over ranks, with the ranks' numbers. */
struct range_over_ranks {
    struct extremes over;
    int64_t least_rank, most_rank, range;
};

#define RANGE_AT(of)                                                                               \
    TIME_AT("least", of.over.least), COUNT_AT("least_rank", of.least_rank, .heading = "rank"),     \
        TIME_AT("median", of.over.median), TIME_AT("most", of.over.most),                          \
        COUNT_AT("most_rank", of.most_rank, .heading = "rank"),                                    \
        SHARE_OF("spread", of.range, of.over.median, .heading = "spread %")

static struct range_over_ranks range_of(const struct extremes *over, const int64_t *numbers)
{
    return (struct range_over_ranks){*over, numbers[over->least_at], numbers[over->most_at],
                                     checked_sub(over->most, over->least)};
}

static void add_parts(const struct rank_steps *steps, const int64_t *numbers,
                      const struct table_context *context, struct report *report)
{
    typedef struct {
        const char *figure;
        struct range_over_ranks of;
    } row;
    static const struct column columns[] = {TEXT_AT("figure", figure), RANGE_AT(of)};
    static const char *const names[PART_COUNT] = {"kernel",        "memcpy",  "memset",
                                                  "communication", "runtime", "dataloader",
                                                  "operator",      "other"};
    struct table *table =
        TABLE_BEGIN(context, columns, PART_COUNT + 1, "spread", "Mean step, over ranks");

    TABLE_ADD(table, "step", range_of(&steps->time, numbers));
    for (int part = 0; part < PART_COUNT; part++)
        TABLE_ADD(table, names[part], range_of(&steps->parts[part], numbers));
    report_table(report, table);
}

static void add_steps(const struct rank_steps *steps, const int64_t *numbers,
                      const struct table_context *context, struct report *report)
{
    typedef struct {
        struct span step;
        int64_t ranks;
        struct range_over_ranks of;
    } row;
    static const struct column columns[] = {TEXT_AT("step", step), COUNT_AT("ranks", ranks),
                                            RANGE_AT(of)};
    struct table *table =
        TABLE_BEGIN(context, columns, steps->step_count, "steps", "Steps, over ranks");

    for (uint32_t i = 0; i < steps->step_count; i++)
        TABLE_ADD(table, steps->steps[i].name, steps->steps[i].ranks,
                  range_of(&steps->steps[i].time, numbers));
    report_table(report, table);
}

void rank_steps_report(const struct rank_steps *steps, const int64_t *numbers, struct arena *arena,
                       struct report *report)
{
    struct table_context context = {.arena = arena};

    add_ranks(steps, numbers, &context, report);
    add_parts(steps, numbers, &context, report);
    add_steps(steps, numbers, &context, report);
}
