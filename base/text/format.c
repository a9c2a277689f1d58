/* SPDX-License-Identifier: Apache-2.0 */
/* Figures for people: times, bytes, counts, rates and shares, each in a few digits with its
 * unit. */
#include "base/text/format.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/checked.h"

struct scale {
    double size;
    const char *name;
};

static const struct scale times[] = {{1, "ns"}, {1e3, "us"}, {1e6, "ms"}, {1e9, "s"}};
static const struct scale sizes[] = {{1, "B"},        {0x1p10, "KiB"}, {0x1p20, "MiB"},
                                     {0x1p30, "GiB"}, {0x1p40, "TiB"}, {0x1p50, "PiB"}};
static const struct scale rates[] = {{1, "B/s"},    {1e3, "kB/s"},  {1e6, "MB/s"},
                                     {1e9, "GB/s"}, {1e12, "TB/s"}, {1e15, "PB/s"}};
static const struct scale works[] = {{1, "FLOP"},    {1e3, "kFLOP"},  {1e6, "MFLOP"},
                                     {1e9, "GFLOP"}, {1e12, "TFLOP"}, {1e15, "PFLOP"},
                                     {1e18, "EFLOP"}};

static const struct scale counts[] = {{1, ""}, {1e3, "k"}, {1e6, "M"}, {1e9, "G"}, {1e12, "T"}};

/* By unit. */
static const struct {
    const struct scale *list;
    size_t count;
} scales_of[] = {
    [UNIT_COUNT] = {counts, COUNT_OF(counts)}, [UNIT_NS] = {times, COUNT_OF(times)},
    [UNIT_BYTES] = {sizes, COUNT_OF(sizes)},   [UNIT_FLOP] = {works, COUNT_OF(works)},
    [UNIT_PPM] = {counts, COUNT_OF(counts)},
};

/* With four digits in all: 1.234, 12.34, 123.4, and 1234 for the largest unit. */
static const char *scaled(char out[FORMAT_LEN], int64_t value, const struct scale *scales,
                          size_t count)
{
    double size = fabs((double)value);
    size_t i = 0;

    while (i + 1 < count && size / scales[i].size >= (scales[i + 1].size / scales[i].size) - 0.05)
        i++;
    double shown = (double)value / scales[i].size, far = fabs(shown);
    int decimals = i == 0 || far >= 999.95 ? 0 : far < 9.9995 ? 3 : far < 99.995 ? 2 : 1;

    snprintf(out, FORMAT_LEN, "%.*f %s", decimals, shown, scales[i].name);
    return out;
}

const char *format_value(char out[FORMAT_LEN], int64_t value, enum unit unit)
{
    if (unit == UNIT_COUNT)
        return format_count(out, value);
    if (unit == UNIT_PPM)
        return format_share(out, (double)value / 1e6);
    return scaled(out, value, scales_of[unit].list, scales_of[unit].count);
}

const char *format_rate(char out[FORMAT_LEN], double per_second, enum unit unit)
{
    if (unit == UNIT_BYTES)
        return scaled(out, llround(per_second), rates, COUNT_OF(rates));
    format_ratio(out, per_second);
    return strcat(out, "/s");
}

double format_scale(double largest, enum unit unit, const char **name)
{
    const struct scale *scales = scales_of[unit].list;
    size_t i = 0;

    while (i + 1 < scales_of[unit].count && largest >= scales[i + 1].size)
        i++;
    *name = scales[i].name;
    return scales[i].size;
}

const char *format_share(char out[FORMAT_LEN], double share)
{
    if (!isfinite(share))
        snprintf(out, FORMAT_LEN, "-");
    else if (share > 0 && share < 0.00005)
        snprintf(out, FORMAT_LEN, "<0.01%%");
    else
        snprintf(out, FORMAT_LEN, "%.2f%%", share * 100 + 0.0);
    return out;
}

const char *format_ratio(char out[FORMAT_LEN], double ratio)
{
    if (fabs(ratio) >= 999.5 && fabs(ratio) < 1e15)
        return format_count(out, llround(ratio));
    snprintf(out, FORMAT_LEN, "%.3g", ratio);
    return out;
}

const char *format_count(char out[FORMAT_LEN], int64_t count)
{
    char digits[24];
    int len = snprintf(digits, sizeof(digits), "%" PRId64, count);
    int first = count < 0;
    char *to = out;

    for (int i = 0; i < len; i++) {
        if (i > first && (len - i) % 3 == 0)
            *to++ = ',';
        *to++ = digits[i];
    }
    *to = '\0';
    return out;
}

const char *format_range(struct arena *arena, int64_t least, int64_t most, enum unit unit)
{
    char from[FORMAT_LEN], to[FORMAT_LEN];

    format_value(from, least, unit);
    format_value(to, most, unit);
    return strcmp(from, to) == 0 ? "" : arena_printf(arena, "between %s and %s", from, to);
}

const char *format_many(struct arena *arena, int64_t count, const char *noun)
{
    char number[FORMAT_LEN];
    size_t len = strlen(noun);
    char last = len ? noun[len - 1] : '\0';

    format_count(number, count);
    if (count == 1)
        return arena_printf(arena, "%s %s", number, noun);
    if (last == 'y')
        return arena_printf(arena, "%s %.*sies", number, (int)len - 1, noun);
    return arena_printf(arena, last == 's' || last == 'h' ? "%s %ses" : "%s %ss", number, noun);
}

const char *format_unit(enum unit unit)
{
    static const char *const names[] = {[UNIT_COUNT] = "count",
                                        [UNIT_NS] = "ns",
                                        [UNIT_BYTES] = "bytes",
                                        [UNIT_FLOP] = "flop",
                                        [UNIT_PPM] = "ppm"};

    return names[unit];
}
