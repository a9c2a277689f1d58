/* SPDX-License-Identifier: Apache-2.0 */
/* pattern.h — names that match a pattern, and the nearest of a misspelt one */
#ifndef PTK_BASE_TEXT_PATTERN_H
#define PTK_BASE_TEXT_PATTERN_H

#include <stdbool.h>
#include <stddef.h>
#include <tre/tre.h>

#include "base/error/error.h"
#include "base/memory/span.h"

/* ---- a POSIX extended regular expression, searched anywhere in a name ---- */

struct pattern {
    regex_t regex;
    char *literal; /* owned: the expression, where all of it means itself; else NULL */
    uint64_t size; /* characters, when its repeats are written out */
};

/* False with ERROR_USAGE, which quotes the expression and says what is wrong with it. One that is
 * larger than PATTERN_SIZE_MAX characters when its repeats are written out, or deeper in brackets
 * than PATTERN_DEPTH_MAX, is refused: the library would take gigabytes, or its stack. So is one
 * with a back reference: what it matches takes exponential time to find out. */
enum { PATTERN_SIZE_MAX = 10000, PATTERN_DEPTH_MAX = 100 };

MUST_CHECK bool pattern_compile(struct pattern *pattern, const char *text, struct error *err);

/* In time of at most the pattern's size by the text's, and memory of the pattern's size: the text is
 * not copied, and what stands behind a match is not read. Bytes that are not UTF-8 count as
 * characters. Any number of threads may ask at once. */
bool pattern_matches(const struct pattern *pattern, struct span text);

void pattern_free(struct pattern *pattern);

/* ---- "did you mean": the known word that is closest to a mistyped one ---- */

/* Keeps the best of the words that it is shown. Start with {.typed = …}. */
struct suggestion {
    const char *typed;
    const char *word;  /* NULL while nothing is near */
    unsigned distance; /* of `word`: insertions, deletions, changes and swaps, at most 2 */
};

void suggestion_consider(struct suggestion *nearest, const char *word);

#endif
