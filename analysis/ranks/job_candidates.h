/* SPDX-License-Identifier: Apache-2.0 */
/* job_candidates.h — what may slow a job, one round after the other */
#ifndef PTK_ANALYSIS_RANKS_JOB_CANDIDATES_H
#define PTK_ANALYSIS_RANKS_JOB_CANDIDATES_H

#include "analysis/ranks/job_slowness.h"
#include "analysis/ranks/job_replay.h"

/* The lengths and delays that are left when the causes found so far are gone. */
struct trial {
    const struct job_model *model;
    const struct job_figures *figures;
    const struct job_links *links; /* by enum link_class */
    bool has_fast[LINKS_COUNT];    /* these are at their peak by now */
    int64_t *length, *delay; /* so far */
    int64_t *try_length, *try_delay, *ends;
    uint32_t *stage_of, *dp_of; /* by worker */
    const int64_t *release;     /* as struct job_run has it; NULL where nobody lacks */
    double step;                /* ns, so far */
    double bare;                /* ns, so far, if nobody who is not there were waited for */
    struct slowness workers, groups;
    struct late_hosts late;
    struct arena round; /* of what is found in one round */
};

struct candidate {
    enum job_cause cause;
    uint32_t value; /* worker, stage, data-parallel rank or link class */
    const struct slowness
        *slow;      /* lengths of its cells are divided by `factor`; NULL: it is about delays */
    double *factor; /* by cell; 0: it is not about it */
    uint32_t *owners, owner_count; /* workers or groups, the slowest first */
    double step, bare;             /* ns, without it */
};

struct job_candidates {
    struct candidate *list;
    uint32_t count;
};

/* What may be the cause with the lengths and delays so far; in trial->round, which is emptied first. */
void job_candidates_list(struct trial *trial, struct job_candidates *candidates);

#endif
