/* SPDX-License-Identifier: Apache-2.0 */
/* jfr_chunk.h — one chunk of a Java Flight Recorder file: its classes, its constants, its events
 *
 * A chunk is complete in itself. Its metadata says of each class which fields its values have, in
 * order; nothing of that is known before. Only the fields that ptk reads have a number of ours. */
#ifndef PTK_PARSERS_JFR_JFR_CHUNK_H
#define PTK_PARSERS_JFR_JFR_CHUNK_H

#include "base/memory/memory.h"
#include "parsers/parser.h"

enum { JFR_HEADER_SIZE = 68, JFR_SMALL_IDS = 1024 };

/* The fields that are read, by name, of whatever class. */
enum jfr_field {
    FIELD_OTHER,
    FIELD_STACK_TRACE,
    FIELD_SAMPLED_THREAD,
    FIELD_EVENT_THREAD,
    FIELD_STATE,
    FIELD_DURATION,
    FIELD_SAMPLES,
    FIELD_WEIGHT,
    FIELD_ALLOCATION_SIZE,
    FIELD_TLAB_SIZE,
    FIELD_SIZE,
    FIELD_SAMPLING_PERIOD,
    FIELD_FRAMES,
    FIELD_TRUNCATED,
    FIELD_METHOD,
    FIELD_TYPE,
    FIELD_NAME,
    FIELD_JAVA_NAME,
    FIELD_OS_NAME,
    FIELD_JVM_VERSION,
    FIELD_BYTES_READ,
    FIELD_BYTES_WRITTEN,
    FIELD_SUM_OF_PAUSES,
    FIELD_CAUSE,
    FIELD_LINE,
    FIELD_START,
    FIELD_JVM_USER,
    FIELD_JVM_SYSTEM,
    FIELD_HW_THREADS,
    FIELD_COUNT
};

/* A set of fields. */
static inline uint64_t jfr_bit(enum jfr_field field)
{
    return (uint64_t)1 << field;
}

enum { JFR_ALL_FIELDS = -1 };

struct jfr_cursor {
    const unsigned char *at, *end;
    bool is_packed; /* integers are LEB128 of at most 9 bytes, and not big-endian of their width */
    bool is_bad; /* asked for more than there is, or found what cannot be: all that follows is 0 */
};

enum jfr_primitive {
    JFR_STRUCT,
    JFR_BYTE,
    JFR_SHORT,
    JFR_INT,
    JFR_LONG,
    JFR_FLOAT,
    JFR_DOUBLE,
    JFR_STRING,
};

/* How a value is gone over without a look at it. */
enum jfr_way { JFR_SKIP_VALUE, JFR_SKIP_INTEGERS, JFR_SKIP_BYTES };

struct jfr_class {
    struct span name;
    enum jfr_primitive primitive;
    uint32_t first_field, field_count;
    uint32_t integers;      /* it is nothing but so many packed integers; 0: it is not */
    uint64_t fields;        /* those that it has, of those that are read */
    struct idmap constants; /* by id, the number of the constant */
    uint32_t kind;          /* of the reader: what its events are, from 1; 0: not asked yet */
    uint64_t wanted;        /* ... and the fields that it wants of them */
};

struct jfr_class_field {
    uint64_t class_id;
    uint32_t class_index; /* UINT32_MAX: the file has no such class */
    enum jfr_field number;
    enum jfr_way skip;
    uint32_t bytes; /* of JFR_SKIP_BYTES */
    bool is_constant, is_array;
};

struct jfr_chunk {
    struct span bytes;    /* borrowed */
    struct arena strings; /* of the metadata */
    bool is_packed;
    uint64_t offset, metadata, checkpoint;
    int64_t hz, start, start_ticks; /* `start`: ns since 1970 */
    uint32_t string_class;          /* java.lang.String; UINT32_MAX: none */
    struct idmap class_of;
    uint32_t small_classes[JFR_SMALL_IDS]; /* the same for small ids; UINT32_MAX: none */
    struct VECTOR_OF(struct jfr_class) classes;
    struct VECTOR_OF(struct jfr_class_field) fields;
    struct VECTOR_OF(size_t) constants; /* where each stands in the chunk */
};

/* A value whose fields have been found: where each begins that is in `has`. */
struct jfr_value {
    struct jfr_class *class;
    uint64_t has;
    struct jfr_cursor field[FIELD_COUNT];
    const struct jfr_class_field *of[FIELD_COUNT];
};

