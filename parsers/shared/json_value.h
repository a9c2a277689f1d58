/* SPDX-License-Identifier: Apache-2.0 */
/* json_value.h — JSON values as they stand in a buffer: what they mean, and what is in them */
#ifndef PTK_PARSERS_SHARED_JSON_VALUE_H
#define PTK_PARSERS_SHARED_JSON_VALUE_H

#include "base/memory/arena.h"
#include "base/text/span.h"

/* ---- JSON values as they stand in a file, turned into numbers and texts ---- */

/* Producers write numbers as strings and strings without escaping them, NaN and inf as they are.
 * Decimal text becomes integers without a double in between. */

/* With its quotes; valid while what it stands in is. */
struct token {
    const char *at; /* NULL: there is none, as when an event has no such member */
    uint32_t len;
};

/* A decimal number, times 10^scale, rounded as decimal_fits() says: token_scaled(ts, 3, &ns) for microseconds.
 * The number may stand in quotes and have an exponent. False when it is no number, has more after
 * it, or does not fit. */
bool token_scaled(struct token token, int scale, int64_t *value);

/* A whole number; a fraction is cut off. Also takes "0x1f". */
bool token_integer(struct token token, int64_t *value);

/* For counters, whose values are whatever somebody counted. */
bool token_real(struct token token, double *value);

/* What is between the quotes, or the value as it stands when it has none; null is empty. Escapes
 * are left as they are. */
struct span token_raw_text(struct token token);

/* The same with escapes undone: \uXXXX becomes UTF-8, a lone surrogate its three bytes. What is
 * no escape stays. A text without a backslash is not copied. */
struct span token_text(struct token token, struct arena *arena);

bool token_is(struct token token, struct span text);

/* ---- the members of a JSON object, and the items of an array, that stand in memory whole ---- */

/* For what a trace has little of: metadata, counters, the header. Events themselves go through the
 * scanner. Nothing is copied; keys and values are tokens as they stand. */

/* A place in an object or an array. */
struct json_walk {
    const char *at, *end;
};

/* At the first member or item; at none when the token is neither object nor array. */
struct json_walk walk_into(struct token token);

/* The next member of an object; false after the last, and where it is no JSON. */
bool walk_member(struct json_walk *walk, struct span *key, struct token *value);

/* The next item of an array; likewise. */
bool walk_item(struct json_walk *walk, struct token *value);

/* The member with that key; its `at` is NULL when there is none. */
struct token walk_find(struct token object, struct span key);

/* The first key of the object that a file begins with, after a byte order mark and blanks; empty
 * when it begins with anything else, or too little is there. */
struct span walk_first_key(struct span head);

/* Past the value that begins at `at`, or NULL when it ends nowhere before `end`. */
const char *walk_past_value(const char *at, const char *end);

/* ---- one way to write a list, however its producer spaces it ---- */

/* The shapes "[[8, 3]]" of one file are "[[8,3]]" in another and stand on six lines in a third:
 * they are the same shapes. */

/* The value with one space after each comma and colon, and none elsewhere outside of strings. One
 * that is so already, or is no list and no object, is not copied. */
struct token token_spaced(struct token token, struct arena *arena);

#endif
