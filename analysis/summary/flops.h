/* flops.h — the floating point operations of events and of all inside them
 *
 * By Paddle's formulas in Paddle's traces, else by analysis/work/work.h. */
#ifndef PTK_ANALYSIS_SUMMARY_FLOPS_H
#define PTK_ANALYSIS_SUMMARY_FLOPS_H

#include "analysis/summary/host_tree.h"
#include "base/idmap.h"

/* What is inside an event that comes later, since events are asked for from the last on. */
struct waiting_flops {
    event_id event;
    int64_t sum;
};

struct flops {
    const struct host_tree *tree;
    bool is_known; /* whether the file tells of any */

    struct property_cursor known, shapes, concrete;
    bool *has_formula;   /* by frame */
    struct idmap inputs; /* (shapes, other inputs) → their number */
    struct idmap calls; /* (frame, inputs) → index: the same on the same inputs is the same work */
    int64_t *reckoned;
    size_t count, cap;
    uint32_t input_count;
    struct waiting_flops *waiting;
    size_t depth, waiting_cap;
};

void flops_start(struct flops *flops, const struct host_tree *tree);

/* Those of an event and of all inside it: to be asked for every host event, from the last on. */
int64_t flops_of(struct flops *flops, event_id event);

void flops_end(struct flops *flops);

#endif
