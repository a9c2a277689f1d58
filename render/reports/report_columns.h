/* SPDX-License-Identifier: Apache-2.0 */
/* report_columns.h — columns and lines that several reports have */
#ifndef PTK_RENDER_REPORTS_REPORT_COLUMNS_H
#define PTK_RENDER_REPORTS_REPORT_COLUMNS_H

#include "analysis/advice/bottleneck.h"
#include "analysis/execution/overlap.h"
#include "analysis/ranks/job.h"
#include "base/text/string_table.h"
#include "base/text/unit.h"
#include "graph/model/graph.h"
#include "render/forms/report.h"
#include "render/forms/table.h"

/* ---- the columns that every table of functions has, filled in one place ---- */

/* clang-format off */
#define FRAME_COLUMNS(kind_use)                                                                    \
    {.key = "name", .kind = CELL_TEXT, .use = COLUMN_MACHINES},                                    \
    {.key = "file", .kind = CELL_TEXT, .use = COLUMN_MACHINES},                                    \
    {.key = "line", .kind = CELL_COUNT, .use = COLUMN_MACHINES},                                   \
    {.key = "module", .kind = CELL_TEXT, .use = COLUMN_MACHINES},                                  \
    {.key = "kind", .kind = CELL_TEXT, .use = kind_use}
/* clang-format on */

/* Columns that begin with those, without the kind for people where rows are of groups: one may hold
 * several. */
const struct column *columns_of_frames(const struct graph *graph, const struct column *columns,
                                       uint32_t count, struct arena *arena);

/* FRAME_COLUMNS: null where not known; a line of 0 stays 0. */
void row_frame(struct row_writer *writer, const struct graph *graph, frame_id id);

/* A figure that may be UNKNOWN. */
void row_figure(struct row_writer *writer, int64_t figure);

/* "12/3": all calls, and the primitive ones where they differ; nothing when not known. */
void row_call_counts(struct row_writer *writer, int64_t calls, int64_t primitive_calls,
                     struct arena *arena);

/* figure / calls, rounded; nothing when there were no calls. */
void row_per_call(struct row_writer *writer, int64_t figure, int64_t calls);

/* How people call the function, and whether its code stands within its callers': " (inline)", or
 * " (partial-inline)" where it does so in places. */
void row_label(struct row_writer *writer, const struct graph *graph, frame_id id,
               struct arena *arena);

/* Most of the functions are Python's: their users know its column names. */
bool is_python_profile(const struct graph *graph);

/* ---- the columns of a table of checks, filled in one place ---- */

void row_check(struct row_writer *row, const struct check *check,
               const struct thresholds *thresholds, struct arena *arena);

/* Those of the columns that do not say what follows from it: all after "bound". */
void row_evidence(struct row_writer *row, const struct check *check,
                  const struct thresholds *thresholds, struct arena *arena);

/* "28.27 ms / 34.35 ms = 82.30%" */
const char *check_figures(const struct check *check, struct arena *arena);

/* "idle >= 15%" */
const char *check_threshold(const struct check *check, const struct thresholds *thresholds,
                            struct arena *arena);

/* ---- what a device did, as columns of any table that tells it ---- */

/* The contract of cli.md, and what people read of it. */
/* clang-format off */
#define OVERLAP_COLUMNS                                                                            \
    {.key = "start", .kind = CELL_VALUE, .use = COLUMN_MACHINES, .unit = UNIT_NS},                 \
    TIME_COLUMN("span", NULL), TIME_COLUMN("busy", NULL),                                          \
    {.key = "%", .kind = CELL_SHARE, .use = COLUMN_PEOPLE},                                        \
    TIME_COLUMN("idle", NULL),                                                                     \
    {.key = "%", .kind = CELL_SHARE, .use = COLUMN_PEOPLE, .is_heat = true},                       \
    TIME_COLUMN("compute", NULL), TIME_COLUMN("communication", NULL),                              \
    TIME_COLUMN("exposed_communication", "exposed"),                                               \
    TIME_COLUMN("overlap_compute_communication", "hidden"),                                        \
    TIME_COLUMN("memory", "copies"), TIME_COLUMN("exposed_memory", "exposed"),                     \
    COUNT_COLUMN("events", NULL)
/* clang-format on */

/* Fills them. */
void row_overlap(struct row_writer *row, const struct overlap_figures *all);

/* ---- bytes a second, and GB/s for people ---- */

/* clang-format off */
#define BANDWIDTH_COLUMNS(name, title)                                                             \
    {.key = name, .kind = CELL_RATIO, .use = COLUMN_MACHINES},                                     \
    {.key = title, .kind = CELL_RATIO, .use = COLUMN_PEOPLE}
/* clang-format on */

static inline void row_bandwidth(struct row_writer *row, double bytes_per_second)
{
    row_real(row, bytes_per_second);
    row_real(row, bytes_per_second / 1e9);
}

/* ---- the tables of what ptk job says: shares and ranks, collectives and clocks, findings ---- */

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
    row_text(row, id ? job_text(page, id) : NO_TEXT);
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
struct table *job_categories_table(const struct job_page *page, enum column_use use);
struct table *job_clocks_table(const struct job_page *page);
struct table *job_findings_table(const struct job_page *page);
struct table *job_missing_table(const struct job_page *page);

/* A finding as a sentence: "rank 5 is 97 % slower in backward-compute ...". */
const char *job_finding_text(const struct job *job, const struct job_finding *finding,
                             struct arena *arena);

/* ---- what the figures of a job rest on, and what was left out of them, in lines ---- */

/* "s 3, 5, 7 and 9 more" of more than one rank, " 3" of one; `all`: how many there are, `list` has
 * `count` of them. */
const char *job_ranks_text(const uint32_t *list, uint32_t count, uint64_t all, struct arena *arena);

/* ---- source code ---- */

/* For people tabs go to the next multiple of four, since what is before a line is no line's
 * width. */
struct span code_without_tabs(struct span source, struct arena *arena);

#endif
