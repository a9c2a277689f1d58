/* SPDX-License-Identifier: Apache-2.0 */
/* jfr_stacks.c — the stacks of a recording: Java's methods, and the functions of C that async-profiler sees */
#include <stdlib.h>
#include <string.h>

#include "parsers/jfr/jfr.h"
#include "parsers/stacks/language_names.h"

/* Of "java/util/HashMap$Node" and "Load+0x7f096400a660/403035416" without the nested or hidden class. */
static size_t outer_class_len(struct span class)
{
    size_t len = 1;

    while (len < class.len && class.at[len] != '$' && class.at[len] != '+')
        len++;
    return len < class.len ? len : class.len;
}

/* "java/util/HashMap$Node" → "java/util/HashMap.java": the recording does not name files. */
static str_id source_file(struct jfr *jfr, struct span class)
{
    struct jfr_text name = {0};
    size_t len = outer_class_len(class);
    str_id id;

    for (size_t i = 0; i < len; i++)
        vector_add(&name, class.at[i] == '.' ? '/' : class.at[i]);
    for (const char *at = ".java"; *at; at++)
        vector_add(&name, *at);
    id = builder_intern(jfr->builder, (struct span){name.list, name.count});
    free(name.list);
    return id;
}

static void name_java(struct jfr *jfr, struct span class, struct span function, int64_t line,
                      struct frame *frame)
{
    struct jfr_text name = {0};
    struct span outer = {class.at, outer_class_len(class)};
    size_t package = span_rfind(outer, '/');

    /* "java/util/HashMap$Node" → "java.util.HashMap$Node." */
    for (size_t i = 0; i < class.len; i++)
        vector_add(&name, class.at[i] == '/' ? '.' : class.at[i]);
    if (package == SIZE_MAX)
        package = span_rfind(outer, '.');
    if (package != SIZE_MAX)
        frame->module = builder_intern(jfr->builder, (struct span){name.list, package});
    if (name.count && function.len)
        vector_add(&name, '.');
    for (size_t i = 0; i < function.len; i++)
        vector_add(&name, function.at[i]);
    frame->name = builder_intern(jfr->builder, (struct span){name.list, name.count});
    if (jfr->by_line && class.len && line > 0) {
        frame->file = source_file(jfr, class);
        frame->line = line;
    }
    free(name.list);
}

static frame_id make_frame(struct jfr *jfr, const struct jfr_chunk *chunk,
                           const struct jfr_value *place)
{
    struct frame frame = {.kind = KIND_HOST};
    struct jfr_value method, class;
    struct span kind, owner = LITERAL(""), function;
    bool is_c;

    if (!jfr_constant(chunk, place, FIELD_METHOD, &method)) {
        frame.name = builder_intern(jfr->builder, SPAN("unknown"));
        return builder_frame(jfr->builder, &frame);
    }
    kind = jfr_text(chunk, place, FIELD_TYPE, &jfr->text);
    is_c = span_eq(kind, SPAN("C++")) || span_eq(kind, SPAN("Kernel")) ||
           (jfr->has_c_frames && span_eq(kind, SPAN("Native")));
    if (jfr_constant(chunk, &method, FIELD_TYPE, &class))
        owner = jfr_text(chunk, &class, FIELD_NAME, &jfr->text);
    function = jfr_text(chunk, &method, FIELD_NAME, &jfr->more);
    if (is_c) { /* the class is the library */
        frame.module = builder_intern(jfr->builder, owner);
        frame.name = builder_intern(jfr->builder, function);
    } else {
        name_java(jfr, owner, function, jfr_number(chunk, place, FIELD_LINE), &frame);
    }
    return builder_frame_in(jfr->builder, &frame, 0);
}

/* ---- paths ---- */

enum { TYPE_BITS = 4, LINE_BITS = 20 };

/* What tells a frame from others of the chunk; 0 where it is too large to be kept. */
static uint64_t frame_key(const struct jfr *jfr, const uint64_t *numbers)
{
    uint64_t type = numbers[FIELD_TYPE], method = numbers[FIELD_METHOD];
    uint64_t line = jfr->by_line ? numbers[FIELD_LINE] & UINT32_MAX : 0;

    if (type >> TYPE_BITS || line >> LINE_BITS || method >> (64 - TYPE_BITS - LINE_BITS))
        return 0;
    return (method << LINE_BITS | line) << TYPE_BITS | type;
}

