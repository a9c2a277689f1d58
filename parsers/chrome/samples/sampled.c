/* SPDX-License-Identifier: Apache-2.0 */
#include "parsers/chrome/samples/sampled.h"

#define XXH_INLINE_ALL
#include <stdlib.h>
#include <xxhash.h>

#include "base/memory/grow.h"
#include "base/memory/sort.h"
#include "parsers/shared/json_value.h"

/* ---- stacks that were sampled now and then, as the events they are the trace of ---- */

#define NO_STACK UINT32_MAX

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
        *known = (uint32_t)sampled->node_count;
        sampled->nodes = grow_one(sampled->nodes, sampled->node_count, &sampled->node_cap,
                                  sizeof(*sampled->nodes));
        sampled->nodes[sampled->node_count++] = (struct sampled_node){.parent = NO_STACK};
    }
    return *known;
}

void sampled_add(struct sampled *sampled, uint32_t track, int64_t time, uint32_t node)
{
    if (!time_is_possible(time))
        return;
    sampled->samples = grow_one(sampled->samples, sampled->sample_count, &sampled->sample_cap,
                                sizeof(*sampled->samples));
    sampled->samples[sampled->sample_count++] = (struct sample){time, track, node};
}

static bool is_before(const void *context, uint32_t a, uint32_t b)
{
    const struct sample *samples = context;

    if (samples[a].track != samples[b].track)
        return samples[a].track < samples[b].track;
    return samples[a].time < samples[b].time;
}

/* The innermost nodes of a stack that are shown, at most `most` of them, the outermost first;
 * returns how many. Parents that lead in a circle end when all nodes have had their turn. */
static size_t unroll(const struct sampled *sampled, uint32_t node, size_t most, uint32_t *path)
{
    size_t depth = 0, left = sampled->node_count;

    for (; node != NO_STACK && depth < most && left > 0; node = sampled->nodes[node].parent) {
        left--;
        if (sampled->nodes[node].frame)
            path[depth++] = node;
    }
    for (size_t i = 0; i < depth / 2; i++) {
        uint32_t swap = path[i];

        path[i] = path[depth - 1 - i];
        path[depth - 1 - i] = swap;
    }
    return depth;
}

static void close_to(struct open_stack *open, size_t depth, int64_t time,
                     struct timeline_builder *builder)
{
    while (open->depth > depth) {
        open->depth--;
        builder_set_duration(builder, open->events[open->depth], time - open->starts[open->depth]);
    }
}

static void take_sample(struct open_stack *open, const struct sampled *sampled,
                        const struct sample *sample, struct sampled_budget *budget,
                        struct timeline_builder *builder)
{
    uint32_t path[DEPTH_MAX];
    size_t most = budget->events_left ? DEPTH_MAX : 1, same = 0;
    size_t depth = unroll(sampled, sample->node, most, path);

    budget->shortened += !budget->events_left && sampled->nodes[sample->node].parent != NO_STACK;
    while (same < depth && same < open->depth && open->nodes[same] == path[same])
        same++;
    close_to(open, same, sample->time, builder);
    budget->events_left -= budget->events_left < depth - same ? budget->events_left : depth - same;
    for (; open->depth < depth; open->depth++) {
        size_t at = open->depth;

        open->nodes[at] = path[at];
        open->starts[at] = sample->time;
        open->events[at] =
            builder_event(builder, sample->track, sample->time, 0, sampled->nodes[path[at]].frame);
    }
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

void sampled_emit(const struct sampled *sampled, struct builder *builder, int64_t end,
                  struct sampled_budget *budget)
{
    uint32_t *order = grow_to(NULL, sampled->sample_count + 1, sizeof(*order));
    struct open_stack *open = grow_zeroed(1, sizeof(*open));
    const struct sample *last = NULL;

    for (size_t i = 0; i < sampled->sample_count; i++)
        order[i] = (uint32_t)i;
    sort_stable(order, sampled->sample_count, is_before, sampled->samples);
    for (size_t i = 0; i < sampled->sample_count; i++) {
        const struct sample *sample = &sampled->samples[order[i]];

        if (last && last->track != sample->track)
            close_to(open, 0, end > last->time ? end : last->time, builder_timeline(builder));
        take_sample(open, sampled, sample, budget, builder_timeline(builder));
        last = sample;
    }
    if (last)
        close_to(open, 0, end > last->time ? end : last->time, builder_timeline(builder));
    free(open);
    free(order);
}

void sampled_free(struct sampled *sampled)
{
    idmap_free(&sampled->by_id);
    free(sampled->nodes);
    free(sampled->samples);
    *sampled = (struct sampled){0};
}

/* ---- a trace's "samples", which name their stacks in its "stackFrames" ---- */

static struct token copy(struct stack_samples *stacks, struct token value)
{
    const char *text = arena_copy(&stacks->text, (struct span){value.at, value.len});

