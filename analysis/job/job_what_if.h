/* SPDX-License-Identifier: Apache-2.0 */
/* job_what_if.h — how long a job's steps would take with some of its work otherwise
 *
 * What a change is about gets typical lengths or is so many times faster, and all steps are run
 * again, with the hosts' delays. Of several changes that are about an operation the first counts.
 *
 * Where traces do not say what waited for what, operations may wait in the replay for more than
 * they had to: then the replay is the most that steps take. The least is what no order goes below:
 * work that is done at one time saves time once, so no chain of operations gets shorter by more
 * than the time in which something changed was going on, nor by more than all of it gets shorter. */
#ifndef PTK_ANALYSIS_JOB_JOB_WHAT_IF_H
#define PTK_ANALYSIS_JOB_JOB_WHAT_IF_H

#include "analysis/job/job_model.h"

enum job_subject {
    ABOUT_RANK,
    ABOUT_STAGE,
    ABOUT_DP,
    ABOUT_TYPE,
    ABOUT_LINK, /* the transfers of a rank, or those between two alone */
    ABOUT_HOST, /* the delays of a rank's host */
};

struct job_change {
    const char *text; /* as the user said it */
    enum job_subject subject;
    uint32_t value, other; /* rank, stage, data-parallel rank; a link's other end, or UINT32_MAX */
    struct span type;      /* of ABOUT_TYPE, as the report calls it */
    bool is_scaled;
    enum job_ideal ideal; /* lengths become typical ones, */
    double factor;        /* or this many times shorter */
};

struct job_effect {
    uint32_t operations;
    double time, time_after; /* ns a step, summed */
    double step;             /* mean step with this change alone, ns */
};

struct job_outcome {
    double before, after; /* mean step, ns */
    double least, most; /* between which `after` must lie; both are `after` where order is known */
    bool is_bounded;    /* the order of operations is inferred */
    struct job_effect *effects; /* by change */
};

/* Everything is the arena's. False with ERROR_USAGE where a change is about what is not there. */
MUST_CHECK bool job_what_if(const struct job_model *model, const struct job_change *changes,
                            uint32_t count, struct arena *arena, struct job_outcome *outcome,
                            struct error *err);

#endif
