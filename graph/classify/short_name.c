/* SPDX-License-Identifier: Apache-2.0 */
/* Names of C++ functions and kernels as people call them: without types, arguments and
 * namespaces. */
#include "graph/classify/function_class.h"

#include <string.h>

#include "base/checked.h"

/* ---- functions as people call them: without types, arguments and namespaces ---- */

enum { NAME_MAX_BYTES = 56, NAME_TAIL_BYTES = 20 };

/* The length of a namespace without a name at the start of a text: what looks like arguments and is
 * none. 0: there is none. */
static size_t nameless_len(struct span text)
{
    static const struct span spellings[] = {LITERAL("(anonymous namespace)"), LITERAL("<unnamed>"),
                                            LITERAL("{anonymous}")};

    for (size_t i = 0; i < COUNT_OF(spellings); i++)
        if (span_starts(text, spellings[i]))
            return spellings[i].len;
    return 0;
}

/* The function's own name in "return type namespace::name<template arguments>(arguments)", of a
 * text that may be cut; what is behind it goes to `rest`. A bare "kernel" keeps its namespace. */
static struct span function_name(struct span text, struct span *rest)
{
    size_t start = 0, end = 0, outer = 0, i; /* end: where a part's arguments began, or 0 */
    uint32_t depth = 0;

    *rest = (struct span){0};
    for (i = 0; i < text.len; i++) {
        size_t nameless = nameless_len(span_after(text, i));
        char c = text.at[i];

        if (nameless) {
            i += nameless - 1;
        } else if (strchr("<([{", c)) {
            if (depth == 0 && c == '(' && i == start)
                return text; /* "Memcpy HtoD (Pinned -> Device)" */
            if (depth == 0 && c == '(')
                break;
            if (depth++ == 0 && i > start)
                end = i;
        } else if (strchr(">)]}", c)) {
            if (depth == 0 && !span_starts(span_after(text, i + 1), SPAN("::")))
                break;
            depth -= depth > 0;
        } else if (depth == 0 && c == ',') {
            break;
        } else if (depth == 0 &&
                   (c == ' ' || (c == ':' && i + 1 < text.len && text.at[i + 1] == ':'))) {
            i += c == ':';
            outer = c == ':' && end == 0 ? start : i + 1;
            start = i + 1;
            end = 0;
        }
    }
    end = end ? end : i;
    *rest = span_after(text, end);
    if (span_eq((struct span){text.at + start, end - start}, SPAN("kernel")))
        start = outer;
    return (struct span){text.at + start, end - start};
}

/* Long names of libraries tell themselves apart at both ends. */
static struct span cut(struct span name, struct arena *arena)
{
    size_t head = NAME_MAX_BYTES - 3 - NAME_TAIL_BYTES, tail = name.len - NAME_TAIL_BYTES;

    if (name.len <= NAME_MAX_BYTES)
        return name;
    while (head > 0 && ((unsigned char)name.at[head] & 0xC0) == 0x80)
        head--;
    while (tail < name.len && ((unsigned char)name.at[tail] & 0xC0) == 0x80)
        tail++;
    return span_of(arena_printf(arena, "%.*s...%.*s", (int)head, name.at, (int)(name.len - tail),
                                name.at + tail));
}

/* Wrappers that say nothing themselves: what they run is their first template argument. */
static bool is_wrapper(struct span name)
{
    return span_eq(name, SPAN("Kernel")) || span_eq(name, SPAN("Kernel2")) ||
           span_eq(name, SPAN("kentry")) || span_eq(name, SPAN("device_kernel"));
}

/* Loops over elements of PyTorch's and Paddle's, which are the same for all that they do. */
static bool is_loop(struct span name)
{
    static const char *const endings[] = {
        "elementwise_kernel",       "elementwise_kernel_manual_unroll",
        "kernel_for_multi_outputs", "elementwise_grid_stride_kernel",
        "ElementwiseKernel",        "ForRangeElemwiseOp",
    };

    for (size_t i = 0; i < COUNT_OF(endings); i++)
        if (span_ends(name, span_of(endings[i])))
            return true;
    return span_eq(name, SPAN("reduce_kernel")) || span_eq(name, SPAN("multi_tensor_apply_kernel"));
}

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

/* Not numbers, types and what only passes on. */
static bool is_telling(struct span word)
{
    static const char *const others[] = {"void",
                                         "const",
                                         "bool",
                                         "char",
                                         "short",
                                         "int",
                                         "long",
                                         "unsigned",
                                         "float",
                                         "double",
                                         "true",
                                         "false",
                                         "Half",
                                         "BFloat16",
                                         "Tensor",
                                         "array",
                                         "gpu_kernel_impl",
                                         "gpu_kernel_impl_nocast",
                                         "func_wrapper_t",
                                         "BinaryFunctor",
                                         "AUnaryFunctor",
                                         "BUnaryFunctor",
                                         "ReduceOp",
                                         "anonymous",
                                         "namespace",
                                         "unnamed",
                                         "lambda",
                                         "operator",
                                         "instance",
                                         "OpaqueType",
                                         NULL};

    return word.len > 2 && is_letter(word.at[0]) && !span_ends(word, SPAN("Metadata")) &&
           !span_is_any(word, others);
}

