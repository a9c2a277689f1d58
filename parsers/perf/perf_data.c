/* SPDX-License-Identifier: Apache-2.0 */
/* perf_data.c — what `perf record` writes: a header, events, and records, which may be packed
 *
 * A file has its events in front and what it says of the recording behind its records; a pipe has both
 * among the records. Either may have been written on a machine of the other byte order. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <zstd.h>

#include "parsers/parser.h"
#include "parsers/perf/perf_data.h"

enum {
    HEADER_SIZE = 104,
    PIPE_HEADER_SIZE = 16,
    RECORD_HEADER = 8,
    ATTRIBUTE_MIN = 64,
    IDS_SIZE = 16
};

/* What stands in front of the records and behind them is small: more than this is not looked at. */
enum { AROUND_MAX = 64 << 20, FORMATS_MAX = 4 << 20, INFLATE_STEP = 128 << 10 };

enum user_record { /* of perf itself: 64 and above */
    RECORD_KERNEL_END = 64,
    RECORD_ATTR = 64,
    RECORD_TRACING_DATA = 66,
    RECORD_BUILD_ID = 67,
    RECORD_FINISHED_ROUND = 68,
    RECORD_AUXTRACE = 71,
    RECORD_EVENT_UPDATE = 78,
    RECORD_FEATURE = 80,
    RECORD_COMPRESSED = 81,
    RECORD_COMPRESSED2 = 83,
    RECORD_SIMPLEPERF = 32768,
};

enum { FEATURES = 256 };

/* What was packed is one stream of records, which the packed records have pieces of. */
struct packed_records {
    ZSTD_DStream *stream;
    struct VECTOR_OF(char) plain; /* of which the last record is not whole yet */
    uint64_t packed, unpacked;
    bool is_broken;
};

struct perf_file {
    struct perf_data perf;
    struct packed_records zstd;
    uint64_t feature_bits[FEATURES / 64];
};

static struct bytes bytes_of(const struct perf_data *perf, struct span span)
{
    return (struct bytes){span.at, span.len, perf->is_big_endian, false};
}

/* A part of what a file says at offsets of its own; empty where that is not all there. */
static struct bytes part(struct bytes whole, uint64_t offset, uint64_t size)
{
    if (offset > whole.left || size > whole.left - offset)
        return (struct bytes){.is_big_endian = whole.is_big_endian, .is_cut = true, .at = whole.at};
    return (struct bytes){whole.at + offset, (size_t)size, whole.is_big_endian, false};
}

/* ---- what the file says of the recording ---- */

/* A table of offsets and sizes, one for each bit that is set, directly behind the records. Where a file can be
 * read at any place this comes first: stacks are unwound by binaries that have the build ids it names. */
static bool read_features(struct perf_file *file, struct error *err)
{
    struct perf_data *perf = &file->perf;
    uint64_t here = input_offset(perf->in);
    struct bytes rest = bytes_of(perf, input_peek(perf->in, AROUND_MAX)), table = rest;

    for (unsigned bit = 0; bit < FEATURES && !table.is_cut; bit++) {
        uint64_t offset, size;
        struct bytes section;

        if (!has_bit(file->feature_bits[bit / 64], bit % 64))
            continue;
        offset = bytes_u64(&table);
        size = bytes_u64(&table);
        section = part(rest, offset - here, size);
        if (table.is_cut || section.is_cut)
            warning_count(
                builder_warnings(perf->builder), WARNING_LOSS,
                "parts of what the file says of the recording lie outside of it, left out", here);
        else if (!perf_read_feature(perf, bit, section, err))
            return false;
    }
    return true;
}

/* ---- records of perf itself ---- */

static void pipe_event(struct perf_data *perf, struct bytes payload)
{
    struct bytes head = payload;
    uint32_t size, event = (uint32_t)perf->events.count;

    bytes_u32(&head);
    size = bytes_u32(&head);
    size = size ? size : ATTRIBUTE_MIN;
    head = (struct bytes){payload.at, size, payload.is_big_endian, false};
    if (size < ATTRIBUTE_MIN || bytes_take(&payload, size).len < size)
        return;
    perf_add_event(perf, head);
    while (payload.left >= 8)
        perf_add_event_id(perf, bytes_u64(&payload), event);
}

static void rename_event(struct perf_data *perf, struct bytes payload)
{
    enum { UPDATE_NAME = 2 };
    uint64_t what = bytes_u64(&payload);
    uint32_t event = idmap_find(&perf->event_of_id, bytes_u64(&payload));

    if (what == UPDATE_NAME && event != IDMAP_NONE)
        perf->events.list[event].name = builder_intern(perf->builder, bytes_text(&payload));
}

