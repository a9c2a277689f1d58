/* SPDX-License-Identifier: Apache-2.0 */
#include "base/memory/oom.h"

#include <stdlib.h>
#include <unistd.h>

#include "base/io/unfinished.h"

void oom(void)
{
    static const char text[] = "ptk: out of memory\n";
    ssize_t written = write(STDERR_FILENO, text, sizeof(text) - 1);

    (void)written; /* nothing is left to do about it */
    unfinished_remove();
    _exit(5);
}
