/* SPDX-License-Identifier: Apache-2.0 */
#include "render/browser/libcurses.h"

#include <pthread.h>

#ifdef PTK_LIBCURSES
#define SYMBOL LIBRARY_LOADED
#else
#define PTK_LIBCURSES NULL
#define SYMBOL LIBRARY_LINKED
#endif

static const struct library_symbol symbols[] = {LIBCURSES_CALLS(SYMBOL)};

/* Written once, then only read: the same for all threads. */
static struct libcurses table;
static bool is_there;

static void load(void)
{
    is_there = library_load(PTK_LIBCURSES, symbols, COUNT_OF(symbols), &table);
}

const struct libcurses *libcurses(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;

    pthread_once(&once, load);
    return is_there ? &table : NULL;
}
