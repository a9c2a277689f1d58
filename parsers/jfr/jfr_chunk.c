/* SPDX-License-Identifier: Apache-2.0 */
#include "parsers/jfr/jfr_chunk.h"

#include <stdlib.h>
#include <string.h>

#include "base/text/escape.h"

/* How deep elements of the metadata, and values in values, may nest. */
enum { DEPTH_MAX = 20 };

/* ---- integers and strings ---- */

struct jfr_cursor jfr_cursor(const struct jfr_chunk *chunk, size_t from, size_t end)
{
    const unsigned char *start = (const unsigned char *)chunk->bytes.at;

    return (struct jfr_cursor){start + from, start + end, chunk->is_packed, false};
}

static size_t left(const struct jfr_cursor *cursor)
{
    return (size_t)(cursor->end - cursor->at);
}

static void skip(struct jfr_cursor *cursor, uint64_t count)
{
    if (count > left(cursor)) {
        cursor->is_bad = true;
        cursor->at = cursor->end;
        return;
    }
    cursor->at += count;
}

static unsigned take_byte(struct jfr_cursor *cursor)
{
    const unsigned char *at = cursor->at;

    skip(cursor, 1);
    return cursor->is_bad ? 0 : *at;
}

uint64_t jfr_integer(struct jfr_cursor *cursor, unsigned width)
{
    uint64_t number = 0;

    if (!cursor->is_packed) {
        for (unsigned i = 0; i < width; i++)
            number = number << 8 | take_byte(cursor);
        return number;
    }
    for (unsigned i = 0; i < 8; i++) {
        unsigned byte = take_byte(cursor);

        number |= (uint64_t)(byte & 0x7f) << 7 * i;
        if (byte < 0x80)
            return number;
    }
    return number | (uint64_t)take_byte(cursor) << 56; /* the ninth byte is whole */
}

enum { STRING_NULL, STRING_EMPTY, STRING_CONSTANT, STRING_UTF8, STRING_CHARS, STRING_LATIN1 };

static void append_utf8(struct jfr_text *buffer, uint32_t code)
{
    char bytes[8];
    size_t count = utf8_write(bytes, code);

    for (size_t i = 0; i < count; i++)
        vector_add(buffer, bytes[i]);
}

/* The text of a string that is no constant's; `constant`: the id of one that is. With no buffer
 * the string is only gone over. */
static struct span take_string(struct jfr_cursor *cursor, struct jfr_text *buffer,
                               uint64_t *constant)
{
    unsigned kind = take_byte(cursor);
    struct span bytes;
    uint64_t count;

    if (kind <= STRING_EMPTY)
        return (struct span){"", 0};
    if (kind == STRING_CONSTANT) {
        *constant = jfr_integer(cursor, 8);
        return (struct span){"", 0};
    }
    count = jfr_integer(cursor, 4);
    if (kind > STRING_LATIN1 || count > left(cursor)) {
        cursor->is_bad = true;
        cursor->at = cursor->end;
        return (struct span){"", 0};
    }
    bytes = (struct span){(const char *)cursor->at, (size_t)count};
    if (kind != STRING_CHARS)
        skip(cursor, count);
    if (kind == STRING_UTF8 || (kind == STRING_LATIN1 && !buffer))
        return bytes;
    if (buffer)
        buffer->count = 0;
    if (kind == STRING_LATIN1) {
        for (size_t i = 0; i < bytes.len; i++)
            append_utf8(buffer, (unsigned char)bytes.at[i]);
        return (struct span){buffer->count ? buffer->list : "", buffer->count};
    }
    for (uint32_t high = 0; count > 0 && !cursor->is_bad; count--) {
        uint32_t unit = jfr_integer(cursor, 2) & 0xffff;

        if (!buffer)
            continue;
        if (high && unit >= 0xdc00 && unit < 0xe000)
            append_utf8(buffer, 0x10000 + ((high - 0xd800) << 10) + (unit - 0xdc00));
        else if (unit < 0xd800 || unit >= 0xe000)
            append_utf8(buffer, unit);
        high = unit >= 0xd800 && unit < 0xdc00 ? unit : 0;
    }
    return buffer && buffer->count ? (struct span){buffer->list, buffer->count}
                                   : (struct span){"", 0};
}

