/* SPDX-License-Identifier: Apache-2.0 */
/* perfetto.c — Perfetto's traces: of Android and Linux, of Chrome, of rocprofv3 and PyTorch
 *
 * A file is packets, one after another and in no order of time; each is of a sequence, whose state
 * says what its numbers mean. */
#include "parsers/perfetto/perfetto.h"

#include <stdlib.h>
#include <zlib.h>

enum {
    PACKET = 1,
    PACKET_FTRACE = 1,
    PACKET_PROCESS_TREE = 2,
    PACKET_CLOCKS = 6,
    PACKET_TIME = 8,
    PACKET_SEQUENCE = 10,
    PACKET_EVENT = 11,
    PACKET_INTERNED = 12,
    PACKET_FLAGS = 13,
    PACKET_MARK = 36, /* of synchronisation */
    PACKET_HEAP = 37,
    PACKET_CLEARED = 41,
    PACKET_LOST = 42,
    PACKET_PROCESS = 43,
    PACKET_THREAD = 44,
    PACKET_ZLIB = 50,
    PACKET_RENDER_STAGE = 53,
    PACKET_STREAMING = 54,
    PACKET_CLOCK = 58,
    PACKET_DEFAULTS = 59,
    PACKET_TRACK = 60,
    PACKET_PERF = 66,
    PACKET_ZSTD = 133,
    PACKET_STACK = 135,
    PACKET_FIELDS,
    FLAG_CLEARED = 1,
    FLAG_NEEDS_STATE = 2
};

/* ---- one packet ---- */

/* TracePacket, of trace_packet.proto. */
struct packet {
    uint64_t trusted_packet_sequence_id, sequence_flags, timestamp_clock_id;
    bool incremental_state_cleared, previous_packet_dropped;
    struct wire_optional timestamp;
    struct span clock_snapshot, trace_packet_defaults, interned_data, zlib, zstd;
    struct wire_field data; /* the last that a reader is for */
};

static const struct wire_member packet_members[] = {
    [PACKET_FTRACE] = WIRE_MEMBER(struct packet, data),
    [PACKET_PROCESS_TREE] = WIRE_MEMBER(struct packet, data),
    [PACKET_CLOCKS] = WIRE_MEMBER(struct packet, clock_snapshot),
    [PACKET_TIME] = WIRE_MEMBER(struct packet, timestamp),
    [PACKET_SEQUENCE] = WIRE_MEMBER(struct packet, trusted_packet_sequence_id),
    [PACKET_EVENT] = WIRE_MEMBER(struct packet, data),
    [PACKET_INTERNED] = WIRE_MEMBER(struct packet, interned_data),
    [PACKET_FLAGS] = WIRE_MEMBER(struct packet, sequence_flags),
    [PACKET_HEAP] = WIRE_MEMBER(struct packet, data),
    [PACKET_CLEARED] = WIRE_MEMBER(struct packet, incremental_state_cleared),
    [PACKET_LOST] = WIRE_MEMBER(struct packet, previous_packet_dropped),
    [PACKET_PROCESS] = WIRE_MEMBER(struct packet, data),
    [PACKET_THREAD] = WIRE_MEMBER(struct packet, data),
    [PACKET_ZLIB] = WIRE_MEMBER(struct packet, zlib),
    [PACKET_RENDER_STAGE] = WIRE_MEMBER(struct packet, data),
    [PACKET_STREAMING] = WIRE_MEMBER(struct packet, data),
    [PACKET_CLOCK] = WIRE_MEMBER(struct packet, timestamp_clock_id),
    [PACKET_DEFAULTS] = WIRE_MEMBER(struct packet, trace_packet_defaults),
    [PACKET_TRACK] = WIRE_MEMBER(struct packet, data),
    [PACKET_PERF] = WIRE_MEMBER(struct packet, data),
    [PACKET_ZSTD] = WIRE_MEMBER(struct packet, zstd),
    [PACKET_STACK] = WIRE_MEMBER(struct packet, data),
};

