/* SPDX-License-Identifier: Apache-2.0 */
/* name_dialect.c — one spelling of the names that demanglers write in several ways: "unsigned" and "unsigned int",
 * "> >" and ">>", "const T&" and "T const&", scopes without a name, tags of an ABI, hashes of Rust */
#include "graph/names/name_label.h"

#include <string.h>

#include "base/checked.h"
#include "base/symbols/symbols.h"

/* ---- spellings that are replaced whole ---- */

struct respelling {
    struct span from, to;
};

static struct span respelled(struct span name, const struct respelling *list, size_t count, struct arena *arena)
{
    char *made = NULL;
    size_t len = 0, kept = 0;

    for (size_t i = 0; i < name.len;) {
        size_t k = 0;

        while (k < count && !span_starts(span_after(name, i), list[k].from))
            k++;
        if (k == count) {
            i++;
            continue;
        }
        if (!made)
            made = arena_array(arena, name.len + 1, 1); /* nothing gets longer */
        memcpy(made + len, name.at + kept, i - kept);
        len += i - kept;
        memcpy(made + len, list[k].to.at, list[k].to.len);
        len += list[k].to.len;
        i += list[k].from.len;
        kept = i;
    }
    if (!made)
        return name;
    memcpy(made + len, name.at + kept, name.len - kept);
    return (struct span){made, len + name.len - kept};
}

/* A function of a scope without a name is another than one without the scope. */
static const struct respelling nameless_scopes[] = {
    {LITERAL("(anonymous namespace)::"), LITERAL("{scope}::")}, {LITERAL("<unnamed>::"), LITERAL("{scope}::")},
    {LITERAL("{anonymous}::"), LITERAL("{scope}::")},           {LITERAL("{unnamed}::"), LITERAL("{scope}::")},
    {LITERAL("(anonymous)::"), LITERAL("{scope}::")},           {LITERAL("_GLOBAL__N_1::"), LITERAL("{scope}::")},
};

static const struct respelling long_strings[] = {
    {LITERAL("std::basic_string<char,std::char_traits<char>,std::allocator<char>>const"), LITERAL("std::string const")},
    {LITERAL("std::basic_string<char>const"), LITERAL("std::string const")},
    {LITERAL("std::basic_string<char,std::char_traits<char>,std::allocator<char>>"), LITERAL("std::string")},
    {LITERAL("std::basic_string<char>"), LITERAL("std::string")},
};

/* ---- Rust ---- */

static const struct respelling closures[] = {{LITERAL("{{closure}}"), LITERAL("{closure#}")}};

static struct span without_rust_hash(struct span name, struct arena *arena)
{
    size_t hash = strlen("::h0123456789abcdef");

    if (span_starts(name, SPAN("_R")))
        name = demangle_rust(arena, name);
    if (name.len > hash && span_starts(span_after(name, name.len - hash), SPAN("::h")) &&
        span_hex_digits(span_after(name, name.len - 16)) == 16)
        name.len -= hash;
    name = rust_legacy_text(name, arena);
    return respelled(name, closures, COUNT_OF(closures), arena);
}

/* ---- blanks, and the order of words in a type ---- */

/* A name that is read from left to right, and what is made of it. */
struct spelling {
    struct span rest;
    char *made;
    size_t len, depth;
    bool *is_const; /* by depth: a "const" stands before the type, and goes behind it */
    bool begins;    /* an argument begins here */
};

static void put_part(struct spelling *name, struct span text)
{
    bool parts = name->len && text.len && is_word_char(name->made[name->len - 1]) && is_word_char(text.at[0]);

    if (parts)
        name->made[name->len++] = ' ';
    memcpy(name->made + name->len, text.at, text.len);
    name->len += text.len;
}

static struct span word_at(struct span rest)
{
    size_t len = 0;

    while (len < rest.len && is_word_char(rest.at[len]))
        len++;
    return span_before(rest, len);
}

/* "long unsigned int", "unsigned long": the words of an integer's type, in whatever order. */
static bool put_integer(struct spelling *name)
{
    static const char *const words[] = {"unsigned", "signed", "long", "short", "int", "char", NULL};
    struct span rest = name->rest, word;
    unsigned longs = 0;
    bool is_unsigned = false, is_signed = false, is_short = false, is_char = false;
    uint32_t count = 0;

    while ((word = word_at(rest)).len && span_is_any(word, words)) {
        longs += span_eq(word, SPAN("long"));
        is_unsigned |= span_eq(word, SPAN("unsigned"));
        is_signed |= span_eq(word, SPAN("signed"));
        is_short |= span_eq(word, SPAN("short"));
        is_char |= span_eq(word, SPAN("char"));
        count++;
        rest = span_after(rest, word.len);
        if (span_starts(rest, SPAN(" ")) && span_is_any(word_at(span_after(rest, 1)), words))
            rest = span_after(rest, 1);
    }
    if (!count || (longs && span_eq(word_at(span_trim(rest)), SPAN("double"))))
        return false;
    if (is_unsigned)
        put_part(name, SPAN("unsigned"));
    else if (is_signed && is_char)
        put_part(name, SPAN("signed"));
    put_part(name, is_char     ? SPAN("char")
              : is_short  ? SPAN("short")
              : longs > 1 ? SPAN("long long")
              : longs     ? SPAN("long")
                          : SPAN("int"));
    name->rest = rest;
    return true;
}

