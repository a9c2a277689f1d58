/* SPDX-License-Identifier: Apache-2.0 */
/* checked.h — the compiler's attributes that we use, and sums that stop at the ends of the range */
#ifndef PTK_BASE_CHECKED_H
#define PTK_BASE_CHECKED_H

#include <stdbool.h>
#include <stdint.h>

/* ---- the compiler attributes we use, and no others ---- */

#define MUST_CHECK __attribute__((warn_unused_result))
#define PRINTF_LIKE(fmt, first) __attribute__((format(printf, fmt, first)))
#define UNUSED __attribute__((unused))

#define COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))

/* ---- 64-bit sums that stop at the ends of the range instead of wrapping ---- */

static inline int64_t checked_add(int64_t a, int64_t b)
{
    int64_t sum;

    if (!__builtin_add_overflow(a, b, &sum))
        return sum;
    return a < 0 ? INT64_MIN + 1 : INT64_MAX; /* INT64_MIN itself means "unknown" */
}

static inline int64_t checked_sub(int64_t a, int64_t b)
{
    int64_t difference;

    if (!__builtin_sub_overflow(a, b, &difference))
        return difference;
    return a < 0 ? INT64_MIN + 1 : INT64_MAX;
}

/* Without its fraction; what is beyond 64 bits stops at the ends, too. Not for NaN. */
static inline int64_t checked_whole(double value)
{
    if (value >= 0x1p63)
        return INT64_MAX;
    return value > -0x1p63 ? (int64_t)value : INT64_MIN + 1;
}

/* value · part / whole, rounded to nearest, for 0 ≤ part ≤ whole and whole > 0. */
static inline int64_t checked_share(int64_t value, int64_t part, int64_t whole)
{
    __extension__ typedef __int128 wide;
    wide product = (wide)value * part;
    wide half = product < 0 ? -(whole / 2) : whole / 2;

    return (int64_t)((product + half) / whole);
}

/* Of `count` rows those that are shown: at most `limit`, where 0 is all. */
static inline uint32_t limit_rows(uint32_t count, uint32_t limit)
{
    return limit && limit < count ? limit : count;
}

static inline int64_t not_negative(int64_t figure)
{
    return figure > 0 ? figure : 0;
}

/* part / whole; 0 when there is no whole, or the part is not known (INT64_MIN). */
static inline double share_of(int64_t part, int64_t whole)
{
    return whole && part != INT64_MIN ? (double)part / (double)whole : 0;
}

static inline int64_t checked_mul(int64_t a, int64_t b)
{
    int64_t product;

    if (!__builtin_mul_overflow(a, b, &product))
        return product;
    return (a < 0) == (b < 0) ? INT64_MAX : INT64_MIN + 1;
}

#endif
