/* SPDX-License-Identifier: Apache-2.0 */
/* job_figures.h — how much slower a job is than without stragglers, and which part of it makes it
 * so
 *
 * After "Understanding Stragglers in Large Model Training Using What-if Analysis" (2025). T(x) is
 * the mean length of a step when operations take x: d as recorded, m as is typical of their type.
 * S = T(d) / T(m). S_X = T(d of X, m of the rest) / T(m): how slow X alone makes the job. M_X =
 * (T(d) − T(m of X, d of the rest)) / (T(d) − T(m)): which part of the loss is gone without X. */
#ifndef PTK_ANALYSIS_JOB_JOB_FIGURES_H
#define PTK_ANALYSIS_JOB_JOB_FIGURES_H

#include "analysis/job/job_model.h"

/* Below this S there is nothing to explain, and M is not defined (NaN). */
#define JOB_SLOW_FROM 1.03

struct job_share {
    uint32_t of;     /* label, stage, data-parallel rank or worker */
    double slowdown; /* S_X */
    double
        estimate; /* of a worker: the paper's, the lesser of its stage's and its data-parallel rank's */
    double removed;   /* M_X, or NaN */
    double added;     /* (T(d of X, m of the rest) − T(m)) / (T(d) − T(m)), or NaN */
    uint32_t slowest; /* of a worker: in how many steps its work is most beyond the typical */
    double host;      /* of a worker: T(m) with its host's delays over T(m) */
    int64_t delay;    /* of a worker: ns a step that it begins later than the first rank */
};

struct job_figures {
    double recorded, replayed, ideal; /* mean step, ns: as recorded, T(d), T(m) */
    double with_delays;               /* T(d) with the host's delays; should be as recorded */
    int64_t *step_recorded, *step_replayed, *step_ideal; /* by step */
    uint32_t *step_slowest; /* the worker whose work is most beyond the typical */
    double slowdown, launch_slowdown;
    double host_slowdown;                /* T(m) with all host delays over T(m) */
    double jitter, over_dp, over_stages; /* S with what is typical of a place, of a stage, of all */
    struct job_share *types, *stages, *dps, *workers; /* the slowest first */
    uint32_t type_count, stage_count, dp_count, worker_count;
    uint32_t exact_count; /* workers that were replayed by themselves; the others are estimates */
    double m_w, m_w_added, m_s, m_s_added; /* NaN below JOB_SLOW_FROM */
    uint32_t *worst;                       /* workers that M_W is about */
    uint32_t worst_count;
    int64_t *ideals;    /* by operation */
    double unmatched;   /* share of time that only one rank has the like of */
    double correlation; /* of forward and backward over microbatches; NaN */
};

void job_figures_compute(const struct job_model *model, const struct job_options *options,
                         struct arena *arena, struct job_figures *figures);

#endif
