/* SPDX-License-Identifier: Apache-2.0 */
#include "parsers/pstats/marshal_refs.h"

#include <stdlib.h>

#include "base/memory/grow.h"
#include "base/memory/oom.h"

enum { PLACE_MAX = UINT32_MAX >> REFS_TYPE_BITS };

static uint32_t word_of(struct refs *refs, unsigned type, uint64_t payload)
{
    if (payload <= PLACE_MAX)
        return (uint32_t)payload << REFS_TYPE_BITS | type;
    if (refs->wide_count > PLACE_MAX)
        oom(); /* places have 27 bits */
    refs->wide = grow_one(refs->wide, refs->wide_count, &refs->wide_cap, sizeof(*refs->wide));
    refs->wide[refs->wide_count] = payload;
    return (uint32_t)refs->wide_count++ << REFS_TYPE_BITS | REFS_IS_WIDE | type;
}

uint32_t refs_add(struct refs *refs, unsigned type, uint64_t payload)
{
    refs->words = grow_one(refs->words, refs->count, &refs->cap, sizeof(*refs->words));
    refs->words[refs->count] = word_of(refs, type, payload);
    return (uint32_t)refs->count++;
}

void refs_set(struct refs *refs, uint32_t number, unsigned type, uint64_t payload)
{
    refs->words[number] = word_of(refs, type, payload);
}

void refs_free(struct refs *refs)
{
    free(refs->words);
    free(refs->wide);
    *refs = (struct refs){0};
}
