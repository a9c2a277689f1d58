/* step_phases.h — which part of a training step each host event belongs to
 *
 * Annotations tell, of Paddle's types or with a name that says so. Where a trace of PyTorch's has
 * none for the forward or the backward pass, the outermost modules are the one, and the nodes that
 * autograd evaluates the other. Where the backward pass is annotated, the nodes that autograd's own
 * threads evaluate while it runs help it. A phase inside another is part of that. */
#ifndef PTK_ANALYSIS_SUMMARY_STEP_PHASES_H
#define PTK_ANALYSIS_SUMMARY_STEP_PHASES_H

#include "analysis/summary/host_tree.h"

struct phase {
    event_id event, last; /* itself, and the last event inside it */
    enum event_role role;
    bool is_help;        /* of a phase on another thread */
    int64_t kernel_time; /* ns of the kernels launched in it, and in what helps it */
};

struct phases {
    struct phase *list; /* by event */
    size_t count, cap;
    int64_t loose_kernel_time; /* ns of the kernels that steps launched outside of phases */
};

void summary_phases(const struct host_tree *tree, struct phases *phases);

/* The phase that an event is or is inside of, or NULL. */
struct phase *phase_around(const struct phases *phases, event_id event);

void phases_free(struct phases *phases);

#endif
