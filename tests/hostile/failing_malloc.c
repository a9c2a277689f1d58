/* SPDX-License-Identifier: Apache-2.0 */
/* failing_malloc.c — preloaded into ptk: the allocation number FAIL_AT finds no memory
 *
 * FAIL_COUNT=FILE writes how many allocations there were. Only glibc has the functions behind the
 * functions that this needs. */
#include <errno.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *old, size_t size);

static atomic_ulong allocations;
static unsigned long fail_at;

__attribute__((constructor)) static void begin(void)
{
    const char *at = getenv("FAIL_AT");

    fail_at = at ? strtoul(at, NULL, 10) : 0;
    atomic_store(&allocations, 0); /* those of the loader are not ptk's */
}

__attribute__((destructor)) static void end(void)
{
    unsigned long count = atomic_load(&allocations);
    const char *path = getenv("FAIL_COUNT");
    FILE *out = path ? fopen(path, "w") : NULL;

    if (out) {
        fprintf(out, "%lu\n", count);
        fclose(out);
    }
}

static int fails(void)
{
    if (atomic_fetch_add(&allocations, 1) + 1 != fail_at)
        return 0;
    errno = ENOMEM;
    return 1;
}

void *malloc(size_t size)
{
    return fails() ? NULL : __libc_malloc(size);
}

void *calloc(size_t count, size_t size)
{
    return fails() ? NULL : __libc_calloc(count, size);
}

void *realloc(void *old, size_t size)
{
    return fails() ? NULL : __libc_realloc(old, size);
}
