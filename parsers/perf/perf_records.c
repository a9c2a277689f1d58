/* SPDX-License-Identifier: Apache-2.0 */
/* perf_records.c — what the kernel's records in perf.data say: samples, and what ran where
 *
 * A record's fields are those that its event's attribute asked for, in an order of their own. Records
 * that are no samples end with some of them, too. Everything is kept in columns until the last record
 * is read, since records are not in the order of time. */
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
    MODE_MASK = 7,
    MODE_KERNEL = 1,
    MODE_USER = 2,
    MODE_GUEST_KERNEL = 4,
    MISC_EXEC = 1 << 13,
    MISC_MMAP_BUILD_ID = 1 << 14,
    MISC_BUILD_ID_SIZE = 1 << 15,
};

enum { BUILD_ID_MAX = 20, NOBODY = UINT32_MAX, WAITING_NONE = UINT32_MAX - 1 };

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

/* ---- events ---- */

/* The one word of an attribute whose bits are C's bit fields: they begin at the other end in a
 * big-endian recorder. */
static uint64_t bit_fields(struct bytes *attribute)
{
    struct span word = bytes_take(attribute, 8);
    uint64_t flags = 0;

    for (size_t i = 0; i < word.len; i++)
        for (unsigned bit = 0; bit < 8; bit++)
            if (has_bit((unsigned char)word.at[i], attribute->is_big_endian ? 7 - bit : bit))
                flags |= UINT64_C(1) << (8 * i + bit);
    return flags;
}

void perf_add_event(struct perf_data *perf, struct bytes attribute)
{
    enum { INHERITED = 1, SAMPLE_IDS = 18 };
    struct perf_event event = {.type = bytes_u32(&attribute)};
    uint64_t flags;

    bytes_u32(&attribute);
    event.config = bytes_u64(&attribute);
    event.period = bytes_u64(&attribute);
    event.sample_type = bytes_u64(&attribute);
    event.read_format = bytes_u64(&attribute);
    flags = bit_fields(&attribute);
    bytes_take(&attribute, 24); /* when to wake up, and of breakpoints */
    event.branch_type = bytes_u64(&attribute);
    event.user_registers = bytes_u64(&attribute);
    bytes_take(&attribute, 8); /* how much of the stack, and the clock */
    event.registers = bytes_u64(&attribute);
    event.is_inherited = has_bit(flags, INHERITED);
    event.has_sample_ids = has_bit(flags, SAMPLE_IDS);
    vector_add(&perf->events, event);
}

void perf_add_event_id(struct perf_data *perf, uint64_t id, uint32_t event)
{
    *idmap_at(&perf->event_of_id, id) = event;
}

/* Fields of a set. */
static unsigned count_bits(uint64_t set)
{
    return bits_of_word(set);
}

/* The event of a record by the id in it, whose place is where all events of a file agree. `id_at`: from
 * the beginning of a sample, from the end of others. NOBODY: the id is of none. */
static uint32_t event_of_record(const struct perf_data *perf, unsigned type, struct bytes payload)
{
    enum {
        BEFORE_ID = 1 << SAMPLE_IP | 1 << SAMPLE_TID | 1 << SAMPLE_TIME | 1 << SAMPLE_ADDR,
        BEHIND_ID = 1 << SAMPLE_CPU | 1 << SAMPLE_STREAM_ID,
    };
    const struct perf_event *first = perf->events.list;
    uint64_t set = perf->events.count ? first->sample_type : 0, id;
    size_t before;
    uint32_t event;

    if (perf->events.count <= 1)
        return perf->events.count ? 0 : NOBODY;
    if (type == RECORD_SAMPLE && has_bit(set, SAMPLE_IDENTIFIER))
        before = 0;
    else if (type == RECORD_SAMPLE && has_bit(set, SAMPLE_ID))
        before = 8 * (size_t)count_bits(set & BEFORE_ID);
    else if (has_bit(set, SAMPLE_IDENTIFIER) && payload.left >= 8)
        before = payload.left - 8;
    else if (has_bit(set, SAMPLE_ID) && first->has_sample_ids &&
             payload.left >= 8 * (size_t)(1 + count_bits(set & BEHIND_ID)))
        before = payload.left - 8 * (size_t)(1 + count_bits(set & BEHIND_ID));
    else
        return 0;
    bytes_take(&payload, before);
    id = bytes_u64(&payload);
    event = idmap_find(&perf->event_of_id, id);
    if (event != IDMAP_NONE)
        return event;
    return type != RECORD_SAMPLE || (id == 0 && perf->event_of_id.count == 0) ? 0 : NOBODY;
}

