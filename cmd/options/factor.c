/* SPDX-License-Identifier: Apache-2.0 */
#include "cmd/options/factor.h"

#include <stdlib.h>
#include <string.h>

bool factor_parse(const char *text, double *factor)
{
    char *end;

    *factor = strtod(text, &end);
    if (end == text || strcmp(end + (*end == 'x'), "") != 0)
        return false;
    return *factor > 0; /* and not NaN */
}

const char *part_split(const char *text, const char **expression, struct arena *arena)
{
    const char *sign = strrchr(text, '=');

    if (!sign || sign == text)
        return NULL;
    *expression = arena_copy(arena, (struct span){text, (size_t)(sign - text)});
    return sign + 1;
}

bool factor_parse_part(const char *option, const char *text, const char **expression,
                       double *factor, struct arena *arena, struct error *err)
{
    const char *given = part_split(text, expression, arena);

    if (!given || !factor_parse(given, factor))
        return error_set(err, ERROR_USAGE,
                         "--%s takes RE=FACTOR with a factor above 0, or inf, not '%.60s'", option,
                         text);
    return true;
}
