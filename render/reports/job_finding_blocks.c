/* SPDX-License-Identifier: Apache-2.0 */
/* job_finding_blocks.c — what was found of a job as blocks for people, each with a remedy, and as tables */
#include <inttypes.h>
#include <math.h>

#include "analysis/ranks/job_shard.h"
#include "base/text/format.h"
#include "render/forms/block.h"
#include "render/reports/report_columns.h"

static const char *text_of(const struct job *job, str_id id)
{
    return id ? shard_text(job->model.shard, id).at : "";
}

/* What can be done about each cause. */
static const char *const remedies[JOB_CAUSE_COUNT] = {
    [CAUSE_MISSED] = ("look at what the rank did instead: its log, its stack (py-spy dump), a branch that only some "
                     "ranks take"),
    [CAUSE_MISMATCH] = "make all ranks call the same collective with the same size and type",
    [CAUSE_STUCK] = "look at the kernels and copies before it on that device",
    [CAUSE_ORDER] = "call the collectives of both groups in one order on all ranks",
    [CAUSE_UNDECIDED] = "record that rank, too",
    [CAUSE_LONG] = "compare its link with the others' (--by group), and what the others do before",
    [CAUSE_LATE] = "compare what this rank does before its collectives with another rank",
    [CAUSE_FOREIGN] = "leave these ranks out, or name the files of one run",
    [CAUSE_LOADER] = "more loader workers, prefetching, equal shards; compare its host with another",
    [CAUSE_HOST] = "larger batches, CUDA graphs, fewer calls of Python in the step",
    [CAUSE_LINK] = "check the cable, the port and the topology of that link, or move the rank",
    [CAUSE_LINKS] = "check that the communication library takes that link, its protocol and the size of messages",
    [CAUSE_RANK] = "compare its clocks, temperature and other processes with another rank; then its input's length",
    [CAUSE_DP] = "balance the input of data-parallel ranks: sequence lengths, shards",
    [CAUSE_STAGE] = "move layers from this stage to another",
    [CAUSE_MISSING_RANK] = "record these ranks, too",
};

/* "rank001.pt.trace.json on node0000": the first rank's. */
static const char *place_text(const struct job *job, const struct job_finding *finding, struct arena *arena)
{
    const struct job_shard *shard = job->model.shard;
    const struct rank_summary *summary = finding->rank_count ? rank_summary_of(shard, finding->ranks[0]) : NULL;

    if (!summary || !summary->file)
        return "";
    return arena_printf(arena, "%s%s%s", shard_text(shard, summary->file).at, summary->host ? " on " : "",
                        text_of(job, summary->host));
}

/* "15.8 ms of 118.1 ms a step" */
static const char *saving(const struct job_finding *finding, struct arena *arena)
{
    char part[FORMAT_LEN], whole[FORMAT_LEN];

    if (!isfinite(finding->with) || finding->is_hidden)
        return NULL;
    return arena_printf(arena, "saves %s%s of %s a step",
                        finding->without_least < finding->without_most ? "about " : "",
                        format_value(part, (int64_t)(finding->with - finding->without), UNIT_NS),
                        format_value(whole, (int64_t)finding->with, UNIT_NS));
}

static const char *between(const struct job_finding *finding, struct arena *arena)
{
    char least[FORMAT_LEN], most[FORMAT_LEN];

    if (!isfinite(finding->with))
        return "";
    if (finding->is_hidden)
        return "only together with the next finding, which is as slow";
    if (!(finding->without_least < finding->without_most))
        return "";
    format_value(least, (int64_t)finding->without_least, UNIT_NS);
    format_value(most, (int64_t)finding->without_most, UNIT_NS);
    return arena_printf(arena, "steps then take between %s and %s, because a rank has no trace", least, most);
}

/* In how many steps the rank's own work was the slowest. */
static const char *repeats(const struct job *job, const struct job_finding *finding, struct arena *arena)
{
    const struct job_figures *figures = &job->figures;
    uint32_t rank = finding->rank_count ? finding->ranks[0] : 0;

    if (finding->cause != CAUSE_RANK || finding->all_ranks > 1)
        return "";
    for (uint32_t i = 0; i < figures->worker_count; i++)
        if (job->model.workers[figures->workers[i].of].rank == rank)
            return arena_printf(arena, "it is the slowest rank in %" PRIu32 " of %" PRIu32 " steps",
                                figures->workers[i].slowest, job->model.step_count);
    return "";
}

