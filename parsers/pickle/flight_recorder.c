/* SPDX-License-Identifier: Apache-2.0 */
/* flight_recorder.c — PyTorch's Flight Recorder: the last collectives of one rank, ended or not
 *
 * A pickle of plain containers, or the same as JSON. Collectives that ended become device work,
 * those that did not are calls of the host, with whether the device had begun them: that is what
 * ptk job compares over the ranks. Times are those of the call; durations are the device's where
 * timing was on. Sends and receives are numbered here, for each pair and direction, as the file counts
 * them otherwise on each rank: where the ring has lost its first entries that cannot be done. Which
 * rank it is, only the file's name says. */
#include <inttypes.h>
#include <stdlib.h>

#include "base/memory/memory.h"
#include "parsers/json/json.h"
#include "parsers/parser.h"
#include "parsers/pickle/pickle.h"

enum { JSON_MOST = 1 << 28, HEAD_LOOKED_AT = 4096, NS_OF_MS = 6 };

/* A value of either form; neither: there is none. */
struct node {
    const struct pickle *pickle;
    value_id id;
    struct token token;
};

/* The ranks of a process group, in its order. */
struct group_ranks {
    str_id name;
    VECTOR(uint32_t);
    struct idmap pairs; /* of ranks, from and to → how many transfers so far */
};

struct recorder {
    struct builder *builder;
    struct timeline_builder *timeline;
    uint32_t device, host; /* tracks */
    uint64_t entries, odd, lost_pairs;
    int64_t world;
    bool is_whole; /* the ring has lost nothing */
    struct VECTOR_OF(struct group_ranks) groups;
    struct arena arena;
};

/* ---- values ---- */

static const struct value *pickled(struct node node, enum pickled type)
{
    const struct value *value =
        node.pickle && node.id ? value_at(&node.pickle->values, node.id) : NULL;

    return value && value->type == type ? value : NULL;
}

static bool node_text(const struct recorder *recorder, struct node node, struct arena *arena,
                      struct span *text)
{
    const struct value *value = pickled(node, PICKLED_TEXT);

    if (value)
        *text = builder_text(recorder->builder, value->text);
    else if (node.token.at && node.token.at[0] == '"')
        *text = token_text(node.token, arena);
    return value || (node.token.at && node.token.at[0] == '"');
}

static bool node_integer(struct node node, int64_t *number)
{
    const struct value *value = pickled(node, PICKLED_INT);

    if (value)
        *number = value->whole;
    return value || (node.token.at && token_integer(node.token, number));
}

/* Milliseconds as ns. */
static bool node_duration(struct node node, int64_t *ns)
{
    const struct value *value = pickled(node, PICKLED_REAL);
    int64_t whole;

    if (value && value->real >= 0 && value->real < 1e12) {
        *ns = (int64_t)(value->real * 1e6 + 0.5);
        return true;
    }
    if (node.token.at)
        return token_scaled(node.token, NS_OF_MS, ns) && *ns >= 0;
    if (!node_integer(node, &whole) || whole < 0 || whole > 1000000000000)
        return false;
    *ns = whole * 1000000;
    return true;
}

/* Goes over a list, a tuple, or a dictionary, whose keys and values take turns. */
struct node_walk {
    struct node of;
    uint32_t cell;
    struct json_walk walk;
};

static struct node_walk walk_node(struct node node)
{
    struct node_walk walk = {.of = node};
    const struct value *value =
        node.pickle && node.id ? value_at(&node.pickle->values, node.id) : NULL;

    if (value && (value->type == PICKLED_LIST || value->type == PICKLED_TUPLE ||
                  value->type == PICKLED_DICT))
        walk.cell = value->first;
    else if (node.token.at)
        walk.walk = walk_into(node.token);
    return walk;
}

static bool next_item(struct node_walk *walk, struct node *item)
{
    *item = (struct node){.pickle = walk->of.pickle};
    if (walk->of.pickle) {
        item->id = walk->cell ? value_next(&walk->of.pickle->values, &walk->cell) : 0;
        return item->id != 0;
    }
    return walk->of.token.at && walk->of.token.at[0] == '[' && walk_item(&walk->walk, &item->token);
}

static bool next_member(const struct recorder *recorder, struct node_walk *walk,
                        struct arena *arena, struct span *key, struct node *value)
{
    struct node name;

