/* SPDX-License-Identifier: Apache-2.0 */
/* json_token.h — JSON values as they stand in a file, turned into numbers and texts
 *
 * Producers write numbers as strings and strings without escaping them, NaN and inf as they are.
 * Decimal text becomes integers without a double in between. */
#ifndef PTK_PARSERS_SHARED_JSON_TOKEN_H
#define PTK_PARSERS_SHARED_JSON_TOKEN_H

#include "base/memory/arena.h"
#include "base/text/span.h"

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

#endif
