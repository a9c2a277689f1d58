/* SPDX-License-Identifier: Apache-2.0 */
#include <criterion/criterion.h>
#include <math.h>

#include "base/attr.h"
#include "base/checked.h"
#include "base/cli/option.h"
#include "base/cli/warnings.h"
#include "base/io/input.h"
#include "base/memory/bit_set.h"
#include "base/memory/idmap.h"
#include "base/memory/sort.h"
#include "base/text/decimal.h"
#include "base/text/escape.h"
#include "base/text/format.h"
#include "base/text/pattern.h"
#include "base/text/string_table.h"
#include "base/text/suggest.h"
#include "base/text/utf8.h"

/* Tables of cases, not parameterized tests: those run each case in a process of its own, where a
 * pointer to a literal dangles. cr_expect reports every failing row, cr_assert only the first. */

static bool is(struct span text, const char *want)
{
    return span_eq(text, span_of(want));
}

Test(base, values_are_scaled_after_rounding)
{
    static const struct {
        int64_t value;
        enum unit unit;
        const char *want;
    } cases[] = {
        {0, UNIT_NS, "0 ns"},
        {999, UNIT_NS, "999 ns"},
        {1000, UNIT_NS, "1.000 us"},
        {999949, UNIT_NS, "999.9 us"},
        {999960, UNIT_NS, "1.000 ms"}, /* never "1000.0 us" */
        {1, UNIT_NS, "1 ns"},          /* never "0.000 s" */
        {-1500, UNIT_NS, "-1.500 us"},
        {1234567890123, UNIT_NS, "1235 s"},
        {1023, UNIT_BYTES, "1023 B"},
        {1024, UNIT_BYTES, "1.000 KiB"},
        {3221225472, UNIT_BYTES, "3.000 GiB"},
        {1234567, UNIT_COUNT, "1,234,567"},
        {-1234, UNIT_COUNT, "-1,234"},
        {6000000000000, UNIT_FLOP, "6.000 TFLOP"},
    };
    struct arena arena = {0};
    char text[FORMAT_LEN];

    for (size_t i = 0; i < COUNT_OF(cases); i++)
        cr_expect_str_eq(format_value(text, cases[i].value, cases[i].unit), cases[i].want);
    cr_expect_str_eq(format_rate(text, 3221225472, UNIT_BYTES), "3.221 GB/s");
    cr_expect_str_eq(format_rate(text, 999.7, UNIT_BYTES), "1.000 kB/s");
    cr_expect_str_eq(format_rate(text, 120.4, UNIT_COUNT), "120/s");
    cr_expect_str_eq(format_many(&arena, 1, "function"), "1 function");
    cr_expect_str_eq(format_many(&arena, 2000, "category"), "2,000 categories");
    cr_expect_str_eq(format_many(&arena, 0, "class"), "0 classes");
    cr_expect_str_eq(format_share(text, 0.1234), "12.34%");
    cr_expect_str_eq(format_share(text, 0.00001), "<0.01%");
    cr_expect_str_eq(format_share(text, 0), "0.00%");
    cr_expect_str_eq(format_value(text, 1020000, UNIT_PPM), "102.00%");
    cr_expect_str_eq(format_ratio(text, 0.01234), "0.0123");
    cr_expect_str_eq(format_ratio(text, 999.4), "999");
    cr_expect_str_eq(format_ratio(text, 999.6), "1,000"); /* never "1e+03" */
    cr_expect_str_eq(format_ratio(text, -12345.6), "-12,346");
    cr_expect_str_eq(format_ratio(text, 1e18), "1e+18");
    arena_free(&arena);
}

