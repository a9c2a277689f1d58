/* SPDX-License-Identifier: Apache-2.0 */
/* Labels of Python's functions in all spellings that profilers have: file, line and name; built-ins in braces. */
#include "graph/names/name_label.h"

#include <inttypes.h>
#include <string.h>

#include "base/checked.h"

/* Behind the last '/' or '\'. */
static size_t folder_len(struct span path)
{
    size_t len = path.len;

    while (len && path.at[len - 1] != '/' && path.at[len - 1] != '\\')
        len--;
    return len;
}

static bool is_python_file(struct span file)
{
    return span_ends(file, SPAN(".py")) || span_ends(file, SPAN(".pyx")) || span_ends(file, SPAN(".pyi"));
}

/* "built-in method X", "method 'f' of 'T' objects", without the brackets around them. */
static bool label_builtin(struct label *label, struct span name)
{
    struct span inside, type;
    size_t at;

    if (name.len < 3 || !strchr("<{", name.at[0]) || !strchr(">}", name.at[name.len - 1]))
        return false;
    inside = (struct span){name.at + 1, name.len - 2};
    if (span_starts(inside, SPAN("built-in function "))) {
        inside = span_after(inside, strlen("built-in function "));
    } else if (span_starts(inside, SPAN("built-in method "))) {
        inside = span_after(inside, strlen("built-in method "));
        at = span_find(inside, SPAN(" of "));
        if (at != SIZE_MAX && (type = span_after(inside, at + 4)).len) {
            struct span place = span_find(type, SPAN(" at 0x")) == SIZE_MAX
                                    ? NO_SPAN
                                    : span_after(type, span_find(type, SPAN(" at 0x")) + 4);

            type = span_before(type, span_find(type, SPAN(" object")));
            label_extra(label, LABEL_TRAIT, JOINED(label->arena, SPAN("of "), type));
            label_extra(label, LABEL_PATH, place);
            if (span_find(type, SPAN("pybind11_detail")) != SIZE_MAX)
                type = SPAN("pybind11");
            type = span_rfind(type, '.') == SIZE_MAX ? type : span_after(type, span_rfind(type, '.') + 1);
            label->head = JOINED(label->arena, SPAN("{"), type, SPAN("."), span_before(inside, at), SPAN("}"));
            return true;
        }
        if (span_starts(inside, SPAN("builtins.")) || span_starts(inside, SPAN("__builtin__.")))
            inside = span_after(inside, span_find(inside, SPAN(".")) + 1);
    } else if (span_starts(inside, SPAN("method '"))) {
        at = span_find(inside, SPAN("' of '"));
        if (at == SIZE_MAX)
            return false;
        type = span_after(inside, at + strlen("' of '"));
        type = span_before(type, span_find(type, SPAN("'")));
        label_extra(label, LABEL_TRAIT, JOINED(label->arena, SPAN("of "), type));
        inside = span_after(span_before(inside, at), strlen("method '"));
        type = span_rfind(type, '.') == SIZE_MAX ? type : span_after(type, span_rfind(type, '.') + 1);
        label->head = JOINED(label->arena, SPAN("{"), type, SPAN("."), inside, SPAN("}"));
        return true;
    } else {
        return false;
    }
    label->head = JOINED(label->arena, SPAN("{"), inside, SPAN("}"));
    return true;
}

/* "file.py(12): name", as PyTorch's traces have it; "file.py:12 name" and "$file.py:12 name", of JAX; "file.py:-1 - name"
 * of Pyroscope's; "name (file.py:12)" of VizTracer's and py-spy's: file, line and name apart. */