static bool take_record(struct perf_file *file, unsigned type, unsigned misc, struct bytes payload,
                        uint64_t offset, struct error *err);

/* The records that are whole; the rest waits for more. */
static bool take_plain(struct perf_file *file, uint64_t offset, struct error *err)
{
    struct packed_records *zstd = &file->zstd;
    struct bytes bytes = bytes_of(&file->perf, (struct span){zstd->plain.list, zstd->plain.count});

    while (bytes.left >= RECORD_HEADER) {
        struct bytes record = bytes;
        unsigned type = bytes_u32(&record), misc = bytes_u16(&record), size = bytes_u16(&record);

        if (size < RECORD_HEADER || type == RECORD_COMPRESSED || type == RECORD_COMPRESSED2) {
            zstd->is_broken = true;
            warning_count(builder_warnings(file->perf.builder), WARNING_LOSS,
                          "packed records that are none, and all that are packed behind them",
                          offset);
            return true;
        }
        if (size > bytes.left)
            break;
        record.left = size - RECORD_HEADER;
        bytes_take(&bytes, size);
        if (!take_record(file, type, misc, record, offset, err))
            return false;
    }
    memmove(zstd->plain.list, bytes.at, bytes.left);
    zstd->plain.count = bytes.left;
    return true;
}

static bool unpack(struct perf_file *file, struct span packed, uint64_t offset, struct error *err)
{
    struct packed_records *zstd = &file->zstd;
    ZSTD_inBuffer in = {packed.at, packed.len, 0};
    bool has_more = true;

    if (!zstd->stream && !(zstd->stream = ZSTD_createDStream()))
        oom();
    zstd->packed += packed.len;
    while (!zstd->is_broken && (in.pos < in.size || has_more)) {
        ZSTD_outBuffer out = {0};
        size_t result;

        if (zstd->plain.cap - zstd->plain.count < INFLATE_STEP) {
            zstd->plain.cap = zstd->plain.count + INFLATE_STEP;
            zstd->plain.list = grow_to(zstd->plain.list, zstd->plain.cap, 1);
        }
        out = (ZSTD_outBuffer){zstd->plain.list + zstd->plain.count, INFLATE_STEP, 0};
        result = ZSTD_decompressStream(zstd->stream, &out, &in);
        if (ZSTD_isError(result)) {
            zstd->is_broken = true;
            warning_say(builder_warnings(file->perf.builder), WARNING_LOSS,
                        "at offset %" PRIu64 ": the zstd data is damaged: %s; what is packed from "
                        "there on is left out",
                        offset, ZSTD_getErrorName(result));
            break;
        }
        has_more = out.pos == out.size;
        zstd->plain.count += out.pos;
        zstd->unpacked += out.pos;
        if (!unpack_is_likely(file->perf.in, zstd->packed, zstd->unpacked, err) ||
            !take_plain(file, offset, err))
            return false;
    }
    return true;
}

static bool take_record(struct perf_file *file, unsigned type, unsigned misc, struct bytes payload,
                        uint64_t offset, struct error *err)
{
    struct perf_data *perf = &file->perf;

    perf->records++;
    if (type < RECORD_KERNEL_END) {
        perf_kernel_record(perf, type, misc, payload, offset);
        return true;
    }
    switch (type) {
    case RECORD_ATTR:
        pipe_event(perf, payload);
        break;
    case RECORD_BUILD_ID:
        perf_build_id(perf, misc, payload);
        break;
    case RECORD_FINISHED_ROUND:
        perf_unwind_round(perf);
        break;
    case RECORD_EVENT_UPDATE:
        rename_event(perf, payload);
        break;
    case RECORD_FEATURE: {
        uint64_t bit = bytes_u64(&payload);

        return bit >= FEATURES || perf_read_feature(perf, (unsigned)bit, payload, err);
    }
    case RECORD_COMPRESSED:
        return unpack(file, (struct span){payload.at, payload.left}, offset, err);
    case RECORD_COMPRESSED2: {
        uint64_t size = bytes_u64(&payload);

        return unpack(file, bytes_take(&payload, size), offset, err);
    }
    default:
        if (type >= RECORD_SIMPLEPERF)
            warning_count(builder_warnings(perf->builder), WARNING_NOTE,
                          "records of simpleperf, left out", offset);
        break;
    }
    return true;
}

