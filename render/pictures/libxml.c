/* SPDX-License-Identifier: Apache-2.0 */
#include "render/pictures/libxml.h"

#ifdef PTK_LIBXML
#define SYMBOL LIBRARY_LOADED
#else
#define PTK_LIBXML NULL
#define SYMBOL LIBRARY_LINKED
#endif

const struct libxml *libxml(void)
{
    static const struct library_symbol symbols[] = {LIBXML_CALLS(SYMBOL)};
    static struct libxml table;
    static struct shared_library library = {
        .file = PTK_LIBXML, .symbols = symbols, .count = COUNT_OF(symbols), .table = &table};

    return library_table(&library);
}
