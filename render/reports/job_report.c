/* SPDX-License-Identifier: Apache-2.0 */
/* A job: what the figures rest on, what was found, and its tables. */
#include "render/reports/reports.h"

#include <inttypes.h>
#include <math.h>

#include "base/checked.h"
#include "base/text/format.h"
#include "render/reports/report_columns.h"

/* ---- what the figures rest on, and what was left out of them ---- */

const char *job_ranks_text(const uint32_t *list, uint32_t count, uint64_t all, struct arena *arena)
{
    const char *text = all > 1 ? "s " : " ";

    for (uint32_t i = 0; i < count; i++)
        text = arena_printf(arena, "%s%s%" PRIu32, text, i ? ", " : "", list[i]);
    return all > count ? arena_printf(arena, "%s and %" PRIu64 " more", text, all - count) : text;
}

/* Some of the ranks for which something holds, and how many they are. */
enum { RANKS_NAMED = 8 };

struct rank_list {
    uint32_t rank[RANKS_NAMED], count;
    uint64_t all;
};

static void add_rank(struct rank_list *list, uint32_t rank)
{
    if (list->count < RANKS_NAMED)
        list->rank[list->count++] = rank;
    list->all++;
}

static const char *names_of(const struct rank_list *list, struct arena *arena)
{
    return job_ranks_text(list->rank, list->count, list->all, arena);
}

/* ---- what it rests on ---- */

static void doubt_replay(const struct job *job, uint32_t flags, struct arena *arena,
                         struct report *report)
{
    const struct job_figures *figures = &job->figures;
    double error = figures->recorded > 0 ? figures->with_delays / figures->recorded - 1 : 0;

    if (fabs(error) > 0.005 && !(flags & RANK_ONE_CLOCK))
        report_afterf(report, arena, "with hosts' delays the replay is off by %.2f %%%s",
                      error * 100, fabs(error) > 0.02 ? ": what-ifs are not to be relied on" : "");
    if (flags & RANK_NO_WAITS)
        report_after(report, "which stream waits for which is inferred from times: gains are "
                             "lower bounds");
    if (flags & RANK_NO_STEPS)
        report_after(report, "steps are not marked: all is taken as one");
    if (flags & RANK_ORDINALS)
        report_after(report,
                     "collectives are not numbered: those of one group are matched by their "
                     "order in each step");
    if (flags & RANK_OWN_NUMBER)
        report_after(report, "ranks are numbered by their files' names");
    if (figures->unmatched > 0.01)
        report_afterf(report, arena,
                      "%.1f %% of the time has its like on one rank alone: it is its own measure",
                      figures->unmatched * 100);
}

/* ---- what was left out or corrected ---- */

static void doubt_ranks(const struct job_model *model, struct arena *arena, struct report *report)
{
    struct rank_list cut = {0}, renumbered = {0}, unaligned = {0};

    for (uint32_t l = 0; l < model->shard->summary_count; l++) {
        const struct rank_summary *summary = &model->shard->summaries[l];

        if (summary->flags & RANK_TRUNCATED)
            add_rank(&cut, summary->rank);
        if (model->number_shift[l])
            add_rank(&renumbered, summary->rank);
    }
    for (uint32_t w = 0; w < model->worker_count; w++)
        if (!model->workers[w].is_aligned)
            add_rank(&unaligned, model->workers[w].rank);
    if (cut.all)
        report_afterf(report, arena, "the trace%s of rank%s %s cut: its whole steps count",
                      cut.all > 1 ? "s" : "", names_of(&cut, arena), cut.all > 1 ? "are" : "is");
    if (renumbered.all)
        report_afterf(report, arena,
                      "rank%s count%s steps from another number than most: corrected "
                      "by the collectives in them",
                      names_of(&renumbered, arena), renumbered.all > 1 ? "" : "s");
    if (model->left_out_count)
        report_afterf(report, arena, "rank%s lack%s steps that most have, and %s left out",
                      job_ranks_text(model->left_out,
                                     model->left_out_count < RANKS_NAMED ? model->left_out_count
                                                                         : RANKS_NAMED,
                                     model->left_out_count, arena),
                      model->left_out_count > 1 ? "" : "s",
                      model->left_out_count > 1 ? "are" : "is");
    if (unaligned.all)
        report_afterf(report, arena, "no collective ties the clock%s of rank%s to the first's",
                      unaligned.all > 1 ? "s" : "", names_of(&unaligned, arena));
}

static bool has_several_hosts(const struct job_model *model)
{
    const struct rank_summary *summaries = model->shard->summaries;

    for (uint32_t w = 1; w < model->worker_count; w++)
        if (summaries[model->workers[w].summary].host != summaries[model->workers[0].summary].host)
            return true;
    return false;
}

static bool has_finding(const struct job *job, enum job_cause cause)
{
    for (uint32_t i = 0; i < job->findings.count; i++)
        if (job->findings.list[i].cause == cause)
            return true;
    return false;
}

