/* SPDX-License-Identifier: Apache-2.0 */
/* diff.h — two profiles: which functions are the same, what changed, and what is noise */
#ifndef PTK_ANALYSIS_COMPARE_DIFF_H
#define PTK_ANALYSIS_COMPARE_DIFF_H

#include "base/checked.h"
#include "base/error/error.h"
#include "graph/model/graph.h"

/* ---- how far two figures must be apart to differ for more reasons than chance ---- */

/* A confidence interval of a difference, in the figures' unit. */
struct confidence {
    bool is_known;
    double low, high;
};

/* Neither end is on the other side of 0. False where nothing is known. */
bool confidence_is_clear(const struct confidence *interval);

/* What one sample stands for in a sampled profile's selected value: the period of a clock or of an
 * allocation sampler, or 1 where samples are counted. 0: the profile is not sampled, or does not
 * say. The graph must have LEVEL_FLAT. */
int64_t noise_quantum(const struct graph *graph);

/* One figure in each of several runs; those of a sampled profile are multiples of a quantum. */
struct runs {
    const int64_t *figures;
    uint32_t count;
    double quantum; /* 0: not sampled */
};

double runs_mean(const struct runs *runs);

/* How far runs lie apart: the variance of one run's figure over the square of its mean. NaN where
 * there are not several on both sides, or nothing in them. */
double noise_spread(const struct runs *before, const struct runs *after);

/* Of mean(after) − mean(before), which is outside with probability `miss`: 0.05 makes a 95 %
 * interval. With several runs on both sides: Student's t with the variance of each (Welch). Few runs
 * say little of their own variance, so that `usual`, the spread that functions of these runs have,
 * counts as four more (as in Smyth's moderated t, 2004); 0: not known. Else, of samples: n samples
 * vary by √n (Poisson). */
struct confidence noise_of_difference(const struct runs *before, const struct runs *after,
                                      double usual, double miss);

/* ---- how long a traced run took, or a step of it, and what its devices did then ---- */

/* Of a trace the sum over all functions is nobody's time: threads and devices run side by side.
 * These show what a change gave. */

enum run_measure {
    MEASURE_TIME,          /* from start to end */
    MEASURE_BUSY,          /* devices did anything: all of these are means over the devices */
    MEASURE_IDLE,          /* the time less that */
    MEASURE_COMPUTE,       /* they computed */
    MEASURE_COMMUNICATION, /* they communicated, and did not compute */
    MEASURE_COPIES,        /* they copied, and did neither */
    MEASURE_COUNT
};

/* "time"; "exposed_communication": for machines */
const char *run_measure_name(enum run_measure measure);

struct run_measures {
    uint32_t steps;                  /* 0: it has none */
    uint32_t devices;                /* that did anything; without any only the time is known */
    int64_t of_run[MEASURE_COUNT];   /* ns */
    int64_t of_steps[MEASURE_COUNT]; /* ns a step, from the first one's start to the last's end */
    bool is_known;                   /* it is a timeline, and holds something */
};

/* What it wants of a parser, as builder_options.properties. */
uint64_t run_measures_properties(void);

/* Nothing is known of a graph that has no timeline (any more). */
void run_measures_take(const struct graph *graph, struct run_measures *measures);

/* ---- what changed between two profiles, or two sets of runs, function by function ---- */

/* Functions are matched by keys (function_identity.h) that leave out more and more, the line first;
 * several of one key are paired in the order of their lines (diff_match.c). Figures of a side are
 * means over its runs. */

enum diff_end { DIFF_BEFORE, DIFF_AFTER, DIFF_ENDS };

/* One run's figures by frame of the common table, as far as that had grown by then. */
struct diff_run {
    uint32_t count;
    bool *is_there;
    int64_t *self, *cum, *calls;
    int64_t total;
    int64_t merged;               /* of how many it is the sum; 1: it is one */
    struct run_measures measures; /* where it is known what they are */
    double quantum;               /* see noise_quantum() */
};

/* Who calls whom in the first run of a side, as far as it is known. */
struct diff_calls {
    frame_id *caller, *callee;
    size_t count;
};

/* Runs added so far. Start zeroed. */
struct diff {
    struct graph names; /* strings, frames and the value: what the figures of all runs are of */
    struct diff_run *runs[DIFF_ENDS];
    uint32_t run_count[DIFF_ENDS];
    uint32_t slower[DIFF_ENDS]; /* runs that the user left out */
    struct diff_calls calls[DIFF_ENDS];
};

/* Adds a run, which must have LEVEL_FLAT; with LEVEL_CALLGRAPH functions that were renamed are found. False with ERROR_USAGE when it counts something else than
 * those before it. */
MUST_CHECK bool diff_add(struct diff *diff, enum diff_end end, const struct graph *graph,
                         struct error *err);

/* Says how long the run that was added last took: before it was narrowed to a part. */
void diff_add_measures(struct diff *diff, enum diff_end end, const struct run_measures *measures);

/* Adds a run that is not narrowed, with how long it took. It gets LEVEL_FLAT; false as graph_need() and diff_add(). */
MUST_CHECK bool diff_add_whole(struct diff *diff, enum diff_end end, struct graph *graph, struct error *err);

enum diff_order { DIFF_BY_DELTA, DIFF_BY_GROWTH, DIFF_BY_OLD, DIFF_BY_NEW, DIFF_BY_NAME };

