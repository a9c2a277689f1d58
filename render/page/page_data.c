/* SPDX-License-Identifier: Apache-2.0 */
/* page_data.c — fits what a page carries of a timeline into its size */
#include "render/page/page_data.h"

#include <stdlib.h>

#include "graph/classify/function_class.h"

/* Bytes of base 64 that an event took in measured traces, more than that at first. */
static double bytes_of_event(uint32_t level)
{
    const double fine = 6.4, each_level = 0.38, coarse = 1.6;
    double bytes = fine - each_level * level;

    return bytes > coarse ? bytes : coarse;
}

/* ---- names ---- */

struct name_uses {
    const uint32_t *uses; /* by frame */
};

static bool is_used_more(const void *context, uint32_t a, uint32_t b)
{
    const struct name_uses *names = context;

    return names->uses[a] > names->uses[b];
}

/* About what a frame's name takes in the index. */
static size_t name_size(const struct graph *graph, frame_id frame)
{
    enum { LONGEST = 512, REST = 24 };
    size_t length = graph_text(graph, graph_frame(graph, frame)->name).len;

    return REST + (length < LONGEST ? length : LONGEST);
}

/* Of very many names the most frequent. */
static void find_names(const struct event_choice *choice, uint64_t size, struct arena *arena,
                       struct page_names *names)
{
    const struct graph *graph = choice->graph;
    uint32_t frames = (uint32_t)graph->frames.count;
    uint32_t *uses = grow_zeroed(frames, sizeof(*uses)), *order;
    uint64_t taken = 0;

    for (event_id event = 0; event < graph->timeline.count; event++)
        if (bits_has(&choice->kept, event))
            uses[graph->timeline.frame[event]]++;
    order = sorted_order(frames, is_used_more, &(struct name_uses){uses});
    names->count = 0;
    while (names->count < frames && uses[order[names->count]] && taken < size)
        taken += name_size(graph, order[names->count++]);
    names->frames = arena_array(arena, names->count, sizeof(*names->frames));
    names->place = grow_to(names->place, frames + 1, sizeof(*names->place));
    for (uint32_t i = 0; i < frames; i++)
        names->place[i] = names->count;
    for (uint32_t i = 0; i < names->count; i++) {
        names->frames[i] = order[i];
        names->place[order[i]] = i;
    }
    free(order);
    free(uses);
}

/* ---- all of it ---- */

/* The first step of so many ns. */
static struct window_bounds step_of_length(const struct steps *steps, int64_t length)
{
    uint32_t i = 0;

    while (steps->list[i].length != length)
        i++;
    return (struct window_bounds){steps->list[i].start, steps->list[i].end};
}

/* The median step and the longest one, after what the page points to. */
static uint32_t add_steps(const struct steps *steps, struct window_bounds *windows, uint32_t count,
                          struct arena *arena)
{
    int64_t *lengths = arena_array(arena, steps->count, sizeof(*lengths));
    struct extremes extremes;

    if (!steps->count)
        return count;
    for (uint32_t i = 0; i < steps->count; i++)
        lengths[i] = steps->list[i].length;
    extremes = extremes_of(lengths, steps->count);
    windows[count++] = step_of_length(steps, extremes.median);
    windows[count++] = step_of_length(steps, extremes.most);
    return count;
}

static uint64_t packed_size(const struct page_columns *columns)
{
    uint64_t size = 0;

    for (uint32_t i = 0; i < PAGE_COLUMNS; i++)
        size += (columns->of[i].count + 2) / 3 * 4;
    return size;
}

uint64_t page_path_most(uint64_t size)
{
    const uint64_t path_size = size / 32, piece_size = 6;

    return path_size / piece_size;
}

/* The first level that fits is found by guessing, and the guess by packing. */
void page_data_make(const struct graph *graph, const struct page_data_options *options,
                    struct arena *arena, struct page_data *data)
{
    const uint64_t names_size = options->size / 4, events_size = options->size - names_size;
    const struct page_extras extras = {options->devices, options->path};
    struct window_bounds *windows = arena_array(arena, options->window_count + 2, sizeof(*windows));
    uint32_t level, count = options->window_count;

    *data = (struct page_data){0};
    for (uint32_t i = 0; i < count; i++)
        windows[i] = options->windows[i];
    steps_find(graph, arena, &data->steps);
    count = add_steps(&data->steps, windows, count, arena);
    event_choice_begin(&data->choice, graph, windows, count,
                       (uint32_t)((double)events_size / bytes_of_event(0)), arena);
    level = data->choice.level;
    while (level + 1 < PAGE_LEVELS &&
           data->choice.kept_at[level] * bytes_of_event(level) > (double)events_size)
        level++;
    for (;; level++) {
        event_choice_take(&data->choice, level);
        find_names(&data->choice, names_size, arena, &data->names);
        page_columns_free(&data->columns);
        page_columns_fill(&data->choice, &data->names, &extras, arena, &data->columns);
        if (packed_size(&data->columns) <= events_size || level + 1 == PAGE_LEVELS)
            return;
    }
}

uint32_t page_event(const struct page_data *data, event_id event)
{
    return event != NO_EVENT && bits_has(&data->choice.kept, event)
               ? bits_before(&data->choice.kept, event)
               : NO_EVENT;
}

void page_data_free(struct page_data *data)
{
    event_choice_free(&data->choice);
    page_columns_free(&data->columns);
    free(data->names.place);
    *data = (struct page_data){0};
}
