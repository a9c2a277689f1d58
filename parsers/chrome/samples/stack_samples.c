/* SPDX-License-Identifier: Apache-2.0 */
/* A trace's "samples", whose stacks are in its "stackFrames", as events of functions. */
#include "parsers/chrome/samples/samples.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "parsers/json/json.h"
#include "parsers/stacks/sampled_stacks.h"

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
    struct json_walk walk = walk_into(frames);
    struct token value;
    struct span key;

    while (walk_member(&walk, &key, &value)) {
        struct token name = walk_find(value, SPAN("name")),
                     parent = walk_find(value, SPAN("parent"));
        struct arena arena = {0};
        struct frame frame = {.kind = KIND_HOST};
        uint32_t node = node_of(sampled, key);

        name_frame(&frame, name.at ? token_text(name, &arena) : SPAN("?"), builder);
        sampled->nodes.list[node].frame = builder_frame(builder, &frame);
        if (parent.at) {
            uint32_t above = node_of(sampled, token_raw_text(parent));

            sampled->nodes.list[node].parent = above;
        }
        arena_free(&arena);
    }
}

static uint64_t read_samples(struct sampled *sampled, struct token samples,
                             struct chrome_rows *rows, struct builder *builder)
{
    struct json_walk walk = walk_into(samples);
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
                          struct chrome_rows *rows, struct builder *builder)
{
    struct sampled sampled = {0};
    struct sampled_budget budget;

    if (!stacks->frames.at || !stacks->samples.at)
        return;
    read_frames(&sampled, stacks->frames, builder);
    warning_count_many(builder_warnings(builder), WARNING_NOTE,
                       "samples of stacks: times and calls of their functions are estimates",
                       read_samples(&sampled, stacks->samples, rows, builder));
    budget = sampled_budget(sampled.samples.count, file_bytes);
    sampled_emit(&sampled, builder, INT64_MIN, &budget);
    sampled_warn(&budget, builder);
    sampled_free(&sampled);
}

void stack_samples_free(struct stack_samples *stacks)
{
    arena_free(&stacks->text);
    *stacks = (struct stack_samples){0};
}
