/* SPDX-License-Identifier: Apache-2.0 */
#include "render/reports/reports.h"

#include <inttypes.h>
#include <math.h>

#include "base/text/format.h"
#include "render/reports/report_columns.h"

static void say_findings(const struct job_page *page)
{
    const struct job_findings *findings = &page->job->findings;
    uint32_t shown = findings->count < 6 ? findings->count : 6;
    bool is_slow = false;

    for (uint32_t i = 0; i < findings->count; i++)
        is_slow |= isfinite(findings->list[i].with) || findings->list[i].cause <= CAUSE_LATE;
    for (uint32_t i = 0; i < shown; i++)
        report_before(page->report, job_finding_text(page->job, &findings->list[i], page->arena));
    if (!is_slow)
        report_before(page->report, "no rank, stage, link or host slows this job by one hundredth");
}

/* The same culprit in each step, or another each time. */
static void say_slowest(const struct job_page *page)
{
    const struct job_figures *figures = &page->job->figures;
    const struct job_model *model = &page->job->model;
    const struct job_share *most = figures->workers;
    uint32_t ranks = 0;

    for (uint32_t i = 0; i < figures->worker_count; i++) {
        ranks += figures->workers[i].slowest > 0;
        most = figures->workers[i].slowest > most->slowest ? &figures->workers[i] : most;
    }
    if (model->step_count < 2 || model->worker_count < 2)
        return;
    if (most->slowest * 2 <= model->step_count)
        report_before(page->report,
                      arena_printf(page->arena,
                                   "the slowest rank is another from step to step: %" PRIu32
                                   " ranks in %" PRIu32 " steps",
                                   ranks, model->step_count));
    else
        report_before(page->report, arena_printf(page->arena,
                                                 "rank %" PRIu32 " is the slowest in %" PRIu32
                                                 " of %" PRIu32 " steps",
                                                 model->workers[most->of].rank, most->slowest,
                                                 model->step_count));
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
    say_slowest(page);
}

/* The answer to --what-if, which comes first. */
static void report_what_if(const struct job_page *page)
{
    const struct job *job = page->job;
    const struct job_outcome *outcome = &job->outcome;
    char before[FORMAT_LEN], after[FORMAT_LEN], least[FORMAT_LEN], most[FORMAT_LEN];
    const char *what = "", *bounds = "";

    if (!job->change_count)
        return;
    for (uint32_t i = 0; i < job->change_count; i++)
        what = arena_printf(page->arena, "%s%s%s", what, i ? ", " : "", job->changes[i].text);
    format_value(before, (int64_t)outcome->before, UNIT_NS);
    format_value(after, (int64_t)outcome->after, UNIT_NS);
    format_value(least, (int64_t)outcome->least, UNIT_NS);
    format_value(most, (int64_t)outcome->most, UNIT_NS);
    if (outcome->is_bounded)
        bounds = arena_printf(
            page->arena, " (between %s and %s, as the order of streams is inferred)", least, most);
    report_before(page->report, arena_printf(page->arena, "with %s steps take %s instead of %s%s",
                                             what, after, before, bounds));
    report_real(page->report, "what_if_before", outcome->before);
    report_real(page->report, "what_if_after", outcome->after);
    report_real(page->report, "what_if_least", outcome->least);
    report_real(page->report, "what_if_most", outcome->most);
    report_table(page->report, job_what_if_table(page));
}

static void add_fields(const struct job_page *page)
{
    const struct job_figures *figures = &page->job->figures;
    const struct job_model *model = &page->job->model;
    struct report *report = page->report;

    report_number(report, "ranks", model->part->leaf_count);
    report_number(report, "world_size", page->job->world);
    report_number(report, "ranks_replayed", figures->exact_count);
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
static void report_hang(const struct job_page *page, enum job_table first)
{
    const struct job *job = page->job;
    bool is_hung = false;

    report_number(page->report, "ranks", job->model.part->leaf_count);
    report_number(page->report, "world_size", job->world);
    for (uint32_t i = 0; i < job->findings.count && i < 6; i++) {
        report_before(page->report, job_finding_text(job, &job->findings.list[i], page->arena));
        is_hung |= job->findings.list[i].cause < CAUSE_LATE;
    }
    if (!is_hung)
        report_before(page->report, "no rank missed a collective that others were in");
    report_before(page->report, arena_printf(page->arena,
                                             "%" PRIu32 " of %" PRIu32
                                             " ranks; no whole step by which to tell who "
                                             "is slow",
                                             job->model.part->leaf_count, job->world));
    if (first == JOB_BY_GROUP)
        report_table(page->report, job_groups_table(page, page->limit, COLUMN_ALL));
    report_table(page->report, job_traffic_table(page));
    report_table(page->report, job_findings_table(page));
    report_table(page->report, job_missing_table(page));
}

void job_report(const struct job *job, enum job_table first, uint32_t limit, struct arena *arena,
                struct report *report)
{
    const struct job_page page = {job, arena, report, limit};
    const struct job_figures *figures = &job->figures;
    uint32_t shown = shown_of(&page, figures->worker_count);

    if (!job->is_measured) {
        report_hang(&page, first);
        return;
    }
    const struct table *tables[] = {
        [JOB_BY_RANK] = job_workers_table(&page, figures->worker_count, COLUMN_MACHINES),
        [JOB_BY_STAGE] = job_stages_table(&page),
        [JOB_BY_TYPE] = job_types_table(&page),
        [JOB_BY_DP] = job_dps_table(&page),
        [JOB_BY_STEP] = job_steps_table(&page),
        [JOB_BY_GROUP] = job_groups_table(&page, 0, COLUMN_MACHINES),
        [JOB_BY_COLLECTIVE] = job_traffic_table(&page),
    };

    add_fields(&page);
    report_what_if(&page);
    say_findings(&page);
    say_whole(&page);
    report_table(report, tables[first]);
    if (first == JOB_BY_GROUP)
        report_table(report, job_groups_table(&page, limit, COLUMN_PEOPLE));
    if (first == JOB_BY_RANK)
        report_table(report, job_workers_table(&page, shown, COLUMN_PEOPLE));
    for (int i = 0; i < (int)COUNT_OF(tables); i++) {
        if (i == (int)first)
            continue;
        report_table(report, tables[i]);
        if (i == JOB_BY_RANK)
            report_table(report, job_workers_table(&page, shown, COLUMN_PEOPLE));
    }
    report_table(report, job_findings_table(&page));
    report_table(report, job_missing_table(&page));
    report_table(report, job_clocks_table(&page));
    job_doubts(job, arena, report);
}
