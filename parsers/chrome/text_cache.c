/* SPDX-License-Identifier: Apache-2.0 */
#include "parsers/chrome/text_cache.h"

#define XXH_INLINE_ALL
#include <stdlib.h>
#include <xxhash.h>

#include "parsers/shared/json_value.h"

static str_id intern(struct builder *builder, struct token token)
{
    struct arena made = {0};
    str_id id = builder_intern(builder, token_text(token_spaced(token, &made), &made));

    arena_free(&made);
    return id;
}

static void add_text(struct text_cache *text_cache, struct builder *builder, struct token token)
{
    struct cached_text cached_text = {{token.at, token.len}, intern(builder, token)};
    struct span kept = builder_text(builder, cached_text.id);

    cached_text.raw.at =
        span_eq(kept, cached_text.raw) ? kept.at : arena_copy(&text_cache->raw, cached_text.raw);
    vector_add(text_cache, cached_text);
}

str_id text_cache_find(struct text_cache *text_cache, struct builder *builder, struct token token)
{
    struct span raw = {token.at, token.len};
    struct index_place place;
    uint32_t at;

    if (!token.len || token.at[0] == '"')
        return intern(builder, token);
    index_reserve(&text_cache->index);
    place = index_start(&text_cache->index,
                        (uint32_t)XXH3_64bits_withSeed(raw.at, raw.len, text_cache->index.key));
    do
        at = index_next(&text_cache->index, &place);
    while (at && !span_eq(text_cache->list[at - 1].raw, raw));
    if (!at) {
        add_text(text_cache, builder, token);
        at = index_add(&text_cache->index, &place);
    }
    return text_cache->list[at - 1].id;
}

void text_cache_free(struct text_cache *text_cache)
{
    free(text_cache->list);
    index_free(&text_cache->index);
    arena_free(&text_cache->raw);
    *text_cache = (struct text_cache){0};
}
