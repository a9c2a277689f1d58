/* SPDX-License-Identifier: Apache-2.0 */
#include "parsers/chrome/trace_header.h"

#include "parsers/shared/json_spacing.h"
#include "parsers/shared/json_walk.h"

typedef void take(struct sink *sink, struct token value);

static int64_t number(struct token object, struct span key)
{
    struct token token = walk_find(object, key);
    int64_t value;

    return token.at && token_integer(token, &value) && value > 0 ? value : 0;
}

/* The first of several names of one thing that the object has. */
static int64_t number_of(struct token object, const char *const *keys)
{
    int64_t value = 0;

    for (; *keys && !value; keys++)
        value = number(object, span_of(*keys));
    return value;
}

static void take_device(struct sink *sink, struct token object)
{
    static const char *const sms[] = {"numSms", "smCount", "multiProcessorCount", NULL};
    static const char *const major[] = {"computeMajor", "major", NULL};
    static const char *const minor[] = {"computeMinor", "minor", NULL};
    static const char *const threads[] = {"maxThreadsPerMultiprocessor",
                                          "maxThreadsPerMultiProcessor", NULL};
    static const char *const registers[] = {"regsPerMultiprocessor", "regsPerBlock", NULL};
    static const char *const shared[] = {"sharedMemPerMultiprocessor",
                                         "maxSharedMemoryPerMultiProcessor", "sharedMemPerBlock",
                                         NULL};
    struct arena unescaped = {0};
    struct token name = walk_find(object, SPAN("name"));
    struct device device = {
        .ordinal = (int32_t)number(object, SPAN("id")),
        .major = (int32_t)number_of(object, major),
        .minor = (int32_t)number_of(object, minor),
        .memory = number(object, SPAN("totalGlobalMem")),
        .sms = number_of(object, sms),
        .warp_size = number(object, SPAN("warpSize")),
        .max_threads_per_sm = number_of(object, threads),
        .registers_per_sm = number_of(object, registers),
        .shared_memory_per_sm = number_of(object, shared),
    };

    if (name.at)
        device.name = builder_intern(sink->builder, token_text(name, &unescaped));
    builder_device(sink->builder, &device);
    arena_free(&unescaped);
}

static void take_devices(struct sink *sink, struct token value)
{
    struct walk walk = walk_into(value);
    struct token object;

    while (walk_item(&walk, &object))
        if (object.at[0] == '{')
            take_device(sink, object);
}

static str_id text_of(struct sink *sink, struct token token)
{
    struct arena made = {0};
    str_id id = builder_intern(sink->builder, token_text(token_spaced(token, &made), &made));

    arena_free(&made);
    return id;
}

static void take_groups(struct sink *sink, struct token groups)
{
    struct walk walk = walk_into(groups);
    struct token group;

    while (walk_item(&walk, &group)) {
        struct token name = walk_find(group, SPAN("pg_name"));
        struct token ranks = walk_find(group, SPAN("ranks"));
        struct token use = walk_find(group, SPAN("pg_desc"));

        if (name.at && ranks.at)
            builder_group(sink->builder,
                          &(struct process_group){text_of(sink, name), text_of(sink, ranks),
                                                  use.at ? text_of(sink, use) : 0});
    }
}

static void take_distributed(struct sink *sink, struct token value)
{
    static const struct span keys[] = {{"rank", 4}, {"world_size", 10}};
    static const char *const facts[] = {"rank", "world_size"};
    int64_t figure;

    for (size_t i = 0; i < COUNT_OF(keys); i++) {
        struct token token = walk_find(value, keys[i]);

        if (token.at && token_integer(token, &figure))
            builder_fact(sink->builder, facts[i], figure, UNIT_COUNT);
    }
    take_groups(sink, walk_find(value, SPAN("pg_config")));
}

static void take_host(struct sink *sink, struct token value)
{
    struct arena made = {0};

    if (value.at[0] == '"')
        builder_fact_text(sink->builder, "hostname", token_text(value, &made));
    arena_free(&made);
}

static void take_base(struct sink *sink, struct token value)
{
    int64_t base;

    if (token_integer(value, &base))
        builder_origin(sink->builder, base);
}

/* Paddle's schema version is text, PyTorch's a number. */
static void take_schema(struct sink *sink, struct token value)
{
    if (value.at[0] != '"') {
        sink->has_producer = true;
        builder_producer(sink->builder, "PyTorch (Kineto)");
        return;
    }
    sink->paddle.is_paddle = true;
    sink->has_producer = true;
    builder_producer(sink->builder, "Paddle, trace format %.*s",
                     (int)(token_raw_text(value).len & 31), token_raw_text(value).at);
}

static void take_paddle(struct sink *sink, struct token value)
{
    (void)value;
    if (!sink->paddle.is_paddle)
        builder_producer(sink->builder, "Paddle");
    sink->has_producer = true;
    sink->paddle.is_paddle = true;
}

/* The CPUs' utilisation, which Paddle writes as decimal text, in parts per million. */
static void take_usage(struct sink *sink, struct token value)
{
    static const struct span keys[] = {{"Process Cpu Utilization", 23},
                                       {"System Cpu Utilization", 22}};
    static const char *const facts[] = {"process_cpu_ppm", "system_cpu_ppm"};
    int64_t figure;

    for (size_t i = 0; i < COUNT_OF(keys); i++) {
        struct token token = walk_find(value, keys[i]);

        if (token.at && token_scaled(token, 6, &figure))
            builder_fact(sink->builder, facts[i], figure, UNIT_PPM);
    }
}

static void take_clang(struct sink *sink, struct token value)
{
    int64_t began;

    sink->has_producer = true;
    builder_producer(sink->builder, "clang -ftime-trace");
    if (token_scaled(value, 3, &began))
        builder_origin(sink->builder, began);
}

static void take_frames(struct sink *sink, struct token value)
{
    (void)value;
    sink->has_producer = true;
    builder_producer(sink->builder, "VizTracer");
}

static void take_stack_frames(struct sink *sink, struct token value)
{
    stack_samples_keep_frames(&sink->stacks, value);
}

static void take_samples(struct sink *sink, struct token value)
{
    stack_samples_keep_samples(&sink->stacks, value);
}

static const struct {
    struct span key;
    take *take;
} members[] = {
    {{"deviceProperties", 16}, take_devices},
    {{"distributedInfo", 15}, take_distributed},
    {{"hostname", 8}, take_host},
    {{"baseTimeNanoseconds", 19}, take_base},
    {{"schemaVersion", 13}, take_schema},
    {{"span_indx", 9}, take_paddle},
    {{"beginningOfTime", 15}, take_clang},
    {{"viztracer_metadata", 18}, take_frames},
    {{"ExtraInfo", 9}, take_usage},
    {{"stackFrames", 11}, take_stack_frames},
    {{"samples", 7}, take_samples},
};

bool header_is_known(struct span key)
{
    for (size_t i = 0; i < COUNT_OF(members); i++)
        if (span_eq(key, members[i].key))
            return true;
    return false;
}

void header_member(struct sink *sink, struct span key, struct token value)
{
    for (size_t i = 0; i < COUNT_OF(members); i++)
        if (value.at && value.len && span_eq(key, members[i].key))
            members[i].take(sink, value);
}
