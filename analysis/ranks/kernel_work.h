/* SPDX-License-Identifier: Apache-2.0 */
/* kernel_work.h — what a rank's device did in each step, in which order, and what each had to wait
 * for */
#ifndef PTK_ANALYSIS_RANKS_KERNEL_WORK_H
#define PTK_ANALYSIS_RANKS_KERNEL_WORK_H

#include "analysis/ranks/job_shard.h"
#include "analysis/timeline/inventory.h"
#include "base/text/string_table.h"
#include "graph/model/graph.h"

#define NO_ITEM UINT32_MAX

/* One kernel, copy, fill or collective. */
struct work_item {
    event_id event;
    int64_t start, end; /* ns since the timeline's origin */
    int64_t step;       /* its number */
    int64_t call;       /* correlation: calls of the host are in order of it */
    uint32_t lane;      /* its stream, over all devices */
    str_id label;       /* the range that covers it, else its name */
    uint64_t name_hash;
    int64_t held;                    /* ns that it waited for what is not in waits */
    int64_t delay;                   /* ns that it began later than what it waits for had ended */
    uint32_t before;                 /* on its stream, or NO_ITEM */
    uint32_t first_wait, wait_count; /* of others: in waits */
    uint32_t op;                     /* for the caller */
    bool is_collective, is_source, is_ranged; /* under a range; a collective, others wait for it */
    bool is_folded;                           /* a collective that is taken for other work */
};

struct kernel_work {
    struct work_item *items; /* by step, start, call */
    uint32_t count;
    struct VECTOR_OF(uint32_t) waits; /* items that others wait for */
    uint32_t flags;                   /* enum rank_flag */
    uint32_t lanes;
};

/* Work belongs to the step in which the host launched it; what is in none is left out. Needs the
 * properties of rank_summaries_properties(). kernel_work_free() in any case. */
void kernel_work_find(const struct graph *graph, struct kernel_work *work);

/* The number of the step in which the host launched it, 0 where the file marks none; false where it is in
 * none of those marked. */
bool work_step_of(const struct graph *graph, const struct steps *steps, event_id event,
                  int64_t *number);

/* Leaves out waits that held work back for less than `gap` ns, which is in `held` of it then. The waits
 * of collectives, and for them, remain. */
void kernel_work_thin_waits(struct kernel_work *work, int64_t gap);

/* A step's figures, from its items. */
void kernel_work_measure(const struct kernel_work *work, uint32_t first, uint32_t end,
                         int64_t figure[ROW_COUNT]);

void kernel_work_free(struct kernel_work *work);

#endif
