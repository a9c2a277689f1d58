/* SPDX-License-Identifier: Apache-2.0 */
/* slowed_kernels.c — how much longer kernels take beside communication than alone
 *
 * Collectives take multiprocessors and memory bandwidth from what runs beside them. Kernels of one name that one
 * thread launched are compared: those that ran alone fall into lengths, as their shapes do; one beside a collective belongs to the
 * longest of these that it is not shorter than. What is more than that, over all of the name, is laid on the
 * time that they were beside. */
#include <stdlib.h>

#include "analysis/execution/task_graph.h"
#include "analysis/timeline/device_work.h"
#include "base/checked.h"
#include "base/memory/memory.h"

enum {
    LENGTH_STEP = 15, /* %: lengths that differ by more are of different shapes */
    ALONE_LEAST = 2,  /* kernels of a length */
    SLOWED_LEAST = 3, /* %: less is chance */
    ALONE_MOST = 10,  /* %: beside for so much of its time, a kernel is as good as alone */
};

struct communication {
    struct VECTOR_OF(task_id);
    int64_t *ends; /* the latest up to each */
};

/* Those of one length that ran alone. */
struct length {
    uint32_t name;
    int64_t least, sum, count;
};

struct lengths_alone {
    struct VECTOR_OF(struct length); /* by name, then length */
};

struct comparison {
    struct execution *execution;
    struct VECTOR_OF(struct slowdown) beside; /* `time`: side by side */
    struct idmap place_of; /* key_of() a kernel → its place in what is by name */
    uint32_t names;
};

static enum frame_kind kind_of(const struct execution *execution, task_id task)
{
    const struct graph *graph = execution->graph;

    return graph_frame(graph, graph->timeline.frame[execution->event[task]])->kind;
}

static bool starts_sooner(const void *context, uint32_t a, uint32_t b)
{
    const struct execution *execution = context;

    return execution->start[a] < execution->start[b];
}

static void list_communication(const struct execution *execution, int32_t device,
                               struct communication *communication)
{
    const struct timeline *timeline = &execution->graph->timeline;
    int64_t latest = INT64_MIN;

    communication->count = 0;
    for (uint32_t t = 0; t < timeline->track_count; t++)
        for (task_id task = execution->first_task[t];
             timeline->tracks[t].kind == TRACK_STREAM && timeline->tracks[t].device == device &&
             task < execution->first_task[t + 1];
             task++)
            if (work_of(kind_of(execution, task)) == WORK_COMMUNICATION)
                vector_add(communication, task);
    if (!communication->count)
        return;
    sort_stable(communication->list, communication->count, starts_sooner, execution);
    communication->ends =
        grow_to(communication->ends, communication->count, sizeof(*communication->ends));
    for (size_t i = 0; i < communication->count; i++) {
        int64_t end = execution->end[communication->list[i]];

        latest = end > latest ? end : latest;
        communication->ends[i] = latest;
    }
}

static void compare_track(struct comparison *all, uint32_t track,
                          const struct communication *communication)
{
    const struct execution *execution = all->execution;

    for (task_id task = execution->first_task[track]; task < execution->first_task[track + 1];
         task++) {
        int64_t start = execution->start[task], end = execution->end[task];

        if (kind_of(execution, task) != KIND_KERNEL)
            continue;
        SEARCH(size_t, at, communication->count, communication->ends[at] <= start);
        for (; at < communication->count && execution->start[communication->list[at]] < end; at++) {
            task_id by = communication->list[at];
            int64_t from = execution->start[by] > start ? execution->start[by] : start;
            int64_t to = execution->end[by] < end ? execution->end[by] : end;

            if (to > from)
                vector_add(&all->beside, ((struct slowdown){task, by, to - from}));
        }
    }
}

static void find_beside(struct comparison *all)
{
    const struct execution *execution = all->execution;
    const struct timeline *timeline = &execution->graph->timeline;
    struct communication communication = {0};
    int32_t device = 0;
    bool is_listed = false;

    for (uint32_t t = 0; t < timeline->track_count; t++) {
        if (timeline->tracks[t].kind != TRACK_STREAM)
            continue;
        if (!is_listed || timeline->tracks[t].device != device)
            list_communication(execution, timeline->tracks[t].device, &communication);
        is_listed = true;
        device = timeline->tracks[t].device;
        if (communication.count)
            compare_track(all, t, &communication);
    }
    free(communication.list);
    free(communication.ends);
}

