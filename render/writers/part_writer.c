/* SPDX-License-Identifier: Apache-2.0 */
#include "render/writers/writer.h"

#define XXH_INLINE_ALL
#include <stdlib.h>
#include <xxhash.h>
#include <zstd.h>

#include "base/memory/memory.h"
#include "graph/model/job_part.h"
#include "proto/part.pb-c.h"

struct part_writing {
    const struct job_part *part;
    FILE *out;
    uint32_t *place; /* by str_id: its place among the names, plus 1 once it is known to be used */
    int64_t *last;   /* by group, 0 between leaves: the last sequence of the leaf at hand */
    uint32_t frames;
    uint64_t hashes;    /* of all frames so far */
    struct arena arena; /* of one message */
};

/* ---- frames ---- */

static void put_bytes(unsigned char *to, uint64_t value, int bytes)
{
    for (int i = 0; i < bytes; i++)
        to[i] = (unsigned char)(value >> 8 * i);
}

static void write_frame(struct part_writing *writing, enum part_section section,
                        const ProtobufCMessage *message)
{
    size_t size = protobuf_c_message_get_packed_size(message), most = ZSTD_compressBound(size);
    uint8_t *bytes = grow_zeroed(size + 1, 1), *packed = grow_zeroed(most + 1, 1);
    unsigned char head[PART_HEAD_LEN] = {(unsigned char)section};
    size_t len;
    uint64_t hash;

    protobuf_c_message_pack(message, bytes);
    hash = XXH3_64bits(bytes, size);
    len = ZSTD_compress(packed, most, bytes, size, PART_ZSTD_LEVEL);
    if (ZSTD_isError(len))
        oom(); /* there is room for any result */
    head[1] = len < size && size / len < PART_PACKED_MOST ? PART_ZSTD : PART_PLAIN;
    len = head[1] == PART_ZSTD ? len : size;
    put_bytes(head + 4, len, 4);
    put_bytes(head + 8, size, 4);
    put_bytes(head + 12, hash, 8);
    fwrite(head, 1, sizeof(head), writing->out);
    fwrite(head[1] == PART_ZSTD ? packed : bytes, 1, len, writing->out);
    if (section != PART_END) {
        writing->hashes = XXH3_64bits_withSeed(&hash, sizeof(hash), writing->hashes);
        writing->frames++;
    }
    free(bytes);
    free(packed);
    arena_clear(&writing->arena);
}

/* A column of the message, `count` long, that is filled next. */
#define COLUMN(message, name, count)                                                               \
    ((message)->n_##name = (count),                                                                \
     (message)->name =                                                                             \
         arena_array(&writing->arena, (size_t)(count) + 1, sizeof(*(message)->name)))

/* What may not be known, as a number that is small. */
static uint64_t plus_one(int64_t value)
{
    return value == NOT_KNOWN ? 0 : (uint64_t)value + 1;
}

/* ---- names ---- */

static void use(struct part_writing *writing, const str_id *ids, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        writing->place[ids[i]] = 1;
}

static void use_all(struct part_writing *writing)
{
    const struct job_part *part = writing->part;

    writing->place[0] = 1;
    for (uint32_t i = 0; i < part->leaf_count; i++) {
        const struct part_leaf *leaf = &part->leaves[i];

        use(writing, &leaf->host, 1);
        use(writing, &leaf->file, 1);
        use(writing, leaf->label, leaf->op_count);
        use(writing, leaf->type, leaf->op_count);
        use(writing, leaf->operation, leaf->join_count);
    }
    for (uint32_t i = 0; i < part->group_count; i++) {
        use(writing, &part->groups[i].name, 1);
        use(writing, &part->groups[i].use, 1);
        use(writing, &part->groups[i].members, 1);
    }
    for (uint32_t i = 0; i < part->hot_count; i++)
        use(writing, &part->hot[i].name, 1);
    for (uint32_t i = 0; i < part->traffic_count; i++)
        use(writing, &part->traffic[i].operation, 1);
    for (uint32_t i = 0; i < part->absence_count; i++)
        use(writing, &part->absences[i].operation, 1);
}

struct part_name {
    struct span text;
    str_id id;
};

static int by_text(const void *a, const void *b)
{
    const struct part_name *first = a, *second = b;

    return span_cmp(first->text, second->text);
}

static void write_names(struct part_writing *writing)
{
    const struct strings *strings = &writing->part->strings;
    size_t known = strings->count ? strings->count : 1, count = 0;
    struct part_name *names = grow_zeroed(known + 1, sizeof(*names));
    PtkPart__Names message = PTK_PART__NAMES__INIT;

    writing->place = grow_zeroed(known + 1, sizeof(*writing->place));
    use_all(writing);
    for (str_id id = 0; id < known; id++)
        if (writing->place[id])
            names[count++] = (struct part_name){strings_get(strings, id), id};
    qsort(names, count, sizeof(*names), by_text);
    COLUMN(&message, text, count);
    for (size_t i = 0; i < count; i++) {
        writing->place[names[i].id] = (uint32_t)i;
        message.text[i] =
            (ProtobufCBinaryData){names[i].text.len, (uint8_t *)(uintptr_t)names[i].text.at};
    }
    write_frame(writing, PART_NAMES, &message.base);
    free(names);
}

