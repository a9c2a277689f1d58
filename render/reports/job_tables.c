/* SPDX-License-Identifier: Apache-2.0 */
/* The tables of a job's figures. */
#include "render/reports/report_columns.h"

#include <inttypes.h>
#include <math.h>

#include "analysis/ranks/job.h"
#include "base/checked.h"

static union cell excess_cell(const struct cell_source *from)
{
    return (union cell){.real = *(const double *)from->field - 1};
}

/* A factor for machines; for people what it is more than 1. */
#define SLOWDOWN_AT(name, title, member)                                                           \
    RATIO_AT(name, member, FOR_MACHINES), SHARE_BY(excess_cell, title, member, FOR_PEOPLE)

/* ---- who slows it: by type, stage, data-parallel rank ---- */

/* Of the fields of a struct job_share. */
#define LOSS_AT(slowdown, removed, added)                                                          \
    SLOWDOWN_AT("slowdown", "slows by", slowdown),                                                 \
        SHARE_AT("gain", removed, .heading = "of the loss", .is_heat = true),                      \
        SHARE_AT("added", added, FOR_MACHINES)

/* Operations by what they cost, with the host in its place among them. */
struct table *job_types_table(const struct job_page *page)
{
    typedef struct {
        struct span type;
        struct job_share of;
    } row;
    static const struct column columns[] = {TEXT_AT("type", type, .heading = "operation"),
                                            LOSS_AT(of.slowdown, of.removed, of.added)};
    const struct job_figures *figures = &page->job->figures;
    const struct job_share host = {.slowdown = figures->host_slowdown,
                                   .removed = figures->with_delays > figures->ideal
                                                  ? (figures->with_delays - figures->replayed) /
                                                        (figures->with_delays - figures->ideal)
                                                  : NAN,
                                   .added = NAN};
    struct table *table =
        TABLE_BEGIN(&(struct table_context){.arena = page->arena}, columns, figures->type_count + 1,
                    "by_type", "By operation: what it alone would slow the job by");
    bool has_host = false;

    for (uint32_t i = 0; i < figures->type_count; i++) {
        const struct job_share *type = &figures->types[i];

        if (!has_host && host.slowdown > type->slowdown) {
            TABLE_ADD(table, SPAN("host"), host);
            has_host = true;
        }
        TABLE_ADD(table, job_text(page, page->job->model.labels[type->of]), *type);
    }
    if (!has_host)
        TABLE_ADD(table, SPAN("host"), host);
    return table;
}

struct table *job_stages_table(const struct job_page *page)
{
    typedef struct job_share row;
    static const struct column columns[] = {COUNT_AT("stage", of),
                                            LOSS_AT(slowdown, removed, added)};
    const struct job_figures *figures = &page->job->figures;
    struct table *table = TABLE_OF(&(struct table_context){.arena = page->arena}, columns,
                                   figures->stages, figures->stage_count, "by_stage", "By stage");

    table->use = table->height < 2 ? COLUMN_MACHINES : COLUMN_ALL;
    return table;
}

struct table *job_dps_table(const struct job_page *page)
{
    typedef struct job_share row;
    static const struct column columns[] = {
        COUNT_AT("dp_rank", of, .heading = "data-parallel rank"),
        LOSS_AT(slowdown, removed, added)};
    const struct job_figures *figures = &page->job->figures;
    struct table *table =
        TABLE_OF(&(struct table_context){.arena = page->arena}, columns, figures->dps,
                 figures->dp_count, "by_dp_rank", "By data-parallel rank");

    table->use = table->height < 2 ? COLUMN_MACHINES : COLUMN_ALL;
    return table;
}

/* ---- ranks ---- */

static int64_t sum_of(const struct rank_summary *summary, enum row_figure figure)
{
    int64_t sum = 0;

    for (uint32_t s = 0; s < summary->step_count; s++)
        sum += summary->figure[figure][s];
    return sum;
}

