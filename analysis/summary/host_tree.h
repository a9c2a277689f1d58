/* host_tree.h — the host events of a timeline as trees, with the device work that each launched
 *
 * What all tables of the summary stand on. Device work belongs to the host event that launched
 * it, whenever it ran; its times are plain sums, since the question is what a piece of the program
 * makes the device do, not how long the device was busy. */
#ifndef PTK_ANALYSIS_SUMMARY_HOST_TREE_H
#define PTK_ANALYSIS_SUMMARY_HOST_TREE_H

#include "analysis/intervals.h"
#include "analysis/summary/role.h"
#include "base/idmap.h"

struct hosted_work {
    event_id event;
    event_id host; /* as host_tree_launcher() */
};

struct host_tree {
    const struct graph *graph;
    bool is_paddle_compat; /* leave out what nothing of the program's launched */

    uint8_t *marks;   /* by event, its role, and whether is_in_phase() and is_repeated() */
    event_id *parent; /* by event, the innermost host event around it, or NO_EVENT */
    uint32_t *rank;   /* by event, the order in which Paddle visits: a thread's last event first,
                           * but an event before those inside it */
    int64_t *device_time; /* by host event, ns of the work launched in it and below it */

    struct hosted_work *work; /* kernels, copies and fills: by track, and there by start */
    uint32_t work_count;
    event_id *step;             /* by start */
    struct interval *step_span; /* by step: its time, with those of its number that overlap it */
    int64_t *step_kernel_time;  /* by step, ns of the kernels that it launched */
    uint32_t step_count;

    struct intervals steps; /* of all threads, as a set */
    int64_t total_time;     /* length of `steps`, or of the whole timeline where there are none */
};

/* Beside its role. */
enum host_mark { MARK_IN_PHASE = 0x80, MARK_REPEATED = 0x40, MARK_ROLE = 0x3F };

/* What it and the summary's tables want of a parser, as builder_options.properties; besides,
 * launches and categories. */
uint64_t summary_properties(void);

void host_tree_make(const struct graph *graph, bool is_paddle_compat, struct host_tree *tree);
void host_tree_free(struct host_tree *tree);

static inline enum summary_role role_of(const struct host_tree *tree, event_id event)
{
    return (enum summary_role)(tree->marks[event] & MARK_ROLE);
}

/* Whether it is below an event whose role_is_phase(). */
static inline bool is_in_phase(const struct host_tree *tree, event_id event)
{
    return tree->marks[event] & MARK_IN_PHASE;
}

/* Whether it is below an event of the same frame. */
static inline bool is_repeated(const struct host_tree *tree, event_id event)
{
    return tree->marks[event] & MARK_REPEATED;
}

/* The end of an event, ns. */
static inline int64_t end_of(const struct host_tree *tree, event_id event)
{
    return tree->graph->timeline.start[event] + tree->graph->timeline.duration[event];
}

/* The host event that launched a piece of device work, or NO_EVENT. */
event_id host_tree_launcher(const struct host_tree *tree, event_id work);

/* Whether the tables count it: everything, or with is_paddle_compat what a host event launched. */
bool host_tree_counts(const struct host_tree *tree, event_id work);

/* Where the first table would first see this piece of work, or this event: sorts by the visit of
 * the host event around it, then by time. */
static inline uint64_t host_tree_first_seen(const struct host_tree *tree, event_id event)
{
    const event_id *launch = tree->graph->timeline.launch;
    event_id call = role_is_device(role_of(tree, event)) && launch ? launch[event] : event, host;

    if (call == NO_EVENT)
        return idmap_pair(0, call);
    if (role_is_host(role_of(tree, call)))
        return idmap_pair(tree->rank[call], 0);
    host = tree->parent[call];
    return idmap_pair(host == NO_EVENT ? 0 : tree->rank[host], call);
}

/* Whether a kernel or a host event moves data between devices. */
bool host_tree_is_transfer(const struct host_tree *tree, event_id event);

#endif
