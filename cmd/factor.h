/* factor.h — how many times faster something gets, as users write it */
#ifndef PTK_CMD_FACTOR_H
#define PTK_CMD_FACTOR_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/error.h"

/* "2", "2x", "inf"; false unless it is above 0. */
bool factor_parse(const char *text, double *factor);

/* "RE=FACTOR", an option's argument. The expression, in the arena, may hold '=' itself: the last one
 * counts. */
MUST_CHECK bool factor_parse_part(const char *option, const char *text, const char **expression,
                                  double *factor, struct arena *arena, struct error *err);

#endif
