/* SPDX-License-Identifier: Apache-2.0 */
/* job.h — the whole answer about a job: its model, its figures, what slows it */
#ifndef PTK_ANALYSIS_JOB_JOB_H
#define PTK_ANALYSIS_JOB_JOB_H

#include "analysis/job/job_causes.h"
#include "analysis/job/job_what_if.h"

struct job {
    struct job_model model;
    struct job_figures figures;
    struct job_findings findings;
    const struct job_change *changes; /* that were asked about */
    uint32_t change_count;
    struct job_outcome outcome; /* of these */
    bool is_measured;           /* else there are findings alone, as no step is whole */
    struct job_missing missing;
    uint32_t world; /* ranks that are there, and that are missing */
};

/* Seals all groups of the part first. Everything is the arena's. */
MUST_CHECK bool job_analyze(struct job_part *part, const struct job_options *options,
                            struct arena *arena, struct job *job, struct error *err);

#endif
