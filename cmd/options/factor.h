/* SPDX-License-Identifier: Apache-2.0 */
/* factor.h — how many times faster something gets, as users write it */
#ifndef PTK_CMD_OPTIONS_FACTOR_H
#define PTK_CMD_OPTIONS_FACTOR_H

#include "base/checked.h"
#include "base/error/error.h"
#include "base/memory/memory.h"

/* "2", "2x", "inf"; false unless it is above 0. */
bool factor_parse(const char *text, double *factor);

/* "RE=TEXT": the expression, in the arena, may hold '=' itself, as the last one counts; what is
 * after that. NULL where there is no expression. */
const char *part_split(const char *text, const char **expression, struct arena *arena);

/* "RE=FACTOR", an option's argument. */
MUST_CHECK bool factor_parse_part(const char *option, const char *text, const char **expression,
                                  double *factor, struct arena *arena, struct error *err);

#endif
