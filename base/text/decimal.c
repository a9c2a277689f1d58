/* SPDX-License-Identifier: Apache-2.0 */
/* Decimal text to integers of a smaller unit, rounded only where a digit is too small; integers to text. */
#include "base/text/decimal.h"


/* ---- decimal text to integers, without the rounding of floating point on the way ---- */

__extension__ typedef unsigned __int128 wide;

/* As many digits as fit 128 bits, and 64; 10^37 fits the former. */
enum { DIGITS_MAX = 36, SHORT_MAX = 19, EXPONENT_MAX = 100000 };

/* clang-format off */
static const uint64_t powers[SHORT_MAX + 1] = {
    1, 10, 100, 1000, 10000, 100000, 1000000, 10000000, 100000000, 1000000000, 10000000000,
    100000000000, 1000000000000, 10000000000000, 100000000000000, 1000000000000000,
    10000000000000000, 100000000000000000, 1000000000000000000, 10000000000000000000u,
};
/* clang-format on */

/* Digits with a point among them: the digits as one number, how many came after the point, and how
 * many bytes all that was. Digits past DIGITS_MAX only count as places. */
struct decimal {
    wide digits;
    int64_t places;
    size_t len;
    bool has_digits;
};

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

/* Up to sixteen digits by eights, and then what is left at once, when it is short and nothing but digits
 * and a point, which is what times are; false, with some or none read, otherwise. */
static bool read_short(struct decimal *d, struct span text)
{
    uint64_t digits = 0, eight;
    struct span rest;
    int places, count;

    while (d->len < 16 && text.len - d->len >= 8 && text.at[0] != '0' &&
           digits_read(digits_load(text.at + d->len, 8), &eight)) {
        digits = digits * powers[8] + eight;
        d->len += 8;
    }
    d->digits = digits;
    d->has_digits = d->len > 0;
    rest = span_after(text, d->len);
    if (rest.len < 4 || rest.len > 8)
        return false;
    eight = without_point(digits_load(rest.at, rest.len), &places);
    count = (int)rest.len - (places >= 0);
    if ((int)d->len + count > SHORT_MAX || !digits_read(eight, &eight))
        return false;
    d->digits = digits * powers[count] + eight;
    d->places = places > 0 ? places : 0;
    d->len = text.len;
    d->has_digits = true;
    return true;
}

static struct decimal read_digits(struct span text)
{
    struct decimal d = {0};
    bool has_point = false;
    size_t kept;

    if (read_short(&d, text))
        return d;
    for (kept = d.len; d.len < text.len; d.len++) {
        char c = text.at[d.len];

        if (c == '.' && !has_point) {
            has_point = true;
            continue;
        }
        if (!is_digit(c))
            break;
        d.has_digits = true;
        if (kept == DIGITS_MAX) {
            d.places -= !has_point;
            continue;
        }
        d.digits = d.digits * 10 + (unsigned)(c - '0');
        d.places += has_point;
        kept += d.digits > 0;
    }
    return d;
}

/* "e-3" → -3; false when it is no exponent to the end. */
static bool read_exponent(struct span text, int64_t *exponent)
{
    bool is_negative;

    if (text.len < 2 || (text.at[0] | 0x20) != 'e')
        return false;
    text = span_after(text, 1);
    is_negative = text.at[0] == '-';
    if (is_negative || text.at[0] == '+')
        text = span_after(text, 1);
    *exponent = 0;
    for (size_t i = 0; i < text.len; i++) {
        if (!is_digit(text.at[i]))
            return false;
        if (*exponent < EXPONENT_MAX)
            *exponent = *exponent * 10 + (text.at[i] - '0');
    }
    *exponent = is_negative ? -*exponent : *exponent;
    return text.len > 0;
}

/* digits · 10^power, rounded; more than 64 bits is more than INT64_MAX. */
static wide shifted(wide digits, int64_t power)
{
    wide divisor = 1;

    if (power >= 0 || power < -DIGITS_MAX - 1) {
        for (; power > 0 && digits && digits <= INT64_MAX; power--)
            digits *= 10;
        return power < 0 ? 0 : digits;
    }
    if (power >= -SHORT_MAX && digits <= UINT64_MAX) {
        uint64_t part = (uint64_t)digits, by = powers[-power];

        return part / by + (part % by >= by - part % by);
    }
    for (; power < 0; power++)
        divisor *= 10;
    return digits / divisor + (digits % divisor >= divisor - digits % divisor);
}

/* The number without its sign, and whether it has one. */
static bool read_number(struct span text, int scale, wide *magnitude, bool *is_negative)
{
    struct decimal d;
    int64_t exponent = 0;

    *is_negative = text.len && text.at[0] == '-';
    if (*is_negative || (text.len && text.at[0] == '+'))
        text = span_after(text, 1);
    if (!text.len)
        return false;
    d = read_digits(text);
    if (!d.has_digits || (d.len < text.len && !read_exponent(span_after(text, d.len), &exponent)))
        return false;
    *magnitude = shifted(d.digits, scale - d.places + exponent);
    return true;
}

bool decimal_scaled(struct span text, int scale, int64_t *value)
{
    wide magnitude;
    bool is_negative;

    if (!read_number(text, scale, &magnitude, &is_negative))
        return false;
    *value = magnitude > INT64_MAX ? INT64_MAX : (int64_t)magnitude;
    *value = is_negative ? -*value : *value;
    return true;
}

bool decimal_fits(struct span text, int scale, int64_t *value)
{
    wide magnitude;
    bool is_negative;

    if (!read_number(text, scale, &magnitude, &is_negative) || magnitude > INT64_MAX)
        return false;
    *value = is_negative ? -(int64_t)magnitude : (int64_t)magnitude;
    return true;
}

void decimal_write(FILE *out, int64_t value)
{
    char digits[20];
    size_t first = sizeof(digits);
    uint64_t rest = value < 0 ? 0 - (uint64_t)value : (uint64_t)value;

    do
        digits[--first] = (char)('0' + rest % 10);
    while ((rest /= 10));
    if (value < 0)
        digits[--first] = '-';
    fwrite(digits + first, 1, sizeof(digits) - first, out);
}
