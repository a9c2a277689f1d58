/* SPDX-License-Identifier: Apache-2.0 */
#include "parsers/shared/kernel_name.h"

#include "base/symbols/demangle.h"

str_id kernel_name_intern(struct builder *builder, struct span name)
{
    struct arena arena = {0};
    str_id known;

    if (!span_starts(name, SPAN("_Z")) || memchr(name.at, '\0', name.len))
        return builder_intern(builder, name);
    known = builder_intern(builder, demangle_whole(&arena, arena_copy(&arena, name)));
    arena_free(&arena);
    return known;
}
