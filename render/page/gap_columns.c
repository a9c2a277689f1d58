/* SPDX-License-Identifier: Apache-2.0 */
/* gap_columns.c — the column of devices' idle time: when, how long, who owns it */
#include "render/page/page_data.h"

#include <stdlib.h>

#include "base/checked.h"

enum { GAPS_MOST = 200000 }; /* of all devices */

struct gap_writer {
    const struct event_choice *choice;
    struct page_columns *columns;
    uint32_t *places; /* by frame: 1 + its place among the owners, or 0; owned */
};

struct gap_list {
    const struct gap *gaps;
};

static bool is_earlier(const void *context, uint32_t a, uint32_t b)
{
    const struct gap *gaps = ((const struct gap_list *)context)->gaps;

    return gaps[a].start < gaps[b].start;
}

static uint32_t owner_place(struct gap_writer *writer, frame_id owner)
{
    struct page_columns *columns = writer->columns;

    if (!owner)
        return 0;
    if (!writer->places[owner]) {
        columns->owners[columns->owner_count++] = owner;
        writer->places[owner] = columns->owner_count;
    }
    return writer->places[owner];
}

static void write_gap(struct gap_writer *writer, const struct gap *gap, uint64_t *before)
{
    struct byte_list *bytes = &writer->columns->of[PAGE_GAPS];
    uint64_t start = page_units(writer->choice, gap->start);

    varint_add(bytes, start - *before);
    varint_add(bytes,
                   page_units(writer->choice, checked_add(gap->start, gap->length)) - start);
    varint_add(bytes, owner_place(writer, gap->owner));
    varint_add(bytes, (uint64_t)gap->class);
    *before = start;
}

/* The first of the longest that is no longer than the last of `count`, and the first that is shorter. */
static void find_alike(const struct gaps *gaps, uint32_t count, uint32_t *first, uint32_t *past)
{
    int64_t length = gaps->largest[count - 1].length;

    *first = count - 1;
    *past = count;
    while (*first > 0 && gaps->largest[*first - 1].length == length)
        --*first;
    while (*past < gaps->count && gaps->largest[*past].length == length)
        ++*past;
}

/* The longest `count`; of those of the least length, which come by time, some from all of the run. Returns the
 * length of the others. */
static int64_t choose_gaps(const struct gaps *gaps, uint32_t count, struct gap *chosen)
{
    uint32_t first = 0, past = 0, kept = 0;
    int64_t rest = 0;

    if (count)
        find_alike(gaps, count, &first, &past);
    for (uint32_t i = 0; i < gaps->count; i++) {
        uint64_t of = past - first, wanted = count - first, at = i - first;
        bool is_kept = i < first || (i < past && (at + 1) * wanted / of > at * wanted / of);

        if (is_kept)
            chosen[kept++] = gaps->largest[i];
        else
            rest = checked_add(rest, gaps->largest[i].length);
    }
    return rest;
}

static void write_device(struct gap_writer *writer, const struct device_bottleneck *device,
                         uint32_t most)
{
    const struct gaps *gaps = &device->gaps;
    uint32_t count = gaps->count < most ? gaps->count : most, *order;
    struct gap *chosen = grow_to(NULL, (size_t)count + 1, sizeof(*chosen));
    struct page_gaps shown = {.device = device->device, .count = count, .all = gaps->count};
    uint64_t before = 0;

    shown.rest = choose_gaps(gaps, count, chosen);
    order = sorted_order(count, is_earlier, &(struct gap_list){chosen});
    for (uint32_t i = 0; i < count; i++)
        write_gap(writer, &chosen[order[i]], &before);
    free(order);
    free(chosen);
    writer->columns->gaps[writer->columns->gap_devices++] = shown;
}

void page_gaps_fill(const struct event_choice *choice, const struct bottlenecks *devices,
                    struct arena *arena, struct page_columns *columns)
{
    struct gap_writer writer = {choice, columns, NULL};
    size_t frames = choice->graph->frames.count;

    if (!devices->count)
        return;
    writer.places = grow_zeroed(frames, sizeof(*writer.places));
    columns->owners = arena_array(arena, frames, sizeof(*columns->owners));
    columns->gaps = arena_array(arena, devices->count, sizeof(*columns->gaps));
    for (uint32_t i = 0; i < devices->count; i++)
        write_device(&writer, &devices->devices[i], GAPS_MOST / devices->count);
    free(writer.places);
}
