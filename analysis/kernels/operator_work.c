/* SPDX-License-Identifier: Apache-2.0 */
/* operator_work.c — FLOPs and bytes of operators by the shapes of their inputs: products, convolutions, attention, experts */
#include "analysis/kernels/work.h"

#include <math.h>

#include "base/checked.h"

/* Formulas: PyTorch's flop_counter and the usual counts of the literature. Sizes come from the
 * file, so products are made in double and cut at the end. */

typedef bool formula(const struct operator_call *call, uint32_t first, struct sizes *sizes);

/* ---- helpers ---- */

static double size_at(const struct operand *dims, uint32_t from_end)
{
    return (double)dims->number[dims->count - 1 - from_end];
}

static bool is_true(const struct operator_call *call, uint32_t at)
{
    const struct operand *flag = input_at(call->values, at);

    return flag->kind == INPUT_FLAGS && flag->count == 1 && flag->number[0];
}

/* ---- products of matrices ---- */

/* (…, m, k) by (…, k, n): the leading sizes of the larger are the batch. */
static bool product(const struct operator_call *call, uint32_t first, struct sizes *sizes)
{
    const struct operand *a = work_input(call, first), *b = work_input(call, first + 1);

    if (a->count < 2 || b->count < 2 || size_at(a, 0) != size_at(b, 1))
        return false;

    double k = size_at(a, 0), m = size_at(a, 1), n = size_at(b, 0), one_a = m * k, one_b = k * n;
    double batch_a = one_a > 0 ? work_count(a) / one_a : 0;
    double batch_b = one_b > 0 ? work_count(b) / one_b : 0;
    double batch = batch_a > batch_b ? batch_a : batch_b;

    sizes->flops = 2 * batch * m * n * k;
    sizes->elements = work_count(a) + work_count(b) + batch * m * n;
    sizes->problem =
        (struct problem){.kind = PROBLEM_PRODUCT, .m = m, .n = n, .k = k, .batch = batch};
    return true;
}

/* The matrix that is added comes first. */
static bool product_and_sum(const struct operator_call *call, uint32_t first, struct sizes *sizes)
{
    if (!product(call, first + 1, sizes))
        return false;
    sizes->elements += work_count(work_input(call, first));
    return true;
}

/* x[…, k] by w[n, k], and a bias. */
static bool linear(const struct operator_call *call, uint32_t first, struct sizes *sizes)
{
    const struct operand *x = work_input(call, first), *w = work_input(call, first + 1);

    if (x->count < 1 || w->count != 2 || size_at(x, 0) != size_at(w, 0) || size_at(x, 0) == 0)
        return false;

    double rows = work_count(x) / size_at(x, 0), n = size_at(w, 1);

    sizes->flops = 2 * rows * size_at(x, 0) * n;
    sizes->elements =
        work_count(x) + work_count(w) + work_count(work_input(call, first + 2)) + rows * n;
    sizes->problem = (struct problem){
        .kind = PROBLEM_PRODUCT, .m = rows, .n = n, .k = size_at(x, 0), .batch = 1};
    return true;
}

/* ---- convolutions ---- */

/* Where an operator has what describes it among its inputs. */
struct window {
    uint32_t stride, padding, dilation;
    uint32_t transposed; /* then come extra padding and groups; 0: it never is */
};

/* The size of one output dimension; 0 when it cannot be. */
static double out_size(double in, double kernel, double stride, double padding, double dilation)
{
    double reach = in + 2 * padding - dilation * (kernel - 1) - 1;

    return reach < 0 || stride < 1 ? 0 : floor(reach / stride) + 1;
}

/* Numbers that one of the inputs is; NULL where it is none. */
static const struct operand *numbers_at(const struct operator_call *call, uint32_t at)
{
    const struct operand *numbers = input_at(call->values, at);

    return numbers->kind == INPUT_NUMBERS ? numbers : NULL;
}

/* One for each of `count` dimensions, or one for all of them. */
static const struct operand *per_dimension(const struct operator_call *call, uint32_t at,
                                           uint32_t count)
{
    const struct operand *numbers = numbers_at(call, at);

    return numbers && (numbers->count == count || numbers->count == 1) ? numbers : NULL;
}