/* ---- samples ---- */

static uint32_t place_id(struct chains *chains, uint64_t address, bool is_kernel)
{
    uint32_t *at = idmap_at(&chains->place_ids[is_kernel], address);

    if (*at == IDMAP_NONE) {
        *at = (uint32_t)chains->places.count;
        vector_add(&chains->places, (struct code_place){address, is_kernel});
    }
    return *at;
}

static uint32_t chain_child(struct chains *chains, uint32_t caller, uint32_t place)
{
    uint64_t pair = idmap_pair(caller, place);
    uint32_t *at = idmap_at(&chains->node_ids, pair);

    if (*at == IDMAP_NONE) {
        if (chains->nodes.count == 0)
            vector_add(&chains->nodes, 0);
        *at = (uint32_t)chains->nodes.count;
        vector_add(&chains->nodes, pair);
    }
    return *at;
}

/* Of addresses before, and places after: perf->chain, the leaf first. */
static uint32_t intern_chain(struct perf_data *perf)
{
    uint32_t node = 0;

    for (size_t i = perf->chain.count; i-- > 0;)
        node = chain_child(&perf->chains, node, perf->chain.list[i]);
    return node;
}

/* All but the leaf are addresses behind a call. */
static void push_address(struct perf_data *perf, uint64_t address, unsigned mode)
{
    bool is_kernel = mode == MODE_KERNEL || mode == MODE_GUEST_KERNEL;

    vector_add(&perf->chain,
               place_id(&perf->chains, address - (perf->chain.count && address), is_kernel));
}

/* The call chain of a sample, the leaf first, with marks between that say whose addresses follow.
 * Returns whether the user's part comes later, by `cookie`. */
static bool read_chain(struct perf_data *perf, struct bytes *payload, unsigned mode,
                       uint64_t *cookie, uint64_t offset)
{
    enum { MARKS = -4095 };
    uint64_t count = bytes_u64(payload);

    if (count > payload->left / 8) {
        payload->is_cut = true;
        return false;
    }
    while (count--) {
        uint64_t address = bytes_u64(payload);

        if (address < (uint64_t)(int64_t)MARKS) {
            push_address(perf, address, mode);
            continue;
        }
        switch ((int64_t)address) {
        case -32: /* hypervisor */
            mode = 3;
            break;
        case -128:
            mode = MODE_KERNEL;
            break;
        case -512:
            mode = MODE_USER;
            break;
        case -640: /* user, deferred */
            *cookie = count ? bytes_u64(payload) : 0;
            bytes_take(payload, count ? 8 * (count - 1) : 0);
            return true;
        case -2176:
            mode = MODE_GUEST_KERNEL;
            break;
        case -2048:
        case -2560: /* guest's user */
            mode = 5;
            break;
        default:
            warning_count(builder_warnings(perf->builder), WARNING_LOSS,
                          "call chains with a mark that nobody knows, cut there", offset);
            bytes_take(payload, 8 * count);
            return false;
        }
    }
    return false;
}

/* What counters were at the sample: each is one of its own event's, whose weight is what it grew by. */
static void read_counters(struct perf_data *perf, const struct perf_event *event, uint32_t owner,
                          struct bytes *payload, struct sample *sample)
{
    uint64_t format = event->read_format, count = 1;
    unsigned times = has_bit(format, READ_ENABLED) + has_bit(format, READ_RUNNING);
    unsigned words = 1 + has_bit(format, READ_ID) + has_bit(format, READ_LOST);