/* A rank: what it would slow the job by, and how it met the others in collectives. */
struct job_rank_row {
    struct job_worker worker;
    struct job_share share;
    int64_t collectives, last, last_steps, made_wait, waited;
    struct span file;
};

static struct job_rank_row rank_row(const struct job_page *page, const struct job_share *share)
{
    const struct job_worker *worker = &page->job->model.workers[share->of];
    const struct rank_summary *summary = &page->job->model.shard->summaries[worker->summary];
    int64_t last_steps = 0;

    for (uint32_t s = 0; s < summary->step_count; s++)
        last_steps += summary->figure[ROW_LAST][s] > 0;
    return (struct job_rank_row){
        .worker = *worker,
        .share = *share,
        .collectives = sum_of(summary, ROW_MEETINGS),
        .last = sum_of(summary, ROW_LAST),
        .last_steps = last_steps,
        .made_wait = sum_of(summary, ROW_MADE_WAIT),
        .waited = sum_of(summary, ROW_WAITED),
        .file = shard_text(page->job->model.shard, summary->file),
    };
}

struct table *job_workers_table(const struct job_page *page, uint32_t count, enum column_use use)
{
    typedef struct job_rank_row row;
    static const struct column columns[] = {
        COUNT_AT("rank", worker.rank),
        COUNT_AT("stage", worker.stage),
        COUNT_AT("dp_rank", worker.dp, .heading = "dp"),
        COUNT_AT("tp_rank", worker.tp, .heading = "tp"),
        SLOWDOWN_AT("slowdown", "slows by", share.slowdown),
        RATIO_AT("slowdown_estimate", share.estimate, FOR_MACHINES),
        SLOWDOWN_AT("host_slowdown", "its host", share.host),
        TIME_AT("delay", share.delay, .heading = "begins late"),
        COUNT_AT("slowest_steps", share.slowest, .heading = "slowest in", .is_spare = true),
        COUNT_AT("collectives", collectives, .is_spare = true),
        COUNT_AT("last", last, .heading = "came last"),
        COUNT_AT("last_steps", last_steps, .heading = "in steps", .is_spare = true),
        TIME_AT("made_wait", made_wait, .heading = "others waited"),
        TIME_AT("waited", waited, .heading = "waited itself", .is_spare = true),
        TEXT_AT("file", file, FOR_MACHINES),
    };
    const struct job_figures *figures = &page->job->figures;
    struct table *table = TABLE_BEGIN(
        &(struct table_context){.arena = page->arena}, columns, count, "workers",
        figures->exact_count == figures->worker_count
            ? "By rank: what it alone would slow the job by"
            : arena_printf(
                  page->arena,
                  "By rank: what it alone would slow the job by (exactly of the worst %" PRIu32
                  "; others are the lesser of their stage's and data-parallel rank's)",
                  figures->exact_count));

    for (uint32_t i = 0; i < count; i++) {
        struct job_rank_row rank = rank_row(page, &figures->workers[i]);

        table_add(table, &rank);
    }
    table->use = use;
    return table;
}

/* ---- steps ---- */

struct table *job_steps_table(const struct job_page *page)
{
    typedef struct {
        int64_t step, recorded, replayed, ideal, slowest_rank;
        double slowdown;
    } row;
    static const struct column columns[] = {
        COUNT_AT("step", step),
        TIME_AT("recorded", recorded),
        TIME_AT("replayed", replayed),
        TIME_AT("ideal", ideal),
        SLOWDOWN_AT("slowdown", "slows by", slowdown),
        COUNT_AT("slowest_rank", slowest_rank, .heading = "slowest rank"),
    };
    const struct job_model *model = &page->job->model;
    const struct job_figures *figures = &page->job->figures;
    struct table *table = TABLE_BEGIN(&(struct table_context){.arena = page->arena}, columns,
                                      model->step_count, "steps", "Steps");

