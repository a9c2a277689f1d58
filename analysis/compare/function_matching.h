/* SPDX-License-Identifier: Apache-2.0 */
/* function_matching.h — numbers that are equal where the functions of two profiles are the same
 *
 * What is the same is decided as `ptk diff` does (diff.h). */
#ifndef PTK_ANALYSIS_COMPARE_FUNCTION_MATCHING_H
#define PTK_ANALYSIS_COMPARE_FUNCTION_MATCHING_H

#include "analysis/compare/diff.h"

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

#endif
