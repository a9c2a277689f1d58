/* SPDX-License-Identifier: Apache-2.0 */
#include "base/text/decimal.h"

#include <ctype.h>

__extension__ typedef unsigned __int128 wide;

enum { DIGITS_MAX = 36, EXPONENT_MAX = 100000 }; /* 10^37 fits 128 bits */

struct decimal {
    wide digits; /* without leading zeros */
    unsigned count;
    int64_t exponent; /* of ten */
    bool is_negative, has_digits;
};

/* One digit of the number; those past DIGITS_MAX only move the point. */
static void take_digit(struct decimal *decimal, char c, bool is_fraction)
{
    unsigned digit = (unsigned)(c - '0');

    decimal->has_digits = true;
    if (decimal->count == DIGITS_MAX) {
        decimal->exponent += !is_fraction;
        return;
    }
    decimal->digits = decimal->digits * 10 + digit;
    decimal->count += decimal->count || digit;
    decimal->exponent -= is_fraction;
}

/* "e-12"; `at` is after the e. */
static bool read_exponent(struct decimal *decimal, struct span text, size_t at)
{
    bool is_negative = at < text.len && text.at[at] == '-';
    int64_t exponent = 0;

    if (at < text.len && (text.at[at] == '-' || text.at[at] == '+'))
        at++;
    if (at == text.len)
        return false;
    for (; at < text.len; at++) {
        if (!isdigit((unsigned char)text.at[at]))
            return false;
        if (exponent < EXPONENT_MAX)
            exponent = exponent * 10 + text.at[at] - '0';
    }
    decimal->exponent += is_negative ? -exponent : exponent;
    return true;
}

static bool read_decimal(struct decimal *decimal, struct span text)
{
    size_t at = text.len && (text.at[0] == '-' || text.at[0] == '+');
    bool is_fraction = false;

    decimal->is_negative = at && text.at[0] == '-';
    for (; at < text.len; at++) {
        char c = text.at[at];

        if (isdigit((unsigned char)c))
            take_digit(decimal, c, is_fraction);
        else if (c == '.' && !is_fraction)
            is_fraction = true;
        else if ((c == 'e' || c == 'E') && decimal->has_digits)
            return read_exponent(decimal, text, at + 1);
        else
            return false;
    }
    return decimal->has_digits;
}

/* digits · 10^power, rounded; more than 64 bits is INT64_MAX. */
static wide shifted(wide digits, int64_t power)
{
    for (; power > 0 && digits && digits <= INT64_MAX; power--)
        digits *= 10;
    if (power < -DIGITS_MAX - 1)
        return 0;
    if (power < 0) {
        wide divisor = 1;

        for (; power < 0; power++)
            divisor *= 10;
        digits = digits / divisor + (digits % divisor >= divisor - digits % divisor);
    }
    return digits > INT64_MAX ? INT64_MAX : digits;
}

bool decimal_scaled(struct span text, int scale, int64_t *value)
{
    struct decimal decimal = {0};

    if (!read_decimal(&decimal, text))
        return false;
    *value = (int64_t)shifted(decimal.digits, decimal.exponent + scale);
    if (decimal.is_negative)
        *value = -*value;
    return true;
}