/* ---- metadata: a tree of elements, of which the classes and their fields are read ---- */

static enum jfr_field field_number(struct span name)
{
    static const char *const names[FIELD_COUNT] = {
        [FIELD_OTHER] = "",
        [FIELD_STACK_TRACE] = "stackTrace",
        [FIELD_SAMPLED_THREAD] = "sampledThread",
        [FIELD_EVENT_THREAD] = "eventThread",
        [FIELD_STATE] = "state",
        [FIELD_DURATION] = "duration",
        [FIELD_SAMPLES] = "samples",
        [FIELD_WEIGHT] = "weight",
        [FIELD_ALLOCATION_SIZE] = "allocationSize",
        [FIELD_TLAB_SIZE] = "tlabSize",
        [FIELD_SIZE] = "size",
        [FIELD_SAMPLING_PERIOD] = "samplingPeriod",
        [FIELD_FRAMES] = "frames",
        [FIELD_TRUNCATED] = "truncated",
        [FIELD_METHOD] = "method",
        [FIELD_TYPE] = "type",
        [FIELD_NAME] = "name",
        [FIELD_JAVA_NAME] = "javaName",
        [FIELD_OS_NAME] = "osName",
        [FIELD_JVM_VERSION] = "jvmVersion",
    };

    for (enum jfr_field i = 1; i < FIELD_COUNT; i++)
        if (span_eq(name, span_of(names[i])))
            return i;
    return FIELD_OTHER;
}

static enum jfr_primitive primitive_named(struct span name)
{
    static const struct {
        const char *name;
        enum jfr_primitive primitive;
    } primitives[] = {
        {"boolean", JFR_BYTE}, {"byte", JFR_BYTE},     {"short", JFR_SHORT},
        {"char", JFR_SHORT},   {"int", JFR_INT},       {"long", JFR_LONG},
        {"float", JFR_FLOAT},  {"double", JFR_DOUBLE}, {"java.lang.String", JFR_STRING}};

    for (size_t i = 0; i < COUNT_OF(primitives); i++)
        if (span_eq(name, span_of(primitives[i].name)))
            return primitives[i].primitive;
    return JFR_STRUCT;
}

struct jfr_strings {
    VECTOR(struct span);
};

/* What an element's attributes say, as far as it is read. */
struct jfr_element {
    struct span name; /* its kind: "class", "field" */
    struct span own_name;
    int64_t id, class_id;
    bool is_constant, is_array;
};

static struct span string_at(const struct jfr_strings *strings, struct jfr_cursor *cursor)
{
    uint64_t index = jfr_integer(cursor, 4);

    if (index < strings->count)
        return strings->list[index];
    cursor->is_bad = true;
    return (struct span){"", 0};
}

static struct jfr_element take_element(const struct jfr_strings *strings, struct jfr_cursor *cursor)
{
    struct jfr_element element = {.name = string_at(strings, cursor), .id = -1, .class_id = -1};
    uint64_t attributes = jfr_integer(cursor, 4);

    for (uint64_t i = 0; i < attributes && !cursor->is_bad; i++) {
        struct span key = string_at(strings, cursor), text = string_at(strings, cursor);

        if (span_eq(key, SPAN("name")))
            element.own_name = text;
        else if (span_eq(key, SPAN("id")))
            cursor->is_bad |= !span_to_i64(text, &element.id);
        else if (span_eq(key, SPAN("class")))
            cursor->is_bad |= !span_to_i64(text, &element.class_id);
        else if (span_eq(key, SPAN("constantPool")))
            element.is_constant = span_eq(text, SPAN("true"));
        else if (span_eq(key, SPAN("dimension")))
            element.is_array = span_eq(text, SPAN("1"));
    }
    return element;
}

static void add_class(struct jfr_chunk *chunk, const struct jfr_element *element)
{
    uint32_t *index = idmap_at(&chunk->class_of, (uint64_t)element->id);

    if (*index == IDMAP_NONE)
        *index = (uint32_t)chunk->classes.count;
    vector_add(&chunk->classes, (struct jfr_class){.name = element->own_name,
                                                   .primitive = primitive_named(element->own_name),
                                                   .first_field = (uint32_t)chunk->fields.count});
}

