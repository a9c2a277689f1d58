/* SPDX-License-Identifier: Apache-2.0 */
/* scanner.c — every instruction set reads the same out of the same bytes */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/io/io.h"
#include "parsers/chrome/scan/scanner.h"

static const char *const texts[] = {
    "{\"ph\":\"X\",\"cat\":\"cpu_op\",\"name\":\"aten::mm\",\"pid\":12,\"tid\":345,\"ts\":1.5,"
    "\"dur\":"
    "2.25,\"args\":{\"correlation\":7,\"Input Dims\":[[1,2],[3,4]]}}",
    "{\"ph\":\"X\",\"cat\":\"cpu_op\",\"name\":\"aten::add\",\"pid\":12,\"tid\":3,"
    "\"ts\":10000000000000000.125,\"dur\":2,\"args\":{\"correlation\":123456789012345678901234567890123,\"a\":\"]}\"}}",
    "{ \"ph\" : \"X\" , \"name\" : \"a \\\"quoted\\\\\" , \"ts\" : 1 ,\n\t\"dur\" : 1 }",
    "{\"ph\":\"B\",\"name\":\"a name that is longer than any vector register has bytes, by far\","
    "\"ts\":-1e3}",
    "{\"ph\":\"X\",\"ts\":NaN,\"args\":{\"deep\":{\"er\":[{},{\"x\":[[[]]]}]},\"s\":\"[{\\\"\"}}",
    "{\"ph\":\"X\",\"ts\":1 \"dur\":2}",
    "{\"ph\":\"X\",,\"ts\":1,}",
    "{}",
    "{\"ph\":\"X\" oops}",
};

enum { CORRELATION = FIELD_FIRST_ARG };

static enum field field_of(const void *context, struct span key)
{
    (void)context;
    return span_eq(key, SPAN("correlation")) ? CORRELATION : FIELD_OTHER;
}

static bool always(const void *context, const struct event *event)
{
    (void)context;
    (void)event;
    return true;
}

static const struct wanted correlations = {.field_of = field_of, .has_members = always};

struct reading {
    enum scan_result result;
    size_t next;
    struct event event;
};

/* Each text is read three times, so that the later ones may match a shape. */
static void read_all(scan_function *scan, size_t cut, struct reading *readings, char *buffer)
{
    struct scanner scanner = {.wanted = correlations};

    for (size_t i = 0; i < COUNT_OF(texts) * 3; i++) {
        const char *text = texts[i % COUNT_OF(texts)], *next = buffer;
        size_t len = strlen(text) < cut ? strlen(text) : cut;
        struct event *event;

        memset(buffer, 0, 1024);
        memcpy(buffer, text, len);
        readings[i].result = scan(&scanner, buffer, buffer + len, &event, &next);
        readings[i].event = *event;
        readings[i].next = readings[i].result == SCAN_EVENT ? (size_t)(next - buffer) : 0;
        for (size_t f = 0; f < FIELD_COUNT; f++) /* as text, for comparison */
            if (readings[i].event.field[f].at)
                readings[i].event.field[f].at =
                    strndup(readings[i].event.field[f].at, readings[i].event.field[f].len);
    }
    shapes_free(&scanner.shapes);
}

static void release(struct reading *reading)
{
    for (size_t f = 0; f < FIELD_COUNT; f++)
        free((char *)reading->event.field[f].at);
}

static void expect_same(const struct reading *a, const struct reading *b, size_t cut)
{
    cr_expect_eq(a->result, b->result, "cut at %zu", cut);
    cr_expect_eq(a->next, b->next);
    for (size_t f = 0; a->result == SCAN_EVENT && f < FIELD_COUNT; f++) {
        const char *x = a->event.field[f].at, *y = b->event.field[f].at;

        cr_expect_eq(!x, !y);
        if (x && y)
            cr_expect_str_eq(x, y);
    }
}

Test(scanner, reads_alike_with_every_instruction_set)
{
    static struct reading expected[COUNT_OF(texts) * 3], found[COUNT_OF(texts) * 3];
    static char buffer[1024 + INPUT_PAD];
    scan_function *const others[] = {scan_event_sse2, scanner_select()};

    for (size_t cut = 1; cut < 200; cut++) {
        read_all(scan_event_portable, cut, expected, buffer);
        for (size_t o = 0; o < COUNT_OF(others); o++) {
            if (!others[o])
                continue;
            read_all(others[o], cut, found, buffer);
            for (size_t i = 0; i < COUNT_OF(found); i++) {
                expect_same(&expected[i], &found[i], cut);
                release(&found[i]);
            }
        }
        for (size_t i = 0; i < COUNT_OF(expected); i++)
            release(&expected[i]);
    }
}

