/* SPDX-License-Identifier: Apache-2.0 */
#include "parsers/shared/json_token.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/text/utf8.h"

enum { EXPONENT_MAX = 400, DIGITS_MAX = 19 };

static struct span unquoted(struct token token)
{
    struct span text = {token.at, token.at ? token.len : 0};

    if (text.len >= 2 && text.at[0] == '"' && text.at[text.len - 1] == '"')
        text = (struct span){text.at + 1, text.len - 2};
    return text;
}

static bool is_digit(char c)
{
    return (unsigned)(unsigned char)c - '0' < 10;
}

/* "e-3" → -3; false when it is no exponent to the end. */
static bool read_exponent(struct span text, int *exponent)
{
    bool is_negative;
    int value = 0;

    if (text.len < 2 || (text.at[0] != 'e' && text.at[0] != 'E'))
        return false;
    text = span_after(text, 1);
    is_negative = text.at[0] == '-';
    if (text.at[0] == '-' || text.at[0] == '+')
        text = span_after(text, 1);
    if (text.len == 0)
        return false;
    for (size_t i = 0; i < text.len; i++) {
        if (!is_digit(text.at[i]))
            return false;
        if (value < EXPONENT_MAX)
            value = value * 10 + (text.at[i] - '0');
    }
    *exponent = is_negative ? -value : value;
    return true;
}

/* value · 10^places; a negative number of places rounds half away from zero. */
static bool shift_decimal(uint64_t *value, int places)
{
    for (; places > 0 && *value; places--)
        if (__builtin_mul_overflow(*value, (uint64_t)10, value))
            return false;
    for (; places < -1; places++)
        *value /= 10;
    if (places == -1)
        *value = (*value + 5) / 10;
    return true;
}

/* Digits with a point among them: the digits as one number, and how many came after the point.
 * Digits past the nineteenth only count as places. */
struct decimal {
    uint64_t digits;
    int places;
    size_t len;
};

#define EACH_BYTE(byte) (UINT64_C(0x0101010101010101) * (byte))

/* Eight bytes, the first the lowest, that are all digits, as their number; false when one is
 * not. */
static bool read_eight(uint64_t v, uint64_t *number)
{
    if (((v & EACH_BYTE(0xf0)) | ((v + EACH_BYTE(6)) & EACH_BYTE(0xf0)) >> 4) != EACH_BYTE(0x33))
        return false;
    v = (v & EACH_BYTE(0x0f)) * (1 + (10 << 8)) >> 8; /* pairs */
    v = (v & 0x00ff00ff00ff00ffu) * (1 + (100 << 16)) >> 16;
    *number = (v & 0x0000ffff0000ffffu) * (1 + ((uint64_t)10000 << 32)) >> 32;
    return true;
}

/* The first byte as the lowest. */
static uint64_t load_eight(const char *at)
{
    uint64_t v;

    memcpy(&v, at, sizeof(v));
    return __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__ ? __builtin_bswap64(v) : v;
}

static uint64_t load_four(const char *at)
{
    uint32_t v;

    memcpy(&v, at, sizeof(v));
    return __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__ ? __builtin_bswap32(v) : v;
}

/* Four to eight bytes as eight, with zeros before them. */
static uint64_t load_rest(const char *at, size_t len)
{
    uint64_t first = load_four(at), last = load_four(at + len - 4);

    return len == 8 ? first | last << 32
                    : EACH_BYTE('0') >> len * 8 | first << (8 - len) * 8 | last << 32;
}

/* Takes the first point out; `places` becomes the number of bytes after it, -1 where there is
 * none. */
static uint64_t without_point(uint64_t v, int *places)
{
    uint64_t differs = v ^ EACH_BYTE('.');
    uint64_t points = (differs - EACH_BYTE(1)) & ~differs & EACH_BYTE(0x80);
    uint64_t before = points & -points; /* the highest bit of the point */

    *places = points ? __builtin_clzll(before) / 8 : -1;
    if (!points)
        return v;
    before = (before >> 7) - 1;
    return (v & ~(before << 8 | 0xff)) | (v & before) << 8 | '0';
}

/* What is left of the text at once, when it is short and nothing but digits and a point. */
static bool read_rest(struct decimal *d, struct span text, int kept)
{
    static const uint32_t powers[] = {1,      10,      100,      1000,     10000,
                                      100000, 1000000, 10000000, 100000000};
    struct span rest = span_after(text, d->len);
    uint64_t number;
    int places, digits;

    if (rest.len < 4 || rest.len > 8)
        return false;
    number = without_point(load_rest(rest.at, rest.len), &places);
    digits = (int)rest.len - (places >= 0);
    if (kept + digits > DIGITS_MAX || !read_eight(number, &number))
        return false;
    d->digits = d->digits * powers[digits] + number;
    d->places = places > 0 ? places : 0;
    d->len = text.len;
    return true;
}

static struct decimal read_decimal(struct span text)
{
    struct decimal d = {0};
    bool has_point = false;
    uint64_t eight;
    int kept = 0;

