/* SPDX-License-Identifier: Apache-2.0 */
/* The host's events with parents, and what each launched: what all tables of summary are made
 * from. */
#include "analysis/summary/host_tree.h"

#include <stdlib.h>
#include <string.h>

#include "base/checked.h"
#include "base/memory/memory.h"
#include "base/parallel/parallel.h"
#include "graph/classify/event_class.h"

static event_id launch_of(const struct timeline *timeline, const struct hosted_work *work)
{
    return timeline->launch ? timeline->launch[work->event] : NO_EVENT;
}

static void add_time(int64_t *sum, int64_t time)
{
    *sum = checked_add(*sum, time);
}

/* Written at once: pages that are read before they are written cost twice. */
static int64_t *zeroed(size_t count)
{
    int64_t *time = grow_to(NULL, count, sizeof(*time));

    memset(time, 0, count * sizeof(*time));
    return time;
}

/* Each call's own figure becomes the sum of those before it. */
static void sum_up(int64_t *time, uint32_t calls)
{
    int64_t sum = 0;

    for (uint32_t i = 0; i <= calls; i++) {
        int64_t before = sum;

        add_time(&sum, time[i]);
        time[i] = before;
    }
}

static void launched_make(const struct timeline *timeline, const struct hosted_work *work,
                          uint32_t count, struct launched *launched)
{
    uint32_t calls;

    bits_init(&launched->calls, timeline->count);
    for (uint32_t i = 0; i < count; i++)
        if (launch_of(timeline, &work[i]) != NO_EVENT)
            bits_set(&launched->calls, launch_of(timeline, &work[i]));
    calls = bits_count(&launched->calls);
    launched->time = zeroed((size_t)calls + 1);
    launched->kernel_time = zeroed((size_t)calls + 1);
    for (uint32_t i = 0; i < count; i++) {
        event_id call = launch_of(timeline, &work[i]);
        uint32_t at;

        if (call == NO_EVENT)
            continue;
        at = bits_before(&launched->calls, call);
        add_time(&launched->time[at], timeline->duration[work[i].event]);
        if (work[i].role == ROLE_KERNEL)
            add_time(&launched->kernel_time[at], timeline->duration[work[i].event]);
    }
    sum_up(launched->time, calls);
    sum_up(launched->kernel_time, calls);
}

/* ---- device work ---- */

event_id host_tree_launcher(const struct host_tree *tree, event_id work)
{
    const event_id *launch = tree->graph->timeline.launch;
    event_id call = launch ? launch[work] : NO_EVENT;

    if (call == NO_EVENT || role_is_host(role_of(tree, call)))
        return call;
    return tree->parent[call];
}

bool host_tree_counts(const struct host_tree *tree, event_id work)
{
    return !tree->is_paddle_compat || host_tree_launcher(tree, work) != NO_EVENT;
}

/* One piece of work is mostly launched on the thread of the one before. */
static uint32_t turn_of(const struct host_tree *tree, event_id host, const struct track **near)
{
    const struct timeline *t = &tree->graph->timeline;

    if (host == NO_EVENT)
        return 0;
    if (host - (*near)->first >= (*near)->count)
        *near = &t->tracks[track_of_event(t, host)];
    return tree->turn[*near - t->tracks];
}

static void find_work_on(struct host_tree *tree, const struct roles *roles,
                         const struct track *track)
{
    for (event_id e = track->first; e < track->first + track->count; e++) {
        enum event_role role = roles_on_device(roles, e);

        tree->marks[e] = (uint8_t)role;
        tree->has_role[role] = true;
        if (role_is_device(role))
            tree->work[tree->work_count++] =
                (struct hosted_work){.event = e, .host = NO_EVENT, .role = role};
    }
}

static void find_work(struct host_tree *tree, const struct roles *roles)
{
    const struct timeline *t = &tree->graph->timeline;
    size_t most = 0;

    for (uint32_t i = 0; i < t->track_count; i++)
        most += t->tracks[i].kind == TRACK_STREAM ? t->tracks[i].count : 0;
    tree->work = grow_to(NULL, most + 1, sizeof(*tree->work));
    for (uint32_t i = 0; i < t->track_count; i++) {
        const struct track *track = &t->tracks[i];

        if (track->kind == TRACK_STREAM)
            find_work_on(tree, roles, track);
        for (event_id e = track->first; !tree->turn[i] && e < track->first + track->count; e++)
            tree->parent[e] = NO_EVENT;
    }
    launched_make(t, tree->work, tree->work_count, &tree->launched);
}

static void find_hosts(struct host_tree *tree)
{
    const struct track *near = tree->graph->timeline.tracks;

    for (uint32_t i = 0; i < tree->work_count; i++) {
        struct hosted_work *work = &tree->work[i];

        work->host = host_tree_launcher(tree, work->event);
        work->turn = turn_of(tree, work->host, &near);
    }
}

/* ---- steps ---- */

