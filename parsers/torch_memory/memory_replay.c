/* SPDX-License-Identifier: Apache-2.0 */
/* memory_replay.c — a device's allocations in their order: the most that was held, and what leaks
 *
 * The record is a ring: blocks that are in use at the end without an allocation on it, and those that are
 * freed without one, were there before it began. */
#include <stdio.h>
#include <stdlib.h>

#include "base/checked.h"
#include "parsers/torch_memory/torch_memory.h"

enum address_use { ADDRESS_UNSEEN, ADDRESS_LIVE, ADDRESS_AWAITED, ADDRESS_GONE };

struct address_state {
    enum address_use use;
    node_id stack;
    int64_t size;
};

/* What a stack holds. */
struct holder {
    node_id stack;
    int64_t held, before; /* now; when the step before began */
    uint32_t growths;     /* steps in each of which it has grown, from the second on */
};

struct growth {
    uint32_t holder;
    int64_t bytes;
};

struct replayed {
    struct torch_memory *memory;
    const struct memory_device *device;
    uint32_t number;
    struct VECTOR_OF(struct memory_block) earlier; /* blocks from before the record */
    struct idmap holder_of;                        /* in the list */
    struct address_state *addresses;               /* by number: see number_addresses() */
    size_t address_count;
    struct VECTOR_OF(struct holder) holders;
    int64_t held;

    struct VECTOR_OF(int64_t) steps; /* when they began */
    struct VECTOR_OF(struct growth) growths;
    uint32_t begun; /* steps */
};

static void hold(struct replayed *replayed, node_id stack, int64_t bytes)
{
    uint32_t *at = idmap_at(&replayed->holder_of, stack);

    if (*at == IDMAP_NONE) {
        *at = (uint32_t)replayed->holders.count;
        vector_add(&replayed->holders, (struct holder){.stack = stack});
    }
    replayed->holders.list[*at].held = checked_add(replayed->holders.list[*at].held, bytes);
    replayed->held = checked_add(replayed->held, bytes);
}

/* Blocks that the record does not know are put aside. */
static void apply(struct replayed *replayed, const struct memory_event *event)
{
    struct address_state *state;

    if (event->action != MEMORY_ALLOCATE && event->action != MEMORY_FREE &&
        event->action != MEMORY_FREED)
        return;
    state = &replayed->addresses[event->address];
    if (state->use == ADDRESS_UNSEEN && event->action != MEMORY_ALLOCATE)
        vector_add(&replayed->earlier, (struct memory_block){.address = event->address,
                                                             .asked = event->size,
                                                             .stack = event->stack});
    if (state->use == ADDRESS_LIVE)
        hold(replayed, state->stack, -state->size);
    if (event->action == MEMORY_ALLOCATE) {
        *state = (struct address_state){ADDRESS_LIVE, event->stack, event->size};
        hold(replayed, event->stack, event->size);
    } else {
        state->use = event->action == MEMORY_FREE ? ADDRESS_AWAITED : ADDRESS_GONE;
    }
}

/* As it was before the first event. */
static void rewind_to_start(struct replayed *replayed)
{
    idmap_free(&replayed->holder_of);
    memset(replayed->addresses, 0, replayed->address_count * sizeof(*replayed->addresses));
    replayed->holders.count = 0;
    replayed->held = 0;
    for (size_t i = 0; i < replayed->earlier.count; i++) {
        const struct memory_block *block = &replayed->earlier.list[i];
        struct address_state *state = &replayed->addresses[block->address];

        if (state->use == ADDRESS_LIVE)
            continue;
        *state = (struct address_state){ADDRESS_LIVE, block->stack, block->asked};
        hold(replayed, block->stack, block->asked);
    }
}

static uint64_t number_of(struct idmap *numbers, uint64_t address)
{
    uint32_t *known = idmap_at(numbers, address);

    if (*known == IDMAP_NONE)
        *known = (uint32_t)numbers->count - 1;
    return *known;
}

static bool is_held_on(const struct memory_block *block, uint32_t device)
{
    return block->is_held && block->device == device;
}

