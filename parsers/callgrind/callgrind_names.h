/* SPDX-License-Identifier: Apache-2.0 */
/* callgrind_names.h — callgrind's compressed names: "(12) main" the first time, "(12)" from then
 * on */
#ifndef PTK_PARSERS_CALLGRIND_CALLGRIND_NAMES_H
#define PTK_PARSERS_CALLGRIND_CALLGRIND_NAMES_H

#include "base/memory/idmap.h"
#include "graph/build/builder.h"

/* One number space: files, functions or objects. Ready for use when zeroed. */
struct compressed_names {
    struct idmap places;
    str_id *names;
    size_t count, cap;
    uint64_t undefined; /* numbers used before they were given a name */
};

/* The name that the text stands for. One without a number is itself; a number that no line has
 * named yet is its own name, and counted. */
str_id compressed_name(struct compressed_names *names, struct builder *builder, struct span text);

void compressed_names_free(struct compressed_names *names);

#endif
