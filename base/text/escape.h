/* SPDX-License-Identifier: Apache-2.0 */
/* escape.h — names from a file on their way out: nothing in them may act on who reads them
 *
 * Bytes that are not UTF-8, surrogates and control characters become visible: \x1b, \ud800. */
#ifndef PTK_BASE_TEXT_ESCAPE_H
#define PTK_BASE_TEXT_ESCAPE_H

#include <stdio.h>

#include "base/memory/arena.h"
#include "base/text/span.h"

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

#endif