/* Addresses come again and again: numbers from 0 on take their place. */
static void number_addresses(struct replayed *replayed, struct memory_device *device)
{
    struct torch_memory *memory = replayed->memory;
    struct idmap numbers = {0};

    for (size_t i = 0; i < device->events.count; i++)
        if (device->events.list[i].action != MEMORY_EXHAUSTED)
            device->events.list[i].address = number_of(&numbers, device->events.list[i].address);
    for (size_t i = 0; i < memory->pieces.count; i++) {
        struct memory_block *block = &memory->pieces.list[i];

        if (is_held_on(block, replayed->number))
            block->address = number_of(&numbers, block->address);
    }
    replayed->address_count = numbers.count;
    replayed->addresses = grow_zeroed(numbers.count + 1, sizeof(*replayed->addresses));
    idmap_free(&numbers);
}

static void find_earlier(struct replayed *replayed)
{
    const struct torch_memory *memory = replayed->memory;

    for (size_t i = 0; i < replayed->device->events.count; i++)
        apply(replayed, &replayed->device->events.list[i]);
    for (size_t i = 0; i < memory->pieces.count; i++) {
        const struct memory_block *block = &memory->pieces.list[i];

        if (is_held_on(block, replayed->number) &&
            replayed->addresses[block->address].use != ADDRESS_LIVE)
            vector_add(&replayed->earlier, *block);
    }
}

/* ---- steps ---- */

/* Ranges of one name with a number behind it: "ProfilerStep#3". */
static void find_steps(struct replayed *replayed)
{
    const struct torch_memory *memory = replayed->memory;
    struct span family = {0};

    for (size_t i = 0; i < memory->marks.count; i++) {
        struct span name = builder_text(memory->builder, memory->marks.list[i].name);
        size_t at = span_find(name, SPAN("#"));

        if (!memory->marks.list[i].is_start || at == SIZE_MAX ||
            !span_is_digits(span_after(name, at + 1)))
            continue;
        name.len = at;
        if (!family.len)
            family = name;
        if (span_eq(name, family))
            vector_add(&replayed->steps, memory->marks.list[i].time);
    }
}

/* Who has not grown in some step from the second on does not leak. */
static void begin_step(struct replayed *replayed)
{
    uint32_t compared = replayed->begun < 2 ? 0 : replayed->begun - 2;

    for (uint32_t i = 0; i < replayed->holders.count; i++) {
        struct holder *holder = &replayed->holders.list[i];

        if (replayed->begun >= 2 && holder->growths == compared && holder->held > holder->before) {
            vector_add(&replayed->growths, (struct growth){i, holder->held - holder->before});
            holder->growths++;
        }
        holder->before = holder->held;
    }
    replayed->begun++;
}

static int compare_growths(const void *a, const void *b)
{
    const struct growth *x = a, *y = b;

    if (x->holder != y->holder)
        return x->holder < y->holder ? -1 : 1;
    return x->bytes < y->bytes ? -1 : x->bytes > y->bytes;
}

/* Of each that grew in every step its growth in the median one. */
static void note_leaks(struct replayed *replayed)
{
    struct torch_memory *memory = replayed->memory;
    uint32_t needed = replayed->begun < 2 ? UINT32_MAX : replayed->begun - 2;
    int64_t sum = 0, most = 0;
    node_id worst = 0;
    char place[500];

    if (needed < 2 || replayed->growths.count == 0)
        return;
    qsort(replayed->growths.list, replayed->growths.count, sizeof(*replayed->growths.list),
          compare_growths);
    for (size_t i = 0; i < replayed->growths.count;) {
        uint32_t who = replayed->growths.list[i].holder;
        const struct holder *holder = &replayed->holders.list[who];
        int64_t bytes = replayed->growths.list[i + (holder->growths - 1) / 2].bytes;

        i += holder->growths;
        if (holder->growths < needed)
            continue;
        builder_add(memory->stacks, holder->stack, VALUE_LEAK, bytes);
        sum = checked_add(sum, bytes);
        if (bytes > most) {
            most = bytes;
            worst = holder->stack;
        }
    }
    if (sum == 0)
        return;
    memory_place(memory, worst, place, sizeof(place));
    builder_known_fact(memory->builder, FACT_LEAK, sum, UNIT_BYTES);
    builder_known_text(memory->builder, FACT_LEAK_PLACE, span_of(place));
}

