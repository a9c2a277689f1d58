/* SPDX-License-Identifier: Apache-2.0 */
#include "render/browser/libcurses.h"

#ifdef PTK_LIBCURSES
#define SYMBOL LIBRARY_LOADED
#else
#define PTK_LIBCURSES NULL
#define SYMBOL LIBRARY_LINKED
#endif

const struct libcurses *libcurses(void)
{
    static const struct library_symbol symbols[] = {LIBCURSES_CALLS(SYMBOL)};
    static struct libcurses table;
    static struct shared_library library = {
        .file = PTK_LIBCURSES, .symbols = symbols, .count = COUNT_OF(symbols), .table = &table};

    return library_table(&library);
}
