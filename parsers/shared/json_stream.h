/* SPDX-License-Identifier: Apache-2.0 */
/* json_stream.h — a JSON document taken piece by piece out of an input, however long it is
 *
 *     struct json_stream stream = json_start(in);
 *
 *     if (json_enter(&stream, '{'))
 *         while (json_member(&stream, &key))
 *             if (json_key_is(&key, "nodes"))
 *                 ...           enter the value, take it whole, or
 *             else
 *                 json_skip(&stream);
 *
 * Every member's and item's value must be consumed in one of these ways. Only what is taken whole
 * has to fit into memory. What is no JSON at all ends the object or array that it stands in. */
#ifndef PTK_PARSERS_SHARED_JSON_STREAM_H
#define PTK_PARSERS_SHARED_JSON_STREAM_H

#include "base/io/input.h"
#include "parsers/shared/json_value.h"

struct json_stream {
    struct input *in;
    bool is_cut; /* the input ended inside a value */
    bool is_bad; /* something stood where no value can */
};

enum { JSON_KEY_MAX = 64 };

/* A copy; of a longer key only the length. */
struct json_key {
    char text[JSON_KEY_MAX];
    size_t len;
};

static inline bool json_key_is(const struct json_key *key, const char *text)
{
    return strlen(text) == key->len && memcmp(key->text, text, key->len) == 0;
}

/* At the beginning of the input, past a byte order mark. */
struct json_stream json_start(struct input *in);

/* Goes into an object ('{') or array ('['); false, with nothing consumed, when it is none. */
bool json_enter(struct json_stream *stream, char bracket);

/* Goes to the next member's value; false after the last, with the bracket consumed. */
bool json_member(struct json_stream *stream, struct json_key *key);

/* Goes to the next item; likewise. */
bool json_item(struct json_stream *stream);

/* Takes a whole value, of any kind; it stays valid until anything else is read. A number at the
 * very end of the input counts as cut. */
bool json_take(struct json_stream *stream, struct token *value);

void json_skip(struct json_stream *stream);

#endif
