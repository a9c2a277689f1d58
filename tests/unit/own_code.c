/* SPDX-License-Identifier: Apache-2.0 */
#include "graph/classify/function_class.h"

#include <criterion/criterion.h>

#include "base/checked.h"

static const struct {
    bool is_own;
    enum frame_kind kind;
    const char *name, *file, *module;
} cases[] = {
    {true, KIND_PYTHON, "handle", "/srv/app/svc.py", "svc"},
    {true, KIND_PYTHON, "<module>", "svc.py", "svc"},
    {true, KIND_PYTHON, "f", "<string>", ""},
    {true, KIND_PYTHON, "f", "/home/me/python/tool.py", "tool"},
    {false, KIND_PYTHON, "loads", "/usr/lib/python3.11/json/__init__.py", "json"},
    {false, KIND_PYTHON, "get", "/srv/venv/lib/python3.12/site-packages/requests/api.py", ""},
    {false, KIND_PYTHON, "f", "C:\\Python311\\Lib\\json\\decoder.py", ""},
    {false, KIND_PYTHON, "f", "C:\\app\\Lib\\site-packages\\x.py", ""},
    {false, KIND_PYTHON, "_find_and_load", "<frozen importlib._bootstrap>", ""},
    {false, KIND_PYTHON, "<built-in method time.sleep>", "", "time"},
    {false, KIND_HOST, "<built-in method zlib.compress>", "", "zlib"},
    {false, KIND_HOST, "<method 'format' of 'str' objects>", "", "builtins"},
    {true, KIND_HOST, "main.main", "/root/app/main.go", ""},
    {true, KIND_HOST, "github.com/me/app/db.(*Store).Get", "/root/app/db/store.go", ""},
    {true, KIND_HOST, "shop/cart.Add", "shop/cart/cart.go", ""},
    {false, KIND_HOST, "runtime.mallocgc", "/usr/local/go/src/runtime/malloc.go", ""},
    {false, KIND_HOST, "runtime.memmove", "/usr/local/go/src/runtime/memmove_amd64.s", ""},
    {false, KIND_HOST, "memeqbody", "/usr/local/go/src/internal/bytealg/equal_amd64.s", ""},
    {false, KIND_HOST, "net/http.(*conn).serve", "net/http/server.go", ""},
    {false, KIND_HOST, "github.com/a/b.F", "/root/go/pkg/mod/github.com/a/b@v1.0.0/b.go", ""},
    {false, KIND_HOST, "github.com/a/b.F", "github.com/a/b@v1.0.0/b.go", ""},
    {false, KIND_HOST, "github.com/a/b.F", "/root/app/vendor/github.com/a/b/b.go", ""},
    {true, KIND_HOST, "render", "file:///srv/app/page.mjs", ""},
    {true, KIND_HOST, "(anonymous)", "/srv/app/page.js", ""},
    {false, KIND_HOST, "(anonymous)", "node:internal/timers", ""},
    {false, KIND_HOST, "(garbage collector)", "", ""},
    {false, KIND_HOST, "next", "/srv/app/node_modules/express/lib/router.js", ""},
    {true, KIND_HOST, "shop::Cart::add(int)", "/home/me/shop/cart.cpp", "shop"},
    {true, KIND_HOST, "work", "", "prog"},
    {false, KIND_HOST, "std::vector<int>::push_back", "/usr/include/c++/12/vector", "prog"},
    {false, KIND_HOST, "std::sort<It>", "", "prog"},
    {false, KIND_HOST, "memcpy", "", "libc.so.6"},
    {false, KIND_HOST, "__libc_start_main_impl", "../csu/libc-start.c", "prog"},
    {false, KIND_HOST, "do_syscall_64", "", "[kernel.kallsyms]"},
    {false, KIND_HOST, "<alloc::vec::Vec<T> as core::Drop>::drop", "", "app"},
    {true, KIND_ANNOTATION, "key=1", "", ""},
    {false, KIND_OPERATOR, "aten::mm", "", ""},
    {false, KIND_KERNEL, "gemm", "", ""},
};

Test(own_code, by_the_manner_of_the_language)
{
    struct graph graph = {0};

    frames_init(&graph.frames);
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct frame frame = {.kind = cases[i].kind};

        frame.name = strings_intern(&graph.strings, span_of(cases[i].name));
        frame.file = strings_intern(&graph.strings, span_of(cases[i].file));
        frame.module = strings_intern(&graph.strings, span_of(cases[i].module));
        cr_expect_eq(is_own_code(&graph, frame_intern(&graph.frames, &frame)), cases[i].is_own,
                     "%s %s", cases[i].name, cases[i].file);
    }
    graph_free(&graph);
}
