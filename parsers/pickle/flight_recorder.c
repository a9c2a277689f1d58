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
#include "parsers/json/json_sniff.h"
#include "parsers/parser.h"
#include "parsers/pickle/pickle.h"

enum { JSON_MOST = 1 << 28, HEAD_LOOKED_AT = 4096 };

/* The ranks of a process group, in its order. */
struct group_ranks {
    str_id name;
    VECTOR(uint32_t);
    struct idmap pairs; /* of ranks, from and to → how many transfers so far */
};

struct recorder {
    struct builder *builder;
    struct values *values;
    struct timeline_builder *timeline;
    uint32_t device, host; /* tracks */
    uint64_t entries, odd, lost_pairs;
    int64_t world;
    bool is_whole; /* the ring has lost nothing */
    struct VECTOR_OF(struct group_ranks) groups;
};

/* ---- values ---- */

static bool read_integer(const struct recorder *recorder, value_id id, int64_t *number)
{
    const struct value *value = value_of_kind(recorder->values, id, VALUE_INT);

    if (value)
        *number = value->whole;
    return value;
}

/* Milliseconds as ns; 0 where there are none. */
static int64_t read_duration(const struct recorder *recorder, value_id id)
{
    const struct value *real = value_of_kind(recorder->values, id, VALUE_REAL),
                       *whole = value_of_kind(recorder->values, id, VALUE_INT);

    if (real && real->real >= 0 && real->real < 1e12)
        return (int64_t)(real->real * 1e6 + 0.5);
    return whole && whole->whole >= 0 && whole->whole <= 1000000000000 ? whole->whole * 1000000 : 0;
}

static str_id read_text(const struct recorder *recorder, value_id id)
{
    const struct value *value = value_of_kind(recorder->values, id, VALUE_TEXT);

    return value ? value->text : 0;
}

static value_id member(const struct recorder *recorder, value_id dict, const char *key)
{
    return value_member(recorder->values, dict, span_of(key));
}

/* ---- entries ---- */

