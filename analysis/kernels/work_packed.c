/* SPDX-License-Identifier: Apache-2.0 */
/* work_packed.c — FLOPs and bytes of products with packed or grouped weights, of fused norms, routing and sampling
 *
 * The orders of inputs are those of vLLM's csrc/torch_bindings.cpp (_C::), SGLang's sgl-kernel/csrc/common_extension.cc
 * (sgl_kernel::), AITER's aiter/ops and TensorRT-LLM's thop; of aten::_grouped_mm PyTorch's native_functions.yaml. Each
 * array is read or written once. */
#include <math.h>

#include "analysis/kernels/work.h"

static double last_of(const struct operand *dims)
{
    return dims->count ? (double)dims->number[dims->count - 1] : 0;
}

/* A type that a file does not name takes one byte: scales of 4 bit formats have such. */
static double array_bytes(const struct operator_call *call, uint32_t at)
{
    double each = (double)work_element(call, at).bytes;

    return work_count(work_input(call, at)) * (each > 0 ? each : 1);
}

static bool has_floats(const struct operator_call *call, uint32_t at)
{
    return work_element(call, at).precision != PRECISION_UNKNOWN;
}

/* ---- weights of fewer bits, packed into integers, with scales of their groups ---- */

/* Three numbers one after the other of which the first is the rows and the third the columns of the input: the
 * second is what of the weights, wherever a version has them. */
static double given_width(const struct operator_call *call, double rows, double columns)
{
    const struct operand *first, *second, *third;

    for (uint32_t i = 0; call->values && i + 2 < call->values->count; i++) {
        first = input_at(call->values, i);
        second = input_at(call->values, i + 1);
        third = input_at(call->values, i + 2);
        if (first->kind == INPUT_NUMBERS && second->kind == INPUT_NUMBERS &&
            third->kind == INPUT_NUMBERS && first->count == 1 && second->count == 1 &&
            third->count == 1 && (double)first->number[0] == rows &&
            (double)third->number[0] == columns && second->number[0] > 0)
            return (double)second->number[0];
    }
    return 0;
}

/* Of the weights: the first matrix of integers behind the input; the first of numbers behind that has their scales. */
static bool packed_product(const struct operator_call *call, struct sizes *sizes)
{
    const struct operand *a = work_input(call, call->operator.at), *weights = NULL, *scales = NULL;
    double k = last_of(a), m = k > 0 ? work_count(a) / k : 0, n = 0, bytes = 0;

    for (uint32_t i = call->operator.at + 1u; i < call->shapes->count; i++) {
        const struct operand *x = work_input(call, i);

        if (x->count < 2 || (!weights && has_floats(call, i)))
            continue;
        if (!weights)
            weights = x;
        else if (!scales && has_floats(call, i))
            scales = x;
        bytes += array_bytes(call, i);
    }
    if (!weights || !(m > 0))
        return false;
    switch ((enum packed_width)call->operator.also) {
    case PACKED_BY_EIGHT:
        n = 8 * last_of(weights);
        break;
    case PACKED_BY_ROWS:
        n = last_of(weights);
        break;
    case PACKED_AS_SCALES:
        n = scales ? last_of(scales) : 0;
        break;
    case PACKED_AS_GIVEN:
        n = given_width(call, m, k);
        break;
    }
    if (!(n > 0))
        return false;
    sizes->flops = 2 * m * n * k;
    sizes->weights_low = sizes->weights_high = bytes;
    sizes->bytes = bytes + (m * k + m * n) * (double)work_element(call, call->operator.at).bytes;
    sizes->problem = (struct problem){.kind = PROBLEM_PRODUCT, .m = m, .n = n, .k = k, .batch = 1};
    return true;
}

/* Both matrices have two numbers a byte, row by row, and scales behind them; written are 16 bits. */
static bool product_of_4_bits(const struct operator_call *call, struct sizes *sizes)
{
    const struct operand *a = work_input(call, 0), *b = work_input(call, 1);
    double k = 2 * last_of(a), m, n;

    if (a->count != 2 || b->count != 2 || last_of(b) != last_of(a))
        return false;
    m = (double)a->number[0];
    n = (double)b->number[0];
    sizes->flops = 2 * m * n * k;
    sizes->weights_low = sizes->weights_high = n * k / 2 + array_bytes(call, 3);
    sizes->bytes = m * k / 2 + array_bytes(call, 2) + sizes->weights_high + 2 * m * n;
    sizes->problem = (struct problem){.kind = PROBLEM_PRODUCT, .m = m, .n = n, .k = k, .batch = 1};
    return true;
}

