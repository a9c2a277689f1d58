/* flops.h — the floating point operations of events and of all inside them
 *
 * By Paddle's formulas in Paddle's traces, else by analysis/work/work.h. */
#ifndef PTK_ANALYSIS_SUMMARY_FLOPS_H
#define PTK_ANALYSIS_SUMMARY_FLOPS_H

#include "analysis/summary/host_tree.h"
#include "base/idmap.h"

struct flops {
    const struct host_tree *tree;
    bool is_known; /* whether the file tells of any */

    struct property_cursor known, shapes, concrete;
    uint8_t *formula;    /* by frame, enum in flops.c */
    struct idmap inputs; /* (shapes, other inputs) → their number */
    struct idmap calls; /* (frame, inputs) → index: the same on the same inputs is the same work */
    int64_t *reckoned;
    size_t count, cap;
    uint32_t input_count;
    int64_t sum; /* of all events that were asked for */
};

void flops_start(struct flops *flops, const struct host_tree *tree);

/* Those of an operator and of all inside it: to be asked for every operator, after those inside it.
 * `before`: the sum when it began. */
int64_t flops_of(struct flops *flops, event_id event, int64_t before);

void flops_end(struct flops *flops);

#endif
