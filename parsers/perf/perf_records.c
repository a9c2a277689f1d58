/* SPDX-License-Identifier: Apache-2.0 */
/* perf_records.c — what the kernel's records in perf.data say of what ran where
 *
 * Records that are no samples end with some of the fields that samples have. Everything is kept in
 * columns until the last record is read, since records are not in the order of time. */
#include "parsers/perf/perf_data.h"

enum kernel_record { /* its type */
    RECORD_MMAP = 1,
    RECORD_LOST = 2,
    RECORD_COMM = 3,
    RECORD_THROTTLE = 5,
    RECORD_FORK = 7,
    RECORD_SAMPLE = 9,
    RECORD_MMAP2 = 10,
    RECORD_AUX = 11,
    RECORD_LOST_SAMPLES = 13,
    RECORD_KSYMBOL = 17,
    RECORD_CALLCHAIN_DEFERRED = 22,
};

enum { /* of a record's misc */
    MISC_EXEC = 1 << 13,
    MISC_MMAP_BUILD_ID = 1 << 14,
    MISC_BUILD_ID_SIZE = 1 << 15,
};

enum { BUILD_ID_MAX = 20 };

/* ---- bytes in the recorder's order ---- */

struct span bytes_take(struct bytes *bytes, uint64_t count)
{
    struct span taken = {bytes->at, (size_t)count};

    if (count > bytes->left) {
        bytes->is_cut = true;
        taken.len = bytes->left;
    }
    bytes->at += taken.len;
    bytes->left -= taken.len;
    return taken;
}

static uint64_t number(struct bytes *bytes, unsigned size)
{
    struct span taken = bytes_take(bytes, size);
    uint64_t value = 0;

    if (taken.len < size)
        return 0;
    for (unsigned i = 0; i < size; i++)
        value = value << 8 | (unsigned char)taken.at[bytes->is_big_endian ? i : size - 1 - i];
    return value;
}

uint64_t bytes_u64(struct bytes *bytes)
{
    return number(bytes, 8);
}

uint32_t bytes_u32(struct bytes *bytes)
{
    return (uint32_t)number(bytes, 4);
}

uint16_t bytes_u16(struct bytes *bytes)
{
    return (uint16_t)number(bytes, 2);
}

struct span bytes_text(const struct bytes *bytes)
{
    return (struct span){bytes->at, strnlen(bytes->at, bytes->left)};
}

/* The event of a record by the id in it, whose place is where all events of a file agree.
 * PERF_PERF_NOBODY: the id is of none. */
static uint32_t event_of_record(const struct perf_data *perf, unsigned type, struct bytes payload)
{
    enum {
        BEFORE_ID = 1 << SAMPLE_IP | 1 << SAMPLE_TID | 1 << SAMPLE_TIME | 1 << SAMPLE_ADDR,
        BEHIND_ID = 1 << SAMPLE_CPU | 1 << SAMPLE_STREAM_ID,
    };
    const struct recorded_event *first = perf->events.list;
    uint64_t set = perf->events.count ? first->sample_type : 0, id;
    size_t before;
    uint32_t event;

    if (perf->events.count <= 1)
        return perf->events.count ? 0 : PERF_NOBODY;
    if (type == RECORD_SAMPLE && has_bit(set, SAMPLE_IDENTIFIER))
        before = 0;
    else if (type == RECORD_SAMPLE && has_bit(set, SAMPLE_ID))
        before = 8 * (size_t)bits_of_word(set & BEFORE_ID);
    else if (has_bit(set, SAMPLE_IDENTIFIER) && payload.left >= 8)
        before = payload.left - 8;
    else if (has_bit(set, SAMPLE_ID) && first->has_sample_ids &&
             payload.left >= 8 * (size_t)(1 + bits_of_word(set & BEHIND_ID)))
        before = payload.left - 8 * (size_t)(1 + bits_of_word(set & BEHIND_ID));
    else
        return 0;
    bytes_take(&payload, before);
    id = bytes_u64(&payload);
    event = idmap_find(&perf->event_of_id, id);
    if (event != IDMAP_NONE)
        return event;
    return type != RECORD_SAMPLE || (id == 0 && perf->event_of_id.count == 0) ? 0 : PERF_NOBODY;
}

