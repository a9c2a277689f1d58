/* SPDX-License-Identifier: Apache-2.0 */
/* json.c — documents read piece by piece, whole and cut at every byte */
#include <criterion/criterion.h>
#include <stdio.h>

#include "base/checked.h"
#include "graph/build/builder.h"
#include "graph/model/graph.h"
#include "parsers/json/json.h"
#include "parsers/json/values.h"

static const char document[] =
    "\xEF\xBB\xBF {\"a\": [1, \"]}\\\"\", {\"x\": [] },], \"skip\": {\"b\": [\"}\"]},\n"
    "\"long\": \"0123456789\", \"b\" : true}";

/* What a reader of the members "a" and "b" sees, in a row. */
static void read_all(struct span text, char *out, size_t room, struct json_stream *stream)
{
    struct input in;
    struct error err = {0};
    struct json_key key;
    struct token value;
    size_t len = 0;

    out[0] = '\0';
    cr_assert(input_open_memory(&in, text, &(struct input_options){0}, &err));
    *stream = json_start(&in);
    if (json_enter(stream, '{'))
        while (json_member(stream, &key)) {
            if (json_key_is(&key, "a") && json_enter(stream, '[')) {
                while (json_item(stream) && json_take(stream, &value))
                    len +=
                        (size_t)snprintf(out + len, room - len, "%.*s;", (int)value.len, value.at);
            } else if (json_key_is(&key, "b") && json_take(stream, &value)) {
                len += (size_t)snprintf(out + len, room - len, "%.*s.", (int)value.len, value.at);
            } else {
                json_skip(stream);
            }
        }
    input_close(&in);
    stream->in = NULL;
}

Test(json, streams_members_and_items)
{
    struct json_stream stream;
    char out[200];

    read_all(span_of(document), out, sizeof(out), &stream);
    cr_expect_str_eq(out, "1;\"]}\\\"\";{\"x\": [] };true.");
    cr_expect(!stream.is_cut && !stream.is_bad);
}

Test(json, tells_a_cut_document_from_a_whole_one)
{
    for (size_t len = 5; len + 1 < sizeof(document); len++) {
        struct json_stream stream;
        char out[200];

        read_all((struct span){document, len}, out, sizeof(out), &stream);
        cr_expect(stream.is_cut, "at %zu: %s", len, out);
    }
}

Test(json, stops_at_what_is_no_json)
{
    static const char *const cases[] = {"{\"a\": [\001]}", "{\"b\": \001}", "{\"b\" 1}",
                                        "{\"a\": [1, \002"};

    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct json_stream stream;
        char out[200];

        read_all(span_of(cases[i]), out, sizeof(out), &stream);
        cr_expect(stream.is_bad, "%s", cases[i]);
    }
    static const char with_nul[] = "{\"a\": [\0]}";
    struct json_stream stream;
    char out[200];

    read_all((struct span){with_nul, sizeof(with_nul) - 1}, out, sizeof(out), &stream);
    cr_expect(stream.is_bad);
}

/* Whole, however far its brackets are from each other, and cut before its end. */
Test(json, finds_the_end_of_a_list_of_any_length)
{
    char text[300];

    for (int digits = 1; digits < 90; digits++) {
        int len = snprintf(text, sizeof(text), "[%0*d, \"]\", [%0*d, {}], %0*d]7", digits, 1,
                           digits, 2, digits, 3);

        cr_expect_eq(walk_past_value(text, text + len), text + len - 1, "%d digits", digits);
        cr_expect_null(walk_past_value(text, text + len - 2), "%d digits", digits);
    }
}

Test(json, reads_short_numbers_as_they_stand)
{
    static const struct {
        const char *list;
        const char *read; /* what is no short number: its length behind an x */
    } cases[] = {
        {"[1, 20,\n300]", "1 20 300 "},       {"[123456789,1234567890]", "123456789 x10 "},
        {"[7.5, 1e2, -3]", "x3 x3 x2 "},      {"[\"4\",5,null , 6 ]", "x3 5 x4 6 "},
        {"[8, [9], {\"a\": 1}]", "8 x3 x8 "}, {"[]", ""},
    };

    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct json_walk walk =
            walk_into((struct token){cases[i].list, (uint32_t)strlen(cases[i].list)});
        char read[80] = "";
        size_t len = 0;
        struct token item;
        uint32_t number;

        for (;;)
            if (walk_digits(&walk, &number))
                len += (size_t)snprintf(read + len, sizeof(read) - len, "%u ", number);
            else if (walk_item(&walk, &item))
                len += (size_t)snprintf(read + len, sizeof(read) - len, "x%u ", item.len);
            else
                break;
        cr_expect_str_eq(read, cases[i].read, "%s", cases[i].list);
    }
}

