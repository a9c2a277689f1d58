/* SPDX-License-Identifier: Apache-2.0 */
/* memory_records.c — what a snapshot has much of, read while the pickle is: frames, stacks, events, segments
 *
 * The dict of each is forgotten then. A frame and a stack become numbers: of what they are in the graph
 * nothing is said before all is read. */
#define XXH_INLINE_ALL
#include <stdio.h>
#include <xxhash.h>

#include "parsers/stacks/language_names.h"
#include "parsers/torch_memory/torch_memory.h"

enum { DEPTH_MAX = 1000 };

#define NO_FRAME UINT32_MAX
enum { TAKEN_FRAME = 1, TAKEN_STACK, TAKEN_EVENT, TAKEN_BLOCK, TAKEN_SEGMENT };

/* ---- members of dicts ---- */

static const char *const field_names[MEMORY_FIELDS] = {
    [FIELD_ACTION] = "action",       [FIELD_ADDR] = "addr",
    [FIELD_SIZE] = "size",           [FIELD_TIME] = "time_us",
    [FIELD_FRAMES] = "frames",       [FIELD_LEFT] = "device_free",
    [FIELD_ADDRESS] = "address",     [FIELD_ASKED] = "requested_size",
    [FIELD_STATE] = "state",         [FIELD_HISTORY] = "history",
    [FIELD_REAL_SIZE] = "real_size", [FIELD_NAME] = "name",
    [FIELD_FILE] = "filename",       [FIELD_LINE] = "line",
    [FIELD_TOTAL] = "total_size",    [FIELD_DEVICE] = "device",
    [FIELD_POOL] = "segment_pool_id", [FIELD_BLOCKS] = "blocks",
    [FIELD_STREAM] = "stream",       [FIELD_SEGMENT_TYPE] = "segment_type",
    [FIELD_EXPANDABLE] = "is_expandable",
};

/* A dict's keys and values in turn, until the next call. */
static void items_of(struct torch_memory *memory, value_id dict)
{
    const struct values *values = &memory->pickle.values;
    uint32_t cell = value_first(value_at(values, dict));

    memory->items.count = 0;
    for (value_id item; (item = value_next(values, &cell));)
        vector_add(&memory->items, item);
}

/* Of `count` keys and values in turn, the values of those that are looked at; 0: there is none. */
static void find_members(const struct torch_memory *memory, const value_id *items, size_t count,
                         value_id *members)
{
    memset(members, 0, MEMORY_FIELDS * sizeof(*members));
    for (size_t item = 0; item + 1 < count; item += 2) {
        const struct value *name = value_at(&memory->pickle.values, items[item]);
        uint32_t field = MEMORY_FIELDS;

        if (name->kind == VALUE_TEXT && name->text < memory->field_of.count)
            field = memory->field_of.list[name->text];
        if (field < MEMORY_FIELDS && !members[field])
            members[field] = items[item + 1];
    }
}

static void find_members_of(struct torch_memory *memory, value_id dict, value_id *members)
{
    items_of(memory, dict);
    find_members(memory, memory->items.list, memory->items.count, members);
}

static int64_t whole(const struct torch_memory *memory, value_id id, int64_t otherwise)
{
    const struct value *value = value_of_kind(&memory->pickle.values, id, VALUE_INT);

    return value ? value->whole : otherwise;
}

static int64_t size_of(struct torch_memory *memory, value_id id)
{
    int64_t size = whole(memory, id, 0);

    memory->odd += size < 0;
    return size < 0 ? 0 : size;
}

static str_id text(const struct torch_memory *memory, value_id id)
{
    const struct value *value = value_of_kind(&memory->pickle.values, id, VALUE_TEXT);

    return value ? value->text : 0;
}

/* ---- frames and stacks as they are read ---- */

