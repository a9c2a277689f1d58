/* SPDX-License-Identifier: Apache-2.0 */
/* xml_tags.c — the tags of an XML document, one after the other */
#include "parsers/xctrace/xml_tags.h"

#include "base/text/escape.h"

enum { STEP = 1 << 10, LONGEST = 1 << 26 };

/* Where the tag that begins at `at` ends, behind its bracket; SIZE_MAX where it does not. Brackets in quotes are text. */
static size_t end_of_tag(struct span text, size_t at)
{
    bool has_quotes = at + 1 < text.len && text.at[at + 1] != '!' && text.at[at + 1] != '?';
    char quote = 0;

    for (; at < text.len; at++) {
        char c = text.at[at];

        if (quote)
            quote = c == quote ? 0 : quote;
        else if (has_quotes && (c == '"' || c == '\''))
            quote = c;
        else if (c == '>')
            return at + 1;
    }
    return SIZE_MAX;
}

/* The text up to a tag's end is in the buffer then. */
static bool find_tag(struct xml_tags *tags, struct span *tag)
{
    for (size_t want = STEP; want <= LONGEST; want *= 4) {
        struct span text = input_peek(tags->in, want);
        const char *open = text.len ? memchr(text.at, '<', text.len) : NULL;
        size_t begin = open ? (size_t)(open - text.at) : text.len,
               end = open ? end_of_tag(text, begin) : SIZE_MAX;

        if (end != SIZE_MAX) {
            tags->before = (struct span){text.at, begin};
            *tag = (struct span){open, end - begin};
            input_skip(tags->in, end);
            return true;
        }
        if (text.len < want)
            return false;
    }
    return false;
}

bool xml_next_tag(struct xml_tags *tags)
{
    struct span tag;
    size_t len = 0;

    do
        if (!find_tag(tags, &tag))
            return false;
    while (tag.at[1] == '!' || tag.at[1] == '?');
    tag = (struct span){tag.at + 1, tag.len - 2};
    tags->is_end = span_starts(tag, SPAN("/"));
    tags->is_empty = span_ends(tag, SPAN("/")) && !tags->is_end;
    tag = span_after(tag, tags->is_end);
    tag.len -= tags->is_empty;
    while (len < tag.len && !is_space(tag.at[len]))
        len++;
    tags->name = (struct span){tag.at, len};
    tags->attributes = span_after(tag, len);
    return true;
}

struct span xml_attribute(const struct xml_tags *tags, struct span name)
{
    struct span rest = tags->attributes;

    while (rest.len) {
        struct span key = span_trim(span_split(&rest, '=')), value;
        char quote;

        rest = span_trim(rest);
        quote = rest.len ? *rest.at : 0;
        if (quote != '"' && quote != '\'')
            break;
        rest = span_after(rest, 1);
        value = span_split(&rest, quote);
        if (span_eq(key, name))
            return value;
    }
    return (struct span){0};
}

/* A character by its entity, "lt" or "#x3c"; its length goes to `len`, 0 where it is none. */
static size_t entity(struct span name, char *out)
{
    static const struct named {
        const char *name;
        char is;
    } entities[] = {{"lt", '<'},   {"gt", '>'},    {"amp", '&'},
                    {"quot", '"'}, {"apos", '\''}, {NULL, 0}};
    uint64_t code = (unsigned char)LOOKUP(entities, name).is;

    if (!code && span_starts(name, SPAN("#x")) && !span_hex_to_u64(span_after(name, 2), &code))
        return 0;
    if (!code && span_starts(name, SPAN("#")) && !span_to_u64(span_after(name, 1), &code))
        return 0;
    return code && code < 0x110000 ? utf8_write(out, (uint32_t)code) : 0;
}

struct span xml_plain(struct span text, struct arena *arena)
{
    char *plain;
    size_t len = 0;

    if (!text.len || !memchr(text.at, '&', text.len))
        return text;
    plain = arena_array(arena, text.len, 1); /* an entity is never shorter than its character */
    while (text.len) {
        const char *end = *text.at == '&' ? memchr(text.at, ';', text.len) : NULL;
        size_t name = end ? (size_t)(end - text.at) - 1 : 0,
               taken = name ? entity((struct span){text.at + 1, name}, plain + len) : 0;

        len += taken ? taken : 1;
        if (!taken)
            plain[len - 1] = *text.at;
        text = span_after(text, taken ? name + 2 : 1);
    }
    return (struct span){plain, len};
}