/* 2 FLOP a number: less the zero, times the scale. 16 bits are written. */
static bool unpack(const struct operator_call *call, struct sizes *sizes)
{
    double packed = work_count(work_input(call, 0));

    sizes->flops = 2 * 8 * packed;
    sizes->bytes = 4 * packed + array_bytes(call, 1) + array_bytes(call, 2) + 2 * 8 * packed;
    return packed > 0;
}

/* ---- groups of rows, each with weights of its own ---- */

/* rows · k by experts · k · n: at least one group's weights are read, at most one for each row. */
static bool grouped_product(const struct operator_call *call, struct sizes *sizes)
{
    uint32_t at = call->operator.at;
    const struct operand *a = work_input(call, at), *b = work_input(call, at + 1);
    double rows, k, n, each, moved;

    if (a->count != 2 || b->count != 3)
        return false;
    rows = (double)a->number[0];
    k = last_of(a);
    n = (double)b->number[1] == k ? last_of(b) : (double)b->number[1];
    each = k * n * (double)work_element(call, at + 1).bytes;
    moved = array_bytes(call, at) + 2 * rows * n;
    sizes->flops = 2 * rows * k * n;
    sizes->weights_low = each;
    sizes->weights_high = fmin((double)b->number[0], rows) * each;
    sizes->bytes = moved + sizes->weights_high;
    sizes->has_low = true;
    sizes->low_flops = sizes->flops;
    sizes->low_bytes = moved + each;
    sizes->problem = (struct problem){.kind = PROBLEM_OTHER};
    return rows > 0 && k > 0 && n > 0;
}

/* The first whole number among a call's values: how many experts each token goes to. */
static double first_number(const struct operator_call *call)
{
    for (uint32_t i = 0; call->values && i < call->values->count; i++) {
        const struct operand *value = input_at(call->values, i);

        if (value->kind == INPUT_NUMBERS && value->count == 1)
            return (double)value->number[0];
    }
    return 0;
}

/* Tokens, experts · (one or two) inner · hidden, experts · hidden · inner; weights of 4 bits are packed in one of two
 * or of eight. The first product's input has a row a token, the second's one for each of a token's experts. At least
 * the experts of one token are read, at most all that rows can go to. */
static bool sorted_experts(const struct operator_call *call, struct sizes *sizes)
{
    uint32_t at = call->operator.at;
    const struct operand *x = work_input(call, at), *up = work_input(call, at + 1),
                         *down = work_input(call, at + 2);
    enum sorted_part part = (enum sorted_part)call->operator.also;
    double chosen = first_number(call), all, hidden, packed, inner, wide, rows, weights = 0;
    double read = array_bytes(call, at), e = (double)work_element(call, at).bytes;

    if (up->count != 3 || down->count != 3 || last_of(x) == 0 || last_of(up) == 0 || last_of(down) == 0 ||
        up->number[0] != down->number[0] || !(chosen > 0) || chosen > (double)up->number[0])
        return false;
    all = (double)up->number[0];
    hidden = (double)down->number[1];
    packed = hidden / last_of(up);
    inner = last_of(down) * packed;
    wide = (double)up->number[1];
    rows = work_count(x) / last_of(x) * (part == SORTED_DOWN ? 1 : chosen);
    if (part != SORTED_DOWN) {
        sizes->flops += 2 * rows * hidden * wide;
        weights += array_bytes(call, at + 1) / all;
    }
    if (part != SORTED_UP) {
        sizes->flops += 2 * rows * inner * hidden;
        weights += array_bytes(call, at + 2) / all;
    }
    if (part == SORTED_UP)
        read += rows * inner * 2;
    else
        read += rows / chosen * hidden * 2;
    sizes->weights_low = fmin(chosen, all) * weights;
    sizes->weights_high = fmin(all, rows) * weights;
    sizes->bytes = read + sizes->weights_high;
    sizes->has_low = true;
    sizes->low_flops = sizes->flops;
    sizes->low_bytes = read + sizes->weights_low;
    sizes->problem = (struct problem){
        .kind = PROBLEM_EXPERTS, .tokens = rows / chosen, .batch = all, .chosen = chosen};
    return rows > 0 && packed >= 1 && e > 0;
}

