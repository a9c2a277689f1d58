/* SPDX-License-Identifier: Apache-2.0 */
/* Ranks and steps of a part as rows, and two jobs rank by rank. */
#include "render/reports/reports.h"

#include "analysis/compare/diff.h"
#include "analysis/ranks/job.h"
#include "base/checked.h"
#include "analysis/ranks/job_part.h"
#include "render/reports/report_columns.h"

/* ---- by rank ---- */

static const struct column rank_columns[] = {
    COUNT_COLUMN("rank", NULL),
    COUNT_COLUMN("steps", NULL),
    TIME_COLUMN("span", "steps took"),
    TIME_COLUMN("compute", NULL),
    TIME_COLUMN("communication", NULL),
    TIME_COLUMN("hidden_communication", "hidden"),
    TIME_COLUMN("exposed_communication", "exposed"),
    TIME_COLUMN("idle", NULL),
    COUNT_COLUMN("events", "kernels"),
    COUNT_COLUMN("collectives", NULL),
    COUNT_COLUMN("last", "came last"),
    TIME_COLUMN("made_wait", "others waited"),
    TIME_COLUMN("waited", "waited itself"),
};

void rank_overlap_rows(const struct job_part *part, struct arena *arena, struct report *report)
{
    static const enum row_figure rest[] = {ROW_EXPOSED, ROW_IDLE,      ROW_KERNELS, ROW_JOINS,
                                           ROW_LAST,    ROW_MADE_WAIT, ROW_WAITED};
    const struct rank_sum *sums = rank_sums(part, arena);
    struct table *table = table_new(arena, rank_columns, COUNT_OF(rank_columns), part->leaf_count,
                                    "ranks", "Device work of each rank in its steps");

    for (uint32_t l = 0; l < part->leaf_count; l++) {
        const int64_t *sum = sums[l].sum;
        struct row_writer row = table_row(table, l);

        row_number(&row, sums[l].rank);
        row_number(&row, sums[l].steps);
        row_number(&row, sum[ROW_LENGTH]);
        row_number(&row, sum[ROW_COMPUTE]);
        row_number(&row, sum[ROW_COMMUNICATION]);
        row_number(&row, checked_sub(sum[ROW_COMMUNICATION], sum[ROW_EXPOSED]));
        for (size_t i = 0; i < COUNT_OF(rest); i++)
            row_number(&row, sum[rest[i]]);
    }
    report_number(report, "ranks", part->leaf_count);
    report_table(report, table);
}

/* ---- by step ---- */

static const struct column step_columns[] = {
    COUNT_COLUMN("step", NULL),
    COUNT_COLUMN("ranks", NULL),
    TIME_COLUMN("min", "shortest"),
    TIME_COLUMN("mean", NULL),
    TIME_COLUMN("max", "longest"),
    COUNT_COLUMN("max_rank", "on rank"),
    TIME_COLUMN("compute", "compute, mean"),
    TIME_COLUMN("communication", NULL),
    TIME_COLUMN("exposed_communication", "exposed"),
    TIME_COLUMN("idle", NULL),
    TIME_COLUMN("waited", NULL),
};

void rank_step_rows(const struct job_part *part, struct arena *arena, struct report *report)
{
    static const enum row_figure shown[] = {ROW_COMPUTE, ROW_COMMUNICATION, ROW_EXPOSED, ROW_IDLE,
                                            ROW_WAITED};
    struct step_means means;
    struct table *table;

    step_means_find(part, arena, &means);
    table = table_new(arena, step_columns, COUNT_OF(step_columns), means.count, "steps",
                      "Steps, over the ranks that have them: their device work");
    for (uint32_t s = 0; s < means.count; s++) {
        const struct step_mean *step = &means.list[s];
        struct row_writer row = table_row(table, s);

        row_number(&row, step->number);
        row_number(&row, step->ranks);
        row_number(&row, step->shortest);
        row_number(&row, step->mean[ROW_LENGTH]);
        row_number(&row, step->longest);
        row_number(&row, step->slowest);
        for (size_t i = 0; i < COUNT_OF(shown); i++)
            row_number(&row, step->mean[shown[i]]);
    }
    report_number(report, "ranks", part->leaf_count);
    report_table(report, table);
}

/* ---- two jobs, rank by rank ---- */

static const struct column change_columns[] = {
    COUNT_COLUMN("rank", NULL),
    TIME_COLUMN("old", "a step before"),
    TIME_COLUMN("new", "after"),
    {.key = "delta", .kind = CELL_TEXT, .use = COLUMN_PEOPLE, .is_right = true},
    {.key = "growth", .kind = CELL_RATIO, .use = COLUMN_MACHINES},
    {.key = "delta%", .kind = CELL_TEXT, .use = COLUMN_PEOPLE, .is_right = true},
    TIME_COLUMN("old_compute", "compute before"),
    TIME_COLUMN("new_compute", "after"),
    TIME_COLUMN("old_waited", "waited before"),
    TIME_COLUMN("new_waited", "after"),
};

/* Says which ranks of one job the other lacks. */
static void say_alone(const struct job_part *part, const struct job_part *other, const char *when,
                      struct arena *arena, struct report *report)
{
    uint32_t *ranks = arena_array(arena, (size_t)part->leaf_count + 1, sizeof(*ranks)), count = 0;

    for (uint32_t l = 0; l < part->leaf_count; l++)
        if (!part_leaf_of(other, part->leaves[l].rank))
            ranks[count++] = part->leaves[l].rank;
    if (count)
        report_afterf(report, arena, "%s: rank%s", when,
                      job_ranks_text(ranks, count, count, arena));
}

void rank_difference_rows(const struct job_part *before, const struct job_part *after,
                          struct arena *arena, struct report *report)
{
    struct rank_changes changes;
    struct table *table;

    rank_changes_find(before, after, arena, &changes);
    table = table_new(arena, change_columns, COUNT_OF(change_columns), changes.count, "ranks",
                      "Ranks of both: the device work of a step, in the mean");
    for (uint32_t i = 0; i < changes.count; i++) {
        const struct rank_change *change = &changes.list[i];
        int64_t old = change->old[ROW_LENGTH], new = change->new[ROW_LENGTH];
        struct row_writer row = table_row(table, i);

        row_number(&row, change->rank);
        row_number(&row, old);
        row_number(&row, new);
        row_text(&row, span_of(diff_value_text((double)new - (double)old, UNIT_NS, arena)));
        row_real(&row, diff_growth(old, new));
        row_text(&row, span_of(diff_growth_text(old, new, arena)));
        row_number(&row, change->old[ROW_COMPUTE]);
        row_number(&row, change->new[ROW_COMPUTE]);
        row_number(&row, change->old[ROW_WAITED]);
        row_number(&row, change->new[ROW_WAITED]);
    }
    report_table(report, table);
    say_alone(before, after, "only before", arena, report);
    say_alone(after, before, "only after", arena, report);
}
