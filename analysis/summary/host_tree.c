#include "analysis/summary/host_tree.h"

#include <stdlib.h>
#include <string.h>

#include "base/checked.h"
#include "base/grow.h"
#include "base/idmap.h"
#include "base/search.h"
#include "base/sort.h"

/* ---- nesting ---- */

/* The sweep over one thread: the events that are open at its point. */
struct sweep {
    struct host_tree *tree;
    const struct track *track;
    uint32_t base; /* of the track's ranks */
    event_id *opened;
    size_t depth, cap;
    uint32_t *of_frame; /* by frame, how many of the open events have it */
};

/* Closes what ended by `now`, before the event at place `at` of the track. Paddle visits the last
 * child first: those that come later and all inside them go before, and so does what is around. */
static void close_until(struct sweep *sweep, int64_t now, uint32_t at)
{
    struct host_tree *tree = sweep->tree;

    while (sweep->depth && end_of(tree, sweep->opened[sweep->depth - 1]) <= now) {
        event_id ended = sweep->opened[--sweep->depth];

        tree->rank[ended] = sweep->base + (uint32_t)sweep->depth + sweep->track->count - at;
        sweep->of_frame[tree->graph->timeline.frame[ended]]--;
    }
}

/* The runtime's calls are leaves: what the file shows inside them belongs to who called. */
static event_id surroundings(const struct sweep *sweep)
{
    event_id above = sweep->depth ? sweep->opened[sweep->depth - 1] : NO_EVENT;

    return above == NO_EVENT || role_is_host(role_of(sweep->tree, above))
               ? above
               : sweep->tree->parent[above];
}

static void open_event(struct sweep *sweep, event_id event)
{
    struct host_tree *tree = sweep->tree;
    uint32_t *same = &sweep->of_frame[tree->graph->timeline.frame[event]];
    event_id above = surroundings(sweep);

    tree->parent[event] = above;
    if (above != NO_EVENT && (is_in_phase(tree, above) || role_is_phase(role_of(tree, above))))
        tree->marks[event] |= MARK_IN_PHASE;
    if ((*same)++)
        tree->marks[event] |= MARK_REPEATED;
    sweep->opened = grow_one(sweep->opened, sweep->depth, &sweep->cap, sizeof(*sweep->opened));
    sweep->opened[sweep->depth++] = event;
}

static void nest_track(struct sweep *sweep)
{
    const struct track *track = sweep->track;

    for (uint32_t i = 0; i < track->count; i++) {
        event_id event = track->first + i;

        close_until(sweep, sweep->tree->graph->timeline.start[event], i);
        open_event(sweep, event);
    }
    close_until(sweep, INT64_MAX, track->count);
}

static bool is_earlier_track(const void *timeline, uint32_t a, uint32_t b)
{
    const struct track *x = &((const struct timeline *)timeline)->tracks[a];
    const struct track *y = &((const struct timeline *)timeline)->tracks[b];

    if (x->pid != y->pid)
        return x->pid < y->pid;
    return x->tid < y->tid;
}

