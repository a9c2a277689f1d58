#include "parsers/pstats/marshal.h"

#include <ctype.h>
#include <stdlib.h>

#include "base/grow.h"

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

/* Little-endian, whatever the machine that wrote it. */
static uint64_t load(const char *bytes, unsigned count)
{
    uint64_t value = 0;

    for (unsigned i = count; i-- > 0;)
        value = value << 8 | (unsigned char)bytes[i];
    return value;
}

static int32_t load_i32(const char *bytes)
{
    return (int32_t)(uint32_t)load(bytes, 4);
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
    if (marshal->ref_count == marshal->ref_cap) {
        marshal->ref_cap = grow_cap(marshal->ref_cap, marshal->ref_cap + 1);
        marshal->refs = grow_to(marshal->refs, marshal->ref_cap, sizeof(*marshal->refs));
        marshal->ref_types =
            grow_to(marshal->ref_types, marshal->ref_cap, sizeof(*marshal->ref_types));
        marshal->has_flags = true;
    }
    marshal->refs[marshal->ref_count] = value->kept;
    marshal->ref_types[marshal->ref_count] = (uint8_t)value->type;
    return (uint32_t)marshal->ref_count++;
}

void marshal_keep(struct marshal *marshal, const struct marshal_value *tuple, uint64_t kept)
{
    if (tuple->ref == MARSHAL_NO_REF)
        return;
    marshal->refs[tuple->ref] = kept;
    marshal->ref_types[tuple->ref] = MARSHAL_KEPT;
}

static bool use_ref(struct marshal *marshal, int64_t index, struct marshal_value *value,
                    struct error *err)
{
    if (index < 0 || (uint64_t)index >= marshal->ref_count)
        return error_set_at(err, marshal->at, 0, "a reference to object %lld of %zu",
                            (long long)index, marshal->ref_count);
    value->type = (enum marshal_type)marshal->ref_types[index];
    value->ref = MARSHAL_NO_REF;
    value->kept = marshal->refs[index];
    if (value->type == MARSHAL_TUPLE || value->type == MARSHAL_DICT)
        return fault(marshal, err, "a reference to a container, which no profiler writes");
    return true;
}

static bool read_ref(struct marshal *marshal, struct marshal_value *value, struct error *err)
{
    int64_t index;

    return read_i32(marshal, &index, err) && use_ref(marshal, index, value, err);
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
        digit = (unsigned)load(marshal->in->at, 2);
        input_skip(marshal->in, 2);
        if (digit > 0x7fff)
            return fault(marshal, err, "a number with a digit out of range");
        is_huge |= digit && (i > 4 || (i == 4 && digit > 7));
        sum |= i < 5 ? (uint64_t)digit << (15 * i) : 0;
    }
    if (digit == 0)
        return fault(marshal, err, "a number whose first digit is 0");
    if (is_huge || sum > INT64_MAX)
        sum = INT64_MAX;
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

static bool read_float(struct marshal *marshal, double *value, struct error *err)
{
    if (!need(marshal, 8, err))
        return false;
    uint64_t bits = load(marshal->in->at, 8);

    memcpy(value, &bits, sizeof(*value));
    input_skip(marshal->in, 8);
    return true;
}

/* ---- texts ---- */

static str_id intern_latin1(struct marshal *marshal, struct span text)
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
    return builder_intern(marshal->builder, (struct span){marshal->latin1, len});
}

static bool is_ascii(struct span text)
{
    unsigned char all = 0;

    for (size_t i = 0; i < text.len; i++)
        all |= (unsigned char)text.at[i];
    return all < 0x80;
}

static bool read_text(struct marshal *marshal, char code, str_id *text, struct error *err)
{
    bool is_latin1 = strchr("aAzZ", code) != NULL;
    size_t len;

    if (!read_size(marshal, code == 'z' || code == 'Z', TEXT_MAX, &len, err) ||
        !need(marshal, len, err))
        return false;

    struct span bytes = {marshal->in->at, len};

    *text = is_latin1 && !is_ascii(bytes) ? intern_latin1(marshal, bytes)
                                          : builder_intern(marshal->builder, bytes);
    input_skip(marshal->in, len);
    return true;
}

