/* SPDX-License-Identifier: Apache-2.0 */
/* nccl_inspector.c — logs of NCCL's inspector plugin: how long one rank was in each collective
 *
 * JSON objects one after the other, each with a header, metadata, and coll_perf or p2p_perf; of the
 * latter each end counts for itself, so they cannot be matched and are left out. A
 * communicator counts the operations of each kind by themselves. When one began is not told, but when it
 * was written: events end then, and ranks are compared as if each collective ended at one time. The rank
 * is that in the largest communicator; bandwidths are computed from sizes, as the plugin does not know
 * those of all operations. */
#include "parsers/json/json.h"
#include "parsers/parser.h"

enum { OBJECT_MOST = 1 << 20, NS_OF_US = 3 };

struct inspector {
    struct builder *builder;
    uint32_t track;
    uint64_t odd, transfers; /* records that are no use; of p2p */
    int64_t rank, ranks;     /* of the largest communicator */
    str_id largest, host;
    struct arena arena;
};

static str_id text_in(struct inspector *inspector, struct token object, struct span key)
{
    struct token value = walk_find(object, key);

    return value.at ? builder_intern(inspector->builder, token_text(value, &inspector->arena)) : 0;
}

static bool integer_in(struct token object, struct span key, int64_t *number)
{
    struct token value = walk_find(object, key);

    return value.at && token_integer(value, number) && *number >= 0;
}

/* Bytes that a collective takes in and gives out: the message is one rank's part. */
static void add_sizes(struct inspector *inspector, uint32_t event, struct span operation,
                      int64_t message, int64_t ranks)
{
    struct timeline_builder *timeline = builder_timeline(inspector->builder);
    bool is_gather = span_eq(operation, SPAN("AllGather")) || span_eq(operation, SPAN("Gather"));
    bool is_scatter =
        span_eq(operation, SPAN("ReduceScatter")) || span_eq(operation, SPAN("Scatter"));
    bool is_all = span_eq(operation, SPAN("AlltoAll"));
    int64_t all;

    if (__builtin_mul_overflow(message, ranks, &all))
        return;
    builder_property(timeline, event, PROP_IN_ELEMENTS, is_scatter || is_all ? all : message);
    builder_property(timeline, event, PROP_OUT_ELEMENTS, is_gather || is_all ? all : message);
    builder_property(timeline, event, PROP_DTYPE, builder_intern(inspector->builder, SPAN("Byte")));
}

static void add_collective(struct inspector *inspector, struct token header, struct token metadata,
                           struct token performance)
{
    struct builder *builder = inspector->builder;
    struct timeline_builder *timeline = builder_timeline(builder);
    struct token lasted = walk_find(performance, SPAN("coll_exec_time_us"));
    str_id operation = text_in(inspector, performance, SPAN("coll"));
    str_id name = text_in(inspector, header, SPAN("comm_name"));
    str_id id = text_in(inspector, header, SPAN("id"));
    int64_t rank, ranks, sequence, message, written, duration;
    struct span use;
    uint32_t event;

    if (!operation || !id || !integer_in(header, SPAN("rank"), &rank) ||
        !integer_in(header, SPAN("n_ranks"), &ranks) ||
        !integer_in(performance, SPAN("coll_sn"), &sequence) ||
        !integer_in(metadata, SPAN("dump_timestamp_us"), &written) || written > INT64_MAX / 1000 ||
        !lasted.at || !token_scaled(lasted, NS_OF_US, &duration) || duration < 0 ||
        !time_is_possible(written * 1000) || duration > written * 1000) {
        inspector->odd++;
        return;
    }
    if (ranks > inspector->ranks) {
        inspector->ranks = ranks;
        inspector->rank = rank;
        inspector->largest = id;
        inspector->host = text_in(inspector, metadata, SPAN("hostname"));
    }
    event = builder_event(
        timeline, inspector->track, written * 1000 - duration, duration,
        builder_frame(builder, &(struct frame){.name = operation, .kind = KIND_COMMUNICATION}));
    use = builder_text(builder, name);
    builder_property(timeline, event, PROP_COLLECTIVE, operation);
    builder_property(timeline, event, PROP_GROUP,
                     builder_intern(builder, span_of(arena_printf(
                                                 &inspector->arena, "%.*s %.*s",
                                                 (int)(builder_text(builder, id).len & 0xff),
                                                 builder_text(builder, id).at,
                                                 (int)(builder_text(builder, operation).len & 0xff),
                                                 builder_text(builder, operation).at))));
    if (use.len && !span_eq(use, SPAN("unknown")))
        builder_property(timeline, event, PROP_GROUP_USE, name);
    builder_property(timeline, event, PROP_GROUP_SIZE, ranks);
    builder_property(timeline, event, PROP_COLLECTIVE_SEQ, sequence);
    if (integer_in(performance, SPAN("coll_msg_size_bytes"), &message))
        add_sizes(inspector, event, builder_text(builder, operation), message, ranks);
    arena_clear(&inspector->arena);
}