static void add_field(struct jfr_chunk *chunk, const struct jfr_element *element)
{
    vector_add(&chunk->fields, (struct jfr_class_field){.class_id = (uint64_t)element->class_id,
                                                        .number = field_number(element->own_name),
                                                        .is_constant = element->is_constant,
                                                        .is_array = element->is_array});
    chunk->classes.list[chunk->classes.count - 1].field_count++;
}

/* A class is in `metadata` in the root, a field in a class. */
static void take_elements(struct jfr_chunk *chunk, const struct jfr_strings *strings,
                          struct jfr_cursor *cursor)
{
    enum { ROOT, PART, CLASS, FIELD };
    uint64_t children[DEPTH_MAX] = {0};
    bool is_class = false;
    int depth = 0;

    for (;;) {
        struct jfr_element element = take_element(strings, cursor);

        children[depth] = jfr_integer(cursor, 4);
        if (cursor->is_bad)
            return;
        if (depth == CLASS && (is_class = span_eq(element.name, SPAN("class"))))
            add_class(chunk, &element);
        else if (depth == FIELD && is_class && span_eq(element.name, SPAN("field")))
            add_field(chunk, &element);
        while (depth >= 0 && children[depth] == 0)
            depth--;
        if (depth < 0)
            return;
        children[depth]--;
        if (++depth == DEPTH_MAX) {
            cursor->is_bad = true;
            return;
        }
    }
}

static bool fault(const struct jfr_chunk *chunk, const struct jfr_cursor *cursor, const char *what,
                  struct error *err)
{
    uint64_t at = (uint64_t)(cursor->at - (const unsigned char *)chunk->bytes.at);

    return error_set_at(err, chunk->offset + at, 0, "%s", what);
}

static bool read_metadata(struct jfr_chunk *chunk, struct error *err)
{
    struct jfr_cursor cursor = jfr_cursor(chunk, (size_t)chunk->metadata, chunk->bytes.len);
    struct jfr_strings strings = {0};
    struct jfr_text buffer = {0};
    uint64_t type, count, unused = 0;

    jfr_integer(&cursor, 4);
    type = jfr_integer(&cursor, 8);
    for (int i = 0; i < 3; i++) /* start, duration, metadata's id */
        jfr_integer(&cursor, 8);
    count = jfr_integer(&cursor, 4);
    if (cursor.is_bad || type != 0 || count > left(&cursor))
        return fault(chunk, &cursor, "no metadata where the chunk says that it is", err);
    for (uint64_t i = 0; i < count && !cursor.is_bad; i++) {
        struct span text = take_string(&cursor, &buffer, &unused);

        vector_add(&strings, (struct span){arena_copy(&chunk->strings, text), text.len});
    }
    take_elements(chunk, &strings, &cursor);
    free(strings.list);
    free(buffer.list);
    if (cursor.is_bad)
        return fault(chunk, &cursor, "the chunk's metadata is broken", err);
    chunk->string_class = UINT32_MAX;
    for (uint32_t i = 0; i < chunk->classes.count; i++)
        if (chunk->classes.list[i].primitive == JFR_STRING)
            chunk->string_class = i;
    for (size_t i = 0; i < chunk->fields.count; i++)
        chunk->fields.list[i].class_index =
            idmap_find(&chunk->class_of, chunk->fields.list[i].class_id);
    return true;
}

/* ---- values ---- */

static void skip_value(const struct jfr_chunk *chunk, uint32_t class_index,
                       struct jfr_cursor *cursor, int depth);

static void skip_field(const struct jfr_chunk *chunk, const struct jfr_class_field *field,
                       struct jfr_cursor *cursor, int depth)
{
    uint64_t count = field->is_array ? jfr_integer(cursor, 4) : 1;

    if (count > left(cursor)) /* each takes a byte at least */
        cursor->is_bad = true;
    for (; count > 0 && !cursor->is_bad; count--) {
        if (field->is_constant)
            jfr_integer(cursor, 8);
        else
            skip_value(chunk, field->class_index, cursor, depth);
    }
}

/* A value within another takes a byte at least, or values without any could nest for ever. */
static void skip_value(const struct jfr_chunk *chunk, uint32_t class_index,
                       struct jfr_cursor *cursor, int depth)
{
    const unsigned char *start = cursor->at;
    const struct jfr_class *class;
    uint64_t constant;

