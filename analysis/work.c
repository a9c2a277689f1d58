#include "analysis/work.h"

#include "base/attr.h"

/* Formulas: PyTorch's flop_counter and the usual counts of the literature. Sizes come from the
 * file, so products are made in double and cut at the end. */

struct sizes {
    double flops, elements; /* elements of all inputs and outputs */
};

typedef bool formula(const struct operator_call *call, uint32_t first, struct sizes *sizes);

/* ---- helpers ---- */

static const struct dims *input(const struct operator_call *call, uint32_t at)
{
    static const struct dims none = {0};

    return at < call->inputs.count ? &call->inputs.dims[at] : &none;
}

static double elements(const struct dims *dims)
{
    return dims->count ? (double)dims_elements(dims) : 0;
}

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
    const struct dims *a = input(call, first), *b = input(call, first + 1);

    if (a->count < 2 || b->count < 2 || size_at(a, 0) != size_at(b, 1))
        return false;

    double k = size_at(a, 0), m = size_at(a, 1), n = size_at(b, 0), one_a = m * k, one_b = k * n;
    double batch_a = one_a > 0 ? elements(a) / one_a : 0;
    double batch_b = one_b > 0 ? elements(b) / one_b : 0;
    double batch = batch_a > batch_b ? batch_a : batch_b;

    sizes->flops = 2 * batch * m * n * k;
    sizes->elements = elements(a) + elements(b) + batch * m * n;
    return true;
}

/* The matrix that is added comes first. */
static bool product_and_sum(const struct operator_call *call, uint32_t first, struct sizes *sizes)
{
    if (!product(call, first + 1, sizes))
        return false;
    sizes->elements += elements(input(call, first));
    return true;
}

/* x[…, k] by w[n, k], and a bias. */
static bool linear(const struct operator_call *call, uint32_t first, struct sizes *sizes)
{
    const struct dims *x = input(call, first), *w = input(call, first + 1);

    if (x->count < 1 || w->count != 2 || size_at(x, 0) != size_at(w, 0) || size_at(x, 0) == 0)
        return false;

    double rows = elements(x) / size_at(x, 0), n = size_at(w, 1);

    sizes->flops = 2 * rows * size_at(x, 0) * n;
    sizes->elements = elements(x) + elements(w) + elements(input(call, first + 2)) + rows * n;
    return true;
}

/* ---- convolutions ---- */

/* Where an operator has what describes it among its inputs. */
struct window {
    uint32_t stride, padding, dilation, transposed; /* transposed 0: it never is */
};

