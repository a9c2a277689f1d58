/* SPDX-License-Identifier: Apache-2.0 */
#include "render/reports/report_columns.h"

#include <inttypes.h>
#include <math.h>

#include "base/text/format.h"

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

    if (fabs(error) > 0.005 && !(flags & LEAF_ONE_CLOCK))
        report_after(report,
                     arena_printf(arena, "with hosts' delays the replay is off by %.2f %%%s",
                                  error * 100,
                                  fabs(error) > 0.02 ? ": what-ifs are not to be relied on" : ""));
    if (flags & LEAF_NO_WAITS)
        report_after(report, "which stream waits for which is inferred from times: gains are "
                             "lower bounds");
    if (flags & LEAF_NO_STEPS)
        report_after(report, "steps are not marked: all is taken as one");
    if (flags & LEAF_ORDINALS)
        report_after(report,
                     "collectives are not numbered: those of one group are matched by their "
                     "order in each step");
    if (flags & LEAF_OWN_NUMBER)
        report_after(report, "ranks are numbered by their files' names");
    if (figures->unmatched > 0.01)
        report_after(report, arena_printf(arena,
                                          "%.1f %% of the time has its like on one rank alone: it "
                                          "is its own measure",
                                          figures->unmatched * 100));
}

/* ---- what was left out or put right ---- */

static void doubt_ranks(const struct job_model *model, struct arena *arena, struct report *report)
{
    struct rank_list cut = {0}, renumbered = {0}, unaligned = {0};

    for (uint32_t l = 0; l < model->part->leaf_count; l++) {
        const struct part_leaf *leaf = &model->part->leaves[l];

        if (leaf->flags & LEAF_TRUNCATED)
            add_rank(&cut, leaf->rank);
        if (model->number_shift[l])
            add_rank(&renumbered, leaf->rank);
    }
    for (uint32_t w = 0; w < model->worker_count; w++)
        if (!model->workers[w].is_aligned)
            add_rank(&unaligned, model->workers[w].rank);
    if (cut.all)
        report_after(report,
                     arena_printf(arena, "the trace%s of rank%s %s cut: its whole steps count",
                                  cut.all > 1 ? "s" : "", names_of(&cut, arena),
                                  cut.all > 1 ? "are" : "is"));
    if (renumbered.all)
        report_after(report,
                     arena_printf(arena,
                                  "rank%s count%s steps from another number than most: put right "
                                  "by the collectives in them",
                                  names_of(&renumbered, arena), renumbered.all > 1 ? "" : "s"));
    if (model->left_out_count)
        report_after(
            report,
            arena_printf(arena, "rank%s lack%s steps that most have, and %s left out",
                         job_ranks_text(model->left_out,
                                        model->left_out_count < RANKS_NAMED ? model->left_out_count
                                                                            : RANKS_NAMED,
                                        model->left_out_count, arena),
                         model->left_out_count > 1 ? "" : "s",
                         model->left_out_count > 1 ? "are" : "is"));
    if (unaligned.all)
        report_after(report,
                     arena_printf(arena, "no collective ties the clock%s of rank%s to the first's",
                                  unaligned.all > 1 ? "s" : "", names_of(&unaligned, arena)));
}

static void doubt_collectives(const struct job_model *model, struct arena *arena,
                              struct report *report)
{
    uint64_t clipped = 0;

    for (uint32_t g = 0; g < model->part->group_count; g++)
        clipped += model->part->groups[g].clipped;
    if (model->lacking)
        report_after(report,
                     arena_printf(arena,
                                  "%" PRIu64 " of %" PRIu64 " collectives lack a rank: what "
                                  "they took beyond the typical is left out",
                                  model->lacking, model->joins));
    if (model->other_steps)
        report_after(report,
                     arena_printf(arena, "%" PRIu32 " step%s not whole on all ranks, and left out",
                                  model->other_steps, model->other_steps > 1 ? "s are" : " is"));
    if (clipped)
        report_after(report,
                     arena_printf(arena, "%" PRIu64 " transfers came out negative, and count as 0",
                                  clipped));
}

void job_doubts(const struct job *job, struct arena *arena, struct report *report)
{
    uint32_t flags = 0;

    for (uint32_t l = 0; l < job->model.part->leaf_count; l++)
        flags |= job->model.part->leaves[l].flags;
    doubt_replay(job, flags, arena, report);
    doubt_ranks(&job->model, arena, report);
    doubt_collectives(&job->model, arena, report);
}
