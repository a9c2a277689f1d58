/* SPDX-License-Identifier: Apache-2.0 */
/* The package that a function comes from, and whether it is the program's own, by the manner of
 * its language. */
#include "graph/classify/function_class.h"

#include <ctype.h>
#include <string.h>

#include "base/checked.h"

/* ---- which package a function comes from, by the manner of its language ---- */

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

struct span go_package(struct span name)
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
    static const struct span folder = LITERAL("node_modules/");
    struct span package = {0};

    for (size_t at; (at = span_find(file, folder)) != SIZE_MAX;) {
        file = span_after(file, at + folder.len);
        package = up_to(file, "/");
        if (span_starts(package, SPAN("@")) && package.len < file.len)
            package.len += 1 + up_to(span_after(file, package.len + 1), "/").len;
    }
    return package;
}

/* "pandas._libs.lib.foo" of "<pandas._libs.lib.foo>", or of a file "<class 'a.b.C'> compilation 4": what
 * Python's code without a module of its own is called by; empty where that names none. */
static struct span dotted_within(struct span name, struct span file)
{
    static const struct span class = LITERAL("<class '");
    struct span text = span_starts(file, class) ? span_after(file, class.len) : span_after(name, 1);
    size_t len = up_to(text, ".").len;

    for (size_t i = 0; i < len; i++)
        if (!isalnum((unsigned char)text.at[i]) && text.at[i] != '_')
            return (struct span){0};
    return len < text.len ? text : (struct span){0};
}

struct span frame_package(const struct graph *graph, frame_id id)
{
    const struct frame *frame = graph_frame(graph, id);
    struct span name = graph_text(graph, frame->name), file = graph_text(graph, frame->file);
    struct span module = graph_text(graph, frame->module), package;

    if (frame->kind == KIND_PYTHON ||
        (frame->kind == KIND_HOST && name_is_bracketed(name) &&
         span_find(name, SPAN("::")) == SIZE_MAX)) /* which Rust's "<alloc::vec::Vec as …>" has */
        return up_to(module.len ? module : dotted_within(name, file), ".");
    if (frame->kind != KIND_HOST)
        return (struct span){0};
    if (span_ends(file, SPAN(".go")))
        return go_package(name);
    if (span_starts(file, SPAN("node:")))
        return up_to(file, "/");
    package = npm_package(file);
    if (!package.len && (span_ends(file, SPAN("js")) || span_ends(file, SPAN(".ts"))))
        return span_file_name(file); /* the program's own */
    if (!package.len)
        package = namespace_of(name);
    return package.len ? package : span_file_name(module);
}

/* ---- whose code a function is: the program's own, or that of what it is built on ---- */

static bool holds(struct span text, struct span part)
{
    return span_find(text, part) != SIZE_MAX;
}

/* ---- Python ---- */

/* "python3.11", "Python311" or "site-packages": a folder that holds what others wrote. */
static bool is_library_folder(struct span folder)
{
    size_t at = strlen("python");

    if (span_ends(folder, SPAN("-packages")) || span_eq(folder, SPAN("lib_pypy")))
        return true;
    if (!span_starts(folder, SPAN("python")) && !span_starts(folder, SPAN("Python")))
        return false;
    while (at < folder.len && (isdigit((unsigned char)folder.at[at]) || folder.at[at] == '.'))
        at++;
    return at == folder.len && at > strlen("python");
}

static bool is_own_python(struct span name, struct span file)
{
    size_t begin = 0;

    if (file.len == 0) /* a built-in, or a module's code that nothing more is known of */
        return !span_starts(name, SPAN("<"));
    if (span_starts(file, SPAN("<frozen ")) || span_eq(file, SPAN("~")))
        return false;
    for (size_t i = 0; i < file.len; i++) {
        if (file.at[i] != '/' && file.at[i] != '\\')
            continue;
        if (is_library_folder((struct span){file.at + begin, i - begin}))
            return false;
        begin = i + 1;
    }
    return true;
}

/* ---- Go ---- */

/* What the import paths of the standard library begin with, up to the first slash. */
static const char *const go_library[] = {
    "archive", "arena",   "bufio",    "bytes",   "cmp",     "cmd",      "compress", "container",
    "context", "crypto",  "database", "debug",   "embed",   "encoding", "errors",   "expvar",
    "flag",    "fmt",     "go",       "hash",    "html",    "image",    "index",    "internal",
    "io",      "iter",    "log",      "maps",    "math",    "mime",     "net",      "os",
    "path",    "plugin",  "reflect",  "regexp",  "runtime", "slices",   "sort",     "strconv",
    "strings", "structs", "sync",     "syscall", "testing", "text",     "time",     "type:",
    "unicode", "unique",  "unsafe",   "vendor",  "weak",    NULL};

