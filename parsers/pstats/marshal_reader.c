/* SPDX-License-Identifier: Apache-2.0 */
/* marshal_reader.c — values of Python's marshal, one by one: numbers, texts, tuples and references */
#include "parsers/pstats/pstats.h"

#include <ctype.h>
#include <stdlib.h>

#include "base/memory/memory.h"

enum {
    REF_FLAG = 0x80,
    TEXT_MAX = 16 << 20,  /* bytes in a name */
    TUPLE_MAX = 1 << 16,  /* items; real ones have 5, old merged callers 4 a merge */
    DIGITS_MAX = 1 << 16, /* of 15 bits in an int */
    FLOAT_TEXT_MAX = 64,
};

static bool fault(struct marshal *marshal, struct error *err, const char *what)
{
    return error_set_at(err, marshal->at, 0, "%s", what);
}

/* ---- bytes ---- */

static bool need(struct marshal *marshal, size_t count, struct error *err)
{
    if (input_has(marshal->in, count))
        return true;
    marshal->is_cut = true;
    return error_set_at(err, input_offset(marshal->in), 0, "the file ends inside the profile");
}

static bool read_u8(struct marshal *marshal, unsigned *value, struct error *err)
{
    if (!need(marshal, 1, err))
        return false;
    *value = (unsigned char)*marshal->in->at;
    input_skip(marshal->in, 1);
    return true;
}

/* Little-endian, whatever the machine that wrote it; written so that compilers see one load. */
static uint32_t load_u32(const char *bytes)
{
    const unsigned char *b = (const unsigned char *)bytes;

    return b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
}

static uint64_t load_u64(const char *bytes)
{
    const unsigned char *b = (const unsigned char *)bytes;

    return b[0] | (uint64_t)b[1] << 8 | (uint64_t)b[2] << 16 | (uint64_t)b[3] << 24 |
           (uint64_t)b[4] << 32 | (uint64_t)b[5] << 40 | (uint64_t)b[6] << 48 |
           (uint64_t)b[7] << 56;
}

static int32_t load_i32(const char *bytes)
{
    return (int32_t)load_u32(bytes);
}

static bool read_i32(struct marshal *marshal, int64_t *value, struct error *err)
{
    if (!need(marshal, 4, err))
        return false;
    *value = load_i32(marshal->in->at);
    input_skip(marshal->in, 4);
    return true;
}

/* A count of bytes or items: in one byte or in four. */
static bool read_size(struct marshal *marshal, bool is_short, int64_t limit, size_t *size,
                      struct error *err)
{
    unsigned small = 0;
    int64_t count;

    if (is_short ? !read_u8(marshal, &small, err) : !read_i32(marshal, &count, err))
        return false;
    if (is_short)
        count = small;
    if (count < 0 || count > limit)
        return error_set_at(err, marshal->at, 0, "a length of %lld, which no profile holds",
                            (long long)count);
    *size = (size_t)count;
    return true;
}

/* ---- references ---- */

static uint32_t reserve_ref(struct marshal *marshal, const struct marshal_value *value)
{
    return refs_add(&marshal->refs, value->type, value->kept);
}

void marshal_keep(struct marshal *marshal, const struct marshal_value *tuple, uint64_t kept)
{
    if (tuple->ref != MARSHAL_NO_REF)
        refs_set(&marshal->refs, tuple->ref, MARSHAL_KEPT, kept);
}

static bool is_container(enum marshal_type type)
{
    return type == MARSHAL_TUPLE || type == MARSHAL_DICT;
}

static void load_ref(const struct marshal *marshal, uint32_t index, struct marshal_value *value)
{
    value->type = (enum marshal_type)refs_get(&marshal->refs, index, &value->kept);
    value->ref = MARSHAL_NO_REF;
}

bool marshal_next_ref(struct marshal *marshal, uint32_t *number)
{
    enum { LENGTH = 5 };
    const char *at = marshal->in->at;

    if (marshal->in->end - at < LENGTH || *at != 'r' || load_u32(at + 1) >= marshal->refs.count)
        return false;
    *number = load_u32(at + 1);
    marshal->at = input_offset(marshal->in);
    input_skip(marshal->in, LENGTH);
    return true;
}

