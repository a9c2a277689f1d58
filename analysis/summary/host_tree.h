/* SPDX-License-Identifier: Apache-2.0 */
/* host_tree.h — the host's events as trees, with what they launched: what the tables are made from */
#ifndef PTK_ANALYSIS_SUMMARY_HOST_TREE_H
#define PTK_ANALYSIS_SUMMARY_HOST_TREE_H

#include "analysis/timeline/stream_queues.h"
#include "analysis/timeline/device_work.h"
#include "base/checked.h"
#include "base/memory/memory.h"
#include "base/text/string_table.h"
#include "graph/classify/event_class.h"
#include "graph/model/graph.h"
#include "graph/model/walks.h"

/* ---- which host event is around which, and what that makes of it ---- */

/* Threads do not nest in each other, so that several can be nested at once. */

/* Beside an event's role. */
enum host_mark {
    MARK_IN_PHASE = 0x80,    /* below an event whose role_is_phase() */
    MARK_REPEATED = 0x40,    /* below an event of the same frame */
    MARK_IN_TRANSFER = 0x20, /* moves data between devices, or is below an event that does */
    MARK_ROLE = 0x1F
};

_Static_assert((int)ROLE_COUNT <= (int)MARK_ROLE + 1, "a role must fit the marks");

/* What is known of events, and by event what is found. */
struct nesting {
    const struct graph *graph;
    const struct roles *roles;
    const uint8_t *transfer_marks; /* by frame */
    uint8_t *marks;   /* role and host_mark; 0 before, but for steps that are known by number */
    event_id *parent; /* the innermost host event around it, or NO_EVENT */
    event_id *after;  /* what follows all that is inside it on its track */
};

/* Some of the threads' tracks, and what is on them. */
struct nest {
    const struct nesting *nesting;
    uint32_t *tracks; /* indices */
    uint32_t track_count;
    bool has_role[ROLE_COUNT];
    struct VECTOR_OF(event_id) transfers; /* host events that move data between devices */
    struct open_events open; /* those with others inside them, at the point of the sweep */
    uint32_t *of_frame;      /* by frame, how many of them have it */
};

/* Shares out tracks. The first nest has the longest of them. */
struct nest *nests_new(const struct nesting *nesting, const uint32_t *tracks, uint32_t track_count,
                       size_t count);

/* Gives the events of a nest their roles, parents and marks; beside the others. */
void nest_run(struct nest *nest);

void nests_free(struct nest *nests, size_t count);

/* ---- the host events of a timeline as trees, with the device work that each launched ---- */

/* What all tables of the summary stand on. Device work belongs to the host event that launched
 * it, whenever it ran; its times are plain sums, since the question is what a piece of the program
 * makes the device do, not how long the device was busy. */

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

    uint8_t *transfer_marks;              /* by frame */
    struct VECTOR_OF(event_id) transfers; /* host events that move data between devices */

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

/* ---- figures of events that go by one name: how often, and how long on host and device ---- */

struct spread {
    int64_t total, max, min; /* ns */
};

struct summary_item {
    struct span name; /* borrowed from the graph, or a literal */
    int64_t calls;
    struct spread cpu;     /* of the event itself */
    struct spread gpu;     /* of the device work that it launched: kernels, copies and fills */
    int64_t flops;         /* or UNKNOWN */
    struct row_order seen; /* the first */
    uint32_t owner;
};

/* The item that a frame's events went to last: mostly the next one does, too. */
struct last_item {
    uint32_t owner, item;
};

/* Ready for use when zeroed. */
struct item_list {
    VECTOR(struct summary_item);
    struct idmap index;     /* (owner, name) → item */
    struct last_item *last; /* by frame; item: IDMAP_NONE before the first event */
};

enum summary_sort {
    SORT_CPU_TOTAL,
    SORT_CPU_AVG,
    SORT_CPU_MAX,
    SORT_CPU_MIN, /* the smallest first; all others the largest first */
    SORT_GPU_TOTAL,
    SORT_GPU_AVG,
    SORT_GPU_MAX,
    SORT_GPU_MIN
};

extern const char *const summary_sort_names[]; /* as Paddle's SortedKeys; ends with NULL */

