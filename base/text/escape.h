/* SPDX-License-Identifier: Apache-2.0 */
/* escape.h — names from a file on their way out: nothing in them may act on who reads them */
#ifndef PTK_BASE_TEXT_ESCAPE_H
#define PTK_BASE_TEXT_ESCAPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/memory/memory.h"
#include "base/memory/span.h"

/* Bytes that are not UTF-8, surrogates and control characters become visible: \x1b, \ud800. */

/* For a terminal or a line of text. A clean text comes back as it is, others live in `arena`. */
struct span escape_plain(struct arena *arena, struct span text);

/* The same, of a text of more than `most` bytes its two ends: for names that stand in every row or
 * box, which a profile may have made a hundred kilobytes long. */
struct span escape_shortened(struct arena *arena, struct span text, size_t most);

/* A JSON string with its quotes. Bytes that are not UTF-8 become \udcXX, surrogates \udXXX, as
 * Python's surrogateescape reads them back. */
void escape_json(FILE *out, struct span text);

/* Whether a JSON string contains the text as it is, between its quotes. */
bool escape_json_is_plain(struct span text);

/* Who reads a CSV file, beside programs. Zeroed: nobody else. */
struct csv_readers {
    bool is_terminal;    /* ends of lines and tabulators become visible, too */
    bool is_spreadsheet; /* what would be a formula there begins with an apostrophe */
};

/* An RFC 4180 field: quoted when it must be, with its ends of lines and its tabulators. Other control
 * characters have no place there and become visible: JSON has the bytes. */
void escape_csv(FILE *out, struct span text, struct csv_readers readers);

/* Whether the field is the text as it is. False of some that are: it looks at eight bytes at once. */
bool escape_csv_is_plain(struct span text, struct csv_readers readers);

/* A cell of a Markdown table: one line, with what Markdown and HTML would act on defused. */
void escape_markdown(FILE *out, struct span text);

/* Inside a DOT string, without its quotes. */
void escape_dot(FILE *out, struct span text);

/* Terminal cells that a plain text takes. */
size_t escape_cells(struct span plain);

/* How many bytes of a plain text take at most so many cells. */
size_t escape_fit(struct span plain, size_t cells);

/* ---- names are bytes, mostly UTF-8; this reads them one code point at a time ---- */

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