/* ---- by name ---- */

/* Kernels of the names that ran beside communication. */
struct kernel_length {
    int64_t length;
    uint32_t name;
};

struct kernel_lengths {
    struct VECTOR_OF(struct kernel_length);
};

static frame_id name_of(const struct execution *execution, task_id task)
{
    return execution->graph->timeline.frame[execution->event[task]];
}

/* A backward pass has a thread of its own, and its kernels other shapes than the forward pass's of the same name. */
static uint64_t key_of(const struct execution *execution, task_id task)
{
    const struct timeline *timeline = &execution->graph->timeline;
    event_id launch = timeline->launch ? timeline->launch[execution->event[task]] : NO_EVENT;

    return idmap_pair(name_of(execution, task),
                      launch == NO_EVENT ? UINT32_MAX : track_of_event(timeline, launch));
}

/* Lengths of one name that do not differ by more than their step are one, if there are enough. */
static void join_lengths(uint32_t name, const int64_t *lengths, size_t count,
                         struct lengths_alone *alone)
{
    struct length at = {0};

    for (size_t i = 0; i < count; i++) {
        bool is_like =
            i && lengths[i] - lengths[i - 1] <= lengths[i - 1] / 100 * LENGTH_STEP;

        if (!is_like && at.count >= ALONE_LEAST)
            vector_add(alone, at);
        if (!is_like)
            at = (struct length){.name = name, .least = lengths[i]};
        at.sum = checked_add(at.sum, lengths[i]);
        at.count++;
    }
    if (at.count >= ALONE_LEAST)
        vector_add(alone, at);
}

/* Name by name. */
static void join_all(const struct kernel_lengths *found, uint32_t names,
                     struct lengths_alone *alone)
{
    size_t *past = grow_zeroed(names + 1u, sizeof(*past)); /* by name: its first place, then past its last */
    int64_t *lengths = grow_to(NULL, found->count + 1, sizeof(*lengths));

    for (size_t i = 0; i < found->count; i++)
        past[found->list[i].name + 1]++;
    for (uint32_t name = 0; name < names; name++)
        past[name + 1] += past[name];
    for (size_t i = 0; i < found->count; i++)
        lengths[past[found->list[i].name]++] = found->list[i].length;
    for (uint32_t name = 0; name < names; name++) {
        size_t first = name ? past[name - 1] : 0;

        sort_numbers(lengths + first, past[name] - first);
        join_lengths(name, lengths + first, past[name] - first, alone);
    }
    free(past);
    free(lengths);
}

/* Those that ran alone, by name and length. */
static void list_alone(const struct comparison *all, struct lengths_alone *alone)
{
    const struct execution *execution = all->execution;
    bool *is_beside = grow_zeroed(execution->count, sizeof(*is_beside));
    struct kernel_lengths found = {0};

    for (size_t i = 0; i < all->beside.count; i++)
        is_beside[all->beside.list[i].task] |=
            all->beside.list[i].time >
            task_length(execution, all->beside.list[i].task) / 100 * ALONE_MOST;
    for (task_id task = 1; task < execution->count; task++) {
        uint32_t name = execution->kind[task] == TASK_DEVICE
                            ? idmap_find(&all->place_of, key_of(execution, task))
                            : IDMAP_NONE;

        if (name != IDMAP_NONE && !is_beside[task])
            vector_add(&found, ((struct kernel_length){task_length(execution, task), name}));
    }
    join_all(&found, all->names, alone);
    free(found.list);
    free(is_beside);
}

/* The mean of those alone that a kernel is like; 0: of none. */
static int64_t length_alone(const struct lengths_alone *alone, uint32_t name, int64_t length)
{
    SEARCH(size_t, past, alone->count,
           alone->list[past].name < name ||
               (alone->list[past].name == name && alone->list[past].least <= length));
    if (past == 0 || alone->list[past - 1].name != name)
        return 0;
    return alone->list[past - 1].sum / alone->list[past - 1].count;
}

/* What kernels of a name took more than alone, and how long they were beside communication. */
struct named_slowdown {
    int64_t more, beside;
};