static double nth(const struct operand *dims, uint32_t at)
{
    return (double)dims->number[dims->count == 1 ? 0 : at];
}

/* As a product for each of its groups: output positions by channels of the output, summed over
 * `k`. */
static struct problem convolution_problem(const struct operand *x, const struct operand *w,
                                          double out, double out_channels, double groups, double k)
{
    struct problem problem = {.kind = PROBLEM_CONVOLUTION,
                              .m = out_channels > 0 ? out / out_channels : 0,
                              .n = groups > 0 ? out_channels / groups : 0,
                              .k = k,
                              .batch = groups,
                              .channels = (double)x->number[1],
                              .is_depthwise = groups > 1 && groups == (double)x->number[1],
                              .is_pointwise = true};

    for (uint32_t i = 2; i < w->count; i++) {
        problem.is_asymmetric |= w->number[i] != w->number[2];
        problem.is_pointwise &= w->number[i] == 1;
    }
    return problem;
}

static bool has_other_than(const struct operand *numbers, int64_t number)
{
    for (uint32_t i = 0; i < numbers->count; i++)
        if (numbers->number[i] != number)
            return true;
    return false;
}

/* 2 · elements of the input · what each of them is spread to. */
static bool transposed_convolution(const struct operator_call *call, uint32_t first,
                                   const struct window *at, struct sizes *sizes)
{
    const struct operand *x = work_input(call, first), *w = work_input(call, first + 1);
    const struct operand *stride = per_dimension(call, at->stride, x->count - 2);
    const struct operand *padding = per_dimension(call, at->padding, x->count - 2);
    const struct operand *dilation = per_dimension(call, at->dilation, x->count - 2);
    const struct operand *extra = per_dimension(call, at->transposed + 1, x->count - 2);
    const struct operand *groups = per_dimension(call, at->transposed + 2, 1);

    if (!stride || !padding || !dilation || !extra || !groups)
        return false;

    double out = (double)x->number[0] * (double)w->number[1] * (double)groups->number[0];

    for (uint32_t i = 2; i < x->count; i++)
        out *= ((double)x->number[i] - 1) * nth(stride, i - 2) - 2 * nth(padding, i - 2) +
               nth(dilation, i - 2) * ((double)w->number[i] - 1) + nth(extra, i - 2) + 1;
    sizes->flops = 2 * work_count(x) * work_count(w) / (double)w->number[0];
    sizes->elements = work_count(x) + work_count(w) + out;
    sizes->problem = convolution_problem(
        x, w, out, (double)w->number[1] * (double)groups->number[0], (double)groups->number[0],
        work_count(w) / (double)w->number[0] / (double)w->number[1] * (double)x->number[1] /
            (double)groups->number[0]);
    sizes->problem.is_transposed = true;
    sizes->problem.is_pointwise = false;
    sizes->problem.is_dilated = has_other_than(dilation, 1);
    return out > 0;
}

/* 2 · elements of the output · what each of them is summed from. */
static bool convolution_at(const struct operator_call *call, uint32_t first,
                           const struct window *at, struct sizes *sizes)
{
    const struct operand *x = work_input(call, first), *w = work_input(call, first + 1);
    const struct operand *stride, *padding, *dilation;

    if (x->count < 3 || w->count != x->count || w->number[0] == 0 || x->number[1] == 0)
        return false;
    if (at->transposed && is_true(call, at->transposed))
        return transposed_convolution(call, first, at, sizes);
    stride = per_dimension(call, at->stride, x->count - 2);
    padding = per_dimension(call, at->padding, x->count - 2);
    dilation = per_dimension(call, at->dilation, x->count - 2);
    if (!stride || !padding || !dilation)
        return false;

    double out = (double)x->number[0] * (double)w->number[0];

    for (uint32_t i = 2; i < x->count; i++)
        out *= out_size((double)x->number[i], (double)w->number[i], nth(stride, i - 2),
                        nth(padding, i - 2), nth(dilation, i - 2));
    sizes->flops = 2 * out * work_count(w) / (double)w->number[0];
    sizes->elements = work_count(x) + work_count(w) + out;
    sizes->problem =
        convolution_problem(x, w, out, (double)w->number[0],
                            w->number[1] ? (double)x->number[1] / (double)w->number[1] : 0,
                            work_count(w) / (double)w->number[0]);
    sizes->problem.is_pointwise &= !has_other_than(stride, 1) && !has_other_than(padding, 0);
    sizes->problem.is_dilated = has_other_than(dilation, 1);
    return true;
}

