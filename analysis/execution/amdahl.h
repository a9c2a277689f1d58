/* SPDX-License-Identifier: Apache-2.0 */
/* amdahl.h — Amdahl's law on a profile: what each part could give, and its bounds */
#ifndef PTK_ANALYSIS_EXECUTION_AMDAHL_H
#define PTK_ANALYSIS_EXECUTION_AMDAHL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analysis/execution/task_graph.h"
#include "analysis/kernels/roofline.h"
#include "analysis/timeline/speedup_bounds.h"
#include "base/memory/memory.h"
#include "graph/model/graph.h"

/* ---- the laws of speed-up, as plain functions of shares and factors ---- */

/* A share is 0 … 1 of the elapsed time; a factor is how many times faster, 1 … INFINITY. */

/* Amdahl 1967: the whole gets 1 / ((1 − f) + f/s) times faster. INFINITY when nothing is left. */
double speedup_overall(double share, double factor);

/* 1 / (1 − f): the part takes no time at all. */
double speedup_limit(double share);

/* The factor that the part must reach for the whole to get `target` times faster; INFINITY when
 * no factor is enough. */
double speedup_needed(double share, double target);

/* Gustafson 1988: (1 − f) + f·n, with the share measured on the parallel run. */
double speedup_scaled(double share, double workers);

/* Karp and Flatt 1990: the serial share that a measured speed-up on so many workers implies,
 * (1/S − 1/p) / (1 − 1/p). `workers` > 1. */
double speedup_serial_share(double measured, double workers);

/* The standard error of a share found by sampling: sqrt(f(1 − f) / n); 0 when n is not known. */
double speedup_share_error(double share, int64_t samples);

/* ---- who was at work when: a timeline as activities on resources ---- */

/* On a thread the innermost event is at work, on a stream each event is. Waiting is no work: which
 * calls block, for how long, and which threads take part at all is the execution graph's to say
 * (task_graph.h). */

struct workload {
    int64_t span;            /* ns: from the first start to the last end of any event */
    bool waits_for_launches; /* host work that is not on record may hold the device up */
    const struct graph *graph;
    const struct execution *execution;
    struct execution own; /* where none was given */
    const uint32_t *part_of;
    struct workload_track *tracks; /* each at its next activity */
    struct heap next;              /* when that begins, and its place in `tracks` */
};

/* `part_of`: by frame_id, lasts as long as the workload. `known`: the graph's execution graph; NULL:
 * one is built for this alone. Needs LEVEL_TIMELINE. Close it. */
void workload_open(const struct graph *graph, const struct execution *known,
                   const uint32_t *part_of, struct workload *workload);

/* The next by its start; its part is part_of[frame], its resource the track of a stream. False
 * after the last. */
bool workload_next(struct workload *workload, struct activity *activity);

void workload_close(struct workload *workload);

/* ---- how much faster can the whole get if this part gets s times faster? ---- */

/* On flat levels a part's share is one number (of self time, which is disjoint, or of cum), and
 * with a known number of samples an interval of two standard errors. On a timeline it is the
 * bounds above: at least while nothing else runs, at most whenever it
 * runs, and never past what another resource needs anyway. */

enum { AMDAHL_FACTORS = 3, AMDAHL_PARTS_MAX = 64 };

/* A curve has a point at each quarter of a doubling, from 1 to 64 times faster. */
enum { AMDAHL_POINTS = 25 };

double amdahl_point(uint32_t index);

extern const double amdahl_factors[AMDAHL_FACTORS]; /* 1.5, 2 and 10 */

/* Speed-ups of the whole; equal where the share is exact. */
struct gain {
    double low, high;
};

struct amdahl_options {
    bool is_cum;     /* shares with callees; flat levels only */
    double target;   /* 0: none; else > 1, of the whole */
    int64_t samples; /* that the profile was made from; 0: not sampled, or not known */
    uint32_t limit;  /* rows; 0: all */
    const struct roof_distance *roofs; /* by frame; timelines only; NULL: not wanted */
    bool has_curves;                   /* rows that can give 1 % get them */
    const struct execution *execution; /* of a timeline; NULL: one is built, and freed early */
};

struct amdahl_row {
    frame_id frame;
    int64_t time; /* self, cum, or on a timeline the union; in the graph's unit */
    double share; /* of the whole; on a timeline the larger bound */
    double share_low, share_high;
    struct gain overall[AMDAHL_FACTORS], limit;
    struct gain needed; /* factors for the target: at best, at worst; INFINITY: impossible */
    double efficiency;  /* of its roof; 0: not known */
    double at_roof;     /* the factor that brings it there */
    struct gain roof;   /* of the whole, then */
    struct gain *curve; /* at amdahl_point(); AMDAHL_POINTS of them, or NULL */
};

struct amdahl {
    struct amdahl_row *rows; /* the largest limit first; in the arena */
    uint32_t count, left_out;
    uint32_t odd;  /* functions that are left out since their share is not 0 … 1 */
    int64_t whole; /* what 100 % is: on a timeline the span */
    bool is_timeline;
    bool waits_for_launches; /* lower bounds of device work are 1: see workload.c */
};

/* Needs LEVEL_FLAT, or LEVEL_TIMELINE when the graph has one. */
void amdahl_compute(const struct graph *graph, const struct amdahl_options *options,
                    struct arena *arena, struct amdahl *amdahl);

/* Parts that change together. A function belongs to the first part that claims it. */
struct amdahl_plan {
    uint32_t count;
    double factors[AMDAHL_PARTS_MAX]; /* may be INFINITY */
    struct amdahl_part {
        uint32_t functions;
        int64_t time;
        double share_low, share_high;
    } parts[AMDAHL_PARTS_MAX];
    struct gain overall;
};

/* `part_of`: by frame_id, the part's number from 0, or plan->count for the rest. Fills the parts
 * and `overall`; 1 / (1 − Σf + Σ f/s). Always of self time. */
void amdahl_combine(const struct graph *graph, const struct amdahl_options *options,
                    const uint32_t *part_of, struct amdahl_plan *plan);

/* ---- how the shares of parts vary from one training step to the next ---- */

/* Each step is a run of its own: the bracket of what ran on the host and the devices while it did.
 * A step that is slow to begin with, or that stands out, shows in how far the shares are apart. */

/* Shares of a step's time: while the part ran at all, and while nothing else did. */
struct step_shares {
    double least, median, most; /* of the steps, while it ran at all */
    double exposed;             /* the median */
};

struct amdahl_steps {
    struct step_shares *of;            /* by frame; in the arena */
    int64_t shortest, median, longest; /* ns: of the steps */
    uint32_t count, left_out;          /* nested steps, and those for which there is no room */
};

/* Needs LEVEL_TIMELINE with PROP_STEP. No steps: a count of 0. */
void amdahl_steps_find(const struct graph *graph, struct arena *arena, struct amdahl_steps *found);

#endif
