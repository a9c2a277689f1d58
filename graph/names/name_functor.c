/* SPDX-License-Identifier: Apache-2.0 */
/* What a functor does: the operation and the types of the loop over elements that it is the argument of. */
#include "graph/names/name_label.h"

#include <string.h>

#include "base/checked.h"

/* ---- names of operations ---- */

static const struct {
    const char *identifier, *operation;
} operations[] = {
    {"CUDAFunctor_add", "add"},
    {"CUDAFunctorOnSelf_add", "add_scalar"},
    {"CUDAFunctorOnOther_add", "add_scalar"},
    {"direct_copy_kernel_cuda", "copy"},
    {"bfloat16_copy_kernel_cuda", "copy"},
    {"float16_copy_kernel_cuda", "copy"},
    {"float8_copy_kernel_cuda", "copy"},
    {"bfloat16tofloat32_copy_kernel_cuda", "copy"},
    {"float16tofloat32_copy_kernel_cuda", "copy"},
    {"copy_device_to_device", "copy"},
    {"GeluCUDAKernelImpl", "gelu"},
    {"GeluBackwardCUDAKernelImpl", "gelu_backward"},
    {"pow_tensor_scalar_kernel_impl", "pow_scalar"},
    {"NormTwoOps", "norm2"},
    {"MaxNanFunctor", "max"},
    {"MinNanFunctor", "min"},
    {"CompareEqFunctor", "eq"},
    {"ArgMaxOps", "argmax"},
    {"ArgMinOps", "argmin"},
    {"plus", "add"},
    {"multiplies", "mul"},
    {"divides", "div"},
    {"minus", "sub"},
    {"UnaryOpFunctor", "unary"},
    {"launch_clamp_scalar", "clamp_scalar"},
    {"WelfordOps", "var_welford"},
    {NULL, NULL},
};

/* "MulFunctor" → "Mul": what only says that it does something. */
static struct span without_role(struct span name)
{
    static const struct span endings[] = {
        LITERAL("_kernel_impl_internal"), LITERAL("_kernel_cuda"), LITERAL("_kernel_impl"), LITERAL("_kernel_gpu"), LITERAL("CUDAKernelImpl"),
        LITERAL("KernelImpl"), LITERAL("_cuda_kernel"), LITERAL("_kernel_vectorized"), LITERAL("_kernel"),
        LITERAL("_cuda_out"), LITERAL("_cuda"), LITERAL("_gpu"), LITERAL("_impl"), LITERAL("Kernel"),
        LITERAL("MathFunctor"), LITERAL("Functors"), LITERAL("Functor"), LITERAL("_functor"), LITERAL("Ops"), LITERAL("Op")};
    static const struct span begins[] = {LITERAL("CUDAFunctor_"), LITERAL("Cuda"), LITERAL("CUDA"), LITERAL("vectorized_")};

    for (int round = 0; round < 4; round++)
        for (size_t i = 0; i < COUNT_OF(endings); i++)
            if (span_ends(name, endings[i]) && name.len > endings[i].len) {
                name.len -= endings[i].len;
                break;
            }
    for (size_t i = 0; i < COUNT_OF(begins); i++)
        if (span_starts(name, begins[i]) && name.len > begins[i].len) {
            name = span_after(name, begins[i].len);
            break;
        }
    for (size_t i = 0; i < 2; i++) {
        struct span ending = i ? SPAN("Impl") : SPAN("Math");

        if (span_ends(name, ending) && name.len > ending.len)
            name.len -= ending.len;
    }
    return name;
}

/* "FusedAdam" → "fused_adam"; what has capitals alone stays. */
static struct span snake_case(struct span name, struct arena *arena)
{
    char *made = arena_array(arena, 2 * name.len + 1, 1);
    size_t len = 0;
    bool is_camel = name.len > 1 && is_upper_letter(name.at[0]) && is_lower_letter(name.at[1]);

    for (size_t i = 0; i + 1 < name.len; i++)
        is_camel |= is_lower_letter(name.at[i]) && is_upper_letter(name.at[i + 1]);
    if (!is_camel)
        return name;
    for (size_t i = 0; i < name.len; i++) {
        if (i && is_upper_letter(name.at[i]) && (is_lower_letter(name.at[i - 1]) || is_digit(name.at[i - 1])))
            made[len++] = '_';
        made[len++] = (char)(is_upper_letter(name.at[i]) ? name.at[i] + 'a' - 'A' : name.at[i]);
    }
    return (struct span){made, len};
}

struct span operation_name(struct span identifier, struct arena *arena)
{
    const char *operation = LOOKUP(operations, identifier).operation;
    size_t at;

    if (operation)
        return span_of(operation);
    at = span_find(identifier, SPAN("CUDAKernelImpl_"));
    if (at != SIZE_MAX)
        identifier = JOINED(arena, span_before(identifier, at), SPAN("_"),
                            span_after(identifier, at + strlen("CUDAKernelImpl_")));
    identifier = without_role(identifier);
    if (span_ends(identifier, SPAN("Grad")) && identifier.len > 4)
        identifier = JOINED(arena, span_before(identifier, identifier.len - 4), SPAN("_grad"));
    return snake_case(identifier, arena);
}

/* ---- functors ---- */

