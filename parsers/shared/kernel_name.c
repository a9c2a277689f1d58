/* SPDX-License-Identifier: Apache-2.0 */
#include "parsers/shared/kernel_counters.h"

#include "base/symbols/symbols.h"
#include "graph/classify/kernel_class.h"

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

enum frame_kind kernel_name_kind(struct span name)
{
    if (!span_starts(name, SPAN("[")))
        return device_work_kind(name);
    if (span_find_word(name, SPAN("memcpy")) != SIZE_MAX)
        return KIND_MEMCPY;
    return span_find_word(name, SPAN("memset")) == SIZE_MAX ? KIND_OTHER : KIND_MEMSET;
}

frame_id kernel_name_frame(struct builder *builder, struct span name, enum frame_kind kind)
{
    struct frame frame = {.name = kernel_name_intern(builder, name), .kind = kind};

    return builder_frame(builder, &frame);
}
