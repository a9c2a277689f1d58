/* SPDX-License-Identifier: Apache-2.0 */
/* noise.h — how far two figures must be apart to differ for more reasons than chance */
#ifndef PTK_ANALYSIS_COMPARE_NOISE_H
#define PTK_ANALYSIS_COMPARE_NOISE_H

#include "graph/model/graph.h"

/* A 95 % confidence interval of a difference, in the figures' unit. */
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

/* Of mean(after) − mean(before). With several runs on both sides: the percentile bootstrap of the
 * means, runs drawn with replacement, deviations widened by √(n / (n − 1)) and by Student's t over
 * the normal quantile, since few runs vary too little; the draws are the same each time. Else, of
 * samples: n samples vary by √n (Poisson). */
struct confidence noise_of_difference(const struct runs *before, const struct runs *after);

#endif