struct perfetto_sequence *perfetto_sequence(struct perfetto *perfetto, uint64_t id)
{
    uint32_t *known;

    if (perfetto->last_sequence && perfetto->sequences.list[perfetto->last_sequence - 1].id == id)
        return &perfetto->sequences.list[perfetto->last_sequence - 1];
    known = idmap_at(&perfetto->sequence_of, id);
    if (*known == IDMAP_NONE) {
        struct perfetto_sequence sequence = {.id = id};

        *known = (uint32_t)perfetto->sequences.count;
        perfetto_clear(perfetto, &sequence);
        vector_add(&perfetto->sequences, sequence);
    }
    perfetto->last_sequence = *known + 1;
    return &perfetto->sequences.list[*known];
}

/* What the packet says of the state of its sequence. False where it needs one that was lost. */
static bool update_state(struct perfetto *perfetto, struct perfetto_sequence *sequence,
                         const struct packet *packet)
{
    if (packet->incremental_state_cleared || packet->sequence_flags & FLAG_CLEARED) {
        perfetto_clear(perfetto, sequence);
    } else if (packet->previous_packet_dropped) {
        perfetto_warn(perfetto, WARNING_LOSS, "packets that the recorder lost");
        sequence->lacks_state = true;
        sequence->lacks_base = true;
    }
    if (packet->trace_packet_defaults.at)
        perfetto_defaults(perfetto, sequence, packet->trace_packet_defaults);
    if (packet->interned_data.at && !sequence->lacks_state)
        perfetto_intern(perfetto, sequence, packet->interned_data);
    if (packet->clock_snapshot.at)
        perfetto_snapshot(&perfetto->clocks, packet->clock_snapshot, sequence->id);
    if (!(packet->sequence_flags & FLAG_NEEDS_STATE) || !sequence->lacks_state)
        return true;
    perfetto_warn(perfetto, WARNING_LOSS, "packets that build on lost ones, left out");
    return false;
}

/* What reads each kind of data, of which a packet has one. */
static perfetto_reader *const readers[PACKET_FIELDS] = {
    [PACKET_EVENT] = perfetto_track_event,         [PACKET_FTRACE] = perfetto_ftrace,
    [PACKET_PROCESS_TREE] = perfetto_process_tree, [PACKET_PROCESS] = perfetto_describe_process,
    [PACKET_THREAD] = perfetto_describe_thread,    [PACKET_TRACK] = perfetto_describe,
    [PACKET_PERF] = perfetto_perf_sample,          [PACKET_STREAMING] = perfetto_streaming,
    [PACKET_STACK] = perfetto_stack_sample,        [PACKET_HEAP] = perfetto_heap,
    [PACKET_RENDER_STAGE] = perfetto_render_stage,
};

static bool read_packet(struct perfetto *perfetto, struct span message, struct packet *packet)
{
    struct wire wire = wire_of(message);

    wire_clear(packet, sizeof(*packet));
    (void)wire_read(&wire, packet_members, COUNT_OF(packet_members), packet);
    perfetto->packets++;
    if (wire.fault)
        perfetto_warn(perfetto, WARNING_LOSS, "packets that are broken, left out");
    return !wire.fault;
}

static void take_packet(struct perfetto *perfetto, const struct packet *packet)
{
    struct perfetto_sequence *sequence;
    struct perfetto_time time = {0};

    sequence = perfetto_sequence(perfetto, (uint32_t)packet->trusted_packet_sequence_id);
    if (!update_state(perfetto, sequence, packet) || packet->clock_snapshot.at)
        return;
    if (packet->timestamp.is_there) {
        time.is_known = true;
        time.clock =
            packet->timestamp_clock_id
                ? perfetto_clock(&perfetto->clocks, packet->timestamp_clock_id, sequence->id)
                : sequence->default_clock;
        time.time = perfetto_absolute(&perfetto->clocks, time.clock, packet->timestamp.value);
    }
    if (packet->data.number)
        readers[packet->data.number](perfetto, sequence, packet->data.bytes, time);
}

