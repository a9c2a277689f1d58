/* SPDX-License-Identifier: Apache-2.0 */
/* job.h — a job's ranks as one program: how much slower than it need be, and what makes it so */
#ifndef PTK_ANALYSIS_RANKS_JOB_H
#define PTK_ANALYSIS_RANKS_JOB_H

#include "analysis/ranks/job_shard.h"
#include "base/checked.h"
#include "base/text/string_table.h"

/* ---- a job's work as a program that can be run again with other lengths ----
 *
 * Of every rank's operations: what each waits for, which ones are one collective, how long each
 * took (of a collective: since the last of its ranks had begun it), and how late the host let it
 * begin. */

enum job_ideal { IDEAL_MEAN, IDEAL_MEDIAN, IDEAL_MIN, IDEAL_COUNT };

struct job_change;

/* No job has more ranks. */
#define JOB_RANKS_MOST (1u << 24)

struct rank_range {
    uint32_t first, last; /* below JOB_RANKS_MOST */
};

/* What is a cause, and who is slow, late or of another run: thresholds_of_job() fills it. */
struct job_limits {
    double slow;          /* S, below which there is nothing to explain, and M is not defined (NaN) */
    double gain;          /* what a step gains without a cause, of it */
    double gain_of_hosts; /* likewise without the delays of all hosts */
    /* Sorted by how slow they are, those who are slow begin where the next is slower by more than: */
    double gap;
    double gap_of_few; /* where less than half are not slow */
    double gap_noise;  /* so many times the noise of both */
    double healthy;    /* so many are not slow, of all */
    double alike;      /* two are alike where the lesser excess is this share of the larger */
    double place;      /* ranks of a place that are all slow and no coincidence */
    double transfer;   /* a slow group's transfers, of the fastest ones of their type */
    double late;       /* how late a host is, of the step */
    double late_chance; /* that one of all hosts is late as often by chance */
    double late_once;  /* how late a host is in a job of one step, in which nothing repeats */
    double links;      /* slow links reach less of their peak */
    double link_time;  /* ns at the peak: latency is most of what takes less */
    int64_t clock;     /* ns that clocks may differ by */
    int64_t apart;     /* ns that the ends of a collective may lie apart */
    double apart_usual; /* so many times as far as is usual in the job */
    double meetings;   /* collectives of a group that show who is of another run */
};

struct job_options {
    enum job_ideal ideal; /* of computing; of transfers the median where this is the mean */
    int64_t step;         /* this one alone; NOT_KNOWN: all */
    const struct job_change *changes; /* what if these were otherwise: job_what_if() */
    uint32_t change_count;
    struct job_shard *logs;            /* of the same ranks, which tell who hangs; or NULL */
    const struct rank_range *expected; /* who should be there, ascending; none: all of the world */
    uint32_t expected_count;
    double peak_link; /* bytes a second that links between hosts should reach; 0: not known */
    struct job_limits limits;
};

/* One rank that takes part. */
struct job_worker {
    uint32_t summary; /* of the shard */
    uint32_t rank, stage, dp, tp;
    int64_t *offset;  /* by step: of its clock after that of the smallest rank, ns */
    int64_t residual; /* of that, ns; NOT_KNOWN */
    bool is_aligned;  /* some collective ties it to the smallest rank */
};

struct job_step {
    int64_t number;
    int64_t begin, end; /* ns on the smallest rank's clock */
    uint32_t first_op;
};

/* Operations in an order in which each comes after all that it waits for; those of a collective are
 * one after the other. Columns are the arena's. */
struct job_model {
    const struct job_shard *shard;
    struct job_limits limits;
    int64_t *number_shift;      /* by summary: how much higher it counts steps than most */
    struct job_worker *workers; /* by rank */
    uint32_t worker_count;
    uint32_t *left_out; /* ranks without the steps that most have */
    uint32_t left_out_count;
    struct job_step *steps;
    uint32_t step_count;
    uint32_t other_steps; /* that not all have */
    uint32_t stage_count, dp_count;

    uint32_t op_count;
    int64_t *length, *delay;
    uint32_t *worker, *stage, *dp, *label, *type, *group; /* group: of the shard, plus 1; 0: none */
    uint32_t *unit_end;          /* at the first operation of a unit: where it ends */
    uint32_t *unit_first;        /* the first operation of its unit */
    uint32_t *first_dep, *dep;   /* what it waits for */
    uint32_t *first_next, *next; /* what waits for it */
    str_id *labels;              /* by `label` */
    bool *is_transfer;           /* by label */
    uint32_t label_count, type_count;
    uint8_t *type_kind; /* enum operation_kind */

