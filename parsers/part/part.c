/* SPDX-License-Identifier: Apache-2.0 */
#include "parsers/part/part_reader.h"

#define XXH_INLINE_ALL
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>
#include <zstd.h>
#include <zstd_errors.h>

#include "base/checked.h"
#include "base/memory/memory.h"
#include "graph/model/job_part.h"
#include "parsers/parser.h"

/* A message in memory is at most so many times its bytes: a byte of a column is eight. */
enum { GROWTH_MOST = 64, ROOM_LEAST = 1 << 16 };

bool part_damaged(struct part_frames *frames, const char *what)
{
    return error_set_at(frames->err, frames->at, 0, "a part's %s", what);
}

static void *take_room(void *context, size_t size)
{
    struct part_frames *frames = context;

    if (size > frames->room)
        return NULL;
    frames->room -= size;
    return grow_to(NULL, size ? size : 1, 1);
}

static void give_back(void *context, void *memory)
{
    (void)context;
    free(memory);
}

static uint32_t get32(const unsigned char *from)
{
    uint32_t value = 0;

    for (int i = 0; i < 4; i++)
        value |= (uint32_t)from[i] << 8 * i;
    return value;
}

static uint64_t get64(const unsigned char *from)
{
    return (uint64_t)get32(from) | (uint64_t)get32(from + 4) << 32;
}

/* Its bytes as they were before they were packed. */
static bool unpack(struct part_frames *frames, struct part_frame *frame, uint32_t plain)
{
    size_t len;

    if (plain > (uint64_t)frame->packed * PART_PACKED_MOST)
        return part_damaged(frames, "frame is of a kind that is not known");
    frames->plain = grow_to(frames->plain, plain + (size_t)1, 1);
    len = ZSTD_decompress(frames->plain, plain, frame->bytes.at, frame->packed);
    if (ZSTD_getErrorCode(len) == ZSTD_error_memory_allocation)
        oom();
    if (len != plain)
        return part_damaged(frames, "frame does not have the bytes that it says");
    frame->bytes = (struct span){frames->plain, plain};
    return true;
}

bool part_frame_next(struct part_frames *frames, struct part_frame *frame)
{
    struct span head = input_peek(frames->in, PART_HEAD_LEN), whole;
    const unsigned char *at = (const unsigned char *)head.at;
    uint32_t packed, plain;
    uint64_t hash;

    frames->at = input_offset(frames->in);
    if (head.len < PART_HEAD_LEN)
        return part_damaged(frames, "end is missing: the file is cut");
    packed = get32(at + 4);
    plain = get32(at + 8);
    frame->section = (enum part_section)at[0];
    if (at[1] > PART_ZSTD || (at[1] == PART_PLAIN && packed != plain) || plain > PART_FRAME_MOST ||
        packed > PART_FRAME_MOST)
        return part_damaged(frames, "frame is of a kind that is not known");
    whole = input_peek(frames->in, PART_HEAD_LEN + (size_t)packed);
    if (whole.len < PART_HEAD_LEN + (size_t)packed)
        return part_damaged(frames, "frame ends before its time: the file is cut");
    at = (const unsigned char *)whole.at;
    frame->bytes = (struct span){whole.at + PART_HEAD_LEN, packed};
    frame->packed = packed;
    hash = get64(at + 12);
    if (at[1] == PART_ZSTD && !unpack(frames, frame, plain))
        return false;
    if (PART_CHECKS_HASHES && XXH3_64bits(frame->bytes.at, plain) != hash)
        return part_damaged(frames, "frame does not have the bytes that it says");
    if (frame->section != PART_END) {
        frames->hashes = XXH3_64bits_withSeed(&hash, sizeof(hash), frames->hashes);
        frames->count++;
    }
    return true;
}

void part_frame_skip(struct part_frames *frames, const struct part_frame *frame)
{
    input_skip(frames->in, PART_HEAD_LEN + frame->packed);
}

ProtobufCMessage *part_message(struct part_frames *frames,
                               const ProtobufCMessageDescriptor *descriptor, struct span bytes)
{
    ProtobufCAllocator allocator = {take_room, give_back, frames};
    ProtobufCMessage *message;

    frames->room = ROOM_LEAST + bytes.len * GROWTH_MOST;
    message =
        protobuf_c_message_unpack(descriptor, &allocator, bytes.len, (const uint8_t *)bytes.at);
    if (!message)
        part_damaged(frames, "frame is no message of its kind");
    return message;
}

void part_message_drop(struct part_frames *frames, ProtobufCMessage *message)
{
    ProtobufCAllocator allocator = {take_room, give_back, frames};

    protobuf_c_message_free_unpacked(message, &allocator);
}

bool part_is_one(struct span head)
{
    return head.len >= PART_MAGIC_LEN - 1 && memcmp(head.at, PART_MAGIC, PART_MAGIC_LEN - 1) == 0;
}

bool part_frames_begin(struct part_frames *frames, struct input *in, struct error *err)
{
    struct span head = input_peek(in, PART_MAGIC_LEN);

    *frames = (struct part_frames){.in = in, .err = err};
    if (head.len < PART_MAGIC_LEN || !part_is_one(head))
        return part_damaged(frames, "first bytes are missing: it is no part");
    if (head.at[PART_MAGIC_LEN - 1] != PART_MAJOR) {
        part_damaged(frames, "version is not known");
        return error_hint(err, "it is of version %d; this ptk reads version %d",
                          (unsigned char)head.at[PART_MAGIC_LEN - 1], PART_MAJOR);
    }
    input_skip(in, PART_MAGIC_LEN);
    return true;
}