/* What only passes another functor on. */
static bool passes_on(struct span name)
{
    static const char *const names[] = {
        "gpu_kernel_impl", "gpu_kernel_impl_nocast", "func_wrapper_t", "BinaryFunctor", "AUnaryFunctor",
        "BUnaryFunctor", "UnaryFunctor", "ReduceOp", "array", "Array", "opmath_gpu_kernel_with_scalars",
        "opmath_symmetric_gpu_kernel_with_scalars", "gpu_index_kernel", "apply",
        "type_specialized_broadcast_kernel_launcher", NULL};

    return span_is_any(name, names);
}

static bool is_scope_alone(const struct name_part *part)
{
    static const char *const names[] = {"at", "native", "binary_internal", "std", "c10", "phi", "funcs", "detail",
                                        "fbgemm_gpu", "apex", "cuda", "operators", "paddle", "internal", "templates", NULL};

    return !part->has_arguments && !part->has_parameters && span_is_any(part->name, names);
}

/* The type of the last lambda's parameter: the second where the first is a truth. */
static struct span lambda_type(const struct name_parts *parts)
{
    struct span in = NO_SPAN;

    for (uint32_t i = 0; i < parts->count; i++) {
        struct span name = parts->list[i].name, rest, parameter, types[2] = {NO_SPAN, NO_SPAN};
        uint32_t count = 0;
        size_t end;

        if (!span_starts(name, SPAN("{lambda(")))
            continue;
        end = bracket_end(name, strlen("{lambda"));
        rest = span_before(span_after(name, strlen("{lambda(")), end - strlen("{lambda("));
        while (count < 2 && next_argument(&rest, &parameter))
            if (element_type(parameter).len)
                types[count++] = element_type(parameter);
        in = count == 2 && span_eq(types[0], SPAN("bool")) ? types[1] : types[0];
    }
    return in;
}

/* The functor among the arguments of one that passes it on: neither a type of an element nor a number. */
static struct span inner_functor(struct span arguments, struct span *first, struct span *last)
{
    struct span inner = NO_SPAN, argument;

    *first = *last = NO_SPAN;
    while (next_argument(&arguments, &argument)) {
        struct span element = element_type(argument);

        if (element.len) {
            *first = first->len ? *first : element;
            *last = element;
        } else if (!inner.len && !is_constant(argument)) {
            inner = argument;
        }
    }
    return inner;
}

/* Of a function's own name. */
static void operation_of_part(const struct name_part *part, struct span lambda, struct functor_meaning *operation,
                              struct arena *arena)
{
    static const struct {
        const char *begin, *out;
    } copies[] = {{"bfloat16tofloat32", "fp32"}, {"float16tofloat32", "fp32"}, {"bfloat16_copy", "bf16"},
                  {"float16_copy", "fp16"},      {"float8_copy", "fp8"}};
    struct span rest = part->arguments, argument;

    operation->name = operation_name(part->name, arena);
    operation->in = lambda;
    while (!operation->in.len && next_argument(&rest, &argument))
        operation->in = element_type(argument);
    for (size_t i = 0; i < COUNT_OF(copies); i++)
        if (span_starts(part->name, span_of(copies[i].begin)))
            operation->out = span_of(copies[i].out);
}

bool functor_operation(struct span argument, struct functor_meaning *operation, struct arena *arena)
{
    enum { WRAPPERS_MAX = 8 };
    struct name_part wrappers[WRAPPERS_MAX];
    struct span lambdas[WRAPPERS_MAX];
    uint32_t depth = 0;
    bool is_found = false;

    *operation = (struct functor_meaning){0};
    while (!is_found) {
        struct name_parts parts;
        struct span lambda, inner = NO_SPAN, first, last;
        uint32_t i = 0;

        if (span_starts(argument, SPAN("void ")))
            argument = span_after(argument, 5);
        parts = name_parts(argument, arena);
        lambda = lambda_type(&parts);
        for (; i < parts.count && !is_found && !inner.len; i++) {
            const struct name_part *part = &parts.list[i];

            if (span_starts(part->name, SPAN("{")) || span_starts(part->name, SPAN("operator")) ||
                is_scope_alone(part))
                continue;
            if (passes_on(part->name)) {
                inner = inner_functor(part->arguments, &first, &last);
                operation->casts |= span_eq(part->name, SPAN("gpu_kernel_impl"));
                if (!inner.len || depth == WRAPPERS_MAX)
                    inner.len = 0;
                else {
                    wrappers[depth] = *part;
                    lambdas[depth++] = lambda;
                }
                continue;
            }
            operation_of_part(part, lambda, operation, arena);
            is_found = true;
        }
        if (!is_found && !inner.len)
            return false;
        argument = inner;
    }
    while (depth-- > 0) { /* what wraps it may know its types */
        const struct name_part *part = &wrappers[depth];
        bool is_functor = span_ends(part->name, SPAN("Functor")), first_known;
        struct span first, last;

        inner_functor(part->arguments, &first, &last);
        first_known = first.len && (is_functor || span_eq(part->name, SPAN("func_wrapper_t")) ||
                                    span_eq(part->name, SPAN("ReduceOp")));
        if ((span_eq(part->name, SPAN("AUnaryFunctor")) || span_eq(part->name, SPAN("BUnaryFunctor"))) &&
            !span_ends(operation->name, SPAN("_scalar")))
            operation->name = JOINED(arena, operation->name, SPAN("_scalar"));
        if (first_known && !span_eq(part->name, SPAN("UnaryFunctor"))) {
            operation->in = first;
            operation->out = is_functor ? last : operation->out;
        } else if (!operation->in.len && !span_starts(part->name, SPAN("gpu_kernel"))) {
            operation->in = lambdas[depth];
        }
    }
    return true;
}
