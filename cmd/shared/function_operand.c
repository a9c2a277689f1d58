/* SPDX-License-Identifier: Apache-2.0 */
#include "cmd/shared/shared_options.h"

#include <string.h>
#include <sys/stat.h>

#include "cmd/shared/load.h"

static bool is_file(const char *path)
{
    struct stat info;

    return strcmp(path, "-") == 0 || (stat(path, &info) == 0 && !S_ISDIR(info.st_mode));
}

/* A file alone is a name where there is another profile to look it up in. */
static bool has_function(char **operands, size_t count)
{
    struct error none = {0};

    return count > 1 ||
           (count == 1 && (!is_file(operands[0]) || profile_path(NULL, 0, true, &none)));
}

bool function_take(const char *command, char **operands, size_t *count, bool is_literal,
                   struct name_pattern *pattern, struct error *err)
{
    const char *function;
    size_t at;

    if (!has_function(operands, *count)) {
        error_set(err, ERROR_USAGE, "%s needs a function's name", command);
        return error_hint(err, "ptk %s FUNC %s", command, *count ? operands[0] : "[FILE]");
    }
    at = *count == 2 && is_file(operands[0]) && !is_file(operands[1]);
    function = operands[at];
    for (size_t i = at + 1; i < *count; i++)
        operands[i - 1] = operands[i];
    --*count;
    name_pattern_set(pattern, function, is_literal);
    return true;
}
