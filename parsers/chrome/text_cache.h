/* SPDX-License-Identifier: Apache-2.0 */
/* text_cache.h — from a list as it stands in the file to the graph's text, at one look a list */
#ifndef PTK_PARSERS_CHROME_TEXT_CACHE_H
#define PTK_PARSERS_CHROME_TEXT_CACHE_H

#include "base/memory/hash_index.h"
#include "base/memory/vector.h"
#include "graph/build/builder.h"
#include "parsers/shared/json_value.h"

struct cached_text {
    struct span raw; /* what stood in the file */
    str_id id;       /* of the same with one space after each comma and colon */
};

/* Ready for use when zeroed. */
struct text_cache {
    struct index index;
    VECTOR(struct cached_text); /* by the index' id - 1 */
    struct arena raw;           /* of those that are spaced otherwise */
};

/* A string without its escapes; anything else as it is, but for the spaces. */
str_id text_cache_find(struct text_cache *text_cache, struct builder *builder, struct token token);

void text_cache_free(struct text_cache *text_cache);

#endif
