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

struct snapshot {
    struct builder *builder;
    struct stack_builder *stacks;
    struct pickle pickle;
    struct idmap nodes; /* traceback → the node of its innermost line: many blocks share one */
    uint64_t odd, cut;
};

static const struct value *value_of_type(const struct snapshot *snapshot, value_id id,
                                         enum pickled type)
{
    const struct value *value = id ? value_at(&snapshot->pickle.values, id) : NULL;

    return value && value->type == type ? value : NULL;
}

/* (file, line), as "file.py:12"; 0 when it is none. */
static frame_id read_frame(struct snapshot *snapshot, value_id id)
{
    const struct value *tuple = value_of_type(snapshot, id, PICKLED_TUPLE), *file, *line;
    uint32_t cell = tuple ? tuple->first : 0;
    char room[PYTHON_MODULE_MAX], name[300];
    struct frame frame = {.kind = KIND_PYTHON};
    struct span path;

    file = value_of_type(snapshot, value_next(&snapshot->pickle.values, &cell), PICKLED_TEXT);
    line = value_of_type(snapshot, value_next(&snapshot->pickle.values, &cell), PICKLED_INT);
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
    return builder_frame(snapshot->builder, &frame);
}

static node_id read_traceback(struct snapshot *snapshot, value_id id)
{
    const struct value *tuple = value_of_type(snapshot, id, PICKLED_TUPLE);
    uint32_t *known = idmap_at(&snapshot->nodes, id), cell = tuple ? tuple->first : 0;
    frame_id frames[DEPTH_MAX];
    size_t depth = 0;
    node_id node = 0;

    if (*known != IDMAP_NONE)
        return *known;
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
    return *known = node;
}

/* (domain, bytes, traceback), and of Python 3.9 on how many frames there were. */
static void read_block(struct snapshot *snapshot, value_id id)
{
    const struct pickle_values *values = &snapshot->pickle.values;
    const struct value *tuple = value_of_type(snapshot, id, PICKLED_TUPLE), *bytes, *traceback,
                       *frames;
    uint32_t cell = tuple ? tuple->first : 0;
    value_id third;
    node_id node;

    value_next(values, &cell);
    bytes = value_of_type(snapshot, value_next(values, &cell), PICKLED_INT);
    third = value_next(values, &cell);
    traceback = value_of_type(snapshot, third, PICKLED_TUPLE);
    if (!bytes || bytes->whole < 0 || !traceback) {
        snapshot->odd++;
        return;
    }
    frames = value_of_type(snapshot, value_next(values, &cell), PICKLED_INT);
    snapshot->cut += frames && frames->whole > traceback->count;
    node = read_traceback(snapshot, third);
    builder_add(snapshot->stacks, node, VALUE_BYTES, bytes->whole);
    builder_add(snapshot->stacks, node, VALUE_BLOCKS, 1);
}

/* A member of an object that pickle_read() has left; 0. */
static value_id object_member(const struct snapshot *snapshot, value_id object, struct span name)
{
    const struct pickle_values *values = &snapshot->pickle.values;
    const struct value *whole = value_of_type(snapshot, object, PICKLED_OBJECT), *state;
    uint32_t cell = whole ? whole->first : 0;

    state = value_of_type(snapshot, value_next(values, &cell), PICKLED_DICT);
    cell = state ? state->first : 0;
    for (value_id key; (key = value_next(values, &cell));) {
        const struct value *text = value_of_type(snapshot, key, PICKLED_TEXT);
        value_id member = value_next(values, &cell);

        if (text && span_eq(builder_text(snapshot->builder, text->text), name))
            return member;
    }
    return 0;
}

static bool read_snapshot(struct snapshot *snapshot, value_id root, struct error *err)
{
    value_id traces = object_member(snapshot, root, SPAN("traces"));
    const struct value *list =
        value_of_type(snapshot, object_member(snapshot, traces, SPAN("_traces")), PICKLED_LIST);
    const struct value *limit = value_of_type(
        snapshot, object_member(snapshot, root, SPAN("traceback_limit")), PICKLED_INT);
    struct warnings *warnings = builder_warnings(snapshot->builder);
    uint32_t cell = list ? list->first : 0;

    if (!list)
        return error_set_at(err, 0, 0, "a pickle of tracemalloc, but no Snapshot");
    for (value_id block; (block = value_next(&snapshot->pickle.values, &cell));)
        read_block(snapshot, block);
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
        .pickle = {.in = in, .builder = builder, .classes = classes},
    };
    value_id root;
    bool ok;

    if (!builder_begin(builder, LEVEL_CALLTREE, values, COUNT_OF(values), VALUE_BYTES, err))
        return false;
    builder_producer(builder, "tracemalloc");
    builder_detail(builder, DETAIL_LINE);
    root = pickle_read(&snapshot.pickle, err);
    ok = root && read_snapshot(&snapshot, root, err);
    pickle_free(&snapshot.pickle);
    idmap_free(&snapshot.nodes);
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
    .level = LEVEL_CALLTREE,
    .sniff = sniff,
    .parse = parse,
};
