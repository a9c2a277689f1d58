/* SPDX-License-Identifier: Apache-2.0 */
#include "parsers/shared/python_names.h"

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

/* "python3.11", "python3": the directory of a standard library. */
static bool is_python_directory(struct span name)
{
    size_t at = strlen("python");

    if (name.len <= at || memcmp(name.at, "python", at) != 0)
        return false;
    while (at < name.len && (isdigit((unsigned char)name.at[at]) || name.at[at] == '.'))
        at++;
    return at == name.len;
}

static bool is_package_root(struct span name)
{
    switch (name.len) {
    case 13:
        return memcmp(name.at + 4, "-packages", 9) == 0; /* site-packages, dist-packages */
    case 8:
        return memcmp(name.at, "lib_pypy", 8) == 0 || is_python_directory(name);
    default:
        return name.len < 12 && is_python_directory(name);
    }
}

/* What follows the innermost directory in which packages lie; the whole path when there is none. */
static bool after_package_root(struct span file, struct span *inside)
{
    size_t begin = 0;
    bool is_found = false;

    *inside = file;
    for (size_t i = 0; i < file.len; i++) {
        if (!is_separator(file.at[i]))
            continue;
        if (is_package_root((struct span){file.at + begin, i - begin})) {
            *inside = span_after(file, i + 1);
            is_found = inside->len > 0;
        }
        begin = i + 1;
    }
    return is_found;
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

bool python_is_file(struct span path)
{
    return span_ends(path, SPAN(".py")) || span_ends(path, SPAN(".pyx")) ||
           (span_starts(path, SPAN("<")) && span_ends(path, SPAN(">")));
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
