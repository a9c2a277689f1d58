/* SPDX-License-Identifier: Apache-2.0 */
/* job_tables.h — the tables of what ptk job says: shares and ranks, collectives and clocks, findings */
#ifndef PTK_RENDER_REPORTS_JOB_TABLES_H
#define PTK_RENDER_REPORTS_JOB_TABLES_H

#include "analysis/job/job.h"
#include "render/forms/report.h"

/* A factor for machines; for people what it is more than 1. */
#define SLOWDOWN_COLUMNS(name, title)                                                              \
    {.key = name, .kind = CELL_RATIO, .use = COLUMN_MACHINES},                                     \
    {                                                                                              \
        .key = title, .kind = CELL_SHARE, .use = COLUMN_PEOPLE                                     \
    }

/* What tables are made of and for. */
struct job_page {
    const struct job *job;
    struct arena *arena;
    struct report *report;
    uint32_t limit; /* rows of a table that people see; 0: all */
};

static inline struct span job_text(const struct job_page *page, str_id id)
{
    return part_text(page->job->model.part, id);
}

static inline void row_id(struct row_writer *row, const struct job_page *page, str_id id)
{
    if (id)
        row_text(row, job_text(page, id));
    else
        row_no_text(row);
}

/* All tables are the arena's. */

/* What an operation, a stage, a data-parallel rank alone would slow the job by. */
struct table *job_types_table(const struct job_page *page);
struct table *job_stages_table(const struct job_page *page);
struct table *job_dps_table(const struct job_page *page);

/* The same of `count` ranks, the slowest first. */
struct table *job_workers_table(const struct job_page *page, uint32_t count, enum column_use use);
struct table *job_steps_table(const struct job_page *page);

/* What was asked with --what-if. */
struct table *job_what_if_table(const struct job_page *page);

struct table *job_traffic_table(const struct job_page *page);
struct table *job_groups_table(const struct job_page *page, uint32_t limit, enum column_use use);
struct table *job_clocks_table(const struct job_page *page);
struct table *job_findings_table(const struct job_page *page);
struct table *job_missing_table(const struct job_page *page);

/* A finding as a sentence: "rank 5 is 97 % slower in backward-compute ...". */
const char *job_finding_text(const struct job *job, const struct job_finding *finding,
                             struct arena *arena);

#endif