/* ---- groups ---- */

static bool is_changing(const struct member_clock *clock)
{
    return clock->offset != NOT_KNOWN && (clock->drift || clock->jump);
}

static void write_groups(struct part_writing *writing)
{
    const struct job_part *part = writing->part;
    PtkPart__Groups message = PTK_PART__GROUPS__INIT;
    uint32_t count = part->group_count, offsets = 0, changing = 0, at = 0, before = 0;

    for (uint32_t i = 0; i < count; i++)
        for (uint32_t k = 0; k < part->groups[i].rank_count && part->groups[i].is_sealed; k++) {
            offsets++;
            changing += is_changing(&part->groups[i].clock[k]);
        }
    COLUMN(&message, name, count);
    COLUMN(&message, use, count);
    COLUMN(&message, members, count);
    COLUMN(&message, size, count);
    COLUMN(&message, flags, count);
    COLUMN(&message, residual, count);
    COLUMN(&message, joins, count);
    COLUMN(&message, clipped, count);
    COLUMN(&message, offset, offsets);
    COLUMN(&message, distance, offsets);
    COLUMN(&message, changing, changing);
    COLUMN(&message, from, changing);
    COLUMN(&message, drift, changing);
    COLUMN(&message, jump, changing);
    changing = 0;
    for (uint32_t i = 0; i < count; i++) {
        const struct part_group *group = &part->groups[i];

        message.name[i] = writing->place[group->name];
        message.use[i] = writing->place[group->use];
        message.members[i] = writing->place[group->members];
        message.size[i] = group->size;
        message.flags[i] = (group->is_pair ? 1 : 0) | (group->is_sealed ? 2 : 0);
        message.joins[i] = group->joins;
        message.clipped[i] = group->clipped;
        if (group->is_sealed)
            message.residual[i] = group->residual == NOT_KNOWN ? 0 : group->residual + 1;
        for (uint32_t k = 0; k < group->rank_count && group->is_sealed; k++, at++) {
            const struct member_clock *clock = &group->clock[k];

            message.offset[at] = clock->offset;
            message.distance[at] = plus_one(clock->residual);
            if (!is_changing(clock))
                continue;
            message.changing[changing] = at - before;
            message.from[changing] = clock->from;
            message.drift[changing] = clock->drift;
            message.jump[changing++] = clock->jump;
            before = at;
        }
    }
    write_frame(writing, PART_GROUPS, &message.base);
}

/* ---- leaves ---- */

static void fill_steps(struct part_writing *writing, const struct part_leaf *leaf,
                       PtkPart__Leaf *message)
{
    COLUMN(message, step, leaf->step_count);
    COLUMN(message, begin, leaf->step_count);
    COLUMN(message, span, leaf->step_count);
    COLUMN(message, ops, leaf->step_count);
    COLUMN(message, figure, (size_t)leaf->step_count * ROW_COUNT);
    for (uint32_t s = 0; s < leaf->step_count; s++) {
        message->step[s] = leaf->step[s] - (s ? leaf->step[s - 1] : 0);
        message->begin[s] = leaf->begin[s] - (s ? leaf->begin[s - 1] : 0);
        message->span[s] = leaf->end[s] - leaf->begin[s];
        message->ops[s] = leaf->first_op[s + 1] - leaf->first_op[s];
        for (uint32_t f = 0; f < ROW_COUNT; f++)
            message->figure[(size_t)f * leaf->step_count + s] = leaf->figure[f][s];
    }
}

static void fill_ops(struct part_writing *writing, const struct part_leaf *leaf,
                     PtkPart__Leaf *message)
{
    COLUMN(message, label, leaf->op_count);
    COLUMN(message, type, leaf->op_count);
    COLUMN(message, length, leaf->op_count);
    COLUMN(message, delay, leaf->op_count);
    COLUMN(message, join, leaf->op_count);
    COLUMN(message, deps, leaf->op_count);
    COLUMN(message, dep, leaf->first_dep[leaf->op_count]);
    for (uint32_t i = 0; i < leaf->op_count; i++) {
        bool is_of_join = leaf->join[i] && leaf->lasted[leaf->join[i] - 1] == leaf->length[i];

        message->label[i] = writing->place[leaf->label[i]] * 2 + leaf->kind[i];
        message->type[i] = writing->place[leaf->type[i]];
        message->length[i] = is_of_join ? 0 : leaf->length[i];
        message->delay[i] = leaf->delay[i];
        message->join[i] = leaf->join[i];
        message->deps[i] = leaf->first_dep[i + 1] - leaf->first_dep[i];
        for (uint32_t d = leaf->first_dep[i]; d < leaf->first_dep[i + 1]; d++)
            message->dep[d] = (int32_t)(i - leaf->dep[d]);
    }
}

