#include "parsers/python_names.h"

#include <ctype.h>

#include "base/attr.h"

static bool is_separator(char c)
{
    return c == '/' || c == '\\';
}

static size_t last_separator(struct span path)
{
    for (size_t i = path.len; i-- > 0;)
        if (is_separator(path.at[i]))
            return i;
    return SIZE_MAX;
}

/* What follows a directory in which packages lie: site-packages, lib/python3.11. */
static bool after_package_root(struct span file, struct span *inside)
{
    static const char *const roots[] = {"site-packages", "dist-packages", "lib-python/3",
                                        "lib_pypy"};
    size_t at, end = 0;

    for (size_t i = 0; i < COUNT_OF(roots); i++) {
        at = span_find(file, span_of(roots[i]));
        if (at != SIZE_MAX && at + strlen(roots[i]) + 1 > end)
            end = at + strlen(roots[i]) + 1;
    }
    at = end ? SIZE_MAX : span_find(file, SPAN("/python"));
    if (at != SIZE_MAX) {
        size_t digit = at + strlen("/python");

        while (digit < file.len &&
               (isdigit((unsigned char)file.at[digit]) || file.at[digit] == '.'))
            digit++;
        if (digit > at + strlen("/python") && digit < file.len && is_separator(file.at[digit]))
            end = digit + 1;
    }
    *inside = span_after(file, end);
    return end && inside->len;
}

static struct span without_suffix(struct span path)
{
    static const char *const suffixes[] = {".pyc", ".pyx", ".py"};

    for (size_t i = 0; i < COUNT_OF(suffixes); i++)
        if (span_ends(path, span_of(suffixes[i]))) {
            path.len -= strlen(suffixes[i]);
            break;
        }
    return path;
}

/* A package's own file stands for the package. */
static struct span without_init(struct span path)
{
    size_t at = last_separator(path);

    if (at == SIZE_MAX || !at)
        return path;
    if (span_eq(span_after(path, at + 1), SPAN("__init__")) ||
        span_eq(span_after(path, at + 1), SPAN("__main__")))
        path.len = at;
    return path;
}

struct span python_module(struct span file, char room[PYTHON_MODULE_MAX])
{
    struct span inside;

    if (span_starts(file, SPAN("<frozen ")) && span_ends(file, SPAN(">"))) {
        inside = span_after(file, strlen("<frozen "));
        return (struct span){inside.at, inside.len - 1};
    }
    if (file.len == 0 || file.at[0] == '<')
        return SPAN("");
    bool is_package = after_package_root(file, &inside);

    inside = without_init(without_suffix(inside));
    if (!is_package && last_separator(inside) != SIZE_MAX)
        inside = span_after(inside, last_separator(inside) + 1);
    if (inside.len > PYTHON_MODULE_MAX)
        inside = span_after(inside, inside.len - PYTHON_MODULE_MAX);
    for (size_t i = 0; i < inside.len; i++)
        room[i] = is_separator(inside.at[i]) ? '.' : inside.at[i];
    return (struct span){room, inside.len};
}

/* "re.Pattern" → "re"; a type without a module is one of the builtins. */
static struct span module_of_type(struct span type)
{
    size_t dot = span_rfind(type, '.');

    return dot == SIZE_MAX ? SPAN("builtins") : (struct span){type.at, dot};
}

struct span python_builtin_module(struct span name)
{
    size_t of;

    if (!span_ends(name, SPAN(">")))
        return SPAN("");
    name.len--;
    if (span_starts(name, SPAN("<built-in ")))
        return module_of_type(span_after(name, span_rfind(name, ' ') + 1));

    of = span_find(name, SPAN("' of '"));
    if (of == SIZE_MAX)
        return SPAN("");
    name = span_after(name, of + strlen("' of '"));
    return module_of_type(span_split(&name, '\''));
}
