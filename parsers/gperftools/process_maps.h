/* SPDX-License-Identifier: Apache-2.0 */
/* process_maps.h — the list of mapped programs and libraries that ends a gperftools profile
 *
 * Either /proc/PID/maps, or a short form: START-END: PATH (@OFFSET). */
#ifndef PTK_PARSERS_GPERFTOOLS_PROCESS_MAPS_H
#define PTK_PARSERS_GPERFTOOLS_PROCESS_MAPS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/memory/vector.h"
#include "base/symbols/symbols.h"
#include "base/text/span.h"
#include "base/text/string_table.h"

struct map {
    struct symbol_map at;
    str_id path;
};

/* Ready for use when zeroed. */
struct maps {
    VECTOR(struct map); /* by start, once maps_sort() is called */
};

/* Adds what the line says. False when it is no mapping; one that holds no code is passed over.
 * `path` gets the path, which is part of the line; its id is for the caller to fill in. */
bool maps_add(struct maps *maps, struct span line, struct span *path);

void maps_sort(struct maps *maps);

/* The mapping that the address lies in, or NULL. */
const struct map *maps_find(const struct maps *maps, uint64_t address);

void maps_free(struct maps *maps);

#endif
