/* SPDX-License-Identifier: Apache-2.0 */
/* Loops over elements of PyTorch's, Paddle's and Apex's: what their functor does, to which types, and how the loop
 * reads memory. */
#include "graph/names/name_label.h"

#include <string.h>

#include "base/checked.h"

/* How a loop goes over its elements. */
static const struct {
    const char *name;
    const char *mode; /* "vec": with the number of elements that it reads at once */
} loops[] = {
    {"vectorized_elementwise_kernel", "vec"},
    {"vectorized_templated_elementwise_kernel", "unrolled"},
    {"VectorizedElementwiseKernel", "vec"},
    {"unrolled_elementwise_kernel", "unrolled"},
    {"unrolled_elementwise_kernel_for_multi_outputs", "unrolled"},
    {"elementwise_kernel", "strided"},
    {"elementwise_kernel_manual_unroll", "strided"},
    {"legacy_elementwise_kernel", "strided"},
    {"index_elementwise_kernel", "indexed"},
    {"elementwise_kernel_with_index", ""},
    {"ForRangeElemwiseOp", ""},
    {NULL, NULL},
};

static struct span number_at(struct span arguments, bool is_last, unsigned wanted)
{
    struct span argument, found = NO_SPAN;

    while (next_argument(&arguments, &argument))
        if (span_is_digits(argument) && (is_last || wanted-- == 0)) {
            found = argument;
            if (!is_last)
                break;
        }
    return found;
}

static struct span functor_argument(struct span arguments)
{
    struct span argument;

    while (next_argument(&arguments, &argument))
        if (!is_constant(argument) && !element_type(argument).len)
            return argument;
    return NO_SPAN;
}

/* "lambda#3.12": the numbers of those that the functor is in. */
static struct span lambda_numbers(struct span functor, struct arena *arena)
{
    struct span numbers = NO_SPAN;
    size_t at;

    for (int count = 0; count < 3 && (at = span_find(functor, SPAN("#"))) != SIZE_MAX; count++) {
        functor = span_after(functor, at + 1);
        numbers = JOINED(arena, numbers, numbers.len ? SPAN(".") : SPAN("lambda#"),
                         span_before(functor, span_digits(functor)));
    }
    return numbers;
}

static struct span bytes_of(struct span functor)
{
    size_t at = span_find(functor, SPAN("OpaqueType<"));
    struct span rest = at == SIZE_MAX ? NO_SPAN : span_after(functor, at + strlen("OpaqueType<"));

    return span_before(rest, span_digits(rest));
}

static bool label_elements(struct label *label, const struct name_part *kernel, struct span normal)
{
    const char *mode = LOOKUP(loops, kernel->name).mode;
    struct span functor, bytes, number;
    struct functor_meaning does;

    if (!mode || !kernel->has_arguments || !(functor = functor_argument(kernel->arguments)).len ||
        !functor_operation(functor, &does, label->arena))
        return false;
    if (!does.in.len && strcmp(mode, "indexed") != 0)
        does.in = first_element_type(normal, true);
    does.casts |= span_find(normal, SPAN("WithCast")) != SIZE_MAX;
    label->head = does.name;
    bytes = bytes_of(functor);
    if (strcmp(mode, "indexed") == 0 && bytes.len)
        label_fact(label, LABEL_TYPE, JOINED(label->arena, bytes, SPAN("B")));
    else
        label_types(label, does.in, does.out);
    number = number_at(kernel->arguments, span_eq(kernel->name, SPAN("VectorizedElementwiseKernel")), 0);
    if (strcmp(mode, "vec") != 0)
        label_fact(label, LABEL_MODE, span_of(mode));
    else if (number.len)
        label_fact(label, LABEL_MODE, JOINED(label->arena, SPAN("vec"), number));
    if (does.casts && !does.out.len)
        label_fact(label, LABEL_LAYOUT, SPAN("cast"));
    if (span_ends(kernel->name, SPAN("manual_unroll")))
        label_extra(label, LABEL_SIZE, SPAN("manual_unroll"));
    number = number_at(kernel->arguments, false, 1);
    if (strcmp(mode, "strided") == 0 && number.len)
        label_extra(label, LABEL_ARCH, JOINED(label->arena, number, SPAN("/thread")));
    label_extra(label, LABEL_LAMBDA, lambda_numbers(functor, label->arena));
    label_extra(label, LABEL_FUNCTOR, type_short(functor, label->arena));
    return true;
}

static bool label_reduction(struct label *label, const struct name_part *kernel)
{
    struct span functor, rest, argument, first = NO_SPAN, out = NO_SPAN;
    struct name_parts parts;
    struct functor_meaning does;

    if (!span_eq(kernel->name, SPAN("reduce_kernel")) || !(functor = functor_argument(kernel->arguments)).len ||
        !functor_operation(functor, &does, label->arena))
        return false;
    parts = name_parts(functor, label->arena);
    rest = parts.count ? parts.list[parts.count - 1].arguments : NO_SPAN;
    while (next_argument(&rest, &argument)) {
        struct span element = element_type(argument);

        first = first.len ? first : element;
        if (element.len && !span_eq(element, SPAN("uint32")) && !span_eq(element, SPAN("int32")))
            out = element;
    }
    label->head = does.name;
    label_types(label, first.len ? first : does.in, out);
    label_fact(label, LABEL_MODE, SPAN("reduce"));
    return true;
}

static struct span own_name(struct span type, struct span *arguments, struct arena *arena)
{
    struct name_parts parts = name_parts(type, arena);

    *arguments = parts.count ? parts.list[parts.count - 1].arguments : NO_SPAN;
    return parts.count ? parts.list[parts.count - 1].name : NO_SPAN;
}

/* Optimizers over lists of tensors: the functor after the list's type, or what it applies. */
static bool label_foreach(struct label *label, const struct name_part *kernel)
{
    static const char *const appliers[] = {"PointwiseOp", "BinaryOp", "UnaryOp", "ZeroOp", "TernaryOp", NULL};
    struct span rest = kernel->arguments, metadata, functor, name, arguments, argument, inner = NO_SPAN, ignored;

    if (!span_eq(kernel->name, SPAN("multi_tensor_apply_kernel")) || !next_argument(&rest, &metadata) ||
        !next_argument(&rest, &functor))
        return false;
    name = own_name(functor, &arguments, label->arena);
    while (!inner.len && next_argument(&rest, &argument))
        if (!element_type(argument).len && !is_constant(argument))
            inner = operation_name(own_name(argument, &ignored, label->arena), label->arena);
    label->head = operation_name(name, label->arena);
    if (span_starts_any(name, appliers) && inner.len)
        label->head = span_starts(name, SPAN("Pointwise")) &&
                              (span_eq(inner, SPAN("mul")) || span_eq(inner, SPAN("div")))
                          ? JOINED(label->arena, SPAN("addc"), inner)
                          : inner;
    while (next_argument(&arguments, &argument))
        if (element_type(argument).len) {
            label_fact(label, LABEL_TYPE, element_type(argument));
            break;
        }
    label_fact(label, LABEL_MODE, SPAN("foreach"));
    return true;
}

bool label_loop_kernel(struct label *label, const struct name_part *kernel, struct span normal)
{
    if (!label_elements(label, kernel, normal) && !label_reduction(label, kernel) && !label_foreach(label, kernel))
        return false;
    label_arguments(label, kernel);
    label_parameters(label, kernel, false);
    return true;
}
