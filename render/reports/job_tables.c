/* SPDX-License-Identifier: Apache-2.0 */
/* The tables of a job's figures. */
#include "render/reports/report_columns.h"

#include <inttypes.h>
#include <math.h>

#include "analysis/ranks/job.h"
#include "base/checked.h"

/* A factor for machines; for people what it is more than 1. */
/* clang-format off */
#define SLOWDOWN_COLUMNS(name, title)                                                              \
    {.key = name, .kind = CELL_RATIO, .use = COLUMN_MACHINES},                                     \
    {.key = title, .kind = CELL_SHARE, .use = COLUMN_PEOPLE}
/* clang-format on */

/* ---- who slows it: by type, stage, data-parallel rank ---- */

static void row_slowdown(struct row_writer *row, double slowdown)
{
    row_real(row, slowdown);
    row_real(row, slowdown - 1);
}

static void row_share(struct row_writer *row, const struct job_share *share)
{
    row_slowdown(row, share->slowdown);
    row_real(row, share->removed);
    row_real(row, share->added);
}

#define SHARE_COLUMNS                                                                              \
    SLOWDOWN_COLUMNS("slowdown", "slows by"),                                                      \
        {.key = "gain",                                                                            \
         .heading = "of the loss",                                                                 \
         .kind = CELL_SHARE,                                                                       \
         .use = COLUMN_ALL,                                                                        \
         .is_heat = true},                                                                         \
    {                                                                                              \
        .key = "added", .kind = CELL_SHARE, .use = COLUMN_MACHINES                                 \
    }

static const struct column type_columns[] = {TEXT_COLUMN("type", "operation"), SHARE_COLUMNS};

struct table *job_types_table(const struct job_page *page)
{
    const struct job_figures *figures = &page->job->figures;
    struct table *table =
        table_new(page->arena, type_columns, COUNT_OF(type_columns), figures->type_count + 1,
                  "by_type", "By operation: what it alone would slow the job by");
    struct row_writer row;
    uint32_t at = 0;
    bool has_host = false;

    for (uint32_t i = 0; i < figures->type_count || !has_host;) {
        row = table_row(table, at++);
        if (!has_host &&
            (i == figures->type_count || figures->host_slowdown > figures->types[i].slowdown)) {
            row_text(&row, SPAN("host"));
            row_slowdown(&row, figures->host_slowdown);
            row_real(&row, figures->with_delays > figures->ideal
                               ? (figures->with_delays - figures->replayed) /
                                     (figures->with_delays - figures->ideal)
                               : NAN);
            row_real(&row, NAN);
            has_host = true;
            continue;
        }
        row_id(&row, page, page->job->model.labels[figures->types[i].of]);
        row_share(&row, &figures->types[i++]);
    }
    return table;
}

static const struct column stage_columns[] = {COUNT_COLUMN("stage", NULL), SHARE_COLUMNS};
static const struct column dp_columns[] = {COUNT_COLUMN("dp_rank", "data-parallel rank"),
                                           SHARE_COLUMNS};

static struct table *places_table(const struct job_page *page, const struct column *columns,
                                  const struct job_share *shares, uint32_t count, const char *key,
                                  const char *title)
{
    struct table *table =
        table_new(page->arena, columns, COUNT_OF(stage_columns), count, key, title);

    for (uint32_t i = 0; i < count; i++) {
        struct row_writer row = table_row(table, i);

        row_number(&row, shares[i].of);
        row_share(&row, &shares[i]);
    }
    if (count < 2)
        table->use = COLUMN_MACHINES;
    return table;
}

struct table *job_stages_table(const struct job_page *page)
{
    const struct job_figures *figures = &page->job->figures;

    return places_table(page, stage_columns, figures->stages, figures->stage_count, "by_stage",
                        "By stage");
}

struct table *job_dps_table(const struct job_page *page)
{
    const struct job_figures *figures = &page->job->figures;

    return places_table(page, dp_columns, figures->dps, figures->dp_count, "by_dp_rank",
                        "By data-parallel rank");
}

/* ---- ranks ---- */

static const struct column worker_columns[] = {
    COUNT_COLUMN("rank", NULL),
    COUNT_COLUMN("stage", NULL),
    COUNT_COLUMN("dp_rank", "dp"),
    COUNT_COLUMN("tp_rank", "tp"),
    SLOWDOWN_COLUMNS("slowdown", "slows by"),
    {.key = "slowdown_estimate", .kind = CELL_RATIO, .use = COLUMN_MACHINES},
    SLOWDOWN_COLUMNS("host_slowdown", "its host"),
    TIME_COLUMN("delay", "begins late"),
    COUNT_COLUMN("slowest_steps", "slowest in"),
    COUNT_COLUMN("collectives", NULL),
    COUNT_COLUMN("last", "came last"),
    COUNT_COLUMN("last_steps", "in steps"),
    TIME_COLUMN("made_wait", "others waited"),
    TIME_COLUMN("waited", "waited itself"),
    {.key = "file", .kind = CELL_TEXT, .use = COLUMN_MACHINES},
};

static int64_t sum_of(const struct part_leaf *leaf, enum row_figure figure)
{
    int64_t sum = 0;

    for (uint32_t s = 0; s < leaf->step_count; s++)
        sum += leaf->figure[figure][s];
    return sum;
}

