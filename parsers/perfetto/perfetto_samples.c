/* SPDX-License-Identifier: Apache-2.0 */
/* perfetto_samples.c — stacks: of perf and Chrome's sampler, of events, and of what a heap holds */
#include <stdio.h>
#include <stdlib.h>

#include "parsers/perfetto/perfetto.h"
#include "parsers/stacks/sampled_stacks.h"

#define NO_ROW UINT32_MAX
enum { DEPTH_MAX = 1024 }; /* deeper stacks lose their outermost functions */

/* ---- stacks ---- */

static frame_id make_frame(struct perfetto *perfetto, const struct perfetto_sequence *sequence,
                           uint64_t number)
{
    uint32_t at = idmap_find(&sequence->interned[INTERNED_FRAME], number);
    struct perfetto_frame *raw = at == IDMAP_NONE ? NULL : &perfetto->raw_frames.list[at];
    struct frame frame = {.kind = KIND_HOST, .is_nameless = true};
    char text[32];

    if (!raw) {
        frame.name = builder_intern(perfetto->builder, SPAN("(unknown)"));
        return builder_frame(perfetto->builder, &frame);
    }
    if (raw->made)
        return raw->made;
    frame.name = perfetto_text(sequence, INTERNED_FUNCTION, raw->function);
    frame.file = perfetto_text(sequence, INTERNED_SOURCE, raw->source);
    frame.module = perfetto_text(sequence, INTERNED_MAPPING, raw->mapping);
    frame.lacks_line = frame.file != 0;
    frame.is_nameless = !frame.name;
    if (!frame.name) {
        snprintf(text, sizeof(text), "0x%llx", (unsigned long long)raw->address);
        frame.name = builder_intern(perfetto->builder, span_of(text));
    }
    return raw->made = builder_frame(perfetto->builder, &frame);
}

static uint32_t stack_of_frames(struct perfetto *perfetto, size_t first)
{
    vector_add(&perfetto->stacks,
               (struct perfetto_stack){.first = first,
                                       .count = (uint32_t)(perfetto->frames.count - first),
                                       .is_resolved = true});
    return (uint32_t)perfetto->stacks.count - 1;
}

/* By its number; one of an unknown function where nothing has it. */
static uint32_t stack_numbered(struct perfetto *perfetto, const struct perfetto_sequence *sequence,
                               uint64_t number)
{
    uint32_t at = idmap_find(&sequence->interned[INTERNED_STACK], number);
    size_t first = perfetto->frames.count;
    struct perfetto_stack *stack;

    if (at == IDMAP_NONE) {
        perfetto_warn(perfetto, WARNING_LOSS, "samples of stacks that the file does not have");
        vector_add(&perfetto->frames, make_frame(perfetto, sequence, 0));
        return stack_of_frames(perfetto, first);
    }
    stack = &perfetto->stacks.list[at];
    if (!stack->is_resolved) {
        for (size_t i = stack->count; i-- > 0 && perfetto->frames.count - first < DEPTH_MAX;)
            vector_add(
                &perfetto->frames, /* the file has the outermost first */
                make_frame(perfetto, sequence, perfetto->frame_numbers.list[stack->first + i]));
        stack->count = (uint32_t)(perfetto->frames.count - first);
        stack->first = first;
        stack->is_resolved = true;
    }
    return at;
}

/* Callstack and its Frame, of track_event.proto. */
struct inlined_callstack {
    struct wire_list frames;
};

static const struct wire_member inlined_callstack[] = {
    [1] = WIRE_MEMBER(struct inlined_callstack, frames),
};

struct inlined_frame {
    struct span function_name, source_file;
};

static const struct wire_member inlined_frame[] = {
    [1] = WIRE_MEMBER(struct inlined_frame, function_name),
    [2] = WIRE_MEMBER(struct inlined_frame, source_file),
};

static uint32_t stack_inlined(struct perfetto *perfetto, struct span message)
{
    struct inlined_callstack callstack = {.frames.left = 0};
    struct wire_field field;
    size_t first = perfetto->frames.count, end;

    WIRE_READ(message, inlined_callstack, &callstack);
    while (perfetto->frames.count - first < DEPTH_MAX &&
           wire_list_next(&callstack.frames, &field)) {
        struct inlined_frame fields = {.function_name.len = 0};
        struct frame frame = {.kind = KIND_HOST};

        WIRE_READ(field.bytes, inlined_frame, &fields);
        frame.name = perfetto_intern_text(perfetto, fields.function_name);
        if (!frame.name)
            frame.name = builder_intern(perfetto->builder, SPAN("(unknown)"));
        frame.file = perfetto_intern_text(perfetto, fields.source_file);
        frame.lacks_line = frame.file != 0;
        vector_add(&perfetto->frames, builder_frame(perfetto->builder, &frame));
    }
    end = perfetto->frames.count;
    for (size_t i = first; i + 1 < end; i++) {
        frame_id swap = perfetto->frames.list[i];

        perfetto->frames.list[i] = perfetto->frames.list[--end];
        perfetto->frames.list[end] = swap;
    }
    return stack_of_frames(perfetto, first);
}

