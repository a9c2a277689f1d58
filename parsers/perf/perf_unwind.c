/* SPDX-License-Identifier: Apache-2.0 */
/* perf_unwind.c — callers from the registers and the bytes of the stack that a sample has
 *
 * What `perf record --call-graph dwarf` writes. The bytes are many times what all else takes, so they are
 * kept only until what was mapped at their time is known. */
#include <stdlib.h>
#include <string.h>

#include "parsers/perf/perf_data.h"

/* perf's own limit of a chain; and more bytes than a round has, for files without rounds. */
enum { FRAMES_MAX = 127, BYTES_MAX = 64 << 20 };

#define NO_DUMP UINT32_MAX

/* The user's code at a sample. */
struct kept_dump {
    uint32_t sample;
    struct unwind start; /* its stack is `at` in the bytes */
    size_t at;
};

/* A step that was not played yet. */
struct open_step {
    uint32_t step, dump;
};

struct perf_unwinding {
    struct perf_data *perf;
    struct perf_maps *maps;
    struct VECTOR_OF(struct kept_dump) dumps;
    struct VECTOR_OF(char) bytes;
    struct VECTOR_OF(struct open_step) open;
    size_t seen; /* steps that are open, or were played */
    uint64_t latest,
        before; /* times: of all that was seen, and of all before the last round's end */
    uint64_t whole, partly, bare;
};

/* ---- bytes ---- */

/* DWARF's number of a register that perf gives another, or -1. */
static int dwarf_register(enum machine machine, unsigned number)
{
    static const int8_t x86_64[] = {0,  3,  2,  1,  4, 5, 6,  7,  16, -1, -1, -1,
                                    -1, -1, -1, -1, 8, 9, 10, 11, 12, 13, 14, 15};

    if (machine == MACHINE_AARCH64)
        return number < UNWIND_REGISTERS ? (int)number : -1;
    return number < COUNT_OF(x86_64) ? x86_64[number] : -1;
}

static struct unwind first_frame(const struct perf_data *perf, const struct stack_dump *dump)
{
    enum { BITS_64 = 2 };
    bool is_arm = perf->machine == MACHINE_AARCH64;
    unsigned pc = is_arm ? 32 : 16, sp = is_arm ? 31 : 7;
    struct unwind frame = {.is_running = true, .is_big_endian = perf->is_big_endian};
    struct bytes values = dump->values;

    for (unsigned i = 0; i < 64; i++) {
        uint64_t value = has_bit(dump->set, i) ? bytes_u64(&values) : 0;
        int number = has_bit(dump->set, i) ? dwarf_register(perf->machine, i) : -1;

        if (number >= 0) {
            frame.registers[number] = value;
            frame.known |= UINT64_C(1) << number;
        }
    }
    frame.pc = frame.registers[pc];
    frame.stack_at = frame.registers[sp];
    if (dump->abi == BITS_64 && has_bit(frame.known, pc) && has_bit(frame.known, sp))
        frame.machine = perf->machine;
    return frame;
}

/* ---- callers ---- */

/* The mapping that a frame's code is in, or NO_MAPPING. */
static uint32_t mapping_of(const struct perf_unwinding *unwinding, uint32_t process,
                           const struct unwind *frame)
{
    struct code_place place = {frame->pc - !frame->is_running, false};

    return perf_maps_find(unwinding->maps, process, &place);
}

/* What the kernel's part of the chain returns to is where the user's code was: its first frame. */
static void unwind_sample(struct perf_unwinding *unwinding, const struct kept_dump *dump)
{
    struct perf_data *perf = unwinding->perf;
    uint32_t process = perf->samples.list[dump->sample].process, mapping, frames = 1;
    enum unwind_result result = UNWIND_CALLER;
    struct unwind frame = dump->start;

    if (frame.machine == MACHINE_UNKNOWN || !builder_symbols(perf->builder)) {
        unwinding->bare++;
        return;
    }
    frame.stack.at = unwinding->bytes.list + dump->at;
    perf_take_chain(perf, dump->sample);
    if (perf->chain.count && !perf->chains.places.list[perf->chain.list[0]].is_kernel)
        perf->chain.count = 0; /* the same address, for want of a chain */
    perf_push_address(perf, frame.pc, MODE_USER);
    mapping = mapping_of(unwinding, process, &frame);
    while (result == UNWIND_CALLER && frames < FRAMES_MAX) {
        const struct perf_mapping *map =
            mapping == NO_MAPPING ? NULL : &perf->mappings.list[mapping];
        struct symbol_map segment = {0};

        if (map)
            segment = (struct symbol_map){map->start, map->end, map->offset};
        result = unwind_to_caller(&frame, map ? perf_binary(perf, map) : NULL, &segment);
        if (result != UNWIND_CALLER)
            break;
        mapping = mapping_of(unwinding, process, &frame);
        if (mapping == NO_MAPPING) { /* no code is there */
            result = UNWIND_NO_RULES;
            break;
        }
        perf_push_address(perf, frame.pc + frame.is_running, MODE_USER);
        frames++;
    }
    unwinding->whole += result == UNWIND_OUTERMOST;
    unwinding->partly += result != UNWIND_OUTERMOST && frames > 1;
    unwinding->bare += result != UNWIND_OUTERMOST && frames == 1;
    perf_store_chain(perf, dump->sample);
}

/* ---- rounds ---- */