static bool convolution(const struct operator_call *call, uint32_t first, struct sizes *sizes)
{
    static const struct window at = {3, 4, 5, 6};

    return convolution_at(call, first, &at, sizes);
}

static bool plain_convolution(const struct operator_call *call, uint32_t first, struct sizes *sizes)
{
    static const struct window at = {3, 4, 5, 0};

    return convolution_at(call, first, &at, sizes);
}

static bool cudnn_convolution(const struct operator_call *call, uint32_t first, struct sizes *sizes)
{
    static const struct window at = {3, 2, 4, 0};

    return convolution_at(call, first, &at, sizes);
}

/* A bias stands before the window. */
static bool miopen_convolution(const struct operator_call *call, uint32_t first,
                               struct sizes *sizes)
{
    static const struct window at = {4, 3, 5, 0};

    return convolution_at(call, first, &at, sizes);
}

/* Gradients of the input and of the weight, as far as they are asked for: each as much work as the
 * forward pass, whose output has the shape of the gradient that comes in, and each reads two of
 * the three and writes the third. */
static bool convolution_backward(const struct operator_call *call, uint32_t first,
                                 struct sizes *sizes)
{
    const struct operand *grad = work_input(call, first), *x = work_input(call, first + 1),
                         *w = work_input(call, first + 2);
    const struct operand *mask = input_at(call->values, 10); /* input, weight, bias */
    double passes = 0;

    if (grad->count < 3 || w->count != grad->count || x->count != grad->count || !w->number[0] ||
        mask->kind != INPUT_FLAGS)
        return false;
    for (uint32_t i = 0; i < 2 && i < mask->count; i++)
        passes += (double)mask->number[i];
    if (passes == 0)
        return false;

    bool is_transposed = is_true(call, 7);

    sizes->flops =
        passes * 2 * work_count(is_transposed ? x : grad) * work_count(w) / (double)w->number[0];
    sizes->elements = passes * (work_count(grad) + work_count(x) + work_count(w));
    return true;
}

/* One gradient, from the gradient of the output and a tensor of the weight's shape. */
static bool one_gradient(const struct operand *grad, const struct operand *w, struct sizes *sizes)
{
    if (grad->count < 3 || w->count != grad->count || !w->number[0])
        return false;
    sizes->flops = 2 * work_count(grad) * work_count(w) / (double)w->number[0];
    return true;
}

/* PyTorch before 1.11: the sizes of what is wanted, the gradient, the weight. */
static bool input_gradient(const struct operator_call *call, uint32_t first, struct sizes *sizes)
{
    const struct operand *grad = work_input(call, first + 1), *w = work_input(call, first + 2);

    sizes->elements = 0; /* those of the input do not stand there */
    return one_gradient(grad, w, sizes);
}

/* The operator around it and its sibling, which does not know the weight's shape: of the kernels
 * that are not the input gradient's own, this is the work. */
static bool weight_gradient(const struct operator_call *call, uint32_t first, struct sizes *sizes)
{
    const struct operand *x = work_input(call, first), *grad = work_input(call, first + 1),
                         *w = work_input(call, first + 2);

    sizes->elements = work_count(x) + work_count(grad) + work_count(w);
    return x->count == grad->count && one_gradient(grad, w, sizes);
}

/* ---- attention: (batch, heads, positions, depth) ---- */

