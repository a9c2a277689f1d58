/* SPDX-License-Identifier: Apache-2.0 */
/* callgraph_difference.h — a call graph of what one profile has more than another */
#ifndef PTK_ANALYSIS_COMPARE_CALLGRAPH_DIFFERENCE_H
#define PTK_ANALYSIS_COMPARE_CALLGRAPH_DIFFERENCE_H

#include "base/attr.h"
#include "base/cli/error.h"
#include "graph/model/graph.h"

/* AFTER less BEFORE, in every figure of every path or call: less than 0 where something shrank.
 * Functions are the same as `ptk diff` decides. Shares are of BEFORE, or of AFTER where that is
 * empty. Both profiles are used up: only to be freed; what is made is the caller's to free, too.
 * Both must have LEVEL_FLAT and all above it that they hold, but for timelines. False with
 * ERROR_USAGE when the two count different things. */
MUST_CHECK bool difference_make(struct graph *before, struct graph *after, struct graph *made,
                                struct error *err);

#endif
