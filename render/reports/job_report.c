/* SPDX-License-Identifier: Apache-2.0 */
#include "render/reports/job_report.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "base/text/format.h"
#include "render/reports/job_doubts.h"

#define TIME_COLUMN(name, title)                                                                   \
    {                                                                                              \
        .key = name, .heading = title, .kind = CELL_VALUE, .use = COLUMN_ALL, .unit = UNIT_NS      \
    }
#define COUNT_COLUMN(name, title)                                                                  \
    {                                                                                              \
        .key = name, .heading = title, .kind = CELL_COUNT, .use = COLUMN_ALL                       \
    }
#define RATIO_COLUMN(name, title)                                                                  \
    {                                                                                              \
        .key = name, .heading = title, .kind = CELL_RATIO, .use = COLUMN_ALL                       \
    }
/* A factor for machines; for people what it is more than 1. */
#define SLOWDOWN_COLUMNS(name, title)                                                              \
    {.key = name, .kind = CELL_RATIO, .use = COLUMN_MACHINES},                                     \
    {                                                                                              \
        .key = title, .kind = CELL_SHARE, .use = COLUMN_PEOPLE                                     \
    }
#define TEXT_COLUMN(name, title)                                                                   \
    {                                                                                              \
        .key = name, .heading = title, .kind = CELL_TEXT, .use = COLUMN_ALL                        \
    }

struct job_page {
    const struct job *job;
    struct arena *arena;
    struct report *report;
    uint32_t limit;
};

static struct span text_of(const struct job_page *page, str_id id)
{
    return part_text(page->job->model.part, id);
}

static void row_id(struct row_writer *row, const struct job_page *page, str_id id)
{
    if (id)
        row_text(row, text_of(page, id));
    else
        row_no_text(row);
}

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

static struct table *types_table(const struct job_page *page)
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

static int64_t steps_with(const struct part_leaf *leaf, enum row_figure figure)
{
    int64_t count = 0;

    for (uint32_t s = 0; s < leaf->step_count; s++)
        count += leaf->figure[figure][s] > 0;
    return count;
}

static struct table *workers_table(const struct job_page *page, uint32_t from, uint32_t count,
                                   enum column_use use)
{
    const struct job_figures *figures = &page->job->figures;
    const struct job_model *model = &page->job->model;
    struct table *table = table_new(
        page->arena, worker_columns, COUNT_OF(worker_columns), count, "workers",
        figures->is_exact
            ? "By rank: what it alone would slow the job by"
            : "By rank: what it alone would slow the job by (the worst 64; others estimated)");