static bool attention(const struct operator_call *call, uint32_t first, struct sizes *sizes)
{
    const struct operand *q = work_input(call, first), *k = work_input(call, first + 1),
                         *v = work_input(call, first + 2);

    if (q->count != 4 || k->count != 4 || v->count != 4 || q->number[3] != k->number[3] ||
        k->number[2] != v->number[2])
        return false;

    double pairs =
        (double)q->number[0] * (double)q->number[1] * (double)q->number[2] * (double)k->number[2];
    double out = work_count(q) / (q->number[3] ? (double)q->number[3] : 1) * (double)v->number[3];

    sizes->flops = 2 * pairs * (double)(q->number[3] + v->number[3]);
    sizes->elements = work_count(q) + work_count(k) + work_count(v) + out;
    sizes->problem = (struct problem){.kind = PROBLEM_ATTENTION,
                                      .m = (double)q->number[2],
                                      .n = (double)k->number[2],
                                      .batch = (double)q->number[0] * (double)q->number[1],
                                      .depth = (double)q->number[3]};
    return true;
}

/* A causal mask of a square leaves half. */
static bool causal_at(const struct operator_call *call, uint32_t first, uint32_t causal,
                      struct sizes *sizes)
{
    if (!attention(call, first, sizes))
        return false;
    if (is_true(call, causal) &&
        work_input(call, first)->number[2] == work_input(call, first + 1)->number[2])
        sizes->flops /= 2;
    return true;
}

static bool flash_attention(const struct operator_call *call, uint32_t first, struct sizes *sizes)
{
    return causal_at(call, first, 4, sizes);
}

static bool efficient_attention(const struct operator_call *call, uint32_t first,
                                struct sizes *sizes)
{
    return causal_at(call, first, 6, sizes);
}

/* Five products instead of two, one of them done again; the inputs' gradients are written. */
static bool backward_at(const struct operator_call *call, uint32_t first, uint32_t causal,
                        struct sizes *sizes)
{
    if (!causal_at(call, first + 1, causal, sizes))
        return false;
    sizes->flops *= 2.5;
    sizes->problem = (struct problem){.kind = PROBLEM_OTHER};
    sizes->elements = 2 * sizes->elements;
    return true;
}

static bool attention_backward(const struct operator_call *call, uint32_t first,
                               struct sizes *sizes)
{
    return backward_at(call, first, 11, sizes);
}

static bool cudnn_attention_backward(const struct operator_call *call, uint32_t first,
                                     struct sizes *sizes)
{
    return backward_at(call, first, 14, sizes);
}

/* ---- mixtures of experts ---- */

/* Tokens [t, h], weights of all experts [e, i, h] and [e, h, j], each token's choice [t, c]. Tokens
 * that choose at random touch e (1 - (1 - c/e)^t) of the experts, whose weights are read: the bracket is
 * from those that one token chooses to those that all may. */
static bool experts(const struct operator_call *call, uint32_t first, struct sizes *sizes)
{
    const struct operand *x = work_input(call, first), *in = work_input(call, first + 1),
                         *out = work_input(call, first + 2), *choice = work_input(call, first + 3);

    if (x->count != 2 || in->count != 3 || out->count != 3 || choice->count != 2 ||
        in->number[0] != out->number[0] || in->number[2] != x->number[1] ||
        out->number[1] != x->number[1] || in->number[0] <= 0 || choice->number[1] <= 0 ||
        choice->number[1] > in->number[0])
        return false;

    double tokens = (double)x->number[0], all = (double)in->number[0];
    double chosen = (double)choice->number[1];
    double weights = (work_count(in) + work_count(out)) / all;
    double touched = all * (1 - pow(1 - chosen / all, tokens));
    double weight_bytes = (double)work_element(call, first + 1).bytes;

    sizes->flops = 2 * tokens * chosen * weights;
    sizes->bytes = touched * weights * weight_bytes +
                   2 * work_count(x) * (double)work_element(call, first).bytes;
    sizes->weights_low = fmin(chosen, all) * weights * weight_bytes;
    sizes->weights_high = fmin(all, tokens * chosen) * weights * weight_bytes;
    sizes->has_low = true;
    sizes->low_flops = sizes->flops;
    sizes->low_bytes =
        sizes->weights_low + 2 * work_count(x) * (double)work_element(call, first).bytes;
    sizes->problem =
        (struct problem){.kind = PROBLEM_EXPERTS, .tokens = tokens, .batch = all, .chosen = chosen};
    return true;
}

