/* SPDX-License-Identifier: Apache-2.0 */
#include "render/pictures/libxml.h"

#include <pthread.h>

#ifdef PTK_LIBXML
#define SYMBOL LIBRARY_LOADED
#else
#define PTK_LIBXML NULL
#define SYMBOL LIBRARY_LINKED
#endif

static const struct library_symbol symbols[] = {LIBXML_CALLS(SYMBOL)};

/* Written once, then only read: the same for all threads. */
static struct libxml table;
static bool is_there;

static void load(void)
{
    is_there = library_load(PTK_LIBXML, symbols, COUNT_OF(symbols), &table);
}

const struct libxml *libxml(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;

    pthread_once(&once, load);
    return is_there ? &table : NULL;
}
