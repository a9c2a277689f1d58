/* SPDX-License-Identifier: Apache-2.0 */
#include "parsers/shared/json_token.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/text/decimal.h"
#include "base/text/utf8.h"

static struct span unquoted(struct token token)
{
    struct span text = {token.at, token.at ? token.len : 0};

    if (text.len >= 2 && text.at[0] == '"' && text.at[text.len - 1] == '"')
        text = (struct span){text.at + 1, text.len - 2};
    return text;
}

bool token_scaled(struct token token, int scale, int64_t *value)
{
    return decimal_fits(unquoted(token), scale, value);
}

static bool read_hex(struct span text, int64_t *value)
{
    uint64_t sum = 0;

    if (text.len < 3 || text.len > 18)
        return false;
    for (size_t i = 2; i < text.len; i++) {
        char c = text.at[i] | 0x20;
        unsigned digit = is_digit(c) ? (unsigned)(c - '0') : (unsigned)(c - 'a') + 10;

        if (digit > 15)
            return false;
        sum = sum << 4 | digit;
    }
    *value = (int64_t)sum;
    return true;
}

bool token_integer(struct token token, int64_t *value)
{
    struct span text = unquoted(token);
    uint64_t number;
    size_t point = 0;

    if (text.len >= 4 && text.len <= 8 && digits_read(digits_load(text.at, text.len), &number)) {
        *value = (int64_t)number;
        return true;
    }
    if (span_to_i64(text, value))
        return true;
    if (span_starts(text, SPAN("0x")) || span_starts(text, SPAN("0X")))
        return read_hex(text, value);
    while (point < text.len && text.at[point] != '.')
        point++;
    if (point < text.len && span_to_i64((struct span){text.at, point}, value))
        return true;
    return token_scaled(token, 0, value);
}

bool token_real(struct token token, double *value)
{
    struct span text = unquoted(token);
    char copy[64];
    char *end;

    if (text.len == 0 || text.len >= sizeof(copy) || !(is_digit(text.at[0]) || text.at[0] == '-'))
        return false;
    memcpy(copy, text.at, text.len);
    copy[text.len] = '\0';
    *value = strtod(copy, &end);
    return end == copy + text.len && *value - *value == 0; /* finite */
}

struct span token_raw_text(struct token token)
{
    struct span text = {token.at, token.at ? token.len : 0};

    if (token.at && text.len >= 2 && text.at[0] == '"')
        return unquoted(token);
    return !token.at || span_eq(text, SPAN("null")) ? SPAN("") : text;
}

/* ---- escapes ---- */

static bool read_u(struct span text, uint32_t *code)
{
    int64_t value;
    char hex[7] = "0x";

    if (text.len < 6 || text.at[0] != '\\' || text.at[1] != 'u')
        return false;
    memcpy(hex + 2, text.at + 2, 4);
    if (!read_hex((struct span){hex, 6}, &value))
        return false;
    *code = (uint32_t)value;
    return true;
}

/* \uXXXX, or two that make a surrogate pair; returns how much of the text it took. */
static size_t unescape_u(struct span text, char *to, size_t *len)
{
    uint32_t code, low;

    if (!read_u(text, &code))
        return 0;
    if (code >= 0xD800 && code < 0xDC00 && read_u(span_after(text, 6), &low) && low >= 0xDC00 &&
        low < 0xE000) {
        *len += utf8_write(to + *len, 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00));
        return 12;
    }
    *len += utf8_write(to + *len, code);
    return 6;
}

/* One escape at the start of the text; a backslash that begins none stays a backslash. */
static size_t unescape(struct span text, char *to, size_t *len)
{
    static const char from[] = "\"\\/bfnrt", into[] = "\"\\/\b\f\n\r\t";
    const char *known = text.len > 1 && text.at[1] ? strchr(from, text.at[1]) : NULL;
    size_t taken = text.len > 1 && text.at[1] == 'u' ? unescape_u(text, to, len) : 0;

    if (taken)
        return taken;
    to[(*len)++] = known ? into[known - from] : '\\';
    return known ? 2 : 1;
}

struct span token_text(struct token token, struct arena *arena)
{
    struct span text = token_raw_text(token);
    char *copy;
    size_t len = 0;

    if (!text.len || token.at[0] != '"' || !memchr(text.at, '\\', text.len))
        return text;
    copy = arena_array(arena, text.len, 1); /* an escape is never shorter than what it means */
    while (text.len) {
        size_t taken = 1;

        if (text.at[0] == '\\')
            taken = unescape(text, copy, &len);
        else
            copy[len++] = text.at[0];
        text = span_after(text, taken);
    }
    return (struct span){copy, len};
}

bool token_is(struct token token, struct span text)
{
    return token.at && span_eq(token_raw_text(token), text);
}