static bool is_earlier(const void *context, uint32_t a, uint32_t b)
{
    const struct perf_unwinding *unwinding = context;
    const struct perf_step *steps = unwinding->perf->steps.list;

    return steps[unwinding->open.list[a].step].time < steps[unwinding->open.list[b].step].time;
}

static void open_new_steps(struct perf_unwinding *unwinding)
{
    const struct perf_data *perf = unwinding->perf;
    uint32_t dump = 0;

    for (; unwinding->seen < perf->steps.count; unwinding->seen++) {
        const struct perf_step *step = &perf->steps.list[unwinding->seen];
        struct open_step open = {(uint32_t)unwinding->seen, NO_DUMP};

        if (step->time > unwinding->latest)
            unwinding->latest = step->time;
        if (step->kind == STEP_SAMPLE) {
            while (dump < unwinding->dumps.count && unwinding->dumps.list[dump].sample < step->item)
                dump++;
            if (dump == unwinding->dumps.count || unwinding->dumps.list[dump].sample != step->item)
                continue;
            open.dump = dump;
        }
        vector_add(&unwinding->open, open);
    }
}

/* Steps after a time stay open, in the order of the file, and their bytes with them. */
static void keep_after(struct perf_unwinding *unwinding, uint64_t time)
{
    size_t open = 0, dumps = 0, bytes = 0;

    for (size_t i = 0; i < unwinding->open.count; i++) {
        struct open_step step = unwinding->open.list[i];

        if (unwinding->perf->steps.list[step.step].time <= time)
            continue;
        if (step.dump != NO_DUMP) {
            struct kept_dump dump = unwinding->dumps.list[step.dump];

            memmove(unwinding->bytes.list + bytes, unwinding->bytes.list + dump.at,
                    dump.start.stack.len);
            dump.at = bytes;
            bytes += dump.start.stack.len;
            step.dump = (uint32_t)dumps;
            unwinding->dumps.list[dumps++] = dump;
        }
        unwinding->open.list[open++] = step;
    }
    unwinding->open.count = open;
    unwinding->dumps.count = dumps;
    unwinding->bytes.count = bytes;
}

/* What happened up to a time, in its order. */
static void play_until(struct perf_unwinding *unwinding, uint64_t time)
{
    struct perf_data *perf = unwinding->perf;
    uint32_t *order;

    open_new_steps(unwinding);
    order = sorted_order(unwinding->open.count, is_earlier, unwinding);
    for (size_t i = 0; i < unwinding->open.count; i++) {
        const struct open_step *open = &unwinding->open.list[order[i]];
        const struct perf_step *step = &perf->steps.list[open->step];

        if (step->time > time)
            break;
        if (open->dump == NO_DUMP)
            perf_maps_step(unwinding->maps, step);
        else
            unwind_sample(unwinding, &unwinding->dumps.list[open->dump]);
    }
    free(order);
    keep_after(unwinding, time);
}

void perf_dump(struct perf_data *perf, const struct stack_dump *dump)
{
    struct perf_unwinding *unwinding = perf->unwinding;
    size_t count = dump->stack.len;

    if (!unwinding) {
        unwinding = perf->unwinding = grow_zeroed(1, sizeof(*unwinding));
        unwinding->perf = perf;
        unwinding->maps = perf_maps_new(perf);
    }
    if (unwinding->bytes.count > BYTES_MAX)
        play_until(unwinding, UINT64_MAX);
    vector_add(&unwinding->dumps, (struct kept_dump){.sample = (uint32_t)perf->samples.count,
                                                     .start = first_frame(perf, dump),
                                                     .at = unwinding->bytes.count});
    unwinding->dumps.list[unwinding->dumps.count - 1].start.stack.len = count;
    if (unwinding->bytes.cap - unwinding->bytes.count < count) {
        unwinding->bytes.cap = grow_cap(unwinding->bytes.cap, unwinding->bytes.count + count);
        unwinding->bytes.list = grow_to(unwinding->bytes.list, unwinding->bytes.cap, 1);
    }
    memcpy(unwinding->bytes.list + unwinding->bytes.count, dump->stack.at, count);
    unwinding->bytes.count += count;
}

void perf_unwind_round(struct perf_data *perf)
{
    struct perf_unwinding *unwinding = perf->unwinding;
    uint64_t before;

    if (!unwinding)
        return;
    before = unwinding->before;
    open_new_steps(unwinding);
    unwinding->before = unwinding->latest;
    play_until(unwinding, before);
}

void perf_unwind_end(struct perf_data *perf)
{
    struct perf_unwinding *unwinding = perf->unwinding;
    struct warnings *warnings = builder_warnings(perf->builder);

    if (!unwinding)
        return;
    play_until(unwinding, UINT64_MAX);
    builder_fact(perf->builder, "stacks_unwound", (int64_t)unwinding->whole, UNIT_COUNT);
    warning_count_many(warnings, WARNING_LOSS,
                       "stacks whose outermost callers are not known: the bytes that were recorded "
                       "end before, or no rules were found for the code",
                       unwinding->partly);
    warning_count_many(warnings, WARNING_LOSS,
                       "stacks that are there as bytes only, shown without their callers; "
                       "--binary-path DIR, where the binaries are, would unwind them",
                       unwinding->bare);
    perf_maps_free(unwinding->maps);
    free(unwinding->dumps.list);
    free(unwinding->bytes.list);
    free(unwinding->open.list);
    free(unwinding);
    perf->unwinding = NULL;
}