    if (walk->of.pickle)
        return next_item(walk, &name) && next_item(walk, value) &&
               node_text(recorder, name, arena, key);
    *value = (struct node){0};
    return walk->of.token.at && walk->of.token.at[0] == '{' &&
           walk_member(&walk->walk, key, &value->token);
}

static struct node member(const struct recorder *recorder, struct node object, struct span key)
{
    struct node_walk walk = walk_node(object);
    struct arena scratch = {0};
    struct node value, found = {0};
    struct span name;

    if (object.pickle ? !pickled(object, PICKLED_DICT) : !object.token.at)
        return found;
    while (next_member(recorder, &walk, &scratch, &name, &value))
        if (span_eq(name, key))
            found = value;
    arena_free(&scratch);
    return found;
}

/* ---- entries ---- */

static str_id text_of(struct recorder *recorder, struct node node)
{
    struct span text;

    return node_text(recorder, node, &recorder->arena, &text)
               ? builder_intern(recorder->builder, text)
               : 0;
}

/* Elements of all tensors in a list of shapes; -1 where that is not one. */
static int64_t elements_of(struct node shapes)
{
    struct node_walk tensors = walk_node(shapes);
    struct node shape, size;
    int64_t sum = 0;

    while (next_item(&tensors, &shape)) {
        struct node_walk sizes = walk_node(shape);
        int64_t product = 1, number;

        while (next_item(&sizes, &size))
            if (!node_integer(size, &number) || number < 0 ||
                __builtin_mul_overflow(product, number, &product))
                return -1;
        if (__builtin_add_overflow(sum, product, &sum))
            return -1;
    }
    return sum;
}

struct recorder_entry {
    struct span operation; /* without its library: "all_reduce" */
    str_id group, use, state;
    int64_t sequence, created, duration;
    bool is_pair;
    uint32_t from, to; /* ranks, of a pair */
};

/* "send 0->1", "recv 1<-0": numbers are places in the group. */
static bool read_pair(struct recorder *recorder, struct recorder_entry *entry)
{
    bool is_send = span_starts(entry->operation, SPAN("send "));
    struct span rest = span_after(entry->operation, 5),
                own = span_split(&rest, is_send ? '-' : '<');
    struct group_ranks *group = NULL;
    uint64_t self, peer;
    uint32_t *count;

    for (size_t i = 0; i < recorder->groups.count; i++)
        if (recorder->groups.list[i].name == entry->group)
            group = &recorder->groups.list[i];
    if (!group || !rest.len || !span_to_u64(own, &self) ||
        !span_to_u64(span_after(rest, 1), &peer) || self >= group->count || peer >= group->count)
        return false;
    entry->from = group->list[is_send ? self : peer];
    entry->to = group->list[is_send ? peer : self];
    entry->operation = is_send ? SPAN("send") : SPAN("recv");
    count = idmap_at(&group->pairs, idmap_pair(entry->from, entry->to));
    *count = *count == IDMAP_NONE ? 1 : *count + 1;
    entry->sequence = *count;
    return true;
}

static bool read_entry(struct recorder *recorder, struct node node, struct recorder_entry *entry)
{
    struct node_walk group = walk_node(member(recorder, node, SPAN("process_group")));
    struct node name = {0}, use = {0};
    struct span operation;
    size_t colon;

    *entry = (struct recorder_entry){.duration = 0};
    if (!next_item(&group, &name))
        return false;
    next_item(&group, &use);
    entry->group = text_of(recorder, name);
    entry->use = text_of(recorder, use);
    entry->state = text_of(recorder, member(recorder, node, SPAN("state")));
    if (!node_text(recorder, member(recorder, node, SPAN("profiling_name")), &recorder->arena,
                   &operation) ||
        !node_integer(member(recorder, node, SPAN("time_created_ns")), &entry->created) ||
        !time_is_possible(entry->created))
        return false;
    colon = span_find(operation, SPAN(":"));
    entry->operation = colon == SIZE_MAX ? operation : span_after(operation, colon + 1);
    entry->is_pair = span_starts(entry->operation, SPAN("send ")) ||
                     span_starts(entry->operation, SPAN("recv "));
    node_duration(member(recorder, node, SPAN("duration_ms")), &entry->duration);
    if (entry->is_pair)
        return read_pair(recorder, entry);
    return node_integer(member(recorder, node, SPAN("collective_seq_id")), &entry->sequence) ||
           node_integer(member(recorder, node, SPAN("seq_id")), &entry->sequence);
}

