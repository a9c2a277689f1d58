/* SPDX-License-Identifier: Apache-2.0 */
/* marshal_refs.h — what a dump refers to by the number of its coming: objects, and texts */
#ifndef PTK_PARSERS_PSTATS_MARSHAL_REFS_H
#define PTK_PARSERS_PSTATS_MARSHAL_REFS_H

#include <stddef.h>
#include <stdint.h>

#include "base/text/span.h"

/* ---- the texts of a dump in the order of their coming, which numbers them ---- */

/* They are kept only until those who want them have seen them: texts_drop() makes room for the
 * next, and the numbers go on. */

/* Ready for use when zeroed. */
struct texts {
    char *bytes;
    size_t used, room;
    size_t *ends; /* in `bytes`, by number - first */
    size_t count, cap;
    uint32_t first; /* the number of the first one kept */
};

/* The number of the text, which is copied. */
uint32_t texts_add(struct texts *texts, struct span text);

/* Borrowed until the next is added; empty for one that has been dropped. */
struct span texts_get(const struct texts *texts, uint32_t number);

/* Forgets all; the next one will be number `first`. */
void texts_drop(struct texts *texts, uint32_t first);

void texts_free(struct texts *texts);

/* ---- the objects of a dump that later ones may refer to, by the number of their coming ---- */

/* They are looked up at random, so the table is kept small: a word has an object's type in its low
 * bits and, above them, its payload where that fits, else the payload's place in `wide`. */

enum { REFS_TYPE_MASK = 15, REFS_IS_WIDE = 16, REFS_TYPE_BITS = 5 };

/* Ready for use when zeroed. */
struct refs {
    uint32_t *words;
    size_t count, cap;
    uint64_t *wide;
    size_t wide_count, wide_cap;
};

enum { REFS_PLACE_MAX = UINT32_MAX >> REFS_TYPE_BITS };

/* Make room for one more. */
void refs_grow(struct refs *refs);
void refs_grow_wide(struct refs *refs);

static inline uint32_t refs_word(struct refs *refs, unsigned type, uint64_t payload)
{
    if (payload <= REFS_PLACE_MAX)
        return (uint32_t)payload << REFS_TYPE_BITS | type;
    if (refs->wide_count == refs->wide_cap)
        refs_grow_wide(refs);
    refs->wide[refs->wide_count] = payload;
    return (uint32_t)refs->wide_count++ << REFS_TYPE_BITS | REFS_IS_WIDE | type;
}

/* Adds an object of a type up to 15, and returns its number. */
static inline uint32_t refs_add(struct refs *refs, unsigned type, uint64_t payload)
{
    if (refs->count == refs->cap)
        refs_grow(refs);
    refs->words[refs->count] = refs_word(refs, type, payload);
    return (uint32_t)refs->count++;
}

/* Says anew what an object is. */
static inline void refs_set(struct refs *refs, uint32_t number, unsigned type, uint64_t payload)
{
    refs->words[number] = refs_word(refs, type, payload);
}

/* What was said of an object, which must be one. */
static inline unsigned refs_get(const struct refs *refs, uint32_t number, uint64_t *payload)
{
    uint32_t word = refs->words[number];

    *payload = word & REFS_IS_WIDE ? refs->wide[word >> REFS_TYPE_BITS] : word >> REFS_TYPE_BITS;
    return word & REFS_TYPE_MASK;
}

/* Starts to fetch an object. */
static inline void refs_prefetch(const struct refs *refs, uint32_t number)
{
    __builtin_prefetch(&refs->words[number]);
}

void refs_free(struct refs *refs);

#endif
