/* SPDX-License-Identifier: Apache-2.0 */
/* bit_set.h — a set of small numbers, which knows how many of them are before any number
 *
 * Made in two goes: first all are set, then bits_count() is called, and questions may be asked. */
#ifndef PTK_BASE_MEMORY_BIT_SET_H
#define PTK_BASE_MEMORY_BIT_SET_H

#include <stdbool.h>
#include <stdint.h>

/* Owned: see bits_free(). */
struct bits {
    uint64_t *words;
    uint32_t *before; /* by word, how many there are in the words before it */
    uint32_t count;   /* of words */
};

/* An empty set of numbers up to, and with, `most`. */
void bits_init(struct bits *bits, uint32_t most);

static inline void bits_set(struct bits *bits, uint32_t number)
{
    bits->words[number / 64] |= UINT64_C(1) << number % 64;
}

/* How many there are: to be called once, when all are set. */
uint32_t bits_count(struct bits *bits);

/* Without the processor's own instruction, which not every one has. */
static inline uint32_t bits_of_word(uint64_t word)
{
    word -= word >> 1 & 0x5555555555555555u;
    word = (word & 0x3333333333333333u) + (word >> 2 & 0x3333333333333333u);
    word = (word + (word >> 4)) & 0x0f0f0f0f0f0f0f0fu;
    return (uint32_t)(word * 0x0101010101010101u >> 56);
}

/* How many are below a number. */
static inline uint32_t bits_before(const struct bits *bits, uint32_t number)
{
    uint64_t below = (UINT64_C(1) << number % 64) - 1;

    return bits->before[number / 64] + bits_of_word(bits->words[number / 64] & below);
}

/* Whether there is none from `first` up to, not with, `end`; may say no where it would take
 * long. */
static inline bool bits_lack(const struct bits *bits, uint32_t first, uint32_t end)
{
    uint64_t from = UINT64_MAX << first % 64, below = (UINT64_C(1) << end % 64) - 1;

    return first / 64 == end / 64 && (bits->words[first / 64] & from & below) == 0;
}

/* The first from `first` on, below `end`; `end` where there is none. */
static inline uint32_t bits_next(const struct bits *bits, uint32_t first, uint32_t end)
{
    for (; first < end; first = (first | 63) + 1) {
        uint64_t left = bits->words[first / 64] >> first % 64;

        if (left)
            return first + (uint32_t)__builtin_ctzll(left) < end
                       ? first + (uint32_t)__builtin_ctzll(left)
                       : end;
    }
    return end;
}

void bits_free(struct bits *bits);

#endif