    uint64_t participations, lacking; /* collectives, and those of which a rank is not there */
    bool *is_lacking;                 /* by operation: it is one of these */
    int64_t
        *wait; /* by operation: ns that it may have waited for who is not there; NULL: none did */
    int64_t unmatched; /* ns of operations whose type one rank alone has */
    uint32_t circles;  /* operations that wait for each other: their order was broken */
};

/* The first operation after those of a step. */
static inline uint32_t job_step_end(const struct job_model *model, uint32_t step)
{
    return step + 1 < model->step_count ? model->steps[step + 1].first_op : model->op_count;
}

/* Which step of a summary is that of a number; UINT32_MAX: it does not have it. */
uint32_t job_step_in(const struct job_model *model, uint32_t summary, int64_t number);

/* The shard must be clock-aligned, all of it. False with ERROR_LACK where no steps are common. */
MUST_CHECK bool job_model_make(const struct job_shard *shard, const struct job_options *options,
                               struct arena *arena, struct job_model *model, struct error *err);

/* Finds collectives that lack a rank, whose arrival is not known: what they take beyond the typical is waiting for
 * it, as far as can be known. Takes that from their lengths. */
void job_lacking_find(struct job_model *model, struct arena *arena);

/* Whether an operation is a collective or a transfer that this worker's rank takes part in. */
bool job_is_transfer_of(const struct job_model *model, uint32_t op, uint32_t worker);

/* The worker that is this rank, or UINT32_MAX. */
uint32_t job_worker_of(const struct job_model *model, uint32_t rank);

/* What is typical of operations' `values`, lengths or delays, by operation; ns. `key`: what besides
 * the type makes operations equal, by operation, or NULL. The arena's. */
int64_t *job_typical(const struct job_model *model, const int64_t *values, enum job_ideal ideal,
                     const uint32_t *key, struct arena *arena);

/* ---- which steps and ranks of a shard are compared ----
 *
 * Whole steps that most have, and whoever has all of these. */

/* Fills the model's steps, workers and those left out, all the arena's, from its shard and its number
 * shifts; none of either where no step is whole. */
void job_choose(struct job_model *model, const struct job_options *options, struct arena *arena);

/* ---- where in a job a rank stands: its stage, data-parallel and tensor-parallel rank ---- */

/* Sets stage, dp and tp of a summary from its rank: tensor fastest, then data, then pipeline
 * (Megatron's order). The dimensions' sizes are those given, else the largest of the shard's groups
 * that are for them; where they do not make up the world all ranks are data-parallel. */
void job_place(const struct job_shard *shard, const uint32_t sizes[3],
               struct rank_summary *summary);

/* ---- one clock for all ranks of a job, from those of its groups ---- */

/* Sets the workers' clock offsets, and when each step began and ended on the smallest rank's clock.
 * Goes from rank to rank over the groups that tie them, the most exact first. A rank that no group
 * ties is taken to begin its steps with the others. */
void job_align(struct job_model *model, struct arena *arena);

/* ---- how long a job's steps would take with some of its work otherwise ----
 *
 * What a change is about gets typical lengths or is so many times faster, and all steps are run
 * again, with the hosts' delays. Of several changes that are about an operation the first counts.
 *
 * Where traces do not say what waited for what, operations may wait in the replay for more than
 * they had to: then the replay is the most that steps take. The least is what no order goes below:
 * work that is done at one time saves time once, so no chain of operations gets shorter by more
 * than the time in which something changed was going on, nor by more than all of it gets shorter.
 */

enum job_subject {
    ABOUT_RANK,
    ABOUT_STAGE,
    ABOUT_DP,
    ABOUT_TYPE,
    ABOUT_LINK, /* the transfers of a rank, or those between two alone */
    ABOUT_HOST, /* the delays of a rank's host */
};

struct job_change {
    const char *text; /* as the user gave it */
    enum job_subject subject;
    uint32_t value, other; /* rank, stage, data-parallel rank; a link's other end, or UINT32_MAX */
    struct span type;      /* of ABOUT_TYPE, as the report calls it */
    bool is_scaled;
    enum job_ideal ideal; /* lengths become typical ones, */
    double factor;        /* or this many times shorter */
};