Test(json, reads_whole_numbers_of_any_length)
{
    static const struct {
        const char *text;
        bool is_number;
        int64_t value;
    } cases[] = {{"7", true, 7},
                 {"101", true, 101},
                 {"0012", true, 12},
                 {"12345678", true, 12345678},
                 {"123456789", true, 123456789},
                 {"47244640257", true, 47244640257},
                 {"123456789012", true, 123456789012},
                 {"1234567890123456", true, 1234567890123456},
                 {"9223372036854775807", true, INT64_MAX},
                 {"-47244640257", true, -47244640257},
                 {"47244640257.0", true, 47244640257},
                 {"\"47244640257\"", true, 47244640257},
                 {"4724x640257", false, 0},
                 {"x7244640257", false, 0},
                 {"47244640x57", false, 0},
                 {"123x56789012", false, 0}};

    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct token token = token_of(span_of(cases[i].text));
        int64_t value = 0;

        cr_expect_eq(token_integer(token, &value), cases[i].is_number, "%s", cases[i].text);
        if (cases[i].is_number)
            cr_expect_eq(value, cases[i].value, "%s", cases[i].text);
    }
}

Test(json, finds_the_first_key)
{
    static const struct {
        const char *head, *key;
    } cases[] = {
        {"{\"nodes\": [", "nodes"},
        {"\xEF\xBB\xBF\n { \"a\\\"b\":1", "a\\\"b"},
        {"[{\"a\": 1}]", ""},
        {"{}", ""},
        {"{\"cut", ""},
        {"", ""},
    };

    for (size_t i = 0; i < COUNT_OF(cases); i++)
        cr_expect(span_eq(walk_first_key(span_of(cases[i].head)), span_of(cases[i].key)), "%s",
                  cases[i].head);
}

Test(json, spaces_lists_in_one_way)
{
    static const struct {
        const char *from, *to;
    } cases[] = {
        {"[[8, 3], []]", "[[8, 3], []]"},
        {"[[8,3],[]]", "[[8, 3], []]"},
        {"[\n  [\n    8,\r\n\t3 ],\n  [ ]\n]", "[[8, 3], []]"},
        {"{\"X\" :[1,\"a, b:c\\\" \"]}", "{\"X\": [1, \"a, b:c\\\" \"]}"},
        {"[1,", "[1, "},
        {"[\"cut , \\", "[\"cut , \\"},
        {"\"[1,2]\"", "\"[1,2]\""},
    };

    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct arena arena = {0};
        struct token token =
            token_spaced((struct token){cases[i].from, (uint32_t)strlen(cases[i].from)}, &arena);

        cr_expect(span_eq((struct span){token.at, token.len}, span_of(cases[i].to)),
                  "%s became %.*s", cases[i].from, (int)token.len, token.at);
        arena_free(&arena);
    }
}

/* ---- as a tree ---- */

static const struct value *at_key(const struct values *values, value_id dict, const char *key,
                                  enum value_kind kind)
{
    return value_of_kind(values, value_member(values, dict, span_of(key)), kind);
}

Test(json, documents_become_trees_of_values)
{
    static const char text[] = "{\"a\": [1, -2.5, [], \"x\\ny\"], \"t\": true, \"n\": null, \"a\": 7, "
                               "\"o\": {\"p\": {\"q\": 9007199254740993}}, \"list\": [3, {}]}";
    struct builder *builder = builder_new(&(struct builder_options){.need = LEVEL_FLAT});
    struct values values = {.builder = builder};
    struct graph graph;
    struct error err = {0};
    value_id root = values_of_json(&values, (struct token){text, sizeof(text) - 1}, &err);
    value_id inner = value_member(&values, value_member(&values, root, SPAN("o")), SPAN("p"));
    uint32_t cell = value_list(&values, value_member(&values, root, SPAN("list")));

    cr_assert_neq(root, 0);
    cr_expect_eq(at_key(&values, root, "a", VALUE_INT)->whole, 7); /* of several the last */
    cr_expect_eq(at_key(&values, root, "t", VALUE_INT)->whole, 1);
    cr_expect_neq(at_key(&values, root, "n", VALUE_NONE), NULL);
    cr_expect_eq(at_key(&values, root, "b", VALUE_INT), NULL);
    cr_expect_eq(at_key(&values, inner, "q", VALUE_INT)->whole, 9007199254740993);
    cr_expect_eq(value_of_kind(&values, value_next(&values, &cell), VALUE_INT)->whole, 3);
    cr_expect_neq(value_of_kind(&values, value_next(&values, &cell), VALUE_DICT), NULL);
    cr_expect_eq(value_next(&values, &cell), 0);
    values_free(&values);
    builder_finish(builder, &graph);
    graph_free(&graph);
}

Test(json, what_is_too_deep_is_empty)
{
    enum { DEPTH = 2 * JSON_DEPTH_MAX };
    char text[2 * DEPTH];
    struct builder *builder = builder_new(&(struct builder_options){.need = LEVEL_FLAT});
    struct values values = {.builder = builder};
    struct graph graph;
    struct error err = {0};

    memset(text, '[', DEPTH);
    memset(text + DEPTH, ']', DEPTH);
    cr_expect_neq(values_of_json(&values, (struct token){text, sizeof(text)}, &err), 0);
    cr_expect_eq(values.count, JSON_DEPTH_MAX + 1);
    values_free(&values);
    builder_finish(builder, &graph);
    graph_free(&graph);
}