static void expect_text(struct token token, const char *text)
{
    cr_expect(token_is(token, (struct span){text, strlen(text)}), "%.*s is not %s", (int)token.len,
              token.at, text);
}

/* Values are long the same, then longer, then shorter: none is taken for as long as the last. */
Test(scanner, reads_values_of_changing_length)
{
    static const char *const times[] = {"1234.125", "12345678901.5", "1"};
    scan_function *const functions[] = {scan_event_portable, scan_event_sse2, scanner_select()};
    char buffer[256 + INPUT_PAD];

    for (size_t f = 0; f < COUNT_OF(functions); f++) {
        struct scanner scanner = {0};

        for (int i = 0; functions[f] && i < 90; i++) {
            const char *time = times[i / 15 % 3], *next;
            struct event *event;
            int len;

            memset(buffer, 0, sizeof(buffer));
            len = snprintf(buffer, 256, "{\"ph\":\"X\",\"tid\":%d,\"ts\":%s,\"dur\":%d}", i % 2,
                           time, i);
            cr_assert_eq(functions[f](&scanner, buffer, buffer + len, &event, &next), SCAN_EVENT);
            cr_expect_eq(next, buffer + len);
            expect_text(event->field[FIELD_TS], time);
            expect_text(event->field[FIELD_TID], i % 2 ? "1" : "0");
            expect_text(event->field[FIELD_PH], "X");
        }
        shapes_free(&scanner.shapes);
    }
}

/* Shapes that begin alike and part in args, in the category, or where one always has the same
 * value: wherever an event leaves one, it gets the values that are its own. */
Test(scanner, keeps_shapes_apart_that_begin_alike)
{
    static const char *const forms[] = {
        "{\"args\":{\"a\":%d},\"cat\":\"x\",\"name\":\"%s\",\"ph\":\"X\",\"tid\":%d,\"ts\":%d}",
        "{\"args\":{\"a\":%d},\"cat\":\"y\",\"name\":\"%s\",\"ph\":\"X\",\"tid\":%d,\"ts\":%d}",
        "{\"args\":{\"a\":%d},\"cat\":\"y\",\"name\":\"%s\",\"ph\":\"i\",\"tid\":%d,\"ts\":%d}",
        "{\"args\":{\"a\":%d,\"correlation\":5},\"cat\":\"x\",\"name\":\"%s\",\"ph\":\"X\","
        "\"tid\":%d,\"ts\":%d}",
        "{\"args\":{\"a\":%d,\"b\":\"\"},\"cat\":\"x\",\"name\":\"%s\",\"ph\":\"X\",\"tid\":%d,"
        "\"ts\":%d}",
        "{\"args\":{\"a\":[%d]},\"cat\":\"x\",\"name\":\"%s\",\"ph\":\"X\",\"tid\":%d,\"ts\":%d}",
    };
    scan_function *const functions[] = {scan_event_portable, scan_event_sse2, scanner_select()};
    char buffer[256 + INPUT_PAD], time[16];

    for (size_t f = 0; f < COUNT_OF(functions); f++) {
        struct scanner scanner = {.wanted = correlations};

        for (int i = 0; functions[f] && i < 2000; i++) {
            int form = (i * 7 + i / 11) % (int)COUNT_OF(forms);
            const char *name = form == 4 ? "always" : i % 3 ? "always" : "a", *next;
            struct event *event;
            int len;

            memset(buffer, 0, sizeof(buffer));
            /* one form is all of one thread and of one name, which others have now and then */
            len = snprintf(buffer, 256, forms[form], i % 5, name, form == 4 ? 1 : i % 2, i);
            snprintf(time, sizeof(time), "%d", i);
            cr_assert_eq(functions[f](&scanner, buffer, buffer + len, &event, &next), SCAN_EVENT);
            cr_expect_eq(next, buffer + len);
            expect_text(event->field[FIELD_TS], time);
            expect_text(event->field[FIELD_NAME], name);
            expect_text(event->field[FIELD_TID], form == 4 || i % 2 ? "1" : "0");
            expect_text(event->field[FIELD_CAT], form == 1 || form == 2 ? "y" : "x");
            expect_text(event->field[FIELD_PH], form == 2 ? "i" : "X");
            cr_expect_eq(event->field[CORRELATION].at != NULL, form == 3);
        }
        cr_expect_gt(scanner.shapes.count, 4);
        shapes_free(&scanner.shapes);
    }
}