struct diff_options {
    enum diff_order order;
    bool is_reversed;
    bool is_cum;             /* compare cumulative figures, not those without callees */
    uint32_t limit;          /* rows; 0 is all */
    double min_percent;      /* of the larger total: rows that change by less are left out */
    double fail_percent;     /* a function that grows by more than this fails; below 0: none does */
    double fail_min_percent; /* but not one that is less than this of the total on both sides */
};

struct diff_row {
    frame_id before, after; /* 0: not there */
    int64_t self[DIFF_ENDS], cum[DIFF_ENDS];
    int64_t calls[DIFF_ENDS]; /* or UNKNOWN */
    struct confidence noise;  /* of the difference of what is compared: see below */
    bool fails;
    bool is_doubtful; /* another of its name in its file may be the one: see diff_match() */
    bool is_renamed;  /* known by its callers, callees and file alone: diff_match_renamed() */
};

/* How the runs themselves differ: means over a side's runs, ns; UNKNOWN where they have none. */
struct run_difference {
    int64_t time[MEASURE_COUNT][DIFF_ENDS];
    struct confidence noise[MEASURE_COUNT];
    bool is_known;   /* of all runs */
    bool is_by_step; /* they all have steps: times are those of a step */
};

struct difference {
    struct run_difference run;
    struct diff_row *rows; /* in the arena given to diff_compute */
    uint32_t count, left_out;
    uint32_t added, removed, failed; /* over all functions */
    const struct diff_row *worst;    /* the failed one that grew most; NULL: none failed */
    int64_t total[DIFF_ENDS];
    struct confidence noise; /* of the difference of the totals: 95 % */
    bool is_cum;
    double paired_kernels; /* share of the time of kernels that have a partner; NaN: there are none */
    int64_t merged;       /* the most runs that a profile is the sum of; 1: none is a sum */
    bool has_exact_calls; /* every call was counted, in one run a side: times may be noise, calls are not */
};

/* The rows' intervals hold all at once: of so many comparisons of programs that are equal, one
 * has a row whose interval leaves 0 out. A function's part of that is its part of the figures of
 * all, so that a large one need not differ by more where there are many small ones (a weighted
 * Bonferroni). */
enum { DIFF_COMPARISONS_PER_ERROR = 100 };

void diff_compute(const struct diff *diff, const struct diff_options *options, struct arena *arena,
                  struct difference *difference);

/* new / old − 1; +inf for what is new, 0 where both are 0. */
double diff_growth(int64_t old, int64_t new);

void diff_free(struct diff *diff);

/* ---- parts of it, for files of their own ---- */

/* The frame of `names` that a graph's frame is; nothing of the graph is needed afterwards. */
frame_id diff_frame(struct diff *diff, const struct graph *graph, frame_id id);

/* By frame of `names`, whether it is in a run of that side. In the arena. */
bool *diff_frames_of(const struct diff *diff, enum diff_end end, struct arena *arena);

/* by before-frame, the after-frame that it is: itself, another, or 0. In the arena. Marks by
 * before-frame what has namesakes, more on one side than on the other, and nothing but its place
 * among them to be known by. */
frame_id *diff_match(const struct diff *diff, const bool *is_before, const bool *is_after,
                     bool *is_doubtful, struct arena *arena);

/* Adds to `after_of` functions that only have another name: diff_renames.c. Marks these by before-frame. */
void diff_match_renamed(const struct diff *diff, const bool *is_before, const bool *is_after,
                        frame_id *after_of, bool *is_renamed, struct arena *arena);

/* ---- a call graph of what one profile has more than another ---- */

/* AFTER less BEFORE, in every figure of every path or call: less than 0 where something shrank.
 * Functions are the same as `ptk diff` decides. Shares are of BEFORE, or of AFTER where that is
 * empty. Both profiles are used up: only to be freed; what is made is the caller's to free, too.
 * Both must have LEVEL_FLAT and all above it that they hold, but for timelines. False with
 * ERROR_USAGE when the two count different things. */
MUST_CHECK bool difference_make(struct graph *before, struct graph *after, struct graph *made,
                                struct error *err);

/* ---- numbers that are equal where the functions of two profiles are the same ---- */

/* What is the same is decided as `ptk diff` does (diff.h). */

struct function_matches {
    uint32_t *key[DIFF_ENDS]; /* by frame of each graph, in the arena */
};

/* Functions that differ only in what changes from run to run, as addresses do, are made one in both
 * graphs first; so a key belongs to one function of a graph. Both must have LEVEL_FLAT, which is
 * gone again where functions were made one. False with ERROR_USAGE when they count different
 * things. */
MUST_CHECK bool function_matches_find(struct graph *before, struct graph *after,
                                      struct arena *arena, struct function_matches *found,
                                      struct error *err);

/* ---- a profile less an earlier one, stack by stack: pprof's -base and -diff_base ---- */

/* What two heap profiles differ by is what was allocated, and kept, between them: `diff` compares two
 * runs, and this takes one from the other. Figures may be negative. */

/* What 100 % is. */
enum subtract_whole {
    WHOLE_OF_CHANGES, /* what all stacks changed by, up and down added up */
    WHOLE_OF_BASE     /* all of the base */
};

/* Both graphs must have LEVEL_CALLTREE; then `graph` has the difference, and that level alone, and `base`
 * is used up, to be freed. `sum`: of all stacks. False with ERROR_USAGE where they have no value type in
 * common. */
MUST_CHECK bool subtract(struct graph *graph, struct graph *base, enum subtract_whole whole,
                         int64_t *sum, struct error *err);

#endif