struct table *job_workers_table(const struct job_page *page, uint32_t count, enum column_use use)
{
    const struct job_figures *figures = &page->job->figures;
    const struct job_model *model = &page->job->model;
    struct table *table = table_new(
        page->arena, worker_columns, COUNT_OF(worker_columns), count, "workers",
        figures->exact_count == figures->worker_count
            ? "By rank: what it alone would slow the job by"
            : arena_printf(
                  page->arena,
                  "By rank: what it alone would slow the job by (exactly of the worst %" PRIu32
                  "; others are the lesser of their stage's and data-parallel rank's)",
                  figures->exact_count));

    for (uint32_t i = 0; i < count; i++) {
        const struct job_share *share = &figures->workers[i];
        const struct job_worker *worker = &model->workers[share->of];
        const struct part_leaf *leaf = &model->part->leaves[worker->leaf];
        struct row_writer row = table_row(table, i);
        int64_t last_steps = 0;

        for (uint32_t s = 0; s < leaf->step_count; s++)
            last_steps += leaf->figure[ROW_LAST][s] > 0;
        row_number(&row, worker->rank);
        row_number(&row, worker->stage);
        row_number(&row, worker->dp);
        row_number(&row, worker->tp);
        row_slowdown(&row, share->slowdown);
        row_real(&row, share->estimate);
        row_slowdown(&row, share->host);
        row_number(&row, share->delay);
        row_number(&row, share->slowest);
        row_number(&row, sum_of(leaf, ROW_JOINS));
        row_number(&row, sum_of(leaf, ROW_LAST));
        row_number(&row, last_steps);
        row_number(&row, sum_of(leaf, ROW_MADE_WAIT));
        row_number(&row, sum_of(leaf, ROW_WAITED));
        row_text(&row, job_text(page, leaf->file));
    }
    table->use = use;
    return table;
}

/* ---- steps ---- */

static const struct column step_columns[] = {
    COUNT_COLUMN("step", NULL),
    TIME_COLUMN("recorded", NULL),
    TIME_COLUMN("replayed", NULL),
    TIME_COLUMN("ideal", NULL),
    SLOWDOWN_COLUMNS("slowdown", "slows by"),
    COUNT_COLUMN("slowest_rank", "slowest rank"),
};

struct table *job_steps_table(const struct job_page *page)
{
    const struct job_model *model = &page->job->model;
    const struct job_figures *figures = &page->job->figures;
    struct table *table = table_new(page->arena, step_columns, COUNT_OF(step_columns),
                                    model->step_count, "steps", "Steps");

    for (uint32_t s = 0; s < model->step_count; s++) {
        struct row_writer row = table_row(table, s);

        row_number(&row, model->steps[s].number);
        row_number(&row, figures->step_recorded[s]);
        row_number(&row, figures->step_replayed[s]);
        row_number(&row, figures->step_ideal[s]);
        row_slowdown(&row, (double)figures->step_replayed[s] / (double)figures->step_ideal[s]);
        row_number(&row, model->workers[figures->step_slowest[s]].rank);
    }
    return table;
}

/* ---- what if ---- */

static const struct column what_if_columns[] = {
    TEXT_COLUMN("change", "what if"),
    COUNT_COLUMN("operations", NULL),
    TIME_COLUMN("time", "time a step"),
    TIME_COLUMN("time_after", "then"),
    TIME_COLUMN("step_time", "step with this alone"),
    {.key = "gain", .heading = "saves", .kind = CELL_SHARE, .use = COLUMN_ALL, .is_heat = true},
};

struct table *job_what_if_table(const struct job_page *page)
{
    const struct job *job = page->job;
    struct table *table = table_new(page->arena, what_if_columns, COUNT_OF(what_if_columns),
                                    job->change_count, "what_if", NULL);

    for (uint32_t i = 0; i < job->change_count; i++) {
        const struct job_effect *effect = &job->outcome.effects[i];
        struct row_writer row = table_row(table, i);

        row_text(&row, span_of(job->changes[i].text));
        row_number(&row, effect->operations);
        row_number(&row, (int64_t)effect->time);
        row_number(&row, (int64_t)effect->time_after);
        row_number(&row, (int64_t)effect->step);
        row_real(&row, 1 - effect->step / job->outcome.before);
    }
    return table;
}

/* ---- collectives ---- */

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
    uint32_t shown = limit_rows(count, limit);
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

/* ---- categories ---- */

static const struct column category_columns[] = {
    COUNT_COLUMN("events", NULL),
    TIME_COLUMN("time", NULL),
    {.key = "share", .heading = "%", .kind = CELL_SHARE, .use = COLUMN_ALL, .is_heat = true},
    TIME_COLUMN("mean", NULL),
    TIME_COLUMN("longest", NULL),
    TEXT_COLUMN("category", NULL)};

struct table *job_categories_table(const struct job_page *page, enum column_use use)
{
    uint32_t count;
    const struct job_category *list = job_categories(page->job->model.part, page->arena, &count);
    struct table *table =
        table_new(page->arena, category_columns, COUNT_OF(category_columns), count, "by_category",
                  "By category: device work of all ranks and steps");

    for (uint32_t i = 0; i < count; i++) {
        struct row_writer row = table_row(table, i);

        row_number(&row, (int64_t)list[i].events);
        row_number(&row, (int64_t)list[i].time);
        row_real(&row, list[i].share);
        row_per_call(&row, (int64_t)list[i].time, (int64_t)list[i].events);
        row_number(&row, list[i].longest);
        row_text(&row, span_of(list[i].name));
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