/* The size of one output dimension; 0 when it cannot be. */
static double out_size(double in, double kernel, double stride, double padding, double dilation)
{
    double reach = in + 2 * padding - dilation * (kernel - 1) - 1;

    return reach < 0 || stride < 1 ? 0 : (double)(int64_t)(reach / stride) + 1;
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

/* 2 · elements of the output · what each of them is summed from; transposed: of the input. */
static bool convolution_at(const struct operator_call *call, uint32_t first,
                           const struct window *at, struct sizes *sizes)
{
    const struct dims *x = input(call, first), *w = input(call, first + 1);
    struct dims stride, padding, dilation;

    if (x->count < 3 || w->count != x->count || w->size[0] == 0 || x->size[1] == 0)
        return false;
    if ((at->transposed && is_true(call, at->transposed)) ||
        !read_window(call, at, x->count - 2, &stride, &padding, &dilation))
        return false;

    double out = (double)x->size[0] * (double)w->size[0];

    for (uint32_t i = 2; i < x->count; i++)
        out *= out_size((double)x->size[i], (double)w->size[i], nth(&stride, i - 2),
                        nth(&padding, i - 2), nth(&dilation, i - 2));
    sizes->flops = 2 * out * elements(w) / (double)w->size[0];
    sizes->elements = elements(x) + elements(w) + out;
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
    const struct dims *grad = input(call, first), *x = input(call, first + 1),
                      *w = input(call, first + 2);
    struct span mask = input_entry(call->concrete, 10);
    struct span wants_input = span_split(&mask, ','), wants_weight = span_split(&mask, ',');
    double passes = (span_find(wants_input, SPAN("True")) != SIZE_MAX) +
                    (span_find(wants_weight, SPAN("True")) != SIZE_MAX);

    if (grad->count < 3 || w->count != grad->count || x->count != grad->count || !w->size[0] ||
        passes == 0)
        return false;

    bool is_transposed = is_true(call, 7);

    sizes->flops =
        passes * 2 * elements(is_transposed ? x : grad) * elements(w) / (double)w->size[0];
    sizes->elements = passes * (elements(grad) + elements(x) + elements(w));
    return true;
}

/* One gradient, from the gradient of the output and a tensor of the weight's shape. */
static bool one_gradient(const struct dims *grad, const struct dims *w, struct sizes *sizes)
{
    if (grad->count < 3 || w->count != grad->count || !w->size[0])
        return false;
    sizes->flops = 2 * elements(grad) * elements(w) / (double)w->size[0];
    return true;
}

/* PyTorch before 1.11: the sizes of what is wanted, the gradient, the weight. */
static bool input_gradient(const struct operator_call *call, uint32_t first, struct sizes *sizes)
{
    const struct dims *grad = input(call, first + 1), *w = input(call, first + 2);

    sizes->elements = 0; /* those of the input do not stand there */
    return one_gradient(grad, w, sizes);
}

/* The operator around it and its sibling, which does not know the weight's shape: of the kernels
 * that are not the input gradient's own, this is the work. */
static bool weight_gradient(const struct operator_call *call, uint32_t first, struct sizes *sizes)
{
    const struct dims *x = input(call, first), *grad = input(call, first + 1),
                      *w = input(call, first + 2);

    sizes->elements = elements(x) + elements(grad) + elements(w);
    return x->count == grad->count && one_gradient(grad, w, sizes);
}

/* ---- attention: (batch, heads, positions, depth) ---- */

static bool attention(const struct operator_call *call, uint32_t first, struct sizes *sizes)
{
    const struct dims *q = input(call, first), *k = input(call, first + 1),
                      *v = input(call, first + 2);

    if (q->count != 4 || k->count != 4 || v->count != 4 || q->size[3] != k->size[3] ||
        k->size[2] != v->size[2])
        return false;

    double pairs =
        (double)q->size[0] * (double)q->size[1] * (double)q->size[2] * (double)k->size[2];
    double out = elements(q) / (q->size[3] ? (double)q->size[3] : 1) * (double)v->size[3];

    sizes->flops = 2 * pairs * (double)(q->size[3] + v->size[3]);
    sizes->elements = elements(q) + elements(k) + elements(v) + out;
    return true;
}

/* A causal mask of a square leaves half. */
static bool causal_at(const struct operator_call *call, uint32_t first, uint32_t causal,
                      struct sizes *sizes)
{
    if (!attention(call, first, sizes))
        return false;
    if (is_true(call, causal) && input(call, first)->size[2] == input(call, first + 1)->size[2])
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
static bool attention_backward(const struct operator_call *call, uint32_t first,
                               struct sizes *sizes)
{
    if (!attention(call, first + 1, sizes))
        return false;
    sizes->flops *= 2.5;
    sizes->elements = 2 * sizes->elements;
    return true;
}

/* ---- element by element ---- */

/* The largest input decides how many there are; every input is read and one output written. */
static bool each(const struct operator_call *call, double flops, struct sizes *sizes)
{
    double most = 0, all = 0;

    for (uint32_t i = 0; i < call->inputs.count; i++) {
        double count = elements(&call->inputs.dims[i]);

        most = count > most ? count : most;
        all += count;
    }
    sizes->flops = flops * most;
    sizes->elements = all + most;
    return most > 0;
}

static bool each_once(const struct operator_call *call, uint32_t first, struct sizes *sizes)
{
    (void)first;
    return each(call, 1, sizes);
}

static bool softmax(const struct operator_call *call, uint32_t first, struct sizes *sizes)
{
    (void)first;
    return each(call, 3, sizes);
}

static bool curve(const struct operator_call *call, uint32_t first, struct sizes *sizes)
{
    (void)first;
    return each(call, 5, sizes);
}

static bool normalisation(const struct operator_call *call, uint32_t first, struct sizes *sizes)
{
    (void)first;
    return each(call, 7, sizes);
}

/* ---- by name ---- */

static const struct known {
    const char *name;
    formula *formula;
} known[] = {
    {"mm", product},
    {"bmm", product},
    {"matmul", product},
    {"_scaled_mm", product},
    {"_int_mm", product},
    {"addmm", product_and_sum},
    {"baddbmm", product_and_sum},
    {"linear", linear},
    {"convolution", convolution},
    {"_convolution", convolution},
    {"conv1d", plain_convolution},
    {"conv2d", plain_convolution},
    {"conv3d", plain_convolution},
    {"cudnn_convolution", library_convolution},
    {"miopen_convolution", miopen_convolution},
    {"convolution_backward", convolution_backward},
    {"cudnn_convolution_backward", weight_gradient},
    {"cudnn_convolution_backward_input", input_gradient},
    {"_scaled_dot_product_flash_attention", flash_attention},
    {"_scaled_dot_product_efficient_attention", efficient_attention},
    {"_scaled_dot_product_cudnn_attention", efficient_attention},
    {"_scaled_dot_product_flash_attention_backward", attention_backward},
    {"_scaled_dot_product_efficient_attention_backward", attention_backward},
    {"_softmax", softmax},
    {"_log_softmax", softmax},
    {"native_layer_norm", normalisation},
    {"native_batch_norm", normalisation},
    {"cudnn_batch_norm", normalisation},
    {"gelu", curve},
    {"silu", curve},
    {"tanh", curve},
    {"sigmoid", curve},
    {"add", each_once},
    {"add_", each_once},
    {"sub", each_once},
    {"mul", each_once},
    {"mul_", each_once},
    {"div", each_once},
    {"div_", each_once},
    {"relu", each_once},
    {"relu_", each_once},
    {"clamp_min", each_once},
    {"clamp_min_", each_once},
    {"threshold_backward", each_once},
    {"neg", each_once},
    {"sqrt", each_once},
    {"rsqrt", each_once},
    {"pow", each_once},
    {"exp", each_once},
};

static const struct element {
    struct span name;
    int64_t bytes;
    enum precision precision;
} element_types[] = {
    {{"double", 6}, 8, PRECISION_FP64},
    {{"float", 5}, 4, PRECISION_FP32},
    {{"c10::Half", 9}, 2, PRECISION_FP16},
    {{"c10::BFloat16", 13}, 2, PRECISION_BF16},
    {{"c10::Float8_e4m3fn", 18}, 1, PRECISION_FP8},
    {{"c10::Float8_e5m2", 16}, 1, PRECISION_FP8},
};

/* The type of the first input whose size is known. */
static const struct element *element_of(const struct operator_call *call)
{
    for (uint32_t i = 0; i < call->inputs.count; i++) {
        struct span type = input_entry(call->types, i);

        for (size_t k = 0; k < COUNT_OF(element_types); k++)
            if (span_eq(type, element_types[k].name))
                return &element_types[k];
    }
    return NULL;
}

static int64_t whole(double figure)
{
    return figure < 9e18 ? (int64_t)figure : INT64_MAX;
}

bool operator_work(const struct operator_call *call, struct work *work)
{
    struct span name = call->name;
    struct sizes sizes;

    if (span_starts(name, SPAN("aten::")))
        name = span_after(name, 6);
    for (size_t i = 0; i < COUNT_OF(known); i++) {
        if (!span_eq(name, span_of(known[i].name)))
            continue;
        if (!known[i].formula(call, 0, &sizes))
            return false;

        const struct element *element = element_of(call);

        *work = (struct work){.flops = whole(sizes.flops), .precision = PRECISION_UNKNOWN};
        if (element) {
            work->precision = element->precision;
            work->bytes = whole(sizes.elements * (double)element->bytes);
        }
        return true;
    }
    return false;
}