/* ---- numbers ---- */

/* Sign and count, then that many digits of 15 bits, the least first. */
static bool read_long(struct marshal *marshal, int64_t *value, struct error *err)
{
    int64_t count;
    uint64_t sum = 0;
    bool is_huge = false;
    unsigned digit = 1;

    if (!read_i32(marshal, &count, err))
        return false;
    int64_t digits = count < 0 ? -count : count;
    if (digits > DIGITS_MAX)
        return fault(marshal, err, "a number of more digits than any profile holds");
    for (int64_t i = 0; i < digits; i++) {
        if (!need(marshal, 2, err))
            return false;
        digit = (unsigned)(unsigned char)marshal->in->at[0] |
                (unsigned)(unsigned char)marshal->in->at[1] << 8;
        input_skip(marshal->in, 2);
        if (digit > 0x7fff)
            return fault(marshal, err, "a number with a digit out of range");
        is_huge |= digit && (i > 4 || (i == 4 && digit > 7));
        sum |= i < 5 ? (uint64_t)digit << (15 * i) : 0;
    }
    if (digit == 0)
        return fault(marshal, err, "a number whose first digit is 0");
    if (is_huge || sum > INT64_MAX) {
        warning_count(marshal->warnings, WARNING_LOSS,
                      "numbers past 64 bits, read as the largest that fits", marshal->at);
        sum = INT64_MAX;
    }
    *value = count < 0 ? -(int64_t)sum : (int64_t)sum;
    return true;
}

/* As Python's float() takes it, less the blanks and underscores. */
static bool read_float_text(struct marshal *marshal, double *value, struct error *err)
{
    char text[FLOAT_TEXT_MAX + 1];
    size_t len;
    char *end;

    if (!read_size(marshal, true, FLOAT_TEXT_MAX, &len, err) || !need(marshal, len, err))
        return false;
    memcpy(text, marshal->in->at, len);
    text[len] = '\0';
    input_skip(marshal->in, len);
    *value = strtod(text, &end);
    if (len == 0 || end != text + len || isspace((unsigned char)text[0]) || strpbrk(text, "xX("))
        return fault(marshal, err, "a time that is not a number");
    return true;
}

/* ---- texts ---- */

static uint32_t add_latin1(struct marshal *marshal, struct span text)
{
    size_t len = 0;

    if (marshal->latin1_cap < text.len * 2) {
        marshal->latin1_cap = grow_cap(marshal->latin1_cap, text.len * 2);
        marshal->latin1 = grow_to(marshal->latin1, marshal->latin1_cap, 1);
    }
    for (size_t i = 0; i < text.len; i++) {
        unsigned char c = (unsigned char)text.at[i];

        if (c >= 0x80)
            marshal->latin1[len++] = (char)(0xC0 | c >> 6);
        marshal->latin1[len++] = (char)(c >= 0x80 ? 0x80 | (c & 0x3F) : c);
    }
    return texts_add(marshal->texts, (struct span){marshal->latin1, len});
}

static bool is_ascii(struct span text)
{
    unsigned char all = 0;

    for (size_t i = 0; i < text.len; i++)
        all |= (unsigned char)text.at[i];
    return all < 0x80;
}

static bool read_text(struct marshal *marshal, char code, uint32_t *text, struct error *err)
{
    bool is_latin1 = strchr("aAzZ", code) != NULL;
    size_t len;

    if (!read_size(marshal, code == 'z' || code == 'Z', TEXT_MAX, &len, err) ||
        !need(marshal, len, err))
        return false;

    struct span bytes = {marshal->in->at, len};

    *text = is_latin1 && !is_ascii(bytes) ? add_latin1(marshal, bytes)
                                          : texts_add(marshal->texts, bytes);
    input_skip(marshal->in, len);
    return true;
}

static bool read_interned(struct marshal *marshal, uint32_t *text, struct error *err)
{
    int64_t index;

    if (!read_i32(marshal, &index, err))
        return false;
    if (index < 0 || (uint64_t)index >= marshal->interned.count)
        return error_set_at(err, marshal->at, 0, "a reference to string %lld of %zu",
                            (long long)index, marshal->interned.count);
    marshal->is_python2 = true;
    *text = marshal->interned.list[index];
    return true;
}