struct job_effect {
    uint32_t operations;
    double time, time_after; /* ns a step, summed */
    double step;             /* mean step with this change alone, ns */
};

struct job_outcome {
    double before, after; /* mean step, ns */
    double least, most; /* between which `after` must lie; both are `after` where order is known */
    bool is_bounded;    /* the order of operations is inferred */
    struct job_effect *effects; /* by change */
};

/* Everything is the arena's. False with ERROR_USAGE where a change is about what is not there. */
MUST_CHECK bool job_what_if(const struct job_model *model, const struct job_change *changes,
                            uint32_t count, struct arena *arena, struct job_outcome *outcome,
                            struct error *err);

/* ---- how much slower a job is than without stragglers, and which part of it makes it so ----
 *
 * After "Understanding Stragglers in Large Model Training Using What-if Analysis" (2025). T(x) is
 * the mean length of a step when operations take x: d as recorded, m as is typical of their type.
 * S = T(d) / T(m). S_X = T(d of X, m of the rest) / T(m): how slow X alone makes the job. M_X =
 * (T(d) − T(m of X, d of the rest)) / (T(d) − T(m)): which part of the loss is gone without X. */

struct job_share {
    uint32_t of;     /* label, stage, data-parallel rank or worker */
    double slowdown; /* S_X */
    double
        estimate; /* of a worker: the paper's, the lesser of its stage's and its data-parallel rank's */
    double removed;   /* M_X, or NaN */
    double added;     /* (T(d of X, m of the rest) − T(m)) / (T(d) − T(m)), or NaN */
    uint32_t slowest; /* of a worker: in how many steps its work is most beyond the typical */
    double host;      /* of a worker: T(m) with its host's delays over T(m) */
    int64_t delay;    /* of a worker: ns a step that it begins later than the first rank */
};

struct job_figures {
    double recorded, replayed, ideal; /* mean step, ns: as recorded, T(d), T(m) */
    double with_delays;               /* T(d) with the host's delays; should be as recorded */
    int64_t *step_recorded, *step_replayed, *step_ideal; /* by step */
    uint32_t *step_slowest; /* the worker whose work is most beyond the typical */
    double slowdown, launch_slowdown;
    bool is_slow; /* there is a slowdown to explain */
    double host_slowdown;   /* T(m) with all host delays over T(m) */
    double jitter, over_dp; /* S with what is typical of a place, and of a stage */
    struct job_share *types, *stages, *dps, *workers; /* the slowest first */
    uint32_t type_count, stage_count, dp_count, worker_count;
    uint32_t exact_count; /* workers that were replayed by themselves; the others are estimates */
    double m_w, m_w_added, m_s, m_s_added; /* NaN unless is_slow */
    uint32_t *worst;                       /* workers that M_W is about */
    uint32_t worst_count;
    int64_t *ideals;    /* by operation */
    double unmatched;   /* share of time that only one rank has the like of */
    double correlation; /* of forward and backward over microbatches; NaN */
};

void job_figures_compute(const struct job_model *model, const struct job_options *options,
                         struct arena *arena, struct job_figures *figures);

/* ---- what links reach, beside what they should ----
 *
 * Links that are slow for all ranks have no equals. They are held against what is given, or what is known of the
 * device: bandwidth on the bus, as NCCL's tests count, of the fastest transfers that are long enough to reach it. */

enum link_class { LINKS_WITHIN, LINKS_ACROSS, LINKS_COUNT }; /* hosts */

struct job_links {
    double bus, peak; /* bytes a second; 0: not known */
    const char *gpu;  /* of the table that the peak is from; NULL: it was given */
};

bool group_crosses_hosts(const struct job_shard *shard, const struct shard_group *group);

/* Of a job on one host it is the links within it that should reach `peak_link`; 0: not known. */
void job_links_find(const struct job_shard *shard, const struct job_options *options,
                    struct job_links links[LINKS_COUNT]);

/* ---- what slows a job, found by making one thing after the other typical ----
 *
 * Candidates take longer for the same work than the others do, again and again (job_slowness.h): ranks, those that
 * are about as slow as one another together; stages and data-parallel ranks of which all ranks are slow; links (the slow
 * transfers of a rank); and hosts, by the delays of a rank's. That without which steps are shortest is the cause. Then
 * the same again with the cause gone. What happens at random, to one and another, is nobody's. */