Test(base, decimal_text_becomes_integers_exactly)
{
    static const struct {
        const char *text;
        int scale;
        bool is_number;
        int64_t want;
    } cases[] = {
        {"0", 9, true, 0},
        {"12", 0, true, 12},
        {"-0.000001", 6, true, -1},
        {"1712195495406752.797", 3, true, 1712195495406752797}, /* a double would lose bits */
        {"0.5", 0, true, 1},
        {"-0.5", 0, true, -1},
        {"0.4999999999999999999999999999999999999999999", 0, true, 0},
        {"1e3", 0, true, 1000},
        {"1.5E-3", 6, true, 1500},
        {".5", 1, true, 5},
        {"7.", 0, true, 7},
        {"1e400", 0, true, INT64_MAX},
        {"-1e400", 0, true, -INT64_MAX},
        {"0e999999999999", 0, true, 0},
        {"1e-999999999999", 9, true, 0},
        {"99999999999999999999999999999999999999999999", 0, true, INT64_MAX},
        {"", 0, false, 0},
        {"-", 0, false, 0},
        {"1e", 0, false, 0},
        {"1e+", 0, false, 0},
        {"1.2.3", 0, false, 0},
        {"0x10", 0, false, 0},
        {"nan", 0, false, 0},
        {"e5", 0, false, 0},
    };

    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        int64_t value = 0;

        cr_expect_eq(decimal_scaled(span_of(cases[i].text), cases[i].scale, &value),
                     cases[i].is_number, "%s", cases[i].text);
        cr_expect_eq(value, cases[i].want, "%s", cases[i].text);
    }
}

Test(base, sums_stop_at_the_ends)
{
    cr_expect_eq(checked_add(INT64_MAX, 1), INT64_MAX);
    cr_expect_eq(checked_add(INT64_MIN + 5, -10), INT64_MIN + 1);
    cr_expect_eq(checked_sub(INT64_MIN + 5, 10), INT64_MIN + 1);
    cr_expect_eq(checked_share(INT64_MAX, 1, 2), INT64_MAX / 2 + 1);
    cr_expect_eq(checked_share(10, 1, 3), 3);
    cr_expect_eq(checked_share(-10, 2, 3), -7);
    cr_expect_eq(share_of(1, 4), 0.25);
    cr_expect_eq(share_of(1, 0), 0);
    cr_expect_eq(checked_whole(1e300), INT64_MAX);
    cr_expect_eq(checked_whole(-INFINITY), INT64_MIN + 1);
    cr_expect_eq(checked_whole(-2.75), -2);
}

static char *written(void (*escape)(FILE *, struct span), struct span text)
{
    char *buffer = NULL;
    size_t len;
    FILE *out = open_memstream(&buffer, &len);

    escape(out, text);
    fclose(out);
    return buffer;
}

Test(base, names_are_escaped_on_the_way_out)
{
    static const struct {
        struct span text;
        const char *plain, *json, *dot;
    } cases[] = {
        {{"plain", 5}, "plain", "\"plain\"", "plain"},
        {{"a\nb", 3}, "a\\nb", "\"a\\nb\"", "a\\\\nb"},
        {{"\x1b[31m", 5}, "\\x1b[31m", "\"\\u001b[31m\"", "\\\\x1b[31m"},
        {{"nul\0x", 5}, "nul\\x00x", "\"nul\\u0000x\"", "nul\\\\x00x"},
        {{"q\"\\", 3}, "q\"\\", "\"q\\\"\\\\\"", "q\\\"\\\\"},
        {{"\xe9", 1}, "\\xe9", "\"\\udce9\"", "\\\\xe9"},             /* not UTF-8 */
        {{"\xed\xa0\x80", 3}, "\\ud800", "\"\\ud800\"", "\\\\ud800"}, /* a lone surrogate */
        {{"\xe2\x80\xae", 3}, "\\u202e", "\"\\u202e\"", "\\\\u202e"}, /* right to left */
        {{"\xc0\xaf", 2}, "\\xc0\\xaf", "\"\\udcc0\\udcaf\"", "\\\\xc0\\\\xaf"}, /* overlong */
        {{"caf\xc3\xa9", 5}, "caf\xc3\xa9", "\"caf\xc3\xa9\"", "caf\xc3\xa9"},
        {{"a&b", 3}, "a&b", "\"a&b\"", "a&amp;b"},
        {{"", 0}, "", "\"\"", ""},
    };

    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct arena arena = {0};
        char *json = written(escape_json, cases[i].text), *dot = written(escape_dot, cases[i].text);

        cr_expect(is(escape_plain(&arena, cases[i].text), cases[i].plain), "case %zu, plain", i);
        cr_expect_str_eq(json, cases[i].json, "case %zu: %s", i, json);
        cr_expect_str_eq(dot, cases[i].dot, "case %zu: %s", i, dot);
        free(json);
        free(dot);
        arena_free(&arena);
    }
    cr_expect_eq(escape_cells(SPAN("a\xe5\x87\xbd\xe6\x95\xb0")), 5); /* wide characters */
}

