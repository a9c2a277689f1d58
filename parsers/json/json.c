/* SPDX-License-Identifier: Apache-2.0 */
/* json.c — JSON: single values, objects and lists in memory, and documents piece by piece */
#include "parsers/json/json.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/text/decimal.h"
#include "base/text/escape.h"

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

static const char *past_nest(const char *at, const char *end)
{
    int64_t depth = 0;

    while (at < end) {
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

enum { FIRST_LOOK = 512 };

struct json_stream json_start(struct input *in)
{
    if (span_starts(input_peek(in, 3), SPAN("\xEF\xBB\xBF")))
        input_skip(in, 3);
    return (struct json_stream){.in = in};
}

/* The first byte that is no blank (and no comma, where these may stand). At the end of the input,
 * which counts as cut, '\0'. */
static char input_past_blanks(struct json_stream *stream, bool with_commas)
{
    struct input *in = stream->in;

    while (input_has(in, 1)) {
        if (!is_space(*in->at) && !(with_commas && *in->at == ','))
            return *in->at;
        input_skip(in, 1);
    }
    stream->is_cut = true;
    return '\0';
}

bool json_enter(struct json_stream *stream, char bracket)
{
    if (input_past_blanks(stream, false) != bracket)
        return false;
    input_skip(stream->in, 1);
    return true;
}

bool json_item(struct json_stream *stream)
{
    char next = input_past_blanks(stream, true);

    if (stream->is_cut || stream->is_bad)
        return false;
    if (next != ']' && next != '}')
        return true;
    input_skip(stream->in, 1);
    return false;
}

bool json_member(struct json_stream *stream, struct json_key *key)
{
    struct token name;
    struct span text;

    if (!json_item(stream) || !json_take(stream, &name))
        return false;
    text = token_raw_text(name);
    key->len = text.len;
    if (text.len <= JSON_KEY_MAX)
        memcpy(key->text, text.at, text.len);
    if (input_past_blanks(stream, false) != ':') {
        stream->is_bad = !stream->is_cut;
        return false;
    }
    input_skip(stream->in, 1);
    return true;
}

/* Whether a value that reaches to the end is whole: of a number there may have been more. */
static bool is_closed(struct span value)
{
    char last = value.at[value.len - 1];

    return last == '"' || last == '}' || last == ']';
}

bool json_take(struct json_stream *stream, struct token *value)
{
    struct input *in = stream->in;

    input_past_blanks(stream, false);
    if (stream->is_cut || stream->is_bad)
        return false;
    for (size_t need = FIRST_LOOK;; need *= 2) {
        struct span head = input_peek(in, need);
        const char *end = head.at + head.len, *after = walk_past_value(head.at, end);

        if (after && (after < end || is_closed(head))) {
            size_t len = (size_t)(after - head.at);

            stream->is_bad = len == 0 || len > UINT32_MAX;
            *value = (struct token){head.at, (uint32_t)len};
            input_skip(in, len);
            return !stream->is_bad;
        }
        if (head.len < need) {
            stream->is_cut = true;
            return false;
        }
    }
}

/* Past an object or array, of which no more than the buffer is in memory at once. */
static void skip_nest(struct json_stream *stream)
{
    struct input *in = stream->in;
    uint64_t depth = 0;
    bool is_text = false, is_escaped = false;

    while (input_has(in, 1)) {
        char c = *in->at;

        input_skip(in, 1);
        if (is_text) {
            is_text = c != '"' || is_escaped;
            is_escaped = c == '\\' && !is_escaped;
        } else {
            is_text = c == '"';
            depth += c == '{' || c == '[';
            depth -= c == '}' || c == ']';
            if (depth == 0)
                return;
        }
    }
    stream->is_cut = true;
}

void json_skip(struct json_stream *stream)
{
    char first = input_past_blanks(stream, false);
    struct token ignored;

    if (first == '{' || first == '[')
        skip_nest(stream);
    else
        (void)json_take(stream, &ignored);
}

bool json_begin(struct json_stream *stream, struct error *err)
{
    return json_enter(stream, '{') ||
           error_set_at(err, input_offset(stream->in), 0, "no JSON object");
}

void json_end(const struct json_stream *stream, struct warnings *warnings)
{
    if (stream->is_cut || stream->is_bad)
        warning_count(warnings, WARNING_LOSS,
                      stream->is_cut ? "the file ends early, what was read is shown"
                                     : "what follows is not JSON, and left out",
                      input_offset(stream->in));
}

bool json_open(struct json_stream *stream, char bracket)
{
    bool is_open = json_enter(stream, bracket);

    if (!is_open)
        json_skip(stream);
    return is_open;
}
