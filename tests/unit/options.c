/* SPDX-License-Identifier: Apache-2.0 */
#include <criterion/criterion.h>

#include "base/cli/cli.h"
#include "base/error/error.h"

struct inner {
    bool is_loud;
    struct option_values filters;
};

struct fields {
    uint32_t limit;
    double percent;
    uint64_t size;
    const char *name;
    int choice;
    struct inner inner;
};

static const char *const choices[] = {"one", "two", NULL};
static const struct option inner_options[] = {
    OPT_FLAG('l', "loud", struct inner, is_loud, "be loud"),
    OPT_EACH(0, "focus", struct inner, filters, "RE", "focus", 1),
    OPT_EACH(0, "hide", struct inner, filters, "RE", "hide", 2),
    OPT_END,
};

static const struct option outer_options[] = {
    OPT_COUNT('n', "limit", struct fields, limit, "N", "limit"),
    OPT_INCLUDE(struct fields, inner, struct inner, inner_options),
    OPT_GROUP("More"),
    OPT_NUMBER('p', "percent", struct fields, percent, "P", "percent"),
    OPT_SIZE(0, "size", struct fields, size, "SIZE", "size"),
    OPT_TEXT(0, "name", struct fields, name, "NAME", "name"),
    OPT_CHOICE('c', "choice", struct fields, choice, "WHICH", "choice", choices),
    OPT_END,
};

Test(options, options_set_their_fields_in_any_place)
{
    const char *words[] = {"file",     "-ln5",    "--focus", "a",      "--percent=2.5",
                           "--hide=b", "--focus", "c",       "--size", "2M",
                           "-c",       "two",     "--",      "--name", NULL};
    char **argv = (char **)words; /* as main's are: the array is written, the texts are not */
    struct fields fields = {0};
    struct error err = {0};
    size_t operands;

    cr_assert(option_parse(outer_options, &fields, argv, &operands, &err), "%s", err.text);
    cr_expect_eq(operands, 2);
    cr_expect_str_eq(argv[0], "file");
    cr_expect_str_eq(argv[1], "--name");
    cr_expect_null(argv[2]);
    cr_expect_eq(fields.limit, 5);
    cr_expect(fields.inner.is_loud);
    cr_expect_eq(fields.percent, 2.5);
    cr_expect_eq(fields.size, 2 << 20);
    cr_expect_eq(fields.choice, 1);
    cr_expect_eq(fields.inner.filters.count, 3);
    cr_expect_eq(fields.inner.filters.list[1].tag, 2);
    cr_expect_str_eq(fields.inner.filters.list[2].text, "c");
}

Test(options, options_that_are_wrong_say_what_is_near)
{
    static const struct {
        const char *words[3];
        const char *text, *hint;
    } cases[] = {
        {{"--limt", "5"}, "unknown option '--limt'", "did you mean '--limit'?"},
        {{"--focsu=x"}, "unknown option '--focsu'", "did you mean '--focus'?"},
        {{"--limit"}, "--limit needs a value: N", ""},
        {{"-n", "x"}, "--limit: 'x' is not a whole number", ""},
        {{"-n", "-1"}, "--limit: '-1' is not a whole number", ""},
        {{"--loud=1"}, "--loud takes no value", ""},
        {{"-z"}, "unknown option '-z'", "see the list with --help"},
        {{"--choice", "twoo"}, "--choice: 'twoo' is not one of its values", "did you mean 'two'?"},
        {{"--percent", "nan"}, "--percent: 'nan' is not a number of 0 or more", ""},
        {{"--size", "9999999999999G"},
         "--size: '9999999999999G' is not a size such as 500M or 64G",
         ""},
    };

    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        char *argv[] = {(char *)cases[i].words[0], (char *)cases[i].words[1], NULL};
        struct fields fields = {0};
        struct error err = {0};
        size_t operands;

        cr_expect_not(option_parse(outer_options, &fields, argv, &operands, &err));
        cr_expect_eq(err.kind, ERROR_USAGE);
        cr_expect_str_eq(err.text, cases[i].text, "case %zu: %s", i, err.text);
        cr_expect_str_eq(err.hint, cases[i].hint, "case %zu: %s", i, err.hint);
    }
}
