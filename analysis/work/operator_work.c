#include "analysis/work/operator_work.h"

#include <math.h>

#include "analysis/work/work_elements.h"
#include "base/attr.h"
#include "base/checked.h"

/* Formulas: PyTorch's flop_counter and the usual counts of the literature. Sizes come from the
 * file, so products are made in double and cut at the end. */

typedef bool formula(const struct operator_call *call, uint32_t first, struct sizes *sizes);

/* ---- helpers ---- */

static double size_at(const struct dims *dims, uint32_t from_end)
{
    return (double)dims->size[dims->count - 1 - from_end];
}

static bool is_true(const struct operator_call *call, uint32_t at)
{
    return span_eq(input_entry(call->concrete, at), SPAN("True"));
}

/* ---- products of matrices ---- */

/* (…, m, k) by (…, k, n): the leading sizes of the larger are the batch. */
static bool product(const struct operator_call *call, uint32_t first, struct sizes *sizes)
{
    const struct dims *a = work_input(call, first), *b = work_input(call, first + 1);

    if (a->count < 2 || b->count < 2 || size_at(a, 0) != size_at(b, 1))
        return false;

    double k = size_at(a, 0), m = size_at(a, 1), n = size_at(b, 0), one_a = m * k, one_b = k * n;
    double batch_a = one_a > 0 ? work_count(a) / one_a : 0;
    double batch_b = one_b > 0 ? work_count(b) / one_b : 0;
    double batch = batch_a > batch_b ? batch_a : batch_b;

    sizes->flops = 2 * batch * m * n * k;
    sizes->elements = work_count(a) + work_count(b) + batch * m * n;
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
    const struct dims *x = work_input(call, first), *w = work_input(call, first + 1);

    if (x->count < 1 || w->count != 2 || size_at(x, 0) != size_at(w, 0) || size_at(x, 0) == 0)
        return false;

    double rows = work_count(x) / size_at(x, 0), n = size_at(w, 1);

    sizes->flops = 2 * rows * size_at(x, 0) * n;
    sizes->elements =
        work_count(x) + work_count(w) + work_count(work_input(call, first + 2)) + rows * n;
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

static bool read_window(const struct operator_call *call, const struct window *at, uint32_t count,
                        struct dims *stride, struct dims *padding, struct dims *dilation)
{
    struct dims *const lists[] = {stride, padding, dilation};
    const uint32_t entries[] = {at->stride, at->padding, at->dilation};

    for (uint32_t i = 0; i < COUNT_OF(lists); i++)
        if (!input_numbers(input_entry(call->concrete, entries[i]), lists[i]) ||
            (lists[i]->count != count && lists[i]->count != 1))
            return false;
    return true;
}

static double nth(const struct dims *dims, uint32_t at)
{
    return (double)dims->size[dims->count == 1 ? 0 : at];
}

/* 2 · elements of the input · what each of them is spread to. */
static bool transposed_convolution(const struct operator_call *call, uint32_t first,
                                   const struct window *at, struct sizes *sizes)
{
    const struct dims *x = work_input(call, first), *w = work_input(call, first + 1);
    struct dims stride, padding, dilation, extra, groups;

    if (!read_window(call, at, x->count - 2, &stride, &padding, &dilation) ||
        !input_numbers(input_entry(call->concrete, at->transposed + 1), &extra) ||
        !input_numbers(input_entry(call->concrete, at->transposed + 2), &groups) ||
        (extra.count != x->count - 2 && extra.count != 1) || groups.count != 1)
        return false;

    double out = (double)x->size[0] * (double)w->size[1] * (double)groups.size[0];

    for (uint32_t i = 2; i < x->count; i++)
        out *= ((double)x->size[i] - 1) * nth(&stride, i - 2) - 2 * nth(&padding, i - 2) +
               nth(&dilation, i - 2) * ((double)w->size[i] - 1) + nth(&extra, i - 2) + 1;
    sizes->flops = 2 * work_count(x) * work_count(w) / (double)w->size[0];
    sizes->elements = work_count(x) + work_count(w) + out;
    return out > 0;
}

/* 2 · elements of the output · what each of them is summed from. */
static bool convolution_at(const struct operator_call *call, uint32_t first,
                           const struct window *at, struct sizes *sizes)
{
    const struct dims *x = work_input(call, first), *w = work_input(call, first + 1);
    struct dims stride, padding, dilation;

    if (x->count < 3 || w->count != x->count || w->size[0] == 0 || x->size[1] == 0)
        return false;
    if (at->transposed && is_true(call, at->transposed))
        return transposed_convolution(call, first, at, sizes);
    if (!read_window(call, at, x->count - 2, &stride, &padding, &dilation))
        return false;

    double out = (double)x->size[0] * (double)w->size[0];

    for (uint32_t i = 2; i < x->count; i++)
        out *= out_size((double)x->size[i], (double)w->size[i], nth(&stride, i - 2),
                        nth(&padding, i - 2), nth(&dilation, i - 2));
    sizes->flops = 2 * out * work_count(w) / (double)w->size[0];
    sizes->elements = work_count(x) + work_count(w) + out;
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

static bool library_convolution(const struct operator_call *call, uint32_t first,
                                struct sizes *sizes)
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
    const struct dims *grad = work_input(call, first), *x = work_input(call, first + 1),
                      *w = work_input(call, first + 2);
    struct span mask = input_entry(call->concrete, 10);
    struct span wants_input = span_split(&mask, ','), wants_weight = span_split(&mask, ',');
    double passes = (span_find(wants_input, SPAN("True")) != SIZE_MAX) +
                    (span_find(wants_weight, SPAN("True")) != SIZE_MAX);

    if (grad->count < 3 || w->count != grad->count || x->count != grad->count || !w->size[0] ||
        passes == 0)
        return false;

    bool is_transposed = is_true(call, 7);

    sizes->flops =
        passes * 2 * work_count(is_transposed ? x : grad) * work_count(w) / (double)w->size[0];
    sizes->elements = passes * (work_count(grad) + work_count(x) + work_count(w));
    return true;
}

/* One gradient, from the gradient of the output and a tensor of the weight's shape. */
static bool one_gradient(const struct dims *grad, const struct dims *w, struct sizes *sizes)
{
    if (grad->count < 3 || w->count != grad->count || !w->size[0])
        return false;
    sizes->flops = 2 * work_count(grad) * work_count(w) / (double)w->size[0];
    return true;
}

/* PyTorch before 1.11: the sizes of what is wanted, the gradient, the weight. */
static bool input_gradient(const struct operator_call *call, uint32_t first, struct sizes *sizes)
{
    const struct dims *grad = work_input(call, first + 1), *w = work_input(call, first + 2);

    sizes->elements = 0; /* those of the input do not stand there */
    return one_gradient(grad, w, sizes);
}

/* The operator around it and its sibling, which does not know the weight's shape: of the kernels
 * that are not the input gradient's own, this is the work. */
static bool weight_gradient(const struct operator_call *call, uint32_t first, struct sizes *sizes)
{
    const struct dims *x = work_input(call, first), *grad = work_input(call, first + 1),
                      *w = work_input(call, first + 2);

    sizes->elements = work_count(x) + work_count(grad) + work_count(w);
    return x->count == grad->count && one_gradient(grad, w, sizes);
}

/* ---- attention: (batch, heads, positions, depth) ---- */

static bool attention(const struct operator_call *call, uint32_t first, struct sizes *sizes)
{
    const struct dims *q = work_input(call, first), *k = work_input(call, first + 1),
                      *v = work_input(call, first + 2);

    if (q->count != 4 || k->count != 4 || v->count != 4 || q->size[3] != k->size[3] ||
        k->size[2] != v->size[2])
        return false;

    double pairs =
        (double)q->size[0] * (double)q->size[1] * (double)q->size[2] * (double)k->size[2];
    double out = work_count(q) / (q->size[3] ? (double)q->size[3] : 1) * (double)v->size[3];

    sizes->flops = 2 * pairs * (double)(q->size[3] + v->size[3]);
    sizes->elements = work_count(q) + work_count(k) + work_count(v) + out;
    return true;
}

/* A causal mask of a square leaves half. */
static bool causal_at(const struct operator_call *call, uint32_t first, uint32_t causal,
                      struct sizes *sizes)
{
    if (!attention(call, first, sizes))
        return false;
    if (is_true(call, causal) &&
        work_input(call, first)->size[2] == work_input(call, first + 1)->size[2])
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

/* ---- by name ---- */

static const struct known {
    const char *name;
    formula *formula;
    enum input_need need;
} known[] = {
    {"mm", product, INPUTS_SHAPES},
    {"bmm", product, INPUTS_SHAPES},
    {"matmul", product, INPUTS_SHAPES},
    {"_scaled_mm", product, INPUTS_SHAPES},
    {"_int_mm", product, INPUTS_SHAPES},
    {"addmm", product_and_sum, INPUTS_SHAPES},
    {"baddbmm", product_and_sum, INPUTS_SHAPES},
    {"linear", linear, INPUTS_SHAPES},
    {"convolution", convolution, INPUTS_VALUES},
    {"_convolution", convolution, INPUTS_VALUES},
    {"conv1d", plain_convolution, INPUTS_VALUES},
    {"conv2d", plain_convolution, INPUTS_VALUES},
    {"conv3d", plain_convolution, INPUTS_VALUES},
    {"cudnn_convolution", library_convolution, INPUTS_VALUES},
    {"miopen_convolution", miopen_convolution, INPUTS_VALUES},
    {"convolution_backward", convolution_backward, INPUTS_VALUES},
    {"cudnn_convolution_backward", weight_gradient, INPUTS_VALUES},
    {"cudnn_convolution_backward_input", input_gradient, INPUTS_VALUES},
    {"_scaled_dot_product_flash_attention", flash_attention, INPUTS_VALUES},
    {"_scaled_dot_product_efficient_attention", efficient_attention, INPUTS_VALUES},
    {"_scaled_dot_product_cudnn_attention", efficient_attention, INPUTS_VALUES},
    {"_scaled_dot_product_flash_attention_backward", attention_backward, INPUTS_VALUES},
    {"_scaled_dot_product_efficient_attention_backward", attention_backward, INPUTS_VALUES},
    {"_scaled_dot_product_cudnn_attention_backward", cudnn_attention_backward, INPUTS_VALUES},
};

static struct span without_library(struct span name)
{
    return span_starts(name, SPAN("aten::")) ? span_after(name, 6) : name;
}

/* NULL when it is none of the list. */
static const struct known *operator_named(struct span name)
{
    for (size_t i = 0; i < COUNT_OF(known); i++)
        if (span_eq(name, span_of(known[i].name)))
            return &known[i];
    return NULL;
}

enum input_need operator_flops_need(struct span name)
{
    const struct known *entry = operator_named(without_library(name));

    if (entry)
        return entry->need;
    return elements_have_flops(without_library(name)) ? INPUTS_SHAPES : INPUTS_NONE;
}

bool operator_work(const struct operator_call *call, struct work *work)
{
    const struct element *element = element_of(call);
    struct span name = without_library(call->name);
    const struct known *entry = operator_named(name);
    struct sizes sizes = {0};

    if (!(entry ? entry->formula(call, 0, &sizes) : elements_sizes(call, name, &sizes)))
        return false;
    *work = (struct work){.flops = checked_whole(sizes.flops),
                          .bytes = checked_whole(sizes.bytes),
                          .precision = PRECISION_UNKNOWN};
    if (element) {
        work->precision = element->precision;
        if (sizes.bytes <= 0)
            work->bytes = checked_whole(sizes.elements * (double)element->bytes);
    }
    return work->flops > 0 || work->bytes > 0;
}
