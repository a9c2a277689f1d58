/* SPDX-License-Identifier: Apache-2.0 */
/* What labels of all kernels share: types, template arguments, parameters, identifiers without what says nothing. */
#include "graph/names/name_label.h"

#include <string.h>

#include "base/checked.h"

void label_types(struct label *label, struct span in, struct span out)
{
    if (in.len && out.len && !span_eq(in, out))
        label_fact(label, LABEL_TYPE, JOINED(label->arena, in, SPAN("->"), out));
    else
        label_fact(label, LABEL_TYPE, in.len ? in : out);
}

void label_arguments(struct label *label, const struct name_part *part)
{
    struct span rest = part->arguments, argument;

    if (label->is_brief)
        return;
    for (unsigned i = 1; i <= 64 && next_argument(&rest, &argument); i++) {
        struct span element = element_type(argument);

        if (!rest.len && i == 1 && element.len)
            label_extra(label, LABEL_TEMPLATE, element);
        else
            label_extra(label, (enum word_key)(LABEL_TEMPLATE + i - 1),
                        JOINED(label->arena, span_of(arena_printf(label->arena, "T%u=", i)),
                               element.len ? element : type_short(argument, label->arena)));
    }
}

void label_parameters(struct label *label, const struct name_part *part, bool keeps_const)
{
    enum { SHORT_ENOUGH = 28 };
    struct span rest = part->parameters, parameter, text = SPAN("(");
    unsigned count = 0;

    if (!part->has_parameters || label->is_brief)
        return;
    for (; next_argument(&rest, &parameter) && text.len < 4096; count++) {
        struct span type = type_short(parameter, label->arena);

        text = JOINED(label->arena, text, count ? SPAN(",") : SPAN(""), type,
                      keeps_const && span_find(parameter, SPAN("const")) != SIZE_MAX ? SPAN(" const") : SPAN(""),
                      span_ends(parameter, SPAN("*"))   ? SPAN("*")
                      : span_ends(parameter, SPAN("&")) ? SPAN("&")
                                                        : SPAN(""));
    }
    text = JOINED(label->arena, text, SPAN(")"));
    if (text.len > SHORT_ENOUGH)
        label_extra(label, LABEL_PARAMETER_COUNT, span_of(arena_printf(label->arena, "(%u args)", count)));
    label_extra(label, LABEL_PARAMETERS, text);
}

struct span kernel_identifier(struct span name)
{
    static const struct span middles[] = {LITERAL("_cuda_kernel"), LITERAL("CUDAKernel"), LITERAL("_kernel_val"),
                                          LITERAL("_kernel"), LITERAL("Kernel")};
    static const struct span endings[] = {LITERAL("_vectorized"), LITERAL("_impl"), LITERAL("_vec"), LITERAL("")};
    static const struct span begins[] = {LITERAL("vectorized_"), LITERAL("cunn_")};
    struct span shorter = name;

    if (name.len < 9)
        return name;
    for (size_t i = 0; i < COUNT_OF(middles) && shorter.len == name.len; i++)
        for (size_t k = 0; k < COUNT_OF(endings) && shorter.len == name.len; k++) {
            struct span front = name;

            if (!span_ends(name, endings[k]))
                continue;
            front.len -= endings[k].len;
            if (span_ends(front, middles[i]))
                shorter.len = front.len - middles[i].len;
        }
    for (size_t i = 0; i < COUNT_OF(begins); i++)
        if (span_starts(shorter, begins[i]) && shorter.len >= begins[i].len + 6)
            shorter = span_after(shorter, begins[i].len);
    return shorter.len > 2 && !span_eq(shorter, SPAN("global")) ? shorter : name;
}

struct span identifier_fitting(struct span name, struct arena *arena)
{
    static const struct span words[][2] = {
        {LITERAL("embedding"), LITERAL("emb")},       {LITERAL("backward"), LITERAL("bwd")},
        {LITERAL("forward"), LITERAL("fwd")},         {LITERAL("codegen_"), LITERAL("")},
        {LITERAL("unweighted"), LITERAL("unw")},      {LITERAL("weighted"), LITERAL("wtd")},
        {LITERAL("_kernel"), LITERAL("")},            {LITERAL("gradient"), LITERAL("grad")},
        {LITERAL("statistics"), LITERAL("stats")},    {LITERAL("transform_input"), LITERAL("apply")},
        {LITERAL("reduction"), LITERAL("reduce")},    {LITERAL("elementwise"), LITERAL("elem")},
        {LITERAL("temperature"), LITERAL("temp")},    {LITERAL("configuration"), LITERAL("config")}};

    if (name.len <= LABEL_WIDTH)
        return name;
    for (size_t i = 0; i < COUNT_OF(words) && name.len > 32; i++) {
        size_t at;

        while ((at = span_find(name, words[i][0])) != SIZE_MAX)
            name = JOINED(arena, span_before(name, at), words[i][1], span_after(name, at + words[i][0].len));
    }
    return name;
}

/* ---- among template arguments ---- */

bool nth_number(struct span arguments, unsigned wanted, struct span *number)
{
    struct span argument;

    while (next_argument(&arguments, &argument))
        if (span_is_digits(argument) && wanted-- == 0) {
            *number = argument;
            return true;
        }
    return false;
}

struct span first_type_among(struct span arguments, bool is_floating_only)
{
    struct span argument, element;

    while (next_argument(&arguments, &argument)) {
        element = element_type(argument);
        if (element.len && (!is_floating_only || is_floating(element)))
            return element;
    }
    return NO_SPAN;
}

struct span last_part_name(struct span type, struct span *arguments, struct arena *arena)
{
    struct name_parts parts = name_parts(type, arena);

    *arguments = NO_SPAN;
    if (!parts.count)
        return NO_SPAN;
    *arguments = parts.list[parts.count - 1].arguments;
    return parts.list[parts.count - 1].name;
}

struct span word_after(struct span text, struct span mark)
{
    size_t at = span_find(text, mark), len = 0;

    if (at == SIZE_MAX)
        return NO_SPAN;
    text = span_after(text, at + mark.len);
    while (len < text.len && is_word_char(text.at[len]))
        len++;
    return span_before(text, len);
}

void label_details(struct label *label, const struct name_part *part, struct span scope)
{
    label_arguments(label, part);
    label_parameters(label, part, false);
    label_extra(label, LABEL_SCOPE, scope);
}
