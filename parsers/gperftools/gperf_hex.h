/* SPDX-License-Identifier: Apache-2.0 */
/* gperf_hex.h — hexadecimal numbers, with or without 0x */
#ifndef PTK_PARSERS_GPERFTOOLS_GPERF_HEX_H
#define PTK_PARSERS_GPERFTOOLS_GPERF_HEX_H

#include <stdbool.h>
#include <stdint.h>

#include "base/text/span.h"

/* Takes a number off the front. False when there is none, or it has more than 64 bits. */
static inline bool hex_take(struct span *text, uint64_t *value)
{
    struct span rest = span_starts(*text, SPAN("0x")) ? span_after(*text, 2) : *text;
    size_t digits = 0;

    *value = 0;
    for (; digits < rest.len; digits++) {
        char c = rest.at[digits];
        int digit = c >= '0' && c <= '9'   ? c - '0'
                    : c >= 'a' && c <= 'f' ? c - 'a' + 10
                    : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                           : -1;

        if (digit < 0)
            break;
        if (*value >> 60)
            return false;
        *value = *value << 4 | (unsigned)digit;
    }
    *text = span_after(rest, digits);
    return digits > 0;
}

#endif