/* ---- samples of what runs ---- */

static void add_sample(struct perfetto *perfetto, struct perfetto_time time, uint32_t row,
                       uint32_t stack, int64_t weight)
{
    vector_add(&perfetto->samples, (struct perfetto_sample){.time = time.time,
                                                            .weight = not_negative(weight),
                                                            .clock = time.clock,
                                                            .row = row,
                                                            .stack = stack,
                                                            .has_time = time.is_known});
}

/* PerfSample, of profile_packet.proto. */
struct perf_sample_packet {
    int32_t pid, tid;
    struct wire_optional callstack_iid, sample_skipped_reason;
    struct span producer_event;
};

static const struct wire_member perf_sample[] = {
    [2] = WIRE_MEMBER(struct perf_sample_packet, pid),
    [3] = WIRE_MEMBER(struct perf_sample_packet, tid),
    [4] = WIRE_MEMBER(struct perf_sample_packet, callstack_iid),
    [18] = WIRE_MEMBER(struct perf_sample_packet, sample_skipped_reason),
    [19] = WIRE_MEMBER(struct perf_sample_packet, producer_event),
};

void perfetto_perf_sample(struct perfetto *perfetto, struct perfetto_sequence *sequence,
                          struct span message, struct perfetto_time time)
{
    struct perf_sample_packet fields = {0};

    WIRE_READ(message, perf_sample, &fields);
    if (fields.sample_skipped_reason.is_there)
        perfetto_warn(perfetto, WARNING_NOTE, "samples that the recorder had no time for");
    else if (!fields.producer_event.at)
        add_sample(perfetto, time, perfetto_row_of_thread(perfetto, fields.pid, fields.tid),
                   fields.callstack_iid.is_there
                       ? stack_numbered(perfetto, sequence, fields.callstack_iid.value)
                       : stack_of_frames(perfetto, perfetto->frames.count),
                   1);
}

/* StreamingProfilePacket, of profile_packet.proto. */
struct streaming_profile {
    struct wire_list callstack_iid, timestamp_delta_us;
};

static const struct wire_member streaming_profile[] = {
    [1] = WIRE_MEMBER(struct streaming_profile, callstack_iid),
    [2] = WIRE_MEMBER(struct streaming_profile, timestamp_delta_us),
};

void perfetto_streaming(struct perfetto *perfetto, struct perfetto_sequence *sequence,
                        struct span message, struct perfetto_time time)
{
    enum { MICROSECOND = 1000 };
    struct streaming_profile fields = {.callstack_iid.left = 0};
    struct wire_field field;

    time.is_known = !sequence->lacks_base; /* its own are differences */
    time.clock = perfetto_clock(&perfetto->clocks, CLOCK_MONOTONIC_ID, sequence->id);
    perfetto->numbers.count = perfetto->more.count = 0;
    WIRE_READ(message, streaming_profile, &fields);
    while (wire_list_next(&fields.callstack_iid, &field))
        perfetto_numbers(&field, &perfetto->numbers);
    while (wire_list_next(&fields.timestamp_delta_us, &field))
        perfetto_numbers(&field, &perfetto->more);
    for (size_t i = 0; i < perfetto->numbers.count && i < perfetto->more.count; i++) {
        sequence->base =
            checked_add(sequence->base, checked_mul((int64_t)perfetto->more.list[i], MICROSECOND));
        time.time = sequence->base;
        add_sample(perfetto, time, perfetto_row_of_thread(perfetto, sequence->pid, sequence->tid),
                   stack_numbered(perfetto, sequence, perfetto->numbers.list[i]), 1);
    }
}

void perfetto_event_sample(struct perfetto *perfetto, const struct perfetto_sequence *sequence,
                           uint32_t row, struct perfetto_time time, struct span inlined,
                           uint64_t stack, double weight)
{
    add_sample(perfetto, time, row,
               inlined.at ? stack_inlined(perfetto, inlined)
                          : stack_numbered(perfetto, sequence, stack),
               weight > 0 ? checked_whole(weight) : 0);
}

/* TracePacket.stack_sample. */
struct stack_sample {
    struct span callstack;
    uint64_t callstack_iid;
    int64_t weight;
};

static const struct wire_member stack_sample[] = {
    [5] = WIRE_MEMBER(struct stack_sample, callstack),
    [6] = WIRE_MEMBER(struct stack_sample, callstack_iid),
    [11] = WIRE_MEMBER(struct stack_sample, weight),
};

