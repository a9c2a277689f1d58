/* SPDX-License-Identifier: Apache-2.0 */
/* tracemalloc.c — the blocks of memory that a Python program holds: tracemalloc's Snapshot.dump()
 *
 *     Snapshot: traces, a _Traces; traceback_limit
 *     _Traces: _traces [(domain, bytes, ((file, line), ...), frames in all), ...]
 *
 * A traceback begins with the line that allocated. It names no functions: lines stand for them. */
#include <stdio.h>

#include "base/memory/memory.h"
#include "parsers/parser.h"
#include "parsers/pickle/pickle.h"
#include "parsers/stacks/language_names.h"

enum { DEPTH_MAX = 1000 };

enum { VALUE_BYTES, VALUE_BLOCKS };

/* What values that were read stand for from then on, see pickle_take(): a frame; a node, with how many
 * frames its traceback has. */
enum { TAKEN_FRAME = 1, TAKEN_TRACEBACK };

struct snapshot {
    struct builder *builder;
    struct stack_builder *stacks;
    struct pickle pickle;
    value_id traces; /* the list whose blocks are read on their way into it; 0: none yet */
    uint64_t odd, cut;
};

/* (file, line), as "file.py:12"; 0 when it is none. */
static frame_id read_frame(struct snapshot *snapshot, value_id id)
{
    const struct value *tuple = value_of_kind(&snapshot->pickle.values, id, VALUE_TUPLE), *file,
                       *line;
    uint32_t cell = tuple ? tuple->first : 0;
    char room[PYTHON_MODULE_MAX], name[300];
    struct frame frame = {.kind = KIND_PYTHON};
    struct span path;
    const struct value *taken = value_of_kind(&snapshot->pickle.values, id, VALUE_TAKEN);
    frame_id known;

    if (taken)
        return taken->count == TAKEN_FRAME ? (frame_id)taken->whole : 0;
    file = value_of_kind(&snapshot->pickle.values, value_next(&snapshot->pickle.values, &cell),
                         VALUE_TEXT);
    line = value_of_kind(&snapshot->pickle.values, value_next(&snapshot->pickle.values, &cell),
                         VALUE_INT);
    if (!file || !line)
        return 0;
    path = builder_text(snapshot->builder, file->text);
    frame.module = builder_intern(snapshot->builder, python_module(path, room));
    path = span_file_name(path);
    snprintf(name, sizeof(name), "%.*s:%lld", (int)(path.len < 255 ? path.len : 255), path.at,
             (long long)line->whole);
    frame.name = builder_intern(snapshot->builder, span_of(name));
    frame.file = file->text;
    frame.line = line->whole;
    known = builder_frame(snapshot->builder, &frame);
    pickle_share(&snapshot->pickle, id, TAKEN_FRAME, known);
    return known;
}

/* Makes a tuple the node of its innermost line: many blocks share a traceback. */
static void read_traceback(struct snapshot *snapshot, value_id id)
{
    const struct value *tuple = value_at(&snapshot->pickle.values, id);
    uint32_t cell = tuple->first, count = tuple->count;
    frame_id frames[DEPTH_MAX];
    size_t depth = 0;
    node_id node = 0;

    for (value_id frame; (frame = value_next(&snapshot->pickle.values, &cell));) {
        if (depth == DEPTH_MAX) {
            snapshot->cut++;
            break;
        }
        frames[depth] = read_frame(snapshot, frame);
        snapshot->odd += !frames[depth];
        depth += frames[depth] != 0;
    }
    while (depth-- > 0)
        node = builder_child(snapshot->stacks, node, frames[depth]);
    pickle_share(&snapshot->pickle, id, TAKEN_TRACEBACK + count, node);
}

/* (domain, bytes, traceback), and of Python 3.9 on how many frames there were; false: it is none. */
static bool read_block(struct snapshot *snapshot, value_id id)
{
    const struct values *values = &snapshot->pickle.values;
    const struct value *tuple = value_of_kind(values, id, VALUE_TUPLE), *bytes, *taken, *frames;
    uint32_t cell = tuple ? tuple->first : 0;
    value_id parts[4];
    node_id node;

    for (size_t i = 0; i < COUNT_OF(parts); i++)
        parts[i] = value_next(values, &cell);
    if (value_of_kind(values, parts[2], VALUE_TUPLE))
        read_traceback(snapshot, parts[2]);
    bytes = value_of_kind(values, parts[1], VALUE_INT);
    taken = value_of_kind(values, parts[2], VALUE_TAKEN);
    frames = value_of_kind(values, parts[3], VALUE_INT);
    if (!bytes || bytes->whole < 0 || !taken || taken->count < TAKEN_TRACEBACK)
        return false;
    node = (node_id)taken->whole;
    snapshot->cut += frames && frames->whole > (int64_t)taken->count - TAKEN_TRACEBACK;
    builder_add(snapshot->stacks, node, VALUE_BYTES, bytes->whole);
    builder_add(snapshot->stacks, node, VALUE_BLOCKS, 1);
    return true;
}

