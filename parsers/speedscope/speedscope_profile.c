/* SPDX-License-Identifier: Apache-2.0 */
/* speedscope_profile.c — one profile of a speedscope file: stacks with weights, or frames that open
 * and close
 *
 *     {"type": "sampled", "name": "main", "unit": "seconds",
 *      "samples": [[0, 1], [0]], "weights": [0.01, 0.02]}
 *     {"type": "evented", "name": "main", "unit": "seconds", "startValue": 0, "endValue": 3,
 *      "events": [{"type": "O", "frame": 0, "at": 0}, {"type": "C", "frame": 0, "at": 3}]} */
#include <stdlib.h>

#include "base/checked.h"
#include "base/memory/memory.h"
#include "parsers/json/json.h"
#include "parsers/speedscope/speedscope_document.h"

struct speedscope_profile {
    struct document *document;
    struct json_stream *json; /* the file, or what of it was put off */
    struct arena arena;
    str_id name;
    struct span unit; /* in the arena */
    bool has_unit, is_evented, is_begun;
    struct token start, samples, weights,
        events;           /* put off until the unit is known; in the arena */
    uint32_t value, root; /* the thread's node */
    int64_t end;          /* endValue; UNKNOWN when there is none */

    struct VECTOR_OF(uint32_t) leaves; /* by sample, where the thread has no stacks: nodes */
    size_t sample_count, weight_count;

    struct VECTOR_OF(uint32_t) open; /* frames that run; nodes */
    int64_t now;
};

static void warn(struct speedscope_profile *profile, enum severity severity, const char *text,
                 uint64_t times)
{
    warning_count_many(builder_warnings(profile->document->builder), severity, text, times);
}

/* ---- the value ---- */

static const struct speedscope_unit {
    const char *name;
    enum unit unit;
    int scale;
    const char *value;
} unit_names[] = {
    {"nanoseconds", UNIT_NS, 0, "time"},  {"microseconds", UNIT_NS, 3, "time"},
    {"milliseconds", UNIT_NS, 6, "time"}, {"seconds", UNIT_NS, 9, "time"},
    {"bytes", UNIT_BYTES, 0, "bytes"},    {NULL, UNIT_COUNT, 0, "weight"}, /* "none" */
};

/* Profiles of one unit are threads of one measurement. What ptk itself wrote has one a value. */
static uint32_t find_value(struct speedscope_profile *profile)
{
    struct document *document = profile->document;
    const struct speedscope_unit *unit = &LOOKUP(unit_names, profile->unit);
    uint32_t i = 0;
    str_id name;

    name = document->is_own && !profile->is_evented && profile->name
               ? profile->name
               : builder_intern(document->builder, span_of(unit->value));
    while (i < document->value_count && document->values[i].name != name)
        i++;
    if (i == VALUES_MAX) {
        warn(profile, WARNING_LOSS, "profiles past the most values that can be, added to the last",
             1);
        return VALUES_MAX - 1;
    }
    if (i == document->value_count)
        document->values[document->value_count++] =
            (struct scope_value){.name = name, .unit = unit->unit};
    document->values[i].scale = unit->scale;
    return i;
}

static struct scope_thread *last_thread(struct document *document)
{
    return &document->threads.list[document->threads.count - 1];
}

static void begin_tree(struct speedscope_profile *profile)
{
    struct document *document = profile->document;

    if (profile->is_begun)
        return;
    profile->is_begun = true;
    profile->value = find_value(profile);
    document->values[profile->value].profiles++;
    vector_add(&document->threads,
               (struct scope_thread){.name = profile->name,
                                     .value = profile->value,
                                     .has_stacks = !document->wants_times && !profile->is_evented,
                                     .first_stack = document->stacks.stacks.count});
    if (!last_thread(document)->has_stacks)
        profile->root = stack_tree_thread(&document->tree, (uint32_t)document->threads.count - 1);
}

static bool read_figure(struct speedscope_profile *profile, struct token token, int64_t *figure)
{
    return token_scaled(token, profile->document->values[profile->value].scale, figure);
}

/* From this time on the thread is in this node. */
static void note_time(struct speedscope_profile *profile, int64_t time, uint32_t node)
{
    struct document *document = profile->document;

    if (document->values[profile->value].unit != UNIT_NS)
        return;
    if (time < document->first)
        document->first = time;
    if (time > document->last)
        document->last = time;
    if (document->wants_times)
        sampled_add(&document->sampled, (uint32_t)document->threads.count - 1, time, node);
}

/* ---- samples ---- */