/* What ends a type at its depth: then comes the "const" that stood before it. */
static void put_const(struct spelling *name)
{
    if (name->is_const[name->depth])
        put_part(name, SPAN("const"));
    name->is_const[name->depth] = false;
}

/* "<<", "()", "[]" behind "operator": no brackets of arguments. */
static size_t operator_marks(struct span rest)
{
    size_t len = 0;

    if (span_starts(rest, SPAN("()")) || span_starts(rest, SPAN("[]")))
        return 2;
    while (len < rest.len && rest.at[len] && strchr("<>=!+-*/%^&|~,", rest.at[len]))
        len++;
    return len;
}

static void put_word(struct spelling *name)
{
    struct span word = word_at(name->rest);
    bool begins = name->begins;

    name->begins = false;
    if (begins && span_eq(word, SPAN("const")) && span_starts(span_after(name->rest, word.len), SPAN(" "))) {
        name->is_const[name->depth] = true;
        name->rest = span_after(name->rest, word.len + 1);
        return;
    }
    if (put_integer(name))
        return;
    put_part(name, word);
    name->rest = span_after(name->rest, word.len);
    if (span_eq(word, SPAN("operator"))) {
        size_t marks = operator_marks(name->rest);

        put_part(name, span_before(name->rest, marks));
        name->rest = span_after(name->rest, marks);
    }
}

static void put_mark(struct spelling *name)
{
    char c = name->rest.at[0];
    bool is_arrow = c == '>' && name->len && name->made[name->len - 1] == '-';

    name->begins = false;
    if (c == ' ') {
        name->rest = span_after(name->rest, 1);
        return;
    }
    if (c && strchr("*&,>)", c) && !is_arrow)
        put_const(name);
    put_part(name, span_before(name->rest, 1));
    name->rest = span_after(name->rest, 1);
    if (c == '<' || c == '(') {
        name->depth++;
        name->is_const[name->depth] = false;
    } else if ((c == '>' || c == ')') && !is_arrow && name->depth) {
        name->depth--;
    }
    name->begins = c == '<' || c == '(' || c == ',';
}

static struct span in_order(struct span text, struct arena *arena)
{
    struct spelling name = {.rest = text};

    name.made = arena_array(arena, 2 * text.len + 16, 1);
    name.is_const = arena_array(arena, text.len + 2, sizeof(*name.is_const));
    while (name.rest.len) {
        bool is_gap = name.begins && name.rest.at[0] == ' ';

        if (is_word_char(name.rest.at[0])) {
            put_word(&name);
        } else {
            put_mark(&name);
            name.begins |= is_gap;
        }
    }
    put_const(&name);
    return (struct span){name.made, name.len};
}

/* ---- all of it ---- */

/* "f (int)": a blank there would end a type that is returned. */
static struct span without_gaps(struct span name, struct arena *arena)
{
    char *made;
    size_t len = 0;

    if (span_find(name, SPAN(" (")) == SIZE_MAX && span_find(name, SPAN(" <")) == SIZE_MAX)
        return name;
    made = arena_array(arena, name.len, 1);
    for (size_t i = 0; i < name.len; i++) {
        bool is_gap = name.at[i] == ' ' && i && i + 1 < name.len && (name.at[i + 1] == '(' || name.at[i + 1] == '<');

        if (!is_gap || (name.at[i + 1] == '<' && !is_word_char(name.at[i - 1])))
            made[len++] = name.at[i];
    }
    return (struct span){made, len};
}

static struct span without_return_type(struct span name, struct arena *arena)
{
    struct name_parts parts;

    if (!memchr(name.at, '(', name.len) && !memchr(name.at, '<', name.len))
        return name;
    parts = name_parts(name, arena);
    if (!parts.count || !parts.list[0].name.at || parts.list[0].name.at < name.at ||
        parts.list[0].name.at >= name.at + name.len)
        return name;
    return span_after(name, (size_t)(parts.list[0].name.at - name.at));
}

struct span name_dialect(struct span name, enum frame_kind kind, struct arena *arena)
{
    if (!name.len || (kind != KIND_HOST && kind != KIND_KERNEL && kind != KIND_COMMUNICATION && kind != KIND_RUNTIME))
        return name;
    if (span_ends(name, SPAN(".kd")))
        name.len -= strlen(".kd");
    name = without_rust_hash(name, arena);
    name = respelled(name, nameless_scopes, COUNT_OF(nameless_scopes), arena);
    name = without_return_type(without_gaps(name_normal(name, arena), arena), arena);
    return respelled(in_order(name, arena), long_strings, COUNT_OF(long_strings), arena);
}