/* ---- norms that quantise, and rotary embedding into other arrays ---- */

static bool is_alike(const struct operand *a, const struct operand *b)
{
    if (a->count != b->count)
        return false;
    for (uint32_t i = 0; i < a->count; i++)
        if (a->number[i] != b->number[i])
            return false;
    return a->count > 0;
}

/* 6 FLOP an element (4 of the norm, 2 of the scale) and 2 a row. A residual, which is as large as the input, is read,
 * added and written. */
static bool norm_and_quantise(const struct operator_call *call, struct sizes *sizes)
{
    const struct operand *x = work_input(call, call->operator.at);
    double count = work_count(x), columns = last_of(x);

    if (!(columns > 0))
        return false;
    sizes->flops = 6 * count + 2 * count / columns;
    for (uint32_t i = 0; i < call->shapes->count; i++) {
        bool is_residual =
            i > call->operator.at && has_floats(call, i) && is_alike(work_input(call, i), x);

        if (work_input(call, i)->count)
            sizes->bytes += (is_residual ? 2 : 1) * array_bytes(call, i);
        sizes->flops += is_residual ? count : 0;
    }
    return true;
}

/* Two outputs, two inputs, cosines, sines, positions: 3 FLOP an element that is turned. Tables hold a half of what
 * is turned, or all of it; equal positions share a row. */
static bool rotary_apart(const struct operator_call *call, struct sizes *sizes)
{
    double head = last_of(work_input(call, 2)), half = last_of(work_input(call, 4));
    double count = work_count(work_input(call, 2)) + work_count(work_input(call, 3));
    double positions = work_count(work_input(call, 6)), moved = 8 * positions;
    double row = half * ((double)work_element(call, 4).bytes + (double)work_element(call, 5).bytes);

    if (!(head > 0) || !(half > 0) || !(positions > 0))
        return false;
    for (uint32_t i = 0; i < 4; i++)
        moved += array_bytes(call, i);
    sizes->flops = 3 * count * fmin(1, 2 * half / head);
    sizes->bytes = moved + positions * row;
    sizes->has_low = true;
    sizes->low_flops = 3 * count * fmin(1, half / head);
    sizes->low_bytes = moved + row;
    return true;
}

/* ---- choices: experts of tokens, tokens of logits ---- */

/* 5 FLOP an element of the widest matrix, which a softmax goes over; all arrays once. */
static bool choose_by_softmax(const struct operator_call *call, struct sizes *sizes)
{
    double widest = 0;

    for (uint32_t i = 0; i < call->shapes->count; i++) {
        const struct operand *x = work_input(call, i);

        if (!x->count)
            continue;
        sizes->bytes += array_bytes(call, i);
        if (x->count == 2)
            widest = fmax(widest, work_count(x));
    }
    sizes->flops = 5 * widest;
    return widest > 0;
}

/* Output, logits, exponentials, temperatures: 6 FLOP a logit. */
static bool sample_tokens(const struct operator_call *call, struct sizes *sizes)
{
    double count = work_count(work_input(call, 1));

    sizes->flops = 6 * count;
    for (uint32_t i = 0; i < 4; i++)
        if (work_input(call, i)->count)
            sizes->bytes += array_bytes(call, i);
    return count > 0;
}

bool packed_sizes(const struct operator_call *call, struct sizes *sizes)
{
    switch (call->operator.kind) {
    case OPERATOR_PACKED_PRODUCT:
        return packed_product(call, sizes);
    case OPERATOR_PRODUCT_OF_4_BITS:
        return product_of_4_bits(call, sizes);
    case OPERATOR_UNPACK:
        return unpack(call, sizes);
    case OPERATOR_SORTED_EXPERTS:
        return sorted_experts(call, sizes);
    case OPERATOR_GROUPED_PRODUCT:
        return grouped_product(call, sizes);
    case OPERATOR_NORM_AND_QUANTISE:
        return norm_and_quantise(call, sizes);
    case OPERATOR_ROTARY_APART:
        return rotary_apart(call, sizes);
    case OPERATOR_CHOOSE_BY_SOFTMAX:
        return choose_by_softmax(call, sizes);
    case OPERATOR_SAMPLE:
        return sample_tokens(call, sizes);
    default:
        return false;
    }
}