/* Elements of all tensors in a list of shapes; -1 where that is not one. */
static int64_t elements_of(const struct recorder *recorder, value_id shapes)
{
    uint32_t tensors = value_list(recorder->values, shapes);
    int64_t sum = 0;

    for (value_id shape; (shape = value_next(recorder->values, &tensors));) {
        uint32_t sizes = value_list(recorder->values, shape);
        int64_t product = 1, number;

        for (value_id size; (size = value_next(recorder->values, &sizes));)
            if (!read_integer(recorder, size, &number) || number < 0 ||
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

static bool read_entry(struct recorder *recorder, value_id id, struct recorder_entry *entry)
{
    uint32_t group = value_list(recorder->values, member(recorder, id, "process_group"));
    value_id name = value_next(recorder->values, &group);
    const struct value *operation =
        value_of_kind(recorder->values, member(recorder, id, "profiling_name"), VALUE_TEXT);
    size_t colon;

    *entry = (struct recorder_entry){
        .group = read_text(recorder, name),
        .use = read_text(recorder, value_next(recorder->values, &group)),
        .state = read_text(recorder, member(recorder, id, "state")),
        .duration = read_duration(recorder, member(recorder, id, "duration_ms")),
    };
    if (!name || !operation ||
        !read_integer(recorder, member(recorder, id, "time_created_ns"), &entry->created) ||
        !time_is_possible(entry->created))
        return false;
    entry->operation = builder_text(recorder->builder, operation->text);
    colon = span_find(entry->operation, SPAN(":"));
    if (colon != SIZE_MAX)
        entry->operation = span_after(entry->operation, colon + 1);
    entry->is_pair = span_starts(entry->operation, SPAN("send ")) ||
                     span_starts(entry->operation, SPAN("recv "));
    if (entry->is_pair)
        return read_pair(recorder, entry);
    return read_integer(recorder, member(recorder, id, "collective_seq_id"), &entry->sequence) ||
           read_integer(recorder, member(recorder, id, "seq_id"), &entry->sequence);
}

static void add_entry(struct recorder *recorder, value_id id)
{
    struct builder *builder = recorder->builder;
    struct recorder_entry entry;
    uint32_t types = value_list(recorder->values, member(recorder, id, "input_dtypes"));
    bool has_ended;
    uint32_t event;
    str_id operation, dtype;
    int64_t elements;

    recorder->entries++;
    if (!read_entry(recorder, id, &entry)) {
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
    elements = elements_of(recorder, member(recorder, id, "input_sizes"));
    if (elements >= 0)
        builder_property(recorder->timeline, event, PROP_IN_ELEMENTS, elements);
    elements = elements_of(recorder, member(recorder, id, "output_sizes"));
    if (elements >= 0)
        builder_property(recorder->timeline, event, PROP_OUT_ELEMENTS, elements);
    dtype = read_text(recorder, value_next(recorder->values, &types));
    if (dtype)
        builder_property(recorder->timeline, event, PROP_DTYPE, dtype);
}

/* ---- the whole ---- */

static void add_groups(struct recorder *recorder, value_id config)
{
    const struct value *dict = value_of_kind(recorder->values, config, VALUE_DICT);
    uint32_t cell = dict ? dict->first : 0;

    while (value_next(recorder->values, &cell)) {
        value_id group = value_next(recorder->values, &cell);
        struct process_group known = {.name = read_text(recorder, member(recorder, group, "name")),
                                      .ranks =
                                          read_text(recorder, member(recorder, group, "ranks")),
                                      .use = read_text(recorder, member(recorder, group, "desc"))};
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

/* Goes over the entries of a pickle, or of a JSON text, whose are values one at a time, because values take more than
 * their text. */
struct entry_walk {
    uint32_t cell;                   /* of a pickle */
    struct token list;               /* of a JSON text; at == NULL: it is none */
    struct json_walk walk;           /* in that */
    size_t value_count, cell_count;  /* without the entry */
};

static value_id next_entry(struct recorder *recorder, struct entry_walk *entries, struct error *err)
{
    struct values *values = recorder->values;
    struct token entry;

    if (!entries->list.at)
        return value_next(values, &entries->cell);
    values->count = entries->value_count;
    values->cells.count = entries->cell_count;
    return walk_item(&entries->walk, &entry) ? values_of_json(values, entry, err) : 0;
}

/* A ring that is full lacks record 0. */
static bool has_first(struct recorder *recorder, struct entry_walk entries, struct error *err)
{
    int64_t number;

    for (value_id entry; (entry = next_entry(recorder, &entries, err));)
        if (read_integer(recorder, member(recorder, entry, "record_id"), &number) && number == 0)
            return true;
    return false;
}

/* `list`: the entries of a JSON text, which the root lacks. */
static bool read_dump(struct recorder *recorder, value_id root, struct token list, struct error *err)
{
    struct builder *builder = recorder->builder;
    struct values *values = recorder->values;
    struct entry_walk entries = {.cell = value_list(values, member(recorder, root, "entries")), .list = list};
    struct span version =
        builder_text(builder, read_text(recorder, member(recorder, root, "version")));

    recorder->device = builder_track(
        recorder->timeline, &(struct track){.name = builder_intern(builder, SPAN("collectives")),
                                            .kind = TRACK_STREAM});
    recorder->host = builder_track(
        recorder->timeline, &(struct track){.name = builder_intern(builder, SPAN("not ended")),
                                            .kind = TRACK_THREAD,
                                            .device = -1});
    add_groups(recorder, member(recorder, root, "pg_config"));
    if (list.at)
        entries.walk = walk_into(list);
    entries.value_count = values->count;
    entries.cell_count = values->cells.count;
    recorder->is_whole = has_first(recorder, entries, err);
    for (value_id entry; (entry = next_entry(recorder, &entries, err));)
        add_entry(recorder, entry);
    builder_producer(builder, "PyTorch Flight Recorder %.*s", (int)(version.len & 15), version.at);
    if (recorder->world)
        builder_known_fact(builder, FACT_WORLD_SIZE, recorder->world, UNIT_COUNT);
    warning_count_many(builder_warnings(builder), WARNING_LOSS,
                       "entries that lack a group, a number or a time, left out", recorder->odd);
    warning_count_many(builder_warnings(builder), WARNING_NOTE,
                       "sends and receives, which are not compared, as the first are lost",
                       recorder->lost_pairs);
    return err->kind == ERROR_NONE;
}

/* The dump without its entries, whose text becomes `list`: of two lists the last, as of all members. */
static value_id read_members(struct values *values, struct token dump, struct token *list, struct error *err)
{
    struct json_walk walk = walk_into(dump);
    value_id root = value_add(values, &(struct value){.kind = VALUE_DICT}), pair[2];
    struct token token;

    for (struct span key; walk_member(&walk, &key, &token);) {
        if (span_eq(key, SPAN("entries"))) {
            *list = token.at[0] == '[' ? token : (struct token){0};
            continue;
        }
        pair[0] = value_add(values, &(struct value){.kind = VALUE_TEXT,
                                                    .text = builder_intern(values->builder, key)});
        pair[1] = values_of_json(values, token, err);
        if (!pair[1])
            return 0;
        values_append(values, root, pair, 2);
    }
    return root;
}

static value_id read_json(struct values *values, struct input *in, struct token *list, struct error *err)
{
    size_t need = 1 << 16;
    struct span all = input_peek(in, need);

    for (; all.len >= need && need < JSON_MOST; need *= 2)
        all = input_peek(in, need * 2);
    if (all.len < JSON_MOST && walk_past_value(all.at, all.at + all.len))
        return read_members(values, (struct token){all.at, (uint32_t)all.len}, list, err);
    error_set_at(err, all.len, 0, "the dump ends before its time");
    return 0;
}

static bool parse(struct input *in, struct builder *builder, struct error *err)
{
    struct pickle pickle = {.in = in, .builder = builder, .values.builder = builder};
    struct recorder recorder = {
        .builder = builder, .values = &pickle.values, .timeline = builder_timeline(builder)};
    struct span head = input_peek(in, 1);
    struct token list = {0}; /* in the input's buffer, as nothing more is read */
    value_id root = 0;
    bool ok;

    if (builder_begin_timeline(builder, err))
        root = head.len && head.at[0] == '{' ? read_json(&pickle.values, in, &list, err)
                                             : pickle_read(&pickle, err);
    ok = value_of_kind(&pickle.values, root, VALUE_DICT);
    if (ok)
        ok = read_dump(&recorder, root, list, err);
    else if (root)
        error_set_at(err, 0, 0, "a pickle, but no dump of the Flight Recorder");
    for (size_t i = 0; i < recorder.groups.count; i++) {
        idmap_free(&recorder.groups.list[i].pairs);
        free(recorder.groups.list[i].list);
    }
    free(recorder.groups.list);
    pickle_free(&pickle);
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
    static const char *const marks[] = {"\"pg_config\"", NULL};
    struct span looked_at = {head.at, head.len < HEAD_LOOKED_AT ? head.len : HEAD_LOOKED_AT};

    if (head.len < 3)
        return is_all ? SNIFF_NO : SNIFF_MORE;
    if (is_pickle && span_find(looked_at, SPAN("version")) < 16 &&
        span_find(looked_at, SPAN("pg_config")) != SIZE_MAX)
        return SNIFF_YES;
    return is_json ? sniff_json(head, is_all, keys, marks) : SNIFF_NO;
}

const struct parser parser_flight_recorder = {
    .name = "flight-recorder",
    .title = "dumps of PyTorch's Flight Recorder",
    .summary = "which collectives a rank of PyTorch was in when it hung (nccl_trace_rank_N)",
    .tried = "PyTorch 2",
    .omitted = "stacks of the calls",
    .level = LEVEL_TIMELINE,
    .sniff = sniff,
    .parse = parse,
};
