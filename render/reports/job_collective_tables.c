/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>

#include "analysis/job/job_traffic.h"
#include "render/reports/report_columns.h"

/* ---- collectives ---- */

#define BANDWIDTH_COLUMNS(name, title)                                                             \
    {.key = name, .kind = CELL_RATIO, .use = COLUMN_MACHINES},                                     \
    {                                                                                              \
        .key = title, .kind = CELL_RATIO, .use = COLUMN_PEOPLE                                     \
    }

#define BANDWIDTH_COLUMNS(name, title)                                                             \
    {.key = name, .kind = CELL_RATIO, .use = COLUMN_MACHINES},                                     \
    {                                                                                              \
        .key = title, .kind = CELL_RATIO, .use = COLUMN_PEOPLE                                     \
    }
#define TRAFFIC_COLUMNS                                                                            \
    COUNT_COLUMN("ranks", NULL),                                                                   \
        {.key = "bytes", .kind = CELL_VALUE, .use = COLUMN_ALL, .unit = UNIT_BYTES},               \
        COUNT_COLUMN("count", NULL), TIME_COLUMN("skew", "waiting, sum"),                          \
        TIME_COLUMN("skew_median", "median"), TIME_COLUMN("skew_max", "most"),                     \
        TIME_COLUMN("transfer", "transfer, sum"), TIME_COLUMN("transfer_median", "median"),        \
        TIME_COLUMN("transfer_max", "most"), BANDWIDTH_COLUMNS("algorithm_bandwidth", "alg GB/s"), \
        BANDWIDTH_COLUMNS("bus_bandwidth", "bus GB/s"), RATIO_COLUMN("imbalance", "uneven"),       \
        COUNT_COLUMN("last_rank", "last most"), COUNT_COLUMN("last_times", "times"),               \
        TIME_COLUMN("last_made_wait", "others waited")

static const struct column traffic_columns[] = {TEXT_COLUMN("operation", "collective"),
                                                TEXT_COLUMN("group", NULL), TRAFFIC_COLUMNS};
static const struct column group_columns[] = {TEXT_COLUMN("operation", "collective"),
                                              TEXT_COLUMN("group", NULL), TEXT_COLUMN("name", NULL),
                                              TEXT_COLUMN("members", NULL), TRAFFIC_COLUMNS};

static void row_bandwidth(struct row_writer *row, double bytes_per_second)
{
    row_real(row, bytes_per_second);
    row_real(row, bytes_per_second / 1e9);
}

static void row_traffic(struct row_writer *row, const struct job_traffic *traffic)
{
    row_number(row, traffic->ranks ? (int64_t)traffic->ranks : TABLE_NULL);
    row_number(row, traffic->size);
    row_number(row, (int64_t)traffic->skew.count);
    row_number(row, (int64_t)traffic->skew.sum);
    row_number(row, distribution_quantile(&traffic->skew, 0.5));
    row_number(row, traffic->skew.most);
    row_number(row, (int64_t)traffic->transfer.sum);
    row_number(row, distribution_quantile(&traffic->transfer, 0.5));
    row_number(row, traffic->transfer.most);
    row_bandwidth(row, traffic->algorithm);
    row_bandwidth(row, traffic->bus);
    row_real(row, traffic->imbalance > 1 ? traffic->imbalance : NAN);
    /* Nobody is last where all come at one time. */
    row_number(row, traffic->worst.made_wait ? (int64_t)traffic->worst.rank : TABLE_NULL);
    row_number(row, traffic->worst.made_wait ? traffic->worst.times : TABLE_NULL);
    row_number(row, traffic->worst.made_wait ? traffic->worst.made_wait : TABLE_NULL);
}

struct table *job_traffic_table(const struct job_page *page)
{
    uint32_t count;
    const struct job_traffic *list =
        job_traffic_list(page->job->model.part, false, page->arena, &count);
    struct table *table =
        table_new(page->arena, traffic_columns, COUNT_OF(traffic_columns), count, "collectives",
                  "Collectives: ranks wait from the first one's start to the last one's; "
                  "transfer is from there to the end");

    for (uint32_t i = 0; i < count; i++) {
        struct row_writer row = table_row(table, i);

        row_text(&row, list[i].operation);
        row_text(&row, list[i].use);
        row_traffic(&row, &list[i]);
    }
    return table;
}

struct table *job_groups_table(const struct job_page *page, uint32_t limit, enum column_use use)
{
    uint32_t count;
    const struct job_traffic *list =
        job_traffic_list(page->job->model.part, true, page->arena, &count);
    uint32_t shown = limit && limit < count ? limit : count;
    struct table *table = table_new(page->arena, group_columns, COUNT_OF(group_columns), shown,
                                    "groups", "By process group");

    for (uint32_t i = 0; i < shown; i++) {
        struct row_writer row = table_row(table, i);

        row_text(&row, list[i].operation);
        row_text(&row, list[i].use);
        row_id(&row, page, list[i].group->name);
        row_id(&row, page, list[i].group->members);
        row_traffic(&row, &list[i]);
    }
    table->use = use;
    return table;
}

/* ---- clocks ---- */

static const struct column clock_columns[] = {
    COUNT_COLUMN("rank", NULL),    TEXT_COLUMN("host", NULL),
    TIME_COLUMN("offset", NULL),   TIME_COLUMN("offset_last", "in the last step"),
    TIME_COLUMN("residual", NULL), {.key = "is_aligned", .kind = CELL_FLAG, .use = COLUMN_MACHINES},
};

struct table *job_clocks_table(const struct job_page *page)
{
    const struct job_model *model = &page->job->model;
    struct table *table =
        table_new(page->arena, clock_columns, COUNT_OF(clock_columns), model->worker_count,
                  "clocks", "Clocks, against the first rank's");

    for (uint32_t w = 0; w < model->worker_count; w++) {
        const struct job_worker *worker = &model->workers[w];
        struct row_writer row = table_row(table, w);

        row_number(&row, worker->rank);
        row_id(&row, page, model->part->leaves[worker->leaf].host);
        row_number(&row, worker->is_aligned ? worker->offset[0] : TABLE_NULL);
        row_number(&row, worker->is_aligned ? worker->offset[model->step_count - 1] : TABLE_NULL);
        row_number(&row, worker->residual);
        row_number(&row, worker->is_aligned);
    }
    table->use = COLUMN_MACHINES;
    return table;
}