/* "golang.org/x/net@v0.1.0/http2/frame.go" lies in one of these, too. */
static const char *const go_folders[] = {"/pkg/mod/", "/vendor/", "@v", NULL};

static bool is_own_go(struct span name, struct span file)
{
    size_t len = 0;

    while (len < name.len && !memchr("/.(", name.at[len], 3))
        len++;
    if (len == name.len)
        return false; /* assembly of the standard library's */
    return !span_is_any((struct span){name.at, len}, go_library) &&
           !span_holds_any(file, go_folders);
}

/* ---- Node ---- */

static bool is_javascript(struct span file)
{
    return span_ends(file, SPAN("js")) || span_ends(file, SPAN(".ts"));
}

/* ---- Java ---- */

static const char *const java_packages[] = {"java.",    "javax.",      "jdk.", "sun.",
                                            "com.sun.", "com.oracle.", NULL};
static const char *const java_languages[] = {"kotlin.", "kotlinx.", "scala.",
                                             "groovy.", "clojure.", NULL};

bool java_is_of_the_jdk(struct span name)
{
    return span_starts_any(name, java_packages);
}

/* "java.util" of "java.util.HashMap.merge": a function in its package. */
static bool is_java(struct span name, struct span module)
{
    return module.len && name.len > module.len && span_starts(name, module) &&
           name.at[module.len] == '.' && !holds(module, SPAN("/"));
}

/* ---- native code ---- */

static const char *const native_packages[] = {"std",   "__gnu_cxx",         "__cxxabiv1", "core",
                                              "alloc", "compiler_builtins", NULL};

/* Where distributions build, the C library's own sources, and what cargo fetched. */
static const char *const native_roots[] = {"/usr/",       "/build/", "/rustc/", "./",
                                           "../sysdeps/", "../csu/", NULL};
static const char *const native_folders[] = {"/include/c++/", "/.cargo/registry/", "/rustlib/src/",
                                             NULL};

static bool is_own_native(const struct graph *graph, frame_id id, struct span file)
{
    const struct frame *frame = graph_frame(graph, id);
    struct span module = graph_text(graph, frame->module);

    if ((frame->is_nameless && !frame->module) || holds(module, SPAN(".so")) ||
        span_starts(module, SPAN("[")) || span_is_any(frame_package(graph, id), native_packages))
        return false;
    return !span_starts_any(file, native_roots) && !span_holds_any(file, native_folders);
}

bool is_own_code(const struct graph *graph, frame_id id)
{
    const struct frame *frame = graph_frame(graph, id);
    struct span name = graph_text(graph, frame->name), file = graph_text(graph, frame->file);

    switch (frame->kind) {
    case KIND_PYTHON:
        return is_own_python(name, file);
    case KIND_ANNOTATION:
        return true;
    case KIND_HOST:
        break;
    default:
        return false;
    }
    if (name_is_bracketed(name) && !file.len)
        return false; /* built into Python */
    if (span_ends(file, SPAN(".go")) || span_ends(file, SPAN(".s")))
        return is_own_go(name, file);
    if (holds(file, SPAN("node_modules/")))
        return false;
    if (span_starts(file, SPAN("node:")) || span_starts(name, SPAN("(")))
        return span_eq(name, SPAN("(anonymous)")) && is_javascript(file);
    if (is_javascript(file))
        return true;
    if (is_java(name, graph_text(graph, frame->module)))
        return !java_is_of_the_jdk(name) && !span_starts_any(name, java_languages);
    return is_own_native(graph, id, file);
}

bool frame_is_internal(const struct graph *graph, frame_id id)
{
    return span_starts(graph_text(graph, graph_frame(graph, id)->file), SPAN("node:internal/"));
}

bool package_is_fetched(const struct graph *graph, frame_id id)
{
    static const char *const folders[] = {
        "-packages/", "-packages\\", "node_modules/", "/pkg/mod/", "/vendor/", "@v", NULL};

    return span_holds_any(graph_text(graph, graph_frame(graph, id)->file), folders);
}