/* Bytes that follow a record and are not counted in its size. */
static uint64_t uncounted(const struct perf_data *perf, unsigned type, struct bytes payload)
{
    if (type == RECORD_AUXTRACE)
        return bytes_u64(&payload);
    if (type == RECORD_TRACING_DATA && perf->is_pipe)
        return ((uint64_t)bytes_u32(&payload) + 7) & ~UINT64_C(7);
    return 0;
}

bool perf_skip(struct input *in, uint64_t count)
{
    struct span ahead;

    while (count && (ahead = input_peek(in, 1)).len) {
        size_t step = ahead.len < count ? ahead.len : (size_t)count;

        input_skip(in, step);
        count -= step;
    }
    return count == 0;
}

static void cut_here(const struct perf_data *perf)
{
    warning_count(builder_warnings(perf->builder), WARNING_LOSS,
                  "records that end behind the end of the file: it is cut", input_offset(perf->in));
    builder_truncated(perf->builder);
}

static struct span peek_some(struct input *in, uint64_t count)
{
    struct span ahead = input_peek(in, count < FORMATS_MAX ? (size_t)count : FORMATS_MAX);

    return (struct span){ahead.at, ahead.len < count ? ahead.len : (size_t)count};
}

/* All records up to an offset. */
static bool read_records(struct perf_file *file, uint64_t end, struct error *err)
{
    struct perf_data *perf = &file->perf;
    struct input *in = perf->in;

    while (input_offset(in) < end && input_has(in, 1)) {
        uint64_t offset = input_offset(in), behind;
        struct bytes record;
        unsigned type, misc, size;

        if (end - offset < RECORD_HEADER || !input_has(in, RECORD_HEADER)) {
            cut_here(perf);
            break;
        }
        record = bytes_of(perf, (struct span){in->at, RECORD_HEADER});
        type = bytes_u32(&record);
        misc = bytes_u16(&record);
        size = bytes_u16(&record);
        if (size < RECORD_HEADER) {
            warning_say(builder_warnings(perf->builder), WARNING_LOSS,
                        "at offset %" PRIu64 ": a record of %u bytes; what follows is left out",
                        offset, size);
            break;
        }
        if (size > end - offset || !input_has(in, size)) {
            cut_here(perf);
            break;
        }
        record = bytes_of(perf, (struct span){in->at + RECORD_HEADER, size - RECORD_HEADER});
        behind = uncounted(perf, type, record);
        if (!take_record(file, type, misc, record, offset, err))
            return false;
        input_skip(in, size);
        if (type == RECORD_TRACING_DATA && behind)
            perf_read_formats(perf, peek_some(in, behind));
        perf_skip(in, behind);
    }
    return true;
}

/* ---- the header ---- */

/* The events, each with where its ids are; both lie before the records. */
static bool read_events(struct perf_data *perf, struct bytes head, uint64_t entry, uint64_t offset,
                        uint64_t size, struct error *err)
{
    struct bytes attributes = part(head, offset, size);

    if (entry < ATTRIBUTE_MIN + IDS_SIZE)
        return error_set_at(err, 16, 0, "an event of %" PRIu64 " bytes, of at least %d", entry,
                            ATTRIBUTE_MIN + IDS_SIZE);
    if (attributes.is_cut)
        return error_set_at(err, 24, 0, "the events lie outside of what is before the records");
    while (attributes.left >= entry) {
        struct bytes attribute = part(attributes, 0, entry - IDS_SIZE);
        struct bytes place = part(attributes, entry - IDS_SIZE, IDS_SIZE), ids;
        uint64_t at = bytes_u64(&place);
        uint32_t event = (uint32_t)perf->events.count;

        ids = part(head, at, bytes_u64(&place));
        if (ids.is_cut)
            return error_set_at(err, offset, 0, "an event's ids lie outside of the file");
        perf_add_event(perf, attribute);
        while (ids.left >= 8)
            perf_add_event_id(perf, bytes_u64(&ids), event);
        bytes_take(&attributes, entry);
    }
    return true;
}