Test(base, spans_split_and_parse)
{
    struct span rest = SPAN("a;bc;");
    int64_t number;

    cr_expect(is(span_split(&rest, ';'), "a"));
    cr_expect(is(span_split(&rest, ';'), "bc"));
    cr_expect(is(span_split(&rest, ';'), ""));
    cr_expect_eq(rest.len, 0);
    cr_expect(is(span_trim(SPAN(" \tx y\r\n")), "x y"));
    cr_expect_eq(span_find(SPAN("abcabd"), SPAN("abd")), 3);
    cr_expect_eq(span_find(SPAN("ab"), SPAN("abc")), SIZE_MAX);
    cr_expect_eq(span_rfind(SPAN("a/b/c"), '/'), 3);
    cr_expect_lt(span_cmp(SPAN("ab"), SPAN("abc")), 0);
    cr_expect(span_to_i64(SPAN("-9223372036854775808"), &number) && number == INT64_MIN);
    cr_expect_not(span_to_i64(SPAN("9223372036854775808"), &number));
    cr_expect_not(span_to_i64(SPAN("12x"), &number));
    cr_expect_not(span_to_i64(SPAN(""), &number));
}

Test(base, every_name_is_kept_once)
{
    struct strings strings = {0};
    char text[16];
    str_id first = strings_intern(&strings, SPAN("first"));

    cr_expect_eq(strings_intern(&strings, SPAN("")), 0);
    for (int i = 0; i < 5000; i++) {
        snprintf(text, sizeof(text), "name %d", i);
        cr_assert_eq(strings_intern(&strings, span_of(text)), first + 1 + i);
    }
    cr_expect_eq(strings_intern(&strings, SPAN("first")), first);
    cr_expect(is(strings_get(&strings, first + 78), "name 77"));
    cr_expect_neq(strings_intern(&strings, (struct span){"a\0b", 3}),
                  strings_intern(&strings, (struct span){"a\0c", 3}));
    strings_free(&strings);
}

Test(base, ids_are_found_again)
{
    struct idmap map = {0};

    for (uint32_t i = 0; i < 10000; i++)
        *idmap_at(&map, idmap_pair(i / 7, i % 7)) = i;
    for (uint32_t i = 0; i < 10000; i++)
        cr_assert_eq(idmap_find(&map, idmap_pair(i / 7, i % 7)), i);
    cr_expect_eq(idmap_find(&map, 1234567890123), IDMAP_NONE);
    idmap_free(&map);
}

static bool is_less(const void *context, uint32_t a, uint32_t b)
{
    const int *values = context;

    return values[a] < values[b];
}

Test(base, sorting_is_stable)
{
    int values[1000];
    uint32_t order[1000];

    for (uint32_t i = 0; i < 1000; i++) {
        values[i] = (int)(i * 7919 % 10);
        order[i] = i;
    }
    sort_stable(order, 1000, is_less, values);
    for (uint32_t i = 1; i < 1000; i++) {
        cr_assert_leq(values[order[i - 1]], values[order[i]]);
        cr_assert(values[order[i - 1]] < values[order[i]] || order[i - 1] < order[i]);
    }
}

