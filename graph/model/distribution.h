/* SPDX-License-Identifier: Apache-2.0 */
/* distribution.h — how a figure is distributed, in integers that add up the same in any order
 *
 * Count, sum, sum of squares, least, most and a DDSketch (Masson, Rim, Lee: "DDSketch", VLDB 2019)
 * whose buckets' bounds are integers: b₀ = 1, b₍ᵢ₊₁₎ = max(bᵢ + 1, ⌊bᵢ·102/100⌋). Bucket i holds
 * b₍ᵢ₋₁₎ < x ≤ bᵢ; what is shown for it is off by 1 % at most. Zero has a bucket of its own. */
#ifndef PTK_GRAPH_MODEL_DISTRIBUTION_H
#define PTK_GRAPH_MODEL_DISTRIBUTION_H

#include <stdint.h>

#include "base/memory/arena.h"

__extension__ typedef unsigned __int128 square;

/* Of figures that are not negative. Zeroed is that of none. Buckets are some arena's. */
struct distribution {
    uint64_t count, sum, zeros;
    square squares;
    int64_t least, most;
    uint32_t first, buckets; /* the first bucket that is kept, and how many */
    uint64_t *bucket;
};

/* Takes what is negative for 0. */
void distribution_add(struct distribution *distribution, int64_t figure, struct arena *arena);

/* Adds all that another holds. */
void distribution_merge(struct distribution *distribution, const struct distribution *other,
                        struct arena *arena);

/* The figure that a share of all (0 … 1) is not above, within 1 %; 0 of none. */
int64_t distribution_quantile(const struct distribution *distribution, double share);

/* How many buckets there are, for those who check what they read. */
uint32_t distribution_bucket_count(void);

#endif
