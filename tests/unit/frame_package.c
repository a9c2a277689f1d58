/* SPDX-License-Identifier: Apache-2.0 */
#include "graph/classify/function_class.h"

#include <criterion/criterion.h>

#include "base/checked.h"

static const struct {
    enum frame_kind kind;
    const char *name, *file, *module, *package;
} cases[] = {
    {KIND_PYTHON, "run", "/usr/lib/python3.11/asyncio/base_events.py", "asyncio.base_events",
     "asyncio"},
    {KIND_PYTHON, "<built-in method builtins.exec>", "", "builtins", "builtins"},
    {KIND_PYTHON, "f", "", "", ""},
    {KIND_HOST, "net/http.(*conn).serve", "/usr/local/go/src/net/http/server.go", "app",
     "net/http"},
    {KIND_HOST, "github.com/a/b.v2.Get[github.com/c/d.T]", "x.go", "app", "github.com/a/b"},
    {KIND_HOST, "runtime.mallocgc", "malloc.go", "", "runtime"},
    {KIND_HOST, "readSync", "node:fs", "", "node:fs"},
    {KIND_HOST, "load", "node:internal/modules/cjs/loader", "", "node:internal"},
    {KIND_HOST, "x", "file:///app/node_modules/express/lib/router.js", "", "express"},
    {KIND_HOST, "x", "/app/node_modules/a/node_modules/@scope/b/c.js", "", "@scope/b"},
    {KIND_HOST, "x", "/app/node_modules/@scope", "", "@scope"},
    {KIND_HOST, "Node", "file:///srv/app/tree.js", "", "tree.js"},
    {KIND_HOST, "std::vector<a::b>::push_back(c::d)", "vector.h", "/usr/bin/app", "std"},
    {KIND_HOST, "void boost::asio::post<f>(f)", "", "app", "boost"},
    {KIND_HOST, "<alloc::vec::Vec<T> as core::Drop>::drop", "", "app", "alloc"},
    {KIND_HOST, "memcpy", "", "/usr/lib/libc.so.6", "libc.so.6"},
    {KIND_HOST, "qsort<a::b>", "", "libc.so.6", "libc.so.6"},
    {KIND_KERNEL, "at::native::k<float>", "", "", ""},
    {KIND_OPERATOR, "aten::mm", "", "", ""},
};

Test(frame_package, by_the_manner_of_the_language)
{
    struct graph graph = {0};

    frames_init(&graph.frames);
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct frame frame = {.kind = cases[i].kind};

        frame.name = strings_intern(&graph.strings, span_of(cases[i].name));
        if (*cases[i].file)
            frame.file = strings_intern(&graph.strings, span_of(cases[i].file));
        if (*cases[i].module)
            frame.module = strings_intern(&graph.strings, span_of(cases[i].module));

        struct span package = frame_package(&graph, frame_intern(&graph.frames, &frame));

        cr_expect(span_eq(package, span_of(cases[i].package)), "%s: %.*s", cases[i].name,
                  (int)package.len, package.at);
    }
    graph_free(&graph);
}