/* ---- what ran where ---- */

/* In hexadecimal. */
static str_id build_id_text(struct perf_data *perf, struct span id)
{
    static const char digits[] = "0123456789abcdef";
    char text[2 * BUILD_ID_MAX];

    while (id.len && id.at[id.len - 1] == '\0')
        id.len--;
    for (size_t i = 0; i < id.len; i++) {
        text[2 * i] = digits[(unsigned char)id.at[i] >> 4];
        text[2 * i + 1] = digits[(unsigned char)id.at[i] & 15];
    }
    return id.len ? builder_intern(perf->builder, (struct span){text, 2 * id.len}) : 0;
}

static struct span build_id_bytes(struct bytes *field, uint32_t size)
{
    return bytes_take(field, size && size < BUILD_ID_MAX ? size : BUILD_ID_MAX);
}

void perf_build_id(struct perf_data *perf, unsigned misc, struct bytes record)
{
    struct bytes field;
    struct span id;
    str_id path;

    bytes_u32(&record); /* the process: the user's, or the kernel's */
    field = record;
    field.left = bytes_take(&record, 24).len;
    id = build_id_bytes(&field, misc & MISC_BUILD_ID_SIZE && field.left > BUILD_ID_MAX
                                    ? (unsigned char)field.at[BUILD_ID_MAX]
                                    : BUILD_ID_MAX);
    path = builder_intern(perf->builder, bytes_text(&record));
    *idmap_at(&perf->build_id_of_path, path) = build_id_text(perf, id);
}

static void read_mapping(struct perf_data *perf, unsigned type, unsigned misc, struct bytes payload,
                         uint64_t time)
{
    struct perf_mapping map = {.process = bytes_u32(&payload)};
    unsigned mode = misc & MODE_MASK;
    struct bytes id;

    bytes_u32(&payload);
    map.start = bytes_u64(&payload);
    map.end = bytes_u64(&payload);
    map.end = map.end > UINT64_MAX - map.start ? UINT64_MAX : map.start + map.end;
    map.offset = bytes_u64(&payload);
    if (type == RECORD_MMAP2) {
        id = payload;
        bytes_take(&payload, 32); /* the file's device and inode, or its build id; its rights */
        if (misc & MISC_MMAP_BUILD_ID && id.left > 4) {
            uint32_t size = (unsigned char)bytes_take(&id, 4).at[0];

            map.build_id = build_id_text(perf, build_id_bytes(&id, size));
        }
    }
    map.path = builder_intern(perf->builder, bytes_text(&payload));
    map.is_kernel = mode == MODE_KERNEL || mode == MODE_GUEST_KERNEL || map.process == PERF_NOBODY;
    if (payload.is_cut)
        return;
    vector_add(&perf->steps, (struct perf_step){time, STEP_MAP, (uint32_t)perf->mappings.count});
    vector_add(&perf->mappings, map);
}

static void read_kernel_symbol(struct perf_data *perf, struct bytes payload, uint64_t time)
{
    enum { UNREGISTERED = 1 };
    struct perf_mapping map = {
        .start = bytes_u64(&payload), .is_kernel = true, .is_function = true};
    uint32_t size = bytes_u32(&payload);
    uint16_t flags;

    bytes_u16(&payload);
    flags = bytes_u16(&payload);
    map.end = map.start > UINT64_MAX - size ? UINT64_MAX : map.start + size;
    map.path = builder_intern(perf->builder, bytes_text(&payload));
    if (payload.is_cut || flags & UNREGISTERED)
        return;
    vector_add(&perf->steps,
               (struct perf_step){time, STEP_KERNEL_SYMBOL, (uint32_t)perf->mappings.count});
    vector_add(&perf->mappings, map);
}