static void whole_span(struct host_tree *tree)
{
    const struct timeline *t = &tree->graph->timeline;
    int64_t first = INT64_MAX, last = INT64_MIN;

    for (event_id e = 0; e < t->count; e++)
        if (role_of(tree, e) != ROLE_NONE) {
            first = t->start[e] < first ? t->start[e] : first;
            last = end_of(tree, e) > last ? end_of(tree, e) : last;
        }
    tree->total_time = first < last ? checked_sub(last, first) : 0;
}

static bool starts_before(const void *timeline, uint32_t a, uint32_t b)
{
    const struct timeline *t = timeline;

    return t->start[a] < t->start[b];
}

/* The step before that has the event's number and lasts until it begins; or `step_count`. `last`:
 * by number, its last step. */
static uint32_t step_going_on(const struct host_tree *tree, event_id event, struct idmap *last)
{
    const struct timeline *t = &tree->graph->timeline;
    uint32_t *step;
    int64_t number;

    if (tree->is_paddle_compat || !property_of(&t->properties[PROP_STEP], event, &number))
        return tree->step_count;
    step = idmap_at(last, (uint64_t)number);
    if (*step == IDMAP_NONE || t->start[event] > tree->step_span[*step].end)
        *step = tree->step_count;
    return *step;
}

/* A step may stand on several threads: what has its number and overlaps it is a part of it. */
static void unite_steps(struct host_tree *tree, uint32_t count)
{
    const struct timeline *t = &tree->graph->timeline;
    struct idmap last = {0};

    tree->step_span = grow_zeroed((size_t)count + 1, sizeof(*tree->step_span));
    for (uint32_t i = 0; i < count; i++) {
        event_id event = tree->step[i];
        uint32_t step = step_going_on(tree, event, &last);

        if (step == tree->step_count) {
            tree->step[step] = event;
            tree->step_span[step] = (struct interval){t->start[event], end_of(tree, event)};
            tree->step_count++;
        } else if (end_of(tree, event) > tree->step_span[step].end) {
            tree->step_span[step].end = end_of(tree, event);
        }
    }
    idmap_free(&last);
}

/* A track's steps; by event, so that of those that begin together the first stays first. */
static size_t steps_on(struct host_tree *tree, const struct track *track, size_t count, size_t *cap)
{
    for (event_id e = track->first; e < track->first + track->count; e++)
        if (role_of(tree, e) == ROLE_STEP) {
            tree->step = grow_one(tree->step, count, cap, sizeof(*tree->step));
            tree->step[count++] = e;
        }
    return count;
}

static void find_steps(struct host_tree *tree)
{
    const struct timeline *t = &tree->graph->timeline;
    size_t count = 0, cap = 0;

    for (uint32_t i = 0; tree->has_role[ROLE_STEP] && i < t->track_count; i++)
        if (tree->turn[i])
            count = steps_on(tree, &t->tracks[i], count, &cap);
    for (size_t i = 0; i < count; i++)
        intervals_cover(&tree->steps, t->start[tree->step[i]], end_of(tree, tree->step[i]));
    sort_stable(tree->step, count, starts_before, t);
    unite_steps(tree, (uint32_t)count);
    intervals_unite(&tree->steps);
    tree->total_time = intervals_length(&tree->steps);
    if (tree->total_time == 0 && !tree->is_paddle_compat)
        whole_span(tree);
}

/* ---- the time of what was launched ---- */

/* A step's work is all that was launched while it ran, on whichever thread: the backward pass has
 * a thread of its own. */
static void time_steps(struct host_tree *tree)
{
    const struct timeline *t = &tree->graph->timeline;

    for (uint32_t i = 0; t->launch && i < tree->work_count; i++) {
        event_id e = tree->work[i].event, call = t->launch[e];

        if (call == NO_EVENT)
            continue;
        /* of those that run the last one begun */
        SEARCH(uint32_t, after, tree->step_count, tree->step_span[after].start <= t->start[call]);
        if (!after || t->start[call] >= tree->step_span[after - 1].end)
            continue;
        add_time(&tree->step_time[after - 1], t->duration[e]);
        if (role_of(tree, e) == ROLE_KERNEL)
            add_time(&tree->step_kernel_time[after - 1], t->duration[e]);
    }
}

/* Paddle knows what was launched on the step's own thread. */
static void time_steps_as_paddle(struct host_tree *tree)
{
    for (uint32_t i = 0; i < tree->step_count; i++) {
        event_id step = tree->step[i], after = tree->after[step];

        tree->step_time[i] = launched_time(&tree->launched, step, after);
        tree->step_kernel_time[i] = launched_kernel_time(&tree->launched, step, after);
    }
}

/* ---- the whole ---- */

static bool is_earlier_track(const void *timeline, uint32_t a, uint32_t b)
{
    const struct track *x = &((const struct timeline *)timeline)->tracks[a];
    const struct track *y = &((const struct timeline *)timeline)->tracks[b];

    if (x->pid != y->pid)
        return x->pid < y->pid;
    return x->tid < y->tid;
}

