/* SPDX-License-Identifier: Apache-2.0 */
/* noise.h — how far two figures must be apart to differ for more reasons than chance */
#ifndef PTK_ANALYSIS_COMPARE_NOISE_H
#define PTK_ANALYSIS_COMPARE_NOISE_H

#include "graph/model/graph.h"

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

#endif
