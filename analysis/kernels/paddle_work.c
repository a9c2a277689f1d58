/* SPDX-License-Identifier: Apache-2.0 */
/* paddle_work.c — the same of Paddle's operators, whose inputs have names and no attributes */
#include "analysis/kernels/work.h"

#include "base/checked.h"

/* ---- of one input ---- */

int64_t named_elements(const struct operand *shape)
{
    return shape->kind == INPUT_SIZES ? input_elements(shape) : 0;
}

int64_t named_elements_of_both(const struct operand *x, const struct operand *y)
{
    uint32_t count = x->count > y->count ? x->count : y->count;
    int64_t product = 1;

    if (x->kind != INPUT_SIZES || y->kind != INPUT_SIZES)
        return 0;
    for (uint32_t i = 1; i <= count; i++) {
        int64_t a = i <= x->count ? x->number[x->count - i] : 1;
        int64_t b = i <= y->count ? y->number[y->count - i] : 1;

        product = checked_mul(product, a > b ? a : b);
    }
    return product;
}

/* ---- of an operator ---- */

struct named_sizes {
    int64_t flops, elements; /* elements of all inputs and outputs */
};

static int64_t from_end(const struct operand *shape, uint32_t at)
{
    return shape->number[shape->count - 1 - at];
}

/* What a matrix of `shape` has in the batch. */
static int64_t batch_of(const struct operand *shape)
{
    int64_t one = checked_mul(from_end(shape, 0), from_end(shape, 1));

    return one > 0 ? named_elements(shape) / one : 0;
}

/* The rows and columns that are left over when one side of each matrix is summed up: the last of
 * the first with the first of the second, unless only transposing lets them meet. */
static bool product_sides(const struct operand *x, const struct operand *y, int64_t *m, int64_t *n)
{
    for (uint32_t of_y = 0; of_y < 2; of_y++)
        for (uint32_t of_x = 0; of_x < 2; of_x++)
            if (from_end(x, of_x) == from_end(y, 1 - of_y)) {
                *m = from_end(x, 1 - of_x);
                *n = from_end(y, of_y);
                return true;
            }
    return false;
}

static bool product(const struct operand *x, const struct operand *y, struct named_sizes *sizes)
{
    int64_t m, n, batch, out;

    if (x->count < 2 || y->count < 2 || !product_sides(x, y, &m, &n) || m <= 0)
        return false;
    batch = batch_of(x) > batch_of(y) ? batch_of(x) : batch_of(y);
    out = checked_mul(batch, checked_mul(m, n));
    sizes->flops =
        checked_mul(2, checked_mul(out, checked_mul(from_end(x, 0), from_end(x, 1)) / m));
    sizes->elements = checked_add(checked_add(named_elements(x), named_elements(y)), out);
    return true;
}

static bool both(const struct operand *x, const struct operand *y, struct named_sizes *sizes)
{
    int64_t out = named_elements_of_both(x, y);

    sizes->flops = out;
    sizes->elements = checked_add(checked_add(named_elements(x), named_elements(y)), out);
    return out > 0;
}

static bool each(const struct operand *x, int64_t flops, struct named_sizes *sizes)
{
    int64_t count = named_elements(x);

    sizes->flops = checked_mul(flops, count);
    sizes->elements = checked_mul(2, count);
    return count > 0;
}

static bool find_sizes(const struct operator_call *call, struct named_sizes *sizes)
{
    const struct operand *x = input_at(call->shapes, 0), *y = input_at(call->shapes, 1);

    switch (call->operator.named) {
    case NAMED_PRODUCT:
        return product(x, y, sizes);
    case NAMED_BOTH:
        return both(x, y, sizes);
    case NAMED_EACH:
        return each(x, call->operator.named_flops, sizes);
    default:
        return false;
    }
}

/* The most precise of the floating-point types that any input has. */
static struct element named_element(const struct operator_inputs *types)
{
    static const enum dtype order[] = {DTYPE_FLOAT64, DTYPE_FLOAT32, DTYPE_FLOAT16, DTYPE_BFLOAT16};

    for (size_t i = 0; i < COUNT_OF(order); i++)
        for (uint32_t k = 0; types && k < types->count; k++)
            if (types->list[k].number[0] == (int64_t)order[i])
                return element_of_dtype(order[i]);
    return element_of_dtype(DTYPE_UNKNOWN);
}

bool paddle_work(const struct operator_call *call, struct work *work)
{
    struct named_sizes sizes;
    struct element element = named_element(call->types);

    if (!find_sizes(call, &sizes) || sizes.flops <= 0 || sizes.elements <= 0)
        return false; /* sizes of -1 are not known */
    *work = (struct work){.flops = sizes.flops,
                          .bytes = checked_mul(sizes.elements, element.bytes),
                          .precision = element.precision};
    work->flops_low = work->flops;
    work->bytes_low = work->bytes;
    return true;
}