/* Reads the classes and finds the constants of a chunk whose `bytes`, `offset` and places are set.
 * False with where and why. Free it in any case. */
MUST_CHECK bool jfr_chunk_open(struct jfr_chunk *chunk, struct error *err);
void jfr_chunk_free(struct jfr_chunk *chunk);

/* The class with that id; UINT32_MAX where the chunk has none. */
static inline uint32_t jfr_class_of(const struct jfr_chunk *chunk, uint64_t id)
{
    return id < JFR_SMALL_IDS ? chunk->small_classes[id] : idmap_find(&chunk->class_of, id);
}

struct jfr_cursor jfr_cursor(const struct jfr_chunk *chunk, size_t from, size_t end);
static inline size_t jfr_left(const struct jfr_cursor *cursor)
{
    return (size_t)(cursor->end - cursor->at);
}

static inline void jfr_skip(struct jfr_cursor *cursor, uint64_t count)
{
    if (count > jfr_left(cursor)) {
        cursor->is_bad = true;
        cursor->at = cursor->end;
        return;
    }
    cursor->at += count;
}

static inline unsigned jfr_byte(struct jfr_cursor *cursor)
{
    const unsigned char *at = cursor->at;

    jfr_skip(cursor, 1);
    return cursor->is_bad ? 0 : *at;
}

uint64_t jfr_integer(struct jfr_cursor *cursor, unsigned width);

/* The text of a string that is no constant's; `constant`: the id of one that is. With no buffer
 * the string is only gone over. */
struct jfr_text {
    VECTOR(char);
};
struct span jfr_string(struct jfr_cursor *cursor, struct jfr_text *buffer, uint64_t *constant);

/* Values within values may nest so deep. */
enum { JFR_DEPTH_MAX = 20 };

/* Go over a value, or the field of one, at that depth of others. */
void jfr_skip_value(const struct jfr_chunk *chunk, uint32_t class_index, struct jfr_cursor *cursor,
                    int depth);
void jfr_skip_field(const struct jfr_chunk *chunk, const struct jfr_class_field *field,
                    struct jfr_cursor *cursor, int depth);

/* Finds the fields of the value at the cursor that are in `wanted`. Where that is JFR_ALL_FIELDS the
 * cursor goes behind the value, else nobody knows where. False where it is broken. */
bool jfr_read(const struct jfr_chunk *chunk, uint32_t class_index, uint64_t wanted,
              struct jfr_cursor *cursor, struct jfr_value *value);

/* Reads a value whose fields are integers or constants: `numbers` is by field. False where it is
 * broken, or has other fields that can be read. */
bool jfr_read_integers(const struct jfr_chunk *chunk, uint32_t class_index,
                       struct jfr_cursor *cursor, uint64_t *numbers);

/* The bytes of a value whose fields are all packed integers, which tell it from others of its class, where
 * they are eight at most and not all 0; the cursor goes behind it. Else 0, and the cursor stays or goes. */
uint64_t jfr_raw_integers(const struct jfr_chunk *chunk, uint32_t class_index,
                          struct jfr_cursor *cursor);

static inline bool jfr_has(const struct jfr_value *value, enum jfr_field field)
{
    return value->has & jfr_bit(field);
}

/* The id of the constant that a field names; 0 where it has none. */
uint64_t jfr_id(const struct jfr_value *value, enum jfr_field field);

/* A field that is a fraction; 0 where there is none. */
double jfr_fraction(const struct jfr_chunk *chunk, const struct jfr_value *value,
                    enum jfr_field field);

/* An integer field; 0 where there is none. What is negative stays so. */
int64_t jfr_number(const struct jfr_chunk *chunk, const struct jfr_value *value,
                   enum jfr_field field);

/* ns since 1970 */
int64_t jfr_time(const struct jfr_chunk *chunk, int64_t ticks);

/* The constant that a field names. False where the chunk has none. */
bool jfr_constant(const struct jfr_chunk *chunk, const struct jfr_value *value,
                  enum jfr_field field, struct jfr_value *constant);

/* A string, a constant of one string, or of a constant of one: empty where there is none. Joined
 * UTF-16 and Latin-1 are made UTF-8 in `buffer`, of which the text is a part until it is used again. */
struct span jfr_text(const struct jfr_chunk *chunk, const struct jfr_value *value,
                     enum jfr_field field, struct jfr_text *buffer);

#endif
