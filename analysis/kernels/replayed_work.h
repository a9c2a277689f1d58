/* SPDX-License-Identifier: Apache-2.0 */
/* replayed_work.h — the work of replayed graphs without a capture, inferred from steps without graphs */
#ifndef PTK_ANALYSIS_KERNELS_REPLAYED_WORK_H
#define PTK_ANALYSIS_KERNELS_REPLAYED_WORK_H

#include "analysis/kernels/work.h"

/* A server runs long prompts operator by operator, and replays graphs for the steps between: the model, and
 * so the weights, are the same. A step with graphs is matched with one without whose products, attention
 * and experts follow one another in the same order; the k-th kernel of one then does what the k-th operator
 * of the other does, for the tokens of its own step.
 *
 * The label of the step has its tokens: the low end of a bracket. The graph may be larger: the high end is the
 * padded size in the label, else the most tokens of any step that launched the same graph. Without labels only
 * the low end is known: one token, which reads all weights. */

struct replayed_call {
    struct work work;
    frame_id frame;    /* the operator */
    int64_t kernel_ns; /* how long its kernels ran, which share its work */
    enum precision precision; /* in their names */
};

/* Ready for use when zeroed. */
struct replayed_work {
    VECTOR(struct replayed_call);
    struct idmap of_kernel; /* in the list, by event */
};

void replayed_work_find(const struct kernel_owners *owners, struct replayed_work *replayed);

/* NULL: the kernel has an owner, or its work is not known. */
const struct replayed_call *replayed_work_of(const struct replayed_work *replayed, event_id kernel);

void replayed_work_free(struct replayed_work *replayed);

#endif
