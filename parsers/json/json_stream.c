/* SPDX-License-Identifier: Apache-2.0 */
/* json_stream.c — JSON documents taken piece by piece out of an input */
#include "parsers/json/json.h"

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