    if (class_index >= chunk->classes.count || depth == DEPTH_MAX) {
        cursor->is_bad = true;
        return;
    }
    class = &chunk->classes.list[class_index];
    switch (class->primitive) {
    case JFR_BYTE:
        skip(cursor, 1);
        return;
    case JFR_SHORT:
        jfr_integer(cursor, 2);
        return;
    case JFR_INT:
        jfr_integer(cursor, 4);
        return;
    case JFR_LONG:
        jfr_integer(cursor, 8);
        return;
    case JFR_FLOAT:
        skip(cursor, 4);
        return;
    case JFR_DOUBLE:
        skip(cursor, 8);
        return;
    case JFR_STRING:
        take_string(cursor, NULL, &constant);
        return;
    case JFR_STRUCT:
        break;
    }
    for (uint32_t i = 0; i < class->field_count && !cursor->is_bad; i++)
        skip_field(chunk, &chunk->fields.list[class->first_field + i], cursor, depth + 1);
    if (cursor->at == start)
        cursor->is_bad = true;
}

bool jfr_read(const struct jfr_chunk *chunk, uint32_t class_index, struct jfr_cursor *cursor,
              struct jfr_value *value)
{
    memset(value->field, 0, sizeof(value->field));
    if (class_index >= chunk->classes.count)
        return false;
    value->class = &chunk->classes.list[class_index];
    for (uint32_t i = 0; i < value->class->field_count && !cursor->is_bad; i++) {
        const struct jfr_class_field *field = &chunk->fields.list[value->class->first_field + i];

        value->field[field->number] = *cursor;
        value->of[field->number] = *field;
        skip_field(chunk, field, cursor, 0);
    }
    return !cursor->is_bad;
}

bool jfr_has(const struct jfr_value *value, enum jfr_field field)
{
    return value->field[field].at != NULL;
}

int64_t jfr_number(const struct jfr_chunk *chunk, const struct jfr_value *value,
                   enum jfr_field field)
{
    struct jfr_cursor cursor = value->field[field];
    const struct jfr_class_field *of = &value->of[field];

    if (!cursor.at || of->is_constant || of->is_array || of->class_index >= chunk->classes.count)
        return 0;
    switch (chunk->classes.list[of->class_index].primitive) {
    case JFR_BYTE:
        return take_byte(&cursor);
    case JFR_SHORT:
        return (int16_t)jfr_integer(&cursor, 2);
    case JFR_INT:
        return (int32_t)jfr_integer(&cursor, 4);
    case JFR_LONG:
        return (int64_t)jfr_integer(&cursor, 8);
    default:
        return 0;
    }
}

/* Where a constant of a class stands; NULL where the chunk has none of that id. */
static struct jfr_cursor constant_at(const struct jfr_chunk *chunk, uint32_t class_index,
                                     uint64_t id)
{
    uint32_t number = class_index < chunk->classes.count
                          ? idmap_find(&chunk->classes.list[class_index].constants, id)
                          : IDMAP_NONE;

    if (number == IDMAP_NONE)
        return (struct jfr_cursor){0};
    return jfr_cursor(chunk, chunk->constants.list[number], chunk->bytes.len);
}

bool jfr_constant(const struct jfr_chunk *chunk, const struct jfr_value *value,
                  enum jfr_field field, struct jfr_value *constant)
{
    struct jfr_cursor cursor = value->field[field];

    if (!cursor.at || !value->of[field].is_constant || value->of[field].is_array)
        return false;
    cursor = constant_at(chunk, value->of[field].class_index, jfr_integer(&cursor, 8));
    return cursor.at && jfr_read(chunk, value->of[field].class_index, &cursor, constant);
}

struct span jfr_text(const struct jfr_chunk *chunk, const struct jfr_value *value,
                     enum jfr_field number, struct jfr_text *buffer)
{
    struct jfr_cursor cursor = value->field[number];
    struct jfr_class_field field = value->of[number];

