/* SPDX-License-Identifier: Apache-2.0 */
#include <criterion/criterion.h>
#include <math.h>

#include "analysis/compare/diff.h"
#include "graph/classify/function_class.h"

/* Which functions are one, and which differences are chance. */

static str_id key_of(struct strings *strings, const char *name, const char *file,
                     enum identity_level level)
{
    struct frame frame = {.name = strings_intern(strings, span_of(name)),
                          .file = strings_intern(strings, span_of(file)),
                          .kind = KIND_HOST};

    return identity_key(strings, &frame, level);
}

Test(identity, each_level_forgets_more)
{
    static const struct {
        const char *before, *before_file, *after, *after_file;
        enum identity_level first; /* at which they are one; IDENTITY_LEVELS: never */
    } cases[] = {
        {"f", "a.c", "f", "a.c", IDENTITY_FILE},
        {"f", "old/a.c", "f", "new/a.c", IDENTITY_DIALECT},
        {"f.constprop.0", "a.c", "f.constprop.3", "a.c", IDENTITY_CLONE},
        {"f.isra.1.part.2", "a.c", "f", "a.c", IDENTITY_CLONE},
        {"run()::{lambda(int)#1}", "a.c", "run()::{lambda(int)#2}", "a.c", IDENTITY_CLONE},
        {"sort<int>", "a.h", "sort<long>", "a.h", IDENTITY_TEMPLATE},
        {"f(int)", "a.c", "f(int, bool)", "a.c", IDENTITY_TEMPLATE},
        {"map<int, vector<a>>::at(int)", "m.h", "map<b>::at(long)", "m.h", IDENTITY_TEMPLATE},
        {"f", "a.c", "f", "b.c", IDENTITY_NAME},
        {"sort<int>", "a.h", "sort<long>", "b.h", IDENTITY_NAME},
        {"operator<", "a.h", "operator<<", "a.h", IDENTITY_LEVELS},
        {"<lambda>", "m.py", "<module>", "m.py", IDENTITY_LEVELS},
        {"(anonymous namespace)::f", "a.c", "f", "a.c", IDENTITY_LEVELS},
        {"f", "a.c", "g", "a.c", IDENTITY_LEVELS},
    };

    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct strings strings = {0};
        int level = 0;

        while (
            level < IDENTITY_LEVELS &&
            key_of(&strings, cases[i].before, cases[i].before_file, (enum identity_level)level) !=
                key_of(&strings, cases[i].after, cases[i].after_file, (enum identity_level)level))
            level++;
        cr_expect_eq(level, (int)cases[i].first, "%s and %s: %d", cases[i].before, cases[i].after,
                     level);
        strings_free(&strings);
    }
}

