/* SPDX-License-Identifier: Apache-2.0 */
/* Ranks and steps of a shard as rows, and two jobs rank by rank. */
#include "render/reports/reports.h"

#include "analysis/compare/diff.h"
#include "analysis/ranks/job.h"
#include "analysis/ranks/job_shard.h"
#include "base/checked.h"
#include "render/reports/report_columns.h"

void rank_overlap_rows(const struct job_shard *shard, struct arena *arena, struct report *report)
{
    typedef struct {
        struct rank_sum of;
        int64_t hidden;
    } row;
    static const struct column columns[] = {
        COUNT_AT("rank", of.rank),
        COUNT_AT("steps", of.steps),
        TIME_AT("span", of.sum[ROW_LENGTH], .heading = "steps took"),
        TIME_AT("compute", of.sum[ROW_COMPUTE]),
        TIME_AT("communication", of.sum[ROW_COMMUNICATION]),
        TIME_AT("hidden_communication", hidden, .heading = "hidden"),
        TIME_AT("exposed_communication", of.sum[ROW_EXPOSED], .heading = "exposed"),
        TIME_AT("idle", of.sum[ROW_IDLE]),
        COUNT_AT("events", of.sum[ROW_KERNELS], .heading = "kernels"),
        COUNT_AT("collectives", of.sum[ROW_MEETINGS]),
        COUNT_AT("last", of.sum[ROW_LAST], .heading = "came last"),
        TIME_AT("made_wait", of.sum[ROW_MADE_WAIT], .heading = "others waited"),
        TIME_AT("waited", of.sum[ROW_WAITED], .heading = "waited itself"),
    };
    const struct rank_sum *sums = rank_sums(shard, arena);
    struct table *table =
        TABLE_BEGIN(&(struct table_context){.arena = arena}, columns, shard->summary_count, "ranks",
                    "Device work of each rank in its steps");

    for (uint32_t l = 0; l < shard->summary_count; l++)
        TABLE_ADD(table, sums[l],
                  checked_sub(sums[l].sum[ROW_COMMUNICATION], sums[l].sum[ROW_EXPOSED]));
    report_number(report, "ranks", shard->summary_count);
    report_table(report, table);
}

void rank_step_rows(const struct job_shard *shard, struct arena *arena, struct report *report)
{
    typedef struct step_mean row;
    static const struct column columns[] = {
        COUNT_AT("step", number),
        COUNT_AT("ranks", ranks),
        TIME_AT("min", shortest, .heading = "shortest"),
        TIME_AT("mean", mean[ROW_LENGTH]),
        TIME_AT("max", longest, .heading = "longest"),
        COUNT_AT("max_rank", slowest, .heading = "on rank"),
        TIME_AT("compute", mean[ROW_COMPUTE], .heading = "compute, mean"),
        TIME_AT("communication", mean[ROW_COMMUNICATION]),
        TIME_AT("exposed_communication", mean[ROW_EXPOSED], .heading = "exposed"),
        TIME_AT("idle", mean[ROW_IDLE]),
        TIME_AT("waited", mean[ROW_WAITED]),
    };
    struct step_means means;

    step_means_find(shard, arena, &means);
    report_number(report, "ranks", shard->summary_count);
    report_table(report,
                 TABLE_OF(&(struct table_context){.arena = arena}, columns, means.list, means.count,
                          "steps", "Steps, over the ranks that have them: their device work"));
}

/* ---- two jobs, rank by rank ---- */

/* Says which ranks of one job the other lacks. */
static void write_alone(const struct job_shard *shard, const struct job_shard *other,
                        const char *when, struct arena *arena, struct report *report)
{
    uint32_t *ranks = arena_array(arena, (size_t)shard->summary_count + 1, sizeof(*ranks)),
             count = 0;

    for (uint32_t l = 0; l < shard->summary_count; l++)
        if (!rank_summary_of(other, shard->summaries[l].rank))
            ranks[count++] = shard->summaries[l].rank;
    if (count)
        report_afterf(report, arena, "%s: rank%s", when,
                      job_ranks_text(ranks, count, count, arena));
}

void rank_difference_rows(const struct job_shard *before, const struct job_shard *after,
                          struct arena *arena, struct report *report)
{
    typedef struct {
        struct rank_change of;
        const char *delta, *percent;
        double growth;
    } row;
    static const struct column columns[] = {
        COUNT_AT("rank", of.rank),
        TIME_AT("old", of.old[ROW_LENGTH], .heading = "a step before"),
        TIME_AT("new", of.new[ROW_LENGTH], .heading = "after"),
        TEXT_AT("delta", delta, FOR_PEOPLE, .is_right = true),
        RATIO_AT("growth", growth, FOR_MACHINES),
        TEXT_AT("delta%", percent, FOR_PEOPLE, .is_right = true),
        TIME_AT("old_compute", of.old[ROW_COMPUTE], .heading = "compute before"),
        TIME_AT("new_compute", of.new[ROW_COMPUTE], .heading = "after"),
        TIME_AT("old_waited", of.old[ROW_WAITED], .heading = "waited before"),
        TIME_AT("new_waited", of.new[ROW_WAITED], .heading = "after"),
    };
    struct rank_changes changes;
    struct table *table;

    rank_changes_find(before, after, arena, &changes);
    table = TABLE_BEGIN(&(struct table_context){.arena = arena}, columns, changes.count, "ranks",
                        "Ranks of both: the device work of a step, in the mean");
    for (uint32_t i = 0; i < changes.count; i++) {
        const struct rank_change *change = &changes.list[i];
        int64_t old = change->old[ROW_LENGTH], new = change->new[ROW_LENGTH];

        TABLE_ADD(table, *change, diff_value_text((double)new - (double)old, UNIT_NS, arena),
                  diff_growth_text(old, new, arena), diff_growth(old, new));
    }
    report_table(report, table);
    write_alone(before, after, "only before", arena, report);
    write_alone(after, before, "only after", arena, report);
}
