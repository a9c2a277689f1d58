/* SPDX-License-Identifier: Apache-2.0 */
#include "render/writers/writer.h"

#include "base/memory/sort.h"

static int64_t process_of(const struct track *track)
{
    if (track->device >= 0)
        return track->device;
    return track->pid ? track->pid : TRACE_TEXT_IDS + (int64_t)track->process;
}

/* "stream 7" is thread 7; a number is better than a text that stands for one. */
static int64_t number_at_end(struct span name)
{
    size_t blank = span_rfind(name, ' ');
    int64_t number;

    return span_to_i64(blank == SIZE_MAX ? name : span_after(name, blank + 1), &number) ? number
                                                                                        : -1;
}

static int64_t thread_of(const struct graph *graph, const struct track *track)
{
    int64_t number = track->tid;

    if (number == 0)
        number = track->device >= 0 ? number_at_end(graph_text(graph, track->name)) : -1;
    return number == -1 ? TRACE_TEXT_IDS + (int64_t)track->name : number;
}

/* ---- rows that several tracks of one kind have ---- */

struct row_ordering {
    const struct timeline *timeline;
    const struct trace_row *rows;
};

static int compare(int64_t a, int64_t b)
{
    return (a > b) - (a < b);
}

/* Readers tell tracks of different kinds in one row apart. */
static int compare_rows(const struct row_ordering *standing, uint32_t a, uint32_t b)
{
    const struct trace_row *left = &standing->rows[a], *right = &standing->rows[b];
    int order = compare(standing->timeline->tracks[a].kind, standing->timeline->tracks[b].kind);

    order = order ? order : compare(left->process, right->process);
    return order ? order : compare(left->thread, right->thread);
}

static bool stands_before(const void *context, uint32_t a, uint32_t b)
{
    return compare_rows(context, a, b) < 0;
}

static void part_equals(const struct graph *graph, struct arena *arena, struct trace_row *rows)
{
    const struct timeline *timeline = &graph->timeline;
    const struct row_ordering standing = {timeline, rows};
    uint32_t *order = arena_array(arena, timeline->track_count, sizeof(*order)), count = 0;
    bool *is_taken = arena_array(arena, timeline->track_count, sizeof(*is_taken));

    for (uint32_t i = 0; i < timeline->track_count; i++)
        if (timeline->tracks[i].lane == 0)
            order[count++] = i;
    sort_stable(order, count, stands_before, &standing);
    for (uint32_t i = 1; i < count; i++)
        is_taken[order[i]] = compare_rows(&standing, order[i - 1], order[i]) == 0;
    for (uint32_t i = 0; i < timeline->track_count; i++)
        if (is_taken[i] && timeline->tracks[i].process)
            rows[i].process = TRACE_TEXT_IDS + (int64_t)timeline->tracks[i].process;
}

struct trace_row *trace_rows_find(const struct graph *graph, struct arena *arena)
{
    const struct timeline *timeline = &graph->timeline;
    struct trace_row *rows = arena_array(arena, timeline->track_count, sizeof(*rows));

    for (uint32_t i = 0; i < timeline->track_count; i++)
        rows[i] = (struct trace_row){process_of(&timeline->tracks[i]),
                                     thread_of(graph, &timeline->tracks[i])};
    part_equals(graph, arena, rows);
    for (uint32_t i = 1; i < timeline->track_count; i++)
        if (timeline->tracks[i].lane)
            rows[i] = rows[i - 1];
    return rows;
}
