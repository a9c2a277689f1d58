/* SPDX-License-Identifier: Apache-2.0 */
#include "base/memory/grow.h"

#include <stdint.h>
#include <stdlib.h>

#include "base/memory/oom.h"

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
