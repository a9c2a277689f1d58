/* SPDX-License-Identifier: Apache-2.0 */
/* kernel_sequences.h — kernels that one operator launches one after the other, again and again */
#ifndef PTK_ANALYSIS_TIMELINE_KERNEL_SEQUENCES_H
#define PTK_ANALYSIS_TIMELINE_KERNEL_SEQUENCES_H

#include "base/memory/memory.h"
#include "graph/model/graph.h"

/* A sequence is two kernels or more on one stream that one call of the host launched, with nothing of another call between.
 * Sequences of one function with the same kernels in the same order are one row; it recurs if there are two.
 *
 * One kernel in the place of all would save at most the gaps between them and the time of those that only move data from and
 * to memory: what products, convolutions, attention and experts compute has to be computed all the same. */
struct kernel_sequence {
    frame_id owner;  /* the operator */
    int64_t count;   /* how often */
    int64_t kernels; /* in it */
    int64_t time;    /* ns: of all of its kernels, */
    int64_t gaps;    /* ... between the end of one and the start of the next, */
    int64_t most;    /* ... that fusing would save at most */
    const frame_id *frames; /* of the kernels, in order; the arena's */
};

struct kernel_sequences {
    struct kernel_sequence *list; /* what could save most first; in the arena */
    uint32_t count;
    int64_t most; /* of all */
};

/* `of_any_kind`: the owner is the outermost event on its thread; else the outermost operator. Needs LEVEL_TIMELINE with
 * launches. */
void kernel_sequences_find(const struct graph *graph, bool of_any_kind, struct arena *arena,
                           struct kernel_sequences *sequences);

#endif
