/* SPDX-License-Identifier: Apache-2.0 */
#include "base/io/io.h"

#include <dlfcn.h>
#include <errno.h>
#include <string.h>

#include "base/memory/memory.h"

bool library_load(const char *file, const struct library_symbol *symbols, size_t count, void *table)
{
    void *library;

    errno = 0;
    library = file ? dlopen(file, RTLD_NOW | RTLD_LOCAL) : NULL;
    if (file && !library && errno == ENOMEM)
        oom();
    if (file && !library)
        return false;
    for (size_t i = 0; i < count; i++) {
        void (*function)(void) = symbols[i].linked;

        /* POSIX lets a function's address pass through a pointer to data, ISO C does not */
        if (library)
            *(void **)&function = dlsym(library, symbols[i].name);
        if (!function)
            return false;
        memcpy((char *)table + i * sizeof(function), &function, sizeof(function));
    }
    return true;
}
