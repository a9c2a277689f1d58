/* SPDX-License-Identifier: Apache-2.0 */
/* suggest.h — "did you mean": the known word that is closest to a mistyped one */
#ifndef PTK_BASE_TEXT_SUGGEST_H
#define PTK_BASE_TEXT_SUGGEST_H

#include <stddef.h>

/* Keeps the best of the words that it is shown. Start with {.typed = …}. */
struct suggestion {
    const char *typed;
    const char *word;  /* NULL while nothing is near */
    unsigned distance; /* of `word`: insertions, deletions, changes and swaps, at most 2 */
};

void suggestion_consider(struct suggestion *nearest, const char *word);

#endif