/* Links are compared with each other, and with their peak where that is known. */
static void doubt_links(const struct job *job, struct arena *arena, struct report *report)
{
    bool is_known = false;

    if (has_finding(job, CAUSE_LINKS))
        return;
    for (int which = 0; which < LINKS_COUNT; which++)
        if (job->links[which].bus > 0) {
            report_after(report, job_links_text(&job->links[which], (enum link_class)which, arena));
            is_known |= which == LINKS_ACROSS;
        }
    if (has_several_hosts(&job->model) && !is_known && !has_finding(job, CAUSE_LINK))
        report_after(report,
                     "a link that is equally slow for all ranks cannot be seen without --peak-link: their "
                     "bandwidths are in the table of collectives");
}

static void doubt_collectives(const struct job *job, struct arena *arena, struct report *report)
{
    const struct job_model *model = &job->model;
    uint64_t clipped = 0;

    for (uint32_t g = 0; g < model->shard->group_count; g++)
        clipped += model->shard->groups[g].clipped;
    if (model->lacking)
        report_afterf(report, arena,
                      "%" PRIu64 " of %" PRIu64
                      " collectives lack a rank: what they took beyond the "
                      "typical counts as waiting for it, and gains are bounds",
                      model->lacking, model->participations);
    doubt_links(job, arena, report);
    if (model->other_steps)
        report_afterf(report, arena, "%" PRIu32 " step%s not whole on all ranks, and left out",
                      model->other_steps, model->other_steps > 1 ? "s are" : " is");
    if (model->circles)
        report_afterf(report, arena,
                      "%" PRIu32 " operation%s for each other in a circle, which "
                      "was cut: the replay is less exact",
                      model->circles, model->circles > 1 ? "s wait" : " waits");
    if (clipped)
        report_afterf(report, arena, "%" PRIu64 " transfers came out negative, and count as 0",
                      clipped);
}

/* What shards leave out, as they may have so many bytes. */
static void doubt_folds(const struct job_shard *shard, struct arena *arena, struct report *report)
{
    struct rank_list thinned = {0}, shortened = {0};
    uint64_t operations = 0, collectives = 0, steps = 0;

    for (uint32_t l = 0; l < shard->summary_count; l++) {
        const struct rank_summary *summary = &shard->summaries[l];

        operations += summary->folds.operations;
        collectives += summary->folds.collectives;
        steps += summary->folds.steps;
        if (summary->folds.collectives)
            add_rank(&thinned, summary->rank);
        if (summary->folds.steps)
            add_rank(&shortened, summary->rank);
    }
    if (operations)
        report_afterf(report, arena,
                      "%" PRIu64 " small operations are joined with those "
                      "before them: gains by operation are less exact",
                      operations);
    if (collectives)
        report_afterf(report, arena,
                      "%" PRIu64 " collectives of rank%s are too many to be kept, and "
                      "taken for work: waiting in them is not distinguished from slowness",
                      collectives, names_of(&thinned, arena));
    if (steps)
        report_afterf(report, arena,
                      "%" PRIu64 " steps of rank%s are too many to be kept: the first ones count",
                      steps, names_of(&shortened, arena));
}

/* After the report's tables. Of a job that was measured. */
static void job_doubts(const struct job *job, struct arena *arena, struct report *report)
{
    uint32_t flags = 0;

    for (uint32_t l = 0; l < job->model.shard->summary_count; l++)
        flags |= job->model.shard->summaries[l].flags;
    doubt_replay(job, flags, arena, report);
    doubt_ranks(&job->model, arena, report);
    doubt_collectives(job, arena, report);
    doubt_folds(job->model.shard, arena, report);
}

/* ---- the report ---- */

enum { FINDINGS_SHOWN = 6 };

static uint32_t shown_findings(const struct job_page *page)
{
    return page->job->findings.count < FINDINGS_SHOWN ? page->job->findings.count : FINDINGS_SHOWN;
}

bool job_finding_slows(const struct job_finding *finding)
{
    return isfinite(finding->with) || finding->cause <= CAUSE_LATE;
}

static bool has_slow_finding(const struct job *job)
{
    for (uint32_t i = 0; i < job->findings.count; i++)
        if (job_finding_slows(&job->findings.list[i]))
            return true;
    return false;
}

static void write_answer(const struct job_page *page)
{
    const struct job *job = page->job;
    bool is_hung = false;

    for (uint32_t i = 0; i < shown_findings(page); i++)
        is_hung |= job->findings.list[i].cause < CAUSE_LATE;
    if (job->is_measured ? has_slow_finding(job) : is_hung)
        report_before(page->report, job_finding_sentence(job, job->findings.list, page->arena));
    else
        report_before(page->report, job->is_measured ? "No rank, stage, link or host slows this job by one hundredth."
                                                     : "No rank missed a collective that others entered.");
}

