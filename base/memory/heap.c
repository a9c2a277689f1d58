/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>

#include "base/memory/heap.h"

/* Only glibc can be asked. */
#ifdef __GLIBC__
#include <malloc.h>

void heap_share(void)
{
    mallopt(M_ARENA_MAX, 1);
}

void heap_keep(void)
{
    enum { LARGEST = 4 << 20, KEPT = 256 << 20, STEP = 4 << 20 };

    mallopt(M_MMAP_THRESHOLD, LARGEST);
    mallopt(M_TRIM_THRESHOLD, KEPT);
    mallopt(M_TOP_PAD, STEP);
}
#else
void heap_share(void)
{
}

void heap_keep(void)
{
}
#endif
