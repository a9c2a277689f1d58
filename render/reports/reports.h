/* SPDX-License-Identifier: Apache-2.0 */
/* reports.h — each result as fields, lines and tables */
#ifndef PTK_RENDER_REPORTS_REPORTS_H
#define PTK_RENDER_REPORTS_REPORTS_H

#include "analysis/timeline/instances.h"
#include "analysis/ranks/job.h"
#include "analysis/summary/summary.h"
#include "base/io/source_text.h"
#include "base/text/unit.h"
#include "render/forms/report.h"

/* ---- results of analyses as reports: fields, lines and tables for every output form. ---- */

/* Each adds to a report that has its inputs; a graph that is meant is that of the first. What a report
 * points to lives in `arena`; a `limit` of 0 is all. */

struct advice;
struct finding;
struct amdahl;
struct amdahl_options;
struct amdahl_plan;
struct amdahl_steps;
struct bottlenecks;
struct brief_about;
struct brief_parts;
struct captures_join;
struct ceilings;
struct code_lines;
struct code_text;
struct disassembly;
struct cost_shares;
struct critical_path;
struct diff;
struct difference;
struct gain;
struct graph;
struct hotspots;
struct integrity;
struct inventory;
struct job_shard;
struct kernel_causes;
struct labels;
struct lines;
struct kernel_sequences;
struct overlap;
struct process_bottleneck;
struct rank_steps;
struct ranks;
struct relatives;
struct roofline;
struct serve;
struct roofline_options;
struct stacks;
struct thresholds;
struct tree;
struct tree_options;
struct value_columns;
struct what_if;

/* ---- info: what is in a profile, and how far it can be trusted ---- */

/* What is known of the profile besides its graph. */
struct info {
    const char *packing;               /* "gzip", or empty */
    const struct integrity *integrity; /* NULL: the graph has no call graph of its own */
    const struct inventory *inventory; /* NULL: it has no timeline */
    int64_t total, whole;              /* see graph/derive/derive.h */
};

void info_report(const struct info *info, struct arena *arena, struct report *report);

/* How much device memory an allocator has, and a row for each segment; nothing where the graph has no segments. People
 * see the first `limit` rows; those with the most free memory come first. */
void segments_report(const struct graph *graph, uint32_t limit, struct arena *arena,
                     struct report *report);

/* ---- hotspots: a row a function ---- */

void hotspots_report(const struct hotspots *hotspots, struct arena *arena, struct report *report);

/* The same rows with every value in a column of its own. */
void hotspots_values_report(const struct hotspots *hotspots, const struct value_columns *columns,
                            struct arena *arena, struct report *report);

/* ---- tree: a row a calling context ---- */

/* `is_unicode`: branches may be drawn with box characters. */
void tree_report(const struct tree *tree, const struct tree_options *options, bool is_unicode,
                 struct arena *arena, struct report *report);

/* ---- callers, callees, peek ---- */

void relatives_report(const struct relatives *relatives, struct arena *arena,
                      struct report *report);

/* A function between its callers and its callees: of the same functions, in the same order. */
void peek_report(const struct relatives *callers, const struct relatives *callees,
                 struct arena *arena, struct report *report);

/* ---- traces: stacks one by one, the leaf first ---- */

void traces_report(const struct stacks *stacks, struct arena *arena, struct report *report);

/* ---- lines: with hits, time and source, as line_profiler shows them ---- */

/* `sources`: for each function its file's text, empty when that was not found; NULL when nobody
 * wants it. Lines between those with figures are shown where the text is there. */
/* Every event of some functions, with how their durations vary. */
void events_report(const struct graph *graph, const struct instances *instances,
                   struct arena *arena, struct report *report);

void lines_report(const struct lines *lines, const struct code_text *sources, struct arena *arena,
                  struct report *report);

/* ---- disasm: instructions, as pprof and perf annotate show them ---- */

void disasm_report(const struct disassembly *disassembly, struct arena *arena, struct report *report);

/* For a page: lines of source, which open to their instructions. `sources` as lines_report() has them. */
void weblist_report(const struct disassembly *disassembly, const struct code_lines *lines,
                    const struct code_text *sources, struct arena *arena, struct report *report);

/* ---- labels ---- */

void labels_report(const struct labels *labels, struct arena *arena, struct report *report);

/* ---- diff ---- */

void diff_report(const struct difference *difference, const struct diff *diff, struct arena *arena,
                 struct report *report);

struct structure;
struct structure_difference;