static bool parse_file(struct perf_file *file, struct error *err)
{
    struct perf_data *perf = &file->perf;
    struct input *in = perf->in;
    struct bytes head = bytes_of(perf, input_peek(in, HEADER_SIZE)), all;
    uint64_t entry, attributes, attributes_size, data, data_size;

    if (head.left < HEADER_SIZE)
        return error_set_at(err, head.left, 0, "the header is cut");
    bytes_take(&head, 16);
    entry = bytes_u64(&head);
    attributes = bytes_u64(&head);
    attributes_size = bytes_u64(&head);
    data = bytes_u64(&head);
    data_size = bytes_u64(&head);
    bytes_take(&head, 16); /* types of events, of old */
    for (size_t i = 0; i < FEATURES / 64; i++)
        file->feature_bits[i] = bytes_u64(&head);
    if (data < HEADER_SIZE || data > AROUND_MAX || !input_has(in, (size_t)data))
        return error_set_at(err, 40, 0, "the records begin at %" PRIu64 ", which is not there",
                            data);
    all = bytes_of(perf, (struct span){in->at, (size_t)data});
    if (!read_events(perf, all, entry, attributes, attributes_size, err))
        return false;
    input_skip(in, (size_t)data);
    if (data_size == 0) {
        warning_say(builder_warnings(perf->builder), WARNING_LOSS,
                    "the recorder did not end: neither names of events nor build ids were written");
        return read_records(file, UINT64_MAX, err);
    }
    if (data_size > UINT64_MAX - data)
        return error_set_at(err, 48, 0, "records of %" PRIu64 " bytes", data_size);
    if (data + data_size < input_plain_size(in)) {
        input_seek(in, data + data_size);
        if (!read_features(file, err))
            return false;
        input_seek(in, data);
        return read_records(file, data + data_size, err);
    }
    if (!read_records(file, data + data_size, err))
        return false;
    if (input_offset(in) > data + data_size)
        return true;
    perf_skip(in, data + data_size - input_offset(in));
    return input_offset(in) < data + data_size || read_features(file, err);
}

static void free_all(struct perf_file *file)
{
    struct perf_data *perf = &file->perf;

    ZSTD_freeDStream(file->zstd.stream);
    free(file->zstd.plain.list);
    free(perf->events.list);
    free(perf->steps.list);
    free(perf->samples.list);
    free(perf->mappings.list);
    free(perf->threads.list);
    free(perf->readings.list);
    free(perf->waiting.list);
    free(perf->chain.list);
    free(perf->chains.places.list);
    free(perf->chains.nodes.list);
    idmap_free(&perf->chains.place_ids[0]);
    idmap_free(&perf->chains.place_ids[1]);
    idmap_free(&perf->chains.node_ids);
    idmap_free(&perf->event_of_id);
    idmap_free(&perf->build_id_of_path);
    idmap_free(&perf->waiting_of_cookie);
    arena_free(&perf->arena);
}

static bool parse(struct input *in, struct builder *builder, struct error *err)
{
    struct perf_file file = {.perf = {.in = in, .builder = builder}};
    struct bytes head = {0};
    uint64_t size;
    bool ok;

    if (input_peek(in, PIPE_HEADER_SIZE).len < PIPE_HEADER_SIZE)
        return error_set_at(err, 0, 0, "the header is cut");
    if (memcmp(in->at, "PERFFILE", 8) == 0)
        return error_set_at(err, 0, 0,
                            "it is of version 1, of before 2010, which ptk does not read");
    file.perf.is_big_endian = in->at[0] == '2';
    head = bytes_of(&file.perf, (struct span){in->at + 8, 8});
    size = bytes_u64(&head);
    builder_producer(builder, "perf");
    if (size == PIPE_HEADER_SIZE) {
        file.perf.is_pipe = true;
        input_skip(in, PIPE_HEADER_SIZE);
        ok = read_records(&file, UINT64_MAX, err);
    } else if (size >= HEADER_SIZE) {
        ok = parse_file(&file, err);
    } else {
        ok = error_set_at(err, 8, 0, "a header of %" PRIu64 " bytes", size);
    }
    if (file.zstd.plain.count && !file.zstd.is_broken)
        cut_here(&file.perf);
    perf_unwind_end(&file.perf);
    ok = ok && perf_replay(&file.perf, err);
    free_all(&file);
    return ok;
}

static enum sniff sniff(struct span head, bool is_all)
{
    static const struct span magics[] = {LITERAL("PERFILE2"), LITERAL("2ELIFREP"), LITERAL("PERFFILE")};

    for (size_t i = 0; i < COUNT_OF(magics); i++) {
        if (span_starts(head, magics[i]))
            return SNIFF_YES;
        if (!is_all && span_starts(magics[i], head))
            return SNIFF_MORE;
    }
    return SNIFF_NO;
}

const struct parser parser_perf_data = {
    .name = "perf-data",
    .title = "recordings of perf",
    .summary = "Linux: perf record, as it is: perf.data, of any machine",
    .tried = "perf 6.1; simpleperf; either byte order",
    .omitted = "perf.data of before 2010; AUX data such as Intel PT",
    .level = LEVEL_CALLTREE,
    .sniff = sniff,
    .parse = parse,
};