static void add_object(struct inspector *inspector, struct token object)
{
    struct token performance = walk_find(object, SPAN("coll_perf"));

    if (performance.at)
        add_collective(inspector, walk_find(object, SPAN("header")),
                       walk_find(object, SPAN("metadata")), performance);
    else if (walk_find(object, SPAN("p2p_perf")).at)
        inspector->transfers++;
    else
        inspector->odd++;
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

/* Past what stands between objects. */
static void skip_blanks(struct input *in)
{
    struct span head = input_peek(in, 1);

    while (head.len && (is_blank(head.at[0]) || head.at[0] == ',')) {
        input_skip(in, 1);
        head = input_peek(in, 1);
    }
}

static bool parse(struct input *in, struct builder *builder, struct error *err)
{
    struct inspector inspector = {.builder = builder};
    const char *end;

    if (!builder_begin_timeline(builder, err))
        return false;
    inspector.track =
        builder_track(builder_timeline(builder),
                      &(struct track){.name = builder_intern(builder, SPAN("collectives")),
                                      .kind = TRACK_STREAM});
    for (skip_blanks(in); input_peek(in, 1).len; skip_blanks(in)) {
        struct span text;
        size_t need = 1 << 11;

        do {
            need *= 2;
            text = input_peek(in, need);
            end = walk_past_value(text.at, text.at + text.len);
        } while (!end && text.len >= need && need < OBJECT_MOST);
        if (!end || text.at[0] != '{')
            break;
        add_object(&inspector, (struct token){text.at, (uint32_t)(end - text.at)});
        input_skip(in, (size_t)(end - text.at));
    }
    builder_producer(builder, "NCCL Inspector");
    if (inspector.largest) {
        builder_known_fact(builder, FACT_RANK, inspector.rank, UNIT_COUNT);
        builder_known_fact(builder, FACT_WORLD_SIZE, inspector.ranks, UNIT_COUNT);
        builder_known_text(builder, FACT_HOSTNAME, builder_text(builder, inspector.host));
        builder_known_fact(builder, FACT_END_TOGETHER, 1, UNIT_COUNT);
    }
    warning_count_many(builder_warnings(builder), WARNING_LOSS,
                       "records that lack a communicator, a number or a time, left out",
                       inspector.odd);
    warning_count_many(builder_warnings(builder), WARNING_NOTE,
                       "sends and receives, whose two ends have no number in common, left out",
                       inspector.transfers);
    if (input_peek(in, 1).len)
        warning_count_many(builder_warnings(builder), WARNING_LOSS,
                           "what follows the last whole record is none, and left out", 1);
    arena_free(&inspector.arena);
    return true;
}

static enum sniff sniff(struct span head, bool is_all)
{
    struct span looked_at = {head.at, head.len < 4096 ? head.len : 4096};
    bool is_one = span_eq(walk_first_key(head), SPAN("header")) &&
                  span_find(looked_at, SPAN("inspector_output_format_version")) != SIZE_MAX;

    if (head.len && head.at[0] != '{' && !is_blank(head.at[0]))
        return SNIFF_NO;
    return is_one ? SNIFF_YES : is_all || head.len >= 4096 ? SNIFF_NO : SNIFF_MORE;
}

const struct parser parser_nccl_inspector = {
    .name = "nccl-inspector",
    .title = "logs of NCCL's inspector",
    .summary = "how long one rank was in each collective (NCCL_INSPECTOR_ENABLE)",
    .tried = "NCCL 2.28",
    .omitted = "the form for Prometheus",
    .level = LEVEL_TIMELINE,
    .sniff = sniff,
    .parse = parse,
};