static uint32_t frame_number(struct torch_memory *memory, value_id id)
{
    const struct value *value = value_at(&memory->pickle.values, id);
    value_id members[MEMORY_FIELDS];

    if (value->kind == VALUE_TAKEN && value->count == TAKEN_FRAME)
        return (uint32_t)value->whole;
    if (value->kind != VALUE_DICT)
        return NO_FRAME;
    find_members_of(memory, id, members);
    vector_add(&memory->frames, (struct memory_frame){
                                    .file = text(memory, members[FIELD_FILE]),
                                    .name = text(memory, members[FIELD_NAME]),
                                    .line = whole(memory, members[FIELD_LINE], 0),
                                });
    pickle_take(&memory->pickle, id, TAKEN_FRAME, (uint32_t)memory->frames.count - 1);
    return (uint32_t)memory->frames.count - 1;
}

/* The number of what is at the end of the list of stacks' frames: they go where they were before. */
static uint32_t number_of_last(struct torch_memory *memory, struct memory_stack stack)
{
    const uint32_t *frames = memory->stack_frames.list;
    size_t bytes = stack.count * sizeof(*frames);
    struct index_place place;

    index_reserve(&memory->stack_index);
    place = index_start(
        &memory->stack_index,
        (uint32_t)XXH3_64bits_withSeed(frames + stack.first, bytes, memory->stack_index.key));
    for (uint32_t known; (known = index_next(&memory->stack_index, &place));) {
        const struct memory_stack *other = &memory->stacks_read.list[known];

        if (other->count == stack.count &&
            memcmp(frames + other->first, frames + stack.first, bytes) == 0) {
            memory->stack_frames.count = stack.first;
            return known;
        }
    }
    vector_add(&memory->stacks_read, stack);
    return index_add(&memory->stack_index, &place);
}

/* A list of frames; 0 for what has none. */
static uint32_t stack_number(struct torch_memory *memory, value_id id)
{
    const struct value *value = id ? value_at(&memory->pickle.values, id) : NULL;
    struct memory_stack stack = {.first = memory->stack_frames.count};
    uint32_t cell, number;

    if (value && value->kind == VALUE_TAKEN && value->count == TAKEN_STACK) {
        number = (uint32_t)value->whole;
        pickle_share(&memory->pickle, id, TAKEN_STACK, number);
        return number;
    }
    if (!value || (value->kind != VALUE_LIST && value->kind != VALUE_TUPLE))
        return 0;
    cell = value_first(value);
    for (value_id item; (item = value_next(&memory->pickle.values, &cell));)
        if ((number = frame_number(memory, item)) != NO_FRAME)
            vector_add(&memory->stack_frames, number);
    stack.count = (uint32_t)(memory->stack_frames.count - stack.first);
    number = stack.count ? number_of_last(memory, stack) : 0;
    pickle_share(&memory->pickle, id, TAKEN_STACK, number);
    return number;
}

/* A list of frames that were read before, which most are: their numbers are all that is needed. */
static uint32_t memory_read_list(void *context, const value_id *items, size_t count, uint32_t *number)
{
    struct torch_memory *memory = context;
    struct memory_stack stack = {.first = memory->stack_frames.count, .count = (uint32_t)count};

    for (size_t i = 0; i < count; i++) {
        const struct value *value = value_at(&memory->pickle.values, items[i]);

        if (value->kind != VALUE_TAKEN || value->count != TAKEN_FRAME) {
            memory->stack_frames.count = stack.first;
            return 0;
        }
        vector_add(&memory->stack_frames, (uint32_t)value->whole);
    }
    if (!count)
        return 0;
    *number = number_of_last(memory, stack);
    return TAKEN_STACK;
}

/* ---- events, blocks and segments ---- */

static const struct {
    const char *name;
    enum memory_action action;
} actions[MEMORY_ACTIONS] = {
    {"alloc", MEMORY_ALLOCATE},       {"free_requested", MEMORY_FREE},
    {"free_completed", MEMORY_FREED}, {"segment_alloc", MEMORY_RESERVE},
    {"segment_map", MEMORY_RESERVE},  {"segment_free", MEMORY_RETURN},
    {"segment_unmap", MEMORY_RETURN}, {"oom", MEMORY_EXHAUSTED},
};

