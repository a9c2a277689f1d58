/* SPDX-License-Identifier: Apache-2.0 */
#include "parsers/pstats/pstats.h"

#include <stdlib.h>

#include "base/memory/memory.h"

/* ---- the texts of a dump in the order of their coming, which numbers them ---- */

uint32_t texts_add(struct texts *texts, struct span text)
{
    if (texts->room - texts->used <= text.len) { /* room for an empty one, too */
        texts->room = grow_cap(texts->room, texts->used + text.len + 1);
        texts->bytes = grow_to(texts->bytes, texts->room, 1);
    }
    if (text.len)
        memcpy(texts->bytes + texts->used, text.at, text.len);
    texts->used += text.len;
    texts->ends = grow_one(texts->ends, texts->count, &texts->cap, sizeof(*texts->ends));
    texts->ends[texts->count] = texts->used;
    return texts->first + (uint32_t)texts->count++;
}

struct span texts_get(const struct texts *texts, uint32_t number)
{
    size_t at = number - texts->first;

    if (number < texts->first || at >= texts->count)
        return SPAN("");
    size_t begin = at ? texts->ends[at - 1] : 0;

    return (struct span){texts->bytes + begin, texts->ends[at] - begin};
}

void texts_drop(struct texts *texts, uint32_t first)
{
    texts->used = texts->count = 0;
    texts->first = first;
}

void texts_free(struct texts *texts)
{
    free(texts->bytes);
    free(texts->ends);
    *texts = (struct texts){0};
}

/* ---- the objects of a dump that later ones may refer to, by the number of their coming ---- */

void refs_grow(struct refs *refs)
{
    refs->cap = grow_cap(refs->cap, refs->count + 1);
    refs->words = grow_to(refs->words, refs->cap, sizeof(*refs->words));
}

/* Capacities double, so a place of more than 27 bits is asked for here first. */
void refs_grow_wide(struct refs *refs)
{
    if (refs->wide_count > REFS_PLACE_MAX)
        oom();
    refs->wide_cap = grow_cap(refs->wide_cap, refs->wide_count + 1);
    refs->wide = grow_to(refs->wide, refs->wide_cap, sizeof(*refs->wide));
}

void refs_free(struct refs *refs)
{
    free(refs->words);
    free(refs->wide);
    *refs = (struct refs){0};
}
