/* SPDX-License-Identifier: Apache-2.0 */
/* host_tree.h — the host events of a timeline as trees, with the device work that each launched
 *
 * What all tables of the summary stand on. Device work belongs to the host event that launched
 * it, whenever it ran; its times are plain sums, since the question is what a piece of the program
 * makes the device do, not how long the device was busy. */
#ifndef PTK_ANALYSIS_SUMMARY_HOST_TREE_H
#define PTK_ANALYSIS_SUMMARY_HOST_TREE_H

#include "analysis/summary/nesting.h"
#include "analysis/timeline/intervals.h"
#include "base/memory/bit_set.h"
#include "graph/classify/event_class.h"

/* A kernel, a copy or a fill. */
struct hosted_work {
    event_id event;
    event_id host; /* as host_tree_launcher() */
    uint32_t turn; /* of the host event's thread */
    enum event_role role;
};

/* How much device work the events of a range launched, at one look a range: what is inside an event
 * follows it on its track, so that it and all inside it are one. Owned: see launched_free(). */
struct launched {
    struct bits calls;    /* the events that launched something */
    int64_t *time;        /* by call, ns of what those before it launched; and one more */
    int64_t *kernel_time; /* the same of kernels alone */
};

void launched_make(const struct timeline *timeline, const struct hosted_work *work, uint32_t count,
                   struct launched *launched);

static inline int64_t launched_sum(const struct launched *launched, const int64_t *time,
                                   event_id first, event_id end)
{
    return bits_lack(&launched->calls, first, end) ? 0
                                                   : time[bits_before(&launched->calls, end)] -
                                                         time[bits_before(&launched->calls, first)];
}

/* ns of the work that the events from `first` up to, not with, `end` launched. */
static inline int64_t launched_time(const struct launched *launched, event_id first, event_id end)
{
    return launched_sum(launched, launched->time, first, end);
}

static inline int64_t launched_kernel_time(const struct launched *launched, event_id first,
                                           event_id end)
{
    return launched_sum(launched, launched->kernel_time, first, end);
}

void launched_free(struct launched *launched);

/* Where the tables first see something: at a host event, or at one that belongs to it. */
struct row_order {
    uint32_t turn;        /* of the thread; 0: at no host event, which is before all others */
    event_id host, event; /* event: 0 where it is the host event itself */
    event_id after;       /* what follows the host event and all inside it */
};

struct host_tree {
    const struct graph *graph;
    bool is_paddle_compat; /* leave out what nothing of the program's launched */

    uint8_t *marks;   /* by event, its role, and whether is_in_phase() and is_repeated() … */
    event_id *parent; /* by event, the innermost host event around it, or NO_EVENT */
    event_id *after;  /* by event of a thread, what follows all that is inside it on its track */
    bool has_role[ROLE_COUNT];

    uint32_t *turn;   /* by track: threads count from 1, by number, as Paddle visits them; else 0 */
    uint32_t *visits; /* the threads' tracks in that order */
    uint32_t visit_count;

    uint8_t *transfer_marks; /* by frame */
    event_id *transfers;     /* host events that move data between devices */
    size_t transfer_count;

    struct hosted_work *work; /* kernels, copies and fills: by track, and there by start */
    uint32_t work_count;
    struct launched launched; /* their time by the events that launched them */

    event_id *step;             /* by start */
    struct interval *step_span; /* by step: its time, with those of its number that overlap it */
    int64_t *step_time;         /* by step, ns of the work that it launched */
    int64_t *step_kernel_time;  /* of that, ns of the kernels */
    uint32_t step_count;

    struct intervals steps; /* of all threads, as a set */
    int64_t total_time;     /* length of `steps`, or of the whole timeline where there are none */
};

/* What it and the summary's tables want of a parser, as builder_options.properties; besides,
 * launches and categories. */
uint64_t summary_properties(void);

void host_tree_make(const struct graph *graph, bool is_paddle_compat, struct host_tree *tree);
void host_tree_free(struct host_tree *tree);

static inline enum event_role role_of(const struct host_tree *tree, event_id event)
{
    return (enum event_role)(tree->marks[event] & MARK_ROLE);
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

/* Whether it is one of `transfers`, or below one. */
static inline bool is_in_transfer(const struct host_tree *tree, event_id event)
{
    return tree->marks[event] & MARK_IN_TRANSFER;
}

static inline str_id name_of(const struct host_tree *tree, event_id event)
{
    return graph_frame(tree->graph, tree->graph->timeline.frame[event])->name;
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

/* ns of the device work that was launched in a host event and below it. */
static inline int64_t host_tree_device_time(const struct host_tree *tree, event_id event)
{
    return launched_time(&tree->launched, event, tree->after[event]);
}

/* Where what belongs to a host event is seen, or, with 0, the event itself. `turn`: of its
 * thread. */
static inline struct row_order host_tree_row_order(const struct host_tree *tree, uint32_t turn,
                                                   event_id host, event_id event)
{
    return host == NO_EVENT ? (struct row_order){0, host, event, 0}
                            : (struct row_order){turn, host, event, tree->after[host]};
}

/* Where a piece of work is seen: at its host event, if by a call of the runtime that belongs to
 * it. */
static inline struct row_order host_tree_work_row_order(const struct host_tree *tree,
                                                        const struct hosted_work *work)
{
    const event_id *launch = tree->graph->timeline.launch;
    event_id call = launch ? launch[work->event] : NO_EVENT;

    return host_tree_row_order(tree, work->turn, work->host,
                               call == work->host && call != NO_EVENT ? 0 : call);
}

/* Paddle comes to a thread's last event first, but to an event before those inside it. */
static inline bool row_order_is_before(struct row_order a, struct row_order b)
{
    if (a.turn != b.turn)
        return a.turn < b.turn;
    if (a.turn == 0 || a.host == b.host)
        return a.event < b.event;
    return a.host < b.host ? a.after > b.host : b.after <= a.host;
}

/* What moves data between devices, of a frame's events: once for all of them. */
enum transfer_mark {
    TRANSFER_OPERATOR = 1, /* as operators, by their name */
    TRANSFER_KERNEL = 2,   /* as kernels, by their name */
    TRANSFER_KIND = 4,     /* whatever they are: the file says so */
};

/* By frame, a set of marks, in memory that the caller frees. Paddle takes some for operators that
 * move data which only give tensors another shape. */
uint8_t *transfer_marks(const struct graph *graph, bool is_paddle_compat);

/* Whether a host event does. Paddle has operators that do and are of no other type than the
 * rest. */
static inline bool is_host_transfer(enum event_role role, unsigned marks)
{
    return role == ROLE_COMMUNICATION || (marks & TRANSFER_KIND && role_is_host(role)) ||
           (marks & TRANSFER_OPERATOR && role == ROLE_OPERATOR);
}

#endif
