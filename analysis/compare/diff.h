/* SPDX-License-Identifier: Apache-2.0 */
/* diff.h — what changed between two profiles, or two sets of runs, function by function
 *
 * Functions are matched by keys (function_identity.h) that leave out more and more, the line first;
 * several of one key are paired in the order of their lines (diff_match.c). Figures of a side are
 * means over its runs. */
#ifndef PTK_ANALYSIS_COMPARE_DIFF_H
#define PTK_ANALYSIS_COMPARE_DIFF_H

#include "analysis/compare/noise.h"
#include "analysis/compare/run_measures.h"
#include "base/attr.h"
#include "base/cli/error.h"
#include "graph/model/graph.h"

enum diff_end { DIFF_BEFORE, DIFF_AFTER, DIFF_ENDS };

/* One run's figures by frame of the common table, as far as that had grown by then. */
struct diff_run {
    uint32_t count;
    bool *is_there;
    int64_t *self, *cum, *calls;
    int64_t total;
    struct run_measures measures; /* where it is known what they are */
    double quantum;               /* see noise_quantum() */
};

/* Runs added so far. Start zeroed. */
struct diff {
    struct graph names; /* strings, frames and the value: what the figures of all runs are of */
    struct diff_run *runs[DIFF_ENDS];
    uint32_t run_count[DIFF_ENDS];
};

/* Adds a run, which must have LEVEL_FLAT. False with ERROR_USAGE when it counts something else than
 * those before it. */
MUST_CHECK bool diff_add(struct diff *diff, enum diff_end end, const struct graph *graph,
                         struct error *err);

/* Says how long the run that was added last took: before it was narrowed to a part. */
void diff_add_measures(struct diff *diff, enum diff_end end, const struct run_measures *measures);

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

#endif