    if (has_bit(format, READ_GROUP)) {
        count = bytes_u64(payload);
        bytes_take(payload, 8 * (uint64_t)times);
        times = 0;
    }
    if (count > payload->left / (8 * words)) {
        payload->is_cut = true;
        return;
    }
    sample->first_reading = (uint32_t)perf->readings.count;
    for (; count; count--) {
        struct reading reading = {.event = owner, .value = bytes_u64(payload)};

        bytes_take(payload, 8 * (uint64_t)times);
        if (has_bit(format, READ_ID)) {
            reading.counter = bytes_u64(payload);
            reading.event = idmap_find(&perf->event_of_id, reading.counter);
        }
        if (has_bit(format, READ_LOST))
            bytes_u64(payload);
        if (reading.event != IDMAP_NONE) {
            vector_add(&perf->readings, reading);
            sample->readings++;
        }
    }
}

/* Branches of which the recorder's processor kept the calls that have not returned: the user's part of
 * the stack, leaf first. Others only say where the program has been. */
static void read_branches(struct perf_data *perf, const struct perf_event *event,
                          struct bytes *payload)
{
    enum { CALL_STACK = 11, HAS_INDEX = 17, HAS_COUNTERS = 19 };
    uint64_t count = bytes_u64(payload);

    if (has_bit(event->branch_type, HAS_INDEX))
        bytes_u64(payload);
    if (count > payload->left / 24) {
        payload->is_cut = true;
        return;
    }
    for (uint64_t i = 0; i < count; i++) {
        uint64_t from = bytes_u64(payload), to = bytes_u64(payload);

        bytes_u64(payload);
        if (!has_bit(event->branch_type, CALL_STACK))
            continue;
        if (i == 0)
            push_address(perf, to, MODE_USER);
        push_address(perf, from + 1, MODE_USER); /* a call's own address */
    }
    if (has_bit(event->branch_type, HAS_COUNTERS))
        bytes_take(payload, 8 * count);
}

static void read_registers(struct bytes *payload, uint64_t set)
{
    if (bytes_u64(payload))
        bytes_take(payload, 8 * (uint64_t)count_bits(set));
}

static uint64_t waiting_key(uint64_t cookie, uint32_t thread)
{
    return cookie * UINT64_C(0x9E3779B97F4A7C15) ^ thread;
}

static void wait_for_user_part(struct perf_data *perf, uint64_t cookie, uint32_t thread)
{
    uint32_t *last = idmap_at(&perf->waiting_of_cookie, waiting_key(cookie, thread));
    uint32_t next = *last == IDMAP_NONE ? WAITING_NONE : *last;

    *last = (uint32_t)perf->waiting.count;
    vector_add(&perf->waiting, (struct waiting_sample){(uint32_t)perf->samples.count, next});
}

static uint64_t take_if(struct bytes *payload, uint64_t set, enum sample_bit bit)
{
    return has_bit(set, bit) ? bytes_u64(payload) : 0;
}

