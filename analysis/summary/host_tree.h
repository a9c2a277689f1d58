/* host_tree.h — the host events of a timeline as trees, with the device work that each launched
 *
 * What all tables of the summary stand on. Device work belongs to the host event that launched
 * it, whenever it ran; its times are plain sums, since the question is what a piece of the program
 * makes the device do, not how long the device was busy. */
#ifndef PTK_ANALYSIS_SUMMARY_HOST_TREE_H
#define PTK_ANALYSIS_SUMMARY_HOST_TREE_H

#include "analysis/intervals.h"
#include "analysis/summary/role.h"

struct host_tree {
    const struct graph *graph;
    bool is_paddle_compat; /* leave out what nothing of the program's launched */

    /* By event; see summary_roles(). */
    uint8_t *role;
    bool *in_phase;       /* whether it is below an event whose role_is_phase() */
    bool *is_repeated;    /* whether it is below an event of the same frame */
    event_id *parent;     /* the innermost host event around it, or NO_EVENT */
    uint32_t *rank;       /* the order in which Paddle visits: a thread's last event first, but an
                           * event before those inside it */
    int64_t *kernel_time; /* ns of the kernels launched in a host event and below it */
    int64_t *device_time; /* ns of copies and fills as well */
    bool has_host_events;
    bool has_launches; /* some device work is attributed */

    struct intervals steps; /* of all threads, as a set */
    int64_t total_time;     /* length of `steps`, or of the whole timeline where there are none */
    uint32_t step_count;
};

/* What it and the summary's tables want of a parser, as builder_options.properties; besides,
 * launches and categories. */
uint64_t summary_properties(void);

void host_tree_make(const struct graph *graph, bool is_paddle_compat, struct host_tree *tree);
void host_tree_free(struct host_tree *tree);

static inline enum summary_role role_of(const struct host_tree *tree, event_id event)
{
    return (enum summary_role)tree->role[event];
}

/* The end of an event, ns. */
static inline int64_t end_of(const struct host_tree *tree, event_id event)
{
    return tree->graph->timeline.start[event] + tree->graph->timeline.duration[event];
}

/* The steps by start, `step_count` of them, in memory that the caller frees. */
event_id *host_tree_steps(const struct host_tree *tree);

/* The host event that launched a piece of device work, or NO_EVENT. */
event_id host_tree_launcher(const struct host_tree *tree, event_id work);

/* Whether the tables count it: everything, or with is_paddle_compat what a host event launched. */
bool host_tree_counts(const struct host_tree *tree, event_id work);

/* Where the first table would first see this piece of work, or this event: sorts by the visit of
 * the host event around it, then by time. */
uint64_t host_tree_first_seen(const struct host_tree *tree, event_id event);

/* Whether a kernel or a host event moves data between devices. */
bool host_tree_is_transfer(const struct host_tree *tree, event_id event);

#endif
