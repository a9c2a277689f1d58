/* SPDX-License-Identifier: Apache-2.0 */
/* Searching, cutting and reading spans of text, which end nowhere but at their length. */
#include "base/memory/span.h"

#include <ctype.h>

bool span_starts_any(struct span text, const char *const *words)
{
    for (; *words; words++)
        if (span_starts(text, span_of(*words)))
            return true;
    return false;
}

bool span_ends_any(struct span text, const char *const *words)
{
    for (; *words; words++)
        if (span_ends(text, span_of(*words)))
            return true;
    return false;
}

bool span_is_any(struct span text, const char *const *words)
{
    for (; *words; words++)
        if (span_eq(text, span_of(*words)))
            return true;
    return false;
}

size_t lookup_row(const void *table, size_t row_size, struct span word)
{
    const char *const *begin = table;
    size_t row = 0;

    for (; *begin && !span_eq(word, span_of(*begin)); row++)
        begin = (const void *)((const char *)begin + row_size);
    return row;
}

bool span_holds_any(struct span text, const char *const *parts)
{
    for (; *parts; parts++)
        if (span_find(text, span_of(*parts)) != SIZE_MAX)
            return true;
    return false;
}

bool span_is_word(struct span text, const char *lower)
{
    for (size_t i = 0; i < text.len; i++)
        if (tolower((unsigned char)text.at[i]) != lower[i] || !lower[i])
            return false;
    return lower[text.len] == '\0';
}

int span_cmp(struct span a, struct span b)
{
    size_t common = a.len < b.len ? a.len : b.len;
    int order = common ? memcmp(a.at, b.at, common) : 0;

    return order ? order : (a.len > b.len) - (a.len < b.len);
}

size_t span_find(struct span text, struct span needle)
{
    for (size_t i = 0; i + needle.len <= text.len; i++) {
        const char *hit = needle.len ? memchr(text.at + i, needle.at[0], text.len - i) : text.at;

        if (!hit)
            break;
        i = (size_t)(hit - text.at);
        if (i + needle.len <= text.len && memcmp(hit, needle.at, needle.len) == 0)
            return i;
    }
    return SIZE_MAX;
}

size_t span_find_word(struct span text, struct span word)
{
    for (size_t at = 0; at + word.len <= text.len; at++) {
        size_t i = 0;

        while (i < word.len && tolower((unsigned char)text.at[at + i]) == word.at[i])
            i++;
        if (i == word.len)
            return at;
    }
    return SIZE_MAX;
}

size_t span_rfind(struct span text, char byte)
{
    for (size_t i = text.len; i-- > 0;)
        if (text.at[i] == byte)
            return i;
    return SIZE_MAX;
}

static struct span without_blanks(struct span text)
{
    while (text.len && is_space(text.at[0]))
        text = span_after(text, 1);
    return text;
}

struct span span_trim(struct span text)
{
    text = without_blanks(text);
    while (text.len && is_space(text.at[text.len - 1]))
        text.len--;
    return text;
}

struct span span_file_name(struct span path)
{
    return span_after(path, span_rfind(path, '/') + 1); /* SIZE_MAX + 1 is 0 */
}

struct span span_word(struct span *rest)
{
    struct span word = without_blanks(*rest);
    size_t len = 0;

    while (len < word.len && !is_space(word.at[len]))
        len++;
    *rest = without_blanks(span_after(word, len));
    return (struct span){word.at, len};
}

bool span_ends_word(struct span text, size_t at)
{
    char before = text.at[at - 1], next = text.at[at];

    return strchr("_:.,<(/ -$", next) || strchr("_:.,/ -", before) ||
           (next >= 'A' && next <= 'Z' && before >= 'a' && before <= 'z');
}

struct span span_split(struct span *rest, char sep)
{
    const char *hit = rest->len ? memchr(rest->at, sep, rest->len) : NULL;
    struct span head = {rest->at, hit ? (size_t)(hit - rest->at) : rest->len};

    *rest = span_after(*rest, head.len + 1);
    return head;
}

size_t span_digits(struct span text)
{
    size_t len = 0;

    while (len < text.len && is_digit(text.at[len]))
        len++;
    return len;
}

bool span_to_u64(struct span digits, uint64_t *value)
{
    enum { ALWAYS_FIT = 19 }; /* digits of any number below 2^64 */
    uint64_t sum = 0;

    if (digits.len == 0)
        return false;
    for (size_t i = 0; i < digits.len; i++) {
        unsigned digit = (unsigned)(unsigned char)digits.at[i] - '0';

        if (digit > 9 || (digits.len > ALWAYS_FIT && sum > (UINT64_MAX - digit) / 10))
            return false;
        sum = sum * 10 + digit;
    }
    *value = sum;
    return true;
}

bool span_to_i64(struct span digits, int64_t *value)
{
    bool is_negative = digits.len && digits.at[0] == '-';
    uint64_t size;

    if (!span_to_u64(is_negative ? span_after(digits, 1) : digits, &size))
        return false;
    if (size > (uint64_t)INT64_MAX + is_negative)
        return false;
    *value = is_negative ? (int64_t)(0 - size) : (int64_t)size;
    return true;
}

/* Above 15 where it is no such digit. */
static unsigned hex_digit(char c)
{
    unsigned letter = (unsigned char)(c | 0x20);

    if (is_digit(c))
        return (unsigned)(c - '0');
    return letter >= 'a' && letter <= 'f' ? letter - 'a' + 10 : 16;
}

size_t span_hex_digits(struct span text)
{
    size_t len = 0;

    while (len < text.len && hex_digit(text.at[len]) < 16)
        len++;
    return len;
}

bool span_hex_to_u64(struct span digits, uint64_t *value)
{
    *value = 0;
    for (size_t i = 0; i < digits.len; i++) {
        unsigned digit = hex_digit(digits.at[i]);

        if (digit > 15 || *value >> 60)
            return false;
        *value = *value << 4 | digit;
    }
    return digits.len > 0;
}