/* ---- a part of a job as a profile: the device work of all its ranks by name, without times  * What else is in it is for those that read the part itself. ---- */

static int64_t whole(uint64_t sum)
{
    return sum > INT64_MAX ? INT64_MAX : (int64_t)sum;
}

/* Rows of one name and kind, which differ in the stage, come one after the other. */
static void list_work(const struct job_part *part, struct builder *builder)
{
    struct callgraph_builder *functions = builder_callgraph(builder);

    for (uint32_t i = 0, end; i < part->hot_count; i = end) {
        const struct part_hot *first = &part->hot[i];
        struct call_figures figures = {0};
        int64_t least = INT64_MAX, most = 0;
        uint32_t function = builder_function(
            functions,
            builder_frame(builder, &(struct frame){.name = builder_intern(
                                                       builder, part_text(part, first->name)),
                                                   .kind = (enum frame_kind)first->kind}));

        for (end = i; end < part->hot_count && part->hot[end].name == first->name &&
                      part->hot[end].kind == first->kind;
             end++) {
            const struct distribution *events = &part->hot[end].events;

            figures.calls = checked_add(figures.calls, whole(events->count));
            figures.self = checked_add(figures.self, whole(events->sum));
            least = events->least < least ? events->least : least;
            most = events->most > most ? events->most : most;
        }
        figures.primitive_calls = figures.calls;
        figures.cum = figures.self;
        builder_list(functions, function, &figures);
        builder_extremes(functions, function, least, most);
    }
}

static void say_fold(struct builder *builder, const char *what, uint64_t count)
{
    if (count)
        builder_fact(builder, what, whole(count), UNIT_COUNT);
}

static void say_facts(const struct job_part *part, struct builder *builder)
{
    struct idmap steps = {0}, hosts = {0};
    uint32_t world = 0, sealed = 0;
    int64_t collectives = 0, cut = 0;
    struct leaf_folds folds = {0};

    for (uint32_t l = 0; l < part->leaf_count; l++) {
        const struct part_leaf *leaf = &part->leaves[l];

        world = leaf->world > world ? leaf->world : world;
        cut += (leaf->flags & LEAF_TRUNCATED) != 0;
        collectives += leaf->join_count;
        folds.operations += leaf->folds.operations;
        folds.collectives += leaf->folds.collectives;
        folds.steps += leaf->folds.steps;
        folds.names += leaf->folds.names;
        *idmap_at(&hosts, leaf->host) = 0;
        for (uint32_t s = 0; s < leaf->step_count; s++)
            *idmap_at(&steps, (uint64_t)leaf->step[s]) = 0;
    }
    for (uint32_t g = 0; g < part->group_count; g++)
        sealed += part->groups[g].is_sealed;
    builder_producer(builder, "ptk map");
    builder_fact(builder, "ranks", part->leaf_count, UNIT_COUNT);
    builder_known_fact(builder, FACT_WORLD_SIZE, world, UNIT_COUNT);
    builder_fact(builder, "hosts", (int64_t)hosts.count, UNIT_COUNT);
    builder_fact(builder, "steps", (int64_t)steps.count, UNIT_COUNT);
    builder_fact(builder, "process_groups", part->group_count, UNIT_COUNT);
    builder_fact(builder, "sealed_groups", sealed, UNIT_COUNT);
    builder_fact(builder, "collectives", collectives, UNIT_COUNT);
    builder_fact(builder, "absences", part->absence_count, UNIT_COUNT);
    if (cut)
        builder_fact(builder, "cut_traces", cut, UNIT_COUNT);
    say_fold(builder, "folded_operations", folds.operations);
    say_fold(builder, "folded_collectives", folds.collectives);
    say_fold(builder, "folded_steps", folds.steps);
    say_fold(builder, "folded_names", folds.names);
    if (part->leaf_count) {
        builder_fact(builder, "first_rank", part->leaves[0].rank, UNIT_COUNT);
        builder_fact(builder, "last_rank", part->leaves[part->leaf_count - 1].rank, UNIT_COUNT);
    }
    idmap_free(&steps);
    idmap_free(&hosts);
}

bool part_tell(const struct job_part *part, struct builder *builder, struct error *err)
{
    static const struct value_name values[] = {{LITERAL("time"), UNIT_NS}};

    if (!builder_begin(builder, LEVEL_FLAT, values, 1, 0, err))
        return false;
    say_facts(part, builder);
    list_work(part, builder);
    return true;
}

static bool parse(struct input *in, struct builder *builder, struct error *err)
{
    struct job_part part = {0};
    bool ok = part_read(in, &part, err) && part_tell(&part, builder, err);

    job_part_free(&part);
    return ok;
}

static enum sniff sniff(struct span head, bool is_all)
{
    if (part_is_one(head))
        return SNIFF_YES;
    return is_all || head.len >= PART_MAGIC_LEN ? SNIFF_NO : SNIFF_MORE;
}

const struct parser parser_part = {
    .name = "part",
    .title = "parts of jobs",
    .summary = "what ptk map and ptk reduce keep of a job's ranks: ptk job tells more",
    .level = LEVEL_FLAT,
    .sniff = sniff,
    .parse = parse,
};