    return (struct token){text, value.len};
}

void stack_samples_keep_frames(struct stack_samples *stacks, struct token value)
{
    stacks->frames = copy(stacks, value);
}

void stack_samples_keep_samples(struct stack_samples *stacks, struct token value)
{
    stacks->samples = copy(stacks, value);
}

/* Ids are numbers in one place and keys, which are strings, in another. */
static uint32_t node_of(struct sampled *sampled, struct span id)
{
    return sampled_node(sampled, XXH3_64bits(id.at, id.len));
}

/* Takes ":12" off the end. */
static bool take_number(struct span *text, int64_t *number)
{
    size_t colon = span_rfind(*text, ':');

    if (colon == SIZE_MAX || !span_to_i64(span_after(*text, colon + 1), number))
        return false;
    text->len = colon;
    return true;
}

/* Hermes puts a function's place into its name: "render(http://host/index.js:12:3)". */
static void name_frame(struct frame *frame, struct span name, struct builder *builder)
{
    size_t open = span_find(name, SPAN("(")), close = name.len - 1;
    int64_t line, column;

    if (open != SIZE_MAX && open > 0 && name.at[close] == ')') {
        struct span place = {name.at + open + 1, close - open - 1};

        if (take_number(&place, &column) && take_number(&place, &line) && line > 0) {
            frame->file = builder_intern(builder, place);
            frame->line = line;
            name.len = open;
        }
    }
    frame->name = builder_intern(builder, name);
}

static void read_frames(struct sampled *sampled, struct token frames, struct builder *builder)
{
    struct walk walk = walk_into(frames);
    struct token value;
    struct span key;

    while (walk_member(&walk, &key, &value)) {
        struct token name = walk_find(value, SPAN("name")),
                     parent = walk_find(value, SPAN("parent"));
        struct arena arena = {0};
        struct frame frame = {.kind = KIND_HOST};
        uint32_t node = node_of(sampled, key);

        name_frame(&frame, name.at ? token_text(name, &arena) : SPAN("?"), builder);
        sampled->nodes[node].frame = builder_frame(builder, &frame);
        if (parent.at) {
            uint32_t above = node_of(sampled, token_raw_text(parent));

            sampled->nodes[node].parent = above;
        }
        arena_free(&arena);
    }
}

static uint64_t read_samples(struct sampled *sampled, struct token samples, struct rows *rows,
                             struct builder *builder)
{
    struct walk walk = walk_into(samples);
    struct token sample;
    uint64_t count = 0;

    while (walk_item(&walk, &sample)) {
        struct token ts = walk_find(sample, SPAN("ts")), sf = walk_find(sample, SPAN("sf"));
        int64_t time;
        uint32_t row;

        if (!ts.at || !sf.at || !token_scaled(ts, 3, &time))
            continue;
        row = rows_find(rows, builder, walk_find(sample, SPAN("pid")),
                        walk_find(sample, SPAN("tid")), ROW_SAMPLES);
        sampled_add(sampled, row, time, node_of(sampled, token_raw_text(sf)));
        count++;
    }
    return count;
}

void stack_samples_finish(const struct stack_samples *stacks, uint64_t file_bytes,
                          struct rows *rows, struct builder *builder)
{
    struct sampled sampled = {0};
    struct sampled_budget budget;

    if (!stacks->frames.at || !stacks->samples.at)
        return;
    read_frames(&sampled, stacks->frames, builder);
    warning_count_many(builder_warnings(builder), WARNING_NOTE,
                       "samples of stacks: times and calls of their functions are estimates",
                       read_samples(&sampled, stacks->samples, rows, builder));
    budget = sampled_budget(sampled.sample_count, file_bytes);
    sampled_emit(&sampled, builder, INT64_MIN, &budget);
    sampled_warn(&budget, builder);
    sampled_free(&sampled);
}

void stack_samples_free(struct stack_samples *stacks)
{
    arena_free(&stacks->text);
    *stacks = (struct stack_samples){0};
}