/* Parts of the program, and who sees functions beside them. */
struct diff_parts {
    const struct structure *structure;
    const struct structure_difference *found;
    enum column_use functions;
};

/* The same with parts of the program, where people do not see functions. NULL: without. */
void diff_parts_report(const struct difference *difference, const struct diff *diff,
                       const struct diff_parts *parts, struct arena *arena, struct report *report);

void structure_report(const struct structure *structure, const struct structure_difference *found,
                      struct arena *arena, struct report *report);

/* "aten::linear [16,64,512]", "a + b → c". */
struct structure_row;
struct span structure_part_text(const struct structure *structure, const struct structure_row *of,
                                struct arena *arena);

/* "+1.500 ms" */
const char *diff_value_text(double value, enum unit unit, struct arena *arena);

/* "+5.20%", "-0.31%"; "new" and "gone" for what is on one side only. */
const char *diff_growth_text(int64_t old, int64_t new, struct arena *arena);

/* ---- overlap: devices, steps, gaps, kinds and tracks ---- */

void overlap_report(const struct overlap *overlap, struct arena *arena, struct report *report);

/* The `limit` that could save most; 0: all. */
void kernel_sequences_report(const struct kernel_sequences *sequences, uint32_t limit, struct arena *arena,
                             struct report *report);

/* ---- critical-path: its parts, and what ran on it ---- */

/* The `limit` longest functions. */
void critical_path_report(const struct critical_path *path, uint32_t limit, struct arena *arena,
                          struct report *report);

/* ---- what-if: the changes, the path before and after ---- */

/* `names`: what each change is called, from 1; `count` of them. `limit`: of functions shown, 0:
 * all. */
struct gpu_move;

/* `after`: ns of the run by enum move_end. */
void gpu_move_report(const struct gpu_move *move, const char *target, const int64_t *after,
                     struct arena *arena, struct report *report);

void what_if_report(const struct what_if *what_if, const char *const *names, const double *factors,
                    uint32_t count, uint32_t limit, struct arena *arena, struct report *report);

/* ---- bound ---- */

/* What devices did. */
void bound_report(const struct bottlenecks *found, const struct thresholds *thresholds,
                  struct arena *arena, struct report *report);

/* What a whole process did. `graph`: of the profile that its functions are of. */
void bound_report_process(const struct process_bottleneck *process, const struct graph *graph,
                          const struct thresholds *thresholds, struct arena *arena,
                          struct report *report);

/* Where nothing tells what holds the process up: what is on record instead. */
void bound_report_alone(const struct graph *graph, struct report *report);

/* What a profile's functions do: how concentrated, and what of it is no work of the program, by
 * class. */
void bound_report_costs(const struct cost_shares *costs, const struct graph *graph,
                        struct arena *arena, struct report *report);

/* ---- advise ---- */

struct advice_view {
    uint32_t limit; /* findings; 0: all */
    bool has_silent;
    bool is_for_page; /* remedies name no commands and no options */
};

/* " (11.08% of it)": how much of the trouble the place has that a finding names; empty: all, or not known. */
const char *place_share_text(const struct finding *finding, struct arena *arena);

/* "data loader: 9.500 ms a batch (22.03 ms of 52.41 ms)": a link of the chain. In the arena. */
const char *chain_link_text(const struct advice *advice, uint32_t at, const struct graph *graph,
                            struct arena *arena);

void advice_report(const struct advice *advice, const struct thresholds *thresholds,
                   const struct advice_view *view, struct arena *arena, struct report *report);

/* ---- brief: the answer within a budget ---- */

/* What it is made from; NULL: not known. */
struct brief_content {
    const struct report *verdict; /* whose lines above the tables say what holds the run up, or what changed */
    const struct advice *advice;
    const struct thresholds *thresholds;
    const struct brief_parts *brief;  /* NULL: of two profiles, or of a job */
    const struct brief_about *about; /* the lines are of that alone */
    const struct difference *difference; /* with `diff` */
    const struct diff *diff;
    const char *const *next; /* commands that show more */
    uint32_t next_count;
    uint32_t budget; /* tokens of three bytes; 0: none */
};

void brief_report(const struct brief_content *content, struct arena *arena, struct report *report);

/* ---- amdahl ---- */

void amdahl_report(const struct amdahl *amdahl, const struct amdahl_options *options,
                   struct arena *arena, struct report *report);

/* Adds the plan; `names[i]` is how the user called part i. */
void amdahl_plan_report(const struct amdahl_plan *plan, const char *const *names,
                        struct arena *arena, struct report *report);

