/* SPDX-License-Identifier: Apache-2.0 */
/* Names of C++ taken apart: four compilers' ways to write them become one, then scopes, arguments and parameters. */
#include "graph/names/name_label.h"

#include <string.h>

enum { NAME_MOST = 16384 };

/* ---- one dialect ---- */

/* A name that is read from left to right, and what is made of it. */
struct rewriting {
    struct span rest;
    char *made;
    size_t len;
    char before;         /* the byte of the name before the rest; 0 at its begin */
    size_t lambda_ends;  /* how long the rest is where "'lambda1'(…" closes; SIZE_MAX: not in one */
    unsigned lambda;     /* its number */
};

static void put_text(struct rewriting *name, struct span text)
{
    memcpy(name->made + name->len, text.at, text.len);
    name->len += text.len;
}

static void skip(struct rewriting *name, size_t count)
{
    name->before = name->rest.at[count - 1];
    name->rest = span_after(name->rest, count);
}

static size_t starts_with_one_of(struct span text, const struct span *words, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (span_starts(text, words[i]))
            return words[i].len;
    return 0;
}

/* A scope without a name, and the "::" behind it. */
static size_t nameless_scope(const struct rewriting *name)
{
    static const struct span spellings[] = {LITERAL("(anonymous namespace)"), LITERAL("<unnamed>"),
                                            LITERAL("{anonymous}"),           LITERAL("{unnamed}"),
                                            LITERAL("_GLOBAL__N_1"),          LITERAL("(anonymous)::")};
    size_t len = starts_with_one_of(name->rest, spellings, COUNT_OF(spellings));

    if (!len && span_starts(name->rest, SPAN("unnamed>::")) && (!name->before || name->before == ' '))
        len = strlen("unnamed>");
    if (span_ends(span_before(name->rest, len), SPAN("::")))
        return len;
    return len && span_starts(span_after(name->rest, len), SPAN("::")) ? len + 2 : len;
}

/* "(ns::Enum)" before a number, "(unsigned int)"; 0: none. */
static size_t cast_before_number(struct span rest)
{
    size_t i = 1;

    if (!rest.len || rest.at[0] != '(')
        return 0;
    while (i < rest.len && (is_word_char(rest.at[i]) || rest.at[i] == ':' || rest.at[i] == ' '))
        i++;
    if (i < 2 || i + 1 >= rest.len || rest.at[i] != ')' || is_digit(rest.at[1]))
        return 0;
    return is_digit(rest.at[i + 1]) || (rest.at[i + 1] == '-' && i + 2 < rest.len && is_digit(rest.at[i + 2]))
               ? i + 1
               : 0;
}

/* "int=" of nvprof's "int=16". */
static size_t assigned_type(struct span rest)
{
    static const struct span types[] = {LITERAL("unsigned int="), LITERAL("unsigned long="), LITERAL("unsigned char="),
                                        LITERAL("int="), LITERAL("long="), LITERAL("bool="), LITERAL("char="),
                                        LITERAL("short=")};

    return starts_with_one_of(rest, types, COUNT_OF(types));
}

/* What is dropped wherever it stands. */
static size_t dropped(const struct rewriting *name)
{
    static const struct span inner[] = {LITERAL("__cxx11::"), LITERAL("__1::")};
    size_t len = nameless_scope(name), after;

    if (len)
        return len;
    if (name->before == ':' && (len = starts_with_one_of(name->rest, inner, COUNT_OF(inner))))
        return len;
    if (span_starts(name->rest, SPAN("[abi:"))) {
        len = span_find(name->rest, SPAN("]"));
        return len == SIZE_MAX ? 0 : len + 1;
    }
    if (!is_word_char(name->before) && (len = assigned_type(name->rest)))
        return len;
    if (name->before && strchr("<,( ", name->before) && span_starts(name->rest, SPAN("void "))) {
        after = strlen("void ");
        while (after < name->rest.len && (is_word_char(name->rest.at[after]) || name->rest.at[after] == ':'))
            after++;
        return after > 5 && after < name->rest.len && strchr("<(", name->rest.at[after]) ? 5 : 0;
    }
    if (name->rest.at[0] == ' ' && name->rest.len > 1 &&
        ((name->rest.at[1] == '>' && name->before == '>') || strchr("*&", name->rest.at[1])))
        return 1;
    return 0;
}

/* "(bool)1", "(int)4", "4ul": numbers as they are. */
static bool put_number(struct rewriting *name)
{
    size_t cast = cast_before_number(name->rest), digits;

    if (cast) {
        bool is_truth = span_starts(name->rest, SPAN("(bool)"));
        char value = name->rest.at[cast];

        skip(name, cast);
        if (!is_truth || (name->rest.len > 1 && is_digit(name->rest.at[1])))
            return true;
        put_text(name, value == '1' ? SPAN("true") : SPAN("false"));
        skip(name, 1);
        return true;
    }
    digits = is_word_char(name->before) ? 0 : span_digits(name->rest);
    if (!digits)
        return false;
    put_text(name, span_before(name->rest, digits));
    skip(name, digits);
    for (size_t suffix = 0; suffix <= 3 && suffix <= name->rest.len; suffix++) {
        if (suffix && !strchr("ul", name->rest.at[suffix - 1]))
            break;
        if (suffix && (suffix == name->rest.len || !is_word_char(name->rest.at[suffix]))) {
            skip(name, suffix);
            break;
        }
    }
    return true;
}

