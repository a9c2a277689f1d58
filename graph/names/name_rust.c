/* SPDX-License-Identifier: Apache-2.0 */
/* Labels of Rust's functions: the type and the method, or the module and the function; closures with what they are
 * in. */
#include "graph/names/name_label.h"

#include <string.h>

#include "base/checked.h"
#include "base/symbols/symbols.h"

/* ---- what rustc's first mangling wrote for marks that linkers do not take ---- */

struct span rust_legacy_text(struct span name, struct arena *arena)
{
    static const struct span escapes[][2] = {
        {LITERAL("$LT$"), LITERAL("<")},  {LITERAL("$GT$"), LITERAL(">")},  {LITERAL("$C$"), LITERAL(",")},
        {LITERAL("$RF$"), LITERAL("&")},  {LITERAL("$BP$"), LITERAL("*")},  {LITERAL("$LP$"), LITERAL("(")},
        {LITERAL("$RP$"), LITERAL(")")},  {LITERAL("$u20$"), LITERAL(" ")}, {LITERAL("$u5b$"), LITERAL("[")},
        {LITERAL("$u5d$"), LITERAL("]")}, {LITERAL("$u7b$"), LITERAL("{")}, {LITERAL("$u7d$"), LITERAL("}")},
        {LITERAL("$u27$"), LITERAL("'")}, {LITERAL("$u3b$"), LITERAL(";")}, {LITERAL("$u2b$"), LITERAL("+")},
        {LITERAL("$u22$"), LITERAL("\"")}, {LITERAL("$u7e$"), LITERAL("~")}, {LITERAL(".."), LITERAL("::")}};
    char *made = arena_array(arena, name.len + 1, 1);
    size_t len = 0;

    if (!memchr(name.at, '$', name.len))
        return name;
    while (name.len) {
        size_t i = 0;

        if (name.at[0] == '_' && (!len || made[len - 1] == ':') && name.len > 1 && name.at[1] == '$') {
            name = span_after(name, 1); /* names do not begin with a '$' */
            continue;
        }
        while (i < COUNT_OF(escapes) && !span_starts(name, escapes[i][0]))
            i++;
        if (i < COUNT_OF(escapes)) {
            memcpy(made + len, escapes[i][1].at, escapes[i][1].len);
            len += escapes[i][1].len;
            name = span_after(name, escapes[i][0].len);
            if (len > 1 && made[len - 2] == '&' && made[len - 1] == '\'') { /* "&'a mut T" → "&mut T" */
                len--;
                while (name.len && is_word_char(name.at[0]))
                    name = span_after(name, 1);
                name = span_starts(name, SPAN("$u20$")) ? span_after(name, 5) : name;
            }
        } else {
            made[len++] = name.at[0];
            name = span_after(name, 1);
        }
    }
    return (struct span){made, len};
}

/* ---- scopes ---- */

static struct span without_generics(struct span scope)
{
    if (span_starts(scope, SPAN("<")))
        return scope;
    return span_before(scope, span_find(scope, SPAN("<")));
}

static bool is_identifier(struct span text)
{
    for (size_t i = 0; i < text.len; i++)
        if (!is_word_char(text.at[i]))
            return false;
    return text.len > 0;
}

/* The scopes of a path, the last first: at most `most` of them. */
static uint32_t split_scopes(struct span path, struct span *scopes, uint32_t most)
{
    uint32_t count = 0;
    size_t depth = 0, end = path.len, i = path.len;

    while (i > 0 && count < most) {
        char c = path.at[--i];

        if (closes_bracket(c) && !(c == '>' && i && path.at[i - 1] == '-'))
            depth++;
        else if (opens_bracket(c))
            depth -= depth > 0;
        else if (depth == 0 && c == ':' && i > 0 && path.at[i - 1] == ':') {
            if (end > i + 1)
                scopes[count++] = (struct span){path.at + i + 1, end - i - 1};
            end = --i;
        }
    }
    if (count < most && end > 0)
        scopes[count++] = span_before(path, end);
    return count;
}

/* Where " as " stands outside of brackets; SIZE_MAX: nowhere. */
static size_t trait_at(struct span type)
{
    size_t depth = 0;

    for (size_t i = 0; i + 4 < type.len; i++) {
        if (opens_bracket(type.at[i]))
            depth++;
        else if (closes_bracket(type.at[i]))
            depth -= depth > 0;
        else if (depth == 0 && memcmp(type.at + i, " as ", 4) == 0)
            return i;
    }
    return SIZE_MAX;
}

/* "Vec" of "alloc::vec::Vec<T, A>". */
static struct span own_type(struct span type, struct arena *arena)
{
    struct span bare = span_before(type, span_find(type, SPAN("<"))), made = type_short(bare, arena);

