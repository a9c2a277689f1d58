/* SPDX-License-Identifier: Apache-2.0 */
/* torch_memory.c — what PyTorch's allocator holds and did: torch.cuda.memory._dump_snapshot()
 *
 *     {"segments": [{"address", "total_size", "blocks": [{"size", "state", "frames", ...}, ...], ...}, ...],
 *      "device_traces": [[{"action", "addr", "size", "time_us", "frames"}, ...] of each device],
 *      "external_annotations": [{"name", "stage", "time_us"}, ...]}
 *
 * Older ones are the list of segments alone. */
#include <stdio.h>
#include <stdlib.h>

#include "base/checked.h"
#include "parsers/parser.h"
#include "parsers/stacks/language_names.h"
#include "parsers/torch_memory/torch_memory.h"

enum { DEVICES_MAX = 1024 };

/* ---- values of the pickle ---- */

static int64_t number(const struct torch_memory *memory, value_id dict, const char *name,
                      int64_t otherwise)
{
    const struct values *values = &memory->pickle.values;
    const struct value *value =
        value_of_kind(values, value_member(values, dict, span_of(name)), VALUE_INT);

    return value ? value->whole : otherwise;
}

static struct span text(const struct torch_memory *memory, value_id dict, const char *name)
{
    const struct values *values = &memory->pickle.values;
    const struct value *value =
        value_of_kind(values, value_member(values, dict, span_of(name)), VALUE_TEXT);

    return value ? builder_text(memory->builder, value->text) : (struct span){0};
}

/* ---- segments, as they are at the end ---- */

struct segment_sums {
    int64_t reserved, allocated, asked, rounding, cached, largest, pending, pending_blocks;
    int64_t pieces, blocks, segments;
    int64_t trapped, of_graphs; /* pieces beside live blocks; segments of private pools */
};

static struct memory_device *device_at(struct torch_memory *memory, int64_t number)
{
    if (number < 0 || number >= DEVICES_MAX) {
        memory->odd++;
        number = 0;
    }
    while ((int64_t)memory->devices.count <= number)
        vector_add(&memory->devices, (struct memory_device){0});
    return &memory->devices.list[number];
}

static enum block_state state_of(const struct memory_block *block)
{
    return block->is_live ? BLOCK_IN_USE : block->is_pending ? BLOCK_AWAITED : BLOCK_FREE;
}

static const struct allocator_segment *
keep_segment(const struct torch_memory *memory, const struct memory_segment *segment, uint32_t device)
{
    return builder_segment(memory->builder,
                           &(struct allocator_segment){.device = (int32_t)device,
                                                       .address = segment->address,
                                                       .stream = segment->stream,
                                                       .size = segment->size,
                                                       .is_small = segment->is_small,
                                                       .is_private = segment->is_private,
                                                       .is_expandable = segment->is_expandable});
}

/* A block waits to be free as long as another stream may use it. */
static void read_blocks(struct torch_memory *memory, const struct memory_segment *segment,
                        uint32_t device, struct segment_sums *sums)
{
    struct memory_pool *pool = &memory->devices.list[device].pool;
    uint64_t address = segment->address;
    const struct allocator_segment *kept = keep_segment(memory, segment, device);
    bool has_places = builder_wants_blocks(memory->builder);

    for (size_t i = 0; i < segment->count; i++) {
        struct memory_block *block = &memory->pieces.list[segment->first + i];

        builder_block(memory->builder, block->size, state_of(block),
                      has_places && block->is_live ? memory_stack_place(memory, block->stack) : 0);
        block->address = address = block->has_address ? block->address : address;
        if (block->is_live) {
            block->is_held = true;
            block->device = device;
            block->stack = memory_node(memory, block->stack);
            sums->allocated = checked_add(sums->allocated, block->size);
            sums->asked = checked_add(sums->asked, block->asked);
            sums->blocks++;
            builder_add(memory->stacks, block->stack, VALUE_END, block->size);
        } else if (block->is_pending) {
            sums->pending = checked_add(sums->pending, block->size);
            sums->pending_blocks++;
        } else {
            sums->pieces++;
            if (block->size > pool->largest)
                pool->largest = block->size;
        }
        address += (uint64_t)block->size;
    }
    pool->cached = checked_add(pool->cached, kept->in[BLOCK_FREE]);
    sums->trapped = checked_add(sums->trapped, segment_trapped(kept));
}

