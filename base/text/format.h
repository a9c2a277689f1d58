/* SPDX-License-Identifier: Apache-2.0 */
/* format.h — numbers and their texts */
#ifndef PTK_BASE_TEXT_FORMAT_H
#define PTK_BASE_TEXT_FORMAT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/memory/arena.h"
#include "base/text/span.h"

/* ---- numbers as people read them; the only file that may scale a unit ---- */

/* ---- what a figure counts; every figure is an integer of one of these base units ---- */

enum unit { UNIT_COUNT, UNIT_NS, UNIT_BYTES, UNIT_FLOP, UNIT_PPM }; /* of 1: shown as a share */

/* ---- numbers as people read them; the only file that may scale a unit ---- */

enum { FORMAT_LEN = 48 };

/* "1.500 ms", "12.30 KiB", "512". Rounds before it picks the unit, so never "1000.0 us", and shows
 * at least three digits, so never "0.000 s" for something that took time. Memory is counted in
 * powers of two: KiB, MiB, GiB. */
const char *format_value(char out[FORMAT_LEN], int64_t value, enum unit unit);

/* So many of the unit a second: "12.30 MB/s", "512/s". Links and disks are counted in powers of
 * ten. */
const char *format_rate(char out[FORMAT_LEN], double per_second, enum unit unit);

/* The size of the unit that fits a largest value, and what it is called: 1e6 and "ms". For figures
 * that are shown side by side in one unit. */
double format_scale(double largest, enum unit unit, const char **name);

/* "12.50%"; "<0.01%" for what is there but would round to nothing. */
const char *format_share(char out[FORMAT_LEN], double share);

/* "0.0123", "123", "12,345": three digits, and all before the point; powers of ten from 1e15 on. */
const char *format_ratio(char out[FORMAT_LEN], double ratio);

/* "1,234,567" */
const char *format_count(char out[FORMAT_LEN], int64_t count);

/* "1 function", "1,234 functions", "2 categories", in the arena. */
const char *format_many(struct arena *arena, int64_t count, const char *noun);

/* "ns", "bytes", "count", "flop", "ppm": as JSON names the base unit. */
const char *format_unit(enum unit unit);

/* ---- decimal text to integers, without the rounding of floating point on the way ---- */

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

#endif
