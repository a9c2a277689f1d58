/* SPDX-License-Identifier: Apache-2.0 */
/* jfr_values.c — integers, strings and values of the classes that a chunk describes */
#include <stdlib.h>
#include <string.h>

#include "base/text/escape.h"
#include "parsers/jfr/jfr_chunk.h"

/* ---- integers and strings ---- */

struct jfr_cursor jfr_cursor(const struct jfr_chunk *chunk, size_t from, size_t end)
{
    const unsigned char *start = (const unsigned char *)chunk->bytes.at;

    return (struct jfr_cursor){start + from, start + end, chunk->is_packed, false};
}

static uint64_t take_long_integer(struct jfr_cursor *cursor, unsigned width)
{
    uint64_t number = 0;

    if (!cursor->is_packed) {
        for (unsigned i = 0; i < width; i++)
            number = number << 8 | jfr_byte(cursor);
        return number;
    }
    for (unsigned i = 0; i < 8; i++) {
        unsigned byte = jfr_byte(cursor);

        number |= (uint64_t)(byte & 0x7f) << 7 * i;
        if (byte < 0x80)
            return number;
    }
    return number | (uint64_t)jfr_byte(cursor) << 56; /* the ninth byte is whole */
}

uint64_t jfr_integer(struct jfr_cursor *cursor, unsigned width)
{
    const unsigned char *at = cursor->at;
    uint64_t number;
    unsigned i = 1;

    if (!cursor->is_packed || jfr_left(cursor) < 4)
        return take_long_integer(cursor, width);
    for (number = at[0] & 0x7f; i < 4 && at[i - 1] & 0x80; i++)
        number |= (uint64_t)(at[i] & 0x7f) << 7 * i;
    if (at[i - 1] & 0x80)
        return take_long_integer(cursor, width);
    cursor->at += i;
    return number;
}

/* Packed ones, eight bytes at a time: an integer ends with a byte below 0x80, or with its ninth. */
static void skip_integers(struct jfr_cursor *cursor, uint64_t count)
{
    while (count > 0 && !cursor->is_bad) {
        uint64_t word, ends;

        if (jfr_left(cursor) < sizeof(word)) {
            take_long_integer(cursor, 8);
            count--;
            continue;
        }
        memcpy(&word, cursor->at, sizeof(word));
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
        word = __builtin_bswap64(word);
#endif
        ends = ~word & UINT64_C(0x8080808080808080);
        if (!ends) {
            jfr_skip(cursor, 9);
            count--;
            continue;
        }
        for (; --count > 0 && (ends & (ends - 1)); ends &= ends - 1)
            ;
        cursor->at += (unsigned)__builtin_ctzll(ends) / 8 + 1;
    }
}

uint64_t jfr_raw_integers(const struct jfr_chunk *chunk, uint32_t class_index,
                          struct jfr_cursor *cursor)
{
    uint64_t word, ends;
    uint32_t count =
        class_index < chunk->classes.count ? chunk->classes.list[class_index].integers : 0;
    unsigned bits;

    if (!count || !cursor->is_packed || jfr_left(cursor) < sizeof(word))
        return 0;
    memcpy(&word, cursor->at, sizeof(word));
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    word = __builtin_bswap64(word);
#endif
    ends = ~word & UINT64_C(0x8080808080808080);
    while (--count > 0 && ends)
        ends &= ends - 1;
    if (!ends)
        return 0;
    bits = (unsigned)__builtin_ctzll(ends) + 1;
    cursor->at += bits / 8;
    return word & UINT64_MAX >> (64 - bits);
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
struct span jfr_string(struct jfr_cursor *cursor, struct jfr_text *buffer, uint64_t *constant)
{
    unsigned kind = jfr_byte(cursor);
    struct span bytes;
    uint64_t count;