/* ---- packets in packets ---- */

/* A packet of three bytes takes fifty of memory. */
enum { UNPACKED_FACTOR = 32, UNPACKED_LEAST = 1 << 23 };

/* What is left to unpack, where a file of so many bytes may become so much. */
static size_t room_left(const struct perfetto *perfetto)
{
    uint64_t most = UNPACKED_LEAST + perfetto->offset * UNPACKED_FACTOR;

    return most > perfetto->unpacked ? (size_t)(most - perfetto->unpacked) : 0;
}

/* The bytes of a zlib stream, in memory that the caller frees; cut where it is damaged or too much. */
static struct span unpack_zlib(struct perfetto *perfetto, struct span packed)
{
    z_stream stream = {.next_in = (Bytef *)(uintptr_t)packed.at, .avail_in = (uInt)packed.len};
    size_t most = room_left(perfetto), cap = 0;
    char *room = NULL;
    int result = Z_OK;

    if (packed.len > UINT32_MAX)
        return (struct span){0};
    if (inflateInit(&stream) != Z_OK)
        oom();
    while (result == Z_OK && stream.total_out < most) {
        cap = grow_cap(cap, stream.total_out + (1 << 16));
        room = grow_to(room, cap, 1);
        stream.next_out = (Bytef *)room + stream.total_out;
        stream.avail_out =
            (uInt)(cap - stream.total_out < 1 << 30 ? cap - stream.total_out : 1 << 30);
        result = inflate(&stream, Z_NO_FLUSH);
    }
    if (result == Z_MEM_ERROR)
        oom();
    if (result != Z_STREAM_END)
        perfetto_warn(perfetto, WARNING_LOSS,
                      "packed packets that are damaged, or unpack to too much");
    packed = (struct span){room, stream.total_out};
    inflateEnd(&stream);
    return packed;
}

static void take_unpacked(struct perfetto *perfetto, struct span unpacked)
{
    struct wire wire = wire_of(unpacked);
    struct wire_field field;
    struct packet packet;

    perfetto->unpacked += unpacked.len;
    while (wire_next(&wire, &field))
        if (field.number == PACKET && field.type == WIRE_BYTES &&
            !perfetto_common_packet(perfetto, field.bytes) &&
            read_packet(perfetto, field.bytes, &packet))
            take_packet(perfetto, &packet);
}

static void take_zstd(struct perfetto *perfetto, struct span packed)
{
    struct input_options options = {.max_size = room_left(perfetto) + 1};
    struct error ignored = {0};
    struct input in;

    if (!input_open_memory(&in, packed, &options, &ignored))
        return;
    take_unpacked(perfetto, input_peek(&in, SIZE_MAX));
    if (in.trouble.kind)
        perfetto_warn(perfetto, WARNING_LOSS,
                      "packed packets that are damaged, or unpack to too much");
    input_close(&in);
}

/* Packed packets are in packets of their own; those in them are not unpacked again. */
static void take_outer(struct perfetto *perfetto, struct span message)
{
    struct packet packet;

    if (perfetto_common_packet(perfetto, message) || !read_packet(perfetto, message, &packet))
        return;
    if (packet.zlib.at) {
        struct span unpacked = unpack_zlib(perfetto, packet.zlib);

        take_unpacked(perfetto, unpacked);
        free((char *)(uintptr_t)unpacked.at);
    } else if (packet.zstd.at) {
        take_zstd(perfetto, packet.zstd);
    } else {
        take_packet(perfetto, &packet);
    }
}

/* ---- the file ---- */

/* So many bytes, asked for bit by bit: their number is the file's word. */
static struct span peek_all(struct input *in, uint64_t size)
{
    struct span bytes = input_peek(in, size < 1 << 16 ? (size_t)size : 1 << 16);

