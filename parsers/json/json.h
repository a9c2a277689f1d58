/* SPDX-License-Identifier: Apache-2.0 */
/* json.h — JSON, as a stream and as values */
#ifndef PTK_PARSERS_JSON_JSON_H
#define PTK_PARSERS_JSON_JSON_H

#include "base/io/io.h"
#include "base/memory/memory.h"
#include "base/memory/span.h"

/* ---- JSON values as they stand in a file, turned into numbers and texts ---- */

/* Producers write numbers as strings and strings without escaping them, NaN and inf as they are.
 * Decimal text becomes integers without a double in between. */

/* With its quotes; valid while what it stands in is. */
struct token {
    const char *at; /* NULL: there is none, as when an event has no such member */
    uint32_t len;
};

/* A text that is one value, as a line may be; none where no token can be so long. */
static inline struct token token_of(struct span text)
{
    return text.len < UINT32_MAX ? (struct token){text.at, (uint32_t)text.len} : (struct token){0};
}

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

/* A key that walk_member() returned, with its escapes undone: see token_text(). */
struct span walk_key(struct span key, struct arena *arena);

/* The next item of an array; likewise. */
bool walk_item(struct json_walk *walk, struct token *value);

/* The next item where it is a whole number of up to nine digits, the most frequent item of profiles' lists. False,
 * with nothing consumed, for any other item. */
bool walk_digits(struct json_walk *walk, uint32_t *number);

/* The member with that key; its `at` is NULL when there is none. */
struct token walk_find(struct token object, struct span key);

/* The same as token_text() has it; empty when there is none. */
struct span walk_text(struct token object, struct span key, struct arena *arena);

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

/* ---- a JSON document taken piece by piece out of an input, however long it is ---- */

/*     struct json_stream stream = json_start(in);
 *
 *     if (!json_begin(&stream, err))
 *         return false;
 *     while (json_member(&stream, &key))
 *         if (json_key_is(&key, "nodes"))
 *             ...           enter the value, take it whole, or
 *         else
 *             json_skip(&stream);
 *     json_end(&stream, builder_warnings(builder));
 *
 * Every member's and item's value must be consumed in one of these ways. Only what is taken whole
 * has to fit into memory. What is no JSON at all ends the object or array that it stands in. */

struct json_stream {
    struct input *in;
    bool is_cut; /* the input ended inside a value */
    bool is_bad; /* something stood where no value can */
};

enum { JSON_KEY_MAX = 64 };

/* A copy; of a longer key only the length. */
struct json_key {
    char text[JSON_KEY_MAX];
    size_t len;
};

static inline bool json_key_is(const struct json_key *key, const char *text)
{
    return strlen(text) == key->len && memcmp(key->text, text, key->len) == 0;
}

/* At the beginning of the input, past a byte order mark. */
struct json_stream json_start(struct input *in);

/* Goes into the object that a document is; false with ERROR_INPUT where it is none. */
MUST_CHECK bool json_begin(struct json_stream *stream, struct error *err);

/* Warns where the document ended early, or went on as no JSON: what was read is all that is shown. */
void json_end(const struct json_stream *stream, struct warnings *warnings);

/* Goes into an object ('{') or array ('['); false, with nothing consumed, when it is none. */
bool json_enter(struct json_stream *stream, char bracket);

/* The same, but what is none is skipped. */
bool json_open(struct json_stream *stream, char bracket);

/* Goes to the next member's value; false after the last, with the bracket consumed. */
bool json_member(struct json_stream *stream, struct json_key *key);

/* Goes to the next item; likewise. */
bool json_item(struct json_stream *stream);

/* Takes a whole value, of any kind; it stays valid until anything else is read. A number at the
 * very end of the input counts as cut. */
bool json_take(struct json_stream *stream, struct token *value);

void json_skip(struct json_stream *stream);

#endif
