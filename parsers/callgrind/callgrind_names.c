/* SPDX-License-Identifier: Apache-2.0 */
#include "parsers/callgrind/callgrind_names.h"

#include <stdlib.h>

#include "base/memory/grow.h"

/* "(12) main" → 12, and what follows it. */
static bool split_number(struct span text, uint64_t *number, struct span *name)
{
    struct span inner;

    if (!span_starts(text, SPAN("(")) || !memchr(text.at, ')', text.len))
        return false;
    *name = span_after(text, 1);
    inner = span_split(name, ')');
    *name = span_trim(*name);
    return span_to_u64(inner, number);
}

static str_id *slot_of(struct compressed_names *names, uint64_t number)
{
    uint32_t *place = idmap_at(&names->places, number);

    if (*place == IDMAP_NONE) {
        names->names = grow_one(names->names, names->count, &names->cap, sizeof(*names->names));
        names->names[names->count] = 0;
        *place = (uint32_t)names->count++;
    }
    return &names->names[*place];
}

str_id compressed_name(struct compressed_names *names, struct builder *builder, struct span text)
{
    struct span name;
    uint64_t number;
    str_id *slot;

    text = span_trim(text);
    if (!split_number(text, &number, &name))
        return builder_intern(builder, text);
    slot = slot_of(names, number);
    if (name.len)
        *slot = builder_intern(builder, name);
    if (*slot == 0) {
        names->undefined++;
        *slot = builder_intern(builder, text);
    }
    return *slot;
}

void compressed_names_free(struct compressed_names *names)
{
    idmap_free(&names->places);
    free(names->names);
}