    for (uint64_t want = 1 << 17; bytes.len < size; want *= 2) {
        uint64_t ask = want < size ? want : size;

        bytes = input_peek(in, (size_t)ask);
        if (bytes.len < ask)
            break;
    }
    return bytes;
}

/* Until the end, or where the file is cut or no trace any more: what was read is kept. */
static bool read_packets(struct perfetto *perfetto, struct input *in, struct error *err)
{
    enum { HEAD = 20 }; /* of a tag and a length */

    while (input_has(in, 1)) {
        struct span head = input_has(in, HEAD) ? (struct span){in->at, (size_t)(in->end - in->at)}
                                               : input_peek(in, HEAD);
        struct wire wire = wire_of(head);
        struct wire_field field;
        uint64_t length;
        size_t start;

        perfetto->offset = input_offset(in);
        if (!wire_head(&wire, &field, &length)) {
            if (!perfetto->packets)
                return error_set_at(err, perfetto->offset, 0, "no packet is here: %s",
                                    wire.fault ? wire.fault : "the file ends");
            builder_truncated(perfetto->builder);
            perfetto_warn(perfetto, WARNING_LOSS, "what follows is not a packet, and left out");
            break;
        }
        start = (size_t)(wire.at - head.at);
        if (head.len - start < length)
            head = peek_all(in, length > UINT64_MAX - start ? length : length + start);
        if (head.len < start || head.len - start < length) {
            if (!perfetto->packets)
                return error_set_at(err, perfetto->offset, 0,
                                    "the file ends within its first packet");
            builder_truncated(perfetto->builder);
            perfetto_warn(perfetto, WARNING_LOSS, "the file ends within a packet");
            break;
        }
        if (field.number == PACKET && field.type == WIRE_BYTES)
            take_outer(perfetto, (struct span){head.at + start, (size_t)length});
        input_skip(in, start + (size_t)length);
    }
    perfetto->offset = input_offset(in);
    return true;
}

static void perfetto_free(struct perfetto *perfetto)
{
    perfetto_clocks_free(&perfetto->clocks);
    for (size_t i = 0; i < perfetto->sequences.count; i++) {
        struct perfetto_sequence *sequence = &perfetto->sequences.list[i];

        for (size_t kind = 0; kind < INTERNED_KINDS; kind++)
            idmap_free(&sequence->interned[kind]);
        free(sequence->counters.list);
        free(sequence->double_counters.list);
    }
    idmap_free(&perfetto->sequence_of);
    idmap_free(&perfetto->row_of);
    idmap_free(&perfetto->row_of_thread);
    idmap_free(&perfetto->row_of_processor);
    idmap_free(&perfetto->row_of_operation);
    idmap_free(&perfetto->process_names);
    idmap_free(&perfetto->thread_names);
    idmap_free(&perfetto->heap_of);
    free(perfetto->sequences.list);
    free(perfetto->rows.list);
    for (size_t i = 0; i < perfetto->row_events.count; i++)
        perfetto_free_row(&perfetto->row_events.list[i]);
    free(perfetto->row_events.list);
    free(perfetto->kinds.list);
    index_free(&perfetto->kind_index);
    free(perfetto->switches.list);
    free(perfetto->counts.list);
    free(perfetto->flows.list);
    free(perfetto->raw_frames.list);
    free(perfetto->frame_numbers.list);
    free(perfetto->frames.list);
    free(perfetto->stacks.list);
    free(perfetto->samples.list);
    free(perfetto->allocations.list);
    free(perfetto->dumps.list);
    free(perfetto->text.list);
    free(perfetto->numbers.list);
    free(perfetto->more.list);
}

