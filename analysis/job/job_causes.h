/* SPDX-License-Identifier: Apache-2.0 */
/* job_causes.h — what slows a job, found by making one thing after the other typical
 *
 * Candidates are ranks, stages, data-parallel ranks, links (the transfers of a rank) and hosts (the
 * delays of a rank's host). That whose being typical makes steps shortest is the cause; of those
 * that come to nearly the same the most particular. Then the same again with the cause gone. */
#ifndef PTK_ANALYSIS_JOB_JOB_CAUSES_H
#define PTK_ANALYSIS_JOB_JOB_CAUSES_H

#include "analysis/job/job_figures.h"

enum job_cause {
    CAUSE_MISSED, /* a rank never entered a collective that others wait in */
    CAUSE_MISMATCH,
    CAUSE_STUCK,     /* all entered it, but the devices of some have not begun it */
    CAUSE_ORDER,     /* ranks entered two groups in different orders, and wait for each other */
    CAUSE_UNDECIDED, /* others wait for who has no file */
    CAUSE_LONG,      /* a rank is longest in collectives of which only lengths are known */
    CAUSE_LATE,      /* a rank comes last nearly always: of logs that tell nothing else */
    CAUSE_FOREIGN,   /* ranks that are of another run, as it seems */
    CAUSE_LOADER,    /* the host begins a rank's steps late */
    CAUSE_HOST,      /* hosts delay work all over the step */
    CAUSE_LINK,
    CAUSE_RANK,
    CAUSE_RANKS,
    CAUSE_DP,
    CAUSE_STAGE,
    CAUSE_TYPE, /* one type of operation everywhere */
    CAUSE_MISSING_RANK,
    CAUSE_CLOCK,
    JOB_CAUSE_COUNT
};

/* "slow-rank": a contract. */
const char *job_cause_name(enum job_cause cause);

enum { CAUSE_RANKS_MOST = 8 };

struct job_finding {
    enum job_cause cause;
    uint32_t ranks[CAUSE_RANKS_MOST]; /* the first is the culprit */
    uint32_t rank_count, all_ranks;   /* all_ranks: with those that there was no room for, or 0 */
    int32_t stage, dp;                /* or -1 */
    str_id label;                     /* operations in which it shows; 0: none */
    double excess;                    /* by which these take longer than others'; NaN */
    double with, without;             /* mean step, ns; NaN where it is not about time */
    bool is_hidden;                   /* gains only with the next: each is as slow as the other */
    int64_t delay;                    /* ns a step, or of a clock in the first step */
    int64_t last_delay;               /* of a clock in the last step */
    int64_t sequence;                 /* of a collective */
    int64_t size, usual_size;         /* of it, bytes: as the first rank has it, and as others do */
    bool is_log;                      /* the culprit's file has only what ended: it has no record */
    bool is_transfer;                 /* it is one: the ranks are who receives and who sends */
    int64_t times, joins;             /* how often a rank came last, of how many */
    str_id group, operation, host;
    str_id other_group; /* that waits for this one; of CAUSE_ORDER; its operation is `before` */
    str_id before;      /* what the rank did last before it */
};

struct job_findings {
    struct job_finding *list;
    uint32_t count;
};

/* Ranks that should be there and that no leaf is of. */
struct job_missing {
    uint32_t *ranks;
    uint32_t count;
};

/* `figures`: NULL where no step could be measured, but somebody missed a collective. */
void job_findings_make(const struct job_model *model, const struct job_figures *figures,
                       const struct job_missing *missing, struct arena *arena,
                       struct job_findings *findings);

#endif