/* "[lambda(T) (instance 2)]" and "'lambda0'(T)" → "{lambda(T)#2}". */
static bool put_lambda(struct rewriting *name)
{
    struct span rest = name->rest;
    uint64_t number = 0;
    size_t digits;

    if (span_starts(rest, SPAN("[lambda("))) {
        put_text(name, SPAN("{lambda"));
        skip(name, strlen("[lambda"));
        return true;
    }
    if (span_starts(rest, SPAN(" (instance "))) {
        rest = span_after(rest, strlen(" (instance "));
        digits = span_digits(rest);
        if (!digits || !span_starts(span_after(rest, digits), SPAN(")]")))
            return false;
        put_text(name, SPAN("#"));
        put_text(name, span_before(rest, digits));
        put_text(name, SPAN("}"));
        skip(name, strlen(" (instance ") + digits + 2);
        return true;
    }
    if (!span_starts(rest, SPAN("'lambda")))
        return false;
    rest = span_after(rest, strlen("'lambda"));
    digits = span_digits(rest);
    if (!span_starts(span_after(rest, digits), SPAN("'(")))
        return false;
    if (digits)
        span_to_u64(span_before(rest, digits), &number);
    put_text(name, SPAN("{lambda"));
    skip(name, strlen("'lambda") + digits + 1);
    name->lambda = digits ? (unsigned)number + 2 : 1;
    name->lambda_ends = name->rest.len - bracket_end(name->rest, 0);
    return true;
}

/* How many letters and digits it begins with; '_' may begin a scope that is dropped. */
static size_t letters_in(struct span text)
{
    size_t len = 0;

    while (len < text.len && is_word_char(text.at[len]) && text.at[len] != '_')
        len++;
    return len;
}

struct span name_normal(struct span name, struct arena *arena)
{
    struct rewriting made = {.rest = span_trim(span_before(name, NAME_MOST)), .lambda_ends = SIZE_MAX};

    made.made = arena_array(arena, 2 * made.rest.len + 16, 1);
    while (made.rest.len) {
        size_t letters = is_word_char(made.before) ? letters_in(made.rest) : 0, drop;

        if (letters) { /* within a word nothing is rewritten */
            put_text(&made, span_before(made.rest, letters));
            skip(&made, letters);
        } else if ((drop = dropped(&made))) {
            char before = made.before; /* what is dropped parts nothing */

            skip(&made, drop);
            made.before = before;
        } else if (span_starts(made.rest, SPAN("operator ()"))) {
            put_text(&made, SPAN("operator()"));
            skip(&made, strlen("operator ()"));
        } else if (!put_number(&made) && !put_lambda(&made)) {
            bool ends_lambda = made.rest.len == made.lambda_ends;

            put_text(&made, span_before(made.rest, 1));
            skip(&made, 1);
            if (ends_lambda) {
                char number[16];
                size_t digits = 0;

                for (unsigned left = made.lambda; left; left /= 10)
                    number[sizeof(number) - ++digits] = (char)('0' + left % 10);
                put_text(&made, SPAN("#"));
                put_text(&made, (struct span){number + sizeof(number) - digits, digits});
                put_text(&made, SPAN("}"));
                made.lambda_ends = SIZE_MAX;
            }
        }
    }
    return (struct span){made.made, made.len};
}

/* ---- scopes, arguments, parameters ---- */

size_t bracket_end(struct span text, size_t open)
{
    size_t depth = 0;

    for (size_t i = open; i < text.len; i++) {
        if (opens_bracket(text.at[i]))
            depth++;
        else if (closes_bracket(text.at[i]) && !(text.at[i] == '>' && i && text.at[i - 1] == '-') && --depth == 0)
            return i;
    }
    return text.len;
}

bool next_argument(struct span *rest, struct span *argument)
{
    size_t depth = 0, i = 0;

    if (!rest->len)
        return false;
    for (; i < rest->len; i++) {
        char c = rest->at[i];

        if (opens_bracket(c))
            depth++;
        else if (closes_bracket(c) && !(c == '>' && i && strchr("-=", rest->at[i - 1])))
            depth -= depth > 0;
        else if (c == ',' && depth == 0)
            break;
    }
    *argument = span_trim(span_before(*rest, i));
    *rest = span_after(*rest, i < rest->len ? i + 1 : i);
    return true;
}