/* Long runs of which only the ends overlap, on either side, and equal items at the seams. */
Test(base, sorting_merges_runs_that_hardly_overlap)
{
    int values[1000];
    uint32_t order[1000];

    for (int late = -3; late <= 3; late++) {
        for (uint32_t i = 0; i < 1000; i++) {
            values[i] = (int)i / 2;
            order[i] = i;
        }
        for (int i = 100; i < 1000; i += 100) /* one before its run, or several after theirs */
            for (int k = 0; k < abs(late); k++)
                values[i + k] = late < 0 ? i / 2 - 40 : i / 2 + 40;
        sort_stable(order, 1000, is_less, values);
        for (uint32_t i = 1; i < 1000; i++) {
            cr_assert_leq(values[order[i - 1]], values[order[i]]);
            cr_assert(values[order[i - 1]] < values[order[i]] || order[i - 1] < order[i]);
        }
    }
}

Test(base, searching_finds_the_first_place)
{
    static const int list[] = {1, 3, 3, 5};
    static const struct {
        uint32_t count;
        int wanted;
        uint32_t at;
    } cases[] = {{0, 3, 0}, {4, 0, 0}, {4, 1, 0}, {4, 2, 1}, {4, 3, 1}, {4, 4, 3}, {4, 6, 4}};

    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        SEARCH(uint32_t, at, cases[i].count, list[at] < cases[i].wanted);
        cr_expect_eq(at, cases[i].at, "%d of %u", cases[i].wanted, cases[i].count);
    }
}

/* From wherever it begins, and in fewer looks the nearer that is. */
Test(base, searching_finds_the_first_place_from_anywhere)
{
    for (uint32_t count = 0; count < 40; count++)
        for (uint32_t wanted = 0; wanted <= count; wanted++)
            for (uint32_t near = 0; near < count + 3; near++) {
                uint32_t looks = 0;

                SEARCH_NEAR(uint32_t, at, near, count, (looks++, at < wanted));
                cr_expect_eq(at, wanted, "%u of %u from %u", wanted, count, near);
                cr_expect_leq(looks, 14);
                cr_expect(near != wanted || looks <= 2, "%u of %u", wanted, count);
            }
}

Test(base, warnings_of_one_kind_are_counted)
{
    static const char odd[] = "odd";
    struct warnings warnings = {0};

    warning_count(&warnings, WARNING_NOTE, odd, 7);
    warning_count(&warnings, WARNING_NOTE, odd, 9);
    warning_count_many(&warnings, WARNING_NOTE, odd, 0);
    warning_say(&warnings, WARNING_LOSS, "%d lost", 3);
    cr_expect_eq(warnings.count, 2);
    cr_expect_eq(warnings.list[0].count, 2);
    cr_expect_eq(warnings.list[0].offset, 7);
    cr_expect_str_eq(warnings.list[1].text, "3 lost");
    warnings_free(&warnings);
}

Test(base, mistyped_words_are_recognised)
{
    static const struct {
        const char *typed, *word, *want;
    } cases[] = {
        {"hotspot", "hotspots", "hotspots"},
        {"hotpsots", "hotspots", "hotspots"},
        {"limt", "limit", "limit"},
        {"x", "tree", NULL},
        {"", "dot", NULL},
        {"to", "dot", "dot"},
    };

    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct suggestion nearest = {.typed = cases[i].typed};

        suggestion_consider(&nearest, cases[i].word);
        if (cases[i].want)
            cr_expect(nearest.word != NULL, "%s", cases[i].typed);
        else
            cr_expect(nearest.word == NULL, "%s", cases[i].typed);
    }
}

/* ---- options ---- */

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

Test(base, options_set_their_fields_in_any_place)
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

Test(base, options_that_are_wrong_say_what_is_near)
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

/* ---- input ---- */

Test(base, input_hands_out_bytes_and_lines)
{
    struct input in;
    struct error err = {0};
    struct span line;

    cr_assert(input_open_memory(&in, SPAN("one\r\n\ntwo"), &(struct input_options){0}, &err));
    cr_expect_eq(input_peek(&in, 100).len, 9);
    cr_expect(input_line(&in, &line) && is(line, "one"));
    cr_expect_eq(input_offset(&in), 5);
    cr_expect(input_line(&in, &line) && is(line, ""));
    cr_expect(input_line(&in, &line) && is(line, "two"));
    cr_expect_not(input_line(&in, &line));
    cr_expect_eq(in.trouble.kind, ERROR_NONE);
    input_close(&in);
    cr_expect_not(input_open_memory(&in, SPAN(""), &(struct input_options){0}, &err));
    cr_expect_str_eq(err.text, "is empty");
}

