/* SPDX-License-Identifier: Apache-2.0 */
/* job_model.h — a job's work as a program that can be run again with other lengths
 *
 * Of every rank's operations: what each waits for, which ones are one collective, how long each
 * took (of a collective: since the last of its ranks had begun it), and how late the host let it
 * begin. */
#ifndef PTK_ANALYSIS_JOB_JOB_MODEL_H
#define PTK_ANALYSIS_JOB_JOB_MODEL_H

#include "graph/model/job_part.h"

enum job_ideal { IDEAL_MEAN, IDEAL_MEDIAN, IDEAL_MIN, IDEAL_COUNT };

struct job_change;

/* No job has more ranks. */
#define JOB_RANKS_MOST (1u << 24)

struct rank_range {
    uint32_t first, last; /* below JOB_RANKS_MOST */
};

struct job_options {
    enum job_ideal ideal; /* of computing; of transfers the median where this is the mean */
    int64_t step;         /* this one alone; NOT_KNOWN: all */
    const struct job_change *changes; /* what if these were otherwise: see job_what_if.h */
    uint32_t change_count;
    struct job_part *logs; /* of the same ranks, which tell who hangs; or NULL */
    const struct rank_range *expected; /* who should be there, ascending; none: all of the world */
    uint32_t expected_count;
};

/* One rank that takes part. */
struct job_worker {
    uint32_t leaf; /* of the part */
    uint32_t rank, stage, dp, tp;
    int64_t *offset;  /* by step: of its clock after that of the smallest rank, ns */
    int64_t residual; /* of that, ns; NOT_KNOWN */
    bool is_aligned;  /* some collective ties it to the smallest rank */
};

struct job_step {
    int64_t number;
    int64_t begin, end; /* ns on the smallest rank's clock */
    uint32_t first_op;
};

/* Operations in an order in which each comes after all that it waits for; those of a collective are
 * one after the other. Columns are the arena's. */
struct job_model {
    const struct job_part *part;
    int64_t *number_shift;      /* by leaf: how much higher it counts steps than most */
    struct job_worker *workers; /* by rank */
    uint32_t worker_count;
    uint32_t *left_out; /* ranks without the steps that most have */
    uint32_t left_out_count;
    struct job_step *steps;
    uint32_t step_count;
    uint32_t other_steps; /* that not all have */
    uint32_t stage_count, dp_count;

    uint32_t op_count;
    int64_t *length, *delay;
    uint32_t *worker, *stage, *dp, *label, *type, *group; /* group: of the part, plus 1; 0: none */
    uint32_t *unit_end; /* at the first operation of a unit: where it ends */
    uint32_t *first_dep, *dep;
    str_id *labels;    /* by `label` */
    bool *is_transfer; /* by label */
    uint32_t label_count, type_count;
    uint8_t *type_kind; /* enum operation_kind */

    uint64_t joins, lacking; /* collectives, and those of which a rank is not there */
    int64_t lacking_wait;    /* ns that these took beyond what is typical: waiting for the absent */
    int64_t unmatched;       /* ns of operations whose type one rank alone has */
    uint32_t circles;        /* operations that wait for each other: their order was broken */
};

/* Which step of a leaf is that of a number; UINT32_MAX: it does not have it. */
uint32_t job_step_in(const struct job_model *model, uint32_t leaf, int64_t number);

/* The part must be sealed, all of it. False with ERROR_LACK where no steps are common. */
MUST_CHECK bool job_model_make(const struct job_part *part, const struct job_options *options,
                               struct arena *arena, struct job_model *model, struct error *err);

/* Whether an operation is a collective or a transfer that this worker's rank takes part in. */
bool job_is_transfer_of(const struct job_model *model, uint32_t op, uint32_t worker);

/* What is typical of operations' `values`, lengths or delays, by operation; ns. `key`: what besides
 * the type makes operations equal, by operation, or NULL. The arena's. */
int64_t *job_typical(const struct job_model *model, const int64_t *values, enum job_ideal ideal,
                     const uint32_t *key, struct arena *arena);

/* ---- running it again ---- */

/* What a run is made of; columns by operation. */
struct job_run {
    const int64_t *length;
    const int64_t *delay; /* or NULL: the host delays nothing */
};

/* Mean length of a step, ns. `ends`: room for an end by operation. `steps`: by step, or NULL. */
double job_replay(const struct job_model *model, const struct job_run *run, int64_t *ends,
                  int64_t *steps);

#endif