static void note_segments(const struct torch_memory *memory, const struct segment_sums *sums)
{
    struct builder *builder = memory->builder;

    builder_known_fact(builder, FACT_RESERVED, sums->reserved, UNIT_BYTES);
    builder_fact(builder, "segments", sums->segments, UNIT_COUNT);
    builder_fact(builder, "allocated", sums->allocated, UNIT_BYTES);
    builder_fact(builder, "blocks", sums->blocks, UNIT_COUNT);
    builder_fact(builder, "asked_for", sums->asked, UNIT_BYTES);
    builder_fact(builder, "rounded_up", sums->allocated - sums->asked, UNIT_BYTES);
    builder_fact(builder, "cached", sums->cached, UNIT_BYTES);
    builder_fact(builder, "cached_pieces", sums->pieces, UNIT_COUNT);
    builder_fact(builder, "largest_piece", sums->largest, UNIT_BYTES);
    if (sums->cached)
        builder_fact(builder, "fragmentation",
                     (int64_t)(1e6 * (1 - (double)sums->largest / (double)sums->cached)), UNIT_PPM);
    builder_known_fact(builder, FACT_TRAPPED, sums->trapped, UNIT_BYTES);
    builder_known_fact(builder, FACT_AWAITING_FREE, sums->pending, UNIT_BYTES);
    builder_fact(builder, "awaiting_free_blocks", sums->pending_blocks, UNIT_COUNT);
    builder_known_fact(builder, FACT_PRIVATE_POOLS, sums->of_graphs, UNIT_BYTES);
}

static void read_segments(struct torch_memory *memory, value_id list)
{
    const struct memory_list *read = memory_list_of(memory, list);
    struct segment_sums sums = {.segments = (int64_t)read->segments.count};

    for (size_t i = 0; i < read->segments.count; i++) {
        const struct memory_segment *segment = &read->segments.list[i];
        struct memory_device *device = device_at(memory, segment->device);

        sums.reserved = checked_add(sums.reserved, segment->size);
        device->pool.reserved = checked_add(device->pool.reserved, segment->size);
        if (segment->is_private)
            sums.of_graphs = checked_add(sums.of_graphs, segment->size);
        read_blocks(memory, segment, (uint32_t)(device - memory->devices.list), &sums);
    }
    sums.rounding = checked_sub(sums.allocated, sums.asked);
    for (size_t i = 0; i < memory->devices.count; i++) {
        const struct memory_pool *pool = &memory->devices.list[i].pool;

        sums.cached = checked_add(sums.cached, pool->cached);
        if (pool->largest > sums.largest)
            sums.largest = pool->largest;
    }
    note_segments(memory, &sums);
}

/* ---- what was done before ---- */

/* A list that is there twice counts once. */
static void read_trace(struct torch_memory *memory, struct memory_list *list,
                       struct memory_device *device)
{
    for (size_t i = 0; i < list->events.count; i++) {
        struct memory_event *event = &list->events.list[i];

        memory->ignored += event->action == MEMORY_OTHER;
        event->stack = memory_node(memory, event->stack);
        if (event->action == MEMORY_ALLOCATE)
            builder_add(memory->stacks, event->stack, VALUE_ALLOCATED, event->size);
        if (device->events.count)
            vector_add(&device->events, *event);
    }
    if (!device->events.count) {
        device->events = list->events;
        list->events = (struct memory_events){0};
    }
    list->events.count = 0;
}

static void read_traces(struct torch_memory *memory, value_id traces)
{
    const struct values *values = &memory->pickle.values;
    uint32_t cell = value_list(values, traces);
    int64_t number_of_device = 0;

    for (value_id trace; (trace = value_next(values, &cell)); number_of_device++) {
        struct memory_list *list = memory_list_of(memory, trace);

        if (value_list(values, trace))
            memory->elsewhere += value_at(values, trace)->count;
        if (list->events.count)
            read_trace(memory, list, device_at(memory, number_of_device));
    }
}

static void read_marks(struct torch_memory *memory, value_id list)
{
    const struct values *values = &memory->pickle.values;
    uint32_t cell = value_list(values, list);

    for (value_id id; (id = value_next(values, &cell));)
        vector_add(&memory->marks,
                   (struct memory_mark){
                       .time = number(memory, id, "time_us", 0),
                       .name = builder_intern(memory->builder, text(memory, id, "name")),
                       .is_start = span_eq(text(memory, id, "stage"), SPAN("START")),
                   });
}

/* ---- the whole ---- */