Test(base, csv_is_quoted_and_escaped_for_who_reads_it)
{
    static const struct {
        const char *text, *plain, *terminal, *spreadsheet;
    } cases[] = {
        {"a,\"b\"\n", "\"a,\"\"b\"\"\n\"", "\"a,\"\"b\"\"\\n\"", "\"a,\"\"b\"\"\n\""},
        {"=1+1", "=1+1", "=1+1", "'=1+1"},
        {"+1,2", "\"+1,2\"", "\"+1,2\"", "\"'+1,2\""},
        {"@f", "@f", "@f", "'@f"},
        {"-f", "-f", "-f", "'-f"},
        {"\t=1", "\t=1", "\\t=1", "'\t=1"},
        {"f=1", "f=1", "f=1", "f=1"},
        {"\x1b[31m", "\x1b[31m", "\\x1b[31m", "\x1b[31m"},
        {"\xc2\x9b", "\xc2\x9b", "\\x9b", "\xc2\x9b"},
        {"\xe2\x80\xae", "\xe2\x80\xae", "\\u202e", "\xe2\x80\xae"},
        {"", "", "", ""},
    };

    for (size_t i = 0; i < COUNT_OF(cases); i++)
        for (int reader = 0; reader < 3; reader++) {
            const char *wanted[] = {cases[i].plain, cases[i].terminal, cases[i].spreadsheet};
            char *text;
            size_t len;
            FILE *out = open_memstream(&text, &len);

            escape_csv(out, span_of(cases[i].text), (struct csv_readers){reader == 1, reader == 2});
            fclose(out);
            cr_expect_str_eq(text, wanted[reader], "case %zu: %s", i, text);
            free(text);
        }
}

Test(base, patterns_that_are_wrong_say_why)
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

Test(base, patterns_that_grow_past_all_bounds_are_refused)
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

Test(base, patterns_are_searched_in_linear_time)
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

Test(base, patterns_match_names_as_they_are)
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

/* Undoes value ^= value >> shift. */
static uint64_t unshifted(uint64_t value, int shift)
{
    uint64_t out = value;

    for (int done = shift; done < 64; done += shift)
        out = value ^ out >> shift;
    return out;
}

/* The inverse of an odd number modulo 2^64, by Newton's rule. */
static uint64_t inverse_of(uint64_t odd)
{
    uint64_t inverse = odd;

    for (int i = 0; i < 6; i++)
        inverse *= 2 - odd * inverse;
    return inverse;
}

/* Keys that splitmix64 alone sends to the same place, of any table of up to 2^32 places. */
static uint64_t colliding(uint32_t number)
{
    uint64_t key = unshifted((uint64_t)(number + 1) << 32, 31);

    key = unshifted(key * inverse_of(0x94d049bb133111ebu), 27);
    return unshifted(key * inverse_of(0xbf58476d1ce4e5b9u), 30);
}

Test(base, keys_chosen_to_collide_spread_all_the_same)
{
    struct idmap map = {0};
    size_t run = 0, longest = 0;

    for (uint32_t i = 0; i < 20000; i++)
        *idmap_at(&map, colliding(i)) = i;
    for (size_t i = 0; i < map.cap; i++) {
        run = map.ids[i] == IDMAP_NONE ? 0 : run + 1;
        longest = run > longest ? run : longest;
    }
    cr_expect_eq(map.count, 20000);
    cr_expect_lt(longest, 1000, "a search passes over up to %zu places", longest);
    for (uint32_t i = 0; i < 20000; i++)
        cr_assert_eq(idmap_find(&map, colliding(i)), i);
    idmap_free(&map);
}

