/* SPDX-License-Identifier: Apache-2.0 */
/* path_below.h — whether a file that a profile names lies where the user let it be read */
#ifndef PTK_BASE_IO_PATH_BELOW_H
#define PTK_BASE_IO_PATH_BELOW_H

#include <stdbool.h>

/* Whether there is such a file and it lies in the directory or one below, by the paths that are
 * left when symbolic links and ".." are followed. What is hidden below the directory (".ssh",
 * ".env") is not: name that folder itself. */
bool path_is_below(const char *path, const char *directory);

/* The same of the working directory. Where that is "/", nothing is: it would be everything. */
bool path_is_local(const char *path);

#endif
