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

/* ---- the columns that every table of functions has ---- */

/* clang-format off */

/* Of a frame_id: null where not known; a line of 0 stays 0. */
#define FRAME_AT(member, kind_use)                                                                 \
    TEXT_BY(cell_frame_name, "name", member, FOR_MACHINES),                                        \
    TEXT_BY(cell_frame_file, "file", member, FOR_MACHINES),                                        \
    COUNT_BY(cell_frame_line, "line", member, FOR_MACHINES),                                       \
    TEXT_BY(cell_frame_module, "module", member, FOR_MACHINES),                                    \
    TEXT_BY(cell_frame_kind, "kind", member, .use = kind_use)

/* How people call a function, and whether its code stands within its callers': " (inline)", or
 * " (partial-inline)" where it does so in places. */
#define LABEL_AT(name, member, ...) TEXT_BY_TWO(cell_label, name, member, member, .is_label = true, __VA_ARGS__)

/* The short name alone, for programs: a label that may be typed back. */
#define SHORT_AT(member) TEXT_BY(cell_short_name, "short", member, FOR_MACHINES)

/* A text of the graph, by its str_id. */
#define STRING_AT(name, ...) TEXT_BY(cell_graph_text, name, __VA_ARGS__)

/* "12/3": all calls, and the primitive ones where they differ; nothing when not known. */
#define CALLS_AT(name, calls, ...) TEXT_BY_TWO(cell_call_counts, name, calls, __VA_ARGS__, .is_right = true)
/* clang-format on */

cell_maker cell_frame_name, cell_frame_file, cell_frame_line, cell_frame_module, cell_frame_kind,
    cell_label, cell_short_name, cell_graph_text, cell_graph_text_if_any, cell_call_counts, cell_track_kind;

/* What a table of this graph's figures is made in. */
static inline struct table_context graph_context(const struct graph *graph, struct arena *arena)
{
    return (struct table_context){.arena = arena, .graph = graph, .unit = graph_unit(graph)};
}

/* Rows of groups may hold several kinds: people do not see the one of their first function. */
void hide_kind_of_groups(struct table *table, const struct graph *graph);

/* Most of the functions are Python's: their users know its column names. */
bool is_python_profile(const struct graph *graph);

/* So much of the selected value: "15,526,966 Ir", "64 KiB of inuse_space", "4 threads"; a time has no name. */
const char *amount_text(const struct graph *graph, int64_t amount, struct arena *arena);

/* ---- the columns of a table of checks ---- */

/* A check, and what is said of it. */
struct check_row {
    struct check of;
    const char *bound; /* the verdict that it speaks for; NULL: none */
    const char *unit, *threshold, *figures, *threshold_shown;
    int64_t whole;
    double limit;
};

struct check_row check_row(const struct check *check, const struct thresholds *thresholds,
                           struct arena *arena);

/* Of a struct check_row: all but what follows from it. */
#define EVIDENCE_AT(check)                                                                         \
    TEXT_AT("what", check.of.what, .heading = "evidence"),                                         \
        COUNT_AT("part", check.of.part, FOR_MACHINES), TEXT_AT("unit", check.unit, FOR_MACHINES),  \
        COUNT_AT("whole", check.whole, FOR_MACHINES),                                              \
        RATIO_AT("value", check.of.value, FOR_MACHINES),                                           \
        FLAG_AT("is_below", check.of.is_below, FOR_MACHINES),                                      \
        RATIO_AT("limit", check.limit, FOR_MACHINES),                                              \
        TEXT_AT("threshold", check.threshold, FOR_MACHINES),                                       \
        TEXT_AT("figures", check.figures, FOR_PEOPLE, .heading = ""),                              \
        TEXT_AT("threshold", check.threshold_shown, FOR_PEOPLE)

#define CHECK_AT(check)                                                                            \
    FLAG_AT("holds", check.of.holds), TEXT_AT("bound", check.bound, .heading = "says"),            \
        EVIDENCE_AT(check)

/* "28.27 ms / 34.35 ms = 82.30%" */
const char *check_figures(const struct check *check, struct arena *arena);

/* "idle >= 15%" */
const char *check_threshold(const struct check *check, const struct thresholds *thresholds,
                            struct arena *arena);

/* ---- what a device did: a struct overlap_figures ---- */

/* The contract of cli.md, and what people read of it. */
#define OVERLAP_AT(all)                                                                            \
    TIME_AT("start", all.start, FOR_MACHINES), TIME_AT("span", all.span, .is_spare = true),        \
        TIME_AT("busy", all.busy), SHARE_OF("%", all.busy, all.span, FOR_PEOPLE),                  \
        TIME_AT("idle", all.idle), SHARE_OF("%", all.idle, all.span, FOR_PEOPLE, .is_heat = true), \
        TIME_AT("compute", all.compute, .yields = 3), TIME_AT("communication", all.communication, .yields = 2),              \
        TIME_AT("exposed_communication", all.exposed_communication, .heading = "exposed", .yields = 1),         \
        TIME_AT("overlap_compute_communication", all.hidden_communication, .heading = "hidden",    \
                .is_spare = true),                                                                 \
        TIME_AT("memory", all.memory, .heading = "copies", .is_spare = true),                      \
        TIME_AT("exposed_memory", all.exposed_memory, .heading = "exposed", .is_spare = true),     \
        COUNT_AT("events", all.events, .is_spare = true)

/* ---- a verdict of bound: its reason, and its blocks ---- */

/* "streams wait for one another": what follows "because" of a device, "it is …:" of a process. */
const char *bound_why(enum bottleneck verdict);

/* The reason of one of the device's losses. */
const char *bound_why_device(const struct device_bottleneck *device, enum bottleneck loss);

enum { DEVICES_NAMED = 8 };

/* For people: the verdict, and each further loss that exceeds its threshold, as blocks; the other checks in a line. */
void bound_verdicts_of_devices(const struct bottlenecks *found, const struct thresholds *thresholds,
                               struct arena *arena, struct report *report);
void bound_verdict_of_process(const struct process_bottleneck *process, const struct thresholds *thresholds,
                              struct arena *arena, struct report *report);

/* ---- the tables of what ptk job says: shares and ranks, collectives and clocks, findings ---- */

/* What tables are made of and for. */
struct job_page {
    const struct job *job;
    struct arena *arena;
    struct report *report;
    uint32_t limit; /* rows of a table that people see; 0: all */
};

/* None of id 0. */
static inline struct span job_text(const struct job_page *page, str_id id)
{
    return id ? shard_text(page->job->model.shard, id) : NO_TEXT;
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

/* One for people; its lines are where, fix, gain and why, empty where there is none. */
struct text_block job_finding_block(const struct job *job, const struct job_finding *finding, struct arena *arena);

/* The first of them for people, as blocks. */
struct table *job_finding_blocks_table(const struct job_page *page, uint32_t count);

/* Whether it slows or stops the job; clocks and missing ranks do not. */
bool job_finding_slows(const struct job_finding *finding);

/* "rank 5 is 97 % slower in backward-compute" */
const char *job_finding_symptom(const struct job *job, const struct job_finding *finding, struct arena *arena);

/* The same, and what steps would take without it: as sentences, as a clause. */
const char *job_finding_sentence(const struct job *job, const struct job_finding *finding, struct arena *arena);
const char *job_finding_text(const struct job *job, const struct job_finding *finding,
                             struct arena *arena);

/* "links between hosts reach 1.1 of 25 GB/s (4 %), the peak given" */
const char *job_links_text(const struct job_links *links, enum link_class which,
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
