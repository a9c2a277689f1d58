/* SPDX-License-Identifier: Apache-2.0 */
/* jfr_chunk.c — the metadata of a chunk, which says what values look like, and where its constants are */
#include "parsers/jfr/jfr_chunk.h"

#include <stdlib.h>
#include <string.h>

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
        [FIELD_BYTES_READ] = "bytesRead",
        [FIELD_BYTES_WRITTEN] = "bytesWritten",
        [FIELD_SUM_OF_PAUSES] = "sumOfPauses",
        [FIELD_CAUSE] = "cause",
        [FIELD_LINE] = "lineNumber",
        [FIELD_START] = "startTime",
        [FIELD_JVM_USER] = "jvmUser",
        [FIELD_JVM_SYSTEM] = "jvmSystem",
        [FIELD_HW_THREADS] = "hwThreads",
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
        {"float", JFR_FLOAT},  {"double", JFR_DOUBLE}, {"java.lang.String", JFR_STRING},
        {NULL, JFR_STRUCT}};

    return LOOKUP(primitives, name).primitive;
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
    return SPAN("");
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
    if ((uint64_t)element->id < JFR_SMALL_IDS)
        chunk->small_classes[element->id] = *index;
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
    uint64_t children[JFR_DEPTH_MAX] = {0};
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
        if (++depth == JFR_DEPTH_MAX) {
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

static enum jfr_way skip_of(const struct jfr_chunk *chunk, const struct jfr_class_field *field,
                            uint32_t *bytes)
{
    static const uint8_t sizes[] = {[JFR_BYTE] = 1, [JFR_FLOAT] = 4, [JFR_DOUBLE] = 8};
    enum jfr_primitive primitive = field->class_index < chunk->classes.count
                                       ? chunk->classes.list[field->class_index].primitive
                                       : JFR_STRUCT;
    bool is_integer = field->is_constant || primitive == JFR_SHORT || primitive == JFR_INT ||
                      primitive == JFR_LONG;

    if (field->is_array || (is_integer && !chunk->is_packed))
        return JFR_SKIP_VALUE;
    if (is_integer)
        return JFR_SKIP_INTEGERS;
    *bytes = primitive < COUNT_OF(sizes) ? sizes[primitive] : 0;
    return *bytes ? JFR_SKIP_BYTES : JFR_SKIP_VALUE;
}

/* Says of each field how it is gone over, and what its class is as a whole. */
static void plan_skips(struct jfr_chunk *chunk)
{
    for (size_t i = 0; i < chunk->fields.count; i++) {
        struct jfr_class_field *field = &chunk->fields.list[i];

        field->skip = skip_of(chunk, field, &field->bytes);
    }
    for (size_t c = 0; c < chunk->classes.count; c++) {
        struct jfr_class *class = &chunk->classes.list[c];

        for (uint32_t i = 0; i < class->field_count; i++) {
            const struct jfr_class_field *field = &chunk->fields.list[class->first_field + i];

            if (field->number != FIELD_OTHER)
                class->fields |= jfr_bit(field->number);
            class->integers += field->skip == JFR_SKIP_INTEGERS;
        }
        if (class->integers < class->field_count)
            class->integers = 0;
    }
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
    if (cursor.is_bad || type != 0 || count > jfr_left(&cursor))
        return fault(chunk, &cursor, "no metadata where the chunk says that it is", err);
    for (uint64_t i = 0; i < count && !cursor.is_bad; i++) {
        struct span text = jfr_string(&cursor, &buffer, &unused);

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
        chunk->fields.list[i].class_index = jfr_class_of(chunk, chunk->fields.list[i].class_id);
    plan_skips(chunk);
    return true;
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
    jfr_skip(&cursor, 1); /* what kind of checkpoint */
    pools = jfr_integer(&cursor, 4);
    for (; pools > 0 && !cursor.is_bad; pools--) {
        uint32_t class_index = jfr_class_of(chunk, jfr_integer(&cursor, 8));
        uint64_t count = jfr_integer(&cursor, 4);

        if (class_index == IDMAP_NONE)
            return fault(chunk, &cursor, "constants of a class that the chunk does not have", err);
        for (; count > 0 && !cursor.is_bad; count--) {
            struct jfr_class *class = &chunk->classes.list[class_index];
            uint32_t *number = idmap_at(&class->constants, jfr_integer(&cursor, 8));

            if (*number == IDMAP_NONE) { /* the newest is met first */
                *number = (uint32_t)chunk->constants.count;
                vector_add(&chunk->constants, (size_t)(cursor.at - start));
            }
            if (class->primitive != JFR_STRUCT)
                jfr_skip_value(chunk, class_index, &cursor, 0);
            for (uint32_t i = 0; i < class->field_count && !cursor.is_bad; i++)
                jfr_skip_field(chunk, &chunk->fields.list[class->first_field + i], &cursor, 0);
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
    memset(chunk->small_classes, 0xff, sizeof(chunk->small_classes)); /* UINT32_MAX */
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
