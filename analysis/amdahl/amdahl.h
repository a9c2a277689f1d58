/* SPDX-License-Identifier: Apache-2.0 */
/* amdahl.h — how much faster can the whole get if this part gets s times faster?
 *
 * On flat levels a part's share is one number (of self time, which is disjoint, or of cum), and
 * with a known number of samples an interval of two standard errors. On a timeline it is the
 * bracket of analysis/amdahl/speedup.h: at least while nothing else runs, at most whenever it
 * runs, and never past what another resource needs anyway. */
#ifndef PTK_ANALYSIS_AMDAHL_AMDAHL_H
#define PTK_ANALYSIS_AMDAHL_AMDAHL_H

#include <stdbool.h>

#include "analysis/roofline/roofline.h"
#include "base/memory/arena.h"
#include "graph/model/graph.h"

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
    bool is_launch_bound; /* lower bounds of device work are 1: see workload.h */
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

extern const double AMDAHL_CURVE_LEAST; /* the limit of a row that gets a curve */

/* One row a frame that was at work, in the order of frames. */
void amdahl_timeline(const struct graph *graph, const struct amdahl_options *options,
                     struct arena *arena, struct amdahl *amdahl);

void amdahl_timeline_combine(const struct graph *graph, const struct amdahl_options *options,
                             const uint32_t *part_of, struct amdahl_plan *plan);

#endif