/* Demanglers and compilers spell one function in several ways; overloads stay apart. */
Test(identity, dialects_of_one_name_are_one)
{
    static const struct {
        const char *before, *after;
        enum identity_level first;
    } cases[] = {
        {"f(unsigned int)", "f(unsigned)", IDENTITY_DIALECT},
        {"f(unsigned long, long)", "f(long unsigned int, long int)", IDENTITY_DIALECT},
        {"f(short, unsigned char)", "f(short int, unsigned char)", IDENTITY_DIALECT},
        {"f(long long)", "f(long long int)", IDENTITY_DIALECT},
        {"f(long double)", "f(long int)", IDENTITY_TEMPLATE},
        {"g<h<int> >(int*)", "g<h<int>>(int *)", IDENTITY_DIALECT},
        {"f(const char *, int)", "f(char const*, int)", IDENTITY_DIALECT},
        {"f(std::vector<int> const&)", "f(const std::vector<int>&)", IDENTITY_DIALECT},
        {"f(char const*)", "f(char*)", IDENTITY_TEMPLATE},
        {"(anonymous namespace)::f(int)", "<unnamed>::f(int)", IDENTITY_DIALECT},
        {"{anonymous}::f(int)", "_GLOBAL__N_1::f(int)", IDENTITY_DIALECT},
        {"(anonymous namespace)::f(int)", "f(int)", IDENTITY_LEVELS},
        {"f[abi:cxx11](int)", "f(int)", IDENTITY_DIALECT},
        {"f(std::__cxx11::basic_string<char, std::char_traits<char>, std::allocator<char> > const&)",
         "f(std::string const&)", IDENTITY_DIALECT},
        {"std::__1::sort(int*, int*)", "std::sort(int*, int*)", IDENTITY_DIALECT},
        {"void sort<int>(int*)", "sort<int>(int*)", IDENTITY_DIALECT},
        {"void sort<int>(int*)", "sort<int>", IDENTITY_TEMPLATE},
        {"pool<(int)4, (bool)1>()", "pool<4, true>()", IDENTITY_DIALECT},
        {"kernel(float*) [clone .kd]", "kernel(float*)", IDENTITY_CLONE},
        {"kernel.kd", "kernel", IDENTITY_DIALECT},
        {"run()::[lambda(int) (instance 2)]", "run()::{lambda(int)#2}", IDENTITY_DIALECT},
        {"std::operator<<(int)", "std::operator<< (int)", IDENTITY_DIALECT},
        {"A::operator()(int) const", "A::operator() (int) const", IDENTITY_DIALECT},
        {"A::operator<(A const&)", "A::operator<<(A const&)", IDENTITY_LEVELS},
        {"shop::price::h0123456789abcdef", "shop::price::hfedcba9876543210", IDENTITY_DIALECT},
        {"shop::price::h0123456789abcdef", "shop::price", IDENTITY_DIALECT},
        {"core::ptr::drop_in_place$LT$u8$GT$::h0123456789abcdef", "core::ptr::drop_in_place<u8>", IDENTITY_DIALECT},
        {"shop::run::{{closure}}", "shop::run::{closure#1}", IDENTITY_CLONE},
        {"f.constprop.0", "f", IDENTITY_CLONE},
        {"g<unsigned>(int)", "g<int>(int)", IDENTITY_TEMPLATE},
        {"f(int, unsigned)", "f(unsigned, int)", IDENTITY_TEMPLATE},
        {"conv2d_grad grad_node::compute", "grad_node::compute", IDENTITY_LEVELS},
        {"sync.(*Mutex).Lock", "sync.(*Mutex).Unlock", IDENTITY_LEVELS},
        {"a<b->c>(int)", "a<b->c> (int)", IDENTITY_DIALECT},
        {"f(", "f<", IDENTITY_TEMPLATE},
        {"const const const", "const", IDENTITY_LEVELS},
    };

    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct strings strings = {0};
        int level = 0;

        while (level < IDENTITY_LEVELS &&
               key_of(&strings, cases[i].before, "a.c", (enum identity_level)level) !=
                   key_of(&strings, cases[i].after, "b/a.c", (enum identity_level)level))
            level++;
        cr_expect_eq(level, (int)cases[i].first, "%s and %s: %d", cases[i].before, cases[i].after, level);
        strings_free(&strings);
    }
}

Test(identity, names_lose_their_addresses)
{
    static const char *const cases[][2] = {
        {"<Foo object at 0x7f3a12>", "<Foo object at 0x…>"},
        {"0x12 and 0xAB", "0x… and 0x…"},
        {"0xyz", "0xyz"},
        {"plain", "plain"},
        {"", ""},
    };

    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct graph graph = {.values.count = 0};
        struct strings strings = {0};
        frame_id id;

        frames_init(&graph.frames);
        id = frame_intern(&graph.frames, &(struct frame){.name = strings_intern(
                                                             &graph.strings, span_of(cases[i][0])),
                                                         .kind = KIND_PYTHON});
        cr_expect_str_eq(strings_get(&strings, identity_name(&graph, id, &strings)).at,
                         cases[i][1]);
        strings_free(&strings);
        graph_free(&graph);
    }
}

static struct runs runs_of(const int64_t *figures, uint32_t count, double quantum)
{
    return (struct runs){.figures = figures, .count = count, .quantum = quantum};
}