/* Python 2 numbers its interned strings apart from everything else. */
static void remember_interned(struct marshal *marshal, str_id text)
{
    marshal->interned = grow_one(marshal->interned, marshal->interned_count, &marshal->interned_cap,
                                 sizeof(*marshal->interned));
    marshal->interned[marshal->interned_count++] = text;
}

static bool read_interned(struct marshal *marshal, str_id *text, struct error *err)
{
    int64_t index;

    if (!read_i32(marshal, &index, err))
        return false;
    if (index < 0 || (uint64_t)index >= marshal->interned_count)
        return error_set_at(err, marshal->at, 0, "a reference to string %lld of %zu",
                            (long long)index, marshal->interned_count);
    marshal->is_python2 = true;
    *text = marshal->interned[index];
    return true;
}

/* ---- objects ---- */

static bool unknown(struct marshal *marshal, unsigned code, struct error *err)
{
    if (isprint((int)(code & 0x7f)))
        return error_set_at(err, marshal->at, 0, "an object of type '%c', which no profile holds",
                            (int)(code & 0x7f));
    return error_set_at(err, marshal->at, 0, "an object of type 0x%02x, which no profile holds",
                        code);
}

/* Sets the value's type and what goes with it. */
static bool read_body(struct marshal *marshal, unsigned code, struct marshal_value *value,
                      struct error *err)
{
    size_t count = 0;
    unsigned type = code & 0x7f;

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
        value->whole = (int64_t)load(marshal->in->at, 8);
        input_skip(marshal->in, 8);
        return true;
    case 'l':
        value->type = MARSHAL_INT;
        return read_long(marshal, &value->whole, err);
    case 'g':
        value->type = MARSHAL_FLOAT;
        return read_float(marshal, &value->real, err);
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
            remember_interned(marshal, value->text);
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
        return unknown(marshal, code, err);
    }
}

enum { LONGEST_COMMON = 9 };

/* The few types that nearly all of a profile is made of, when they are whole in the buffer.
 * Returns their length, or 0 for all others. */
static size_t read_common(struct marshal *marshal, struct marshal_value *value)
{
    const char *at = marshal->in->at;
    unsigned code = (unsigned char)at[0];
    size_t len;

    switch (code & 0x7f) {
    case 'g':
        value->type = MARSHAL_FLOAT;
        value->kept = load(at + 1, 8);
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
    case '0':
        value->type = MARSHAL_NULL;
        return 1;
    case 'r':
        if ((uint32_t)load(at + 1, 4) >= marshal->ref_count)
            return 0;
        value->type = (enum marshal_type)marshal->ref_types[load(at + 1, 4)];
        value->ref = MARSHAL_NO_REF;
        value->kept = marshal->refs[load(at + 1, 4)];
        return value->type == MARSHAL_TUPLE || value->type == MARSHAL_DICT ? 0 : 5;
    default:
        return 0;
    }
    value->ref = code & REF_FLAG ? reserve_ref(marshal, value) : MARSHAL_NO_REF;
    return len;
}

bool marshal_next(struct marshal *marshal, struct marshal_value *value, struct error *err)
{
    unsigned code;

    marshal->at = input_offset(marshal->in);
    if (marshal->in->end - marshal->in->at >= LONGEST_COMMON) {
        size_t len = read_common(marshal, value);

        input_skip(marshal->in, len);
        if (len)
            return true;
    }
    if (!read_u8(marshal, &code, err))
        return false;
    if ((code & 0x7f) == 'r')
        return read_ref(marshal, value, err);

    *value = (struct marshal_value){.ref = MARSHAL_NO_REF};
    if (!read_body(marshal, code, value, err))
        return false;
    if (code & REF_FLAG && value->type >= MARSHAL_INT)
        value->ref = reserve_ref(marshal, value);
    return true;
}

void marshal_free(struct marshal *marshal)
{
    free(marshal->refs);
    free(marshal->ref_types);
    free(marshal->interned);
    free(marshal->latin1);
}