/* As items_at(), however it was the last time. */
uint32_t items_find(struct item_list *items, const struct graph *graph, uint32_t owner,
                    frame_id frame);

/* The index of an owner's item with the frame's name, which is added on first use. */
static inline uint32_t items_at(struct item_list *items, const struct graph *graph, uint32_t owner,
                                frame_id frame)
{
    const struct last_item *last = items->last ? &items->last[frame] : NULL;

    return last && last->item != IDMAP_NONE && last->owner == owner
               ? last->item
               : items_find(items, graph, owner, frame);
}

static inline void spread_add(struct spread *spread, int64_t time, bool is_first)
{
    spread->total = checked_add(spread->total, time);
    spread->max = is_first || time > spread->max ? time : spread->max;
    spread->min = is_first || time < spread->min ? time : spread->min;
}

/* Counts one event's times. */
static inline void item_count(struct summary_item *item, int64_t cpu, int64_t gpu)
{
    spread_add(&item->cpu, cpu, item->calls == 0);
    spread_add(&item->gpu, gpu, item->calls == 0);
    item->calls++;
}

/* Besides, when the tables first see it. */
static inline void item_add(struct summary_item *item, int64_t cpu, int64_t gpu,
                            struct row_order seen)
{
    if (item->calls == 0 || row_order_is_before(seen, item->seen))
        item->seen = seen;
    item_count(item, cpu, gpu);
}

/* By owner, then in the order in which they are first seen. */
void items_sort_seen(const struct item_list *items, uint32_t *order);

/* Puts a part of such an order into that of a key; ties stay as they are. */
void items_sort_by(const struct item_list *items, enum summary_sort sort, uint32_t *order,
                   size_t count);

void items_free(struct item_list *items);

/* From the host to the device: how long work waits, how much waits, how fast copies
 * are. */

/* Work launched by calls of one name. A delay is from the end of the call to the start of the
 * work, and 0 when that began before the call was over. */
struct launch_row {
    struct span name;               /* of the call */
    int64_t calls, works;           /* a call may launch many pieces of device work: a graph does */
    int64_t call_time, work_time;   /* ns */
    int64_t delay_total, delay_max; /* ns */
    int64_t shorter_than_call;      /* pieces of work that take less time than their call */
    int64_t slow_calls, late_starts; /* calls above 50 us; delays above 100 us */
};

struct launch_rows {
    struct launch_row *rows; /* in the arena; the most work first */
    uint32_t count;
};

void summary_launches(const struct host_tree *tree, struct arena *arena,
                      struct launch_rows *launches);

/* Copies and fills of one name whose size is known. */
struct copy_row {
    struct span name;
    int64_t calls, time;   /* ns */
    int64_t bytes;         /* of those whose size the file has; UNKNOWN where it has none */
    int64_t sized_time;    /* ns, of the same */
    double rate, max_rate; /* bytes a second: bytes / sized_time, and the fastest one's; NAN */
};

struct copy_rows {
    struct copy_row *rows; /* in the arena; the most time first */
    uint32_t count;
};

void summary_copies(const struct host_tree *tree, struct arena *arena, struct copy_rows *copies);

/* What launches of CUDA and HIP graphs did, by the innermost operator that it was captured in (or
 * module, where there is none): of work that was joined with its capture. */
struct graph_row {
    struct span name;
    int64_t calls;       /* of the operator, if it had run in each launch */
    int64_t works, time; /* pieces of device work; ns */
    double share;        /* of all device work */
};

struct graph_rows {
    struct graph_row *rows; /* in the arena; the most time first */
    uint32_t count;
};

void summary_graphs(const struct host_tree *tree, struct arena *arena, struct graph_rows *graphs);

/* The threads by which tables are separated, or all of them as one. */
struct summary_threads {
    uint32_t *of_track; /* by track, the index of its thread; lanes share their thread's */
    int64_t *numbers;   /* by thread, its number in the file; ascending */
    uint32_t count;
};

/* Lives in the arena. When threads are not distinguished there is one, number 0. */
void summary_threads_make(const struct host_tree *tree, bool is_by_thread, struct arena *arena,
                          struct summary_threads *threads);

#endif
