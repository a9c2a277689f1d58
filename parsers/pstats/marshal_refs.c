/* SPDX-License-Identifier: Apache-2.0 */
#include "parsers/pstats/marshal_refs.h"

#include <stdlib.h>

#include "base/memory/grow.h"

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
