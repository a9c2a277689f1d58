/* SPDX-License-Identifier: Apache-2.0 */
/* job_replay.h — a job's program run again with other lengths */
#ifndef PTK_ANALYSIS_RANKS_JOB_REPLAY_H
#define PTK_ANALYSIS_RANKS_JOB_REPLAY_H

#include "analysis/ranks/job.h"

/* As analysis/execution/replay.h does with one rank's tasks, but the two loops share only the latest of
 * what came before. There a dependency has a kind and a lag, may be ignored, and a wait ends when it
 * did. Here the delay is the operation's, those of a collective begin together, and each step begins at
 * 0. The same loop could run both if each collective were a task of its own: the ends are equal, but the
 * program of 117,216 operations takes 7.6 MB instead of 3.2. A variant that changes one rank would then
 * look at all ranks of each collective again, where it now looks at the rank that changed. */

/* What a run is made of; columns by operation. */
struct job_run {
    const int64_t *length;
    const int64_t *delay; /* or NULL: the host delays nothing */
    bool has_waits; /* who is not there comes so long after the others as he did; else with them */
    /* By the first operation of a unit that lacks a rank: when that comes, ns since the step's begin. Only of
     * job_replay(); or NULL. */
    const int64_t *release;
};

/* When an operation may begin, as far as its own rank goes. */
static inline int64_t job_ready_at(const struct job_model *model, const struct job_run *run,
                                   const int64_t *ends, uint32_t op)
{
    int64_t ready = 0;

    for (uint32_t d = model->first_dep[op]; d < model->first_dep[op + 1]; d++)
        ready = ends[model->dep[d]] > ready ? ends[model->dep[d]] : ready;
    /* its host delays it, and it waits for who is not there */
    ready = checked_add(ready, run->delay ? run->delay[op] : 0);
    return checked_add(ready, run->has_waits && model->wait ? model->wait[op] : 0);
}

/* Mean length of a step, ns. `ends`: room for an end by operation. `steps`: by step, or NULL. */
double job_replay(const struct job_model *model, const struct job_run *run, int64_t *ends,
                  int64_t *steps);

/* A run that others are like but for some operations. Columns are the arena's. */
struct job_base {
    const struct job_model *model;
    struct job_run run;
    int64_t *begin; /* of a unit, by its first operation */
    int64_t *ends;  /* by operation */
    int64_t *steps; /* by step: how long it is */
    double step;    /* their mean, ns */
};

void job_base_make(const struct job_model *model, struct job_run run, struct arena *arena,
                   struct job_base *base);

/* The base's run with some operations as they are in another. */
struct job_variant {
    const struct job_base *base;
    struct job_run run;  /* the other */
    const uint32_t *ops; /* those that are as in it, in any order */
    uint32_t count;
    double *result; /* mean length of a step, ns: as job_replay() would have it */
};

/* Runs them all, each as long as what it changes takes: fastest where those of one base, or of two
 * that take turns, come one after the other. */
void job_variants_run(struct job_variant *list, size_t count);

#endif