    if (kind <= STRING_EMPTY)
        return SPAN("");
    if (kind == STRING_CONSTANT) {
        *constant = jfr_integer(cursor, 8);
        return SPAN("");
    }
    count = jfr_integer(cursor, 4);
    if (kind > STRING_LATIN1 || count > jfr_left(cursor)) {
        cursor->is_bad = true;
        cursor->at = cursor->end;
        return SPAN("");
    }
    bytes = (struct span){(const char *)cursor->at, (size_t)count};
    if (kind != STRING_CHARS)
        jfr_skip(cursor, count);
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
    return buffer && buffer->count ? (struct span){buffer->list, buffer->count} : SPAN("");
}

/* ---- values ---- */

void jfr_skip_value(const struct jfr_chunk *chunk, uint32_t class_index, struct jfr_cursor *cursor,
                    int depth);

void jfr_skip_field(const struct jfr_chunk *chunk, const struct jfr_class_field *field,
                    struct jfr_cursor *cursor, int depth)
{
    uint64_t count;

    if (field->skip == JFR_SKIP_INTEGERS) {
        skip_integers(cursor, 1);
        return;
    }
    if (field->skip == JFR_SKIP_BYTES) {
        jfr_skip(cursor, field->bytes);
        return;
    }
    count = field->is_array ? jfr_integer(cursor, 4) : 1;
    if (count > jfr_left(cursor)) /* each takes a byte at least */
        cursor->is_bad = true;
    if (!field->is_constant && field->class_index < chunk->classes.count &&
        chunk->classes.list[field->class_index].integers && depth + 1 < JFR_DEPTH_MAX) {
        skip_integers(cursor, count * chunk->classes.list[field->class_index].integers);
        return;
    }
    for (; count > 0 && !cursor->is_bad; count--) {
        if (field->is_constant)
            jfr_integer(cursor, 8);
        else
            jfr_skip_value(chunk, field->class_index, cursor, depth);
    }
}

/* A value within another takes a byte at least, or values without any could nest for ever. */
void jfr_skip_value(const struct jfr_chunk *chunk, uint32_t class_index, struct jfr_cursor *cursor,
                    int depth)
{
    const unsigned char *start = cursor->at;
    const struct jfr_class *class;
    uint64_t constant;

    if (class_index >= chunk->classes.count || depth == JFR_DEPTH_MAX) {
        cursor->is_bad = true;
        return;
    }
    class = &chunk->classes.list[class_index];
    switch (class->primitive) {
    case JFR_BYTE:
        jfr_skip(cursor, 1);
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
        jfr_skip(cursor, 4);
        return;
    case JFR_DOUBLE:
        jfr_skip(cursor, 8);
        return;
    case JFR_STRING:
        jfr_string(cursor, NULL, &constant);
        return;
    case JFR_STRUCT:
        break;
    }
    for (uint32_t i = 0; i < class->field_count && !cursor->is_bad; i++)
        jfr_skip_field(chunk, &chunk->fields.list[class->first_field + i], cursor, depth + 1);
    if (cursor->at == start)
        cursor->is_bad = true;
}

bool jfr_read(const struct jfr_chunk *chunk, uint32_t class_index, uint64_t wanted,
              struct jfr_cursor *cursor, struct jfr_value *value)
{
    bool is_all = wanted == (uint64_t)JFR_ALL_FIELDS;
    const struct jfr_class_field *field;

    value->has = 0;
    if (class_index >= chunk->classes.count)
        return false;
    value->class = &chunk->classes.list[class_index];
    wanted &= value->class->fields;
    field = chunk->fields.list + value->class->first_field;
    for (uint32_t i = 0; i < value->class->field_count && !cursor->is_bad; i++, field++) {
        if (wanted & jfr_bit(field->number)) {
            value->has |= jfr_bit(field->number);
            value->field[field->number] = *cursor;
            value->of[field->number] = field;
        }
        if (!is_all && value->has == wanted)
            break;
        jfr_skip_field(chunk, field, cursor, 0);
    }
    return !cursor->is_bad;
}

bool jfr_read_integers(const struct jfr_chunk *chunk, uint32_t class_index,
                       struct jfr_cursor *cursor, uint64_t *numbers)
{
    struct jfr_cursor here = *cursor;
    const struct jfr_class_field *field;

