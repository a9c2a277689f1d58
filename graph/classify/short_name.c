/* SPDX-License-Identifier: Apache-2.0 */
/* Names of C++ functions and kernels without types, arguments and namespaces: what joins and pictures take. */
#include "graph/classify/function_class.h"

#include <string.h>

#include "base/checked.h"

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