void perfetto_stack_sample(struct perfetto *perfetto, struct perfetto_sequence *sequence,
                           struct span message, struct perfetto_time time)
{
    struct stack_sample fields = {.weight = 1};

    WIRE_READ(message, stack_sample, &fields);
    add_sample(perfetto, time, NO_ROW,
               fields.callstack.at ? stack_inlined(perfetto, fields.callstack)
                                 : stack_numbered(perfetto, sequence, fields.callstack_iid),
               fields.weight);
}

/* ---- the heap ---- */

/* ProfilePacket.ProcessHeapSamples and its HeapSample, of profile_packet.proto. */
struct heap_dump {
    uint64_t pid, timestamp;
    struct span heap_name;
    struct wire_list samples;
};

static const struct wire_member heap_dump[] = {
    [1] = WIRE_MEMBER(struct heap_dump, pid),
    [2] = WIRE_MEMBER(struct heap_dump, samples),
    [9] = WIRE_MEMBER(struct heap_dump, timestamp),
    [11] = WIRE_MEMBER(struct heap_dump, heap_name),
};

struct heap_sample {
    uint64_t callstack_id;
    int64_t self_allocated, self_freed, alloc_count, free_count, self_max;
};

static const struct wire_member heap_sample[] = {
    [1] = WIRE_MEMBER(struct heap_sample, callstack_id),
    [2] = WIRE_MEMBER(struct heap_sample, self_allocated),
    [3] = WIRE_MEMBER(struct heap_sample, self_freed),
    [5] = WIRE_MEMBER(struct heap_sample, alloc_count),
    [6] = WIRE_MEMBER(struct heap_sample, free_count),
    [8] = WIRE_MEMBER(struct heap_sample, self_max),
};

static void add_dump(struct perfetto *perfetto, const struct perfetto_sequence *sequence,
                     struct span message)
{
    struct heap_dump fields = {0};
    struct wire_field field;
    struct perfetto_dump *dump;
    uint32_t *at;

    WIRE_READ(message, heap_dump, &fields);
    at = idmap_at(&perfetto->heap_of,
                  idmap_pair((uint32_t)fields.pid, perfetto_intern_text(perfetto, fields.heap_name)));
    if (*at == IDMAP_NONE) {
        *at = (uint32_t)perfetto->dumps.count;
        vector_add(&perfetto->dumps, (struct perfetto_dump){.time = fields.timestamp});
    }
    dump = &perfetto->dumps.list[*at];
    if (dump->time != fields.timestamp) {
        dump->time = fields.timestamp;
        dump->number++;
    }
    dump->generation = sequence->generation;
    while (wire_list_next(&fields.samples, &field)) {
        struct heap_sample is = {0};
        struct perfetto_allocation allocation = {
            .heap = *at, .dump = dump->number, .generation = sequence->generation};

        WIRE_READ(field.bytes, heap_sample, &is);
        allocation.stack = stack_numbered(perfetto, sequence, is.callstack_id);
        allocation.values[0] = not_negative(is.self_allocated ? is.self_allocated : is.self_max);
        allocation.values[1] = not_negative(is.alloc_count);
        allocation.values[2] = checked_sub(allocation.values[0], not_negative(is.self_freed));
        allocation.values[3] = checked_sub(allocation.values[1], not_negative(is.free_count));
        vector_add(&perfetto->allocations, allocation);
    }
}

void perfetto_heap(struct perfetto *perfetto, struct perfetto_sequence *sequence,
                   struct span message, struct perfetto_time time UNUSED)
{
    enum { STRING = 1, FRAME = 2, STACK = 3, MAPPING = 4, DUMP = 5 };
    static const struct {
        uint64_t field;
        unsigned char kind; /* as a field of InternedData: below 32 */
    } tables[] = {{STRING, INTERNED_FUNCTION},
                  {STRING, INTERNED_PATH},
                  {MAPPING, INTERNED_MAPPING},
                  {FRAME, INTERNED_FRAME},
                  {STACK, INTERNED_STACK}};
    struct wire wire;
    struct wire_field field;

    for (size_t i = 0; i < COUNT_OF(tables); i++) {
        wire = wire_of(message);
        while (wire_next(&wire, &field))
            if (field.number == tables[i].field && field.type == WIRE_BYTES)
                perfetto_intern_one(perfetto, sequence, (enum perfetto_interned)tables[i].kind,
                                    field.bytes);
    }
    wire = wire_of(message);
    while (wire_next(&wire, &field))
        if (field.number == DUMP && field.type == WIRE_BYTES)
            add_dump(perfetto, sequence, field.bytes);
}

/* ---- onto the graph ---- */

static const frame_id *frames_of(const struct perfetto *perfetto, uint32_t stack)
{
    return perfetto->frames.count ? perfetto->frames.list + perfetto->stacks.list[stack].first
                                  : NULL;
}