/* Arrows of two categories that nobody keeps, among them some that end otherwise, hold more braces
 * or are broken: each is as long as it is. */
Test(scanner, skims_events_that_nobody_wants)
{
    static const char *const forms[] = {
        "{\"ph\":\"s\",\"id\":%d,\"ts\":%d,\"cat\":\"a\",\"name\":\"arrow\"}",
        "{\"ph\":\"s\",\"id\":%d,\"ts\":%d,\"cat\":\"another\",\"name\":\"arrow\"}",
        "{\"ph\":\"X\",\"id\":%d,\"ts\":%d,\"cat\":\"a\",\"name\":\"arrow\"}",
        "{\"ph\":\"s\",\"id\":\"}%d\",\"ts\":%d,\"cat\":\"a\",\"name\":\"arrow\"}",
        "{\"ph\":\"s\",\"id\":%d,\"ts\":%d,\"cat\":\"a\",\"name\":\"arrow\",\"more\":{}}",
        "{\"ph\":\"s\",\"id\":%d,\"ts\":%d,\"cat\":\"b\",\"name\":\"arrow\"}",
        "{\"ph\":\"s\",\"cat\":\"a\",\"id\":%d,\"ts\":%d}",
        "{\"ph\":\"s\",\"cat\":\"a\",\"id\":%d,\"ts\":%d,\"args\":{\"x\":{}},\"name\":\"}\"}",
        "{\"ph\":\"s\",\"cat\":\"a\",\"id\":%d,\"ts\":%d,\"name\":\"}\"}",
        "{\"ph\":\"s\",\"id\":%d \"ts\":%d,\"cat\":\"a\",\"name\":\"arrow\"",
    };
    static const char *const categories[] = {"a", "another", "a", "a", "a", "b", "a", "a", "a", ""};
    scan_function *const functions[] = {scan_event_portable, scan_event_sse2, scanner_select()};
    char buffer[256 + INPUT_PAD];

    for (size_t f = 0; f < COUNT_OF(functions); f++) {
        struct scanner scanner = {0};

        for (int i = 0; functions[f] && i < 2000; i++) {
            int form = (i * 7 + i / 13) % (int)COUNT_OF(forms);
            struct event *event;
            const char *next;
            int len;

            memset(buffer, 0, sizeof(buffer));
            len = snprintf(buffer, 256, forms[form], i, i * i);
            if (form == 9) {
                cr_assert_neq(functions[f](&scanner, buffer, buffer + len, &event, &next),
                              SCAN_EVENT);
                continue;
            }
            cr_assert_eq(functions[f](&scanner, buffer, buffer + len, &event, &next), SCAN_EVENT);
            cr_expect_eq(next, buffer + len, "%s", buffer);
            expect_text(event->field[FIELD_PH], form == 2 ? "X" : "s");
            expect_text(event->field[FIELD_CAT], categories[form]);
            event->is_unwanted = form != 2 && form != 5;
        }
        shapes_free(&scanner.shapes);
    }
}

/* The later of two members counts, whether they are always the same or not. */
Test(scanner, takes_the_later_of_two_members)
{
    static const char *const texts_of_two[] = {
        "{\"ph\":\"X\",\"ts\":7,\"name\":\"a\",\"name\":\"b\"}",
        "{\"ph\":\"X\",\"ts\":8,\"name\":\"c\",\"name\":\"b\"}"};
    struct scanner scanner = {0};
    char buffer[256 + INPUT_PAD];

    for (int i = 0; i < 8; i++) {
        const char *text = texts_of_two[i % 2], *next;
        struct event *event;

        memset(buffer, 0, sizeof(buffer));
        memcpy(buffer, text, strlen(text));
        cr_assert_eq(scanner_select()(&scanner, buffer, buffer + strlen(text), &event, &next),
                     SCAN_EVENT);
        expect_text(event->field[FIELD_NAME], "b");
    }
    shapes_free(&scanner.shapes);
}