static void add_entry(struct recorder *recorder, struct node node)
{
    struct builder *builder = recorder->builder;
    struct recorder_entry entry;
    struct node_walk types;
    struct node first;
    bool has_ended;
    uint32_t event;
    str_id operation, dtype;
    int64_t elements;

    recorder->entries++;
    if (!read_entry(recorder, node, &entry)) {
        recorder->odd++;
        return;
    }
    if (entry.is_pair && !recorder->is_whole) {
        recorder->lost_pairs++;
        return;
    }
    has_ended = span_eq(builder_text(builder, entry.state), SPAN("completed"));
    operation = builder_intern(builder, entry.operation);
    event =
        builder_event(recorder->timeline, has_ended ? recorder->device : recorder->host,
                      entry.created, entry.duration,
                      builder_frame(builder, &(struct frame){.name = operation,
                                                             .kind = has_ended ? KIND_COMMUNICATION
                                                                               : KIND_OPERATOR}));
    builder_property(recorder->timeline, event, PROP_COLLECTIVE, operation);
    builder_property(recorder->timeline, event, PROP_GROUP, entry.group);
    if (entry.use)
        builder_property(recorder->timeline, event, PROP_GROUP_USE, entry.use);
    builder_property(recorder->timeline, event, PROP_COLLECTIVE_SEQ, entry.sequence);
    if (entry.is_pair) {
        builder_property(recorder->timeline, event, PROP_SRC_RANK, entry.from);
        builder_property(recorder->timeline, event, PROP_DST_RANK, entry.to);
    }
    if (!has_ended)
        builder_property(recorder->timeline, event, PROP_BEGUN,
                         span_eq(builder_text(builder, entry.state), SPAN("started")));
    elements = elements_of(member(recorder, node, SPAN("input_sizes")));
    if (elements >= 0)
        builder_property(recorder->timeline, event, PROP_IN_ELEMENTS, elements);
    elements = elements_of(member(recorder, node, SPAN("output_sizes")));
    if (elements >= 0)
        builder_property(recorder->timeline, event, PROP_OUT_ELEMENTS, elements);
    types = walk_node(member(recorder, node, SPAN("input_dtypes")));
    if (next_item(&types, &first) && (dtype = text_of(recorder, first)) != 0)
        builder_property(recorder->timeline, event, PROP_DTYPE, dtype);
}

/* ---- the whole ---- */

static void add_groups(struct recorder *recorder, struct node config)
{
    struct node_walk walk = walk_node(config);
    struct span key;
    struct node group;

    while (next_member(recorder, &walk, &recorder->arena, &key, &group)) {
        struct node name = member(recorder, group, SPAN("name"));
        struct process_group known = {
            .name = text_of(recorder, name),
            .ranks = text_of(recorder, member(recorder, group, SPAN("ranks"))),
            .use = text_of(recorder, member(recorder, group, SPAN("desc")))};
        struct span ranks = builder_text(recorder->builder, known.ranks);
        struct group_ranks *list;

        builder_group(recorder->builder, &known);
        vector_reserve(&recorder->groups);
        list = &recorder->groups.list[recorder->groups.count++];
        *list = (struct group_ranks){.name = known.name};
        for (size_t i = 0; i < ranks.len;) {
            size_t digits = span_digits(span_after(ranks, i));
            uint64_t rank;

            if (span_to_u64((struct span){ranks.at + i, digits}, &rank) && rank < UINT32_MAX) {
                if ((int64_t)rank >= recorder->world)
                    recorder->world = (int64_t)rank + 1;
                vector_add(list, (uint32_t)rank);
            }
            i += digits + 1;
        }
    }
}