    return made.len ? made : type_short(type, arena);
}

static bool label_of_type(struct label *label, struct span name)
{
    size_t end = bracket_end(name, 0), as;
    struct span inside, rest, type;

    if (!span_starts(name, SPAN("<")) || !span_starts(span_after(name, end + 1), SPAN("::")))
        return false;
    inside = (struct span){name.at + 1, end - 1};
    rest = span_after(name, end + 3);
    as = trait_at(inside);
    type = span_before(inside, as);
    label->head = JOINED(label->arena,
                         span_starts(type, SPAN("&")) || span_starts(type, SPAN("[")) ? type : own_type(type, label->arena),
                         SPAN("::"), without_generics(rest));
    if (as != SIZE_MAX)
        label_extra(label, LABEL_TRAIT, JOINED(label->arena, SPAN("as "), type_short(span_after(inside, as + 4), label->arena)));
    label_extra(label, LABEL_TEMPLATE, JOINED(label->arena, SPAN("<"), type_short(type, label->arena), SPAN(">")));
    return true;
}

/* "<impl Trait for T>" is T, "<impl T>" T, other "<impl …>" nothing. */
static struct span scope_shown(struct span scope, struct arena *arena)
{
    size_t at;

    if (!span_starts(scope, SPAN("<")))
        return without_generics(scope);
    scope = (struct span){scope.at + 1, scope.len - 1 - span_ends(scope, SPAN(">"))};
    at = span_find(scope, SPAN(" for "));
    if (span_starts(scope, SPAN("impl ")) && at != SIZE_MAX) {
        scope = span_after(scope, at + 5);
        return span_starts(scope, SPAN("[")) ? scope : own_type(scope, arena);
    }
    if (span_starts(scope, SPAN("impl "))) {
        scope = type_short(span_before(span_after(scope, 5), span_find(span_after(scope, 5), SPAN("<"))), arena);
        return is_identifier(scope) ? scope : NO_SPAN;
    }
    return own_type(span_before(scope, trait_at(scope)), arena);
}

static void label_of_path(struct label *label, struct span name)
{
    enum { SCOPES_MAX = 12 };
    struct span scopes[SCOPES_MAX], shown[SCOPES_MAX], head = NO_SPAN, impl = NO_SPAN, generic = NO_SPAN;
    uint32_t count = split_scopes(name, scopes, SCOPES_MAX), kept = 0, need = 2;

    for (uint32_t i = 0; i < count; i++) {
        struct span text = scope_shown(scopes[i], label->arena);

        if (span_starts(scopes[i], SPAN("<impl ")) && !impl.len)
            impl = type_short((struct span){scopes[i].at + 1, scopes[i].len - 2}, label->arena);
        if (!span_starts(scopes[i], SPAN("<")) && !generic.len && span_find(scopes[i], SPAN("<")) != SIZE_MAX)
            generic = type_short(span_after(scopes[i], span_find(scopes[i], SPAN("<"))), label->arena);
        if (text.len)
            shown[kept++] = text;
    }
    if (!kept)
        return;
    if (span_eq(shown[0], SPAN("drop_in_place")) && generic.len) {
        label->head = JOINED(label->arena, shown[0], generic);
        return;
    }
    for (uint32_t i = 0; i < kept && span_starts(shown[i], SPAN("{")); i++)
        need = i + 3;
    for (uint32_t i = need < kept ? need : kept; i-- > 0;)
        head = head.len ? JOINED(label->arena, head, SPAN("::"), shown[i]) : shown[i];
    label->head = head;
    label_extra(label, LABEL_TRAIT, impl.len ? JOINED(label->arena, SPAN("<"), impl, SPAN(">")) : NO_SPAN);
    label_extra(label, LABEL_TEMPLATE, generic);
    if (need < kept)
        label_extra(label, LABEL_SCOPE, JOINED(label->arena, SPAN("in "), shown[need]));
}

void label_rust(struct label *label, struct span full)
{
    struct span name = full, hash = NO_SPAN;
    size_t at;

    if (span_starts(name, SPAN("_R")))
        name = demangle_rust(label->arena, name);
    at = span_rfind(name, 'h');
    if (at != SIZE_MAX && at > 2 && name.len == at + 17 && span_hex_digits(span_after(name, at + 1)) == 16 &&
        name.at[at - 1] == ':') {
        hash = span_after(name, at);
        name.len = at - 2;
    }
    name = rust_legacy_text(name, label->arena);
    label->head = name;
    if (!label_of_type(label, name))
        label_of_path(label, name);
    if (hash.len)
        label_extra(label, LABEL_LAMBDA, span_before(hash, 7));
}
