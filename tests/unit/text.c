/* SPDX-License-Identifier: Apache-2.0 */
#include <inttypes.h>
#include <criterion/criterion.h>
#include <math.h>

#include "base/checked.h"
#include "base/error/error.h"
#include "base/io/io.h"
#include "base/text/decimal.h"
#include "base/text/escape.h"
#include "base/text/format.h"
#include "base/text/pattern.h"
#include "base/text/string_table.h"

/* Tables of cases, not parameterized tests: those run each case in a process of its own, where a
 * pointer to a literal dangles. cr_expect reports every failing row, cr_assert only the first. */

static bool is(struct span text, const char *want)
{
    return span_eq(text, span_of(want));
}

Test(text, values_are_scaled_after_rounding)
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

Test(text, decimal_text_becomes_integers_exactly)
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

Test(text, sums_stop_at_the_ends)
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

Test(text, names_are_escaped_on_the_way_out)
{
    static const struct {
        struct span text;
        const char *plain, *json, *dot;
    } cases[] = {
        {LITERAL("plain"), "plain", "\"plain\"", "plain"},
        {LITERAL("a\nb"), "a\\nb", "\"a\\nb\"", "a\\\\nb"},
        {LITERAL("\x1b[31m"), "\\x1b[31m", "\"\\u001b[31m\"", "\\\\x1b[31m"},
        {LITERAL("nul\0x"), "nul\\x00x", "\"nul\\u0000x\"", "nul\\\\x00x"},
        {LITERAL("q\"\\"), "q\"\\", "\"q\\\"\\\\\"", "q\\\"\\\\"},
        {LITERAL("\xe9"), "\\xe9", "\"\\udce9\"", "\\\\xe9"},             /* not UTF-8 */
        {LITERAL("\xed\xa0\x80"), "\\ud800", "\"\\ud800\"", "\\\\ud800"}, /* a lone surrogate */
        {LITERAL("\xe2\x80\xae"), "\\u202e", "\"\\u202e\"", "\\\\u202e"}, /* right to left */
        {LITERAL("\xc0\xaf"), "\\xc0\\xaf", "\"\\udcc0\\udcaf\"", "\\\\xc0\\\\xaf"}, /* overlong */
        {LITERAL("caf\xc3\xa9"), "caf\xc3\xa9", "\"caf\xc3\xa9\"", "caf\xc3\xa9"},
        {LITERAL("a&b"), "a&b", "\"a&b\"", "a&amp;b"},
        {LITERAL(""), "", "\"\"", ""},
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

Test(text, spans_split_and_parse)
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

Test(text, words_are_looked_up_in_tables)
{
    static const struct {
        const char *word;
        int number;
    } table[] = {{"one", 1}, {"two", 2}, {"", 3}, {NULL, 4}};

    cr_expect_eq(LOOKUP(table, SPAN("one")).number, 1);
    cr_expect_eq(LOOKUP(table, SPAN("two")).number, 2);
    cr_expect_eq(LOOKUP(table, SPAN("")).number, 3);
    cr_expect_eq(LOOKUP(table, SPAN("tw")).number, 4);
    cr_expect_eq(LOOKUP(table, SPAN("two\0")).number, 4);
}

Test(text, hexadecimal_digits_are_read_up_to_64_bits)
{
    static const struct {
        const char *text;
        size_t digits;
        bool is_number; /* of all of it */
        uint64_t value;
    } cases[] = {
        {"1f", 2, true, 31},
        {"DeadBeef", 8, true, 0xdeadbeef},
        {"ffffffffffffffff", 16, true, UINT64_MAX},
        {"00000000000000000001", 20, true, 1},
        {"10000000000000000", 17, false, 0},
        {"12 rest", 2, false, 0},
        {"0x1f", 1, false, 0},
        {"@`g", 0, false, 0},
        {"", 0, false, 0},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct span text = span_of(cases[i].text);
        uint64_t value;

        cr_expect_eq(span_hex_digits(text), cases[i].digits, "'%s'", cases[i].text);
        cr_expect_eq(span_hex_to_u64(text, &value), cases[i].is_number, "'%s'", cases[i].text);
        cr_expect(!cases[i].is_number || value == cases[i].value, "'%s'", cases[i].text);
    }
}

Test(text, paths_end_in_names_of_files)
{
    cr_expect(is(span_file_name(SPAN("/usr/lib/libc.so.6")), "libc.so.6"));
    cr_expect(is(span_file_name(SPAN("prog")), "prog"));
    cr_expect(is(span_file_name(SPAN("folder/")), ""));
}

Test(text, every_name_is_kept_once)
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
    cr_expect_neq(strings_intern(&strings, SPAN("a\0b")),
                  strings_intern(&strings, SPAN("a\0c")));
    strings_free(&strings);
}

Test(text, warnings_of_one_kind_are_counted)
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

Test(text, mistyped_words_are_recognised)
{
    static const struct {
        const char *typed, *word, *want;
    } cases[] = {
        {"hotspot", "hotspots", "hotspots"},
        {"hotpsots", "hotspots", "hotspots"},
        {"limt", "limit", "limit"},
        {"x", "tree", NULL},
        {"", "dot", NULL},
        {"dto", "dot", "dot"},
        {"nope", "name", NULL},
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

Test(text, input_hands_out_bytes_and_lines)
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

Test(text, csv_is_quoted_and_escaped_for_who_reads_it)
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
        {"\x1b[31m", "\\x1b[31m", "\\x1b[31m", "\\x1b[31m"},
        {"\xc2\x9b", "\\x9b", "\\x9b", "\\x9b"},
        {"\xe2\x80\xae", "\\u202e", "\\u202e", "\\u202e"},
        {"a\tb", "a\tb", "a\\tb", "a\tb"},
        {"a\n\x1b[0m", "\"a\n\\x1b[0m\"", "a\\n\\x1b[0m", "\"a\n\\x1b[0m\""},
        {"", "", "", ""},
    };

    for (size_t i = 0; i < COUNT_OF(cases); i++)
        for (int reader = 0; reader < 3; reader++) {
            const char *wanted[] = {cases[i].plain, cases[i].terminal, cases[i].spreadsheet};
            char *text;
            size_t len;
            FILE *out = open_memstream(&text, &len);

            struct csv_readers readers = {reader == 1, reader == 2};

            escape_csv(out, span_of(cases[i].text), readers);
            fclose(out);
            cr_expect(!escape_csv_is_plain(span_of(cases[i].text), readers) ||
                          strcmp(text, cases[i].text) == 0,
                      "case %zu is not plain", i);
            cr_expect_str_eq(text, wanted[reader], "case %zu: %s", i, text);
            free(text);
        }
}

/* What a writer of rows may copy without looking at each character. */
Test(text, a_plain_text_needs_no_escape)
{
    static const char *const names[] = {"f", "void at::native::elementwise<4>(int)", "", "a.py:12(b)"};
    static const char *const escaped[] = {"a\"b", "a\\b", "a long name\x1f", "\x7f 12345678",
                                          "ends in a byte\xff", "\xe2\x80\xae"};

    for (size_t i = 0; i < COUNT_OF(names); i++)
        cr_expect(escape_json_is_plain(span_of(names[i])) &&
                  escape_csv_is_plain(span_of(names[i]), (struct csv_readers){0}));
    for (size_t i = 0; i < COUNT_OF(escaped); i++)
        cr_expect_not(escape_json_is_plain(span_of(escaped[i])));
    cr_expect_not(escape_csv_is_plain(SPAN("a name, and more"), (struct csv_readers){0}));
    cr_expect_not(escape_csv_is_plain(SPAN("=f()"), (struct csv_readers){.is_spreadsheet = true}));
    cr_expect_not(escape_csv_is_plain(SPAN("a\tb"), (struct csv_readers){.is_terminal = true}));
}

Test(text, utf8_is_read_as_python_does)
{
    cr_expect_eq(utf8_next(SPAN("\xf0\x9f\x98\x80")).code, 0x1F600);
    cr_expect_eq(utf8_next(SPAN("\xf4\x90\x80\x80")).kind, UTF8_BYTE); /* above U+10FFFF */
    cr_expect_eq(utf8_next(SPAN("\xe2\x82")).kind, UTF8_BYTE);         /* cut */
    cr_expect_eq(utf8_next(SPAN("\xed\xb2\x80")).kind, UTF8_SURROGATE);
    cr_expect(utf8_is_control(0x9B) && utf8_is_control(0x202E) && !utf8_is_control(0xE9));
}

/* The digits that printf writes. */
Test(text, decimals_are_written_as_printf_does)
{
    static const int64_t values[] = {0, 7, -7, 10, 99, 100, 1234567890123, -42, INT64_MAX, INT64_MIN};

    for (size_t i = 0; i < sizeof(values) / sizeof(*values); i++) {
        char got[32] = "", wanted[32];
        FILE *out = fmemopen(got, sizeof(got), "w");

        cr_assert_not_null(out);
        decimal_write(out, values[i]);
        fclose(out);
        snprintf(wanted, sizeof(wanted), "%" PRId64, values[i]);
        cr_expect_str_eq(got, wanted);
    }
}