static bool split_place(struct span *name, struct span *file, int64_t *line)
{
    struct span rest = *name, number;
    size_t open = SIZE_MAX, at;

    if (rest.len && rest.at[0] == '$')
        rest = span_after(rest, 1);
    at = span_find(rest, SPAN("): "));
    if (at != SIZE_MAX && (open = span_rfind(span_before(rest, at), '(')) != SIZE_MAX && open > 0) {
        number = (struct span){rest.at + open + 1, at - open - 1};
        if (span_is_digits(number) && span_to_i64(number, line) &&
            (is_python_file(span_before(rest, open)) || rest.at[0] == '<')) {
            *file = span_before(rest, open);
            *name = span_after(rest, at + 3);
            return true;
        }
    }
    at = span_find(rest, SPAN(".py:"));
    if (at != SIZE_MAX) {
        struct span behind = span_after(rest, at + strlen(".py:"));
        bool is_unknown = span_starts(behind, SPAN("-1 - "));
        size_t digits = span_digits(behind);

        if (is_unknown || (digits && digits < behind.len && behind.at[digits] == ' ')) {
            *line = 0;
            if (!is_unknown && !span_to_i64(span_before(behind, digits), line))
                return false;
            *file = span_before(rest, at + 3);
            behind = span_after(behind, is_unknown ? 5 : digits + 1);
            *name = span_starts(behind, SPAN("- ")) ? span_after(behind, 2) : behind;
            return true;
        }
    }
    at = span_find(rest, SPAN(" ("));
    if (at != SIZE_MAX && at > 0 && span_ends(rest, SPAN(")"))) {
        struct span place = (struct span){rest.at + at + 2, rest.len - at - 3};
        size_t colon = span_rfind(place, ':');

        if (colon != SIZE_MAX && is_python_file(span_before(place, colon)) &&
            span_is_digits(span_after(place, colon + 1)) && span_to_i64(span_after(place, colon + 1), line)) {
            *file = span_before(place, colon);
            *name = span_before(rest, at);
            return true;
        }
    }
    return false;
}

struct span python_function(struct span name)
{
    struct span file;
    int64_t line;

    (void)split_place(&name, &file, &line);
    return name;
}

/* Of a line whose function is not known the name is the place itself: "file.py:12". */
static bool is_place(struct span name, struct span file, struct span place)
{
    return place.len && span_ends(name, place) && span_ends(file, span_before(name, name.len - place.len));
}

void label_python_head(struct label *label)
{
    struct span folders = span_after(label->path, label->folders);

    if (is_place(label->function, label->path, label->place))
        label->head = JOINED(label->arena, folders, label->place);
    else
        label->head = JOINED(label->arena, folders, label->place, SPAN("("), label->function, SPAN(")"));
}

bool label_python(struct label *label, struct span name, struct span file, int64_t line)
{
    struct span folder, last;

    if (span_ends(name, SPAN(" __builtin__:0"))) /* as yappi writes callgrind's files */
        name.len -= strlen(" __builtin__:0");
    if (label_builtin(label, name))
        return true;
    if (!split_place(&name, &file, &line)) {
        if (span_starts(name, SPAN("$")) && !file.len) { /* JAX: "$builtins len" */
            struct span module = span_before(span_after(name, 1), span_find(span_after(name, 1), SPAN(" ")));
            struct span function = span_after(name, module.len + 2);

            if (!function.len)
                return false;
            label->head = span_eq(module, SPAN("builtins"))
                              ? JOINED(label->arena, SPAN("{"), function, SPAN("}"))
                              : JOINED(label->arena, SPAN("{"), module, SPAN("."), function, SPAN("}"));
            return true;
        }
        if (!file.len || span_eq(file, SPAN("~")))
            return false;
    }
    if (span_starts(file, SPAN("<frozen ")) && span_ends(file, SPAN(">"))) {
        char *path = arena_copy(label->arena, (struct span){file.at + 8, file.len - 9});

        file = (struct span){path, file.len - 9};
        for (size_t i = 0; i < file.len; i++)
            if (path[i] == '.')
                path[i] = '/';
    }
    label->path = file;
    label->function = name;
    label->place = line > 0 ? span_of(arena_printf(label->arena, ":%" PRId64, line)) : NO_SPAN;
    label->folders = folder_len(file);
    last = span_after(file, label->folders);
    if ((span_eq(last, SPAN("__init__.py")) || span_eq(last, SPAN("__main__.py"))) && label->folders > 1) {
        folder = span_before(file, label->folders - 1);
        label->folders = folder_len(folder);
    }
    label_python_head(label);
    return true;
}