/* ---- by kind ---- */

static formula *const formulas[] = {
    [OPERATOR_PRODUCT] = product,
    [OPERATOR_PRODUCT_AND_SUM] = product_and_sum,
    [OPERATOR_LINEAR] = linear,
    [OPERATOR_CONVOLUTION] = convolution,
    [OPERATOR_PLAIN_CONVOLUTION] = plain_convolution,
    [OPERATOR_CUDNN_CONVOLUTION] = cudnn_convolution,
    [OPERATOR_MIOPEN_CONVOLUTION] = miopen_convolution,
    [OPERATOR_CONVOLUTION_BACKWARD] = convolution_backward,
    [OPERATOR_WEIGHT_GRADIENT] = weight_gradient,
    [OPERATOR_INPUT_GRADIENT] = input_gradient,
    [OPERATOR_FLASH_ATTENTION] = flash_attention,
    [OPERATOR_EFFICIENT_ATTENTION] = efficient_attention,
    [OPERATOR_ATTENTION_BACKWARD] = attention_backward,
    [OPERATOR_CUDNN_ATTENTION_BACKWARD] = cudnn_attention_backward,
    [OPERATOR_EXPERTS] = experts,
};

static bool find_sizes(const struct operator_call *call, struct sizes *sizes)
{
    enum operator_kind kind = call->operator.kind;

    return kind < COUNT_OF(formulas) && formulas[kind] ? formulas[kind](call, 0, sizes)
                                                       : elements_sizes(call, sizes) || serving_sizes(call, sizes) || packed_sizes(call, sizes);
}

/* The type of the first input whose type is known. */
static struct element first_element(const struct operator_call *call)
{
    struct element element = {.precision = PRECISION_UNKNOWN};

    if (call->operator.at) /* inputs before it may be outputs, or places */
        element = work_element(call, call->operator.at);
    for (uint32_t i = 0; call->shapes && i < call->shapes->count && !element.bytes; i++)
        element = work_element(call, i);
    return element;
}

bool operator_work(const struct operator_call *call, struct work *work)
{
    struct element element = first_element(call);
    struct sizes sizes = {0};

    if (!find_sizes(call, &sizes))
        return false;
    *work = (struct work){.flops = checked_whole(sizes.flops),
                          .bytes = checked_whole(sizes.bytes),
                          .precision = element.precision,
                          .problem = sizes.problem};
    work->problem.element_bytes = (uint8_t)element.bytes;
    if (sizes.problem.kind == PROBLEM_PRODUCT && element.bytes == 1 &&
        element.precision == PRECISION_UNKNOWN)
        work->precision = PRECISION_INT8;
    if (call->operator.kind == OPERATOR_PRODUCT_OF_4_BITS)
        work->precision = PRECISION_FP8; /* of the peaks that are known the nearest */
    if (element.bytes && sizes.bytes <= 0)
        work->bytes = checked_whole(sizes.elements * (double)element.bytes);
    if (sizes.problem.kind == PROBLEM_PRODUCT && sizes.weights_high <= 0)
        sizes.weights_low = sizes.weights_high =
            sizes.problem.batch * sizes.problem.n * sizes.problem.k * (double)element.bytes;
    work->is_least = sizes.is_least;
    work->flops_low = sizes.has_low ? checked_whole(sizes.low_flops) : work->flops;
    work->bytes_low = sizes.has_low ? checked_whole(sizes.low_bytes) : work->bytes;
    work->weights_low = checked_whole(sizes.weights_low);
    work->weights_high = checked_whole(sizes.weights_high);
    work->cache_low = checked_whole(sizes.cache_low);
    work->cache_high = checked_whole(sizes.cache_high);
    return work->flops > 0 || work->bytes > 0;
}

enum precision work_precision(const struct work *work, enum precision named)
{
    bool is_told_by_inputs =
        work->precision != PRECISION_UNKNOWN && work->precision != PRECISION_FP32;

    if (named == PRECISION_UNKNOWN ||
        (is_told_by_inputs && named != PRECISION_FP8 && named != PRECISION_INT8))
        return work->precision;
    return named;
}
