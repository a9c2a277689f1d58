/* SPDX-License-Identifier: Apache-2.0 */
/* perf_samples.c — perf.data's events and their samples
 *
 * A sample's fields are those that its event's attribute asks for, in an order of their own. */
#include "parsers/perf/perf_data.h"

#define WAITING_NONE (UINT32_MAX - 1)

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
    struct recorded_event event = {.type = bytes_u32(&attribute)};
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

static uint32_t intern_chain(struct perf_data *perf)
{
    uint32_t node = 0;

    for (size_t i = perf->chain.count; i-- > 0;)
        node = chain_child(&perf->chains, node, perf->chain.list[i]);
    return node;
}

void perf_take_chain(struct perf_data *perf, uint32_t sample)
{
    const struct chains *chains = &perf->chains;

    perf->chain.count = 0;
    for (uint32_t node = perf->samples.list[sample].chain; node;
         node = (uint32_t)(chains->nodes.list[node] >> 32))
        vector_add(&perf->chain, (uint32_t)chains->nodes.list[node]);
}

void perf_store_chain(struct perf_data *perf, uint32_t sample)
{
    perf->samples.list[sample].chain = intern_chain(perf);
}

/* All but the leaf are addresses behind a call. */
void perf_push_address(struct perf_data *perf, uint64_t address, unsigned mode)
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
            perf_push_address(perf, address, mode);
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
static void read_counters(struct perf_data *perf, const struct recorded_event *event,
                          uint32_t owner, struct bytes *payload, struct perf_sample *sample)
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
        struct counter_reading reading = {.event = owner, .value = bytes_u64(payload)};

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
static void read_branches(struct perf_data *perf, const struct recorded_event *event,
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
            perf_push_address(perf, to, MODE_USER);
        perf_push_address(perf, from + 1, MODE_USER); /* a call's own address */
    }
    if (has_bit(event->branch_type, HAS_COUNTERS))
        bytes_take(payload, 8 * count);
}

/* Where they are of the user's code, with the bytes of its stack behind them, callers are found by
 * perf_unwind.c. */
static void read_registers(struct bytes *payload, uint64_t set, struct stack_dump *dump)
{
    *dump = (struct stack_dump){.abi = bytes_u64(payload), .set = set, .values = *payload};
    if (dump->abi)
        bytes_take(payload, 8 * (uint64_t)bits_of_word(set));
}

static void read_stack(struct bytes *payload, struct stack_dump *dump)
{
    uint64_t size = bytes_u64(payload), used;

    if (size == 0)
        return;
    dump->stack = bytes_take(payload, size);
    used = bytes_u64(payload);
    dump->stack.len = used < dump->stack.len ? (size_t)used : dump->stack.len;
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

void perf_read_sample(struct perf_data *perf, unsigned misc, struct bytes payload, uint32_t owner,
                      uint64_t offset)
{
    const struct recorded_event *event = &perf->events.list[owner];
    struct perf_sample sample = {.event = owner, .process = PERF_NOBODY, .thread = PERF_NOBODY};
    uint64_t set = event->sample_type, address, time, period, cookie = 0;
    struct stack_dump dump = {0}, other;
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
    sample.cpu = PERF_NOBODY;
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
        read_registers(&payload, event->user_registers, &dump);
    if (has_bit(set, SAMPLE_STACK_USER))
        read_stack(&payload, &dump);
    take_if(&payload, set | set >> (SAMPLE_WEIGHT_STRUCT - SAMPLE_WEIGHT), SAMPLE_WEIGHT);
    take_if(&payload, set, SAMPLE_DATA_SRC);
    take_if(&payload, set, SAMPLE_TRANSACTION);
    if (has_bit(set, SAMPLE_REGS_INTR))
        read_registers(&payload, event->registers, &other);
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
        perf_push_address(perf, address, misc & MODE_MASK);
    sample.chain = intern_chain(perf);
    if (is_deferred)
        wait_for_user_part(perf, cookie, sample.thread);
    if (dump.abi && dump.stack.len)
        perf_dump(perf, &dump);
    if (perf->samples.count == 0 || time < perf->first_time)
        perf->first_time = time;
    perf->last_time = time > perf->last_time ? time : perf->last_time;
    vector_add(&perf->steps, (struct perf_step){time, STEP_SAMPLE, (uint32_t)perf->samples.count});
    vector_add(&perf->samples, sample);
}

void perf_complete_chains(struct perf_data *perf, struct bytes payload, uint32_t thread,
                          uint64_t offset)
{
    uint64_t cookie = bytes_u64(&payload), other_cookie;
    uint64_t key = waiting_key(cookie, thread);
    uint32_t waiting = idmap_find(&perf->waiting_of_cookie, key);

    if (waiting == IDMAP_NONE)
        return;
    *idmap_at(&perf->waiting_of_cookie, key) = WAITING_NONE;
    for (; waiting != WAITING_NONE; waiting = perf->waiting.list[waiting].next) {
        uint32_t sample = perf->waiting.list[waiting].sample;
        struct bytes chain = payload;

        perf_take_chain(perf, sample);
        read_chain(perf, &chain, MODE_USER, &other_cookie, offset);
        perf_store_chain(perf, sample);
    }
}
