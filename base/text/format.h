/* SPDX-License-Identifier: Apache-2.0 */
/* format.h — numbers as people read them; the only file that may scale a unit */
#ifndef PTK_BASE_TEXT_FORMAT_H
#define PTK_BASE_TEXT_FORMAT_H

#include <stdint.h>

#include "base/memory/memory.h"
#include "base/text/unit.h"

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

/* "between 1.000 ms and 2.000 ms", in the arena; "" where both ends read alike. */
const char *format_range(struct arena *arena, int64_t least, int64_t most, enum unit unit);

/* "1 function", "1,234 functions", "2 categories", in the arena. */
const char *format_many(struct arena *arena, int64_t count, const char *noun);

/* "ns", "bytes", "count", "flop", "ppm": as JSON names the base unit. */
const char *format_unit(enum unit unit);

#endif