    if (class_index >= chunk->classes.count)
        return false;
    field = chunk->fields.list + chunk->classes.list[class_index].first_field;
    if (chunk->classes.list[class_index].integers) {
        for (uint32_t i = chunk->classes.list[class_index].integers; i > 0; i--, field++)
            numbers[field->number] = jfr_integer(&here, 8);
        *cursor = here;
        return !here.is_bad;
    }
    for (uint32_t i = chunk->classes.list[class_index].field_count; i > 0; i--, field++) {
        if (field->skip == JFR_SKIP_INTEGERS)
            numbers[field->number] = jfr_integer(cursor, 8);
        else if (field->is_constant && !field->is_array)
            numbers[field->number] = take_long_integer(cursor, 8);
        else if (!field->is_array && field->class_index < chunk->classes.count &&
                 chunk->classes.list[field->class_index].primitive == JFR_INT)
            numbers[field->number] = take_long_integer(cursor, 4);
        else
            jfr_skip_field(chunk, field, cursor, 0);
    }
    return !cursor->is_bad;
}

uint64_t jfr_id(const struct jfr_value *value, enum jfr_field field)
{
    struct jfr_cursor cursor;

    if (!jfr_has(value, field) || !value->of[field]->is_constant || value->of[field]->is_array)
        return 0;
    cursor = value->field[field];
    return jfr_integer(&cursor, 8);
}

static enum jfr_primitive primitive_of(const struct jfr_chunk *chunk, const struct jfr_value *value,
                                       enum jfr_field field)
{
    const struct jfr_class_field *of = jfr_has(value, field) ? value->of[field] : NULL;

    if (!of || of->is_constant || of->is_array || of->class_index >= chunk->classes.count)
        return JFR_STRUCT;
    return chunk->classes.list[of->class_index].primitive;
}

int64_t jfr_number(const struct jfr_chunk *chunk, const struct jfr_value *value,
                   enum jfr_field field)
{
    enum jfr_primitive primitive = primitive_of(chunk, value, field);
    struct jfr_cursor cursor;

    if (primitive == JFR_STRUCT)
        return 0;
    cursor = value->field[field];
    switch (primitive) {
    case JFR_BYTE:
        return jfr_byte(&cursor);
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

double jfr_fraction(const struct jfr_chunk *chunk, const struct jfr_value *value,
                    enum jfr_field field)
{
    enum jfr_primitive primitive = primitive_of(chunk, value, field);
    struct jfr_cursor cursor;
    uint32_t bits = 0;
    float fraction;

    if (primitive != JFR_FLOAT)
        return 0;
    cursor = value->field[field];
    for (int i = 0; i < 4; i++)
        bits = bits << 8 | jfr_byte(&cursor);
    memcpy(&fraction, &bits, sizeof(fraction));
    return fraction >= 0 && fraction <= 1 ? (double)fraction : 0;
}

int64_t jfr_time(const struct jfr_chunk *chunk, int64_t ticks)
{
    __extension__ typedef __int128 wide;
    wide time = chunk->start + ((wide)ticks - chunk->start_ticks) * 1000000000 / chunk->hz;

    return time > 0 && time < INT64_MAX ? (int64_t)time : chunk->start;
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
    const struct jfr_class_field *of = jfr_has(value, field) ? value->of[field] : NULL;
    struct jfr_cursor cursor;

    if (!of || !of->is_constant || of->is_array)
        return false;
    cursor = constant_at(chunk, of->class_index, jfr_id(value, field));
    return cursor.at && jfr_read(chunk, of->class_index, ~jfr_bit(FIELD_OTHER), &cursor, constant);
}

struct span jfr_text(const struct jfr_chunk *chunk, const struct jfr_value *value,
                     enum jfr_field number, struct jfr_text *buffer)
{
    struct jfr_cursor cursor;
    struct jfr_class_field field;

    if (!jfr_has(value, number))
        return SPAN("");
    cursor = value->field[number];
    field = *value->of[number];
    for (int depth = 0; depth < JFR_DEPTH_MAX && cursor.at; depth++) {
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
        text = jfr_string(&cursor, buffer, &constant);
        if (constant == UINT64_MAX)
            return text;
        cursor = constant_at(chunk, chunk->string_class, constant);
        field.class_index = chunk->string_class;
    }
    return SPAN("");
}
