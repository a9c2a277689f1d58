/* SPDX-License-Identifier: Apache-2.0 */
#include <criterion/criterion.h>

#include "base/text/pattern.h"

Test(pattern, patterns_that_are_wrong_say_why)
{
    struct pattern pattern;
    struct error err = {0};

    cr_expect_not(pattern_compile(&pattern, "(", &err));
    cr_expect_eq(err.kind, ERROR_USAGE);
    cr_assert(pattern_compile(&pattern, "^a.c$", &err));
    cr_expect(pattern_matches(&pattern, SPAN("abc")));
    cr_expect_not(pattern_matches(&pattern, SPAN("xabc")));
    pattern_free(&pattern);
}

Test(pattern, patterns_that_grow_past_all_bounds_are_refused)
{
    static const struct {
        const char *text;
        bool is_taken;
    } cases[] = {
        {"(a{1,255}){1,255}", false},
        {"((((a{1,200}){1,200}){1,200}){1,200})", false},
        {"(((((((((((((((a+)+)+)+)+)+)+)+)+)+)+)+)+)+)+)+", false},
        {"((a{100})*){200}", false},
        {"([]x]{100}){200}", false},
        {"(\\({255}){255}", false},
        {"(a{1,20}){1,20}", true},
        {"[[:alpha:]]+\\.[^](){}]*", true},
        {"(std::)?(vector|map)<.*>::(push|emplace)_back", true},
    };
    char deep[2 * 30000 + 2] = "";

    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct pattern pattern;
        struct error err = {0};
        bool is_taken = pattern_compile(&pattern, cases[i].text, &err);

        cr_expect_eq(is_taken, cases[i].is_taken, "%s: %s", cases[i].text, err.text);
        cr_expect(is_taken || err.kind == ERROR_USAGE);
        if (is_taken)
            pattern_free(&pattern);
    }
    memset(deep, '(', 30000);
    memset(deep + 30000, ')', 30000);
    cr_expect_not(pattern_compile(&(struct pattern){0}, deep, &(struct error){0}));
}

Test(pattern, patterns_are_searched_in_linear_time)
{
    enum { LETTERS = 20000 };
    static char text[LETTERS + 1];
    char costly[100] = "(a|b)*a";
    const char *const patterns[] = {costly, "(a*)*(b*)*c", "(.*)(.*)(.*)(.*)c", "(a|a|b)*c$"};
    uint32_t random = 1;

    for (size_t i = 0; i < LETTERS; i++) {
        random = random * 1103515245 + 12345;
        text[i] = "ab"[random >> 30 & 1];
    }
    for (size_t i = 0; i < 16; i++)
        strcat(costly, "(a|b)");
    strcat(costly, "c");
    for (size_t i = 0; i < COUNT_OF(patterns); i++) {
        struct pattern pattern;
        struct error err = {0};

        cr_assert(pattern_compile(&pattern, patterns[i], &err), "%s", err.text);
        cr_expect_not(pattern_matches(&pattern, (struct span){text, LETTERS}), "%s", patterns[i]);
        pattern_free(&pattern);
    }
}

Test(pattern, patterns_match_names_as_they_are)
{
    const struct {
        const char *pattern;
        struct span name;
        bool is_match;
    } cases[] = {
        {"gemm", SPAN("sgemm_nn"), true},
        {"gemm", SPAN("conv"), false},
        {"^a.c$",
         SPAN("a\xc3\xa9"
              "c"),
         true}, /* one character, whatever the locale */
        {"^a.c$",
         SPAN("a\xff"
              "c"),
         true}, /* a byte that is not UTF-8 */
        {"c$", SPAN("a\0c"), true},
        {"^(std::)?(vector|map)<.*>::push", SPAN("vector<int>::push_back"), true},
        {"[[:digit:]]{2,3}x", SPAN("a12x"), true},
        {"operator\\(\\)", SPAN("f::operator()"), true},
        {"[.]py$", SPAN("a.pyc"), false},
    };

    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct pattern pattern;
        struct error err = {0};

        cr_assert(pattern_compile(&pattern, cases[i].pattern, &err), "%s", err.text);
        cr_expect_eq(pattern_matches(&pattern, cases[i].name), cases[i].is_match, "%s",
                     cases[i].pattern);
        pattern_free(&pattern);
    }
    cr_expect_not(pattern_compile(&(struct pattern){0}, "(a*)\\1", &(struct error){0}));
}
