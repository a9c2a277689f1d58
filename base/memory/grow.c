/* SPDX-License-Identifier: Apache-2.0 */
#include "base/memory/memory.h"

#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/io/io.h"

/* ---- the one place where the library may end the process ---- */

void oom(void)
{
    static const char text[] = "ptk: out of memory\n";
    ssize_t written = write(STDERR_FILENO, text, sizeof(text) - 1);

    (void)written; /* nothing is left to do about it */
    unfinished_remove();
    _exit(5);
}

/* ---- plain arrays that grow by doubling: the columns of every big table ---- */

enum { FIRST_CAP = 16 };

size_t grow_cap(size_t cap, size_t need)
{
    size_t doubled = cap > SIZE_MAX / 2 ? SIZE_MAX : cap * 2;

    if (doubled < FIRST_CAP)
        doubled = FIRST_CAP;
    return doubled > need ? doubled : need;
}

void *grow_to(void *column, size_t cap, size_t size)
{
    void *larger = cap > SIZE_MAX / size ? NULL : realloc(column, cap * size);

    if (!larger)
        oom();
    return larger;
}

void *grow_zeroed(size_t count, size_t size)
{
    void *memory = calloc(count ? count : 1, size);

    if (!memory)
        oom();
    return memory;
}
