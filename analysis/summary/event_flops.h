/* event_flops.h — the floating point operations of events and of all inside them
 *
 * By Paddle's formulas in Paddle's traces, else by analysis/work/operator_work.h. */
#ifndef PTK_ANALYSIS_SUMMARY_EVENT_FLOPS_H
#define PTK_ANALYSIS_SUMMARY_EVENT_FLOPS_H

#include "analysis/summary/host_tree.h"
#include "base/memory/idmap.h"

/* Those of an operator and all inside it, while it is not known whether it is inside another. */
struct waiting_flops {
    event_id event;
    int64_t sum;
};

struct flops {
    const struct host_tree *tree;
    bool is_known; /* whether the file tells of any */

    struct property_cursors properties;
    uint8_t *need;       /* by frame, enum input_need */
    struct idmap inputs; /* (shapes, values) → their number */
    /* (frame, shapes), and where values matter (frame, number) → index into `reckoned`: the same on
     * the same inputs is the same work */
    struct idmap calls[2];
    int64_t *reckoned;
    size_t count, cap;
    uint32_t input_count;
    struct waiting_flops *waiting;
    size_t depth, waiting_cap;
};

void flops_start(struct flops *flops, const struct host_tree *tree);

/* Forgets what is inside nothing: before the operators of another track. */
void flops_next_track(struct flops *flops);

/* Those of an operator and of all inside it: to be asked for every operator of a track, from the
 * last on. */
int64_t flops_of(struct flops *flops, event_id event);

void flops_end(struct flops *flops);

#endif