/* The same culprit in each step, or another each time. */
static void write_slowest(const struct job_page *page)
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
        report_beforef(page->report, page->arena,
                       "The slowest rank is another from step to step: %" PRIu32
                       " ranks in %" PRIu32 " steps.",
                       ranks, model->step_count);
    else
        report_beforef(page->report, page->arena,
                       "Rank %" PRIu32 " is the slowest in %" PRIu32 " of %" PRIu32 " steps.",
                       model->workers[most->of].rank, most->slowest, model->step_count);
}

/* What is typical has the worst rank in it, so that fixing that one may recover more. */
static const char *recovered(double share, struct arena *arena)
{
    return share > 0.9995 ? "all" : share < 0.0005 ? "none" : arena_printf(arena, "%.1f %%", share * 100);
}

static void write_whole(const struct job_page *page)
{
    const struct job_figures *figures = &page->job->figures;
    const struct job_model *model = &page->job->model;
    char recorded[FORMAT_LEN], replayed[FORMAT_LEN], ideal[FORMAT_LEN];

    format_value(recorded, (int64_t)figures->recorded, UNIT_NS);
    format_value(replayed, (int64_t)figures->replayed, UNIT_NS);
    format_value(ideal, (int64_t)figures->ideal, UNIT_NS);
    report_beforef(page->report, page->arena,
                   "%" PRIu32 " of %" PRIu32 " ranks, %" PRIu32
                   " step%s of %s; %s without delays of "
                   "hosts, %s if every operation took what is typical of it.",
                   model->shard->summary_count, page->job->world, model->step_count,
                   model->step_count == 1 ? "" : "s", recorded, replayed, ideal);
    report_beforef(page->report, page->arena,
                   "Slowdown %.4f (jitter alone %.4f, with ranks of a stage %.4f), by hosts %.4f.",
                   figures->slowdown, figures->jitter, figures->over_dp, figures->launch_slowdown);
    if (isnan(figures->m_w)) {
        report_before(page->report, "There is no slowdown to explain by ranks and stages.");
        return;
    }
    report_beforef(page->report, page->arena,
                   "Fixing the worst rank%s would recover %s of the lost time, fixing the last stage %s.",
                   figures->worst_count == 1 ? "" : arena_printf(page->arena, "s (%" PRIu32 ")", figures->worst_count),
                   recovered(figures->m_w, page->arena), recovered(figures->m_s, page->arena));
    write_slowest(page);
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
    report_beforef(page->report, page->arena, "With %s steps take %s instead of %s%s.", what, after,
                   before, bounds);
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

    report_number(report, "ranks", model->shard->summary_count);
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
    report_number(report, "joins", (int64_t)model->participations);
    report_number(report, "joins_lacking", (int64_t)model->lacking);
    report_real(report, "unmatched", figures->unmatched);
}

/* Where no step is whole: who hangs, and where. */
static void report_hang(const struct job_page *page, enum job_table first)
{
    const struct job *job = page->job;

    report_number(page->report, "ranks", job->model.shard->summary_count);
    report_number(page->report, "world_size", job->world);
    write_answer(page);
    report_beforef(page->report, page->arena, "%" PRIu32 " of %" PRIu32 " ranks, without a whole step: slowness is not measured.",
                   job->model.shard->summary_count, job->world);
    report_table(page->report, job_finding_blocks_table(page, shown_findings(page)));
    if (first == JOB_BY_GROUP)
        report_table(page->report, job_groups_table(page, page->limit, COLUMN_ALL));
    report_table(page->report, job_traffic_table(page));
    report_table(page->report, job_findings_table(page));
    report_table(page->report, job_missing_table(page));
}

void job_answer(const struct job *job, struct arena *arena, struct report *report)
{
    write_answer(&(struct job_page){job, arena, report, 0});
}

void job_headlines(const struct job *job, struct arena *arena, struct report *report)
{
    const struct job_page page = {job, arena, report, 0};

    if (job->is_measured)
        write_answer(&page);
    for (uint32_t i = job->is_measured ? has_slow_finding(job) : 0; i < shown_findings(&page); i++)
        report_before(report, job_finding_sentence(job, &job->findings.list[i], arena));
    if (job->is_measured)
        write_whole(&page);
}

void job_report(const struct job *job, enum job_table first, uint32_t limit, struct arena *arena,
                struct report *report)
{
    const struct job_page page = {job, arena, report, limit};
    const struct job_figures *figures = &job->figures;
    uint32_t shown = limit_rows(figures->worker_count, limit);

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
        [JOB_BY_CATEGORY] =
            job_categories_table(&page, first == JOB_BY_CATEGORY ? COLUMN_ALL : COLUMN_MACHINES),
    };

    add_fields(&page);
    report_what_if(&page);
    write_answer(&page);
    write_whole(&page);
    report_table(report, job_finding_blocks_table(&page, shown_findings(&page)));
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
