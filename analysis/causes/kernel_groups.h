/* SPDX-License-Identifier: Apache-2.0 */
/* kernel_groups.h — a device's kernels by the calls that are alike: same operator, same inputs */
#ifndef PTK_ANALYSIS_CAUSES_KERNEL_GROUPS_H
#define PTK_ANALYSIS_CAUSES_KERNEL_GROUPS_H

#include "analysis/causes/unfused.h"
#include "analysis/work/work.h"
#include "base/memory/arena.h"
#include "graph/model/graph.h"

/* Operators that are alike, with all kernels that they launched; or, where nothing says what they
 * compute, the launches of one kernel. */
struct kernel_group {
    int32_t device;
    frame_id frame;      /* the operator, or the kernel */
    str_id shapes;       /* of the operator's inputs, as in the file; 0: there is no operator */
    int64_t calls;       /* of the operator; launches of the kernel */
    int64_t time;        /* ns of the kernels */
    int64_t layout_time; /* ns of those that only put a tensor into another order */
    event_id owner;      /* the operator's first call; NO_EVENT */
    frame_id kernel;     /* which takes the most time, */
    int64_t kernel_time; /* ns of its launches, */
    event_id longest;    /* and the longest of them */
    bool has_work;
    enum unfused unfused : 8; /* a part of what one operator could do */
    int64_t chain_time;  /* ns of its kernels in chains of elementwise kernels over equally many
                          * elements, one behind the other on their stream, */
    double chain_saving; /* and what of that one kernel in a chain's place would not take */
    enum precision precision; /* of the work; PRECISION_UNKNOWN */
    struct work work;         /* of the first call; the others' is the same, but for the rows of
                               * UNFUSED_EXPERTS */
    double flops, bytes;      /* of all calls */
};

struct kernel_groups {
    struct kernel_group *list; /* in the order of their first launches; in the arena */
    uint32_t count;
};

/* Kernels that begin in [start, end). Needs LEVEL_TIMELINE with launches, and what event_work()
 * wants. */
void kernel_groups_find(const struct graph *graph, int64_t start, int64_t end, struct arena *arena,
                        struct kernel_groups *groups);

#endif
