/* SPDX-License-Identifier: Apache-2.0 */
/* source_lines.h — what each line of source costs, function by function
 *
 * For profiles whose frames are lines (DETAIL_LINE): a function is all lines of one name and
 * file, and where the profile tells it of one beginning: an overload, or one without a name. */
#ifndef PTK_ANALYSIS_FUNCTIONS_SOURCE_LINES_H
#define PTK_ANALYSIS_FUNCTIONS_SOURCE_LINES_H

#include "base/text/pattern.h"
#include "graph/model/graph.h"

struct lines_function {
    uint32_t first, count; /* its lines in `lines`, ascending */
    frame_id frame;        /* of its first line; name and file are the function's */
    int64_t self;          /* of all its lines */
    int64_t cum;           /* with what they call, recursion once; UNKNOWN where lines do not tell */
};

struct lines {
    struct lines_function *functions; /* the costliest first */
    uint32_t count;
    uint32_t left_out; /* functions past the limit */
    uint32_t *rows;    /* indices into graph->functions */
    uint32_t row_count;
    int64_t total;    /* self of all lines */
    bool has_hits;    /* how often each line ran is known */
    bool has_callees; /* some line's cumulative figure is not its own */
};

/* The graph must have LEVEL_FLAT and frames that are lines. Where it was made of stacks it tells
 * `cum` only if it has LEVEL_CALLTREE, too. `limit`: functions; 0 is all.
 * `is_wanted` by frame; NULL: all. The total is that of all, but for
 * idle time, which has no lines. */
void lines_compute(const struct graph *graph, const bool *is_wanted, uint32_t limit,
                   struct arena *arena, struct lines *lines);

#endif