/* ---- objects ---- */

/* Sets the value's type and what goes with it. */
static bool read_body(struct marshal *marshal, unsigned code, struct marshal_value *value,
                      struct error *err)
{
    unsigned type = code & 0x7f;
    uint64_t bits;
    size_t count = 0;

    switch (type) {
    case '0':
        value->type = MARSHAL_NULL;
        return true;
    case 'N':
        value->type = MARSHAL_NONE;
        return true;
    case 'T':
    case 'F':
        value->type = MARSHAL_BOOL;
        value->whole = type == 'T';
        return true;
    case 'i':
        value->type = MARSHAL_INT;
        return read_i32(marshal, &value->whole, err);
    case 'I':
        value->type = MARSHAL_INT;
        if (!need(marshal, 8, err))
            return false;
        value->whole = (int64_t)load_u64(marshal->in->at);
        input_skip(marshal->in, 8);
        return true;
    case 'l':
        value->type = MARSHAL_INT;
        return read_long(marshal, &value->whole, err);
    case 'g':
        value->type = MARSHAL_FLOAT;
        if (!need(marshal, 8, err))
            return false;
        bits = load_u64(marshal->in->at);
        memcpy(&value->real, &bits, sizeof(bits));
        input_skip(marshal->in, 8);
        return true;
    case 'f':
        value->type = MARSHAL_FLOAT;
        return read_float_text(marshal, &value->real, err);
    case 's':
    case 't':
    case 'u':
    case 'a':
    case 'A':
    case 'z':
    case 'Z':
        value->type = MARSHAL_TEXT;
        if (!read_text(marshal, (char)type, &value->text, err))
            return false;
        if (code == 't')
            vector_add(&marshal->interned, value->text); /* numbered apart from all else */
        return true;
    case 'R':
        value->type = MARSHAL_TEXT;
        return read_interned(marshal, &value->text, err);
    case '(':
    case ')':
        value->type = MARSHAL_TUPLE;
        if (!read_size(marshal, type == ')', TUPLE_MAX, &count, err))
            return false;
        value->count = (uint32_t)count;
        return true;
    case '{':
        value->type = MARSHAL_DICT;
        return true;
    default:
        return error_set_at(err, marshal->at, 0,
                            isprint((int)type) ? "an object of type '%c', which no profile holds"
                                               : "an object of type 0x%02x, which no profile holds",
                            isprint((int)type) ? type : code);
    }
}

enum { LONGEST_COMMON = 9 };

/* The few types that nearly all of a profile is made of, when they are whole in the buffer.
 * Returns their length, or 0 for all others. */
static size_t read_common(struct marshal *marshal, struct marshal_value *value)
{
    const char *at = marshal->in->at;
    unsigned code = (unsigned char)at[0];
    uint32_t index;
    size_t len;

    switch (code & 0x7f) {
    case 'g':
        value->type = MARSHAL_FLOAT;
        value->kept = load_u64(at + 1);
        len = 9;
        break;
    case 'i':
        value->type = MARSHAL_INT;
        value->whole = load_i32(at + 1);
        len = 5;
        break;
    case ')':
        value->type = MARSHAL_TUPLE;
        value->kept = (unsigned char)at[1];
        value->count = (unsigned char)at[1];
        len = 2;
        break;
    case '{':
        value->type = MARSHAL_DICT;
        value->kept = 0;
        len = 1;
        break;
    case 'z':
    case 'Z':
        len = 2 + (size_t)(unsigned char)at[1];
        if ((size_t)(marshal->in->end - at) < len || !is_ascii((struct span){at + 2, len - 2}))
            return 0;
        value->type = MARSHAL_TEXT;
        value->kept = 0; /* whichever half a text's number is in */
        value->text = texts_add(marshal->texts, (struct span){at + 2, len - 2});
        break;
    case '0':
        value->type = MARSHAL_NULL;
        return 1;
    case 'r':
        index = load_u32(at + 1);
        if (index >= marshal->refs.count)
            return 0;
        load_ref(marshal, index, value);
        return is_container(value->type) ? 0 : 5;
    default:
        return 0;
    }
    value->ref = code & REF_FLAG ? reserve_ref(marshal, value) : MARSHAL_NO_REF;
    return len;
}

