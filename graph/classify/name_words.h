/* SPDX-License-Identifier: Apache-2.0 */
/* name_words.h — which of a table's words a name holds, found in one pass over the name
 *
 * Kernels' names are long and the tables of words that tell them apart are, too: looking for each
 * word by itself took longer than reading the trace. */
#ifndef PTK_GRAPH_CLASSIFY_NAME_WORDS_H
#define PTK_GRAPH_CLASSIFY_NAME_WORDS_H

#include <stdint.h>

#include "base/text/span.h"

/* A word in lower case, which stands anywhere in a name in any case, and what that means: bits of
 * the table's own. */
struct name_word {
    const char *text;
    uint64_t means;
};

enum { NAME_WORDS_MAX = 255 };

/* Words by their first letter. */
struct name_words {
    const struct name_word *table;
    uint8_t first[256];           /* 1 + the first word with that letter; 0: none */
    uint8_t next[NAME_WORDS_MAX]; /* likewise the next */
    uint8_t length[NAME_WORDS_MAX];
};

/* `count` is at most NAME_WORDS_MAX, words shorter than 256 bytes; the table is borrowed. */
void name_words_init(struct name_words *words, const struct name_word *table, size_t count);

/* The meanings of all words in the name. */
uint64_t name_words_in(const struct name_words *words, struct span name);

#endif
