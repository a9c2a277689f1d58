/* SPDX-License-Identifier: Apache-2.0 */
/* job_names.h — along which dimension of a job the ranks of a process group differ */
#ifndef PTK_GRAPH_CLASSIFY_JOB_NAMES_H
#define PTK_GRAPH_CLASSIFY_JOB_NAMES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/memory/span.h"

/* ---- the operations of traces that tell a training job's phases, not its kernels ---- */

/* Such a trace has a few events a step and rank: forward-compute, grads-reduce-scatter and so on,
 * on threads called "PP rank 1, TP rank 0, compute" (the traces of "Understanding Stragglers in
 * Large Model Training Using What-if Analysis", 2025). */

enum training_phase {
    PHASE_FORWARD,
    PHASE_BACKWARD,
    PHASE_FORWARD_SEND,
    PHASE_FORWARD_RECV,
    PHASE_BACKWARD_SEND,
    PHASE_BACKWARD_RECV,
    PHASE_GATHER,    /* of parameters, over data-parallel ranks */
    PHASE_SCATTER,   /* of gradients, likewise */
    PHASE_SEPARATE,  /* reduction of the gradients that overlap the backward pass */
    PHASE_EMBEDDING, /* gradients that the first and the last stage share */
    PHASE_LAYERNORM, /* gradients over tensor-parallel ranks, of which one is recorded */
    PHASE_CLIP,      /* the one join of all ranks */
    PHASE_COLLECT_GARBAGE,
    PHASE_OPTIMIZER,
    PHASE_COUNT
};

/* PHASE_COUNT: it is none of these. */
enum training_phase training_phase_of(struct span name);

/* As the trace calls it: "forward-send". */
struct span training_phase_name(enum training_phase phase);

/* "forward-send" and "forward-recv" are one to people: "forward-pp-comm". */
struct span training_phase_label(enum training_phase phase);

/* What a thread's name says; false when it says nothing of the kind. */
bool training_phase_thread(struct span name, uint32_t *stage, uint32_t *tensor);

/* ---- along which dimension of a job the ranks of a process group differ ---- */

/* Megatron's groups say so in words (TENSOR_MODEL_PARALLEL_GROUP), others in short (tp, mesh_dp). */

enum parallel_dimension {
    DIMENSION_TENSOR,
    DIMENSION_DATA,
    DIMENSION_PIPELINE,
    DIMENSION_COUNT,
    DIMENSION_NONE = DIMENSION_COUNT /* it does not say, or it is another */
};

enum parallel_dimension parallel_dimension_of(struct span use);

#endif