/* Threads by number, as Paddle visits them. */
static void nest(struct host_tree *tree)
{
    const struct timeline *t = &tree->graph->timeline;
    uint32_t *order = grow_to(NULL, (size_t)t->track_count + 1, sizeof(*order));
    struct sweep sweep = {.tree = tree};

    for (uint32_t i = 0; i < t->track_count; i++)
        order[i] = i;
    sort_stable(order, t->track_count, is_earlier_track, t);
    memset(tree->parent, 0xff, t->count * sizeof(*tree->parent));
    sweep.of_frame = grow_zeroed(tree->graph->frames.count + 1, sizeof(*sweep.of_frame));
    for (uint32_t i = 0; i < t->track_count; i++) {
        sweep.track = &t->tracks[order[i]];
        if (sweep.track->kind != TRACK_THREAD)
            continue;
        nest_track(&sweep);
        sweep.base += sweep.track->count;
    }
    free(sweep.of_frame);
    free(sweep.opened);
    free(order);
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

bool host_tree_is_transfer(const struct host_tree *tree, event_id event)
{
    const struct frame *frame = graph_frame(tree->graph, tree->graph->timeline.frame[event]);

    return role_of(tree, event) == ROLE_COMMUNICATION || frame->kind == KIND_COMMUNICATION;
}

static void find_work(struct host_tree *tree)
{
    const struct timeline *t = &tree->graph->timeline;
    size_t most = 0;

    for (uint32_t i = 0; i < t->track_count; i++)
        most += t->tracks[i].kind == TRACK_STREAM ? t->tracks[i].count : 0;
    tree->work = grow_to(NULL, most + 1, sizeof(*tree->work));
    for (event_id e = 0; e < t->count; e++)
        if (role_is_device(role_of(tree, e)))
            tree->work[tree->work_count++] = (struct hosted_work){e, host_tree_launcher(tree, e)};
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

/* The step before that has the event's number and lasts until it begins; or `step_count`. `last`: by
 * number, its last step. */
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

static void find_steps(struct host_tree *tree)
{
    const struct timeline *t = &tree->graph->timeline;
    size_t count = 0, cap = 0;

    for (event_id e = 0; e < t->count; e++)
        if (role_of(tree, e) == ROLE_STEP) {
            intervals_cover(&tree->steps, t->start[e], end_of(tree, e));
            tree->step = grow_one(tree->step, count, &cap, sizeof(*tree->step));
            tree->step[count++] = e;
        }
    sort_stable(tree->step, count, starts_before, t);
    unite_steps(tree, (uint32_t)count);
    intervals_unite(&tree->steps);
    tree->total_time = intervals_length(&tree->steps);
    if (tree->total_time == 0 && !tree->is_paddle_compat)
        whole_span(tree);
}

/* ---- the time of what was launched ---- */

static void add_time(int64_t *sum, int64_t time)
{
    *sum = checked_add(*sum, time);
}

/* By host event, ns of the kernels, or of all work, that was launched in it and below it. */
static int64_t *launched_time(const struct host_tree *tree, bool is_kernels_only)
{
    const struct timeline *t = &tree->graph->timeline;
    int64_t *time = grow_zeroed((size_t)t->count + 1, sizeof(*time));

    for (uint32_t i = 0; i < tree->work_count; i++) {
        struct hosted_work work = tree->work[i];

        if (work.host != NO_EVENT && (!is_kernels_only || role_of(tree, work.event) == ROLE_KERNEL))
            add_time(&time[work.host], t->duration[work.event]);
    }
    for (event_id e = t->count; e-- > 0;) {
        event_id above = tree->parent[e];

        if (time[e] && above != NO_EVENT)
            add_time(&time[above], time[e]);
    }
    return time;
}

/* The step that is running at `time`: the last one begun; or `step_count`. */
static uint32_t step_at(const struct host_tree *tree, int64_t time)
{
    SEARCH(uint32_t, after, tree->step_count, tree->step_span[after].start <= time);
    return after && time < tree->step_span[after - 1].end ? after - 1 : tree->step_count;
}

/* A step's work is all that was launched while it ran, on whichever thread: the backward pass has
 * a thread of its own. */
static void time_steps(struct host_tree *tree)
{
    const struct timeline *t = &tree->graph->timeline;

    for (uint32_t i = 0; i < tree->step_count; i++)
        tree->device_time[tree->step[i]] = 0;
    for (uint32_t i = 0; t->launch && i < tree->work_count; i++) {
        event_id e = tree->work[i].event, call = t->launch[e];
        uint32_t step = call == NO_EVENT ? tree->step_count : step_at(tree, t->start[call]);

        if (step < tree->step_count)
            add_time(&tree->device_time[tree->step[step]], t->duration[e]);
        if (step < tree->step_count && role_of(tree, e) == ROLE_KERNEL)
            add_time(&tree->step_kernel_time[step], t->duration[e]);
    }
}

/* Paddle knows what was launched on the step's own thread. */
static void time_steps_as_paddle(struct host_tree *tree)
{
    int64_t *kernel_time = launched_time(tree, true);

    for (uint32_t i = 0; i < tree->step_count; i++)
        tree->step_kernel_time[i] = kernel_time[tree->step[i]];
    free(kernel_time);
}

/* ---- the whole ---- */

void host_tree_make(const struct graph *graph, bool is_paddle_compat, struct host_tree *tree)
{
    size_t count = (size_t)graph->timeline.count + 1;

    *tree = (struct host_tree){
        .graph = graph,
        .is_paddle_compat = is_paddle_compat,
        .marks = summary_roles(graph),
        .parent = grow_to(NULL, count, sizeof(*tree->parent)),
        .rank = grow_zeroed(count, sizeof(*tree->rank)),
    };
    nest(tree);
    find_work(tree);
    find_steps(tree);
    tree->device_time = launched_time(tree, false);
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
    free(tree->rank);
    free(tree->device_time);
    free(tree->work);
    free(tree->step);
    free(tree->step_span);
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