/* 100 and 144 samples of 10: the difference of 440 has a deviation of 10 · √244. */
Test(noise, samples_vary_by_their_root)
{
    int64_t a = 1000, b = 1440;
    struct runs before = runs_of(&a, 1, 10), after = runs_of(&b, 1, 10);
    struct confidence interval = noise_of_difference(&before, &after, 0, 0.05);

    cr_expect(interval.is_known);
    cr_expect_float_eq(interval.low, 440 - 1.959964 * 10 * sqrt(244), 0.01);
    cr_expect_float_eq(interval.high, 440 + 1.959964 * 10 * sqrt(244), 0.01);
    cr_expect(confidence_is_clear(&interval));
}

Test(noise, one_run_without_samples_says_nothing)
{
    int64_t a = 1000, b = 1440;
    struct runs before = runs_of(&a, 1, 0), after = runs_of(&b, 1, 0);
    struct confidence interval = noise_of_difference(&before, &after, 0, 0.05);

    cr_expect(!interval.is_known);
    cr_expect(!confidence_is_clear(&interval));
}

/* The deviation is √(s²/5 + s²/5), and Student's quantile of 8 degrees of freedom 2.306; for 0.001
 * it is 5.041. */
Test(noise, runs_vary_as_students_t_says)
{
    static const int64_t a[] = {100, 104, 96, 102, 98}, b[] = {110, 114, 106, 112, 108};
    struct runs before = runs_of(a, 5, 0), after = runs_of(b, 5, 0);
    struct confidence interval = noise_of_difference(&before, &after, 0, 0.05);
    struct confidence surer = noise_of_difference(&before, &after, 0, 0.001);
    double deviation = sqrt(10 / 5.0 + 10 / 5.0);

    cr_expect_float_eq(interval.low, 10 - 2.306 * deviation, 0.01);
    cr_expect_float_eq(interval.high, 10 + 2.306 * deviation, 0.01);
    cr_expect_float_eq(surer.low, 10 - 5.041 * deviation, 0.1);
}

/* Two runs that happen to be equal, where others vary by 10 %: as two that vary by
 * √(4/5 · 0.01), with 2 + 4 degrees of freedom. */
Test(noise, few_runs_borrow_what_is_usual)
{
    static const int64_t a[] = {1000, 1000}, b[] = {1200, 1200};
    struct runs before = runs_of(a, 2, 0), after = runs_of(b, 2, 0);
    struct confidence interval = noise_of_difference(&before, &after, 0.01, 0.05);

    cr_expect_float_eq(interval.low, 200 - 2.447 * sqrt(0.008 * (1e6 + 1.44e6) / 2), 1);
    cr_expect(!confidence_is_clear(&interval));
}

Test(noise, spread_is_relative)
{
    static const int64_t a[] = {90, 110}, b[] = {900, 1100}, none[] = {0, 0};
    struct runs before = runs_of(a, 2, 0), after = runs_of(b, 2, 0), nothing = runs_of(none, 2, 0);

    cr_expect_float_eq(noise_spread(&before, &after), 0.02, 1e-12);
    cr_expect(isnan(noise_spread(&before, &nothing)));
}

Test(noise, equal_runs_do_not_vary)
{
    static const int64_t a[] = {7, 7}, b[] = {9, 9};
    struct runs before = runs_of(a, 2, 0), after = runs_of(b, 2, 0);
    struct confidence interval = noise_of_difference(&before, &after, 0, 0.05);

    cr_expect(interval.low == 2 && interval.high == 2);
    cr_expect(confidence_is_clear(&interval));
}

Test(diff, growth_of_what_is_new_has_no_end)
{
    cr_expect_float_eq(diff_growth(100, 150), 0.5, 1e-12);
    cr_expect_float_eq(diff_growth(-100, -50), 0.5, 1e-12);
    cr_expect(isinf(diff_growth(0, 1)));
    cr_expect_eq(diff_growth(0, 0), 0);
}
