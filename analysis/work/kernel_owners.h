/* SPDX-License-Identifier: Apache-2.0 */
/* kernel_owners.h — whose work a kernel does: the innermost operator whose work is known around the
 * call that launched it, or that captured it, which its kernels share by their time */
#ifndef PTK_ANALYSIS_WORK_KERNEL_OWNERS_H
#define PTK_ANALYSIS_WORK_KERNEL_OWNERS_H

#include "graph/classify/kernel_class.h"
#include "graph/model/graph.h"

struct kernel_owners {
    const struct graph *graph;
    event_id *owner;    /* by event: the innermost operator around it whose work is known; of a
                         * graph's kernel the first that the same operator captured; NULL, as are
                         * the others, where no operator's is */
    int64_t *kernel_ns; /* by owner: how long the kernels ran that share its work */
    uint8_t *precision; /* by owner: enum precision that the names of its matrix kernels
                         * tell; PRECISION_UNKNOWN */
};

/* Needs LEVEL_TIMELINE with launches, and what event_work() wants. */
void kernel_owners_find(struct kernel_owners *owners, const struct graph *graph);

/* The event that stands for the operator, for event_work() and event_call(), or NO_EVENT. */
event_id kernel_owner(const struct kernel_owners *owners, event_id kernel);

/* Whether the kernel does a part of its owner's work: copies beside a product of matrices only move
 * what it reads or writes. */
bool kernel_shares_work(const struct graph *graph, event_id kernel, event_id owner);

void kernel_owners_free(struct kernel_owners *owners);

#endif
