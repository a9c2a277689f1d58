/* SPDX-License-Identifier: Apache-2.0 */
/* advice_chain.c — what decides how long the run takes once its first trouble is gone, and once that is gone, too
 *
 * The run is replayed without the first finding's trouble. What most of the critical path is then is the next link; it
 * is taken out as well, and so on, until the device computes, or nothing can be taken out. */
#include <stdlib.h>
#include <string.h>

#include "analysis/advice/advice.h"
#include "analysis/execution/idle_gaps.h"
#include "base/memory/memory.h"

/* What there can be on a path: classes of a host's time, and what devices do. */
enum { PART_COMPUTE = IDLE_CLASS_COUNT, PART_COMMUNICATION, PART_COPY, PART_COUNT };

struct chain_walk {
    const struct execution *execution;
    struct scenario scenario;
    int64_t *length, *end; /* by task */
    bool *is_on_path;      /* by task */
    int64_t time[PART_COUNT];
    int part;                  /* of which that of functions is wanted, too; PART_COUNT: of none */
    int64_t *time_of;          /* by frame */
    bool is_taken[PART_COUNT]; /* out of the run, before */
};

static void add_part(struct chain_walk *chain, int part, event_id event, int64_t time)
{
    frame_id frame = event == NO_EVENT ? 0 : chain->execution->graph->timeline.frame[event];

    chain->time[part] = checked_add(chain->time[part], time);
    if (part == chain->part)
        chain->time_of[frame] = checked_add(chain->time_of[frame], time);
}

static bool makes_batches(const struct execution *execution, uint32_t track)
{
    for (size_t i = 0; i < execution->producers.count; i++)
        if (execution->producers.list[i] == track)
            return true;
    return false;
}

static void add_thread(struct chain_walk *chain, uint32_t track)
{
    const struct execution *execution = chain->execution;
    const struct replay_change *change = &chain->scenario.change;
    bool is_producer = makes_batches(execution, track);
    struct task_pieces pieces = {0};
    struct task_piece piece;

    task_pieces_begin(&pieces, execution, track, change->of_frame);
    while (task_pieces_next(&pieces, &piece)) {
        const struct segment *segment = &piece.segment;

        if (!chain->is_on_path[piece.task] || execution->kind[piece.task] == TASK_WAIT ||
            segment->event == NO_EVENT)
            continue;
        add_part(chain, is_producer ? IDLE_OF_INPUT : (int)host_piece_class(execution, segment),
                 segment->event,
                 replay_piece(change, replay_change_of_piece(execution, change, &piece), piece.task,
                              segment->end - segment->start));
    }
    task_pieces_free(&pieces);
}

static void add_device_work(struct chain_walk *chain, task_id task)
{
    static const int parts[WORK_COUNT] = {PART_COMPUTE, PART_COMMUNICATION, PART_COPY};
    const struct execution *execution = chain->execution;
    event_id event = execution->event[task];

    add_part(chain,
             parts[work_of(
                 graph_frame(execution->graph, execution->graph->timeline.frame[event])->kind)],
             event, chain->length[task]);
}

/* A loader that is waited for decides with all that its batches cost, though the path is that of the one who waits. */
static void add_batches(struct chain_walk *chain)
{
    const struct execution *execution = chain->execution;

    for (size_t i = 0; i < execution->batches.count; i++) {
        const struct loader_batch *batch = &execution->batches.list[i];

        if (chain->is_on_path[batch->task] && chain->length[batch->task] > 0)
            add_part(chain, IDLE_OF_INPUT, batch->event,
                     batch->cost[chain->scenario.change.batch_cost]);
    }
}

static void walk_path(struct chain_walk *chain, const struct critical_path *path, int wanted)
{
    const struct timeline *timeline = &chain->execution->graph->timeline;

    chain->part = wanted;
    memset(chain->time, 0, sizeof(chain->time));
    memset(chain->time_of, 0, chain->execution->graph->frames.count * sizeof(*chain->time_of));
    memset(chain->is_on_path, 0, chain->execution->count * sizeof(*chain->is_on_path));
    for (uint32_t i = 0; i < path->task_count; i++) {
        chain->is_on_path[path->tasks[i]] = true;
        if (chain->execution->kind[path->tasks[i]] == TASK_DEVICE)
            add_device_work(chain, path->tasks[i]);
    }
    for (uint32_t t = 0; t < timeline->track_count; t++)
        if (timeline->tracks[t].kind == TRACK_THREAD)
            add_thread(chain, t);
    add_batches(chain);
}

