/* SPDX-License-Identifier: Apache-2.0 */
/* json.c — JSON in memory: single values, objects and lists */
#include "parsers/json/json.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/text/decimal.h"
#include "base/text/escape.h"

enum { NEST_STRIDE = 32, DIGITS_MAX = 9 };

/* ---- JSON values as they stand in a file, turned into numbers and texts ---- */

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
    uint64_t number;

    if (!span_hex_to_u64(span_after(text, 2), &number))
        return false;
    *value = (int64_t)number;
    return true;
}

/* Four to sixteen digits. */
static bool read_digits(struct span text, int64_t *value)
{
    size_t len = text.len > 8 ? 8 : text.len, rest = text.len - len;
    uint64_t first = 0, last;

    if (text.len < 4 || text.len > 16 || !digits_read(digits_load(text.at + rest, len), &last))
        return false;
    for (size_t i = 0; i < rest && rest < 4; i++) {
        if (!is_digit(text.at[i]))
            return false;
        first = first * 10 + (uint64_t)(text.at[i] - '0');
    }
    if (rest >= 4 && !digits_read(digits_load(text.at, rest), &first))
        return false;
    *value = (int64_t)(first * 100000000 + last);
    return true;
}

bool token_integer(struct token token, int64_t *value)
{
    struct span text = unquoted(token);
    size_t point = 0;

    if (read_digits(text, value))
        return true;
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

/* ---- the members of a JSON object, and the items of an array, that stand in memory whole ---- */

static const char *past_blanks(const char *at, const char *end)
{
    while (at < end && (*at == ' ' || *at == ',' || *at == '\n' || *at == '\r' || *at == '\t'))
        at++;
    return at;
}

static const char *past_string(const char *at, const char *end)
{
    for (at++; at < end && *at != '"'; at++)
        if (*at == '\\')
            at++;
    return at < end ? at + 1 : NULL;
}

/* Whether NEST_STRIDE bytes may contain a bracket or a quote. The four brackets differ in three bits only, and few
 * other characters are equal to them without these bits. */
static bool may_nest(const char *at)
{
    unsigned found = 0;

    for (int i = 0; i < NEST_STRIDE; i++)
        found |= (at[i] | 0x26) == ('[' | 0x26) || at[i] == '"';
    return found;
}

static const char *past_nest(const char *at, const char *end)
{
    const char *looked = at; /* up to here byte by byte */
    int64_t depth = 0;

    while (at < end) {
        if (at >= looked) {
            while (end - at >= NEST_STRIDE && !may_nest(at))
                at += NEST_STRIDE;
            looked = end - at > NEST_STRIDE ? at + NEST_STRIDE : end;
            continue;
        }
        if (*at == '"') {
            at = past_string(at, end);
            if (!at)
                return NULL;
            continue;
        }
        depth += (*at == '{' || *at == '[') - (*at == '}' || *at == ']');
        at++;
        if (depth == 0)
            return at;
    }
    return NULL;
}

const char *walk_past_value(const char *at, const char *end)
{
    if (at >= end)
        return NULL;
    if (*at == '"')
        return past_string(at, end);
    if (*at == '{' || *at == '[')
        return past_nest(at, end);
    while (at < end && (unsigned char)*at > ' ' && *at != ',' && *at != '}' && *at != ']')
        at++;
    return at;
}

struct json_walk walk_into(struct token token)
{
    bool is_nest = token.at && token.len >= 2 && (token.at[0] == '{' || token.at[0] == '[');

    return is_nest ? (struct json_walk){token.at + 1, token.at + token.len - 1}
                   : (struct json_walk){0};
}

bool walk_item(struct json_walk *walk, struct token *value)
{
    const char *from = past_blanks(walk->at, walk->end), *after;

    after = walk_past_value(from, walk->end);
    if (!after || after == from)
        return false;
    *value = (struct token){from, (uint32_t)(after - from)};
    walk->at = after;
    return true;
}

bool walk_digits(struct json_walk *walk, uint32_t *number)
{
    const char *from = past_blanks(walk->at, walk->end), *at = from;
    uint32_t value = 0;

    for (; at < walk->end && is_digit(*at) && at - from < DIGITS_MAX; at++)
        value = value * 10 + (uint32_t)(*at - '0');
    if (at == from || (at < walk->end && *at != ',' && !is_space(*at)))
        return false;
    *number = value;
    walk->at = at;
    return true;
}

bool walk_member(struct json_walk *walk, struct span *key, struct token *value)
{
    const char *from = past_blanks(walk->at, walk->end), *after;

    if (from >= walk->end || *from != '"')
        return false;
    after = past_string(from, walk->end);
    if (!after)
        return false;
    *key = (struct span){from + 1, (size_t)(after - from) - 2};
    from = past_blanks(after, walk->end);
    if (from >= walk->end || *from != ':')
        return false;
    walk->at = from + 1;
    return walk_item(walk, value);
}

struct span walk_key(struct span key, struct arena *arena)
{
    struct token quoted = {key.at - 1, (uint32_t)key.len + 2};

    return token_text(quoted, arena);
}

struct token walk_find(struct token object, struct span key)
{
    struct json_walk walk = walk_into(object);
    struct token value, found = {0};
    struct span name;

    while (walk_member(&walk, &name, &value))
        if (span_eq(name, key))
            found = value; /* of equal keys the last counts */
    return found;
}

struct span walk_text(struct token object, struct span key, struct arena *arena)
{
    struct token value = walk_find(object, key);

    return value.at ? token_text(value, arena) : SPAN("");
}

struct span walk_first_key(struct span head)
{
    const char *end = head.at + head.len, *from, *after;

    if (span_starts(head, SPAN("\xEF\xBB\xBF")))
        head = span_after(head, 3);
    head = span_trim(head);
    if (!span_starts(head, SPAN("{")))
        return SPAN("");
    from = past_blanks(head.at + 1, end);
    after = from < end && *from == '"' ? past_string(from, end) : NULL;
    return after ? (struct span){from + 1, (size_t)(after - from) - 2} : SPAN("");
}

/* ---- one way to write a list, however its producer spaces it ---- */

/* How long the string is that begins here, with its quotes. */
static uint32_t string_length(const char *at, uint32_t left)
{
    uint32_t length = 1;

    while (length < left && at[length] != '"')
        length += at[length] == '\\' && length + 1 < left ? 2 : 1;
    return length < left ? length + 1 : left;
}

/* Writes it spaced, which is at most twice as long, and says how long it became; NULL: only
 * that. */
static uint32_t space(struct token token, char *to)
{
    uint32_t written = 0;

    for (uint32_t i = 0; i < token.len;) {
        uint32_t taken = token.at[i] == '"' ? string_length(token.at + i, token.len - i) : 1;

        if (!is_space(token.at[i])) {
            if (to)
                memcpy(to + written, token.at + i, taken);
            written += taken;
        }
        if (token.at[i] == ',' || token.at[i] == ':') {
            if (to)
                to[written] = ' ';
            written++;
        }
        i += taken;
    }
    return written;
}

/* Whether every blank outside of strings is the one space after a comma or a colon, and there is
 * one after each. */
static bool is_spaced(struct token token)
{
    bool is_due = false;

    for (uint32_t i = 0; i < token.len;) {
        char c = token.at[i];

        if (is_due != (c == ' ') || (c != ' ' && is_space(c)))
            return false;
        is_due = c == ',' || c == ':';
        i += c == '"' ? string_length(token.at + i, token.len - i) : 1;
    }
    return !is_due;
}

struct token token_spaced(struct token token, struct arena *arena)
{
    struct token spaced = {0};
    char *copy;

    if (!token.at || (token.at[0] != '[' && token.at[0] != '{') || token.len > UINT32_MAX / 2 ||
        is_spaced(token))
        return token;
    spaced.len = space(token, NULL);
    copy = arena_array(arena, spaced.len, 1);
    space(token, copy);
    spaced.at = copy;
    return spaced;
}
