/* SPDX-License-Identifier: Apache-2.0 */
/* sampled_stacks.c — the events that samples of stacks are the trace of */
#include "parsers/stacks/sampled_stacks.h"

#include <stdlib.h>

#include "base/checked.h"
#include "base/memory/memory.h"

enum { DEPTH_MAX = 1024 }; /* deeper stacks lose their outermost functions */

enum { EVENTS_MIN = 2000000, EVENTS_OF_SAMPLE = 4, MANY_SAMPLES = 500000 };

/* What is open while samples are turned into events, the outermost first. */
struct open_stack {
    uint32_t nodes[DEPTH_MAX], events[DEPTH_MAX];
    int64_t starts[DEPTH_MAX];
    size_t depth;
};

uint32_t sampled_node(struct sampled *sampled, uint64_t id)
{
    uint32_t *known = idmap_at(&sampled->by_id, id);

    if (*known == IDMAP_NONE) {
        *known = (uint32_t)sampled->nodes.count;
        vector_add(&sampled->nodes, (struct sampled_node){.parent = NO_STACK});
    }
    return *known;
}

void sampled_add(struct sampled *sampled, uint32_t track, int64_t time, uint32_t node)
{
    if (!time_is_possible(time))
        return;
    vector_add(&sampled->samples, (struct sample){time, track, node});
}

static bool is_before(const void *context, uint32_t a, uint32_t b)
{
    const struct sample *samples = context;

    if (samples[a].track != samples[b].track)
        return samples[a].track < samples[b].track;
    return samples[a].time < samples[b].time;
}

static bool is_shorter(const void *context, uint32_t a, uint32_t b)
{
    const int64_t *gaps = context;

    return gaps[a] < gaps[b];
}

static int64_t median_of(const int64_t *gaps, size_t count)
{
    uint32_t *order = sorted_order(count, is_shorter, gaps);
    int64_t median = count ? gaps[order[count / 2]] : 0;

    free(order);
    return median;
}

void sampled_end_gaps(struct sampled *sampled)
{
    size_t count = sampled->samples.count, gap_count = 0;
    uint32_t *order = sorted_order(count, is_before, sampled->samples.list);
    int64_t *gaps = grow_zeroed(count + 1, sizeof(*gaps)), usual;

    for (size_t i = 1; i < count; i++) {
        const struct sample *last = &sampled->samples.list[order[i - 1]], *next = &sampled->samples.list[order[i]];

        if (last->track == next->track && next->time > last->time)
            gaps[gap_count++] = checked_sub(next->time, last->time);
    }
    usual = median_of(gaps, gap_count);
    for (size_t i = 0; usual && i < count; i++) {
        struct sample last = sampled->samples.list[order[i]];
        const struct sample *next = i + 1 < count ? &sampled->samples.list[order[i + 1]] : NULL;

        if (!next || next->track != last.track || checked_sub(next->time, last.time) / 2 > usual)
            sampled_add(sampled, last.track, checked_add(last.time, usual), 0);
    }
    free(gaps);
    free(order);
}

/* The innermost nodes of a stack that are shown, at most `most` of them, the outermost first;
 * returns how many. Parents that lead in a circle end when all nodes have had their turn. */
static size_t unroll(const struct sampled *sampled, uint32_t node, size_t most, uint32_t *path)
{
    size_t depth = 0, left = sampled->nodes.count;

    for (; node != NO_STACK && depth < most && left > 0; node = sampled->nodes.list[node].parent) {
        left--;
        if (sampled->nodes.list[node].frame)
            path[depth++] = node;
    }
    for (size_t i = 0; i < depth / 2; i++) {
        uint32_t swap = path[i];

        path[i] = path[depth - 1 - i];
        path[depth - 1 - i] = swap;
    }
    return depth;
}

/* Without a builder, here and below, events are only counted. */
static void close_to(struct open_stack *open, size_t depth, int64_t time,
                     struct timeline_builder *builder)
{
    if (!builder)
        open->depth = open->depth < depth ? open->depth : depth;
    while (open->depth > depth) {
        open->depth--;
        builder_set_duration(builder, open->events[open->depth], time - open->starts[open->depth]);
    }
}

static size_t take_sample(struct open_stack *open, const struct sampled *sampled,
                          const struct sample *sample, struct sampled_budget *budget,
                          struct timeline_builder *builder)
{
    uint32_t path[DEPTH_MAX];
    size_t most = budget->events_left ? DEPTH_MAX : 1, same = 0;
    size_t depth = unroll(sampled, sample->node, most, path);

    budget->shortened +=
        !budget->events_left && sampled->nodes.list[sample->node].parent != NO_STACK;
    while (same < depth && same < open->depth && open->nodes[same] == path[same])
        same++;
    close_to(open, same, sample->time, builder);
    budget->events_left -= budget->events_left < depth - same ? budget->events_left : depth - same;
    for (; open->depth < depth; open->depth++) {
        size_t at = open->depth;

        open->nodes[at] = path[at];
        open->starts[at] = sample->time;
        if (builder)
            open->events[at] = builder_event(builder, sample->track, sample->time, 0,
                                             sampled->nodes.list[path[at]].frame);
    }
    return depth - same;
}

struct sampled_budget sampled_budget(uint64_t samples, uint64_t file_bytes)
{
    uint64_t many = samples < MANY_SAMPLES ? samples : MANY_SAMPLES;

    return (struct sampled_budget){.events_left =
                                       EVENTS_MIN + EVENTS_OF_SAMPLE * many + file_bytes};
}

void sampled_warn(const struct sampled_budget *budget, struct builder *builder)
{
    warning_count_many(builder_warnings(builder), WARNING_LOSS,
                       "samples without the callers of their innermost function: more calls than a "
                       "recording of this length can mean",
                       budget->shortened);
}

/* In the order given; returns how many events they become. */
static uint64_t take_samples(const struct sampled *sampled, const uint32_t *order, int64_t end,
                             struct sampled_budget *budget, struct timeline_builder *builder)
{
    struct open_stack *open = grow_zeroed(1, sizeof(*open));
    const struct sample *last = NULL;
    uint64_t events = 0;

    for (size_t i = 0; i < sampled->samples.count; i++) {
        const struct sample *sample = &sampled->samples.list[order[i]];

        if (last && last->track != sample->track)
            close_to(open, 0, end > last->time ? end : last->time, builder);
        events += take_sample(open, sampled, sample, budget, builder);
        last = sample;
    }
    if (last)
        close_to(open, 0, end > last->time ? end : last->time, builder);
    free(open);
    return events;
}

void sampled_emit(const struct sampled *sampled, struct builder *builder, int64_t end,
                  struct sampled_budget *budget)
{
    uint32_t *order = sorted_order(sampled->samples.count, is_before, sampled->samples.list);
    struct sampled_budget once = *budget;
    uint64_t events = take_samples(sampled, order, end, &once, NULL);

    if (events < UINT32_MAX)
        builder_expect(builder_timeline(builder), (uint32_t)events);
    take_samples(sampled, order, end, budget, builder_timeline(builder));
    free(order);
}

void sampled_free(struct sampled *sampled)
{
    idmap_free(&sampled->by_id);
    free(sampled->nodes.list);
    free(sampled->samples.list);
    *sampled = (struct sampled){0};
}