/* The first word of template arguments that says what is done, and is no namespace; empty when none
 * does. */
static struct span distinctive_word(struct span arguments)
{
    while (arguments.len) {
        struct span word = {arguments.at, 0};

        while (word.len < arguments.len &&
               (is_letter(word.at[word.len]) || is_digit(word.at[word.len])))
            word.len++;
        arguments = span_after(arguments, word.len ? word.len : 1);
        if (is_telling(word) && !span_starts(arguments, SPAN("::")))
            return word;
    }
    return arguments;
}

/* "12Rmsnorm2dFwd" at the start of `rest`, which moves past it; false when there is no such
 * part. */
static bool mangled_part(struct span *rest, struct span *part)
{
    size_t digits = span_digits(*rest);
    int64_t len;

    if (!digits || !span_to_i64((struct span){rest->at, digits}, &len) || len <= 0 ||
        (size_t)len > rest->len - digits)
        return false;
    *part = (struct span){rest->at + digits, (size_t)len};
    *rest = span_after(*rest, digits + (size_t)len);
    return true;
}

/* The function of a mangled name, which profilers leave as it is when it is very long: the last
 * part before the template arguments, or the first type among them. Empty when the name is not
 * mangled. */
static struct span mangled_name(struct span name)
{
    struct span rest = name, last = {0};

    if (!span_starts(name, SPAN("_Z")))
        return last;
    rest = span_after(rest, span_starts(name, SPAN("_ZN")) ? 3 : 2);
    while (mangled_part(&rest, &last))
        continue;
    while (is_wrapper(last) && rest.len) {
        size_t end = rest.at[0] == 'L' ? span_find(rest, SPAN("E")) : SIZE_MAX; /* "Li1E": a 1 */

        if (end != SIZE_MAX)
            rest = span_after(rest, end + 1);
        else if (!mangled_part(&rest, &last))
            rest = span_after(rest, 1);
        while (!is_wrapper(last) && mangled_part(&rest, &last))
            continue;
    }
    return last;
}

struct span kernel_name_short(struct span name, struct arena *arena)
{
    struct span mangled = mangled_name(name), rest, last, what;

    if (mangled.len)
        return cut(mangled, arena);
    last = function_name(name, &rest);
    if (is_loop(last)) {
        what = distinctive_word(rest);
        if (what.len)
            return cut(what, arena);
    }
    if (is_wrapper(last) && rest.len > 1)
        last = function_name(span_after(rest, 1), &rest);
    return cut(last.len ? last : name, arena);
}

struct span kernel_name_bare(struct span name)
{
    size_t len = 0;

    if (span_starts(name, SPAN("void ")))
        name = span_after(name, 5);
    while (len < name.len && name.at[len] != '<' && name.at[len] != '(')
        len++;
    return len ? (struct span){name.at, len} : name;
}

struct span kernel_name_without_arguments(struct span name)
{
    size_t open = name.len ? span_find(span_after(name, 1), SPAN("<")) : SIZE_MAX;
    size_t close = SIZE_MAX;

    if (open == SIZE_MAX || span_rfind(name, ')') == SIZE_MAX)
        return name;
    for (size_t i = open + 2; i + 1 < name.len && i < span_rfind(name, ')'); i++)
        if (name.at[i] == '>' && name.at[i + 1] == '(')
            close = i;
    return close == SIZE_MAX ? name : (struct span){name.at, close + 1};
}

/* Copies the text without what stands between the brackets, nested ones included. */
static struct span without_brackets(struct arena *arena, struct span text, char open, char close)
{
    char *kept = arena_array(arena, text.len + 1, 1);
    size_t len = 0, *starts = arena_array(arena, text.len + 1, sizeof(*starts)), depth = 0;

    for (size_t i = 0; i < text.len; i++) {
        if (text.at[i] == open)
            starts[depth++] = len;
        kept[len++] = text.at[i];
        if (text.at[i] == close && depth)
            len = starts[--depth];
    }
    return (struct span){kept, len};
}

struct span cpp_name_short(struct span name, struct arena *arena)
{
    if (span_starts(name, SPAN("(")) && span_ends(name, SPAN(")")))
        return name; /* Valgrind's "(below main)" */
    name = without_brackets(arena, name, '(', ')');
    if (span_ends(name, SPAN(" const")))
        name.len -= strlen(" const");
    return without_brackets(arena, name, '<', '>');
}

struct span cpp_name_bare(struct span name, struct arena *arena)
{
    struct span shorter = cpp_name_short(name, arena);
    if (span_starts(name, SPAN("("))) /* "(below main)" */
        return name;
    size_t operator_at = span_find(shorter, SPAN("operator"));
    size_t end = operator_at == SIZE_MAX ? shorter.len : operator_at;
    size_t blank = span_rfind((struct span){shorter.at, end}, ' ');

    return blank == SIZE_MAX ? shorter : span_after(shorter, blank + 1);
}

bool cpp_name_drop_scope(struct span *name)
{
    size_t end = span_find(*name, SPAN("::"));

    if (end != SIZE_MAX)
        *name = span_after(*name, end + 2);
    return end != SIZE_MAX;
}

bool name_is_bracketed(struct span name)
{
    return span_starts(name, SPAN("<"));
}