/* Its number comes before those of what is in it. */
static bool read_code(struct marshal *marshal, bool is_kept, struct marshal_value *value,
                      struct error *err)
{
    *value = (struct marshal_value){.type = MARSHAL_TUPLE, .ref = MARSHAL_NO_REF};
    if (is_kept)
        value->ref = reserve_ref(marshal, value);
    value->type = MARSHAL_TEXT;
    if (!marshal_code(marshal, &value->text, err))
        return false;
    if (is_kept)
        refs_set(&marshal->refs, value->ref, MARSHAL_TEXT, value->kept);
    return true;
}

bool marshal_next(struct marshal *marshal, struct marshal_value *value, struct error *err)
{
    unsigned code;
    int64_t index;

    marshal->at = input_offset(marshal->in);
    if (marshal->in->end - marshal->in->at >= LONGEST_COMMON) {
        size_t len = read_common(marshal, value);

        input_skip(marshal->in, len);
        if (len)
            return true;
    }
    if (!read_u8(marshal, &code, err))
        return false;
    if ((code & 0x7f) == 'r') {
        if (!read_i32(marshal, &index, err))
            return false;
        if (index < 0 || (uint64_t)index >= marshal->refs.count)
            return error_set_at(err, marshal->at, 0, "a reference to object %lld of %zu",
                                (long long)index, marshal->refs.count);
        load_ref(marshal, (uint32_t)index, value);
        return !is_container(value->type) ||
               fault(marshal, err, "a reference to a container, which no profiler writes");
    }
    if ((code & 0x7f) == 'c')
        return read_code(marshal, code & REF_FLAG, value, err);

    *value = (struct marshal_value){.ref = MARSHAL_NO_REF};
    if (!read_body(marshal, code, value, err))
        return false;
    if (code & REF_FLAG && value->type >= MARSHAL_INT)
        value->ref = reserve_ref(marshal, value);
    return true;
}

/* An int of five bytes, of its own or seen before. */
static bool plain_int(const struct marshal *marshal, const char *at, int64_t *value)
{
    struct marshal_value seen;
    uint32_t index = load_u32(at + 1);

    *value = load_i32(at + 1);
    if (*at == 'i')
        return true;
    if (*at != 'r' || index >= marshal->refs.count)
        return false;
    load_ref(marshal, index, &seen);
    *value = seen.whole;
    return seen.type == MARSHAL_INT;
}

static double plain_float(struct marshal *marshal, const char *at)
{
    uint64_t bits = load_u64(at + 1);
    double real;

    if (*at & REF_FLAG)
        refs_add(&marshal->refs, MARSHAL_FLOAT, bits);
    memcpy(&real, &bits, sizeof(real));
    return real;
}

bool marshal_next_quad(struct marshal *marshal, unsigned count, struct marshal_quad *quad)
{
    enum { INTS = 2, FLOATS = INTS + 2 * 5, END = FLOATS + 2 * 9 };
    const char *at = marshal->in->at;

    if (marshal->in->end - at < END || at[0] != ')' || (unsigned char)at[1] != count ||
        (at[FLOATS] & 0x7f) != 'g' || (at[FLOATS + 9] & 0x7f) != 'g' ||
        !plain_int(marshal, at + INTS, &quad->whole[0]) ||
        !plain_int(marshal, at + INTS + 5, &quad->whole[1]))
        return false;
    marshal->at = input_offset(marshal->in);
    quad->real_at[0] = marshal->at + FLOATS;
    quad->real_at[1] = marshal->at + FLOATS + 9;
    quad->real[0] = plain_float(marshal, at + FLOATS);
    quad->real[1] = plain_float(marshal, at + FLOATS + 9);
    input_skip(marshal->in, END);
    return true;
}

void marshal_free(struct marshal *marshal)
{
    refs_free(&marshal->refs);
    free(marshal->interned.list);
    free(marshal->latin1);
}