static enum memory_action action_named(const struct torch_memory *memory, str_id name)
{
    for (size_t i = 0; i < MEMORY_ACTIONS; i++)
        if (memory->action_names[i] == name)
            return actions[i].action;
    return MEMORY_OTHER;
}

static struct memory_event event_of(struct torch_memory *memory, const value_id *members)
{
    struct memory_event event = {
        .action = action_named(memory, text(memory, members[FIELD_ACTION])),
        .size = size_of(memory, members[FIELD_SIZE]),
        .time = whole(memory, members[FIELD_TIME], 0),
        .stack = stack_number(memory, members[FIELD_FRAMES]),
    };

    if (event.action == MEMORY_EXHAUSTED)
        event.left = whole(memory, members[FIELD_LEFT], UNKNOWN);
    else
        event.address = (uint64_t)whole(memory, members[FIELD_ADDR], 0);
    return event;
}

/* Blocks of old snapshots keep what was asked for, and by whom, in their history, the newest first. */
static struct memory_block block_of(struct torch_memory *memory, const value_id *members)
{
    struct span state = builder_text(memory->builder, text(memory, members[FIELD_STATE]));
    value_id frames = members[FIELD_FRAMES], before[MEMORY_FIELDS] = {0};
    uint32_t cell = value_list(&memory->pickle.values, members[FIELD_HISTORY]);
    value_id newest = value_next(&memory->pickle.values, &cell);
    struct memory_block block = {.size = size_of(memory, members[FIELD_SIZE]),
                                 .is_live = span_eq(state, SPAN("active_allocated")),
                                 .is_pending = span_starts(state, SPAN("active_"))};

    if (newest && value_of_kind(&memory->pickle.values, newest, VALUE_DICT))
        find_members_of(memory, newest, before);
    block.has_address =
        value_of_kind(&memory->pickle.values, members[FIELD_ADDRESS], VALUE_INT) != NULL;
    block.address = (uint64_t)whole(memory, members[FIELD_ADDRESS], 0);
    block.asked = members[FIELD_ASKED] ? size_of(memory, members[FIELD_ASKED])
                  : newest             ? size_of(memory, before[FIELD_REAL_SIZE])
                                       : block.size;
    if (block.is_live)
        block.stack = stack_number(memory, frames || !newest ? frames : before[FIELD_FRAMES]);
    return block;
}

struct memory_list *memory_list_of(struct torch_memory *memory, value_id list)
{
    uint32_t *known;

    if (memory->lists.count && list == memory->last_list)
        return &memory->lists.list[memory->last_number];
    known = idmap_at(&memory->list_of, list);
    if (*known == IDMAP_NONE) {
        *known = (uint32_t)memory->lists.count;
        vector_add(&memory->lists, (struct memory_list){0});
    }
    memory->last_list = list;
    memory->last_number = *known;
    return &memory->lists.list[*known];
}

static bool is_private(const struct torch_memory *memory, value_id pool)
{
    const struct values *values = &memory->pickle.values;
    uint32_t cell = value_list(values, pool);

    for (value_id id; (id = value_next(values, &cell));)
        if (whole(memory, id, 0) != 0)
            return true;
    return false;
}

/* Its blocks follow those of the segments before, and their list is needed no more. */
static struct memory_segment segment_of(struct torch_memory *memory, const value_id *members)
{
    struct memory_segment segment = {
        .address = (uint64_t)whole(memory, members[FIELD_ADDRESS], 0),
        .size = size_of(memory, members[FIELD_TOTAL]),
        .device = whole(memory, members[FIELD_DEVICE], 0),
        .stream = whole(memory, members[FIELD_STREAM], 0),
        .first = memory->pieces.count,
        .is_small = span_eq(builder_text(memory->builder, text(memory, members[FIELD_SEGMENT_TYPE])), SPAN("small")),
        .is_expandable = whole(memory, members[FIELD_EXPANDABLE], 0) != 0,
        .is_private = is_private(memory, members[FIELD_POOL]),
    };
    value_id list = members[FIELD_BLOCKS];

