/* SPDX-License-Identifier: Apache-2.0 */
/* utf8.h — names are bytes, mostly UTF-8; this reads them one code point at a time */
#ifndef PTK_BASE_TEXT_UTF8_H
#define PTK_BASE_TEXT_UTF8_H

#include <stdbool.h>
#include <stdint.h>

#include "base/text/span.h"

enum utf8_kind {
    UTF8_CHAR,      /* a code point, not a surrogate */
    UTF8_SURROGATE, /* U+D800 … U+DFFF in three bytes, as Python's surrogatepass writes it */
    UTF8_BYTE,      /* a byte that is no part of UTF-8 */
};

struct utf8 {
    enum utf8_kind kind;
    uint32_t code;
    unsigned len; /* bytes taken, 1 … 4 */
};

/* The first code point of a text that is not empty. */
struct utf8 utf8_next(struct span text);

/* Writes a code point below 0x110000 in 1 … 4 bytes, and returns how many. A surrogate is written
 * as the three bytes that it would have. */
size_t utf8_write(char *to, uint32_t code);

/* C0, DEL, C1, line and paragraph separators, and the marks that turn the writing direction:
 * what could move a cursor, end a line or reorder what a reader sees. */
bool utf8_is_control(uint32_t code);

/* Terminal cells: 0 for combining marks, 2 for wide East Asian characters and most emoji. */
unsigned utf8_cells(uint32_t code);

#endif