    for (uint32_t i = 0; i < count; i++) {
        const struct job_share *share = &figures->workers[from + i];
        const struct job_worker *worker = &model->workers[share->of];
        const struct part_leaf *leaf = &model->part->leaves[worker->leaf];
        struct row_writer row = table_row(table, i);

        row_number(&row, worker->rank);
        row_number(&row, worker->stage);
        row_number(&row, worker->dp);
        row_number(&row, worker->tp);
        row_slowdown(&row, share->slowdown);
        row_real(&row, share->estimate);
        row_slowdown(&row, share->host);
        row_number(&row, share->delay);
        row_number(&row, sum_of(leaf, ROW_JOINS));
        row_number(&row, sum_of(leaf, ROW_LAST));
        row_number(&row, steps_with(leaf, ROW_LAST));
        row_number(&row, sum_of(leaf, ROW_MADE_WAIT));
        row_number(&row, sum_of(leaf, ROW_WAITED));
        row_text(&row, text_of(page, leaf->file));
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

/* By step, the rank whose operations took most beyond the typical. */
static uint32_t *slowest_ranks(const struct job_page *page)
{
    const struct job_model *model = &page->job->model;
    uint32_t *slowest = arena_array(page->arena, model->step_count, sizeof(*slowest));
    double *beyond = arena_array(page->arena, model->worker_count, sizeof(*beyond));

    for (uint32_t s = 0, op = 0; s < model->step_count; s++) {
        uint32_t end = s + 1 < model->step_count ? model->steps[s + 1].first_op : model->op_count;

        for (uint32_t w = 0; w < model->worker_count; w++)
            beyond[w] = 0;
        for (; op < end; op++)
            beyond[model->worker[op]] +=
                (double)(model->length[op] - page->job->figures.ideals[op]);
        for (uint32_t w = 1; w < model->worker_count; w++)
            slowest[s] = beyond[w] > beyond[slowest[s]] ? w : slowest[s];
        slowest[s] = model->workers[slowest[s]].rank;
    }
    return slowest;
}

static struct table *steps_table(const struct job_page *page)
{
    const struct job_model *model = &page->job->model;
    const struct job_figures *figures = &page->job->figures;
    const uint32_t *slowest = slowest_ranks(page);
    struct table *table = table_new(page->arena, step_columns, COUNT_OF(step_columns),
                                    model->step_count, "steps", "Steps");

    for (uint32_t s = 0; s < model->step_count; s++) {
        struct row_writer row = table_row(table, s);

        row_number(&row, model->steps[s].number);
        row_number(&row, figures->step_recorded[s]);
        row_number(&row, figures->step_replayed[s]);
        row_number(&row, figures->step_ideal[s]);
        row_slowdown(&row, (double)figures->step_replayed[s] / (double)figures->step_ideal[s]);
        row_number(&row, slowest[s]);
    }
    return table;
}

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

static struct table *traffic_table(const struct job_page *page)
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

static struct table *clocks_table(const struct job_page *page)
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

/* ---- findings ---- */

static const struct column finding_columns[] = {
    TEXT_COLUMN("kind", NULL),
    COUNT_COLUMN("rank", NULL),
    TEXT_COLUMN("ranks", NULL),
    COUNT_COLUMN("stage", NULL),
    COUNT_COLUMN("dp_rank", NULL),
    TEXT_COLUMN("type", NULL),
    RATIO_COLUMN("excess", NULL),
    RATIO_COLUMN("step_time", NULL),
    RATIO_COLUMN("step_time_without", NULL),
    TIME_COLUMN("delay", NULL),
    TEXT_COLUMN("host", NULL),
    TEXT_COLUMN("group", NULL),
    TEXT_COLUMN("operation", NULL),
    COUNT_COLUMN("sequence", NULL),
    TEXT_COLUMN("before", NULL),
    TEXT_COLUMN("text", NULL),
};

static struct table *findings_table(const struct job_page *page)
{
    const struct job_findings *findings = &page->job->findings;
    struct table *table = table_new(page->arena, finding_columns, COUNT_OF(finding_columns),
                                    findings->count, "findings", NULL);

    for (uint32_t i = 0; i < findings->count; i++) {
        const struct job_finding *finding = &findings->list[i];
        struct row_writer row = table_row(table, i);
        const char *ranks = "";

        for (uint32_t r = 0; r < finding->rank_count; r++)
            ranks =
                arena_printf(page->arena, "%s%s%" PRIu32, ranks, r ? "," : "", finding->ranks[r]);
        row_text(&row, span_of(job_cause_name(finding->cause)));
        row_number(&row, finding->rank_count ? (int64_t)finding->ranks[0] : TABLE_NULL);
        row_text(&row, span_of(ranks));
        row_number(&row, finding->stage < 0 ? TABLE_NULL : finding->stage);
        row_number(&row, finding->dp < 0 ? TABLE_NULL : finding->dp);
        row_id(&row, page, finding->label);
        row_real(&row, finding->excess);
        row_real(&row, finding->with);
        row_real(&row, finding->without);
        row_number(&row, finding->delay);
        row_id(&row, page, finding->host);
        row_id(&row, page, finding->group);
        row_id(&row, page, finding->operation);
        row_number(&row, finding->sequence);
        row_id(&row, page, finding->before);
        row_text(&row, span_of(job_finding_text(page->job, finding, page->arena)));
    }
    table->use = COLUMN_MACHINES;
    return table;
}

static const struct column missing_columns[] = {COUNT_COLUMN("rank", NULL)};

static struct table *missing_table(const struct job_page *page)
{
    struct table *table =
        table_new(page->arena, missing_columns, 1, page->job->missing_count, "missing", NULL);

    for (uint32_t i = 0; i < page->job->missing_count; i++) {
        struct row_writer row = table_row(table, i);

        row_number(&row, page->job->missing[i]);
    }
    table->use = COLUMN_MACHINES;
    table->is_list = true;
    return table;
}

/* ---- words ---- */

static void say_findings(const struct job_page *page)
{
    const struct job_findings *findings = &page->job->findings;
    uint32_t shown = findings->count < 6 ? findings->count : 6;
    bool is_slow = false;

    for (uint32_t i = 0; i < findings->count; i++)
        is_slow |= isfinite(findings->list[i].with) || findings->list[i].cause <= CAUSE_MISMATCH;
    for (uint32_t i = 0; i < shown; i++)
        report_before(page->report, job_finding_text(page->job, &findings->list[i], page->arena));
    if (!is_slow)
        report_before(page->report, "no rank, stage, link or host slows this job by one hundredth");
}

static void say_whole(const struct job_page *page)
{
    const struct job_figures *figures = &page->job->figures;
    const struct job_model *model = &page->job->model;
    char recorded[FORMAT_LEN], replayed[FORMAT_LEN], ideal[FORMAT_LEN];

    format_value(recorded, (int64_t)figures->recorded, UNIT_NS);
    format_value(replayed, (int64_t)figures->replayed, UNIT_NS);
    format_value(ideal, (int64_t)figures->ideal, UNIT_NS);
    report_before(page->report,
                  arena_printf(page->arena,
                               "%" PRIu32 " of %" PRIu32 " ranks, %" PRIu32
                               " step%s of %s; %s without delays of "
                               "hosts, %s if every operation took what is typical of it",
                               model->part->leaf_count, page->job->world, model->step_count,
                               model->step_count == 1 ? "" : "s", recorded, replayed, ideal));
    report_before(
        page->report,
        arena_printf(page->arena,
                     "slowdown %.4f (jitter alone %.4f, with ranks of a stage %.4f), by hosts %.4f",
                     figures->slowdown, figures->jitter, figures->over_dp,
                     figures->launch_slowdown));
    if (isnan(figures->m_w)) {
        report_before(page->report, "there is no slowdown to explain by ranks and stages");
        return;
    }
    report_before(page->report,
                  arena_printf(page->arena,
                               "of the loss %.1f %% goes with the worst %" PRIu32
                               " rank%s, %.1f %% with the last stage",
                               figures->m_w * 100, figures->worst_count,
                               figures->worst_count == 1 ? "" : "s", figures->m_s * 100));
}

static void add_fields(const struct job_page *page)
{
    const struct job_figures *figures = &page->job->figures;
    const struct job_model *model = &page->job->model;
    struct report *report = page->report;

    report_number(report, "ranks", model->part->leaf_count);
    report_number(report, "world_size", page->job->world);
    report_real(report, "slowdown", figures->slowdown);
    report_real(report, "waste", 1 - 1 / figures->slowdown);
    report_real(report, "launch_slowdown", figures->launch_slowdown);
    report_real(report, "host_slowdown", figures->host_slowdown);
    report_real(report, "step_recorded", figures->recorded);
    report_real(report, "step_replayed", figures->replayed);
    report_real(report, "step_with_delays", figures->with_delays);
    report_real(report, "step_ideal", figures->ideal);
    report_real(report, "slowdown_jitter", figures->jitter);
    report_real(report, "slowdown_stage_ideal", figures->over_dp);
    report_real(report, "m_w", figures->m_w);
    report_real(report, "m_w_added", figures->m_w_added);
    report_real(report, "m_s", figures->m_s);
    report_real(report, "m_s_added", figures->m_s_added);
    report_number(report, "joins", (int64_t)model->joins);
    report_number(report, "joins_lacking", (int64_t)model->lacking);
    report_real(report, "unmatched", figures->unmatched);
}

static uint32_t shown_of(const struct job_page *page, uint32_t count)
{
    return page->limit && page->limit < count ? page->limit : count;
}

/* Where no step is whole: who hangs, and where. */
static void report_hang(const struct job_page *page)
{
    const struct job *job = page->job;

    report_number(page->report, "ranks", job->model.part->leaf_count);
    report_number(page->report, "world_size", job->world);
    for (uint32_t i = 0; i < job->findings.count && i < 6; i++)
        report_before(page->report, job_finding_text(job, &job->findings.list[i], page->arena));
    if (!job->model.part->absence_count)
        report_before(page->report, "no rank missed a collective that others were in");
    report_before(page->report, arena_printf(page->arena,
                                             "%" PRIu32 " of %" PRIu32
                                             " ranks; no whole step by which to tell who "
                                             "is slow",
                                             job->model.part->leaf_count, job->world));
    report_table(page->report, traffic_table(page));
    report_table(page->report, findings_table(page));
    report_table(page->report, missing_table(page));
}

void job_report(const struct job *job, enum job_table first, uint32_t limit, struct arena *arena,
                struct report *report)
{
    const struct job_page page = {job, arena, report, limit};
    const struct job_figures *figures = &job->figures;
    uint32_t shown = shown_of(&page, figures->worker_count);

    if (!job->is_measured) {
        report_hang(&page);
        return;
    }
    const struct table *tables[] = {
        [JOB_BY_RANK] = workers_table(&page, 0, figures->worker_count, COLUMN_MACHINES),
        [JOB_BY_STAGE] = places_table(&page, stage_columns, figures->stages, figures->stage_count,
                                      "by_stage", "By stage"),
        [JOB_BY_TYPE] = types_table(&page),
        [JOB_BY_DP] = places_table(&page, dp_columns, figures->dps, figures->dp_count, "by_dp_rank",
                                   "By data-parallel rank"),
        [JOB_BY_STEP] = steps_table(&page),
        [JOB_BY_GROUP] = traffic_table(&page),
    };

    add_fields(&page);
    say_findings(&page);
    say_whole(&page);
    report_table(report, tables[first]);
    if (first == JOB_BY_RANK)
        report_table(report, workers_table(&page, 0, shown, COLUMN_PEOPLE));
    for (int i = 0; i < (int)COUNT_OF(tables); i++) {
        if (i == (int)first)
            continue;
        report_table(report, tables[i]);
        if (i == JOB_BY_RANK)
            report_table(report, workers_table(&page, 0, shown, COLUMN_PEOPLE));
    }
    report_table(report, findings_table(&page));
    report_table(report, missing_table(&page));
    report_table(report, clocks_table(&page));
    job_doubts(job, arena, report);
}
