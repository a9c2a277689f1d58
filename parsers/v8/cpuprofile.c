/* SPDX-License-Identifier: Apache-2.0 */
/* cpuprofile.c — V8's sampled profiles: node --cpu-prof, the Chrome debugger, Deno
 *
 *     {"nodes": [{"id": 1, "callFrame": {...}, "hitCount": 0, "children": [2, 3]}, ...],
 *      "startTime": us, "endTime": us, "samples": [node, ...], "timeDeltas": [us, ...]}
 *
 * Up to node 10 and Chrome 57 the nodes stood inside each other, and times were those of a clock:
 *
 *     {"head": {"functionName": "f", ..., "children": [...], "id": 1}, "startTime": s, "endTime":
 * s,      "samples": [node, ...], "timestamps": [us, ...]}
 *
 * A delta is the time from the sample before. A sample stands for the time up to the next one. Of a
 * node's samples "positionTicks" says how many were in which line, but not which. */
#include <stdlib.h>

#include "base/checked.h"
#include "base/memory/memory.h"
#include "parsers/json/json.h"
#include "parsers/parser.h"
#include "parsers/stacks/sampled_stacks.h"
#include "parsers/v8/v8_tree.h"

enum { VALUE_TIME, VALUE_SAMPLES, MICRO_TO_NS = 3, SECONDS_TO_NS = 9 };

struct cpu_profile {
    struct builder *builder;
    struct stack_builder *stacks;
    struct json_stream json;
    struct nodes nodes;
    struct VECTOR_OF(uint32_t) samples; /* nodes */
    struct VECTOR_OF(int64_t) times;    /* ns from startTime; of the deltas, one a sample */
    bool has_clock;                     /* they are times of a clock instead */
    int64_t start, end;                 /* ns */
    int64_t end_of_seconds;             /* the same if it was seconds */
};

/* ---- reading ---- */

static void add_sample(struct cpu_profile *profile, struct token item)
{
    int64_t id;

    if (!token_integer(item, &id))
        id = INT64_MIN; /* keeps its place beside its delta */
    vector_add(&profile->samples, nodes_find(&profile->nodes, id));
}

static void add_delta(struct cpu_profile *profile, struct token item)
{
    int64_t delta,
        before = profile->times.count ? profile->times.list[profile->times.count - 1] : 0;

    if (!token_scaled(item, MICRO_TO_NS, &delta))
        delta = 0;
    vector_add(&profile->times, checked_add(before, delta));
}

static void add_time_of_clock(struct cpu_profile *profile, struct token item)
{
    int64_t time;

    if (!token_scaled(item, MICRO_TO_NS, &time))
        time = profile->times.count ? profile->times.list[profile->times.count - 1] : 0;
    vector_add(&profile->times, time);
}

static void read_items(struct cpu_profile *profile, void (*add)(struct cpu_profile *, struct token))
{
    struct token item;

    if (!json_open(&profile->json, '['))
        return;
    while (json_item(&profile->json) && json_take(&profile->json, &item))
        add(profile, item);
}

static int64_t scaled(struct token value, int scale)
{
    int64_t time;

    return token_scaled(value, scale, &time) ? time : 0;
}

static void read_member(struct cpu_profile *profile, const struct json_key *key)
{
    struct token value;

    if (json_key_is(key, "nodes")) {
        nodes_read(&profile->nodes);
    } else if (json_key_is(key, "head")) {
        nodes_read_head(&profile->nodes);
    } else if (json_key_is(key, "samples")) {
        read_items(profile, add_sample);
    } else if (json_key_is(key, "timeDeltas") && !profile->times.count) {
        read_items(profile, add_delta);
    } else if (json_key_is(key, "timestamps") && !profile->times.count) {
        profile->has_clock = true;
        read_items(profile, add_time_of_clock);
    } else if (json_key_is(key, "startTime") && json_take(&profile->json, &value)) {
        profile->start = scaled(value, MICRO_TO_NS);
    } else if (json_key_is(key, "endTime") && json_take(&profile->json, &value)) {
        profile->end = scaled(value, MICRO_TO_NS);
        profile->end_of_seconds = scaled(value, SECONDS_TO_NS);
    } else {
        json_skip(&profile->json);
    }
}

static bool read_document(struct cpu_profile *profile, struct error *err)
{
    struct json_key key;

    if (!json_begin(&profile->json, err))
        return false;
    while (json_member(&profile->json, &key))
        read_member(profile, &key);
    if (!profile->nodes.count)
        return error_set_at(err, input_offset(profile->json.in), 0, "no node of a call tree");
    json_end(&profile->json, builder_warnings(profile->builder));
    return true;
}

/* ---- the tree ---- */