/* What a dump says of a stack is from the start of the recording: its last says all. Where a sequence
 * numbers its stacks anew, what it said before is said again. */
static bool give_heap(struct perfetto *perfetto, struct error *err)
{
    static const struct value_name values[] = {{LITERAL("alloc_space"), UNIT_BYTES},
                                               {LITERAL("alloc_objects"), UNIT_COUNT},
                                               {LITERAL("inuse_space"), UNIT_BYTES},
                                               {LITERAL("inuse_objects"), UNIT_COUNT}};
    struct stack_builder *stacks = builder_stacks(perfetto->builder);
    struct idmap dump_of = {0}; /* (heap, stack) → the last dump that has it */

    if (!builder_begin(perfetto->builder, LEVEL_CALLTREE, values, COUNT_OF(values), 2, err))
        return false;
    for (size_t i = perfetto->allocations.count; i-- > 0;) {
        const struct perfetto_allocation *allocation = &perfetto->allocations.list[i];
        uint32_t *last = idmap_at(&dump_of, idmap_pair(allocation->heap, allocation->stack));

        if (allocation->generation != perfetto->dumps.list[allocation->heap].generation ||
            (*last != IDMAP_NONE && *last != allocation->dump))
            continue;
        *last = allocation->dump;
        builder_stack(stacks, frames_of(perfetto, allocation->stack),
                      perfetto->stacks.list[allocation->stack].count, allocation->values);
    }
    idmap_free(&dump_of);
    return true;
}

bool perfetto_give_samples(struct perfetto *perfetto, uint64_t bytes, struct error *err)
{
    static const struct value_name values[] = {{LITERAL("samples"), UNIT_COUNT}};
    struct stack_builder *stacks = builder_stacks(perfetto->builder);

    if (!perfetto->samples.count)
        return give_heap(perfetto, err);
    if (perfetto->allocations.count)
        perfetto_warn(perfetto, WARNING_LOSS, "what the heap holds is left out beside samples");
    if (builder_wants_times(perfetto->builder)) {
        if (!builder_begin_timeline(perfetto->builder, err))
            return false;
        perfetto_sample_tracks(perfetto, bytes);
        return true;
    }
    if (!builder_begin(perfetto->builder, LEVEL_CALLTREE, values, 1, 0, err))
        return false;
    for (size_t i = 0; i < perfetto->samples.count; i++) {
        const struct perfetto_sample *sample = &perfetto->samples.list[i];

        builder_stack(stacks, frames_of(perfetto, sample->stack),
                      perfetto->stacks.list[sample->stack].count, &sample->weight);
    }
    builder_sample_facts(stacks);
    return true;
}

/* The node of a stack: those of its callers are shared by all stacks. */
static uint32_t node_of_stack(const struct perfetto *perfetto, struct sampled *sampled,
                              struct idmap *children, uint32_t stack)
{
    const frame_id *frames = frames_of(perfetto, stack);
    uint32_t node = 0;

    for (size_t i = perfetto->stacks.list[stack].count; i-- > 0;) {
        uint32_t *child = idmap_at(children, idmap_pair(node, frames[i]));

        if (*child == IDMAP_NONE) {
            *child = sampled_node(sampled, sampled->nodes.count);
            sampled->nodes.list[*child] = (struct sampled_node){frames[i], node};
        }
        node = *child;
    }
    return node;
}

void perfetto_sample_tracks(struct perfetto *perfetto, uint64_t bytes)
{
    struct sampled sampled = {0};
    struct sampled_budget budget = sampled_budget(perfetto->samples.count, bytes);
    struct idmap children = {0};
    int64_t last = INT64_MIN;

    (void)sampled_node(&sampled, 0);
    sampled.nodes.list[0] = (struct sampled_node){0, NO_STACK};
    for (size_t i = 0; i < perfetto->samples.count; i++) {
        const struct perfetto_sample *sample = &perfetto->samples.list[i];
        int64_t time = sample->has_time
                           ? perfetto_trace_time(&perfetto->clocks, sample->clock, sample->time)
                           : UNKNOWN;
        uint32_t row = sample->row == NO_ROW ? perfetto_row_of_thread(perfetto, 0, 0) : sample->row;

        if (time == UNKNOWN)
            continue;
        sampled_add(&sampled, perfetto_track(perfetto, row, ROW_SAMPLES), time,
                    node_of_stack(perfetto, &sampled, &children, sample->stack));
        last = time > last ? time : last;
    }
    sampled_emit(&sampled, perfetto->builder, last, &budget);
    sampled_warn(&budget, perfetto->builder);
    if (perfetto->samples.count)
        warning_count_many(builder_warnings(perfetto->builder), WARNING_NOTE,
                           "samples: times and calls of functions are estimates",
                           perfetto->samples.count);
    idmap_free(&children);
    sampled_free(&sampled);
}
