/* SPDX-License-Identifier: Apache-2.0 */
#include "parsers/sqlite/libsqlite.h"

#include <pthread.h>

#ifdef PTK_LIBSQLITE
#define SYMBOL LIBRARY_LOADED
#else
#define PTK_LIBSQLITE NULL
#define SYMBOL LIBRARY_LINKED
#endif

static const struct library_symbol symbols[] = {LIBSQLITE_CALLS(SYMBOL)};

/* Written once, then only read: the same for all threads. */
static struct libsqlite table;
static bool is_there;

static void load(void)
{
    is_there = library_load(PTK_LIBSQLITE, symbols, COUNT_OF(symbols), &table);
}

const struct libsqlite *libsqlite(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;

    pthread_once(&once, load);
    return is_there ? &table : NULL;
}