/* Puts a node and those above it into the tree; parents that lead in a circle end at the root. */
static node_id place_node(struct cpu_profile *profile, uint32_t at, uint32_t *path)
{
    struct v8_node *nodes = profile->nodes.list;
    size_t depth = 0;

    for (; at != NO_PARENT && !nodes[at].is_placed; at = nodes[at].parent) {
        if (nodes[at].is_open) {
            warning_count_many(builder_warnings(profile->builder), WARNING_LOSS,
                               "nodes that are above themselves, taken as roots", 1);
            at = NO_PARENT;
            break;
        }
        nodes[at].is_open = true;
        path[depth++] = at;
    }
    node_id above = at == NO_PARENT ? 0 : nodes[at].place;

    while (depth-- > 0) {
        struct v8_node *node = &nodes[path[depth]];
        frame_id frame = profile->nodes.ticks.count ? node->no_line : node->frame;

        node->above = above;
        node->place = frame ? builder_child(profile->stacks, above, frame) : above;
        node->is_placed = true;
        above = node->place;
    }
    return above;
}

static bool is_earlier(const void *context, uint32_t a, uint32_t b)
{
    const int64_t *times = context;

    return times[a] < times[b];
}

/* The samples by time: threads of V8's own may write them out of order. NULL: they are. */
static uint32_t *order_samples(struct cpu_profile *profile, size_t count)
{
    uint32_t *order;
    uint64_t late = 0;

    for (size_t i = 1; i < count; i++)
        late += profile->times.list[i] < profile->times.list[i - 1];
    if (!late)
        return NULL;
    warning_count_many(builder_warnings(profile->builder), WARNING_NOTE,
                       "samples that are earlier than the one before them, put in order", late);
    order = grow_to(NULL, count, sizeof(*order));
    for (size_t i = 0; i < count; i++)
        order[i] = (uint32_t)i;
    sort_stable(order, (uint32_t)count, is_earlier, profile->times.list);
    return order;
}

static int64_t end_of(const struct cpu_profile *profile)
{
    return profile->has_clock ? profile->end_of_seconds : checked_sub(profile->end, profile->start);
}

static void add_times(struct cpu_profile *profile, size_t count)
{
    uint32_t *order = order_samples(profile, count);
    int64_t last = end_of(profile);

    for (size_t i = 0; i < count; i++) {
        size_t at = order ? order[i] : i, after = order && i + 1 < count ? order[i + 1] : i + 1;
        int64_t until = i + 1 < count ? profile->times.list[after] : last;
        int64_t lasts = checked_sub(until, profile->times.list[at]);

        struct v8_node *node = &profile->nodes.list[profile->samples.list[at]];

        if (lasts > 0)
            node->time = checked_add(node->time, lasts);
    }
    free(order);
}

static void add_both(struct cpu_profile *profile, node_id place, int64_t time, int64_t samples)
{
    builder_add(profile->stacks, place, VALUE_TIME, time);
    builder_add(profile->stacks, place, VALUE_SAMPLES, samples);
}

/* Gives each line its part of the node's figures; what is left is of no known line. */
static void add_node(struct cpu_profile *profile, const struct v8_node *node)
{
    const struct tick *ticks =
        node->tick_count ? profile->nodes.ticks.list + node->first_tick : NULL;
    int64_t all = 0, before = 0, time = 0, samples = 0;

    for (uint32_t i = 0; i < node->tick_count; i++)
        all = checked_add(all, ticks[i].count);
    if (all < node->samples)
        all = node->samples;
    for (uint32_t i = 0; i < node->tick_count && ticks[i].count <= all - before; i++) {
        node_id place = builder_child(profile->stacks, node->above, ticks[i].line);
        int64_t until, seen;

        before += ticks[i].count;
        until = checked_share(node->time, before, all);
        seen = checked_share(node->samples, before, all);
        add_both(profile, place, until - time, seen - samples);
        time = until;
        samples = seen;
    }
    add_both(profile, node->place, node->time - time, node->samples - samples);
}

static void add_figures(struct cpu_profile *profile)
{
    size_t timed = profile->samples.count < profile->times.count ? profile->samples.count
                                                                 : profile->times.count;

    uint64_t undescribed = 0;

    for (size_t i = 0; i < profile->samples.count; i++) {
        struct v8_node *node = &profile->nodes.list[profile->samples.list[i]];

        node->samples++;
        undescribed += !node->is_described;
    }
    for (size_t i = 0; profile->samples.count == 0 && i < profile->nodes.count; i++)
        profile->nodes.list[i].samples = profile->nodes.list[i].hits;
    warning_count_many(builder_warnings(profile->builder), WARNING_LOSS,
                       "samples of nodes that are nowhere described, counted for their parent",
                       undescribed);
    warning_count_many(builder_warnings(profile->builder), WARNING_LOSS,
                       "samples without a time, counted but in no time",
                       profile->samples.count - timed);
    add_times(profile, timed);
    for (size_t i = 0; i < profile->nodes.count; i++)
        add_node(profile, &profile->nodes.list[i]);
}