/* ---- out of memory ---- */

/* What the driver had given by then, from what it has at the end. */
static int64_t reserved_at(const struct memory_device *device, size_t event, bool *is_end)
{
    int64_t reserved = device->pool.reserved;

    *is_end = true;
    for (size_t i = device->events.count; i-- > event + 1;) {
        const struct memory_event *later = &device->events.list[i];

        if (later->action == MEMORY_RESERVE)
            reserved = checked_sub(reserved, later->size);
        else if (later->action == MEMORY_RETURN)
            reserved = checked_add(reserved, later->size);
        *is_end &= later->action == MEMORY_EXHAUSTED || later->action == MEMORY_OTHER;
    }
    return reserved;
}

/* Of several that follow each other the last is told. */
static void note_exhausted(const struct replayed *replayed, size_t at)
{
    const struct memory_device *device = replayed->device;
    const struct memory_event *event = &device->events.list[at];
    struct builder *builder = replayed->memory->builder;
    bool is_end;
    int64_t reserved = reserved_at(device, at, &is_end);
    int64_t cached = is_end ? device->pool.cached : checked_sub(reserved, replayed->held);
    char place[500];

    memory_place(replayed->memory, event->stack, place, sizeof(place));
    builder_known_fact(builder, FACT_OOM_ASKED, event->size, UNIT_BYTES);
    builder_known_text(builder, FACT_OOM_PLACE, span_of(place));
    if (event->left != UNKNOWN)
        builder_known_fact(builder, FACT_OOM_LEFT, event->left, UNIT_BYTES);
    builder_known_fact(builder, FACT_OOM_RESERVED, reserved, UNIT_BYTES);
    builder_known_fact(builder, FACT_OOM_CACHED, cached, UNIT_BYTES);
    if (is_end)
        builder_known_fact(builder, FACT_OOM_PIECE, device->pool.largest, UNIT_BYTES);
}

/* ---- the peak ---- */

static str_id innermost_mark(const struct torch_memory *memory, int64_t time)
{
    str_id open[64], found = 0;
    size_t depth = 0;

    for (size_t i = 0; i < memory->marks.count && memory->marks.list[i].time <= time; i++) {
        const struct memory_mark *mark = &memory->marks.list[i];

        if (mark->is_start && depth < COUNT_OF(open))
            open[depth++] = mark->name;
        else if (!mark->is_start && depth)
            depth--;
    }
    if (depth)
        found = open[depth - 1];
    return found;
}

/* ---- the curves: what is held, and what the driver has given, over time ---- */

struct memory_curves {
    struct timeline_builder *builder;
    uint32_t held, reserved; /* series */
    int64_t time;            /* of the event before: none is earlier */
    int64_t now;             /* reserved */
};

static uint32_t curve_of(const struct replayed *replayed, const char *what)
{
    struct builder *builder = replayed->memory->builder;
    char process[24];

    snprintf(process, sizeof(process), "GPU %u", replayed->number);
    return builder_series(builder_timeline(builder), builder_intern(builder, span_of(what)),
                          builder_intern(builder, span_of(process)), (int32_t)replayed->number);
}

/* What was reserved before the first event follows from what is at the end. */
static void begin_curves(const struct replayed *replayed, struct memory_curves *curves)
{
    const struct memory_device *device = replayed->device;

    *curves = (struct memory_curves){.builder = builder_timeline(replayed->memory->builder),
                                     .held = curve_of(replayed, "allocated bytes"),
                                     .reserved = curve_of(replayed, "reserved bytes"),
                                     .time = INT64_MIN,
                                     .now = device->pool.reserved};
    for (size_t i = 0; i < device->events.count; i++) {
        const struct memory_event *event = &device->events.list[i];

        if (event->action == MEMORY_RESERVE)
            curves->now = checked_sub(curves->now, event->size);
        else if (event->action == MEMORY_RETURN)
            curves->now = checked_add(curves->now, event->size);
    }
}

