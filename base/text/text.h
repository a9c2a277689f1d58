/* SPDX-License-Identifier: Apache-2.0 */
/* text.h — names and numbers: each name once, and both as people read them */
#ifndef PTK_BASE_TEXT_TEXT_H
#define PTK_BASE_TEXT_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/memory/memory.h"
#include "base/text/span.h"

/* ---- every distinct name once; the rest of the program holds 32-bit ids ---- */

typedef uint32_t str_id; /* 0 is always the empty string */

/* Owns the bytes of its names. Ready for use when zeroed. */
struct strings {
    struct arena bytes;
    struct span *text; /* by id; each is followed by a NUL */
    size_t count, cap;
    struct index index;
};

/* The id of `text`, which is copied on first use. */
str_id strings_intern(struct strings *strings, struct span text);

/* Starts to fetch where strings_intern() will look first. */
void strings_prefetch(const struct strings *strings, struct span text);

/* Borrowed until strings_free; NUL-terminated, though the span may hold NULs as well. */
struct span strings_get(const struct strings *strings, str_id id);

void strings_free(struct strings *strings);

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

/* ---- names from a file on their way out: nothing in them may act on who reads them ---- */

/* Bytes that are not UTF-8, surrogates and control characters become visible: \x1b, \ud800. */

/* For a terminal or a line of text. A clean text comes back as it is, others live in `arena`. */
struct span escape_plain(struct arena *arena, struct span text);

/* The same, of a text of more than `most` bytes its two ends: for names that stand in every row or
 * box, which a profile may have made a hundred kilobytes long. */
struct span escape_shortened(struct arena *arena, struct span text, size_t most);

/* A JSON string with its quotes. Bytes that are not UTF-8 become \udcXX, surrogates \udXXX, as
 * Python's surrogateescape reads them back. */
void escape_json(FILE *out, struct span text);

/* Who reads a CSV file, beside programs. Zeroed: nobody else. */
struct csv_readers {
    bool is_terminal;    /* control characters become visible */
    bool is_spreadsheet; /* what would be a formula there begins with an apostrophe */
};

/* An RFC 4180 field: quoted when it must be. The bytes stay what they are but for such readers. */
void escape_csv(FILE *out, struct span text, struct csv_readers readers);

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

/* ---- the text of a source file that a profile names, where it can be found now ---- */

enum { CODE_TEXT_MAX = 16 << 20 };

struct code_text {
    struct span *lines; /* without their ends; line 1 is the first */
    size_t count;
    size_t size;      /* bytes of the lines */
    const char *path; /* where it was read; NULL: it was not */
    bool is_outside;  /* there is a file of that name where none may be read */
};

/* Where sources may be read. A profile from a stranger may name any file of the machine, and what
 * is made from it may be sent around. */
struct source_places {
    const char *const *directories; /* beside the working directory; the last is NULL */
    bool is_any;                    /* anywhere */
};

/* Looks for `path` itself, then in each directory, first all of the path below it and then less and
 * less: for "a/b.py" DIR/a/b.py and DIR/b.py. Only regular files of at most CODE_TEXT_MAX bytes are
 * read, and only in the places (path_is_below() says how). The lines are in the arena. False when
 * there is none; the text then has no lines, and says whether one is outside. */
bool code_text_find(struct code_text *text, struct span path, const struct source_places *places,
                    struct arena *arena);

/* The text of a line, counted from 1; `at` is NULL when the file has no such line. */
static inline struct span code_text_line(const struct code_text *text, int64_t line)
{
    return line > 0 && (uint64_t)line <= text->count ? text->lines[line - 1] : (struct span){0};
}

#endif