/* Those of a name that are alike alone are one row. */
static void add_slowed(struct comparison *all, struct idmap *rows, task_id task, uint32_t name,
                       int64_t alone)
{
    struct execution *execution = all->execution;
    uint32_t *place = idmap_at(rows, idmap_pair(name, (uint32_t)(alone ^ alone >> 32)));
    int64_t length = task_length(execution, task);
    struct slowed_kernel *row;

    if (*place == IDMAP_NONE) {
        *place = (uint32_t)execution->slowed.count;
        vector_add(&execution->slowed,
                   ((struct slowed_kernel){
                       .frame = name_of(execution, task), .name = name, .alone = alone}));
    }
    row = &execution->slowed.list[*place];
    row->count++;
    row->sum = checked_add(row->sum, length);
    row->more = checked_add(row->more, length - alone);
}

static void sum_by_name(struct comparison *all, const struct lengths_alone *alone,
                        struct named_slowdown *sums)
{
    struct idmap rows = {0};
    const struct execution *execution = all->execution;

    for (size_t i = 0; i < all->beside.count; i++) {
        const struct slowdown *pair = &all->beside.list[i];
        uint32_t name = idmap_find(&all->place_of, key_of(execution, pair->task));
        bool is_again = i > 0 && all->beside.list[i - 1].task == pair->task;
        int64_t length = task_length(execution, pair->task), mean;

        mean = length_alone(alone, name, length);
        if (mean == 0)
            continue;
        sums[name].beside = checked_add(sums[name].beside, pair->time);
        if (is_again)
            continue;
        sums[name].more = checked_add(sums[name].more, length - mean);
        add_slowed(all, &rows, pair->task, name, mean);
    }
    idmap_free(&rows);
}

/* Whether a name takes more by so much that it is no chance, and no more than it was beside others. */
static bool is_slowed(const struct named_slowdown *sum)
{
    return sum->more > sum->beside / 100 * SLOWED_LEAST && sum->more < sum->beside;
}

static bool takes_more(const void *context, uint32_t a, uint32_t b)
{
    const struct slowed_kernel *rows = context;

    return rows[a].more > rows[b].more;
}

/* Those of names that are slowed, by what they take more. */
static void keep_slowed(struct execution *execution, const struct named_slowdown *sums)
{
    struct slowed_kernel *rows = execution->slowed.list;
    uint32_t *order = sorted_order(execution->slowed.count, takes_more, rows);
    struct slowed_kernel *kept = grow_to(NULL, execution->slowed.count + 1, sizeof(*kept));
    size_t count = 0;

    for (size_t i = 0; i < execution->slowed.count; i++) {
        const struct slowed_kernel *row = &rows[order[i]];

        if (is_slowed(&sums[row->name]) && row->more > (row->sum - row->more) / 100 * SLOWED_LEAST)
            kept[count++] = *row;
    }
    execution->slowed.list = kept;
    execution->slowed.cap = execution->slowed.count + 1;
    execution->slowed.count = count;
    free(order);
    free(rows);
}

static void lay_on_beside(const struct comparison *all, const struct named_slowdown *sums)
{
    const struct execution *execution = all->execution;

    for (size_t i = 0; i < all->beside.count; i++) {
        struct slowdown pair = all->beside.list[i];
        const struct named_slowdown *sum =
            &sums[idmap_find(&all->place_of, key_of(execution, pair.task))];

        if (!is_slowed(sum))
            continue;
        pair.time = (int64_t)((double)pair.time * ((double)sum->more / (double)sum->beside));
        vector_add(&all->execution->slowdowns, pair);
    }
}

void find_slowed_kernels(struct execution *execution)
{
    struct comparison all = {.execution = execution};
    struct lengths_alone alone = {0};
    struct named_slowdown *sums;

    find_beside(&all);
    for (size_t i = 0; i < all.beside.count; i++) {
        uint32_t *place = idmap_at(&all.place_of, key_of(execution, all.beside.list[i].task));

        *place = *place == IDMAP_NONE ? all.names++ : *place;
    }
    if (all.names) {
        sums = grow_zeroed(all.names, sizeof(*sums));
        list_alone(&all, &alone);
        sum_by_name(&all, &alone, sums);
        lay_on_beside(&all, sums);
        keep_slowed(execution, sums);
        free(sums);
    }
    free(alone.list);
    free(all.beside.list);
    idmap_free(&all.place_of);
}
