/* SPDX-License-Identifier: Apache-2.0 */
/* group.h — the same profile by something other than functions: --by file, module, kind */
#ifndef PTK_ANALYSIS_SELECTION_GROUP_H
#define PTK_ANALYSIS_SELECTION_GROUP_H

#include "base/attr.h"
#include "base/cli/error.h"
#include "graph/model/graph.h"

enum group_by {
    BY_FUNCTION,      /* as the parser tells them apart: name, file, line, module, kind */
    BY_NAME,          /* by name alone, what pprof calls functions */
    BY_FILE_FUNCTION, /* name and file */
    BY_FILE,
    BY_MODULE,
    BY_LINE,    /* DETAIL_LINE where the file has it, else as functions */
    BY_ADDRESS, /* DETAIL_ADDRESS */
    BY_KIND,
    BY_PACKAGE, /* frame_package() */
    BY_TRACK,
    BY_CATEGORY, /* what device work computes; of the host as the file calls it */
    BY_STEP,
    BY_DETAIL,
    BY_LABEL,    /* the outermost frame, which says what label a sample has */
    BY_TAG_ROOT, /* functions still, below that frame */
    BY_TAG_LEAF  /* functions, and that frame innermost */
};

extern const char *const group_names[]; /* in the order of the enum; ends with NULL */

/* By frame, that of its group, which has the kind of its first frame; in the arena. */
frame_id *group_frames(struct graph *graph, enum group_by by, struct arena *arena);

/* Merges the graph's frames. Exact on a call tree. On a call graph a group's self and calls are
 * exact; its cum counts the calls that enter it from other groups, at most the whole, which is
 * too much where groups call each other back, and a warning says so. False with ERROR_LACK when
 * the profile does not know what is asked. */
MUST_CHECK bool group_apply(struct graph *graph, enum group_by by, struct error *err);

/* Merges functions that are one: `group` says by frame which it becomes. */
MUST_CHECK bool group_functions_as(struct graph *graph, const frame_id *group, struct error *err);

#endif
