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
#include "parsers/shared/language_names.h"
#include "parsers/torch_memory/torch_memory.h"

enum { DEPTH_MAX = 1000, DEVICES_MAX = 1024 };

/* ---- values of the pickle ---- */

static const struct value *value_of(const struct torch_memory *memory, value_id id,
                                    enum pickled type)
{
    const struct value *value = id ? value_at(&memory->pickle.values, id) : NULL;

    return value && value->type == type ? value : NULL;
}

/* A member of a dict; 0: it has none of that name. */
static value_id member(const struct torch_memory *memory, value_id dict, const char *name)
{
    const struct pickle_values *values = &memory->pickle.values;
    const struct value *whole = value_of(memory, dict, PICKLED_DICT);
    uint32_t cell = whole ? whole->first : 0;

    for (value_id key; (key = value_next(values, &cell));) {
        const struct value *text = value_of(memory, key, PICKLED_TEXT);
        value_id found = value_next(values, &cell);

        if (text && span_eq(builder_text(memory->builder, text->text), span_of(name)))
            return found;
    }
    return 0;
}

static int64_t number(const struct torch_memory *memory, value_id dict, const char *name,
                      int64_t otherwise)
{
    const struct value *value = value_of(memory, member(memory, dict, name), PICKLED_INT);

    return value ? value->whole : otherwise;
}

/* Sizes are not negative. */
static int64_t size_of(struct torch_memory *memory, value_id dict, const char *name)
{
    int64_t size = number(memory, dict, name, 0);

    memory->odd += size < 0;
    return size < 0 ? 0 : size;
}

static struct span text(const struct torch_memory *memory, value_id dict, const char *name)
{
    const struct value *value = value_of(memory, member(memory, dict, name), PICKLED_TEXT);

    return value ? builder_text(memory->builder, value->text) : (struct span){0};
}

static uint32_t first_cell(const struct torch_memory *memory, value_id list)
{
    const struct value *value = value_of(memory, list, PICKLED_LIST);

    if (!value)
        value = value_of(memory, list, PICKLED_TUPLE);
    return value ? value->first : 0;
}

/* ---- stacks ---- */

/* What the recorder itself and the interpreter add, with stacks="all". */
static bool is_plumbing(struct span file, struct span name)
{
    static const char *const names[] = {"torch::unwind::",
                                        "torch::CapturedTraceback::gather",
                                        "CapturedTraceback::gather",
                                        "PyEval_",
                                        "_PyEval_",
                                        "PyObject_",
                                        "_PyObject_",
                                        "_PyFunction_",
                                        "c10::Dispatcher::",
                                        "PyRun_",
                                        "Py_",
                                        "_start",
                                        "__libc_start",
                                        "unwind",
                                        "??",
                                        NULL};

    return !span_ends(file, SPAN(".py")) && span_starts_any(name, names);
}

/* Lines are those that allocated; where a function begins is not known. */
static frame_id read_frame(struct torch_memory *memory, value_id id)
{
    struct span file = text(memory, id, "filename"), name = text(memory, id, "name");
    bool is_python = span_ends(file, SPAN(".py")) || span_starts(file, SPAN("<"));
    struct frame frame = {.kind = is_python ? KIND_PYTHON : KIND_HOST, .lacks_line = true};
    char room[PYTHON_MODULE_MAX];

    if (!value_of(memory, id, PICKLED_DICT) || is_plumbing(file, name))
        return 0;
    frame.name = builder_intern(memory->builder, name);
    if (file.len && !span_eq(file, SPAN("??")))
        frame.file = builder_intern(memory->builder, file);
    if (is_python)
        frame.module = builder_intern(memory->builder, python_module(file, room));
    if (memory->tells_lines) {
        frame.line = number(memory, id, "line", 0);
        frame.lacks_line = false;
    }
    return builder_frame(memory->builder, &frame);
}

/* The node of a list of frames, the innermost first; one node for all that had none. */
static node_id stack_of(struct torch_memory *memory, value_id frames)
{
    uint32_t *known = idmap_at(&memory->node_of, frames), cell = first_cell(memory, frames);
    frame_id list[DEPTH_MAX];
    size_t depth = 0;
    node_id node = 0;

    if (*known != IDMAP_NONE)
        return *known;
    for (value_id id; depth < DEPTH_MAX && (id = value_next(&memory->pickle.values, &cell));) {
        list[depth] = read_frame(memory, id);
        depth += list[depth] != 0;
    }
    if (depth == 0)
        list[depth++] = builder_frame(
            memory->builder,
            &(struct frame){.name = builder_intern(memory->builder, SPAN("<no frames>")),
                            .kind = KIND_OTHER});
    while (depth-- > 0)
        node = builder_child(memory->stacks, node, list[depth]);
    *idmap_at(&memory->node_of, frames) = node;
    *idmap_at(&memory->frames_of, node) = frames;
    return node;
}

