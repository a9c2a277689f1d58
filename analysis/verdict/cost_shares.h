/* SPDX-License-Identifier: Apache-2.0 */
/* cost_shares.h — what of a CPU profile is no work of the program: by class, and for whom
 *
 * Where stacks are known, a moment is the outermost function's on its stack that has a class
 * (cost_class.h): what an allocator calls is allocation, locks that are taken to log are logging. But
 * a collector's time is its own wherever it is called, and own code that a library calls back (the
 * program itself, which a loader of modules runs) is no cost. Else only functions' own time is told. So
 * classes never add up to more than all. */
#ifndef PTK_ANALYSIS_VERDICT_COST_SHARES_H
#define PTK_ANALYSIS_VERDICT_COST_SHARES_H

#include "graph/classify/function_class.h"

struct cost_share {
    enum cost_class class;
    int64_t time;    /* of the selected value */
    frame_id worst;  /* the function of the class that has most of it, */
    frame_id caller; /* ... and for whom most of that was: what called it, and has no class; 0 */
};

struct cost_shares {
    struct cost_share of[COST_CLASS_COUNT]; /* by class; without those of COST_NONE */
    int64_t whole;
};

/* Needs LEVEL_FLAT; the call tree tells more. */
void cost_shares_find(const struct graph *graph, struct cost_shares *shares);

#endif