static void read_thread(struct perf_data *perf, unsigned type, unsigned misc, struct bytes payload,
                        uint64_t time)
{
    struct thread_record thread = {.process = bytes_u32(&payload),
                                   .is_exec = (misc & MISC_EXEC) != 0};

    if (type == RECORD_FORK) {
        thread.parent_process = bytes_u32(&payload);
        thread.thread = bytes_u32(&payload);
        thread.parent_thread = bytes_u32(&payload);
    } else {
        thread.thread = bytes_u32(&payload);
        thread.name = builder_intern(perf->builder, bytes_text(&payload));
    }
    if (payload.is_cut)
        return;
    vector_add(&perf->steps,
               (struct perf_step){time, type == RECORD_FORK ? STEP_FORK : STEP_COMMAND,
                                  (uint32_t)perf->threads.count});
    vector_add(&perf->threads, thread);
}

/* ---- a record ---- */

/* What a record that is no sample ends with is cut off; its time and thread, where it has them. */
static void cut_sample_id(const struct recorded_event *event, struct bytes *payload, uint64_t *time,
                          uint32_t *thread)
{
    enum {
        TRAILING = 1 << SAMPLE_TID | 1 << SAMPLE_TIME | 1 << SAMPLE_ID | 1 << SAMPLE_STREAM_ID |
                   1 << SAMPLE_CPU | 1 << SAMPLE_IDENTIFIER,
    };
    size_t size = 8 * (size_t)bits_of_word(event->sample_type & TRAILING);
    struct bytes trailer = *payload;

    if (!event->has_sample_ids || size > payload->left)
        return;
    bytes_take(&trailer, payload->left - size);
    payload->left -= size;
    if (has_bit(event->sample_type, SAMPLE_TID)) {
        bytes_u32(&trailer);
        *thread = bytes_u32(&trailer);
    }
    if (has_bit(event->sample_type, SAMPLE_TIME))
        *time = bytes_u64(&trailer);
}

void perf_kernel_record(struct perf_data *perf, unsigned type, unsigned misc, struct bytes payload,
                        uint64_t offset)
{
    uint32_t event = event_of_record(perf, type, payload), thread = PERF_NOBODY;
    uint64_t time = 0;

    if (event == PERF_NOBODY) {
        warning_count(builder_warnings(perf->builder), WARNING_LOSS,
                      perf->events.count
                          ? "samples of an event that the file does not have, left out"
                          : "records before the first event, left out",
                      offset);
        return;
    }
    if (type == RECORD_SAMPLE) {
        perf_read_sample(perf, misc, payload, event, offset);
        return;
    }
    cut_sample_id(&perf->events.list[event], &payload, &time, &thread);
    switch (type) {
    case RECORD_MMAP:
    case RECORD_MMAP2:
        read_mapping(perf, type, misc, payload, time);
        break;
    case RECORD_COMM:
    case RECORD_FORK:
        read_thread(perf, type, misc, payload, time);
        break;
    case RECORD_LOST:
        bytes_u64(&payload);
        perf->lost += bytes_u64(&payload);
        break;
    case RECORD_LOST_SAMPLES:
        perf->lost_samples += bytes_u64(&payload);
        break;
    case RECORD_THROTTLE:
        perf->throttled++;
        break;
    case RECORD_KSYMBOL:
        read_kernel_symbol(perf, payload, time);
        break;
    case RECORD_CALLCHAIN_DEFERRED:
        perf_complete_chains(perf, payload, thread, offset);
        break;
    case RECORD_AUX:
        warning_count(builder_warnings(perf->builder), WARNING_NOTE,
                      "pieces of what the hardware traced, not decoded", offset);
        break;
    default:
        break;
    }
}
