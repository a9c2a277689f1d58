/* SPDX-License-Identifier: Apache-2.0 */
#include "parsers/chrome/trace_header.h"

#include "parsers/chrome/producers/producers.h"
#include "parsers/shared/json_value.h"

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

static void take_stack_frames(struct sink *sink, struct token value)
{
    stack_samples_keep_frames(&sink->stacks, value);
}

static void take_samples(struct sink *sink, struct token value)
{
    stack_samples_keep_samples(&sink->stacks, value);
}

/* The format's, and devices, which several describe; see producers.h for all others. */
static const struct producer_member members[] = {
    {{"deviceProperties", 16}, take_devices},
    {{"stackFrames", 11}, take_stack_frames},
    {{"samples", 7}, take_samples},
};

bool header_is_known(struct span key)
{
    for (size_t i = 0; i < COUNT_OF(members); i++)
        if (span_eq(key, members[i].key))
            return true;
    return producers_know(key);
}

void header_member(struct sink *sink, struct span key, struct token value)
{
    if (!value.at || !value.len)
        return;
    for (size_t i = 0; i < COUNT_OF(members); i++)
        if (span_eq(key, members[i].key))
            members[i].take(sink, value);
    producers_take(sink, key, value);
}
