/* text_cache.h — from a list as it stands in the file to the graph's text, at one look a list */
#ifndef PTK_PARSERS_CHROME_TEXT_CACHE_H
#define PTK_PARSERS_CHROME_TEXT_CACHE_H

#include "base/memory/hash_index.h"
#include "graph/build/builder.h"
#include "parsers/shared/json_token.h"

struct spelling {
    struct span raw; /* what stood in the file */
    str_id id;       /* of the same with one space after each comma and colon */
};

/* Ready for use when zeroed. */
struct spellings {
    struct index index;
    struct spelling *list; /* by the index' id - 1 */
    size_t count, cap;
    struct arena raw; /* of those that are spaced otherwise */
};

/* A string without its escapes; anything else as it is, but for the spaces. */
str_id spellings_find(struct spellings *spellings, struct builder *builder, struct token token);

void spellings_free(struct spellings *spellings);

#endif
