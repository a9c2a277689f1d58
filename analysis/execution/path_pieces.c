/* SPDX-License-Identifier: Apache-2.0 */
/* path_pieces.c — the critical path as pieces of time, one after the other, each with the event that it was in */
#include <stdlib.h>

#include "analysis/execution/path_parts.h"
#include "analysis/execution/replay.h"
#include "base/checked.h"
#include "base/memory/memory.h"

/* Long runs have many pieces, most of which nobody keeps: so they are counted first, then the long ones listed. */
struct path_reading {
    const struct execution *execution;
    const struct critical_path *path;
    struct path_pieces *pieces;
    bool *is_on_path;    /* by task */
    uint64_t longer[64]; /* by the logarithm of their length */
    int64_t least;       /* 0: they are counted */
};

static void add_piece(struct path_reading *reading, struct path_piece piece)
{
    struct path_pieces *pieces = reading->pieces;
    int64_t length = piece.end - piece.start;

    if (length <= 0)
        return;
    if (!reading->least)
        reading->longer[63 - __builtin_clzll((uint64_t)length)]++;
    else if (length < reading->least)
        pieces->rest = checked_add(pieces->rest, length);
    else
        vector_add(pieces, piece);
}

/* What a thread ran in its tasks that are on the path. */
static void add_thread(struct path_reading *reading, uint32_t track)
{
    const struct execution *execution = reading->execution;
    struct task_pieces of_track = {0};
    struct task_piece piece;

    task_pieces_begin(&of_track, execution, track, NULL);
    while (task_pieces_next(&of_track, &piece))
        if (reading->is_on_path[piece.task] && execution->kind[piece.task] != TASK_WAIT)
            add_piece(reading, (struct path_piece){piece.segment.start, piece.segment.end,
                                                   piece.segment.event,
                                                   path_part_of_segment(execution, &piece)});
    task_pieces_free(&of_track);
}

/* Tasks of devices, waits, and what lies between tasks; from the last task back. */
static void add_tasks(struct path_reading *reading, task_id task)
{
    const struct execution *execution = reading->execution;
    bool is_whole = true; /* the path comes to the task from its end, not from its start */

    while (task) {
        const struct dependency *by = task_decisive(execution, task);
        event_id event;
        enum path_part part;

        if (is_whole) {
            reading->is_on_path[task] = true;
            if (execution->kind[task] != TASK_HOST)
                add_piece(reading, (struct path_piece){execution->start[task], execution->end[task],
                                                       execution->event[task],
                                                       path_part_of_task(execution, task)});
        }
        if (!by)
            return;
        part = path_part_of_lag(execution, task, by, &event);
        add_piece(reading, (struct path_piece){execution->start[task] - by->lag,
                                               execution->start[task], event, part});
        is_whole = by->kind != DEPENDS_ON_SLOT;
        task = by->from;
    }
}

static bool begins_before(const void *context, uint32_t a, uint32_t b)
{
    const struct path_piece *list = context;

    return list[a].start < list[b].start;
}

static void read_path(struct path_reading *reading)
{
    const struct timeline *timeline = &reading->execution->graph->timeline;

    if (reading->path->task_count)
        add_tasks(reading, reading->path->tasks[0]);
    for (uint32_t i = 0; i < timeline->track_count; i++)
        if (timeline->tracks[i].kind == TRACK_THREAD)
            add_thread(reading, i);
}

/* The length from which on at most so many pieces are as long. */
static int64_t least_of_path(const struct path_reading *reading, uint64_t most)
{
    uint64_t count = 0;
    int bits = 63;

    while (bits > 0 && count + reading->longer[bits] <= most)
        count += reading->longer[bits--];
    return bits ? (int64_t)1 << (bits + 1) : 1;
}

void path_pieces_find(const struct execution *execution, const struct critical_path *path,
                      uint64_t most, struct path_pieces *pieces)
{
    struct path_pieces found = {0};
    struct path_reading reading = {.execution = execution,
                                   .path = path,
                                   .pieces = &found,
                                   .is_on_path =
                                       grow_zeroed((size_t)execution->count + 1, sizeof(bool))};
    uint32_t *order;

    read_path(&reading);
    reading.least = least_of_path(&reading, most);
    read_path(&reading);
    free(reading.is_on_path);
    order = sorted_order((uint32_t)found.count, begins_before, found.list);
    *pieces = (struct path_pieces){.list = grow_to(NULL, found.count + 1, sizeof(*pieces->list)),
                                   .count = found.count,
                                   .rest = found.rest};
    for (size_t i = 0; i < found.count; i++)
        pieces->list[i] = found.list[order[i]];
    free(order);
    free(found.list);
}
