/* SPDX-License-Identifier: Apache-2.0 */
/* shared_library.h — a library that is loaded when it is first needed, so that what a command does
 * not use costs it nothing
 *
 * A module lists the functions that it calls once, with their headers' own types:
 *
 *     #define ZOO_CALLS(CALL) CALL(zoo_open) CALL(zoo_close)
 *     struct zoo_library { ZOO_CALLS(LIBRARY_FIELD) };
 *     static const struct library_symbol symbols[] = {ZOO_CALLS(LIBRARY_LOADED)};
 *
 * and fills the table once. With LIBRARY_LINKED in the place of LIBRARY_LOADED, and no file, the
 * same functions are linked as usual. */
#ifndef PTK_BASE_IO_SHARED_LIBRARY_H
#define PTK_BASE_IO_SHARED_LIBRARY_H

#include <stdbool.h>
#include <stddef.h>

#include "base/attr.h"

struct library_symbol {
    const char *name;
    void (*linked)(void);
};

#define LIBRARY_FIELD(function) __typeof__(function) *function;
#define LIBRARY_LOADED(function) {#function, NULL},
#define LIBRARY_LINKED(function) {#function, (void (*)(void))(function)},

/* Fills a table of `count` pointers to functions. False where the file, or one of the functions, is
 * not there. A library stays loaded. */
MUST_CHECK bool library_load(const char *file, const struct library_symbol *symbols, size_t count,
                             void *table);

#endif
