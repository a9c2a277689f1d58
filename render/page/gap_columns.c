/* SPDX-License-Identifier: Apache-2.0 */
/* gap_columns.c — the column of devices' idle time: when, how long, who owns it */
#include "render/page/page_data.h"

#include <stdlib.h>

#include "base/checked.h"

enum { GAPS_MOST = 60000 }; /* of all devices */

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
    struct page_bytes *bytes = &writer->columns->of[PAGE_GAPS];
    uint64_t start = page_units(writer->choice, gap->start);

    page_bytes_add(bytes, start - *before);
    page_bytes_add(bytes,
                   page_units(writer->choice, checked_add(gap->start, gap->length)) - start);
    page_bytes_add(bytes, owner_place(writer, gap->owner));
    page_bytes_add(bytes, (uint64_t)gap->class);
    *before = start;
}

/* The longest `most`, which come first, by time. */
static void write_device(struct gap_writer *writer, const struct device_bottleneck *device,
                         uint32_t most)
{
    const struct gaps *gaps = &device->gaps;
    uint32_t count = gaps->count < most ? gaps->count : most, *order;
    struct page_gaps shown = {.device = device->device, .count = count, .all = gaps->count};
    uint64_t before = 0;

    order = sorted_order(count, is_earlier, &(struct gap_list){gaps->largest});
    for (uint32_t i = 0; i < count; i++)
        write_gap(writer, &gaps->largest[order[i]], &before);
    for (uint32_t i = count; i < gaps->count; i++)
        shown.rest = checked_add(shown.rest, gaps->largest[i].length);
    free(order);
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