static void add_to_curves(const struct replayed *replayed, struct memory_curves *curves,
                          const struct memory_event *event)
{
    int64_t time = checked_mul(event->time, 1000);

    if (event->action == MEMORY_RESERVE)
        curves->now = checked_add(curves->now, event->size);
    else if (event->action == MEMORY_RETURN)
        curves->now = checked_sub(curves->now, event->size);
    curves->time = time > curves->time ? time : curves->time;
    builder_sample(curves->builder, curves->held, curves->time, (double)replayed->held);
    builder_sample(curves->builder, curves->reserved, curves->time, (double)curves->now);
}

/* Plays all; returns behind how many events most was held, and where the device's memory ended last. */
static size_t play_all(struct replayed *replayed)
{
    const struct memory_device *device = replayed->device;
    size_t peak = 0, exhausted = SIZE_MAX;
    bool has_curves = builder_wants_series(replayed->memory->builder);
    struct memory_curves curves = {.time = INT64_MIN};
    int64_t most = replayed->held;
    uint32_t step = 0;

    if (has_curves)
        begin_curves(replayed, &curves);
    for (size_t i = 0; i < device->events.count; i++) {
        const struct memory_event *event = &device->events.list[i];

        for (; step < replayed->steps.count && replayed->steps.list[step] <= event->time; step++)
            begin_step(replayed);
        apply(replayed, event);
        if (has_curves)
            add_to_curves(replayed, &curves, event);
        if (event->action == MEMORY_EXHAUSTED)
            exhausted = i;
        if (replayed->held > most) {
            most = replayed->held;
            peak = i + 1;
        }
    }
    if (exhausted != SIZE_MAX)
        note_exhausted(replayed, exhausted);
    return peak;
}

static void note_peak(struct replayed *replayed, size_t peak)
{
    struct torch_memory *memory = replayed->memory;
    const struct memory_device *device = replayed->device;
    str_id within = peak ? innermost_mark(memory, device->events.list[peak - 1].time) : 0;

    for (size_t i = 0; i < peak; i++)
        apply(replayed, &device->events.list[i]);
    for (size_t i = 0; i < replayed->holders.count; i++)
        if (replayed->holders.list[i].held)
            builder_add(memory->stacks, replayed->holders.list[i].stack, VALUE_PEAK,
                        replayed->holders.list[i].held);
    builder_fact(memory->builder, "peak", replayed->held, UNIT_BYTES);
    if (peak)
        builder_fact(memory->builder, "peak_event", (int64_t)peak - 1, UNIT_COUNT);
    builder_fact(memory->builder, "events", (int64_t)device->events.count, UNIT_COUNT);
    if (within)
        builder_fact_text(memory->builder, "peak_within", builder_text(memory->builder, within));
    builder_fact(memory->builder, "blocks_from_before", (int64_t)replayed->earlier.count,
                 UNIT_COUNT);
}

void memory_replay(struct torch_memory *memory, uint32_t device)
{
    struct replayed replayed = {
        .memory = memory, .device = &memory->devices.list[device], .number = device};
    size_t peak;

    if (replayed.device->events.count == 0)
        return;
    number_addresses(&replayed, &memory->devices.list[device]);
    find_earlier(&replayed);
    find_steps(&replayed);
    rewind_to_start(&replayed);
    peak = play_all(&replayed);
    note_leaks(&replayed);
    rewind_to_start(&replayed);
    note_peak(&replayed, peak);
    idmap_free(&replayed.holder_of);
    free(replayed.earlier.list);
    free(replayed.addresses);
    free(replayed.holders.list);
    free(replayed.steps.list);
    free(replayed.growths.list);
}
