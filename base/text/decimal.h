/* SPDX-License-Identifier: Apache-2.0 */
/* decimal.h — decimal text to integers, without the rounding of floating point on the way, and integers to text */
#ifndef PTK_BASE_TEXT_DECIMAL_H
#define PTK_BASE_TEXT_DECIMAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/memory/span.h"

/* ---- decimal digits eight at a time ---- */

#define EACH_BYTE(byte) (UINT64_C(0x0101010101010101) * (byte))

/* Eight bytes, the first the lowest, that are all digits, as their number; false when one is
 * not. */
static inline bool digits_read(uint64_t v, uint64_t *number)
{
    if (((v & EACH_BYTE(0xf0)) | ((v + EACH_BYTE(6)) & EACH_BYTE(0xf0)) >> 4) != EACH_BYTE(0x33))
        return false;
    v = (v & EACH_BYTE(0x0f)) * (1 + (10 << 8)) >> 8; /* pairs */
    v = (v & 0x00ff00ff00ff00ffu) * (1 + (100 << 16)) >> 16;
    *number = (v & 0x0000ffff0000ffffu) * (1 + ((uint64_t)10000 << 32)) >> 32;
    return true;
}

/* Four to eight bytes as eight, with zeros before them. */
static inline uint64_t digits_load(const char *at, size_t len)
{
    uint32_t first, last;

    memcpy(&first, at, sizeof(first));
    memcpy(&last, at + len - 4, sizeof(last));
    if (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__) {
        first = __builtin_bswap32(first);
        last = __builtin_bswap32(last);
    }
    return len == 8 ? first | (uint64_t)last << 32
                    : EACH_BYTE('0') >> len * 8 | (uint64_t)first << (8 - len) * 8 |
                          (uint64_t)last << 32;
}

/* ---- decimal text to integers, without the rounding of floating point on the way ---- */

/* "-12.5e3", as JSON and C write numbers: text · 10^scale, rounded to nearest, halves away from
 * zero; what 64 bits cannot hold becomes the nearest end. False when it is no such number. */
bool decimal_scaled(struct span text, int scale, int64_t *value);

/* The same, but false, too, for what 64 bits cannot hold. */
bool decimal_fits(struct span text, int scale, int64_t *value);

/* Writes the digits of a number, with its sign: printf takes most of the time of writing many. */
void decimal_write(FILE *out, int64_t value);

#endif