struct text_block job_finding_block(const struct job *job, const struct job_finding *finding, struct arena *arena)
{
    return (struct text_block){
        .title = job_finding_symptom(job, finding, arena),
        .right = saving(finding, arena),
        .rule = arena_printf(arena, "[%s]", job_cause_name(finding->cause)),
        .lines = {{"where", place_text(job, finding, arena)},
                  {"fix", remedies[finding->cause]},
                  {"gain", between(finding, arena)},
                  {"why", repeats(job, finding, arena)}},
    };
}

/* ---- tables ---- */

struct table *job_finding_blocks_table(const struct job_page *page, uint32_t count)
{
    typedef struct {
        uint32_t rank;
        struct text_block of;
        const char *where, *remedy, *why;
    } row;
    static const struct column columns[] = {
        COUNT_AT("rank", rank, .heading = "#"),
        TEXT_AT("finding", of.title),
        TEXT_AT("saves", of.right, .heading = ""),
        TEXT_AT("where", where),
        TEXT_AT("remedy", remedy, .heading = "how to fix it"),
        TEXT_AT("why", why),
    };
    struct table *table =
        TABLE_BEGIN(&(struct table_context){.arena = page->arena}, columns, count, NULL, NULL);
    struct text_block *blocks = arena_array(page->arena, count + 1, sizeof(*blocks));

    for (uint32_t i = 0; i < count; i++) {
        blocks[i] = job_finding_block(page->job, &page->job->findings.list[i], page->arena);
        TABLE_ADD(table, i + 1, blocks[i], blocks[i].lines[0].text, blocks[i].lines[1].text, blocks[i].lines[3].text);
    }
    table->use = COLUMN_PEOPLE;
    table->blocks = blocks;
    return table;
}

struct table *job_findings_table(const struct job_page *page)
{
    typedef struct {
        struct job_finding of;
        struct job_links links;
        const char *kind, *ranks, *text;
        int64_t rank;
        struct span type, host, group, operation, before;
    } row;
    static const struct column columns[] = {
        TEXT_AT("kind", kind),
        COUNT_AT("rank", rank),
        TEXT_AT("ranks", ranks),
        INDEX_AT("stage", of.stage),
        INDEX_AT("dp_rank", of.dp),
        TEXT_AT("type", type),
        RATIO_AT("excess", of.excess),
        RATIO_AT("step_time", of.with),
        RATIO_AT("step_time_without", of.without),
        RATIO_AT("step_time_without_least", of.without_least),
        RATIO_AT("step_time_without_most", of.without_most),
        RATIO_AT("bus_bytes_per_second", links.bus),
        RATIO_AT("peak_bytes_per_second", links.peak),
        TIME_AT("delay", of.delay),
        TEXT_AT("host", host),
        TEXT_AT("group", group),
        TEXT_AT("operation", operation),
        COUNT_AT("sequence", of.sequence),
        TEXT_AT("before", before),
        TEXT_AT("text", text),
    };
    const struct job_findings *findings = &page->job->findings;
    struct table *table = TABLE_BEGIN(&(struct table_context){.arena = page->arena}, columns,
                                      findings->count, "findings", NULL);

    for (uint32_t i = 0; i < findings->count; i++) {
        const struct job_finding *of = &findings->list[i];
        const char *ranks = "";

        for (uint32_t r = 0; r < of->rank_count; r++)
            ranks = arena_printf(page->arena, "%s%s%" PRIu32, ranks, r ? "," : "", of->ranks[r]);
        TABLE_ADD(table, .of = *of,
                  .links = of->cause == CAUSE_LINKS ? page->job->links[of->links]
                                                    : (struct job_links){NAN, NAN, NULL},
                  .kind = job_cause_name(of->cause),
                  .rank = of->rank_count ? (int64_t)of->ranks[0] : TABLE_NULL, .ranks = ranks,
                  .type = job_text(page, of->label), .host = job_text(page, of->host),
                  .group = job_text(page, of->group), .operation = job_text(page, of->operation),
                  .before = job_text(page, of->before),
                  .text = job_finding_text(page->job, of, page->arena));
    }
    table->use = COLUMN_MACHINES;
    return table;
}

struct table *job_missing_table(const struct job_page *page)
{
    typedef struct {
        uint32_t rank;
    } row;
    static const struct column columns[] = {COUNT_AT("rank", rank)};
    struct table *table = TABLE_BEGIN(&(struct table_context){.arena = page->arena}, columns,
                                      page->job->missing.count, "missing", NULL);

    for (uint32_t i = 0; i < page->job->missing.count; i++)
        TABLE_ADD(table, page->job->missing.ranks[i]);
    table->use = COLUMN_MACHINES;
    table->is_list = true;
    return table;
}