static void read_dump(struct recorder *recorder, struct node root)
{
    struct builder *builder = recorder->builder;
    struct node_walk entries = walk_node(member(recorder, root, SPAN("entries"))), walk;
    struct span version = SPAN("");
    struct node entry;
    int64_t number;

    recorder->device = builder_track(
        recorder->timeline, &(struct track){.name = builder_intern(builder, SPAN("collectives")),
                                            .kind = TRACK_STREAM});
    recorder->host = builder_track(
        recorder->timeline, &(struct track){.name = builder_intern(builder, SPAN("not ended")),
                                            .kind = TRACK_THREAD,
                                            .device = -1});
    add_groups(recorder, member(recorder, root, SPAN("pg_config")));
    walk = entries;
    while (!recorder->is_whole && next_item(&walk, &entry)) /* a ring that is full lacks record 0 */
        recorder->is_whole =
            node_integer(member(recorder, entry, SPAN("record_id")), &number) && number == 0;
    while (next_item(&entries, &entry))
        add_entry(recorder, entry);
    node_text(recorder, member(recorder, root, SPAN("version")), &recorder->arena, &version);
    builder_producer(builder, "PyTorch Flight Recorder %.*s", (int)(version.len & 15), version.at);
    if (recorder->world)
        builder_known_fact(builder, FACT_WORLD_SIZE, recorder->world, UNIT_COUNT);
    warning_count_many(builder_warnings(builder), WARNING_LOSS,
                       "entries that lack a group, a number or a time, left out", recorder->odd);
    warning_count_many(builder_warnings(builder), WARNING_NOTE,
                       "sends and receives, which are not compared, as the first are lost",
                       recorder->lost_pairs);
}

static bool parse_pickle(struct recorder *recorder, struct input *in, struct error *err)
{
    struct pickle pickle = {.in = in, .builder = recorder->builder};
    struct node root = {.pickle = &pickle, .id = pickle_read(&pickle, err)};
    bool ok = root.id != 0;

    if (ok && !pickled(root, PICKLED_DICT))
        ok = error_set_at(err, 0, 0, "a pickle, but no dump of the Flight Recorder");
    if (ok)
        read_dump(recorder, root);
    pickle_free(&pickle);
    return ok;
}

static bool parse_json(struct recorder *recorder, struct input *in, struct error *err)
{
    size_t need = 1 << 16;
    struct span all = input_peek(in, need);

    for (; all.len >= need && need < JSON_MOST; need *= 2)
        all = input_peek(in, need * 2);
    if (all.len >= JSON_MOST || !walk_past_value(all.at, all.at + all.len))
        return error_set_at(err, all.len, 0, "the dump ends before its time");
    read_dump(recorder, (struct node){.token = {all.at, (uint32_t)all.len}});
    return true;
}

static bool parse(struct input *in, struct builder *builder, struct error *err)
{
    struct recorder recorder = {.builder = builder, .timeline = builder_timeline(builder)};
    struct span head = input_peek(in, 1);
    bool ok = builder_begin_timeline(builder, err) &&
              (head.len && head.at[0] == '{' ? parse_json(&recorder, in, err)
                                             : parse_pickle(&recorder, in, err));

    for (size_t i = 0; i < recorder.groups.count; i++) {
        idmap_free(&recorder.groups.list[i].pairs);
        free(recorder.groups.list[i].list);
    }
    free(recorder.groups.list);
    arena_free(&recorder.arena);
    return ok;
}

/* A dictionary with the version and the groups, which a pickle has first. */
static enum sniff sniff(struct span head, bool is_all)
{
    bool is_pickle =
        head.len >= 3 && (unsigned char)head.at[0] == 0x80 && head.at[1] == 2 && head.at[2] == '}';
    bool is_json = head.len && head.at[0] == '{';
    static const char *const keys[] = {"version", "nccl_version",    "comm_lib_version",
                                       "rank",    "pg_config",       "pg_status",
                                       "entries", "nccl_comm_state", NULL};
    struct span looked_at = {head.at, head.len < HEAD_LOOKED_AT ? head.len : HEAD_LOOKED_AT};

    if (head.len < 3)
        return is_all ? SNIFF_NO : SNIFF_MORE;
    if (is_pickle && span_find(looked_at, SPAN("version")) < 16 &&
        span_find(looked_at, SPAN("pg_config")) != SIZE_MAX)
        return SNIFF_YES;
    if (!is_json || !span_is_any(walk_first_key(head), keys))
        return SNIFF_NO;
    if (span_find(head, SPAN("\"pg_config\"")) != SIZE_MAX)
        return SNIFF_YES;
    return is_all ? SNIFF_NO : SNIFF_MORE;
}

const struct parser parser_flight_recorder = {
    .name = "flight-recorder",
    .title = "dumps of PyTorch's Flight Recorder",
    .summary = "which collectives a rank of PyTorch was in when it hung (nccl_trace_rank_N)",
    .level = LEVEL_TIMELINE,
    .sniff = sniff,
    .parse = parse,
};