    if (list && value_of_kind(&memory->pickle.values, list, VALUE_LIST)) {
        struct memory_blocks *blocks = &memory_list_of(memory, list)->blocks;

        for (size_t i = 0; i < blocks->count; i++)
            vector_add(&memory->pieces, blocks->list[i]);
        segment.count = blocks->count;
        if (!value_at(&memory->pickle.values, list)->is_fetched) {
            blocks->count = 0;
            pickle_share(&memory->pickle, list, 0, 0);
        }
    }
    stack_number(memory, members[FIELD_FRAMES]); /* not looked at: forgotten */
    return segment;
}

/* What an event, a block or a segment is known by before it comes into its list: a number of `unlisted`. */
static uint32_t memory_read(void *context, const value_id *items, size_t count, uint32_t *number)
{
    struct torch_memory *memory = context;
    value_id members[MEMORY_FIELDS];

    find_members(memory, items, count, members);
    if (members[FIELD_ACTION]) {
        vector_add(&memory->unlisted.events, event_of(memory, members));
        *number = (uint32_t)memory->unlisted.events.count - 1;
        return TAKEN_EVENT;
    }
    if (members[FIELD_STATE]) {
        vector_add(&memory->unlisted.blocks, block_of(memory, members));
        *number = (uint32_t)memory->unlisted.blocks.count - 1;
        return TAKEN_BLOCK;
    }
    if (!members[FIELD_TOTAL])
        return 0;
    vector_add(&memory->unlisted.segments, segment_of(memory, members));
    *number = (uint32_t)memory->unlisted.segments.count - 1;
    return TAKEN_SEGMENT;
}

static bool memory_take(void *context, value_id list, value_id item)
{
    struct torch_memory *memory = context;
    const struct value *value = value_at(&memory->pickle.values, item);
    uint32_t kind = value->kind == VALUE_TAKEN ? value->count : 0, number = (uint32_t)value->whole;
    struct memory_list *from = &memory->unlisted, *into;

    if (value->kind == VALUE_DICT) {
        items_of(memory, item);
        kind = memory_read(memory, memory->items.list, memory->items.count, &number);
    }
    if (kind != TAKEN_EVENT && kind != TAKEN_BLOCK && kind != TAKEN_SEGMENT)
        return false;
    into = memory_list_of(memory, list);
    if (kind == TAKEN_EVENT)
        vector_add(&into->events, from->events.list[number]);
    else if (kind == TAKEN_BLOCK)
        vector_add(&into->blocks, from->blocks.list[number]);
    else
        vector_add(&into->segments, from->segments.list[number]);
    pickle_take(&memory->pickle, item, 0, 0);
    if (++memory->listed == from->events.count + from->blocks.count + from->segments.count)
        memory->listed = from->events.count = from->blocks.count = from->segments.count = 0;
    return true;
}

void memory_begin_reading(struct torch_memory *memory)
{
    for (uint32_t i = 0; i < MEMORY_FIELDS; i++) {
        str_id name = builder_intern(memory->builder, span_of(field_names[i]));

        while (memory->field_of.count <= name)
            vector_add(&memory->field_of, MEMORY_FIELDS);
        memory->field_of.list[name] = (unsigned char)i;
    }
    for (size_t i = 0; i < MEMORY_ACTIONS; i++)
        memory->action_names[i] = builder_intern(memory->builder, span_of(actions[i].name));
    vector_add(&memory->stacks_read, (struct memory_stack){.first = 0});
    memory->pickle.read = memory_read;
    memory->pickle.read_list = memory_read_list;
    memory->pickle.take = memory_take;
    memory->pickle.takes = VALUE_DICT;
    memory->pickle.context = memory;
}