/* Where a program's own code called a library. */
static bool is_library(struct span file)
{
    static const char *const folders[] = {"/torch/", "site-packages", "dist-packages", NULL};

    return span_starts(file, SPAN("torch/")) || !span_ends(file, SPAN(".py")) ||
           span_holds_any(file, folders);
}

void memory_place(const struct torch_memory *memory, node_id stack, char *out, size_t room)
{
    uint32_t cell = first_cell(memory, idmap_find(&memory->frames_of, stack));
    value_id chosen = 0;

    for (value_id id; (id = value_next(&memory->pickle.values, &cell));) {
        struct span file = text(memory, id, "filename");

        if (!chosen && !is_plumbing(file, text(memory, id, "name")))
            chosen = id;
        if (!is_library(file)) {
            chosen = id;
            break;
        }
    }
    snprintf(out, room, "<no frames>");
    if (chosen) {
        struct span file = text(memory, chosen, "filename"), name = text(memory, chosen, "name");

        snprintf(out, room, "%.*s:%lld %.*s", (int)(file.len < 200 ? file.len : 200), file.at,
                 (long long)number(memory, chosen, "line", 0),
                 (int)(name.len < 200 ? name.len : 200), name.at);
    }
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

/* Blocks of old snapshots keep what was asked for in their history. */
static int64_t asked_of(struct torch_memory *memory, value_id block, int64_t size)
{
    uint32_t cell = first_cell(memory, member(memory, block, "history"));
    value_id newest = value_next(&memory->pickle.values, &cell);

    if (member(memory, block, "requested_size"))
        return size_of(memory, block, "requested_size");
    return newest ? size_of(memory, newest, "real_size") : size;
}

static value_id frames_of_block(const struct torch_memory *memory, value_id block)
{
    value_id frames = member(memory, block, "frames"), newest;
    uint32_t cell = first_cell(memory, member(memory, block, "history"));

    newest = value_next(&memory->pickle.values, &cell);
    return frames || !newest ? frames : member(memory, newest, "frames");
}

static void add_live(struct torch_memory *memory, value_id id, struct memory_block block,
                     struct segment_sums *sums)
{
    block.asked = asked_of(memory, id, block.size);
    block.stack = stack_of(memory, frames_of_block(memory, id));
    sums->allocated = checked_add(sums->allocated, block.size);
    sums->asked = checked_add(sums->asked, block.asked);
    sums->blocks++;
    builder_add(memory->stacks, block.stack, VALUE_END, block.size);
    vector_add(&memory->blocks, block);
}

/* A block waits to be free as long as another stream may use it. */
static void read_blocks(struct torch_memory *memory, value_id segment, uint32_t device,
                        struct segment_sums *sums)
{
    struct memory_pool *pool = &memory->devices.list[device].pool;
    uint32_t cell = first_cell(memory, member(memory, segment, "blocks"));
    uint64_t address = (uint64_t)number(memory, segment, "address", 0);
    int64_t idle = 0;
    size_t live = memory->blocks.count;

    for (value_id id; (id = value_next(&memory->pickle.values, &cell));) {
        struct span state = text(memory, id, "state");
        int64_t size = size_of(memory, id, "size");

        address = (uint64_t)number(memory, id, "address", (int64_t)address);
        if (span_eq(state, SPAN("active_allocated"))) {
            add_live(memory, id,
                     (struct memory_block){.address = address, .size = size, .device = device},
                     sums);
        } else if (span_starts(state, SPAN("active_"))) {
            sums->pending = checked_add(sums->pending, size);
            sums->pending_blocks++;
        } else {
            idle = checked_add(idle, size);
            sums->pieces++;
            if (size > pool->largest)
                pool->largest = size;
        }
        address += (uint64_t)size;
    }
    pool->cached = checked_add(pool->cached, idle);
    if (memory->blocks.count > live)
        sums->trapped = checked_add(sums->trapped, idle);
}

static bool is_private(const struct torch_memory *memory, value_id segment)
{
    uint32_t cell = first_cell(memory, member(memory, segment, "segment_pool_id"));

    for (value_id id; (id = value_next(&memory->pickle.values, &cell));) {
        const struct value *part = value_of(memory, id, PICKLED_INT);

        if (part && part->whole != 0)
            return true;
    }
    return false;
}

static void tell_segments(const struct torch_memory *memory, const struct segment_sums *sums)
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
    uint32_t cell = first_cell(memory, list);
    struct segment_sums sums = {0};

    for (value_id id; (id = value_next(&memory->pickle.values, &cell));) {
        int64_t size = size_of(memory, id, "total_size");
        struct memory_device *device = device_at(memory, number(memory, id, "device", 0));

        sums.segments++;
        sums.reserved = checked_add(sums.reserved, size);
        device->pool.reserved = checked_add(device->pool.reserved, size);
        if (is_private(memory, id))
            sums.of_graphs = checked_add(sums.of_graphs, size);
        read_blocks(memory, id, (uint32_t)(device - memory->devices.list), &sums);
    }
    sums.rounding = checked_sub(sums.allocated, sums.asked);
    for (size_t i = 0; i < memory->devices.count; i++) {
        const struct memory_pool *pool = &memory->devices.list[i].pool;

        sums.cached = checked_add(sums.cached, pool->cached);
        if (pool->largest > sums.largest)
            sums.largest = pool->largest;
    }
    tell_segments(memory, &sums);
}