static void read_sample(struct perf_data *perf, unsigned misc, struct bytes payload, uint32_t owner,
                        uint64_t offset)
{
    const struct perf_event *event = &perf->events.list[owner];
    struct sample sample = {.event = owner, .process = NOBODY, .thread = NOBODY};
    uint64_t set = event->sample_type, address, time, period, cookie = 0, size;
    size_t reading_count = perf->readings.count;
    bool is_deferred = false;

    perf->chain.count = 0;
    take_if(&payload, set, SAMPLE_IDENTIFIER);
    address = take_if(&payload, set, SAMPLE_IP);
    if (has_bit(set, SAMPLE_TID)) {
        sample.process = bytes_u32(&payload);
        sample.thread = bytes_u32(&payload);
    }
    time = take_if(&payload, set, SAMPLE_TIME);
    take_if(&payload, set, SAMPLE_ADDR);
    take_if(&payload, set, SAMPLE_ID);
    take_if(&payload, set, SAMPLE_STREAM_ID);
    sample.cpu = NOBODY;
    if (has_bit(set, SAMPLE_CPU)) {
        sample.cpu = bytes_u32(&payload);
        bytes_u32(&payload);
    }
    period = has_bit(set, SAMPLE_PERIOD) ? bytes_u64(&payload) : event->period;
    sample.period = period > INT64_MAX ? INT64_MAX : (int64_t)period;
    if (has_bit(set, SAMPLE_READ))
        read_counters(perf, event, owner, &payload, &sample);
    if (has_bit(set, SAMPLE_CALLCHAIN))
        is_deferred = read_chain(perf, &payload, misc & MODE_MASK, &cookie, offset);
    if (has_bit(set, SAMPLE_RAW))
        bytes_take(&payload, bytes_u32(&payload));
    if (has_bit(set, SAMPLE_BRANCH_STACK))
        read_branches(perf, event, &payload);
    if (has_bit(set, SAMPLE_REGS_USER))
        read_registers(&payload, event->user_registers);
    if (has_bit(set, SAMPLE_STACK_USER) && (size = bytes_u64(&payload)) != 0) {
        bytes_take(&payload, size);
        perf->dumped_stacks += bytes_u64(&payload) != 0;
    }
    take_if(&payload, set | set >> (SAMPLE_WEIGHT_STRUCT - SAMPLE_WEIGHT), SAMPLE_WEIGHT);
    take_if(&payload, set, SAMPLE_DATA_SRC);
    take_if(&payload, set, SAMPLE_TRANSACTION);
    if (has_bit(set, SAMPLE_REGS_INTR))
        read_registers(&payload, event->registers);
    take_if(&payload, set, SAMPLE_PHYS_ADDR);
    take_if(&payload, set, SAMPLE_CGROUP);
    take_if(&payload, set, SAMPLE_DATA_PAGE_SIZE);
    take_if(&payload, set, SAMPLE_CODE_PAGE_SIZE);
    if (has_bit(set, SAMPLE_AUX))
        bytes_take(&payload, bytes_u64(&payload));
    if (payload.is_cut) {
        perf->readings.count = reading_count;
        warning_count(builder_warnings(perf->builder), WARNING_LOSS,
                      "samples that are shorter than what they hold, left out", offset);
        return;
    }
    if (perf->chain.count == 0 && has_bit(set, SAMPLE_IP))
        push_address(perf, address, misc & MODE_MASK);
    sample.chain = intern_chain(perf);
    if (is_deferred)
        wait_for_user_part(perf, cookie, sample.thread);
    if (perf->samples.count == 0 || time < perf->first_time)
        perf->first_time = time;
    perf->last_time = time > perf->last_time ? time : perf->last_time;
    vector_add(&perf->steps, (struct step){time, STEP_SAMPLE, (uint32_t)perf->samples.count});
    vector_add(&perf->samples, sample);
}

