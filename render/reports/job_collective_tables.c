/* SPDX-License-Identifier: Apache-2.0 */
#include "render/reports/job_tables.h"

/* ---- collectives ---- */

static const struct column traffic_columns[] = {
    TEXT_COLUMN("operation", "collective"),
    TEXT_COLUMN("group", NULL),
    COUNT_COLUMN("ranks", NULL),
    {.key = "bytes", .kind = CELL_VALUE, .use = COLUMN_ALL, .unit = UNIT_BYTES},
    COUNT_COLUMN("count", NULL),
    TIME_COLUMN("skew", "skew, sum"),
    TIME_COLUMN("skew_median", "median"),
    TIME_COLUMN("skew_max", "most"),
    TIME_COLUMN("transfer", "transfer, sum"),
    TIME_COLUMN("transfer_median", "median"),
    TIME_COLUMN("transfer_max", "most"),
};

struct table *job_traffic_table(const struct job_page *page)
{
    const struct job_part *part = page->job->model.part;
    struct table *table = table_new(
        page->arena, traffic_columns, COUNT_OF(traffic_columns), part->traffic_count, "collectives",
        "Collectives: skew is from the first rank's start to the last's, "
        "transfer from there to the end");

    for (uint32_t i = 0; i < part->traffic_count; i++) {
        const struct part_traffic *traffic = &part->traffic[i];
        struct row_writer row = table_row(table, i);

        row_id(&row, page, traffic->operation);
        row_id(&row, page, traffic->use);
        row_number(&row, traffic->ranks ? (int64_t)traffic->ranks : TABLE_NULL);
        row_number(&row, traffic->size);
        row_number(&row, (int64_t)traffic->skew.count);
        row_number(&row, (int64_t)traffic->skew.sum);
        row_number(&row, distribution_quantile(&traffic->skew, 0.5));
        row_number(&row, traffic->skew.most);
        row_number(&row, (int64_t)traffic->transfer.sum);
        row_number(&row, distribution_quantile(&traffic->transfer, 0.5));
        row_number(&row, traffic->transfer.most);
    }
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