static void fill_joins(struct part_writing *writing, const struct part_leaf *leaf,
                       PtkPart__Leaf *message)
{
    int64_t *last = writing->last, before = 0;
    uint32_t begun = 0, begun_at = 0;

    for (uint32_t i = 0; i < leaf->join_count; i++)
        begun += leaf->is_begun[i];
    COLUMN(message, begun, begun);
    begun = 0;
    COLUMN(message, group, leaf->join_count);
    COLUMN(message, sequence, leaf->join_count);
    COLUMN(message, operation, leaf->join_count);
    COLUMN(message, size, leaf->join_count);
    COLUMN(message, start, leaf->join_count);
    COLUMN(message, lasted, leaf->join_count);
    COLUMN(message, in_step, leaf->join_count);
    for (uint32_t i = 0; i < leaf->join_count; i++) {
        message->group[i] = leaf->group[i];
        message->sequence[i] =
            (int64_t)((uint64_t)leaf->sequence[i] - (uint64_t)last[leaf->group[i]]);
        last[leaf->group[i]] = leaf->sequence[i];
        message->operation[i] = writing->place[leaf->operation[i]];
        message->size[i] = plus_one(leaf->size[i]);
        message->lasted[i] = plus_one(leaf->lasted[i]);
        message->in_step[i] = (int32_t)(leaf->in_step[i] - (i ? leaf->in_step[i - 1] : 0));
        if (leaf->start[i] != NOT_KNOWN) {
            int64_t delta = leaf->start[i] - before;

            message->start[i] = ((uint64_t)delta << 1 ^ (uint64_t)(delta >> 63)) + 1;
            before = leaf->start[i];
        }
        if (leaf->is_begun[i]) {
            message->begun[begun++] = i - begun_at;
            begun_at = i;
        }
    }
    for (uint32_t i = 0; i < leaf->join_count; i++)
        last[leaf->group[i]] = 0;
}

static void write_leaf(struct part_writing *writing, const struct part_leaf *leaf)
{
    PtkPart__Leaf message = PTK_PART__LEAF__INIT;

    message.rank = leaf->rank;
    message.world = leaf->world;
    message.stage = leaf->stage;
    message.dp = leaf->dp;
    message.tp = leaf->tp;
    message.host = writing->place[leaf->host];
    message.file = writing->place[leaf->file];
    message.hash = leaf->hash;
    message.bytes = leaf->bytes;
    message.flags = leaf->flags;
    message.folded_operations = leaf->folds.operations;
    message.folded_collectives = leaf->folds.collectives;
    message.folded_steps = leaf->folds.steps;
    message.folded_names = leaf->folds.names;
    fill_steps(writing, leaf, &message);
    fill_ops(writing, leaf, &message);
    fill_joins(writing, leaf, &message);
    write_frame(writing, PART_LEAF, &message.base);
}

/* ---- distributions ---- */

/* Those of `count` rows that are `stride` bytes apart. */
static PtkPart__Distributions *distributions(struct part_writing *writing,
                                             const struct distribution *list, size_t stride,
                                             uint32_t count)
{
    PtkPart__Distributions *message = arena_alloc(&writing->arena, sizeof(*message));
    size_t buckets = 0;

#define ROW(i) ((const struct distribution *)(const void *)((const char *)list + (i)*stride))
    ptk_part__distributions__init(message);
    for (uint32_t i = 0; i < count; i++)
        buckets += ROW(i)->buckets;
    COLUMN(message, count, count);
    COLUMN(message, sum, count);
    COLUMN(message, squares_high, count);
    COLUMN(message, squares_low, count);
    COLUMN(message, zeros, count);
    COLUMN(message, least, count);
    COLUMN(message, most, count);
    COLUMN(message, first, count);
    COLUMN(message, buckets, count);
    COLUMN(message, bucket, buckets);
    buckets = 0;
    for (uint32_t i = 0; i < count; i++) {
        const struct distribution *row = ROW(i);

        message->count[i] = row->count;
        message->sum[i] = row->sum;
        message->squares_high[i] = (uint64_t)(row->squares >> 64);
        message->squares_low[i] = (uint64_t)row->squares;
        message->zeros[i] = row->zeros;
        message->least[i] = row->least;
        message->most[i] = row->most;
        message->first[i] = row->first;
        message->buckets[i] = row->buckets;
        for (uint32_t b = 0; b < row->buckets; b++)
            message->bucket[buckets++] = row->bucket[b];
    }
#undef ROW
    return message;
}

