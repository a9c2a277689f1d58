/* SPDX-License-Identifier: Apache-2.0 */
#include "base/symbols/symbols.h"

#include <criterion/criterion.h>
#include <stdio.h>
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

Test(demangle, whole)
{
    static const struct {
        const char *name, *whole;
    } names[] = {
        {"_Z6matMulPfS_S_i", "matMul(float*, float*, float*, int)"},
        {"_Z8sqrt_pow10FixSizeBoxILm128EE11KernelSlice",
         "sqrt_pow(FixSizeBox<128ul>, KernelSlice)"},
        {"k(int*)", "k(int*)"},
    };
    struct arena arena = {0};
    bool has_runtime = !span_eq(demangle_whole(&arena, "_Z1fv"), SPAN("_Z1fv"));

    for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
        if (has_runtime || strncmp(names[i].name, "_Z", 2) != 0)
            cr_expect(span_eq(demangle_whole(&arena, names[i].name), span_of(names[i].whole)));
    arena_free(&arena);
}

/* Each pair has twice the length of the one inside: sixty of them would fill any memory. */
Test(demangle, does_not_explode)
{
    struct arena arena = {0};
    char name[4000] = "_Z1fSt4pairIiiE";
    size_t len = strlen(name);

    for (int i = 0; i < 60; i++)
        len += (size_t)snprintf(name + len, sizeof(name) - len, "S_IS%d_S%d_E", i % 10, i % 10);
    cr_expect(span_eq(demangle_whole(&arena, name), span_of(name)));
    arena_free(&arena);
}
