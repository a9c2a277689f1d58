/* SPDX-License-Identifier: Apache-2.0 */
/* Types in the names of C++: those of elements by one short word each, others without their namespaces. */
#include "graph/names/name_label.h"

#include <string.h>

#include "base/checked.h"

static const struct element_spelling {
    const char *spelled, *shown;
} elements[] = {
    {"float", "fp32"},           {"double", "fp64"},          {"half", "fp16"},
    {"Half", "fp16"},            {"__half", "fp16"},          {"half_t", "fp16"},
    {"_Float16", "fp16"},        {"float16", "fp16"},         {"float16_t", "fp16"},
    {"fp16_t", "fp16"},          {"_Half", "fp16"},           {"f16", "fp16"},
    {"fp16", "fp16"},            {"BFloat16", "bf16"},        {"__nv_bfloat16", "bf16"},
    {"nv_bfloat16", "bf16"},     {"bfloat16_t", "bf16"},      {"bfloat16", "bf16"},
    {"__hip_bfloat16", "bf16"},  {"hip_bfloat16", "bf16"},    {"__bf16", "bf16"},
    {"bf16_t", "bf16"},          {"bf16", "bf16"},            {"tfloat32_t", "tf32"},
    {"int", "int32"},            {"unsigned int", "uint32"},  {"unsigned", "uint32"},
    {"long", "int64"},           {"long long", "int64"},      {"unsigned long", "uint64"},
    {"unsigned long long", "uint64"}, {"short", "int16"},     {"unsigned short", "uint16"},
    {"signed char", "int8"},     {"int8_t", "int8"},          {"uint8_t", "uint8"},
    {"unsigned char", "uint8"},  {"char", "char"},            {"bool", "bool"},
    {"int16_t", "int16"},        {"int32_t", "int32"},        {"uint32_t", "uint32"},
    {"int64_t", "int64"},        {"uint64_t", "uint64"},      {"Float8_e4m3fn", "fp8e4m3"},
    {"Float8_e4m3fnuz", "fp8e4m3"}, {"Float8_e5m2", "fp8e5m2"}, {"Float8_e5m2fnuz", "fp8e5m2"},
    {"float_e4m3_t", "fp8e4m3"}, {"float_e5m2_t", "fp8e5m2"}, {"__nv_fp8_e4m3", "fp8e4m3"},
    {"__nv_fp8_e5m2", "fp8e5m2"}, {"__hip_fp8_e4m3_fnuz", "fp8e4m3"}, {"fp8_t", "fp8"},
    {"f32", "fp32"},             {"f64", "fp64"},             {"s8", "int8"},
    {"i8", "int8"},              {NULL, NULL},
};

static struct span without_qualifiers(struct span type)
{
    static const struct span before[] = {LITERAL("const "), LITERAL("volatile ")};
    static const struct span behind[] = {LITERAL("const"), LITERAL("volatile"), LITERAL("__restrict__"),
                                         LITERAL("*"), LITERAL("&")};
    size_t len;

    do {
        len = type.len;
        type = span_trim(type);
        for (size_t i = 0; i < COUNT_OF(before); i++)
            if (span_starts(type, before[i]))
                type = span_after(type, before[i].len);
        for (size_t i = 0; i < COUNT_OF(behind); i++)
            if (span_ends(type, behind[i]) &&
                (i > 2 || (type.len > behind[i].len && !is_word_char(type.at[type.len - behind[i].len - 1]))))
                type.len -= behind[i].len;
    } while (type.len != len);
    return type;
}

struct span element_type(struct span type)
{
    size_t scope;
    const char *shown;

    if (type.len > 64)
        return NO_SPAN;
    type = without_qualifiers(type);
    if (span_ends(type, SPAN("complex<float>")))
        return SPAN("c64");
    if (span_ends(type, SPAN("complex<double>")))
        return SPAN("c128");
    scope = span_rfind(type, ':');
    shown = LOOKUP(elements, scope == SIZE_MAX ? type : span_after(type, scope + 1)).shown;
    return shown ? span_of(shown) : NO_SPAN;
}

bool is_floating(struct span element)
{
    static const char *const names[] = {"fp32", "fp64",    "fp16",    "bf16", "tf32",
                                        "fp8",  "fp8e4m3", "fp8e5m2", "c64",  "c128", NULL};

    return span_is_any(element, names);
}

struct span first_element_type(struct span text, bool is_floating_only)
{
    while (text.len) {
        struct span word = {text.at, 0}, element;

        while (word.len < text.len && (is_word_char(word.at[word.len]) || word.at[word.len] == ':'))
            word.len++;
        element = element_type(word);
        if (element.len && (!is_floating_only || is_floating(element)))
            return element;
        text = span_after(text, word.len ? word.len : 1);
    }
    return NO_SPAN;
}

bool is_constant(struct span argument)
{
    if (span_eq(argument, SPAN("true")) || span_eq(argument, SPAN("false")))
        return true;
    return span_is_digits(span_starts(argument, SPAN("-")) ? span_after(argument, 1) : argument);
}

/* What a container has besides its elements: "std::allocator<T>", "std::less<T>". */
static bool is_policy(struct span argument)
{
    static const char *const starts[] = {"std::allocator<", "std::char_traits<", "std::less<",
                                         "std::hash<", "std::equal_to<", "std::default_delete<", NULL};

    return span_starts_any(argument, starts);
}

struct span type_short(struct span type, struct arena *arena)
{
    char *made = arena_array(arena, type.len + 1, 1);
    size_t len = 0;

    type = without_qualifiers(type);
    for (size_t i = 0; i < type.len;) {
        struct span rest = span_after(type, i);
        size_t word = 0;

        if (span_starts(rest, SPAN("std::basic_string<char"))) {
            memcpy(made + len, "string", 6);
            len += 6;
            i += bracket_end(rest, strlen("std::basic_string")) + 1;
            continue;
        }
        if (rest.at[0] == ',') { /* and what follows it */
            size_t blanks = 1;

            while (blanks < rest.len && rest.at[blanks] == ' ')
                blanks++;
            if (is_policy(span_after(rest, blanks))) {
                size_t open = span_find(rest, SPAN("<"));

                i += bracket_end(rest, open) + 1;
                continue;
            }
            made[len++] = ',';
            i += blanks;
            continue;
        }
        while (word < rest.len && is_word_char(rest.at[word]))
            word++;
        if (word && span_starts(span_after(rest, word), SPAN("::"))) {
            i += word + 2;
            continue;
        }
        if (!word && rest.at[0] == ' ' && rest.len > 1 && strchr("&*>,", rest.at[1])) {
            i++;
            continue;
        }
        word = word ? word : 1;
        memcpy(made + len, rest.at, word);
        len += word;
        i += word;
    }
    return span_trim((struct span){made, len});
}