/* A stack's next frame, which is made where the chunk has not had it. */
static bool take_frame(struct jfr *jfr, const struct jfr_chunk *chunk, uint32_t class_index,
                       struct jfr_cursor *cursor, frame_id *frame)
{
    struct jfr_cursor begin = *cursor;
    uint64_t numbers[FIELD_COUNT], key, raw; /* numbers: set as far as they are read here */
    struct jfr_recent *recent;
    struct jfr_value place;
    uint32_t *known;

    if (jfr->recent_class != class_index)
        memset(jfr->recent, 0, sizeof(jfr->recent));
    jfr->recent_class = class_index;
    raw = jfr_raw_integers(chunk, class_index, cursor);
    recent = &jfr->recent[(raw * UINT64_C(0x9E3779B97F4A7C15)) >> (64 - JFR_RECENT_BITS)];
    if (raw && recent->key == raw) {
        *frame = recent->frame;
        return true;
    }
    *cursor = begin;
    numbers[FIELD_TYPE] = numbers[FIELD_METHOD] = numbers[FIELD_LINE] = 0;
    if (!jfr_read_integers(chunk, class_index, cursor, numbers))
        return false;
    key = frame_key(jfr, numbers);
    known = key ? idmap_at(&jfr->frame_of, key) : frame;
    if (!key || *known == IDMAP_NONE) {
        if (!jfr_read(chunk, class_index, (uint64_t)JFR_ALL_FIELDS, &begin, &place))
            return false;
        *known = make_frame(jfr, chunk, &place);
    }
    *recent = (struct jfr_recent){raw, *known};
    *frame = *known;
    return true;
}

/* Adds the frames of a stack, which come from the leaf on, as a path. What the stack before it has of
 * the path needs no search. */
static uint32_t add_stack(struct jfr *jfr, const struct jfr_chunk *chunk,
                          const struct jfr_value *trace)
{
    const struct jfr_class_field *of = trace->of[FIELD_FRAMES];
    struct jfr_cursor cursor = trace->field[FIELD_FRAMES];
    uint64_t count = of->is_array && !of->is_constant ? jfr_integer(&cursor, 4) : 0;
    uint32_t node = 0;
    size_t depth = 0;
    frame_id frame;

    jfr->path.count = 0;
    while (count-- > 0 && take_frame(jfr, chunk, of->class_index, &cursor, &frame))
        vector_add(&jfr->path, frame);
    for (size_t i = jfr->path.count; i-- > 0; depth++) {
        frame = jfr->path.list[i];
        if (depth < jfr->last.count &&
            jfr->stacks.nodes.list[jfr->last.list[depth] - 1].frame == frame) {
            node = jfr->last.list[depth];
            continue;
        }
        node = stack_tree_child(&jfr->stacks, node, frame);
        jfr->last.count = depth;
        vector_add(&jfr->last, node);
    }
    return node;
}

uint32_t jfr_stack_of(struct jfr *jfr, const struct jfr_chunk *chunk, const struct jfr_value *event)
{
    uint64_t id = jfr_id(event, FIELD_STACK_TRACE);
    uint32_t *known = idmap_at(&jfr->stack_of, id), node = 0;
    struct jfr_value trace;

    if (*known != IDMAP_NONE)
        return *known;
    if (jfr_constant(chunk, event, FIELD_STACK_TRACE, &trace)) {
        if (jfr_has(&trace, FIELD_FRAMES))
            node = add_stack(jfr, chunk, &trace);
        jfr->cut += jfr_number(chunk, &trace, FIELD_TRUNCATED) != 0;
    }
    return *idmap_at(&jfr->stack_of, id) = node;
}

uint32_t jfr_named_node(struct jfr *jfr, uint32_t parent, struct span name)
{
    struct frame frame = {.name = builder_intern(jfr->builder, name), .kind = KIND_OTHER};

    return stack_tree_child(&jfr->stacks, parent, builder_frame(jfr->builder, &frame));
}