/* The user's part of the chains of all samples of a thread that wait for it. */
static void complete_chains(struct perf_data *perf, struct bytes payload, uint32_t thread,
                            uint64_t offset)
{
    uint64_t cookie = bytes_u64(&payload), other_cookie;
    uint64_t key = waiting_key(cookie, thread);
    uint32_t waiting = idmap_find(&perf->waiting_of_cookie, key);

    if (waiting == IDMAP_NONE)
        return;
    *idmap_at(&perf->waiting_of_cookie, key) = WAITING_NONE;
    for (; waiting != WAITING_NONE; waiting = perf->waiting.list[waiting].next) {
        struct sample *sample = &perf->samples.list[perf->waiting.list[waiting].sample];
        struct bytes chain = payload;

        perf->chain.count = 0;
        for (uint32_t node = sample->chain; node;
             node = (uint32_t)(perf->chains.nodes.list[node] >> 32))
            vector_add(&perf->chain, (uint32_t)perf->chains.nodes.list[node]);
        read_chain(perf, &chain, MODE_USER, &other_cookie, offset);
        sample->chain = intern_chain(perf);
    }
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

static void read_mapping(struct perf_data *perf, unsigned type, unsigned misc,
                         struct bytes payload, uint64_t time)
{
    struct mapping map = {.process = bytes_u32(&payload)};
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
    map.is_kernel = mode == MODE_KERNEL || mode == MODE_GUEST_KERNEL || map.process == NOBODY;
    if (payload.is_cut)
        return;
    vector_add(&perf->steps, (struct step){time, STEP_MAP, (uint32_t)perf->mappings.count});
    vector_add(&perf->mappings, map);
}

static void read_kernel_symbol(struct perf_data *perf, struct bytes payload, uint64_t time)
{
    enum { UNREGISTERED = 1 };
    struct mapping map = {.start = bytes_u64(&payload), .is_kernel = true, .is_function = true};
    uint32_t size = bytes_u32(&payload);
    uint16_t flags;

    bytes_u16(&payload);
    flags = bytes_u16(&payload);
    map.end = map.start > UINT64_MAX - size ? UINT64_MAX : map.start + size;
    map.path = builder_intern(perf->builder, bytes_text(&payload));
    if (payload.is_cut || flags & UNREGISTERED)
        return;
    vector_add(&perf->steps,
               (struct step){time, STEP_KERNEL_SYMBOL, (uint32_t)perf->mappings.count});
    vector_add(&perf->mappings, map);
}

static void read_thread(struct perf_data *perf, unsigned type, unsigned misc,
                        struct bytes payload, uint64_t time)
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
    vector_add(&perf->steps, (struct step){time, type == RECORD_FORK ? STEP_FORK : STEP_COMMAND,
                                           (uint32_t)perf->threads.count});
    vector_add(&perf->threads, thread);
}

/* ---- a record ---- */

/* What a record that is no sample ends with is cut off; its time and thread, where it has them. */
static void cut_sample_id(const struct perf_event *event, struct bytes *payload, uint64_t *time,
                          uint32_t *thread)
{
    enum {
        TRAILING = 1 << SAMPLE_TID | 1 << SAMPLE_TIME | 1 << SAMPLE_ID | 1 << SAMPLE_STREAM_ID |
                   1 << SAMPLE_CPU | 1 << SAMPLE_IDENTIFIER,
    };
    size_t size = 8 * (size_t)count_bits(event->sample_type & TRAILING);
    struct bytes trailer = *payload;

    if (!event->has_sample_ids || size > payload->left)
        return;
    bytes_take(&trailer, payload->left - size);
    payload->left -= size;
    if (has_bit(event->sample_type, SAMPLE_TID)) {
        bytes_u32(&trailer);
        *thread = bytes_u32(&trailer);
    }
    *time = take_if(&trailer, event->sample_type, SAMPLE_TIME);
}

void perf_kernel_record(struct perf_data *perf, unsigned type, unsigned misc, struct bytes payload,
                        uint64_t offset)
{
    uint32_t event = event_of_record(perf, type, payload), thread = NOBODY;
    uint64_t time = 0;

    if (event == NOBODY) {
        warning_count(builder_warnings(perf->builder), WARNING_LOSS,
                      perf->events.count ? "samples of an event that the file does not have, left out"
                                         : "records before the first event, left out",
                      offset);
        return;
    }
    if (type == RECORD_SAMPLE) {
        read_sample(perf, misc, payload, event, offset);
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
        complete_chains(perf, payload, thread, offset);
        break;
    case RECORD_AUX:
        warning_count(builder_warnings(perf->builder), WARNING_NOTE,
                      "pieces of what the hardware traced, not decoded", offset);
        break;
    default:
        break;
    }
}
