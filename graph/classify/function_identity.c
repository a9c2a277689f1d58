/* SPDX-License-Identifier: Apache-2.0 */
/* The name by which two profiles know one function, although compilers and versions changed it. */
#include "graph/classify/function_class.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/memory/memory.h"
#include "graph/names/names.h"

/* A text that grows. */
struct text {
    char *bytes;
    size_t len, cap;
};

static void text_append(struct text *text, struct span part)
{
    if (text->cap - text->len < part.len) {
        text->cap = grow_cap(text->cap, text->len + part.len);
        text->bytes = grow_to(text->bytes, text->cap, 1);
    }
    if (part.len)
        memcpy(text->bytes + text->len, part.at, part.len);
    text->len += part.len;
}

static str_id text_intern(struct text *text, struct strings *strings)
{
    str_id id = strings_intern(strings, (struct span){text->bytes, text->len});

    free(text->bytes);
    return id;
}

/* ---- what changes in a name ---- */

static void put_without_addresses(struct text *text, struct span name)
{
    while (name.len) {
        size_t at = span_find(name, SPAN("0x"));
        size_t digits = at == SIZE_MAX ? 0 : span_hex_digits(span_after(name, at + 2));

        if (at == SIZE_MAX)
            at = name.len;
        text_append(text, (struct span){name.at, at});
        if (at < name.len)
            text_append(text, digits ? SPAN("0x…") : SPAN("0x"));
        name = span_after(name, at + 2 + digits);
    }
}

/* Where the suffix begins by which compilers tell clones of one function apart. */
static struct span without_clone(struct span name)
{
    static const char *const marks[] = {".constprop.", ".isra.", ".part.",   ".cold",
                                        ".llvm.",      ".lto_",  " [clone ", ".__uniq."};

    for (size_t i = 0; i < COUNT_OF(marks); i++) {
        size_t at = span_find(name, span_of(marks[i]));

        if (at != SIZE_MAX && at > 0)
            name.len = at;
    }
    return name;
}

/* Whether "<" or "(" at `at` begins arguments: it follows a name, which is not "operator". */
static bool begins_arguments(struct span name, size_t at)
{
    unsigned char before = at ? (unsigned char)name.at[at - 1] : 0;

    return (name.at[at] == '<' || name.at[at] == '(') &&
           (isalnum(before) || before == '_' || before == '>' || before == '}') &&
           !span_ends((struct span){name.at, at}, SPAN("operator"));
}

static void put_without_arguments(struct text *text, struct span name)
{
    size_t depth = 0;

    for (size_t i = 0; i < name.len; i++) {
        char byte = name.at[i];

        if (depth ? byte == '<' || byte == '(' : begins_arguments(name, i))
            depth++;
        else if (depth && (byte == '>' || byte == ')'))
            depth -= i == 0 || name.at[i - 1] != '-'; /* not the end of "->" */
        else if (!depth)
            text_append(text, (struct span){&name.at[i], 1});
    }
}

/* ---- keys ---- */

str_id identity_name(const struct graph *graph, frame_id id, struct strings *strings)
{
    const struct frame *frame = graph_frame(graph, id);
    struct text text = {0};

    if (frame->is_nameless) {
        text_append(&text, SPAN("["));
        text_append(&text, graph_text(graph, frame->module));
        text_append(&text, SPAN("]"));
    } else {
        put_without_addresses(&text, graph_text(graph, frame->name));
    }
    return text_intern(&text, strings);
}

static void put_plain_name(struct text *text, struct span name, bool has_arguments)
{
    struct text numberless = {0};

    while (name.len) { /* "{lambda#2}" → "{lambda#}" */
        size_t at = span_find(name, SPAN("#"));

        at = at == SIZE_MAX ? name.len : at + 1;
        text_append(&numberless, (struct span){name.at, at});
        name = span_after(name, at);
        name = span_after(name, span_digits(name));
    }
    name = (struct span){numberless.bytes, numberless.len};
    if (has_arguments)
        text_append(text, name);
    else
        put_without_arguments(text, name);
    free(numberless.bytes);
}

str_id identity_key(struct strings *strings, const struct frame *frame, enum identity_level level)
{
    struct span name = strings_get(strings, frame->name), file = strings_get(strings, frame->file);
    struct text text = {0};
    struct arena arena = {0};
    char kind[2] = {(char)('a' + frame->kind), '\0'};

    text_append(&text, (struct span){kind, 1});
    if (level == IDENTITY_FILE)
        text_append(&text, name);
    else if (level == IDENTITY_DIALECT)
        text_append(&text, name_dialect(name, frame->kind, &arena));
    else
        put_plain_name(&text, name_dialect(without_clone(name), frame->kind, &arena), level == IDENTITY_CLONE);
    text_append(&text, (struct span){"", 1});
    if (level == IDENTITY_FILE)
        text_append(&text, file);
    else if (level != IDENTITY_NAME)
        text_append(&text, span_file_name(file));
    arena_free(&arena);
    return text_intern(&text, strings);
}