static void write_hot(struct part_writing *writing)
{
    const struct job_part *part = writing->part;
    PtkPart__Hot message = PTK_PART__HOT__INIT;
    uint32_t count = part->hot_count;

    COLUMN(&message, name, count);
    COLUMN(&message, kind, count);
    COLUMN(&message, stage, count);
    for (uint32_t i = 0; i < count; i++) {
        message.name[i] = writing->place[part->hot[i].name];
        message.kind[i] = part->hot[i].kind;
        message.stage[i] = part->hot[i].stage;
    }
    if (count) {
        message.events = distributions(writing, &part->hot->events, sizeof(*part->hot), count);
        message.ranks = distributions(writing, &part->hot->ranks, sizeof(*part->hot), count);
    }
    write_frame(writing, PART_HOT, &message.base);
}

static void write_traffic(struct part_writing *writing)
{
    const struct job_part *part = writing->part;
    PtkPart__Traffic message = PTK_PART__TRAFFIC__INIT;
    uint32_t count = part->traffic_count;

    size_t lasts = 0;

    for (uint32_t i = 0; i < count; i++)
        lasts += part->traffic[i].last_count;
    COLUMN(&message, group, count);
    COLUMN(&message, operation, count);
    COLUMN(&message, size, count);
    COLUMN(&message, bytes, count);
    COLUMN(&message, most_bytes, count);
    COLUMN(&message, lasts, count);
    COLUMN(&message, last, lasts);
    COLUMN(&message, times, lasts);
    COLUMN(&message, made_wait, lasts);
    lasts = 0;
    for (uint32_t i = 0; i < count; i++) {
        const struct part_traffic *traffic = &part->traffic[i];

        message.group[i] = traffic->group;
        message.operation[i] = writing->place[traffic->operation];
        message.size[i] = plus_one(traffic->size);
        message.bytes[i] = (uint64_t)traffic->bytes;
        message.most_bytes[i] = (uint64_t)traffic->most_bytes;
        message.lasts[i] = traffic->last_count;
        for (uint32_t k = 0; k < traffic->last_count; k++, lasts++) {
            message.last[lasts] =
                (int64_t)traffic->last[k].rank - (k ? (int64_t)traffic->last[k - 1].rank : 0);
            message.times[lasts] = (uint64_t)traffic->last[k].times;
            message.made_wait[lasts] = (uint64_t)traffic->last[k].made_wait;
        }
    }
    if (count) {
        message.skew = distributions(writing, &part->traffic->skew, sizeof(*part->traffic), count);
        message.transfer =
            distributions(writing, &part->traffic->transfer, sizeof(*part->traffic), count);
    }
    write_frame(writing, PART_TRAFFIC, &message.base);
}

static void write_absences(struct part_writing *writing)
{
    const struct job_part *part = writing->part;
    PtkPart__Absences message = PTK_PART__ABSENCES__INIT;
    uint32_t count = part->absence_count;

    COLUMN(&message, group, count);
    COLUMN(&message, sequence, count);
    COLUMN(&message, rank, count);
    COLUMN(&message, entered, count);
    COLUMN(&message, operation, count);
    COLUMN(&message, size, count);
    COLUMN(&message, begun, count);
    for (uint32_t i = 0; i < count; i++) {
        const struct part_absence *absence = &part->absences[i];

        message.group[i] = absence->group;
        message.sequence[i] = absence->sequence;
        message.rank[i] = absence->rank;
        message.entered[i] = absence->entered;
        message.operation[i] = writing->place[absence->operation];
        message.size[i] = plus_one(absence->size);
        message.begun[i] = absence->is_begun;
    }
    write_frame(writing, PART_ABSENCES, &message.base);
}

void part_write(const struct job_part *part, FILE *out)
{
    struct part_writing writing = {
        .part = part,
        .out = out,
        .last = grow_zeroed((size_t)part->group_count + 1, sizeof(*writing.last))};
    PtkPart__End end = PTK_PART__END__INIT;

    fwrite(PART_MAGIC, 1, PART_MAGIC_LEN, out);
    write_names(&writing);
    write_groups(&writing);
    for (uint32_t i = 0; i < part->leaf_count; i++)
        write_leaf(&writing, &part->leaves[i]);
    write_hot(&writing);
    write_traffic(&writing);
    write_absences(&writing);
    end.major = PART_MAJOR;
    end.minor = PART_MINOR;
    end.frames = writing.frames;
    end.leaves = part->leaf_count;
    end.hash = writing.hashes;
    write_frame(&writing, PART_END, &end.base);
    free(writing.place);
    free(writing.last);
    arena_free(&writing.arena);
}
