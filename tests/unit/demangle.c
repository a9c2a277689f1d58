#include "base/demangle.h"

#include <criterion/criterion.h>
#include <string.h>

static const struct {
    const char *name, *plain;
} cases[] = {
    {"main", "main"},
    {"<built-in>", "<built-in>"},
    {"vector<int, std::allocator<int> >::push_back", "vector::push_back"},
    {"operator()<int>", "operator()"},
    {"operator<< <char>", "operator<<"},
    {"_ZN4work7hashingEi", "work::hashing"},
    {"_ZNSt6vectorIiSaIiEE9push_backERKi", "std::vector::push_back"},
    {"_Z3maxIiET_S0_S0_", "max"},
    {"_ZN12_GLOBAL__N_13fooEv", "(anonymous namespace)::foo"},
    {"_Znot a name", "_Znot a name"},
};

Test(demangle, simplifies)
{
    struct arena arena = {0};
    bool has_runtime = !span_eq(demangle(&arena, "_Z1fv"), SPAN("_Z1fv"));

    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        struct span got = demangle(&arena, cases[i].name);

        if (has_runtime || strncmp(cases[i].name, "_Z", 2) != 0)
            cr_expect(span_eq(got, span_of(cases[i].plain)), "%s: %.*s", cases[i].name,
                      (int)got.len, got.at);
    }
    arena_free(&arena);
}