static bool parse(struct input *in, struct builder *builder, struct error *err)
{
    struct perfetto perfetto = {.builder = builder, .clocks.trace_clock = IDMAP_NONE};
    bool ok;

    perfetto.wants_arguments = perfetto_wants_arguments(builder);
    ok = read_packets(&perfetto, in, err);
    perfetto_tie_clocks(&perfetto.clocks);
    builder_producer(builder, "Perfetto");
    builder_fact(builder, "packets", (int64_t)perfetto.packets, UNIT_COUNT);
    if (perfetto.switches.count)
        builder_fact(builder, "switches", (int64_t)perfetto.switches.count, UNIT_COUNT);
    if (ok && !perfetto.event_count && !perfetto.counts.count &&
        (perfetto.samples.count || perfetto.allocations.count)) {
        ok = perfetto_give_samples(&perfetto, input_bytes_read(in), err);
    } else if (ok) {
        ok = builder_begin_timeline(builder, err);
        if (ok) {
            perfetto_give_events(&perfetto);
            perfetto_sample_tracks(&perfetto, input_bytes_read(in));
        }
    }
    perfetto_free(&perfetto);
    return ok;
}

/* ---- whether it is one ---- */

/* Whether a packet has only fields that packets have, as far as it can be seen. */
static bool is_packet(struct span inside, bool *is_known)
{
    struct wire wire = wire_of(inside);
    struct wire_field field;
    uint64_t length;

    while (wire.at < wire.end && wire_head(&wire, &field, &length)) {
        bool is_number = field.number == PACKET_TIME || field.number == PACKET_SEQUENCE ||
                         field.number == PACKET_FLAGS || field.number == PACKET_CLEARED ||
                         field.number == PACKET_LOST || field.number == PACKET_CLOCK ||
                         field.number == 3 || field.number == 79 || field.number == 87 ||
                         field.number == 98;

        if (field.number > 200 || is_number != (field.type == WIRE_VARINT) ||
            (field.type != WIRE_VARINT && field.type != WIRE_BYTES))
            return false;
        *is_known |= field.number == PACKET_SEQUENCE || field.number == PACKET_TRACK ||
                     field.number == PACKET_EVENT || field.number == PACKET_TIME ||
                     field.number == PACKET_ZLIB || field.number == PACKET_MARK ||
                     (field.number == PACKET_FTRACE && wire.at < wire.end && *wire.at == 0x08);
        if (length > (uint64_t)(wire.end - wire.at))
            return true;
        wire.at += length;
    }
    return !wire.fault || wire.at == wire.end;
}

static enum sniff sniff(struct span head, bool is_all)
{
    enum { DECIDING = 1024 };
    struct wire wire = wire_of(head);
    struct wire_field field;
    uint64_t length;
    bool is_known = false;

    if (head.len && (unsigned char)head.at[0] != (PACKET << 3 | WIRE_BYTES))
        return SNIFF_NO;
    if (wire_is_text(head))
        return SNIFF_NO;
    if (head.len < DECIDING && !is_all)
        return SNIFF_MORE;
    while (wire.at < wire.end && wire_head(&wire, &field, &length)) {
        struct span inside = {wire.at, (size_t)(wire.end - wire.at)};

        inside.len = length < inside.len ? (size_t)length : inside.len;
        if (field.number != PACKET || field.type != WIRE_BYTES || !is_packet(inside, &is_known))
            return SNIFF_NO;
        if (length > (uint64_t)(wire.end - wire.at))
            break;
        wire.at += length;
    }
    return is_known ? SNIFF_YES : head.len ? SNIFF_MAYBE : SNIFF_NO;
}

const struct parser parser_perfetto = {
    .name = "perfetto",
    .title = "Perfetto traces",
    .summary = "Perfetto's traces, of Android, Linux, Chrome, rocprofv3 and PyTorch: .pftrace",
    .tried = "traced, Chrome, rocprofv3, PyTorch",
    .omitted = "logs, packages, graphs of Java's heap",
    .level = LEVEL_TIMELINE,
    .sniff = sniff,
    .parse = parse,
};