enum job_cause {
    CAUSE_MISSED, /* a rank never entered a collective that others wait in */
    CAUSE_MISMATCH,
    CAUSE_STUCK,     /* all entered it, but the devices of some have not begun it */
    CAUSE_ORDER,     /* ranks entered two groups in different orders, and wait for each other */
    CAUSE_UNDECIDED, /* others wait for who has no file */
    CAUSE_LONG,      /* a rank is longest in collectives of which only lengths are known */
    CAUSE_LATE,      /* a rank comes last nearly always: of logs that tell nothing else */
    CAUSE_FOREIGN,   /* ranks that are of another run, as it seems */
    CAUSE_LOADER,    /* the host begins a rank's steps late */
    CAUSE_HOST,      /* hosts delay work all over the step */
    CAUSE_LINK,
    CAUSE_LINKS, /* of all ranks */
    CAUSE_RANK, /* or several that are about as slow */
    CAUSE_DP,
    CAUSE_STAGE,
    CAUSE_MISSING_RANK,
    CAUSE_CLOCK,
    JOB_CAUSE_COUNT
};

/* "slow-rank": a contract. */
const char *job_cause_name(enum job_cause cause);

enum { CAUSE_RANKS_MOST = 8 };

struct job_finding {
    enum job_cause cause;
    uint32_t ranks[CAUSE_RANKS_MOST];   /* the first is the culprit */
    uint32_t rank_count, all_ranks;     /* all_ranks: with those that there was no room for, or 0 */
    int32_t stage, dp;                  /* or -1 */
    str_id label;                       /* operations in which it shows; 0: none */
    double excess;                      /* by which these take longer than others'; NaN */
    double with, without;               /* mean step, ns; NaN where it is not about time */
    double without_least, without_most; /* that it lies between, where ranks are not there */
    bool is_hidden;                     /* gains only with the next: each is as slow as the other */
    int64_t delay;                      /* ns a step, or of a clock in the first step */
    int64_t last_delay;                 /* of a clock in the last step */
    int64_t sequence;                   /* of a collective */
    int64_t size, usual_size;      /* of it, bytes: as the first rank has it, and as others do */
    bool is_log;                   /* the culprit's file has only what ended: it has no record */
    bool is_transfer;              /* it is one: the ranks are who receives and who sends */
    int64_t times, participations; /* how often a rank came last, of how many */
    str_id group, operation, host;
    str_id other_group; /* that waits for this one; of CAUSE_ORDER; its operation is `before` */
    str_id before;      /* what the rank did last before it */
    enum link_class links; /* of CAUSE_LINKS */
};

struct job_findings {
    struct job_finding *list;
    uint32_t count;
};

/* Ranks that should be there and that no summary is of. */
struct job_missing {
    uint32_t *ranks;
    uint32_t count;
};

/* `figures`: NULL where no step could be measured, but somebody missed a collective. */
void job_findings_make(const struct job_model *model, const struct job_figures *figures,
                       const struct job_missing *missing, const struct job_links *links,
                       struct arena *arena,
                       struct job_findings *findings);

/* ---- what is wrong with a job or its traces, rather than slow ----
 *
 * Collectives that ranks missed, ranks that are missing or of another run, clocks that are off. */

/* So many findings at most. */
enum { FINDINGS_MOST = 64 };

/* A finding about nothing yet, or NULL where there are too many. */
struct job_finding *job_finding_add(struct job_findings *findings, enum job_cause cause);

/* Why ranks wait for each other without an end, or, in logs of communication, always for the same.
 * Groups that were entered in different orders first; then the collective that nobody had entered
 * another of before, which is the cause of those that follow. */
void job_faults_hangs(const struct job_shard *shard, struct job_findings *findings);

/* One finding for all ranks whose collectives do not end when those of the others do, whatever their
 * clocks. */
void job_faults_foreign(const struct job_model *model, struct job_findings *findings);

/* The lists are the arena's. */
void job_missing_find(const struct job_shard *shard, const struct job_options *options,
                      struct arena *arena, struct job_missing *missing);
void job_faults_missing(const struct job_missing *missing, struct job_findings *findings);
void job_faults_clocks(const struct job_model *model, struct job_findings *findings);

/* ---- the whole answer about a job: its model, its figures, what slows it ---- */

