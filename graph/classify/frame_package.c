/* SPDX-License-Identifier: Apache-2.0 */
#include "graph/classify/frame_package.h"

#include <string.h>

static struct span first(struct span text, size_t len)
{
    return (struct span){text.at, len < text.len ? len : text.len};
}

/* Up to the first of these bytes; the text itself where there is none. */
static struct span up_to(struct span text, const char *ends)
{
    size_t len = 0;

    while (len < text.len && !strchr(ends, text.at[len]))
        len++;
    return first(text, len);
}

static struct span base_name(struct span path)
{
    return span_after(path, span_rfind(path, '/') + 1); /* SIZE_MAX + 1 is 0 */
}

/* "github.com/user/project/pkg.(*T).Method": what is before the first dot of the last part. */
static struct span go_package(struct span name)
{
    size_t slash = up_to(name, "([{").len; /* type arguments have slashes of their own */

    while (slash > 0 && name.at[slash - 1] != '/')
        slash--;
    return first(name, slash + up_to(span_after(name, slash), ".").len);
}

/* The outermost namespace of "void std::sort<…>(…)", the crate of "<alloc::vec::Vec as …>::push";
 * empty where there is none. */
static struct span namespace_of(struct span name)
{
    size_t start = 0, at = 0;

    while (at < name.len && strchr("<&", name.at[at]))
        start = ++at;
    for (; at + 1 < name.len && !strchr("<([{", name.at[at]); at++) {
        if (name.at[at] == ' ')
            start = at + 1;
        if (name.at[at] == ':' && name.at[at + 1] == ':')
            return (struct span){name.at + start, at - start};
    }
    return (struct span){0};
}

/* "/srv/app/node_modules/@scope/name/lib/x.js": the innermost package's name. */
static struct span npm_package(struct span file)
{
    static const struct span folder = {"node_modules/", 13};
    struct span package = {0};

    for (size_t at; (at = span_find(file, folder)) != SIZE_MAX;) {
        file = span_after(file, at + folder.len);
        package = up_to(file, "/");
        if (span_starts(package, SPAN("@")) && package.len < file.len)
            package.len += 1 + up_to(span_after(file, package.len + 1), "/").len;
    }
    return package;
}

struct span frame_package(const struct graph *graph, frame_id id)
{
    const struct frame *frame = graph_frame(graph, id);
    struct span name = graph_text(graph, frame->name), file = graph_text(graph, frame->file);
    struct span module = graph_text(graph, frame->module), package;

    if (frame->kind == KIND_PYTHON)
        return up_to(module, ".");
    if (frame->kind != KIND_HOST)
        return (struct span){0};
    if (span_ends(file, SPAN(".go")))
        return go_package(name);
    if (span_starts(file, SPAN("node:")))
        return up_to(file, "/");
    package = npm_package(file);
    if (!package.len && (span_ends(file, SPAN("js")) || span_ends(file, SPAN(".ts"))))
        return base_name(file); /* the program's own */
    if (!package.len)
        package = namespace_of(name);
    return package.len ? package : base_name(module);
}