    while (kept + 8 < DIGITS_MAX && text.at[0] != '0' && text.len - d.len >= 8 &&
           read_eight(load_eight(text.at + d.len), &eight)) {
        d.digits = d.digits * 100000000 + eight;
        d.len += 8;
        kept += d.digits > 0 ? 8 : 0;
    }
    if (read_rest(&d, text, kept))
        return d;
    for (; d.len < text.len; d.len++) {
        char c = text.at[d.len];

        if (c == '.' && !has_point) {
            has_point = true;
        } else if (!is_digit(c)) {
            break;
        } else if (kept < DIGITS_MAX) {
            d.digits = d.digits * 10 + (uint64_t)(c - '0');
            d.places += has_point;
            kept += d.digits > 0;
        } else {
            d.places -= !has_point;
        }
    }
    return d;
}

bool token_scaled(struct token token, int scale, int64_t *value)
{
    struct span text = unquoted(token);
    bool is_negative = text.len && text.at[0] == '-';
    struct decimal d;
    int exponent = 0;

    if (is_negative)
        text = span_after(text, 1);
    if (text.len == 0 || !(is_digit(text.at[0]) || (text.at[0] == '.' && text.len > 1)))
        return false;
    d = read_decimal(text);
    if (d.len < text.len && !read_exponent(span_after(text, d.len), &exponent))
        return false;
    if (!shift_decimal(&d.digits, scale - d.places + exponent) || d.digits > INT64_MAX)
        return false;
    *value = is_negative ? -(int64_t)d.digits : (int64_t)d.digits;
    return true;
}

static bool read_hex(struct span text, int64_t *value)
{
    uint64_t sum = 0;

    if (text.len < 3 || text.len > 18)
        return false;
    for (size_t i = 2; i < text.len; i++) {
        char c = text.at[i] | 0x20;
        unsigned digit = is_digit(c) ? (unsigned)(c - '0') : (unsigned)(c - 'a') + 10;

        if (digit > 15)
            return false;
        sum = sum << 4 | digit;
    }
    *value = (int64_t)sum;
    return true;
}

bool token_integer(struct token token, int64_t *value)
{
    struct span text = unquoted(token);
    uint64_t number;
    size_t point = 0;

    if (text.len >= 4 && text.len <= 8 && read_eight(load_rest(text.at, text.len), &number)) {
        *value = (int64_t)number;
        return true;
    }
    if (span_to_i64(text, value))
        return true;
    if (span_starts(text, SPAN("0x")) || span_starts(text, SPAN("0X")))
        return read_hex(text, value);
    while (point < text.len && text.at[point] != '.')
        point++;
    if (point < text.len && span_to_i64((struct span){text.at, point}, value))
        return true;
    return token_scaled(token, 0, value);
}

bool token_real(struct token token, double *value)
{
    struct span text = unquoted(token);
    char copy[64];
    char *end;

    if (text.len == 0 || text.len >= sizeof(copy) || !(is_digit(text.at[0]) || text.at[0] == '-'))
        return false;
    memcpy(copy, text.at, text.len);
    copy[text.len] = '\0';
    *value = strtod(copy, &end);
    return end == copy + text.len && *value - *value == 0; /* finite */
}

struct span token_raw_text(struct token token)
{
    struct span text = {token.at, token.at ? token.len : 0};

    if (token.at && text.len >= 2 && text.at[0] == '"')
        return unquoted(token);
    return !token.at || span_eq(text, SPAN("null")) ? SPAN("") : text;
}

/* ---- escapes ---- */

static bool read_u(struct span text, uint32_t *code)
{
    int64_t value;
    char hex[7] = "0x";

    if (text.len < 6 || text.at[0] != '\\' || text.at[1] != 'u')
        return false;
    memcpy(hex + 2, text.at + 2, 4);
    if (!read_hex((struct span){hex, 6}, &value))
        return false;
    *code = (uint32_t)value;
    return true;
}

/* \uXXXX, or two that make a surrogate pair; returns how much of the text it took. */
static size_t unescape_u(struct span text, char *to, size_t *len)
{
    uint32_t code, low;

    if (!read_u(text, &code))
        return 0;
    if (code >= 0xD800 && code < 0xDC00 && read_u(span_after(text, 6), &low) && low >= 0xDC00 &&
        low < 0xE000) {
        *len += utf8_write(to + *len, 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00));
        return 12;
    }
    *len += utf8_write(to + *len, code);
    return 6;
}

/* One escape at the start of the text; a backslash that begins none stays a backslash. */
static size_t unescape(struct span text, char *to, size_t *len)
{
    static const char from[] = "\"\\/bfnrt", into[] = "\"\\/\b\f\n\r\t";
    const char *known = text.len > 1 && text.at[1] ? strchr(from, text.at[1]) : NULL;
    size_t taken = text.len > 1 && text.at[1] == 'u' ? unescape_u(text, to, len) : 0;

    if (taken)
        return taken;
    to[(*len)++] = known ? into[known - from] : '\\';
    return known ? 2 : 1;
}

struct span token_text(struct token token, struct arena *arena)
{
    struct span text = token_raw_text(token);
    char *copy;
    size_t len = 0;

    if (!text.len || token.at[0] != '"' || !memchr(text.at, '\\', text.len))
        return text;
    copy = arena_array(arena, text.len, 1); /* an escape is never shorter than what it means */
    while (text.len) {
        size_t taken = 1;

        if (text.at[0] == '\\')
            taken = unescape(text, copy, &len);
        else
            copy[len++] = text.at[0];
        text = span_after(text, taken);
    }
    return (struct span){copy, len};
}

bool token_is(struct token token, struct span text)
{
    return token.at && span_eq(token_raw_text(token), text);
}
