/* SPDX-License-Identifier: Apache-2.0 */
/* work_elements.c — types and sizes of an operator's inputs, and the work of those that go element by element */
#include "analysis/kernels/work.h"

struct element element_of_dtype(enum dtype dtype)
{
    static const struct element elements[DTYPE_COUNT] = {
        [DTYPE_UNKNOWN] = {0, PRECISION_UNKNOWN}, [DTYPE_FLOAT64] = {8, PRECISION_FP64},
        [DTYPE_FLOAT32] = {4, PRECISION_FP32},    [DTYPE_FLOAT16] = {2, PRECISION_FP16},
        [DTYPE_BFLOAT16] = {2, PRECISION_BF16},   [DTYPE_FLOAT8] = {1, PRECISION_FP8},
        [DTYPE_INT64] = {8, PRECISION_UNKNOWN},   [DTYPE_INT32] = {4, PRECISION_UNKNOWN},
        [DTYPE_INT16] = {2, PRECISION_UNKNOWN},   [DTYPE_INT8] = {1, PRECISION_UNKNOWN},
        [DTYPE_UINT8] = {1, PRECISION_UNKNOWN},   [DTYPE_BOOL] = {1, PRECISION_UNKNOWN},
    };

    return elements[dtype];
}

struct element work_element(const struct operator_call *call, uint32_t at)
{
    const struct operand *type = input_at(call->types, at);

    return element_of_dtype(type->kind == INPUT_DTYPE ? (enum dtype)type->number[0]
                                                      : DTYPE_UNKNOWN);
}

const struct operand *work_input(const struct operator_call *call, uint32_t at)
{
    return input_at(call->shapes, at);
}

double work_count(const struct operand *input)
{
    return input->count ? (double)input_elements(input) : 0;
}

/* Those of an input that lie in memory: what is stretched over a dimension counts once in it. */
static double work_stored(const struct operator_call *call, uint32_t at)
{
    const struct operand *sizes = work_input(call, at), *strides = input_at(call->strides, at);
    double stored = 1;

    if (strides->count != sizes->count)
        return work_count(sizes);
    for (uint32_t i = 0; i < sizes->count; i++)
        stored *= strides->number[i] ? (double)sizes->number[i] : 1;
    return sizes->count ? stored : 0;
}

/* ---- what they read and write ---- */

/* All inputs, and which of them is the largest. */
struct element_reading {
    double most, all; /* elements */
    double bytes;     /* of all; 0 when a type is not known */
    struct element largest;
};

static struct element_reading read_inputs(const struct operator_call *call)
{
    struct element_reading reading = {0};
    bool is_known = true;

    for (uint32_t i = 0; i < call->shapes->count; i++) {
        struct element element = work_element(call, i);
        double count = work_count(work_input(call, i)), stored = work_stored(call, i);

        if (count == 0)
            continue;
        is_known &= element.bytes != 0;
        reading.all += stored;
        reading.bytes += stored * (double)element.bytes;
        if (count > reading.most) {
            reading.most = count;
            reading.largest = element;
        }
    }
    if (!is_known)
        reading.bytes = 0;
    return reading;
}

/* Indices say which rows of a table are copied. */
static bool pick_rows(const struct operator_call *call, uint32_t indices, int64_t dim,
                      struct sizes *sizes)
{
    const struct operand *table = work_input(call, 0);
    struct element element = work_element(call, 0), index = work_element(call, indices);
    double picked = work_count(work_input(call, indices)), row;

    dim += dim < 0 ? (int64_t)table->count : 0;
    if (dim < 0 || dim >= (int64_t)table->count || table->number[dim] == 0 || !element.bytes ||
        !index.bytes)
        return false;
    row = work_count(table) / (double)table->number[dim];
    sizes->bytes = 2 * picked * row * (double)element.bytes + picked * (double)index.bytes;
    return true;
}

/* ---- how they lie in memory ---- */

/* Whether the dimensions of two inputs are sorted in different ways: the largest stride first. */
static bool differ_in_order(const struct operand *x, const struct operand *y)
{
    for (uint32_t i = 0; i < x->count; i++)
        for (uint32_t j = i + 1; j < x->count; j++)
            if ((x->number[i] < x->number[j]) != (y->number[i] < y->number[j]) &&
                x->number[i] != x->number[j] && y->number[i] != y->number[j])
                return true;
    return false;
}

/* Tensors of two dimensions and more, nothing of them stretched. */
static bool is_laid_out(const struct operand *strides)
{
    for (uint32_t i = 0; i < strides->count; i++)
        if (strides->number[i] == 0)
            return false;
    return strides->count > 1;
}

static bool lie_in_two_orders(const struct operator_call *call)
{
    const struct operand *first = NULL;

    for (uint32_t i = 0; i < call->shapes->count; i++) {
        const struct operand *strides = input_at(call->strides, i);

        if (!is_laid_out(strides) || strides->count != work_input(call, i)->count)
            continue;
        if (first && first->count == strides->count && differ_in_order(first, strides))
            return true;
        first = first ? first : strides;
    }
    return false;
}

static bool is_cast(enum precision to, enum precision from)
{
    return to != from && to != PRECISION_UNKNOWN && from != PRECISION_UNKNOWN;
}

static struct problem problem_of_elements(const struct operator_call *call, double elements)
{
    const struct operand *x = work_input(call, 0);
    struct problem problem = {
        .kind = PROBLEM_ELEMENTS, .has_two_orders = lie_in_two_orders(call), .m = elements};

    if (call->operator.is_copy) {
        double stored = work_stored(call, 1);

        problem.kind = PROBLEM_COPY;
        problem.repeats = stored > 0 ? work_count(x) / stored : 0;
        problem.is_cast = is_cast(work_element(call, 0).precision, work_element(call, 1).precision);
    }
    if (call->operator.is_softmax && x->count> 1) {
        problem.kind = PROBLEM_SOFTMAX;
        problem.n = (double)x->number[x->count - 1];
        problem.m = (double)x->number[x->count - 2];
        problem.batch = problem.m * problem.n > 0 ? work_count(x) / problem.m / problem.n : 0;
    }
    return problem;
}

static bool go_over_elements(const struct operator_call *call, struct sizes *sizes)
{
    struct element_reading reading = read_inputs(call);
    bool is_integer = reading.largest.bytes && reading.largest.precision == PRECISION_UNKNOWN;
    double written = call->operator.kind == OPERATOR_EACH ? reading.most : 0;

    sizes->flops = is_integer ? 0 : call->operator.flops * reading.most;
    sizes->elements = reading.all + written;
    if (reading.bytes > 0)
        sizes->bytes = reading.bytes + written * (double)reading.largest.bytes;
    sizes->problem = problem_of_elements(call, reading.most);
    return reading.most > 0;
}

bool elements_sizes(const struct operator_call *call, struct sizes *sizes)
{
    const struct operand *dim = input_at(call->values, 1);

    switch (call->operator.kind) {
    case OPERATOR_EMBEDDING:
        return pick_rows(call, 1, 0, sizes);
    case OPERATOR_INDEX_SELECT:
        return dim->kind == INPUT_NUMBERS && dim->count == 1 &&
               pick_rows(call, 2, dim->number[0], sizes);
    case OPERATOR_EACH:
    case OPERATOR_INTO:
    case OPERATOR_REDUCE:
        return go_over_elements(call, sizes);
    default:
        return false;
    }
}