struct job {
    struct job_model model;
    struct job_figures figures;
    struct job_findings findings;
    const struct job_change *changes; /* that were asked about */
    uint32_t change_count;
    struct job_outcome outcome; /* of these */
    bool is_measured;           /* else there are findings alone, as no step is whole */
    struct job_missing missing;
    struct job_links links[LINKS_COUNT];
    uint32_t world; /* ranks that are there, and that are missing */
};

/* Aligns all groups of the shard first. Everything is the arena's. */
MUST_CHECK bool job_analyze(struct job_shard *shard, const struct job_options *options,
                            struct arena *arena, struct job *job, struct error *err);

/* ---- a job's collectives by operation and size ----
 *
 * How long ranks waited for the last, how fast the link was from there on, who came last, and how
 * unevenly ranks had to send. */

struct job_traffic {
    struct span operation, use;
    const struct shard_group *group;    /* NULL: of all groups of that use */
    int64_t size;                       /* bytes of one on each rank, or NOT_KNOWN */
    uint32_t ranks, groups;             /* of a group, 0: not known; how many groups */
    struct distribution skew, transfer; /* ns */
    double algorithm, bus;   /* bytes per second of all transfers, as NCCL's tests count; NaN */
    double imbalance;        /* the rank with most bytes over the mean one; NaN */
    struct shard_last worst; /* who came last most often */
};

/* Those of all groups of one use together, or by group, of a shard that is clock-aligned; what took most
 * waiting and transfer first. The arena's. */
struct job_traffic *job_traffic_list(const struct job_shard *shard, bool by_group,
                                     struct arena *arena, uint32_t *count);

/* ---- device work of all ranks by what it computes ---- */

struct job_category {
    const char *name; /* of a kernel's family, or of a kind: as `--by category` has it anywhere */
    uint64_t events, time; /* ns */
    double share;          /* of all device work */
    int64_t longest;       /* event, ns */
};

/* The most time first. The arena's. */
struct job_category *job_categories(const struct job_shard *shard, struct arena *arena,
                                    uint32_t *count);

/* ---- what the steps of a job's ranks come to: by rank, and by step ---- */

/* A rank's device work: enum row_figure, over all its steps. */
struct rank_sum {
    uint32_t rank, steps;
    int64_t sum[ROW_COUNT];
};

/* One for each rank of the shard, in its order; in the arena. */
struct rank_sum *rank_sums(const struct job_shard *shard, struct arena *arena);

/* A step, over the ranks that have it. */
struct step_mean {
    int64_t number;
    uint32_t ranks, slowest; /* the rank on which it was longest, the first of equals */
    int64_t shortest, longest;
    int64_t mean[ROW_COUNT]; /* rounded down */
};

struct step_means {
    struct step_mean *list; /* by number; in the arena */
    uint32_t count;
};

void step_means_find(const struct job_shard *shard, struct arena *arena, struct step_means *means);

/* ---- the ranks that two jobs have in common, and what a step of each took in both ---- */

/* A rank of both: the mean over its steps of each figure, in that figure's unit. */
struct rank_change {
    uint32_t rank;
    int64_t old[ROW_COUNT], new[ROW_COUNT];
};

struct rank_changes {
    struct rank_change *list; /* in the arena; the largest change of a step's length first */
    uint32_t count;
};

/* Ranks that have no whole step in one of the two are left out. Both shards are clock-aligned. */
void rank_changes_find(const struct job_shard *before, const struct job_shard *after,
                       struct arena *arena, struct rank_changes *changes);

/* ---- some ranks around one collective, on one clock ---- */

/* A file a rank, with its timeline and the properties of rank_summaries_properties(). */
struct rank_traces {
    const struct graph *const *graphs;
    const char *const *paths;
    uint32_t count;
};

struct collective_window {
    int64_t start, end;   /* ns, of the clock of the group's first rank: what is shown */
    int64_t skew;         /* ns, from the first rank's start to the last one's */
    uint32_t last, ranks; /* which came last; how many there are */
    size_t first;         /* for collective_timeline_make() */
    const char *title;    /* in the arena */
};

/* What the ranks that take part did around a collective, as one timeline of a process a rank, whose
 * times count from the window's start. `which` is "GROUP:NUMBER", or empty for that with the most skew.
 * ERROR_LACK where there is none. graph_free() where true. */
MUST_CHECK bool collective_timeline_make(const struct rank_traces *traces, const char *which,
                                         struct arena *arena, struct graph *graph,
                                         struct collective_window *window, struct error *err);

#endif
