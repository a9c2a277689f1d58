/* SPDX-License-Identifier: Apache-2.0 */
#include "base/text/string_table.h"

#include <assert.h>
#include <stdlib.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "base/memory/memory.h"

static uint32_t hash_of(const struct strings *strings, struct span text)
{
    return (uint32_t)XXH3_64bits_withSeed(text.at, text.len, strings->index.key);
}

static void add_text(struct strings *strings, struct span text)
{
    strings->text = grow_one(strings->text, strings->count, &strings->cap, sizeof(*strings->text));
    strings->text[strings->count++] = text;
}

str_id strings_intern(struct strings *strings, struct span text)
{
    struct index_place place;
    str_id id;

    if (text.len == 0)
        return 0;
    if (strings->count == 0)
        add_text(strings, SPAN(""));
    index_reserve(&strings->index);
    place = index_start(&strings->index, hash_of(strings, text));
    do
        id = index_next(&strings->index, &place);
    while (id && !span_eq(strings->text[id], text));
    if (id)
        return id;
    add_text(strings, (struct span){arena_copy(&strings->bytes, text), text.len});
    return index_add(&strings->index, &place);
}

void strings_prefetch(const struct strings *strings, struct span text)
{
    if (strings->index.cap)
        hash_index_prefetch(&strings->index, hash_of(strings, text));
}

struct span strings_get(const struct strings *strings, str_id id)
{
    if (id == 0)
        return SPAN("");
    assert(id < strings->count);
    return strings->text[id];
}

void strings_free(struct strings *strings)
{
    free(strings->text);
    index_free(&strings->index);
    arena_free(&strings->bytes);
    *strings = (struct strings){0};
}
