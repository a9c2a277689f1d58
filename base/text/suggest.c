/* SPDX-License-Identifier: Apache-2.0 */
#include "base/text/pattern.h"

#include <string.h>

enum { WORD_MAX = 32, FAR = 3 };

static unsigned least(unsigned a, unsigned b, unsigned c)
{
    unsigned low = a < b ? a : b;

    return low < c ? low : c;
}

/* Optimal string alignment: Levenshtein's distance with swaps of neighbours as one step. */
static unsigned distance_of(const char *a, size_t a_len, const char *b, size_t b_len)
{
    unsigned row[3][WORD_MAX + 1];

    for (unsigned j = 0; j <= b_len; j++)
        row[0][j] = j;
    for (unsigned i = 1; i <= a_len; i++) {
        unsigned *now = row[i % 3], *last = row[(i + 2) % 3], *before = row[(i + 1) % 3];

        now[0] = i;
        for (unsigned j = 1; j <= b_len; j++) {
            now[j] = least(last[j] + 1, now[j - 1] + 1, last[j - 1] + (a[i - 1] != b[j - 1]));
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                now[j] = least(now[j], before[j - 2] + 1, now[j]);
        }
    }
    return row[a_len % 3][b_len];
}

void suggestion_consider(struct suggestion *nearest, const char *word)
{
    size_t typed_len = strlen(nearest->typed), len = strlen(word);

    if (typed_len > WORD_MAX || len > WORD_MAX)
        return;

    unsigned distance = distance_of(nearest->typed, typed_len, word, len);

    if (distance < FAR && distance < len && (!nearest->word || distance < nearest->distance)) {
        nearest->word = word;
        nearest->distance = distance;
    }
}
