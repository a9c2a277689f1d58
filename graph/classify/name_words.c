/* SPDX-License-Identifier: Apache-2.0 */
#include "graph/classify/function_class.h"

#include <assert.h>

static unsigned char lower(char c)
{
    return (unsigned char)(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
}

void name_words_init(struct name_words *words, const struct name_word *table, size_t count)
{
    assert(count <= NAME_WORDS_MAX);
    *words = (struct name_words){.table = table};
    for (size_t i = count; i-- > 0;) {
        unsigned char letter = (unsigned char)table[i].text[0];

        words->length[i] = (uint8_t)strlen(table[i].text);
        words->next[i] = words->first[letter];
        words->first[letter] = (uint8_t)(i + 1);
    }
}

static bool stands_at(struct span name, size_t at, const char *word, size_t length)
{
    if (length > name.len - at)
        return false;
    for (size_t i = 1; i < length; i++)
        if (lower(name.at[at + i]) != (unsigned char)word[i])
            return false;
    return true;
}

uint64_t name_words_in(const struct name_words *words, struct span name)
{
    uint64_t means = 0;

    for (size_t at = 0; at < name.len; at++)
        for (unsigned i = words->first[lower(name.at[at])]; i; i = words->next[i - 1])
            if (stands_at(name, at, words->table[i - 1].text, words->length[i - 1]))
                means |= words->table[i - 1].means;
    return means;
}