    for (uint32_t s = 0; s < model->step_count; s++) {
        int64_t replayed = figures->step_replayed[s], ideal = figures->step_ideal[s];

        TABLE_ADD(table, .step = model->steps[s].number, .recorded = figures->step_recorded[s],
                  .replayed = replayed, .ideal = ideal,
                  .slowest_rank = model->workers[figures->step_slowest[s]].rank,
                  .slowdown = (double)replayed / (double)ideal);
    }
    return table;
}

/* ---- what if ---- */

struct table *job_what_if_table(const struct job_page *page)
{
    typedef struct {
        const char *change;
        struct job_effect of;
        double gain;
    } row;
    static const struct column columns[] = {
        TEXT_AT("change", change, .heading = "what if"),
        COUNT_AT("operations", of.operations),
        TIME_AT("time", of.time, .heading = "time a step"),
        TIME_AT("time_after", of.time_after, .heading = "then"),
        TIME_AT("step_time", of.step, .heading = "step with this alone"),
        SHARE_AT("gain", gain, .heading = "saves", .is_heat = true),
    };
    const struct job *job = page->job;
    struct table *table = TABLE_BEGIN(&(struct table_context){.arena = page->arena}, columns,
                                      job->change_count, "what_if", NULL);

    for (uint32_t i = 0; i < job->change_count; i++)
        TABLE_ADD(table, job->changes[i].text, job->outcome.effects[i],
                  1 - job->outcome.effects[i].step / job->outcome.before);
    return table;
}

/* ---- collectives ---- */

/* A collective's traffic, of one group or of all of one use. */
struct traffic_shown {
    struct job_traffic of;
    int64_t ranks, skew_median, transfer_median, last_rank, last_times, last_made_wait;
    double imbalance;
    struct span name, members;
};

/* Where a terminal is narrow, who waits is more than how fast the links are. */
#define SPARE_RATE_AT(name, title, member)                                                         \
    RATIO_AT(name, member, FOR_MACHINES),                                                          \
    {.key = title, .kind = CELL_RATIO, FOR_PEOPLE, .make = cell_giga, MADE(member, .is_spare = true)}

#define TRAFFIC_AT                                                                                 \
    COUNT_AT("ranks", ranks, .is_spare = true), BYTES_AT("bytes", of.size), COUNT_AT("count", of.skew.count),        \
        TIME_AT("skew", of.skew.sum, .heading = "waiting, sum"),                                   \
        TIME_AT("skew_median", skew_median, .heading = "median", .is_spare = true),                                  \
        TIME_AT("skew_max", of.skew.most, .heading = "most", .is_spare = true),                                      \
        TIME_AT("transfer", of.transfer.sum, .heading = "transfer, sum", .is_spare = true),                          \
        TIME_AT("transfer_median", transfer_median, .heading = "median", .is_spare = true),                          \
        TIME_AT("transfer_max", of.transfer.most, .heading = "most", .is_spare = true),                              \
        SPARE_RATE_AT("algorithm_bandwidth", "alg GB/s", of.algorithm),                            \
        SPARE_RATE_AT("bus_bandwidth", "bus GB/s", of.bus),                                        \
        RATIO_AT("imbalance", imbalance, .heading = "uneven", .is_spare = true),                                     \
        COUNT_AT("last_rank", last_rank, .heading = "last most", .is_spare = true),                                  \
        COUNT_AT("last_times", last_times, .heading = "times", .is_spare = true),                                    \
        TIME_AT("last_made_wait", last_made_wait, .heading = "others waited", .is_spare = true)

static void add_traffic(struct table *table, const struct job_page *page,
                        const struct job_traffic *of)
{
    bool has_last = of->worst.made_wait; /* nobody is last where all come at one time */

    table_add(table, &(struct traffic_shown){
                         .of = *of,
                         .ranks = of->ranks ? (int64_t)of->ranks : TABLE_NULL,
                         .skew_median = distribution_quantile(&of->skew, 0.5),
                         .transfer_median = distribution_quantile(&of->transfer, 0.5),
                         .imbalance = of->imbalance > 1 ? of->imbalance : NAN,
                         .last_rank = has_last ? (int64_t)of->worst.rank : TABLE_NULL,
                         .last_times = has_last ? (int64_t)of->worst.times : TABLE_NULL,
                         .last_made_wait = has_last ? of->worst.made_wait : TABLE_NULL,
                         .name = of->group ? job_text(page, of->group->name) : NO_TEXT,
                         .members = of->group ? job_text(page, of->group->members) : NO_TEXT,
                     });
}