/* A pickle of millions of blocks is never in memory: each is read on its way into the list. */
static bool take_block(void *context, value_id list, value_id item)
{
    struct snapshot *snapshot = context;

    if (!snapshot->traces && read_block(snapshot, item)) {
        snapshot->traces = list;
        return true;
    }
    return snapshot->traces == list && read_block(snapshot, item);
}

/* What is in an object that pickle_read() has left: a dict; 0. */
static value_id object_state(const struct values *values, value_id id)
{
    const struct value *object = value_of_kind(values, id, VALUE_OBJECT);
    uint32_t cell = object ? object->first : 0;

    return value_next(values, &cell);
}

static bool read_snapshot(struct snapshot *snapshot, value_id root, struct error *err)
{
    const struct values *values = &snapshot->pickle.values;
    value_id state = object_state(values, root),
             traces = object_state(values, value_member(values, state, SPAN("traces")));
    value_id all = value_member(values, traces, SPAN("_traces"));
    const struct value *list = value_of_kind(values, all, VALUE_LIST);
    const struct value *limit =
        value_of_kind(values, value_member(values, state, SPAN("traceback_limit")), VALUE_INT);
    struct warnings *warnings = builder_warnings(snapshot->builder);
    uint32_t cell = list ? list->first : 0;

    if (!list || (snapshot->traces && snapshot->traces != all))
        return error_set_at(err, 0, 0, "a pickle of tracemalloc, but no Snapshot");
    for (value_id block; (block = value_next(values, &cell));)
        snapshot->odd += !read_block(snapshot, block);
    warning_count_many(warnings, WARNING_LOSS, "blocks or lines whose figures are none, left out",
                       snapshot->odd);
    if (limit && limit->whole == 1)
        warning_say(warnings, WARNING_NOTE,
                    "no callers were recorded: tracemalloc.start(25) keeps up to 25 of them");
    else
        warning_count_many(warnings, WARNING_NOTE,
                           "blocks with more callers than tracemalloc kept, or than 1,000",
                           snapshot->cut);
    if (limit)
        builder_fact(snapshot->builder, "traceback_limit", limit->whole, UNIT_COUNT);
    return true;
}

static bool parse(struct input *in, struct builder *builder, struct error *err)
{
    static const struct value_name values[] = {
        [VALUE_BYTES] = {LITERAL("inuse_space"), UNIT_BYTES},
        [VALUE_BLOCKS] = {LITERAL("inuse_objects"), UNIT_COUNT},
    };
    static const struct pickled_class classes[] = {
        {"tracemalloc", "Snapshot"}, {"tracemalloc", "_Traces"}, {NULL, NULL}};
    struct snapshot snapshot = {
        .builder = builder,
        .stacks = builder_stacks(builder),
        .pickle = {.in = in,
                   .builder = builder,
                   .classes = classes,
                   .take = take_block,
                   .takes = VALUE_TUPLE},
    };
    value_id root;
    bool ok;

    if (!builder_begin(builder, LEVEL_CALLTREE, values, COUNT_OF(values), VALUE_BYTES, err))
        return false;
    snapshot.pickle.context = &snapshot;
    builder_producer(builder, "tracemalloc");
    builder_detail(builder, DETAIL_LINE);
    root = pickle_read(&snapshot.pickle, err);
    ok = root && read_snapshot(&snapshot, root, err);
    pickle_free(&snapshot.pickle);
    return ok;
}

/* The class is the first thing that a pickle of any protocol names. */
static enum sniff sniff(struct span head, bool is_all)
{
    enum { NAMED_WITHIN = 64 };
    static const struct span name = LITERAL("tracemalloc");

    if (!is_all && head.len < NAMED_WITHIN)
        return SNIFF_MORE;
    if (head.len > NAMED_WITHIN)
        head.len = NAMED_WITHIN;
    return head.len && (unsigned char)head.at[0] == 0x80 && span_find(head, name) != SIZE_MAX
               ? SNIFF_YES
               : SNIFF_NO;
}

const struct parser parser_tracemalloc = {
    .name = "tracemalloc",
    .title = "tracemalloc snapshots",
    .summary = "Python: the blocks of memory in use, by the lines that allocated them",
    .tried = "CPython 3.11",
    .level = LEVEL_CALLTREE,
    .sniff = sniff,
    .parse = parse,
};
