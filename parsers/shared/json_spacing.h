/* SPDX-License-Identifier: Apache-2.0 */
/* json_spacing.h — one way to write a list, however its producer spaces it
 *
 * The shapes "[[8, 3]]" of one file are "[[8,3]]" in another and stand on six lines in a third:
 * they are the same shapes. */
#ifndef PTK_PARSERS_SHARED_JSON_SPACING_H
#define PTK_PARSERS_SHARED_JSON_SPACING_H

#include "parsers/shared/json_token.h"

/* The value with one space after each comma and colon, and none elsewhere outside of strings. One
 * that is so already, or is no list and no object, is not copied. */
struct token token_spaced(struct token token, struct arena *arena);

#endif
