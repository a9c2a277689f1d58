/* SPDX-License-Identifier: Apache-2.0 */
/* pstats_texts.h — the texts of a dump in the order of their coming, which numbers them
 *
 * They are kept only until those who want them have seen them: texts_drop() makes room for the
 * next, and the numbers go on. */
#ifndef PTK_PARSERS_PSTATS_PSTATS_TEXTS_H
#define PTK_PARSERS_PSTATS_PSTATS_TEXTS_H

#include <stdint.h>

#include "base/text/span.h"

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

#endif
