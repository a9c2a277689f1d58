/* SPDX-License-Identifier: Apache-2.0 */
/* jfr_chunk.h — one chunk of a Java Flight Recorder file: its classes, its constants, its events
 *
 * A chunk is complete in itself. Its metadata says of each class which fields its values have, in
 * order; nothing of that is known before. Only the fields that ptk reads have a number of ours. */
#ifndef PTK_PARSERS_JFR_JFR_CHUNK_H
#define PTK_PARSERS_JFR_JFR_CHUNK_H

#include "base/memory/memory.h"
#include "parsers/parser.h"

enum { JFR_HEADER_SIZE = 68 };

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
    FIELD_COUNT
};

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

struct jfr_class {
    struct span name;
    enum jfr_primitive primitive;
    uint32_t first_field, field_count;
    struct idmap constants; /* by id, the number of the constant */
    uint32_t slot;          /* of the reader: what events of this class count as, from 1 */
};

struct jfr_class_field {
    uint64_t class_id;
    uint32_t class_index; /* UINT32_MAX: the file has no such class */
    enum jfr_field number;
    bool is_constant, is_array;
};

struct jfr_chunk {
    struct span bytes;    /* borrowed */
    struct arena strings; /* of the metadata */
    bool is_packed;
    uint64_t offset, metadata, checkpoint;
    int64_t hz;
    uint32_t string_class; /* java.lang.String; UINT32_MAX: none */
    struct idmap class_of;
    struct VECTOR_OF(struct jfr_class) classes;
    struct VECTOR_OF(struct jfr_class_field) fields;
    struct VECTOR_OF(size_t) constants; /* where each stands in the chunk */
};

/* A value whose fields have been found: where each begins, NULL where the class has none. */
struct jfr_value {
    struct jfr_class *class;
    struct jfr_cursor field[FIELD_COUNT];
    struct jfr_class_field of[FIELD_COUNT];
};

/* Reads the classes and finds the constants of a chunk whose `bytes`, `offset` and places are set.
 * False with where and why. Free it in any case. */
MUST_CHECK bool jfr_chunk_open(struct jfr_chunk *chunk, struct error *err);
void jfr_chunk_free(struct jfr_chunk *chunk);

struct jfr_cursor jfr_cursor(const struct jfr_chunk *chunk, size_t from, size_t end);
uint64_t jfr_integer(struct jfr_cursor *cursor, unsigned width);

/* Finds the fields of the value at the cursor, which goes behind it. False where it is broken. */
bool jfr_read(const struct jfr_chunk *chunk, uint32_t class_index, struct jfr_cursor *cursor,
              struct jfr_value *value);

bool jfr_has(const struct jfr_value *value, enum jfr_field field);

/* An integer field; 0 where there is none. What is negative stays so. */
int64_t jfr_number(const struct jfr_chunk *chunk, const struct jfr_value *value,
                   enum jfr_field field);

/* The constant that a field names. False where the chunk has none. */
bool jfr_constant(const struct jfr_chunk *chunk, const struct jfr_value *value,
                  enum jfr_field field, struct jfr_value *constant);

/* A string, a constant of one string, or of a constant of one: empty where there is none. Joined
 * UTF-16 and Latin-1 are made UTF-8 in `buffer`, of which the text is a part until it is used again. */
struct jfr_text {
    VECTOR(char);
};
struct span jfr_text(const struct jfr_chunk *chunk, const struct jfr_value *value,
                     enum jfr_field field, struct jfr_text *buffer);

#endif