/* ---- stacks in the graph, when all is read ---- */

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

/* Lines are those that allocated; where a function begins is not known. 0: it is not shown. */
static frame_id frame_of(struct torch_memory *memory, struct memory_frame *read)
{
    struct span file = builder_text(memory->builder, read->file);
    bool is_python = span_ends(file, SPAN(".py")) || span_starts(file, SPAN("<"));
    struct frame frame = {.name = read->name,
                          .kind = is_python ? KIND_PYTHON : KIND_HOST,
                          .lacks_line = !memory->tells_lines,
                          .line = memory->tells_lines ? read->line : 0};
    char room[PYTHON_MODULE_MAX];

    if (read->is_made || is_plumbing(file, builder_text(memory->builder, read->name)))
        return read->made;
    if (!span_eq(file, SPAN("??")))
        frame.file = read->file;
    if (is_python)
        frame.module = builder_intern(memory->builder, python_module(file, room));
    read->is_made = true;
    return read->made = builder_frame(memory->builder, &frame);
}

node_id memory_node(struct torch_memory *memory, uint32_t number)
{
    struct memory_stack *stack = &memory->stacks_read.list[number];
    frame_id list[DEPTH_MAX];
    size_t depth = 0;

    if (stack->node)
        return stack->node;
    for (uint32_t i = 0; i < stack->count && depth < DEPTH_MAX; i++) {
        uint32_t frame = memory->stack_frames.list[stack->first + i];

        list[depth] = frame_of(memory, &memory->frames.list[frame]);
        depth += list[depth] != 0;
    }
    if (depth == 0)
        list[depth++] = builder_frame(
            memory->builder,
            &(struct frame){.name = builder_intern(memory->builder, SPAN("<no frames>")),
                            .kind = KIND_OTHER});
    while (depth-- > 0)
        stack->node = builder_child(memory->stacks, stack->node, list[depth]);
    *idmap_at(&memory->stack_of, stack->node) = number;
    return stack->node;
}

/* Where a program's own code called a library. */
static bool is_library(struct span file)
{
    static const char *const folders[] = {"/torch/", "site-packages", "dist-packages", NULL};

    return span_starts(file, SPAN("torch/")) || !span_ends(file, SPAN(".py")) ||
           span_holds_any(file, folders);
}

static void place_of(const struct torch_memory *memory, const struct memory_stack *stack, char *out,
                     size_t room)
{
    const struct memory_frame *chosen = NULL;

    for (uint32_t i = 0; i < stack->count; i++) {
        uint32_t number = memory->stack_frames.list[stack->first + i];
        const struct memory_frame *frame = &memory->frames.list[number];
        struct span file = builder_text(memory->builder, frame->file);

        if (!chosen && !is_plumbing(file, builder_text(memory->builder, frame->name)))
            chosen = frame;
        if (!is_library(file)) {
            chosen = frame;
            break;
        }
    }
    snprintf(out, room, "<no frames>");
    if (chosen) {
        struct span file = builder_text(memory->builder, chosen->file);
        struct span name = builder_text(memory->builder, chosen->name);

        snprintf(out, room, "%.*s:%lld %.*s", (int)(file.len < 200 ? file.len : 200), file.at,
                 (long long)chosen->line, (int)(name.len < 200 ? name.len : 200), name.at);
    }
}

void memory_place(const struct torch_memory *memory, node_id node, char *out, size_t room)
{
    uint32_t known = idmap_find(&memory->stack_of, node);

    place_of(memory, &memory->stacks_read.list[known == IDMAP_NONE ? 0 : known], out, room);
}

str_id memory_stack_place(struct torch_memory *memory, uint32_t number)
{
    struct memory_stack *stack = &memory->stacks_read.list[number];
    char text[500];

    if (!stack->place && stack->count) {
        place_of(memory, stack, text, sizeof(text));
        stack->place = builder_intern(memory->builder, span_of(text));
    }
    return stack->place;
}
