/* SPDX-License-Identifier: Apache-2.0 */
#include "base/memory/memory.h"

#include <stdlib.h>

void bits_init(struct bits *bits, uint32_t most)
{
    bits->count = most / 64 + 1;
    bits->words = grow_zeroed(bits->count, sizeof(*bits->words));
    bits->before = grow_to(NULL, bits->count, sizeof(*bits->before));
}

uint32_t bits_count(struct bits *bits)
{
    uint32_t count = 0;

    for (uint32_t word = 0; word < bits->count; word++) {
        bits->before[word] = count;
        count += bits_of_word(bits->words[word]);
    }
    return count;
}

void bits_free(struct bits *bits)
{
    free(bits->words);
    free(bits->before);
    *bits = (struct bits){0};
}
