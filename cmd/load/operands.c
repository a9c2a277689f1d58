/* SPDX-License-Identifier: Apache-2.0 */
/* operands.c — which of a command's operands is the profile, and which its function */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cmd/help/command.h"
#include "cmd/help/messages.h"
#include "cmd/load/fitting.h"
#include "cmd/load/profile_load.h"

const char *profile_path(char **operands, size_t count, bool is_quiet, struct error *err)
{
    const char *path = getenv("PTK_PROFILE");
    struct stat info;

    if (count == 1)
        return operands[0];
    if (count > 1) {
        error_set(err, ERROR_USAGE, "one profile at a time: '%.100s' is one more", operands[1]);
        error_hint(err, "ptk merge makes one of many, ptk diff compares two");
        return NULL;
    }
    if (fstat(STDIN_FILENO, &info) == 0 &&
        (S_ISFIFO(info.st_mode) || S_ISREG(info.st_mode) || S_ISSOCK(info.st_mode)))
        return "-";
    if (!path || !*path)
        path = access("profile.out", R_OK) == 0 ? "profile.out" : NULL;
    if (!path) {
        error_set(err, ERROR_USAGE, "no profile: name a file, pipe one in, or set PTK_PROFILE");
        hint_profiles_here(err);
    } else if (!is_quiet) {
        message_note("reading %s", path);
    }
    return path;
}

bool operands_are_two(char **operands, size_t count, struct error *err)
{
    if (count == 2)
        return true;
    if (count < 2)
        error_set(err, ERROR_USAGE, "two profiles are compared, BEFORE and AFTER, not %zu", count);
    else
        error_set(err, ERROR_USAGE,
                  "two profiles are compared, BEFORE and AFTER: '%.100s' is one more", operands[2]);
    return error_hint(err, "several runs of a side are files in a directory");
}

static bool is_file(const char *path)
{
    struct stat info;

    return strcmp(path, "-") == 0 || (stat(path, &info) == 0 && !S_ISDIR(info.st_mode));
}

bool function_take(const char *command, char **operands, size_t *count, bool is_literal,
                   struct name_pattern *pattern, struct error *err)
{
    const char *function;
    struct error ignored = {0};
    size_t at;

    /* A file alone is a name where there is another profile to look it up in. */
    if (*count == 0 ||
        (*count == 1 && is_file(operands[0]) && !profile_path(NULL, 0, true, &ignored))) {
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