static void give_turns(struct host_tree *tree)
{
    const struct timeline *t = &tree->graph->timeline;

    tree->turn = grow_zeroed((size_t)t->track_count + 1, sizeof(*tree->turn));
    tree->visits = grow_to(NULL, (size_t)t->track_count + 1, sizeof(*tree->visits));
    for (uint32_t i = 0; i < t->track_count; i++)
        if (t->tracks[i].kind == TRACK_THREAD)
            tree->visits[tree->visit_count++] = i;
    sort_stable(tree->visits, tree->visit_count, is_earlier_track, t);
    for (uint32_t i = 0; i < tree->visit_count; i++)
        tree->turn[tree->visits[i]] = i + 1;
}

/* Threads and streams know nothing of each other, so that they are looked at side by side. */
struct tree_making {
    struct host_tree *tree;
    const struct roles *roles;
    struct nest *nests;
    size_t nest_count;
};

static void make_piece(void *context, size_t piece)
{
    const struct tree_making *making = context;

    if (piece < making->nest_count)
        nest_run(&making->nests[piece]);
    else
        find_work(making->tree, making->roles);
}

static void look_at_events(struct host_tree *tree)
{
    size_t count = (size_t)tree->graph->timeline.count + 1, threads = thread_budget();
    struct roles roles;
    struct nesting nesting;
    struct tree_making making = {tree, &roles, NULL, threads};

    roles_make(tree->graph, &roles);
    tree->marks = grow_zeroed(count, sizeof(*tree->marks));
    tree->parent = grow_to(NULL, count, sizeof(*tree->parent));
    tree->after = grow_to(NULL, count, sizeof(*tree->after));
    roles_mark_steps(&roles, tree->marks);
    nesting = (struct nesting){tree->graph, &roles,       tree->transfer_marks,
                               tree->marks, tree->parent, tree->after};
    making.nests = nests_new(&nesting, tree->visits, tree->visit_count, making.nest_count);
    parallel_for(threads, making.nest_count + 1, make_piece, &making);
    /* What the nests have found of all threads. */
    for (size_t i = 0; i < making.nest_count; i++) {
        for (size_t k = 0; k < making.nests[i].transfers.count; k++)
            vector_add(&tree->transfers, making.nests[i].transfers.list[k]);
        for (enum event_role role = ROLE_NONE; role < ROLE_COUNT; role++)
            tree->has_role[role] |= making.nests[i].has_role[role];
    }
    nests_free(making.nests, making.nest_count);
    roles_free(&roles);
    find_hosts(tree);
}

void host_tree_make(const struct graph *graph, bool is_paddle_compat, struct host_tree *tree)
{
    *tree = (struct host_tree){
        .graph = graph,
        .is_paddle_compat = is_paddle_compat,
        .transfer_marks = transfer_marks(graph, is_paddle_compat),
    };
    give_turns(tree);
    look_at_events(tree);
    find_steps(tree);
    tree->step_time = grow_zeroed((size_t)tree->step_count + 1, sizeof(int64_t));
    tree->step_kernel_time = grow_zeroed((size_t)tree->step_count + 1, sizeof(int64_t));
    if (is_paddle_compat)
        time_steps_as_paddle(tree);
    else
        time_steps(tree);
}

void host_tree_free(struct host_tree *tree)
{
    free(tree->marks);
    free(tree->parent);
    free(tree->after);
    free(tree->turn);
    free(tree->visits);
    free(tree->transfer_marks);
    free(tree->transfers.list);
    free(tree->work);
    bits_free(&tree->launched.calls);
    free(tree->launched.time);
    free(tree->launched.kernel_time);
    free(tree->step);
    free(tree->step_span);
    free(tree->step_time);
    free(tree->step_kernel_time);
    intervals_free(&tree->steps);
}

uint64_t summary_properties(void)
{
    static const enum property wanted[] = {
        PROP_STEP,           PROP_BYTES,         PROP_FLOP,          PROP_SHAPES,
        PROP_CONCRETE,       PROP_PLACE,         PROP_ALLOCATED,     PROP_RESERVED,
        PROP_PEAK_ALLOCATED, PROP_PEAK_RESERVED, PROP_GRID,          PROP_BLOCK,
        PROP_REGISTERS,      PROP_SHARED_MEMORY, PROP_BLOCKS_PER_SM, PROP_OCCUPANCY};
    uint64_t properties = 0;

    for (size_t i = 0; i < sizeof(wanted) / sizeof(*wanted); i++)
        properties |= property_bit(wanted[i]);
    return properties;
}

uint8_t *transfer_marks(const struct graph *graph, bool is_paddle_compat)
{
    uint8_t *marks = grow_zeroed((size_t)graph->frames.count + 1, sizeof(*marks));

    for (frame_id frame = 1; frame < graph->frames.count; frame++) {
        struct frame_class class = graph_class(graph, frame);

        if (class.marks & NAMED_TRANSFER && (is_paddle_compat || !(class.marks & NAMED_LOCAL)))
            marks[frame] |= TRANSFER_OPERATOR;
        if (class.marks & NAMED_COLLECTIVE)
            marks[frame] |= TRANSFER_KERNEL;
        if (class.is_collective)
            marks[frame] |= TRANSFER_KIND;
    }
    return marks;
}