static bool build_tree(struct cpu_profile *profile, struct error *err)
{
    static const struct value_name values[] = {
        [VALUE_TIME] = {LITERAL("time"), UNIT_NS},
        [VALUE_SAMPLES] = {LITERAL("samples"), UNIT_COUNT},
    };
    uint32_t *path = grow_to(NULL, profile->nodes.count, sizeof(*path));
    bool ok = builder_begin(profile->builder, LEVEL_CALLTREE, values, COUNT_OF(values),
                            profile->times.count ? VALUE_TIME : VALUE_SAMPLES, err);

    if (profile->nodes.by_line && !profile->nodes.ticks.count)
        builder_detail(profile->builder, DETAIL_FUNCTION);
    for (uint32_t i = 0; ok && i < profile->nodes.count; i++)
        place_node(profile, i, path);
    if (ok)
        add_figures(profile);
    warning_count_many(builder_warnings(profile->builder), WARNING_LOSS,
                       "nodes below several others, kept below the last", profile->nodes.repeated);
    free(path);
    return ok;
}

/* ---- the timeline ---- */

/* While it is idle nothing runs. */
static bool build_timeline(struct cpu_profile *profile, struct error *err)
{
    size_t timed = profile->samples.count < profile->times.count ? profile->samples.count
                                                                 : profile->times.count;
    struct sampled_budget budget = sampled_budget(timed, input_bytes_read(profile->json.in));
    struct sampled sampled = {0};
    struct track track = {.kind = TRACK_SAMPLES, .device = -1};

    if (!builder_begin_timeline(profile->builder, err))
        return false;
    track.name = builder_intern(profile->builder, SPAN("JavaScript"));
    builder_track(builder_timeline(profile->builder), &track);
    for (size_t i = 0; i < profile->nodes.count; i++) {
        const struct v8_node *node = &profile->nodes.list[i];
        uint32_t at = sampled_node(&sampled, i);

        sampled.nodes.list[at] = (struct sampled_node){
            node->is_idle ? 0 : node->frame, node->parent == NO_PARENT ? NO_STACK : node->parent};
    }
    for (size_t i = 0; i < timed; i++)
        sampled_add(&sampled, 0, profile->times.list[i], profile->samples.list[i]);
    sampled_emit(&sampled, profile->builder, end_of(profile), &budget);
    sampled_warn(&budget, profile->builder);
    warning_count_many(builder_warnings(profile->builder), WARNING_NOTE,
                       "samples of JavaScript: times and calls of its functions are estimates",
                       timed);
    sampled_free(&sampled);
    return true;
}

/* ---- the whole ---- */

static bool parse(struct input *in, struct builder *builder, struct error *err)
{
    struct cpu_profile profile = {
        .builder = builder, .stacks = builder_stacks(builder), .json = json_start(in)};
    bool ok;

    profile.nodes.builder = builder;
    profile.nodes.json = &profile.json;
    profile.nodes.by_line = builder_detail(builder, DETAIL_LINE) == DETAIL_LINE;
    ok = read_document(&profile, err) &&
         (builder_wants_times(builder) && profile.times.count ? build_timeline(&profile, err)
                                                              : build_tree(&profile, err));
    builder_producer(builder, "V8");
    builder_fact(builder, "samples", (int64_t)profile.samples.count, UNIT_COUNT);
    if (ok && profile.times.count)
        builder_known_fact(
            builder, FACT_WALL_TIME,
            checked_sub(end_of(&profile), profile.has_clock ? profile.times.list[0] : 0), UNIT_NS);

    nodes_free(&profile.nodes);
    free(profile.samples.list);
    free(profile.times.list);
    return ok;
}

/* A heap profile begins with "head" as well, but has no hits. */
static enum sniff sniff(struct span head, bool is_all)
{
    static const char *const first[] = {"nodes",      "startTime", "endTime", "samples",
                                        "timeDeltas", "head",      "typeId",  "timestamps"};
    struct span key = walk_first_key(head);
    bool is_head = span_eq(key, SPAN("head"));

    for (size_t i = 0; i < COUNT_OF(first); i++)
        if (span_eq(key, span_of(first[i]))) {
            if (span_find(head, SPAN("\"selfSize\"")) != SIZE_MAX) /* a heap profile's */
                return SNIFF_NO;
            if (span_find(head, SPAN("\"hitCount\"")) != SIZE_MAX ||
                (!is_head && span_find(head, SPAN("\"callFrame\"")) != SIZE_MAX))
                return SNIFF_YES;
            return is_all ? SNIFF_NO : SNIFF_MORE;
        }
    return SNIFF_NO;
}

const struct parser parser_cpuprofile = {
    .name = "cpuprofile",
    .title = "V8 CPU profiles",
    .summary = "JavaScript: node --cpu-prof, Chrome's debugger (.cpuprofile)",
    .tried = "Node 20, and the older form with `head`",
    .level = LEVEL_TIMELINE,
    .sniff = sniff,
    .parse = parse,
};
