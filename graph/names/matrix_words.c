/* SPDX-License-Identifier: Apache-2.0 */
#include "graph/names/matrix_words.h"

#include <string.h>

bool holds_word(struct span text, struct span wanted)
{
    struct span word;

    while (next_name_word(&text, &word))
        if (span_eq(word, wanted))
            return true;
    return false;
}

struct span numbered_word(struct span text, struct span begin)
{
    struct span word;

    while (next_name_word(&text, &word))
        if (span_starts(word, begin) && word.len > begin.len && is_digit(word.at[begin.len]))
            return span_after(word, begin.len);
    return NO_SPAN;
}

bool is_layout(struct span word, bool is_long)
{
    if (word.len < 2 || word.len > (is_long ? 4u : 2u))
        return false;
    for (size_t i = 0; i < word.len; i++)
        if (!strchr(is_long ? "TNtn" : "tn", word.at[i]))
            return false;
    return true;
}

bool is_image_layout(struct span word)
{
    static const char *const names[] = {"nhwc", "nchw", "ndhwc", "ncdhw", NULL};

    return span_is_any(word, names);
}

static const struct short_type short_types[] = {
    {"bf16", "bf16"},    {"fp16", "fp16"}, {"f16", "fp16"}, {"fp32", "fp32"},    {"f32", "fp32"},
    {"tf32", "tf32"},    {"f64", "fp64"},  {"s8", "int8"},  {"i8", "int8"},      {"u8", "uint8"},
    {"e4m3", "fp8e4m3"}, {"e5m2", "fp8e5m2"}, {"f8", "fp8"}, {NULL, NULL},
};

struct span type_at_begin(struct span word)
{
    for (size_t i = 0; short_types[i].letters; i++)
        if (span_starts(word, span_of(short_types[i].letters)))
            return span_of(short_types[i].shown);
    return NO_SPAN;
}

struct span type_of_word(struct span word)
{
    const char *shown = LOOKUP(short_types, word).shown;

    return shown ? span_of(shown) : NO_SPAN;
}

struct span type_of_letters(struct span letters, bool is_tensor)
{
    static const struct short_type letter_types[] = {
        {"s", "fp32"},  {"h", "fp16"}, {"hs", "fp16"}, {"d", "fp64"},  {"c", "c64"}, {"gc", "c64"},
        {"cg", "c64"},  {"z", "c128"}, {"i", "int8"},  {"f", "fp32"},  {"b", "bf16"}, {NULL, NULL},
    };
    const char *shown = LOOKUP(letter_types, letters).shown;

    if (is_tensor && span_eq(letters, SPAN("s")))
        return SPAN("tf32"); /* the tensor cores' way with FP32 */
    return shown ? span_of(shown) : NO_SPAN;
}

void label_epilogues(struct label *label, struct span words)
{
    static const struct span names[] = {LITERAL("relu"), LITERAL("gelu"), LITERAL("dgelu"), LITERAL("bias"),
                                        LITERAL("silu"), LITERAL("swiglu")};
    char lower[256];
    size_t len = words.len < sizeof(lower) ? words.len : sizeof(lower);

    for (size_t i = 0; i < len; i++)
        lower[i] = (char)(is_upper_letter(words.at[i]) ? words.at[i] + 'a' - 'A' : words.at[i]);
    for (size_t i = 0; i < COUNT_OF(names); i++)
        if (holds_word((struct span){lower, len}, names[i]))
            label_fact(label, (enum word_key)(LABEL_EPILOGUE), names[i]);
    if (span_find((struct span){lower, len}, SPAN("splitk")) != SIZE_MAX ||
        span_find((struct span){lower, len}, SPAN("split_k")) != SIZE_MAX)
        label_fact(label, LABEL_EPILOGUE, SPAN("splitk"));
}

void label_numbered(struct label *label, enum word_key key, struct span words, struct span begin, struct span shown)
{
    struct span number = numbered_word(words, begin);

    if (number.len)
        label_extra(label, key, JOINED(label->arena, shown, number));
}