/* The median of those that cost anything; UNKNOWN. */
static int64_t cost_of_batch(const struct chain_walk *chain)
{
    const struct execution *execution = chain->execution;
    int64_t *costs = grow_to(NULL, execution->batches.count + 1, sizeof(*costs)), median;
    size_t count = 0;

    for (size_t i = 0; i < execution->batches.count; i++) {
        int64_t cost = execution->batches.list[i].cost[chain->scenario.change.batch_cost];

        if (cost > 0)
            costs[count++] = cost;
    }
    sort_numbers(costs, count);
    median = count ? costs[count / 2] : UNKNOWN;
    free(costs);
    return median;
}

static const char *part_name(int part)
{
    static const enum path_part parts[] = {PATH_COMPUTE, PATH_COMMUNICATION, PATH_COPY};

    return part < IDLE_CLASS_COUNT ? idle_class_name((enum idle_class)part)
                                   : path_part_name(parts[part - PART_COMPUTE]);
}

/* What is most of the path and part of the program. */
static int find_part(const struct chain_walk *chain)
{
    int most = IDLE_OF_UNKNOWN;

    for (int part = 0; part < PART_COUNT; part++)
        if (!(part < IDLE_CLASS_COUNT && idle_is_left_out((enum idle_class)part)) &&
            !chain->is_taken[part] && chain->time[part] > chain->time[most])
            most = part;
    return most;
}

static struct chain_link link_of(const struct chain_walk *chain, int part, int64_t span)
{
    struct chain_link link = {.what = part_name(part),
                              .after = span,
                              .time = chain->time[part] < span ? chain->time[part] : span,
                              .batch = part == IDLE_OF_INPUT ? cost_of_batch(chain) : UNKNOWN};

    for (frame_id id = 1; id < chain->execution->graph->frames.count; id++)
        if (chain->time_of[id] > (link.frame ? chain->time_of[link.frame] : 0))
            link.frame = id;
    return link;
}

/* Takes a part out of the run; false where the device computes, or nobody knows how. */
static bool take_out(struct chain_walk *chain, int part)
{
    static const enum remedy remedies[PART_COUNT] = {[IDLE_OF_INPUT] = REMEDY_INPUT,
                                                     [IDLE_OF_ALLOCATOR] = REMEDY_ALLOCATIONS,
                                                     [IDLE_OF_LAUNCH] = REMEDY_LAUNCHES,
                                                     [IDLE_OF_SETUP] = REMEDY_SETUP,
                                                     [IDLE_OF_HOST] = REMEDY_HOST,
                                                     [PART_COPY] = REMEDY_COPIES,
                                                     [PART_COMMUNICATION] = REMEDY_COMMUNICATION};

    if (remedies[part] == REMEDY_NONE)
        return false;
    chain->is_taken[part] = true;
    scenario_apply(&chain->scenario, remedies[part], REMEDY_GOES);
    return true;
}

static void find_links(struct chain_walk *chain, struct arena *arena, struct advice *advice)
{
    const struct execution *execution = chain->execution;
    int part;

    do {
        const struct replay_change *change = &chain->scenario.change;
        struct critical_path path;
        int64_t span;

        replay_lengths(execution, change, chain->length);
        span = replay_run(execution, change, chain->length, chain->end) - execution->run_start;
        critical_path_find(execution, change, chain->length, chain->end, arena, &path);
        walk_path(chain, &path, PART_COUNT);
        part = find_part(chain);
        if (chain->time[part] == 0)
            return;
        walk_path(chain, &path, part);
        advice->links[advice->link_count++] = link_of(chain, part, span);
    } while (advice->link_count < CHAIN_LINKS && take_out(chain, part));
}

void advice_chain(const struct execution *execution, struct arena *arena, struct advice *advice)
{
    const struct finding *first = advice->findings;
    struct chain_walk chain = {.execution = execution};

    if (advice->reported == 0 || first->gain == UNKNOWN || first->gain <= 0 ||
        first->kernel_count || !finding_has_remedy(first))
        return;
    chain.length = grow_to(NULL, execution->count, sizeof(*chain.length));
    chain.end = grow_to(NULL, execution->count, sizeof(*chain.end));
    chain.is_on_path = grow_to(NULL, execution->count, sizeof(*chain.is_on_path));
    chain.time_of = grow_to(NULL, execution->graph->frames.count, sizeof(*chain.time_of));
    scenario_begin(&chain.scenario, execution);
    chain.scenario.change.batch_cost = BATCH_COST_LIKELY;
    finding_apply(&chain.scenario, first, REMEDY_FASTER);
    find_links(&chain, arena, advice);
    scenario_free(&chain.scenario);
    free(chain.time_of);
    free(chain.is_on_path);
    free(chain.end);
    free(chain.length);
}
