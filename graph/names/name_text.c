/* SPDX-License-Identifier: Apache-2.0 */
/* Labels as lists of facts, and the words that names are made of. */
#include "graph/names/name_label.h"

#include <string.h>

void label_clear(struct label *label)
{
    label->head = label->path = label->place = label->function = NO_SPAN;
    label->fact_count = label->extra_count = label->apart = 0;
    label->folders = 0;
    label->is_brief = false;
}

void label_fact(struct label *label, enum word_key key, struct span text)
{
    if (text.len && label->fact_count < LABEL_FACTS_MAX)
        label->facts[label->fact_count++] = (struct label_word){key, text};
}

void label_extra(struct label *label, enum word_key key, struct span text)
{
    if (text.len && label->extra_count < LABEL_EXTRAS_MAX)
        label->extras[label->extra_count++] = (struct label_word){key, text};
}

struct span label_text(const struct label *label, struct arena *arena)
{
    size_t len = label->head.len, at = len;
    char *text;

    if (!label->fact_count)
        return label->head;
    for (uint32_t i = 0; i < label->fact_count; i++)
        len += 1 + label->facts[i].text.len;
    text = arena_array(arena, len, 1);
    if (at)
        memcpy(text, label->head.at, at);
    for (uint32_t i = 0; i < label->fact_count; i++) {
        text[at++] = ' ';
        memcpy(text + at, label->facts[i].text.at, label->facts[i].text.len);
        at += label->facts[i].text.len;
    }
    return (struct span){text, len};
}

bool is_upper_letter(char c)
{
    return c >= 'A' && c <= 'Z';
}

bool is_lower_letter(char c)
{
    return c >= 'a' && c <= 'z';
}

struct span text_lower(struct arena *arena, struct span text)
{
    char *lower = arena_copy(arena, text);

    for (size_t i = 0; i < text.len; i++)
        if (is_upper_letter(lower[i]))
            lower[i] += 'a' - 'A';
    return (struct span){lower, text.len};
}

size_t numbers_by_x(struct span word)
{
    size_t numbers = 0;

    for (;;) {
        size_t digits = span_digits(word);

        if (!digits)
            return 0;
        numbers++;
        word = span_after(word, digits);
        if (!word.len)
            return numbers > 1 ? numbers : 0;
        if (word.at[0] != 'x')
            return 0;
        word = span_after(word, 1);
    }
}

bool next_name_word(struct span *rest, struct span *word)
{
    do {
        if (!rest->len)
            return false;
        *word = span_split(rest, '_');
    } while (!word->len);
    return true;
}
