/* SPDX-License-Identifier: Apache-2.0 */
#include "render/reports/reports.h"

#include <stdlib.h>

#include "analysis/compare/diff.h"
#include "analysis/job/job.h"
#include "base/checked.h"
#include "graph/model/job_part.h"
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

static int64_t sum_of(const struct part_leaf *leaf, enum row_figure figure)
{
    int64_t sum = 0;

    for (uint32_t s = 0; s < leaf->step_count; s++)
        sum = checked_add(sum, leaf->figure[figure][s]);
    return sum;
}

void rank_overlap_rows(const struct job_part *part, struct arena *arena, struct report *report)
{
    static const enum row_figure rest[] = {ROW_EXPOSED, ROW_IDLE,      ROW_KERNELS, ROW_JOINS,
                                           ROW_LAST,    ROW_MADE_WAIT, ROW_WAITED};
    struct table *table = table_new(arena, rank_columns, COUNT_OF(rank_columns), part->leaf_count,
                                    "ranks", "Device work of each rank in its steps");

    for (uint32_t l = 0; l < part->leaf_count; l++) {
        const struct part_leaf *leaf = &part->leaves[l];
        struct row_writer row = table_row(table, l);
        int64_t joint = sum_of(leaf, ROW_COMMUNICATION);

        row_number(&row, leaf->rank);
        row_number(&row, leaf->step_count);
        row_number(&row, sum_of(leaf, ROW_LENGTH));
        row_number(&row, sum_of(leaf, ROW_COMPUTE));
        row_number(&row, joint);
        row_number(&row, checked_sub(joint, sum_of(leaf, ROW_EXPOSED)));
        for (size_t i = 0; i < COUNT_OF(rest); i++)
            row_number(&row, sum_of(leaf, rest[i]));
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

/* A step of one rank. */
struct leaf_step {
    int64_t number;
    uint32_t leaf, at;
};

static int by_number(const void *a, const void *b)
{
    const struct leaf_step *first = a, *second = b;

    if (first->number != second->number)
        return first->number < second->number ? -1 : 1;
    return (first->leaf > second->leaf) - (first->leaf < second->leaf);
}

static void write_step(const struct job_part *part, const struct leaf_step *list, uint32_t count,
                       struct row_writer *row)
{
    static const enum row_figure means[] = {ROW_COMPUTE, ROW_COMMUNICATION, ROW_EXPOSED, ROW_IDLE,
                                            ROW_WAITED};
    int64_t sum[ROW_COUNT] = {0}, least = INT64_MAX, most = INT64_MIN;
    uint32_t slowest = 0;

    for (uint32_t i = 0; i < count; i++) {
        const struct part_leaf *leaf = &part->leaves[list[i].leaf];
        int64_t length = leaf->figure[ROW_LENGTH][list[i].at];

        for (int f = 0; f < ROW_COUNT; f++)
            sum[f] = checked_add(sum[f], leaf->figure[f][list[i].at]);
        least = length < least ? length : least;
        slowest = length > most ? leaf->rank : slowest;
        most = length > most ? length : most;
    }
    row_number(row, list->number);
    row_number(row, count);
    row_number(row, least);
    row_number(row, sum[ROW_LENGTH] / count);
    row_number(row, most);
    row_number(row, slowest);
    for (size_t i = 0; i < COUNT_OF(means); i++)
        row_number(row, sum[means[i]] / count);
}

void rank_step_rows(const struct job_part *part, struct arena *arena, struct report *report)
{
    uint32_t count = 0, steps = 0;
    struct leaf_step *list;
    struct table *table;

    for (uint32_t l = 0; l < part->leaf_count; l++)
        count += part->leaves[l].step_count;
    list = arena_array(arena, (size_t)count + 1, sizeof(*list));
    count = 0;
    for (uint32_t l = 0; l < part->leaf_count; l++)
        for (uint32_t s = 0; s < part->leaves[l].step_count; s++)
            list[count++] = (struct leaf_step){part->leaves[l].step[s], l, s};
    qsort(list, count, sizeof(*list), by_number);
    for (uint32_t i = 0; i < count; i++)
        steps += !i || list[i].number != list[i - 1].number;
    table = table_new(arena, step_columns, COUNT_OF(step_columns), steps, "steps",
                      "Steps, over the ranks that have them: their device work");
    steps = 0;
    for (uint32_t i = 0, end; i < count; i = end) {
        struct row_writer row = table_row(table, steps++);

        for (end = i + 1; end < count && list[end].number == list[i].number;)
            end++;
        write_step(part, &list[i], end - i, &row);
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
