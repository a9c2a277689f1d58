/* SPDX-License-Identifier: Apache-2.0 */
/* quantity.h — figures with their units: "9.6305ms", "8.0000MB", "60.641GB/s", or a bare number in
 * a column whose unit stands in its header or below it; "1,234,567" in texts of Nsight */
#ifndef PTK_PARSERS_SHARED_QUANTITY_H
#define PTK_PARSERS_SHARED_QUANTITY_H

#include <stdbool.h>
#include <stdint.h>

#include "base/text/span.h"

/* What a column's figures are in. */
struct column_unit {
    bool is_time, is_size; /* neither: nothing known */
    int exponent;          /* time: powers of ten of a nanosecond; size: powers of 1000 or 1024 */
};

/* "ms", "KB", "GB/s", "%" or nothing. */
struct column_unit column_unit_of(struct span word);

/* Nanoseconds of a figure that has its own unit, or else its column's. `resolution`: what one unit
 * in its last place is, at least 1. False when it is no time. */
bool quantity_time(struct span text, struct column_unit unit, int64_t *ns, int64_t *resolution);

/* A whole number, with commas between thousands or not. */
bool quantity_count(struct span text, int64_t *count);

/* Bytes, or bytes a second, as they are written. Whether a KB is 1000 or 1024 is for the whole file
 * to tell. */
struct amount {
    int64_t micros; /* millionths of the unit */
    int exponent;   /* of the unit: 0 B, 1 KB, 2 MB, 3 GB */
};

bool quantity_amount(struct span text, struct column_unit unit, struct amount *amount);

/* In bytes; `base` is 1000 or 1024. */
int64_t amount_bytes(struct amount amount, int64_t base);

#endif