/* How long "operator<<", "operator new[]", "operator bool" is at the start of a text. */
static size_t operator_len(struct span text)
{
    static const struct span marks[] = {
        LITERAL("()"), LITERAL("[]"), LITERAL("<=>"), LITERAL("<<="), LITERAL(">>="), LITERAL("->*"),
        LITERAL("->"), LITERAL("<<"), LITERAL(">>"),  LITERAL("<="),  LITERAL(">="),  LITERAL("=="),
        LITERAL("!="), LITERAL("&&"), LITERAL("||"),  LITERAL("++"),  LITERAL("--"),  LITERAL("+="),
        LITERAL("-="), LITERAL("*="), LITERAL("/="),  LITERAL("%="),  LITERAL("^="),  LITERAL("&="),
        LITERAL("|="), LITERAL("+"),  LITERAL("-"),   LITERAL("*"),   LITERAL("/"),   LITERAL("%"),
        LITERAL("^"),  LITERAL("&"),  LITERAL("|"),   LITERAL("~"),   LITERAL("!"),   LITERAL("="),
        LITERAL("<"),  LITERAL(">"),  LITERAL(",")};
    size_t len = strlen("operator"), mark;

    if (!span_starts(text, SPAN("operator")) || len == text.len)
        return 0;
    mark = starts_with_one_of(span_after(text, len), marks, COUNT_OF(marks));
    if (mark)
        return len + mark;
    if (text.at[len] != ' ')
        return 0;
    for (len++; len < text.len && (is_word_char(text.at[len]) || strchr(":*&[]\"", text.at[len])); len++)
        continue;
    return len;
}

/* "const", "[clone .cold]": what stands behind parameters. */
static size_t qualifier_len(struct span text)
{
    static const struct span words[] = {LITERAL("const"), LITERAL("volatile"), LITERAL("noexcept"), LITERAL("&&"),
                                        LITERAL("&")};
    size_t len = starts_with_one_of(text, words, COUNT_OF(words));

    if (span_starts(text, SPAN("[clone"))) {
        len = span_find(text, SPAN("]"));
        return len == SIZE_MAX ? text.len : len + 1;
    }
    return len && (len == text.len || text.at[len] == ' ' || text.at[len] == ':') ? len : 0;
}

/* A name that is taken apart. */
struct splitting {
    struct span text;
    struct name_parts parts;
    struct name_part part;
    size_t at;
    bool has_name; /* `part` has begun */
};

static void end_part(struct splitting *name)
{
    if (name->has_name)
        name->parts.list[name->parts.count++] = name->part;
    name->part = (struct name_part){0};
    name->has_name = false;
}

static void extend_name(struct splitting *name, size_t count)
{
    if (!name->part.name.at)
        name->part.name = (struct span){name->text.at + name->at, 0};
    name->part.name.len = (size_t)(name->text.at + name->at + count - name->part.name.at);
    name->at += count;
    name->has_name = true;
}

static void take_bracket(struct splitting *name)
{
    char open = name->text.at[name->at];
    size_t end = bracket_end(name->text, name->at), first = name->at + 1;
    struct span inside = {name->text.at + first, end > first ? end - first : 0};
    bool has_name = name->part.name.len > 0;

    if (end < name->text.len)
        end++;
    if (open == '[') {
        name->parts.qualifiers = (struct span){name->text.at + name->at, end - name->at};
        name->at = end;
    } else if (open == '{' || (open == '<' && !has_name) ||
               (open == '(' && !has_name && !name->part.has_arguments)) {
        extend_name(name, end - name->at); /* a lambda, Rust's "<T as Trait>", "(below main)" */
    } else {
        if (open == '<') {
            name->part.arguments = inside;
            name->part.has_arguments = true;
        } else {
            name->part.parameters = inside;
            name->part.has_parameters = true;
        }
        name->has_name = true;
        name->at = end;
    }
}

/* A blank ends the type of the result, or comes before qualifiers. */
static void take_blank(struct splitting *name)
{
    struct span rest = span_after(name->text, name->at + 1);
    size_t len = qualifier_len(rest);

    name->at++;
    if (len) {
        if (!name->parts.qualifiers.at || rest.at[0] == '[')
            name->parts.qualifiers = span_before(rest, len);
        name->at += len;
    } else if (!name->part.has_parameters ||
               (rest.len && (is_word_char(rest.at[0]) || rest.at[0] == ':'))) {
        name->parts.count = 0;
        name->part = (struct name_part){0};
        name->has_name = false;
    }
}

struct name_parts name_parts(struct span normal, struct arena *arena)
{
    struct splitting name = {.text = normal};

    name.parts.list = arena_array(arena, normal.len / 2 + 2, sizeof(*name.parts.list));
    while (name.at < normal.len) {
        char c = normal.at[name.at];
        bool begins_word = name.at == 0 || !is_word_char(normal.at[name.at - 1]);
        size_t operator_is = c == 'o' && begins_word ? operator_len(span_after(normal, name.at)) : 0;

        if (operator_is) {
            extend_name(&name, operator_is);
        } else if (c == ':' && name.at + 1 < normal.len && normal.at[name.at + 1] == ':') {
            end_part(&name);
            name.at += 2;
        } else if (opens_bracket(c)) {
            take_bracket(&name);
        } else if (c == ' ') {
            take_blank(&name);
        } else {
            extend_name(&name, 1);
        }
    }
    end_part(&name);
    return name.parts;
}
