/* SPDX-License-Identifier: Apache-2.0 */
/* operator_input_text.c — shapes, strides, types and values of operators' inputs, from the texts of frameworks */
#include "parsers/device/operator_input_text.h"

#include "base/checked.h"

enum { INPUTS_MAX = 16, DIMS_MAX = 8, NAMED_DIMS_MAX = 16 };

/* The inputs of one text while they are read. */
struct reading {
    struct arena *arena;
    struct operand list[INPUTS_MAX];
    uint32_t count;
};

static void keep_input(struct reading *reading, enum input_kind kind, const int64_t *number,
                       uint32_t count)
{
    int64_t *copy;

    if (reading->count == INPUTS_MAX)
        return;
    copy = arena_array(reading->arena, count, sizeof(*copy));
    for (uint32_t i = 0; i < count; i++)
        copy[i] = number[i];
    reading->list[reading->count++] = (struct operand){kind, count, copy};
}

static void keep_dtype(struct reading *reading, struct span name)
{
    static const struct {
        const char *name;
        enum dtype dtype;
    } types[] = {
        {"double", DTYPE_FLOAT64},
        {"float", DTYPE_FLOAT32},
        {"c10::Half", DTYPE_FLOAT16},
        {"c10::BFloat16", DTYPE_BFLOAT16},
        {"Double", DTYPE_FLOAT64},
        {"Float", DTYPE_FLOAT32},
        {"c10::Float", DTYPE_FLOAT32},
        {"Half", DTYPE_FLOAT16},
        {"BFloat16", DTYPE_BFLOAT16},
        {"c10::Float8_e4m3fn", DTYPE_FLOAT8},
        {"c10::Float8_e5m2", DTYPE_FLOAT8},
        {"c10::Float8_e4m3fnuz", DTYPE_FLOAT8},
        {"c10::Float8_e5m2fnuz", DTYPE_FLOAT8},
        {"long int", DTYPE_INT64},
        {"int", DTYPE_INT32},
        {"short int", DTYPE_INT16},
        {"signed char", DTYPE_INT8},
        {"unsigned char", DTYPE_UINT8},
        {"bool", DTYPE_BOOL},
        /* Paddle's */
        {"float64", DTYPE_FLOAT64},
        {"float32", DTYPE_FLOAT32},
        {"float16", DTYPE_FLOAT16},
        {"bfloat16", DTYPE_BFLOAT16},
        {"int64", DTYPE_INT64},
        {"int32", DTYPE_INT32},
        {"int16", DTYPE_INT16},
        {"int8", DTYPE_INT8},
        {"uint8", DTYPE_UINT8},
        {NULL, DTYPE_UNKNOWN},
    };
    int64_t dtype = (int64_t)LOOKUP(types, name).dtype;

    keep_input(reading, INPUT_DTYPE, &dtype, 1);
}

/* ---- the parts of lists ---- */

static void skip_blanks(struct span *rest)
{
    while (rest->len && (*rest->at == ' ' || *rest->at == '\n' || *rest->at == '\t'))
        *rest = span_after(*rest, 1);
}

static bool skip_byte(struct span *rest, char byte)
{
    skip_blanks(rest);
    if (!rest->len || *rest->at != byte)
        return false;
    *rest = span_after(*rest, 1);
    return true;
}

static bool read_number(struct span *rest, int64_t *number)
{
    size_t len = 0;

    skip_blanks(rest);
    while (len < rest->len && (is_digit(rest->at[len]) || (len == 0 && rest->at[len] == '-')))
        len++;
    if (!span_to_i64((struct span){rest->at, len}, number))
        return false;
    *rest = span_after(*rest, len);
    return true;
}

static bool read_flag(struct span *rest, int64_t *flag)
{
    skip_blanks(rest);
    *flag = span_starts(*rest, SPAN("True"));
    if (!*flag && !span_starts(*rest, SPAN("False")))
        return false;
    *rest = span_after(*rest, *flag ? 4 : 5);
    return true;
}

/* "[1, 2]" or "(1, 2)" by the reader of one item; false when there are more than `max`. */
static bool read_list(struct span *rest, bool (*read_item)(struct span *, int64_t *), int64_t *list,
                      uint32_t max, uint32_t *count)
{
    char closing = rest->len && *rest->at == '(' ? ')' : ']';

    *count = 0;
    if (!skip_byte(rest, closing == ')' ? '(' : '['))
        return false;
    if (skip_byte(rest, closing))
        return true;
    do {
        int64_t item;

        if (!read_item(rest, &item) || *count == max)
            return false;
        list[(*count)++] = item;
    } while (skip_byte(rest, ','));
    return skip_byte(rest, closing);
}

/* Over a list of tensors, with its lists inside. */
static bool skip_list(struct span *rest)
{
    size_t depth = 0;

    for (; rest->len; *rest = span_after(*rest, 1)) {
        depth += *rest->at == '[';
        if (*rest->at == ']' && --depth == 0) {
            *rest = span_after(*rest, 1);
            return true;
        }
    }
    return false;
}

/* A string up to its closing quote; a backslash takes the byte after it along. */
static bool read_string(struct span *rest, struct span *string)
{
    size_t len = 0;

    if (!skip_byte(rest, '"'))
        return false;
    while (len < rest->len && rest->at[len] != '"')
        len += rest->at[len] == '\\' ? 2 : 1;
    if (len >= rest->len)
        return false;
    *string = (struct span){rest->at, len};
    *rest = span_after(*rest, len + 1);
    return true;
}

