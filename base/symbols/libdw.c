/* SPDX-License-Identifier: Apache-2.0 */
#include "base/symbols/libdw.h"

#include <pthread.h>

#ifdef PTK_LIBDW
#define SYMBOL LIBRARY_LOADED
#else
#define PTK_LIBDW NULL
#define SYMBOL LIBRARY_LINKED
#endif

static const struct library_symbol symbols[] = {LIBDW_CALLS(SYMBOL)};

/* Written once, then only read: the same for all threads. */
static struct libdw table;
static bool is_there;

static void load(void)
{
    is_there = library_load(PTK_LIBDW, symbols, COUNT_OF(symbols), &table);
}

const struct libdw *libdw(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;

    pthread_once(&once, load);
    return is_there ? &table : NULL;
}
