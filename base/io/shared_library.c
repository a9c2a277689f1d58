/* SPDX-License-Identifier: Apache-2.0 */
#include "base/io/io.h"

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <string.h>

#include "base/memory/memory.h"

/* A static program has all of them, and no loader. */
#ifdef PTK_STATIC
#define dlopen(file, mode) ((void)(file), NULL)
#define dlsym(handle, name) ((void)(name), NULL)
#endif

enum { UNTRIED, LOADED, MISSING };

static int load(const struct shared_library *library)
{
    const char *file = library->file;
    void *handle;

    errno = 0;
    handle = file ? dlopen(file, RTLD_NOW | RTLD_LOCAL) : NULL;
    if (file && !handle && errno == ENOMEM)
        oom();
    if (file && !handle)
        return MISSING;
    for (size_t i = 0; i < library->count; i++) {
        void (*function)(void) = library->symbols[i].linked;

        /* POSIX lets a function's address pass through a pointer to data, ISO C does not */
        if (handle)
            *(void **)&function = dlsym(handle, library->symbols[i].name);
        if (!function)
            return MISSING;
        memcpy((char *)library->table + i * sizeof(function), &function, sizeof(function));
    }
    return LOADED;
}

void *library_table(struct shared_library *library)
{
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

    if (atomic_load(&library->state) == UNTRIED) {
        pthread_mutex_lock(&lock);
        if (atomic_load(&library->state) == UNTRIED)
            atomic_store(&library->state, load(library));
        pthread_mutex_unlock(&lock);
    }
    return atomic_load(&library->state) == LOADED ? library->table : NULL;
}