static void read_all(struct torch_memory *memory, value_id root)
{
    const struct values *values = &memory->pickle.values;
    bool is_list = value_of_kind(values, root, VALUE_LIST) != NULL;
    value_id traces = value_member(values, root, SPAN("device_traces"));

    read_segments(memory, is_list ? root : value_member(values, root, SPAN("segments")));
    read_marks(memory, value_member(values, root, SPAN("external_annotations")));
    read_traces(memory, traces ? traces : value_member(values, root, SPAN("traces")));
    for (uint32_t i = 0; i < memory->devices.count; i++)
        memory_replay(memory, i);
    warning_count_many(builder_warnings(memory->builder), WARNING_LOSS,
                       "sizes and numbers of devices that cannot be", memory->odd);
    warning_count_many(builder_warnings(memory->builder), WARNING_LOSS,
                       "events that another list has, too, or that are none, left out",
                       memory->elsewhere);
    warning_count_many(builder_warnings(memory->builder), WARNING_NOTE,
                       "events that change nothing, left out", memory->ignored);
}

static void memory_free(struct torch_memory *memory)
{
    for (size_t i = 0; i < memory->lists.count; i++) {
        free(memory->lists.list[i].events.list);
        free(memory->lists.list[i].blocks.list);
        free(memory->lists.list[i].segments.list);
    }
    for (size_t i = 0; i < memory->devices.count; i++)
        free(memory->devices.list[i].events.list);
    free(memory->lists.list);
    free(memory->unlisted.events.list);
    free(memory->unlisted.blocks.list);
    free(memory->unlisted.segments.list);
    free(memory->field_of.list);
    free(memory->pieces.list);
    free(memory->items.list);
    free(memory->frames.list);
    free(memory->stacks_read.list);
    free(memory->stack_frames.list);
    free(memory->devices.list);
    free(memory->marks.list);
    idmap_free(&memory->list_of);
    idmap_free(&memory->stack_of);
    index_free(&memory->stack_index);
    pickle_free(&memory->pickle);
}

static bool parse(struct input *in, struct builder *builder, struct error *err)
{
    static const struct value_name names[MEMORY_VALUES] = {
        [VALUE_PEAK] = {LITERAL("peak"), UNIT_BYTES},
        [VALUE_END] = {LITERAL("end"), UNIT_BYTES},
        [VALUE_ALLOCATED] = {LITERAL("allocated"), UNIT_BYTES},
        [VALUE_LEAK] = {LITERAL("leak"), UNIT_BYTES},
    };
    struct torch_memory memory = {.builder = builder,
                                  .stacks = builder_stacks(builder),
                                  .pickle = {.in = in, .builder = builder}};
    const struct values *values = &memory.pickle.values;
    value_id root;
    bool has_history, ok = false;

    memory_begin_reading(&memory);
    root = pickle_read(&memory.pickle, err);
    if (root) {
        uint32_t cell = value_list(values, value_member(values, root, SPAN("device_traces")));

        has_history = false;
        for (value_id id; (id = value_next(values, &cell));)
            has_history |= memory_list_of(&memory, id)->events.count != 0;
        ok = builder_begin(builder, LEVEL_CALLTREE, names, MEMORY_VALUES,
                           has_history ? VALUE_PEAK : VALUE_END, err);
    }
    if (ok) {
        builder_producer(builder, "PyTorch's CUDA allocator");
        memory.tells_lines = builder_detail(builder, DETAIL_LINE) == DETAIL_LINE;
        read_all(&memory, root);
    }
    memory_free(&memory);
    return ok;
}

/* Segments come first, and each begins with where it lies. */
static enum sniff sniff(struct span head, bool is_all)
{
    enum { NAMED_WITHIN = 4096 };
    static const char *const names[] = {"device_traces", "segment_type", "total_size", "segments",
                                        NULL};

    if (head.len < 2)
        return is_all ? SNIFF_NO : SNIFF_MORE;
    if ((unsigned char)head.at[0] != 0x80)
        return SNIFF_NO;
    if (head.len < NAMED_WITHIN && !is_all)
        return SNIFF_MORE;
    head.len = head.len < NAMED_WITHIN ? head.len : NAMED_WITHIN;
    return span_holds_any(head, names) ? SNIFF_YES : SNIFF_NO;
}

const struct parser parser_torch_memory = {
    .name = "torch-memory",
    .title = "memory snapshots of PyTorch",
    .summary = "PyTorch: torch.cuda.memory._dump_snapshot(): who holds the device's memory",
    .tried = "PyTorch 2, with its older histories",
    .omitted = "other allocators than CUDA's caching one",
    .level = LEVEL_CALLTREE,
    .sniff = sniff,
    .parse = parse,
};
