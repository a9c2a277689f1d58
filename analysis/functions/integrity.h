/* SPDX-License-Identifier: Apache-2.0 */
/* integrity.h — does a call graph add up? what was entered from outside, and what got lost
 *
 * A profiler that tells functions apart by their label (file, line, name) lets two functions of
 * one label overwrite each other: their time is in their callers' cum but in nobody's self. Then
 *     cum(f) − self(f) = Σ cum of the calls that f makes       (f not recursive)
 * fails at the caller, which misses a callee, or at the survivor, which has too many. A profiler that
 * leaves built-in functions out, as yappi does unless it is told not to, loses their time in the
 * same way. */
#ifndef PTK_ANALYSIS_FUNCTIONS_INTEGRITY_H
#define PTK_ANALYSIS_FUNCTIONS_INTEGRITY_H

#include "analysis/functions/call_edges.h"

struct imbalance {
    uint32_t function;
    int64_t excess; /* cum − self − Σ cum of its calls: > 0 callees are missing, < 0 too many */
};

struct integrity {
    bool can_tell; /* false when the profile has no edges, or no times on them */
    struct entries entries;
    uint32_t runs;                /* entries that hold 1 % or more of `entered` */
    int64_t entered;              /* time that passed between entering and leaving the profile */
    int64_t recorded;             /* time that functions have as self */
    int64_t lost;                 /* entered − recorded, at least 0 */
    double lost_share;            /* of `entered` */
    bool lacks_builtins;          /* the file says so: their time is lost, no label */
    struct imbalance *imbalances; /* the largest first; above 0.2 % of `entered` each */
    uint32_t imbalance_count;
};

/* The graph must have LEVEL_FLAT, and calls or their totals. */
void integrity_check(const struct graph *graph, struct arena *arena, struct integrity *integrity);

/* Adds a warning to a graph that lost more than 1 %: a note where that is what was not recorded. Does nothing to a graph whose
 * call graph was derived: that adds up by construction. */
void integrity_warn(struct graph *graph);

#endif
