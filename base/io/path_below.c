/* SPDX-License-Identifier: Apache-2.0 */
#define _XOPEN_SOURCE 700 /* realpath() */
#include "base/io/io.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* What follows the directory in the path, NULL when it is no part of it; both are absolute. */
static const char *rest_of(const char *path, const char *directory)
{
    size_t len = strlen(directory);

    if (len == 1)
        return path;
    return strncmp(path, directory, len) == 0 && path[len] == '/' ? path + len : NULL;
}

bool path_is_below(const char *path, const char *directory)
{
    char *file = realpath(path, NULL), *root = file ? realpath(directory, NULL) : NULL;
    const char *rest = root ? rest_of(file, root) : NULL;
    bool is_below = rest && !strstr(rest, "/.");

    free(file);
    free(root);
    return is_below;
}

bool path_is_local(const char *path)
{
    char root[2];

    /* of a longer path getcwd() says that it has no room */
    return !(getcwd(root, sizeof(root)) && strcmp(root, "/") == 0) && path_is_below(path, ".");
}
