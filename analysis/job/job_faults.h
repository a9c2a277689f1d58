/* SPDX-License-Identifier: Apache-2.0 */
/* job_faults.h — what is wrong with a job or its traces, rather than slow: collectives that ranks
 * missed, ranks that are missing or of another run, clocks that are off */
#ifndef PTK_ANALYSIS_JOB_JOB_FAULTS_H
#define PTK_ANALYSIS_JOB_JOB_FAULTS_H

#include "analysis/job/job_causes.h"

/* So many findings at most. */
enum { FINDINGS_MOST = 64 };

/* A finding about nothing yet, or NULL where there are too many. */
struct job_finding *job_finding_add(struct job_findings *findings, enum job_cause cause);

/* Why ranks wait for each other without an end, or, in logs of communication, always for the same.
 * Groups that were entered in different orders first; then the collective that nobody had entered
 * another of before, which is the cause of those that follow. */
void job_faults_hangs(const struct job_part *part, struct job_findings *findings);

/* One finding for all ranks whose collectives do not end when those of the others do, whatever their
 * clocks. */
void job_faults_foreign(const struct job_part *part, struct job_findings *findings);

/* The lists are the arena's. */
void job_missing_find(const struct job_part *part, const struct job_options *options,
                      struct arena *arena, struct job_missing *missing);
void job_faults_missing(const struct job_missing *missing, struct job_findings *findings);
void job_faults_clocks(const struct job_model *model, struct job_findings *findings);

#endif
