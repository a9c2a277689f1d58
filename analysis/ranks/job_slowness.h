/* SPDX-License-Identifier: Apache-2.0 */
/* job_slowness.h — who takes longer for the same work than the others, in most of his operations */
#ifndef PTK_ANALYSIS_RANKS_JOB_SLOWNESS_H
#define PTK_ANALYSIS_RANKS_JOB_SLOWNESS_H

#include "analysis/ranks/job.h"

/* Owners are workers, by what they compute, or groups, by their transfers. An owner's ratio is the time of its
 * operations over what the same operations take those who are not slow, both by medians: long tails of some
 * operations move neither. Who is slow is left out of what is typical.
 *
 * Workers stand in the order of their ratios. The first gap between two of them that noise does not explain
 * parts those who are slow from the others, if those are a quarter at least. Groups are compared with the fastest of
 * their kind, between hosts or within. Who is slow is so in half of the steps at least, and in two. */

struct slow_owner {
    uint32_t owner;
    double ratio;
};

struct slowness {
    uint32_t
        *cell; /* by operation: of one type and owner; UINT32_MAX: of none that can be compared */
    double *ratio;   /* by cell: its median over what is typical of its type; NaN: not known */
    double *excess;  /* by cell: ns beyond the typical, of all of its operations; 0 */
    uint32_t *owner; /* by cell */
    uint32_t *type;  /* by cell: as model->type; of a group's transfers a class of these */
    uint32_t cell_count;
    struct slow_owner *slow; /* the slowest first */
    uint32_t slow_count;
};

/* Who computes slowly, by worker, and whose transfers are slow, by group; with operations that take `length`. Everything
 * is the arena's. */
void slow_workers_find(const struct job_model *model, const int64_t *length, struct arena *arena,
                       struct slowness *found);
void slow_groups_find(const struct job_model *model, const int64_t *length, struct arena *arena,
                      struct slowness *found);

/* What an owner's operations take beyond the typical, those that do; ns. */
double slowness_excess(const struct slowness *slow, uint32_t owner);

/* ---- whose host is late ---- */

/* By worker and step, how long its host delays its work, beside what is usual in that step: the median of all workers.
 * Who is late in one step is late by the limit `late` of it. That it is late at all must repeat: in two steps at least,
 * and in more than chance gives with as many late steps as the others have. */
struct late_hosts {
    double *delay;  /* by worker and step: ns */
    double *usual;  /* by step: ns */
    bool *is_late;  /* by worker and step */
    uint32_t *list; /* workers whose host is late, the latest first */
    uint32_t count;
};

void late_hosts_find(const struct job_model *model, const int64_t *delay, struct arena *arena,
                     struct late_hosts *found);

#endif