/* ---- PyTorch's ---- */

static bool read_shape(struct reading *reading, struct span *rest)
{
    int64_t size[DIMS_MAX];
    struct span list;
    uint32_t count;

    skip_blanks(rest);
    list = *rest;
    if (!read_list(rest, read_number, size, DIMS_MAX, &count)) {
        count = 0;
        *rest = list;
        if (!list.len || *list.at != '[' || !skip_list(rest))
            return false;
    }
    for (uint32_t i = 0; i < count; i++)
        if (size[i] < 0)
            return false;
    keep_input(reading, INPUT_SIZES, size, count);
    return true;
}

static bool read_type(struct reading *reading, struct span *rest)
{
    struct span name;

    if (!read_string(rest, &name))
        return false;
    keep_dtype(reading, name);
    return true;
}

/* "[1, 1]", "(1, 1)", "[True, False]", "2", "True" in quotes; others say nothing. */
static bool read_value(struct reading *reading, struct span *rest)
{
    static const struct {
        bool (*read)(struct span *, int64_t *);
        enum input_kind kind;
    } forms[] = {{read_number, INPUT_NUMBERS}, {read_flag, INPUT_FLAGS}};
    struct span string;

    if (!read_string(rest, &string))
        return false;
    string = span_trim(string);
    for (size_t i = 0; i < COUNT_OF(forms); i++) {
        bool is_list = string.len && (*string.at == '[' || *string.at == '(');
        int64_t list[DIMS_MAX];
        struct span text = string;
        uint32_t count = 1;

        if (is_list ? read_list(&text, forms[i].read, list, DIMS_MAX, &count)
                    : forms[i].read(&text, list) && text.len == 0) {
            keep_input(reading, forms[i].kind, list, count);
            return true;
        }
    }
    keep_input(reading, INPUT_UNTOLD, NULL, 0);
    return true;
}

static bool read_in_order(struct reading *reading, struct span text,
                          bool (*read_input)(struct reading *, struct span *))
{
    if (!skip_byte(&text, '['))
        return false;
    if (skip_byte(&text, ']'))
        return true;
    do {
        if (!read_input(reading, &text))
            return false;
    } while (skip_byte(&text, ','));
    return skip_byte(&text, ']');
}

/* ---- Paddle's ---- */

/* The first tensor of the input with that key, quotes and all: "[[8, 3], …]". */
static bool read_named_shape(struct reading *reading, struct span text, struct span key)
{
    size_t at = span_find(text, key), end;
    int64_t size[NAMED_DIMS_MAX];
    uint32_t count = 0;

    if (at == SIZE_MAX)
        return false;
    text = span_after(text, at + key.len);
    at = span_find(text, SPAN("[["));
    end = span_find(text, SPAN("]"));
    if (at == SIZE_MAX || end == SIZE_MAX || end < at)
        return false;
    text = (struct span){text.at + at + 2, end - at - 2};
    while (text.len && count < NAMED_DIMS_MAX)
        if (!span_to_i64(span_trim(span_split(&text, ',')), &size[count++]))
            return false;
    keep_input(reading, INPUT_SIZES, size, count);
    return true;
}

/* All types that stand there, whoever has them. */
static void read_named_types(struct reading *reading, struct span text)
{
    struct span string;

    while (text.len) {
        size_t quote = span_find(text, SPAN("\""));

        if (quote == SIZE_MAX)
            return;
        text = span_after(text, quote);
        if (!read_string(&text, &string))
            return;
        if (!skip_byte(&text, ':'))
            keep_dtype(reading, string);
    }
}

/* ---- all of them ---- */

bool operator_inputs_read(enum property property, struct span text, struct arena *arena,
                          struct operator_inputs *inputs)
{
    static const struct {
        struct span new, old;
    } keys[] = {{LITERAL("\"X\""), LITERAL("\"x\"")}, {LITERAL("\"Y\""), LITERAL("\"y\"")}};
    struct reading reading = {.arena = arena};
    bool is_named = span_starts(text, SPAN("{")), is_read = true;
    struct operand *list;

    if (is_named && property == PROP_TYPES) {
        read_named_types(&reading, text);
    } else if (is_named) {
        for (size_t i = 0; i < COUNT_OF(keys); i++)
            if (!read_named_shape(&reading, text, keys[i].new) &&
                !read_named_shape(&reading, text, keys[i].old))
                keep_input(&reading, INPUT_UNTOLD, NULL, 0);
    } else {
        is_read = read_in_order(&reading, text,
                                property == PROP_TYPES      ? read_type
                                : property == PROP_CONCRETE ? read_value
                                                            : read_shape);
    }
    /* Of values and types, those before what cannot be read tell. */
    if (!is_read && property != PROP_TYPES && property != PROP_CONCRETE)
        return false;
    list = arena_array(arena, reading.count, sizeof(*list));
    for (uint32_t i = 0; i < reading.count; i++)
        list[i] = reading.list[i];
    *inputs = (struct operator_inputs){
        .property = property, .count = reading.count, .is_named = is_named, .list = list};
    return true;
}

void operator_inputs_note(struct builder *builder, enum property property, str_id text)
{
    struct operator_inputs inputs;
    struct arena scratch = {0};

    if (builder_has_inputs(builder, property, text))
        return;
    if (!operator_inputs_read(property, builder_text(builder, text), &scratch, &inputs))
        inputs = (struct operator_inputs){.property = property};
    builder_inputs(builder, text, &inputs);
    arena_free(&scratch);
}