static bool next_frame(struct json_walk *stack, uint32_t *number)
{
    struct token item;
    int64_t frame;

    if (walk_digits(stack, number))
        return true;
    if (!walk_item(stack, &item))
        return false;
    *number = !token_integer(item, &frame) || frame < 0 || frame >= UINT32_MAX
                  ? UINT32_MAX /* no frame has it */
                  : (uint32_t)frame;
    return true;
}

static uint32_t find_leaf(struct speedscope_profile *profile, struct token stack)
{
    struct json_walk walk = walk_into(stack);
    uint32_t node = profile->root, frame;

    while (next_frame(&walk, &frame))
        node = stack_tree_child(&profile->document->tree, node, frame);
    return node;
}

static void keep_stack(struct document *document, struct token stack)
{
    struct json_walk walk = walk_into(stack);
    uint32_t frame;

    while (next_frame(&walk, &frame))
        stack_list_frame(&document->stacks, frame);
    stack_list_end(&document->stacks, 0);
    last_thread(document)->stack_count++;
}

static void read_samples(struct speedscope_profile *profile)
{
    struct document *document = profile->document;
    struct token stack;

    begin_tree(profile);
    if (!json_open(profile->json, '['))
        return;
    while (json_item(profile->json) && json_take(profile->json, &stack)) {
        if (!last_thread(document)->has_stacks)
            vector_add(&profile->leaves, find_leaf(profile, stack));
        else
            keep_stack(document, stack);
        profile->sample_count++;
    }
    document->samples += profile->sample_count;
}

static void weigh(struct speedscope_profile *profile, size_t at, int64_t weight)
{
    struct document *document = profile->document;
    bool has_stacks = last_thread(document)->has_stacks;
    uint32_t node = has_stacks ? 0 : profile->leaves.list[at];

    if (!has_stacks)
        stack_tree_add(&document->tree, node, profile->value, weight);
    else
        document->stacks.stacks.list[last_thread(document)->first_stack + at].amount = weight;
    note_time(profile, profile->now, node);
    profile->now = checked_add(profile->now, weight > 0 ? weight : 0);
}

/* After the samples that they are of. */
static void read_weights(struct speedscope_profile *profile)
{
    struct token item;
    int64_t weight;

    begin_tree(profile);
    if (profile->start.at && !read_figure(profile, profile->start, &profile->now))
        profile->now = 0;
    if (!json_open(profile->json, '['))
        return;
    while (json_item(profile->json) && json_take(profile->json, &item)) {
        size_t at = profile->weight_count++;

        if (!read_figure(profile, item, &weight))
            warn(profile, WARNING_LOSS, "weights that are no numbers, read as 0", 1);
        else if (at < profile->sample_count)
            weigh(profile, at, weight);
    }
    note_time(profile, profile->now, profile->root);
}

/* ---- events ---- */

/* What has passed belongs to the innermost open frame. */
static void pass_until(struct speedscope_profile *profile, int64_t time)
{
    int64_t passed = checked_sub(time, profile->now);

    if (profile->open.count && passed < 0)
        warn(profile, WARNING_LOSS, "events earlier than the one before them, taken as at its time",
             1);
    if (profile->open.count && passed > 0)
        stack_tree_add(&profile->document->tree, profile->open.list[profile->open.count - 1],
                       profile->value, passed);
    if (!profile->open.count || passed > 0)
        profile->now = time;
}

static uint32_t innermost(const struct speedscope_profile *profile)
{
    return profile->open.count ? profile->open.list[profile->open.count - 1] : profile->root;
}

/* Closes it, and those that were opened within and forgotten. */
static void close_frame(struct speedscope_profile *profile, uint32_t frame)
{
    const struct stack_node *nodes = profile->document->tree.nodes.list;
    size_t at = profile->open.count;

    while (at && nodes[profile->open.list[at - 1] - 1].frame != frame)
        at--;
    if (at == 0) {
        warn(profile, WARNING_LOSS, "frames that close but are not open, left out", 1);
        return;
    }
    if (at < profile->open.count)
        warn(profile, WARNING_LOSS, "frames that close inside out, closed with the one around them",
             profile->open.count - at);
    profile->open.count = at - 1;
}