/* ---- what was done before ---- */

static enum memory_action action_named(struct span name)
{
    static const struct {
        const char *name;
        enum memory_action action;
    } names[] = {
        {"alloc", MEMORY_ALLOCATE},       {"free_requested", MEMORY_FREE},
        {"free_completed", MEMORY_FREED}, {"segment_alloc", MEMORY_RESERVE},
        {"segment_map", MEMORY_RESERVE},  {"segment_free", MEMORY_RETURN},
        {"segment_unmap", MEMORY_RETURN}, {"oom", MEMORY_EXHAUSTED},
    };

    for (size_t i = 0; i < COUNT_OF(names); i++)
        if (span_eq(name, span_of(names[i].name)))
            return names[i].action;
    return MEMORY_OTHER;
}

static void read_event(struct torch_memory *memory, struct memory_device *device, value_id id)
{
    struct memory_event event = {.action = action_named(text(memory, id, "action")),
                                 .address = (uint64_t)number(memory, id, "addr", 0),
                                 .size = size_of(memory, id, "size"),
                                 .time = number(memory, id, "time_us", 0),
                                 .left = number(memory, id, "device_free", UNKNOWN)};

    memory->ignored += event.action == MEMORY_OTHER;
    event.stack = stack_of(memory, member(memory, id, "frames"));
    if (event.action == MEMORY_ALLOCATE)
        builder_add(memory->stacks, event.stack, VALUE_ALLOCATED, event.size);
    vector_add(&device->events, event);
}

static void read_traces(struct torch_memory *memory, value_id traces)
{
    uint32_t cell = first_cell(memory, traces), of_device;
    int64_t number_of_device = 0;

    for (value_id trace; (trace = value_next(&memory->pickle.values, &cell)); number_of_device++) {
        of_device = first_cell(memory, trace);
        for (value_id id; (id = value_next(&memory->pickle.values, &of_device));)
            read_event(memory, device_at(memory, number_of_device), id);
    }
}

static void read_marks(struct torch_memory *memory, value_id list)
{
    uint32_t cell = first_cell(memory, list);

    for (value_id id; (id = value_next(&memory->pickle.values, &cell));)
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
    bool is_list = value_of(memory, root, PICKLED_LIST) != NULL;
    value_id traces = member(memory, root, "device_traces");

    read_segments(memory, is_list ? root : member(memory, root, "segments"));
    read_marks(memory, member(memory, root, "external_annotations"));
    read_traces(memory, traces ? traces : member(memory, root, "traces"));
    for (uint32_t i = 0; i < memory->devices.count; i++)
        memory_replay(memory, i);
    warning_count_many(builder_warnings(memory->builder), WARNING_LOSS,
                       "sizes and numbers of devices that cannot be", memory->odd);
    warning_count_many(builder_warnings(memory->builder), WARNING_NOTE,
                       "events that change nothing, left out", memory->ignored);
}

static bool parse(struct input *in, struct builder *builder, struct error *err)
{
    static const struct value_name values[MEMORY_VALUES] = {
        [VALUE_PEAK] = {{"peak", 4}, UNIT_BYTES},
        [VALUE_END] = {{"end", 3}, UNIT_BYTES},
        [VALUE_ALLOCATED] = {{"allocated", 9}, UNIT_BYTES},
        [VALUE_LEAK] = {{"leak", 4}, UNIT_BYTES},
    };
    struct torch_memory memory = {.builder = builder,
                                  .stacks = builder_stacks(builder),
                                  .pickle = {.in = in, .builder = builder}};
    value_id root;
    bool has_history, ok = false;

    root = pickle_read(&memory.pickle, err);
    if (root) {
        uint32_t cell = first_cell(&memory, member(&memory, root, "device_traces"));

        has_history = false;
        for (value_id id; (id = value_next(&memory.pickle.values, &cell));)
            has_history |= first_cell(&memory, id) != 0;
        ok = builder_begin(builder, LEVEL_CALLTREE, values, MEMORY_VALUES,
                           has_history ? VALUE_PEAK : VALUE_END, err);
    }
    if (ok) {
        builder_producer(builder, "PyTorch's CUDA allocator");
        memory.tells_lines = builder_detail(builder, DETAIL_LINE) == DETAIL_LINE;
        read_all(&memory, root);
    }
    for (size_t i = 0; i < memory.devices.count; i++)
        free(memory.devices.list[i].events.list);
    free(memory.devices.list);
    free(memory.blocks.list);
    free(memory.marks.list);
    idmap_free(&memory.node_of);
    idmap_free(&memory.frames_of);
    pickle_free(&memory.pickle);
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
    .level = LEVEL_CALLTREE,
    .sniff = sniff,
    .parse = parse,
};
