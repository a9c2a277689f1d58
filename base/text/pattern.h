/* SPDX-License-Identifier: Apache-2.0 */
/* pattern.h — a POSIX extended regular expression, searched anywhere in a name */
#ifndef PTK_BASE_TEXT_PATTERN_H
#define PTK_BASE_TEXT_PATTERN_H

#include <regex.h>
#include <stdbool.h>

#include "base/cli/error.h"
#include "base/text/span.h"

struct pattern {
    regex_t regex;
};

/* False with ERROR_USAGE, which quotes the expression and says what is wrong with it. One that is
 * larger than PATTERN_SIZE_MAX characters when its repeats are written out, or deeper in brackets
 * than PATTERN_DEPTH_MAX, is refused: the library would take gigabytes, or its stack. */
enum { PATTERN_SIZE_MAX = 10000, PATTERN_DEPTH_MAX = 100 };

MUST_CHECK bool pattern_compile(struct pattern *pattern, const char *text, struct error *err);

/* `text` must be followed by a NUL, as interned names are; a NUL inside ends what is searched. */
bool pattern_matches(const struct pattern *pattern, struct span text);

void pattern_free(struct pattern *pattern);

#endif
