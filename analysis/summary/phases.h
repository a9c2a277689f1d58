/* phases.h — which part of a training step each host event belongs to
 *
 * Annotations tell, of Paddle's types or with a name that says so. Where a trace of PyTorch's has
 * none for the forward or the backward pass, the outermost modules are the one, and the nodes that
 * autograd evaluates the other. Where the backward pass is annotated, the nodes that autograd's own
 * threads evaluate while it runs help it. A phase inside another is part of that. */
#ifndef PTK_ANALYSIS_SUMMARY_PHASES_H
#define PTK_ANALYSIS_SUMMARY_PHASES_H

#include "analysis/summary/host_tree.h"

/* Beside the role: the event is the phase itself; or it is on another thread than that and helps. */
enum { PHASE_BEGINS = 0x80, PHASE_HELPS = 0x40, PHASE_ROLE = 0x3F };

/* By event, the role of the phase that it is or is inside of, or ROLE_NONE; in memory that the
 * caller frees. */
uint8_t *summary_phases(const struct host_tree *tree);

/* Kernels, ns, by event that begins an annotated backward pass: what its helpers launched. */
struct helped {
    event_id *list; /* by start */
    int64_t *kernel_time;
    uint32_t count;
};

struct helped summary_helped(const struct host_tree *tree, const uint8_t *phase,
                             const int64_t *kernel_time, struct arena *arena);

/* 0 where nothing helps. */
int64_t summary_help(const struct helped *helped, const struct timeline *timeline, event_id event);

#endif
