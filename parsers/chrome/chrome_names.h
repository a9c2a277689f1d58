/* SPDX-License-Identifier: Apache-2.0 */
/* chrome_names.h — from an event's name as it stands in the file to its frame, at one look a name */
#ifndef PTK_PARSERS_CHROME_CHROME_NAMES_H
#define PTK_PARSERS_CHROME_CHROME_NAMES_H

#include "base/memory/hash_index.h"
#include "base/memory/vector.h"
#include "graph/build/builder.h"
#include "parsers/shared/json_value.h"

/* ---- from a list as it stands in the file to the graph's text, at one look a list ---- */

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

/* ---- from an event's name as it stands in the file to its frame, at one look a name ---- */

enum { NO_STEP = -1 };

struct chrome_name {
    uint64_t hash;   /* the same for the same name in all of the process */
    struct span raw; /* what stood in the file */
    frame_id frame;
    enum frame_kind asked, kind; /* the category's, and what the name makes of it */
    int64_t step;                /* of "ProfilerStep#3": 3; else NO_STEP */
    enum input_need inputs;      /* as builder_input_need() */
};

/* Ready for use when zeroed. */
struct names {
    struct index index;
    VECTOR(struct chrome_name); /* by the index' id - 1 */
    struct arena raw;    /* of the names that hold escapes */
};

/* Valid until the next call. A name that is missing or null is empty. */
const struct chrome_name *names_find(struct names *names, struct builder *builder,
                                     struct token token, enum frame_kind kind);

void names_free(struct names *names);

#endif