struct table *job_traffic_table(const struct job_page *page)
{
    typedef struct traffic_shown row;
    static const struct column columns[] = {
        TEXT_AT("operation", of.operation, .heading = "collective"), TEXT_AT("group", of.use),
        TRAFFIC_AT};
    uint32_t count;
    const struct job_traffic *list =
        job_traffic_list(page->job->model.shard, false, page->arena, &count);
    struct table *table =
        TABLE_BEGIN(&(struct table_context){.arena = page->arena}, columns, count, "collectives",
                    "Collectives: ranks wait from the first start to the last; transfer is after that");

    for (uint32_t i = 0; i < count; i++)
        add_traffic(table, page, &list[i]);
    return table;
}

struct table *job_groups_table(const struct job_page *page, uint32_t limit, enum column_use use)
{
    typedef struct traffic_shown row;
    static const struct column columns[] = {
        TEXT_AT("operation", of.operation, .heading = "collective"), TEXT_AT("group", of.use),
        TEXT_AT("name", name), TEXT_AT("members", members), TRAFFIC_AT};
    uint32_t count;
    const struct job_traffic *list =
        job_traffic_list(page->job->model.shard, true, page->arena, &count);
    struct table *table = TABLE_BEGIN(&(struct table_context){.arena = page->arena}, columns,
                                      limit_rows(count, limit), "groups", "By process group");

    for (uint32_t i = 0; i < table->room; i++)
        add_traffic(table, page, &list[i]);
    table->use = use;
    return table;
}

/* ---- categories ---- */

struct table *job_categories_table(const struct job_page *page, enum column_use use)
{
    typedef struct job_category row;
    static const struct column columns[] = {
        COUNT_AT("events", events),
        TIME_AT("time", time),
        SHARE_AT("share", share, .heading = "%", .is_heat = true),
        MEAN_OF("mean", time, events, .unit = UNIT_NS),
        TIME_AT("longest", longest),
        TEXT_AT("category", name),
    };
    uint32_t count;
    const struct job_category *list = job_categories(page->job->model.shard, page->arena, &count);
    struct table *table =
        TABLE_OF(&(struct table_context){.arena = page->arena}, columns, list, count, "by_category",
                 "By category: device work of all ranks and steps");

    table->use = use;
    return table;
}

/* ---- clocks ---- */

struct table *job_clocks_table(const struct job_page *page)
{
    typedef struct {
        struct job_worker of;
        struct span host;
        int64_t first, last;
    } row;
    static const struct column columns[] = {
        COUNT_AT("rank", of.rank),
        TEXT_AT("host", host),
        TIME_AT("offset", first),
        TIME_AT("offset_last", last, .heading = "in the last step"),
        TIME_AT("residual", of.residual),
        FLAG_AT("is_aligned", of.is_aligned, FOR_MACHINES),
    };
    const struct job_model *model = &page->job->model;
    struct table *table =
        TABLE_BEGIN(&(struct table_context){.arena = page->arena}, columns, model->worker_count,
                    "clocks", "Clocks, against the first rank's");

    for (uint32_t w = 0; w < model->worker_count; w++) {
        const struct job_worker *worker = &model->workers[w];

        TABLE_ADD(table, *worker, job_text(page, model->shard->summaries[worker->summary].host),
                  worker->is_aligned ? worker->offset[0] : TABLE_NULL,
                  worker->is_aligned ? worker->offset[model->step_count - 1] : TABLE_NULL);
    }
    table->use = COLUMN_MACHINES;
    return table;
}
