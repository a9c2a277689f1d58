/* SPDX-License-Identifier: Apache-2.0 */
/* json_walk.h — the members of a JSON object, and the items of an array, that stand in memory whole
 *
 * For what a trace has little of: metadata, counters, the header. Events themselves go through
 * the scanner. Nothing is copied; keys and values are tokens as they stand. */
#ifndef PTK_PARSERS_SHARED_JSON_WALK_H
#define PTK_PARSERS_SHARED_JSON_WALK_H

#include "parsers/shared/json_token.h"

/* A place in an object or an array. */
struct walk {
    const char *at, *end;
};

/* At the first member or item; at none when the token is neither object nor array. */
struct walk walk_into(struct token token);

/* The next member of an object; false after the last, and where it is no JSON. */
bool walk_member(struct walk *walk, struct span *key, struct token *value);

/* The next item of an array; likewise. */
bool walk_item(struct walk *walk, struct token *value);

/* The member with that key; its `at` is NULL when there is none. */
struct token walk_find(struct token object, struct span key);

/* The first key of the object that a file begins with, after a byte order mark and blanks; empty
 * when it begins with anything else, or too little is there. */
struct span walk_first_key(struct span head);

/* Past the value that begins at `at`, or NULL when it ends nowhere before `end`. */
const char *walk_past_value(const char *at, const char *end);

#endif