Test(base, utf8_is_read_as_python_does)
{
    cr_expect_eq(utf8_next(SPAN("\xf0\x9f\x98\x80")).code, 0x1F600);
    cr_expect_eq(utf8_next(SPAN("\xf4\x90\x80\x80")).kind, UTF8_BYTE); /* above U+10FFFF */
    cr_expect_eq(utf8_next(SPAN("\xe2\x82")).kind, UTF8_BYTE);         /* cut */
    cr_expect_eq(utf8_next(SPAN("\xed\xb2\x80")).kind, UTF8_SURROGATE);
    cr_expect(utf8_is_control(0x9B) && utf8_is_control(0x202E) && !utf8_is_control(0xE9));
}

Test(arena, absorb)
{
    struct arena arena = {0}, other = {0};
    char *large = arena_array(&other, 1 << 20, 1), *small = arena_copy(&other, SPAN("kept"));
    size_t used = other.used;

    arena_copy(&arena, SPAN("first"));
    arena_absorb(&arena, &other);
    cr_expect_eq(arena.used, used + 6);
    cr_expect_null(other.blocks);
    cr_expect_str_eq(small, "kept");
    cr_expect_eq(large[(1 << 20) - 1], 0);
    arena_absorb(&other, &arena); /* into an empty one */
    arena_absorb(&other, &arena); /* of an empty one */
    cr_expect_eq(other.used, used + 6);
    cr_expect_str_eq(small, "kept");
    arena_free(&other);
}

/* What is handed out after arena_clear() is zeroed again, from the block that was kept. */
Test(arena, clear)
{
    struct arena arena = {0};
    char *first = arena_array(&arena, 100, 1), *again;

    memset(first, 'x', 100);
    arena_array(&arena, 1 << 20, 1);
    arena_clear(&arena);
    again = arena_array(&arena, 100, 1);
    cr_expect_eq(again, first);
    for (int i = 0; i < 100; i++)
        cr_expect_eq(again[i], 0);
    arena_free(&arena);
}

/* What is written goes straight into the block; where it does not fit, nothing of it is left
 * there. */
Test(arena, prints)
{
    struct arena arena = {0};
    char *before = arena_array(&arena, 65000, 1), *large, *rest;
    const char *fits, *other;

    fits = arena_printf(&arena, "%s %d", "fits", 7);
    cr_expect_str_eq(fits, "fits 7");
    cr_expect_eq(fits, before + 65000);
    large = arena_array(&arena, 1 << 20, 1);
    memset(large, 'x', (1 << 20) - 1);
    other = arena_printf(&arena, "%s", large); /* more than any block has left */
    cr_expect_eq(strlen(other), (1 << 20) - 1);
    rest = arena_array(&arena, 200, 1);
    cr_expect(rest > before && rest < before + 65536);
    for (int i = 0; i < 200; i++)
        cr_expect_eq(rest[i], 0);
    arena_free(&arena);
}

Test(base, sets_of_bits_know_how_many_come_before)
{
    static const uint32_t numbers[] = {0, 1, 63, 64, 130, 191, 192};
    struct bits bits;

    bits_init(&bits, 200);
    for (size_t i = 0; i < COUNT_OF(numbers); i++)
        bits_set(&bits, numbers[i]);
    cr_expect_eq(bits_count(&bits), COUNT_OF(numbers));
    for (uint32_t n = 0, before = 0; n <= 200; n++) {
        uint32_t next = before < COUNT_OF(numbers) ? numbers[before] : 200;

        cr_expect_eq(bits_before(&bits, n), before, "%u", n);
        cr_expect_eq(bits_next(&bits, n, 200), next, "%u", n);
        cr_expect_eq(bits_next(&bits, n, n), n);
        for (uint32_t end = n; end <= 200; end++)
            cr_expect_not(bits_lack(&bits, n, end) && next < end, "%u %u", n, end);
        before += next == n;
    }
    cr_expect(bits_lack(&bits, 65, 127));
    bits_free(&bits);
}