/* How the shares of the rows vary from step to step. */
void amdahl_steps_report(const struct amdahl *amdahl, const struct amdahl_steps *steps,
                         struct arena *arena, struct report *report);

/* "1.06-1.10x"; one figure when both read the same. */
const char *amdahl_gain_text(const struct gain *gain, struct arena *arena);

/* ---- serve: steps, stages, what is between them ---- */

/* `has_steps`: with a row a step, which texts leave out. */
void serve_report(const struct serve *serve, bool has_steps, struct arena *arena,
                  struct report *report);

/* What holds each stage up, in a table of its own. */
void serve_limits_report(const struct serve *serve, struct arena *arena, struct report *report);

/* A row a stage of each rank; `numbers` is what each of the report's inputs is called. */
void serve_ranks_report(const struct serve *const *ranks, const int64_t *numbers, uint32_t count,
                        struct arena *arena, struct report *report);

/* ---- roofline ---- */

/* `causes`: of the same graph, for a column of the first of each row; NULL: none. */
void roofline_report(const struct roofline *roofline, const struct roofline_options *options,
                     const struct kernel_causes *causes, struct arena *arena,
                     struct report *report);

/* ---- why kernels are slow: what shapes and launches tell ---- */

/* Adds a table with a row a cause of a group of kernels, the most that could be saved first, at most
 * `limit` of them (0: all), and how to fix each. Nothing where there is none. */
void causes_report(const struct kernel_causes *causes, const struct ceilings *ceilings,
                   uint32_t limit, struct arena *arena, struct report *report);

/* ---- work that graphs launched, and what their captures tell of it ---- */

/* Adds one line above the tables where there were captures, or one below where there should be. */
void captures_report(const struct captures_join *join, struct arena *arena, struct report *report);

/* ---- several ranks: devices, their spread, who was late, collectives ---- */

/* Adds fields and tables to a report whose inputs are the ranks, in the same order. `limit`: of the
 * collectives shown one by one; 0 is all. */
void ranks_report(const struct ranks *ranks, uint32_t limit, struct arena *arena,
                  struct report *report);

/* ---- the steps of several ranks ---- */

/* Adds tables to a report whose inputs are the ranks. `numbers`: what each is called. */
void rank_steps_report(const struct rank_steps *steps, const int64_t *numbers, struct arena *arena,
                       struct report *report);

/* ---- summary: in ptk's manner, and for people in Paddle's ---- */

enum time_unit { TIME_UNIT_MS, TIME_UNIT_S, TIME_UNIT_US, TIME_UNIT_NS };

extern const char *const time_unit_names[];    /* ends with NULL */
extern const char *const summary_view_names[]; /* "device", …; ends with NULL */

/* Adds the tables of `views` that are filled to the report; one that has nothing to show is left
 * out unless it is in `asked_for`. Both are sets of summary_view_bit(). Of tables that may be very
 * long, at most `limit` rows are made; 0: all. */
void summary_report(const struct summary *summary, uint32_t views, uint32_t asked_for,
                    uint32_t limit, enum time_unit unit, struct arena *arena,
                    struct report *report);

/* ---- what each rank of a job did, from a shard of it ---- */

/* A row a rank: its device work, what hid what, and how it waited. The shard must be clock-aligned. */
void rank_overlap_rows(const struct job_shard *shard, struct arena *arena, struct report *report);

/* A row a step: over all ranks that have it. */
void rank_step_rows(const struct job_shard *shard, struct arena *arena, struct report *report);

/* A row a rank that both jobs have, the largest change first; those of one alone are named. */
void rank_difference_rows(const struct job_shard *before, const struct job_shard *after,
                          struct arena *arena, struct report *report);

/* ---- what slows a job, in words and tables ---- */

/* Which table comes first: CSV writes that one. */
enum job_table {
    JOB_BY_RANK,
    JOB_BY_STAGE,
    JOB_BY_TYPE,
    JOB_BY_DP,
    JOB_BY_STEP,
    JOB_BY_GROUP,
    JOB_BY_COLLECTIVE,
    JOB_BY_CATEGORY
};

/* `limit`: rows of a table that people see; 0: all. */
void job_report(const struct job *job, enum job_table first, uint32_t limit, struct arena *arena,
                struct report *report);

/* Its first sentence alone. */
void job_answer(const struct job *job, struct arena *arena, struct report *report);

/* Its lines alone: each finding as a sentence, and the figures of the whole. */
void job_headlines(const struct job *job, struct arena *arena, struct report *report);

#endif