    for (int depth = 0; depth < DEPTH_MAX && cursor.at; depth++) {
        const struct jfr_class *class;
        uint64_t constant = UINT64_MAX;
        struct span text;

        if (field.is_array || field.class_index >= chunk->classes.count)
            break;
        if (field.is_constant) {
            cursor = constant_at(chunk, field.class_index, jfr_integer(&cursor, 8));
            field.is_constant = false;
            continue;
        }
        class = &chunk->classes.list[field.class_index];
        if (class->primitive ==
            JFR_STRUCT) { /* a symbol, or what an enumeration's value is called */
            if (!class->field_count)
                break;
            field = chunk->fields.list[class->first_field];
            continue;
        }
        if (class->primitive != JFR_STRING)
            break;
        text = take_string(&cursor, buffer, &constant);
        if (constant == UINT64_MAX)
            return text;
        cursor = constant_at(chunk, chunk->string_class, constant);
        field.class_index = chunk->string_class;
    }
    return (struct span){"", 0};
}

/* ---- checkpoints: where constants are, in a chain from the last one backwards ---- */

static bool read_checkpoint(struct jfr_chunk *chunk, size_t at, size_t end, int64_t *delta,
                            struct error *err)
{
    struct jfr_cursor cursor = jfr_cursor(chunk, at, end);
    const unsigned char *start = (const unsigned char *)chunk->bytes.at;
    uint64_t size = jfr_integer(&cursor, 4), type = jfr_integer(&cursor, 8), pools;

    if (cursor.is_bad || type != 1 || size > end - at)
        return fault(chunk, &cursor, "no checkpoint where the chunk says that one is", err);
    cursor.end = start + at + size;
    if (cursor.at > cursor.end)
        return fault(chunk, &cursor, "a checkpoint that is larger than it says", err);
    jfr_integer(&cursor, 8); /* start, duration */
    jfr_integer(&cursor, 8);
    *delta = (int64_t)jfr_integer(&cursor, 8);
    skip(&cursor, 1); /* what kind of checkpoint */
    pools = jfr_integer(&cursor, 4);
    for (; pools > 0 && !cursor.is_bad; pools--) {
        uint32_t class_index = idmap_find(&chunk->class_of, jfr_integer(&cursor, 8));
        uint64_t count = jfr_integer(&cursor, 4);

        if (class_index == IDMAP_NONE)
            return fault(chunk, &cursor, "constants of a class that the chunk does not have", err);
        for (; count > 0 && !cursor.is_bad; count--) {
            struct jfr_class *class = &chunk->classes.list[class_index];
            uint32_t *number = idmap_at(&class->constants, jfr_integer(&cursor, 8));
            struct jfr_value unused;

            if (*number == IDMAP_NONE) { /* the newest is met first */
                *number = (uint32_t)chunk->constants.count;
                vector_add(&chunk->constants, (size_t)(cursor.at - start));
            }
            if (class->primitive != JFR_STRUCT)
                skip_value(chunk, class_index, &cursor, 0);
            else if (!jfr_read(chunk, class_index, &cursor, &unused))
                break;
        }
    }
    return !cursor.is_bad || fault(chunk, &cursor, "a checkpoint is broken", err);
}

/* Each ends before the one that names it, so that no byte is read twice. */
static bool read_checkpoints(struct jfr_chunk *chunk, struct error *err)
{
    size_t at = (size_t)chunk->checkpoint, end = chunk->bytes.len;

    for (;;) {
        struct jfr_cursor here = jfr_cursor(chunk, at, end);
        int64_t delta = 0;

        if (!read_checkpoint(chunk, at, end, &delta, err))
            return false;
        if (delta == 0)
            return true;
        if (delta > 0 || (uint64_t) - (delta + 1) >= at - JFR_HEADER_SIZE)
            return fault(chunk, &here, "a checkpoint that follows none before it in the chunk",
                         err);
        end = at;
        at -= (size_t)-delta;
    }
}

bool jfr_chunk_open(struct jfr_chunk *chunk, struct error *err)
{
    return read_metadata(chunk, err) && read_checkpoints(chunk, err);
}

void jfr_chunk_free(struct jfr_chunk *chunk)
{
    for (size_t i = 0; i < chunk->classes.count; i++)
        idmap_free(&chunk->classes.list[i].constants);
    idmap_free(&chunk->class_of);
    free(chunk->classes.list);
    free(chunk->fields.list);
    free(chunk->constants.list);
    arena_free(&chunk->strings);
}
