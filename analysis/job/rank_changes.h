/* SPDX-License-Identifier: Apache-2.0 */
/* rank_changes.h — the ranks that two jobs have in common, and what a step of each took in both */
#ifndef PTK_ANALYSIS_JOB_RANK_CHANGES_H
#define PTK_ANALYSIS_JOB_RANK_CHANGES_H

#include "graph/model/job_part.h"

/* A rank of both: the mean over its steps of each figure, in that figure's unit. */
struct rank_change {
    uint32_t rank;
    int64_t old[ROW_COUNT], new[ROW_COUNT];
};

struct rank_changes {
    struct rank_change *list; /* in the arena; the largest change of a step's length first */
    uint32_t count;
};

/* Ranks that have no whole step in one of the two are left out. Both parts are sealed. */
void rank_changes_find(const struct job_part *before, const struct job_part *after,
                       struct arena *arena, struct rank_changes *changes);

#endif
