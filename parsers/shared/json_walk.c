/* SPDX-License-Identifier: Apache-2.0 */
#include "parsers/shared/json_walk.h"

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

struct walk walk_into(struct token token)
{
    bool is_nest = token.at && token.len >= 2 && (token.at[0] == '{' || token.at[0] == '[');

    return is_nest ? (struct walk){token.at + 1, token.at + token.len - 1} : (struct walk){0};
}

bool walk_item(struct walk *walk, struct token *value)
{
    const char *from = past_blanks(walk->at, walk->end), *after;

    after = walk_past_value(from, walk->end);
    if (!after || after == from)
        return false;
    *value = (struct token){from, (uint32_t)(after - from)};
    walk->at = after;
    return true;
}

bool walk_member(struct walk *walk, struct span *key, struct token *value)
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
    struct walk walk = walk_into(object);
    struct token value, found = {0};
    struct span name;

    while (walk_member(&walk, &name, &value))
        if (span_eq(name, key))
            found = value; /* of equal keys the last counts */
    return found;
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