static void read_event(struct speedscope_profile *profile, struct token event)
{
    struct token type = walk_find(event, SPAN("type")), at = walk_find(event, SPAN("at"));
    struct token frame = walk_find(event, SPAN("frame"));
    int64_t time, number;
    bool is_open = token_is(type, SPAN("O"));

    if ((!is_open && !token_is(type, SPAN("C"))) || !at.at || !read_figure(profile, at, &time) ||
        !frame.at || !token_integer(frame, &number) || number < 0 || number >= UINT32_MAX) {
        warn(profile, WARNING_LOSS, "events without type, frame or time, left out", 1);
        return;
    }
    pass_until(profile, time);
    if (is_open) {
        uint32_t node =
            stack_tree_child(&profile->document->tree, innermost(profile), (uint32_t)number);

        vector_add(&profile->open, node);
    } else {
        close_frame(profile, (uint32_t)number);
    }
    note_time(profile, profile->now, innermost(profile));
}

static void read_events(struct speedscope_profile *profile)
{
    struct token event;

    profile->is_evented = true;
    begin_tree(profile);
    if (!json_open(profile->json, '['))
        return;
    while (json_item(profile->json) && json_take(profile->json, &event))
        read_event(profile, event);
}

static void close_all(struct speedscope_profile *profile, struct token end)
{
    int64_t time;

    if (!profile->open.count)
        return;
    if (end.at && read_figure(profile, end, &time) && time > profile->now)
        pass_until(profile, time);
    note_time(profile, profile->now, profile->root);
    warn(profile, WARNING_NOTE, "frames still open at the end, closed there", profile->open.count);
}

/* ---- the whole ---- */

static struct token keep_token(struct speedscope_profile *profile, struct token token)
{
    return (struct token){arena_copy(&profile->arena, (struct span){token.at, token.len}),
                          token.len};
}

/* The value as it stands, for when what it needs has been read. */
static struct token put_off(struct speedscope_profile *profile)
{
    struct token value;

    return json_take(profile->json, &value) ? keep_token(profile, value) : (struct token){0};
}

static void read_now(struct speedscope_profile *profile, struct token kept,
                     void (*read)(struct speedscope_profile *profile))
{
    struct json_stream *file = profile->json, stream;
    struct error ignored = {0};
    struct input in;

    if (!kept.at || !input_open_memory(&in, (struct span){kept.at, kept.len},
                                       &(struct input_options){0}, &ignored))
        return;
    stream = json_start(&in);
    profile->json = &stream;
    read(profile);
    profile->json = file;
    input_close(&in);
}

static void read_unit(struct speedscope_profile *profile)
{
    struct token value;

    if (!json_take(profile->json, &value))
        return;
    profile->unit = token_raw_text(keep_token(profile, value));
    profile->has_unit = true;
}

/* Whoever writes the unit first, as all do that are known, has the rest read as it comes. */
static void read_member(struct speedscope_profile *profile, const struct json_key *key,
                        struct token *end)
{
    bool is_ready = profile->has_unit && profile->name;
    struct token value;

    if (json_key_is(key, "name") && json_take(profile->json, &value))
        profile->name =
            builder_intern(profile->document->builder, token_text(value, &profile->arena));
    else if (json_key_is(key, "unit"))
        read_unit(profile);
    else if (json_key_is(key, "startValue"))
        profile->start = put_off(profile);
    else if (json_key_is(key, "endValue"))
        *end = put_off(profile);
    else if (json_key_is(key, "samples") && is_ready)
        read_samples(profile);
    else if (json_key_is(key, "samples"))
        profile->samples = put_off(profile);
    else if (json_key_is(key, "weights") && profile->sample_count)
        read_weights(profile);
    else if (json_key_is(key, "weights"))
        profile->weights = put_off(profile);
    else if (json_key_is(key, "events") && is_ready)
        read_events(profile);
    else if (json_key_is(key, "events"))
        profile->events = put_off(profile);
    else
        json_skip(profile->json);
}

void profile_read(struct document *document)
{
    struct speedscope_profile profile = {.document = document, .json = &document->json};
    struct token end = {0};
    struct json_key key;

    if (!json_open(profile.json, '{'))
        return;
    while (json_member(profile.json, &key))
        read_member(&profile, &key, &end);
    read_now(&profile, profile.samples, read_samples);
    read_now(&profile, profile.weights, read_weights);
    read_now(&profile, profile.events, read_events);
    if (profile.weight_count > profile.sample_count)
        warn(&profile, WARNING_LOSS, "weights without a sample, left out",
             profile.weight_count - profile.sample_count);
    if (profile.weight_count < profile.sample_count)
        warn(&profile, WARNING_LOSS, "samples without a weight, which count nothing",
             profile.sample_count - profile.weight_count);
    close_all(&profile, end);
    begin_tree(&profile); /* an empty one is a thread as well */
    free(profile.leaves.list);
    free(profile.open.list);
    arena_free(&profile.arena);
}
