/* SPDX-License-Identifier: Apache-2.0 */
/* span.h — a borrowed run of bytes: pointer and length; it may hold NULs and need not end in one */
#ifndef PTK_BASE_MEMORY_SPAN_H
#define PTK_BASE_MEMORY_SPAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct span {
    const char *at;
    size_t len;
};

#define SPAN(literal) ((struct span){(literal), sizeof(literal) - 1})

/* The same as an initializer: of tables, and of what is static. */
#define LITERAL(literal)                                                                           \
    {                                                                                              \
        (literal), sizeof(literal) - 1                                                             \
    }

static inline struct span span_of(const char *text)
{
    return (struct span){text, strlen(text)};
}

static inline bool span_eq(struct span a, struct span b)
{
    return a.len == b.len && (a.len == 0 || memcmp(a.at, b.at, a.len) == 0);
}

static inline bool span_starts(struct span text, struct span prefix)
{
    return text.len >= prefix.len && memcmp(text.at, prefix.at, prefix.len) == 0;
}

static inline bool span_ends(struct span text, struct span suffix)
{
    return text.len >= suffix.len &&
           memcmp(text.at + text.len - suffix.len, suffix.at, suffix.len) == 0;
}

/* Whether the text begins, or ends, with one of the words, up to NULL. */
bool span_starts_any(struct span text, const char *const *words);
bool span_ends_any(struct span text, const char *const *words);

/* Whether it is one of the words, up to NULL. */
bool span_is_any(struct span text, const char *const *words);

/* The row of a table that begins with the word, a const char *; else its last row, which begins with
 * NULL: what all other words mean. */
#define LOOKUP(table, word) ((table)[lookup_row((table), sizeof(*(table)), (word))])
size_t lookup_row(const void *table, size_t row_size, struct span word);

/* Whether one of the parts, up to NULL, stands anywhere in it. */
bool span_holds_any(struct span text, const char *const *parts);

/* Whether it is the word, which is in lower case, but for capitals. */
bool span_is_word(struct span text, const char *lower);

/* Byte order, which for UTF-8 is code point order; a prefix comes first. */
int span_cmp(struct span a, struct span b);

/* The text after the first `count` bytes. */
static inline struct span span_after(struct span text, size_t count)
{
    return count < text.len ? (struct span){text.at + count, text.len - count}
                            : (struct span){text.at, 0};
}

/* Its first `count` bytes, or all that it has. */
static inline struct span span_before(struct span text, size_t count)
{
    return (struct span){text.at, count < text.len ? count : text.len};
}

/* Where `needle` begins in `text`, or SIZE_MAX. */
size_t span_find(struct span text, struct span needle);

/* As span_find, with ASCII letters in any case; `word` is in lower case. */
size_t span_find_word(struct span text, struct span word);

/* Where the last `byte` stands in `text`, or SIZE_MAX. */
size_t span_rfind(struct span text, char byte);

/* Without blanks, tabs and line ends at either side. */
struct span span_trim(struct span text);

/* The text after the last slash: of a path the name of the file. */
struct span span_file_name(struct span path);

/* Takes the next word off the front of `rest`, with the blanks around it; empty at the end. */
struct span span_word(struct span *rest);

/* Whether a word of an identifier, or of a text, ends before `at`, which is inside of it: "some_", "some.", "some" of "someThing". */
bool span_ends_word(struct span text, size_t at);

/* Takes everything before `sep` off the front of `rest`, and the separator with it.
 * Without a separator it takes all of `rest`. */
struct span span_split(struct span *rest, char sep);

static inline bool is_digit(char c)
{
    return (unsigned)(unsigned char)c - '0' < 10;
}

/* How many digits the text begins with. */
size_t span_digits(struct span text);

/* Whether it is digits and nothing else. */
static inline bool span_is_digits(struct span text)
{
    return text.len && span_digits(text) == text.len;
}

/* Decimal digits only: no sign, no space, no overflow. */
bool span_to_u64(struct span digits, uint64_t *value);

/* As span_to_u64, with an optional '-' in front. */
bool span_to_i64(struct span digits, int64_t *value);

/* The same of hexadecimal digits, which have no "0x" in front. */
size_t span_hex_digits(struct span text);
bool span_hex_to_u64(struct span digits, uint64_t *value);

static inline bool is_space(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

#endif
