/* SPDX-License-Identifier: Apache-2.0 */
/* gpus.h — what GPUs can do at most, by the names that profiles have for them
 *
 * The table is analysis/roofline/gpus.txt, which says where each row is from. */
#ifndef PTK_ANALYSIS_ROOFLINE_GPUS_H
#define PTK_ANALYSIS_ROOFLINE_GPUS_H

#include <stdint.h>

#include "base/text/span.h"
#include "graph/classify/kernel_class.h"

struct gpu {
    const char *pattern;
    double flops[PRECISION_COUNT]; /* a second, dense; 0: none, or not known */
    double memory, link;           /* bytes a second; the link's one way */
    double last_cache;             /* bytes of the cache before memory; 0: not known */
    int units;                     /* multiprocessors, compute units */
    const char *source;            /* letters that gpus.txt explains */
};

extern const struct gpu gpus[]; /* ends with a pattern of NULL */

extern const char *const precision_names[]; /* "fp64" …; ends with NULL */

/* The row with the longest pattern that the name contains, in any case; NULL when none does, and
 * for parts of a GPU (MIG) and laptops' slower ones. */
const struct gpu *gpu_named(struct span name);

/* What share of the peak in 16 bits the best products of matrices were measured to reach
 * (ml-engineering's MAMF); 0: not known. */
double gpu_achievable(const struct gpu *gpu);

/* The rows whose pattern contains the text, in any case: the first `limit` of them. */
uint32_t gpus_like(struct span text, const struct gpu **found, uint32_t limit);

#endif
