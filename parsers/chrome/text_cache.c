#include "parsers/chrome/text_cache.h"

#define XXH_INLINE_ALL
#include <stdlib.h>
#include <xxhash.h>

#include "base/memory/grow.h"
#include "parsers/shared/json_spacing.h"

static str_id intern(struct builder *builder, struct token token)
{
    struct arena made = {0};
    str_id id = builder_intern(builder, token_text(token_spaced(token, &made), &made));

    arena_free(&made);
    return id;
}

static void add(struct spellings *spellings, struct builder *builder, struct token token)
{
    struct spelling spelling = {{token.at, token.len}, intern(builder, token)};
    struct span kept = builder_text(builder, spelling.id);

    spelling.raw.at =
        span_eq(kept, spelling.raw) ? kept.at : arena_copy(&spellings->raw, spelling.raw);
    spellings->list =
        grow_one(spellings->list, spellings->count, &spellings->cap, sizeof(*spellings->list));
    spellings->list[spellings->count++] = spelling;
}

str_id spellings_find(struct spellings *spellings, struct builder *builder, struct token token)
{
    struct span raw = {token.at, token.len};
    struct index_place place;
    uint32_t at;

    if (!token.len || token.at[0] == '"')
        return intern(builder, token);
    index_reserve(&spellings->index);
    place = index_start(&spellings->index, (uint32_t)XXH3_64bits(raw.at, raw.len));
    do
        at = index_next(&spellings->index, &place);
    while (at && !span_eq(spellings->list[at - 1].raw, raw));
    if (!at) {
        add(spellings, builder, token);
        at = index_add(&spellings->index, &place);
    }
    return spellings->list[at - 1].id;
}

void spellings_free(struct spellings *spellings)
{
    free(spellings->list);
    index_free(&spellings->index);
    arena_free(&spellings->raw);
    *spellings = (struct spellings){0};
}
