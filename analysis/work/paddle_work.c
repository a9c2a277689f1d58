#include "analysis/work/paddle_work.h"

#include "analysis/work/paddle_shapes.h"
#include "base/attr.h"
#include "base/checked.h"

struct sizes {
    int64_t flops, elements; /* elements of all inputs and outputs */
};

static int64_t from_end(const struct shape *shape, uint32_t at)
{
    return shape->size[shape->count - 1 - at];
}

/* What a matrix of `shape` has in the batch. */
static int64_t batch_of(const struct shape *shape)
{
    int64_t one = checked_mul(from_end(shape, 0), from_end(shape, 1));

    return one > 0 ? shape_elements(shape) / one : 0;
}

/* The rows and columns that are left over when one side of each matrix is summed up: the last of
 * the first with the first of the second, unless only transposing lets them meet. */
static bool product_sides(const struct shape *x, const struct shape *y, int64_t *m, int64_t *n)
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

static bool product(const struct shape *x, const struct shape *y, struct sizes *sizes)
{
    int64_t m, n, batch, out;

    if (x->count < 2 || y->count < 2 || !product_sides(x, y, &m, &n) || m <= 0)
        return false;
    batch = batch_of(x) > batch_of(y) ? batch_of(x) : batch_of(y);
    out = checked_mul(batch, checked_mul(m, n));
    sizes->flops =
        checked_mul(2, checked_mul(out, checked_mul(from_end(x, 0), from_end(x, 1)) / m));
    sizes->elements = checked_add(checked_add(shape_elements(x), shape_elements(y)), out);
    return true;
}

static bool both(const struct shape *x, const struct shape *y, struct sizes *sizes)
{
    int64_t out = shape_elements_of_both(x, y);

    sizes->flops = out;
    sizes->elements = checked_add(checked_add(shape_elements(x), shape_elements(y)), out);
    return out > 0;
}

static bool each(const struct shape *x, int64_t flops, struct sizes *sizes)
{
    int64_t count = shape_elements(x);

    sizes->flops = checked_mul(flops, count);
    sizes->elements = checked_mul(2, count);
    return count > 0;
}

/* ---- by name ---- */

enum form { FORM_PRODUCT, FORM_BOTH, FORM_EACH };

static const struct known {
    const char *name;
    enum form form;
    int64_t each; /* FLOP an element */
} known[] = {
    {"matmul", FORM_PRODUCT, 0},
    {"matmul_v2", FORM_PRODUCT, 0},
    {"mul", FORM_PRODUCT, 0},
    {"bmm", FORM_PRODUCT, 0},
    {"elementwise_add", FORM_BOTH, 0},
    {"elementwise_sub", FORM_BOTH, 0},
    {"elementwise_mul", FORM_BOTH, 0},
    {"elementwise_div", FORM_BOTH, 0},
    {"add", FORM_BOTH, 0},
    {"subtract", FORM_BOTH, 0},
    {"multiply", FORM_BOTH, 0},
    {"divide", FORM_BOTH, 0},
    {"relu", FORM_EACH, 1},
    {"relu6", FORM_EACH, 1},
    {"leaky_relu", FORM_EACH, 1},
    {"prelu", FORM_EACH, 1},
    {"elu", FORM_EACH, 1},
    {"silu", FORM_EACH, 1},
    {"gelu", FORM_EACH, 5},
    {"softmax", FORM_EACH, 3},
    {"layer_norm", FORM_EACH, 7},
    {"batch_norm", FORM_EACH, 7},
    {"sync_batch_norm", FORM_EACH, 7},
};

static bool sizes_of(const struct known *operator, struct span shapes, struct sizes *sizes)
{
    struct shape x = paddle_x(shapes), y = paddle_y(shapes);

    if (operator->form == FORM_PRODUCT)
        return product(&x, &y, sizes);
    return operator->form == FORM_BOTH ? both(&x, &y, sizes) : each(&x, operator->each, sizes);
}

static const struct element {
    struct span name;
    int64_t bytes;
    enum precision precision;
} element_types[] = {
    {{"\"float64\"", 9}, 8, PRECISION_FP64},
    {{"\"float32\"", 9}, 4, PRECISION_FP32},
    {{"\"float16\"", 9}, 2, PRECISION_FP16},
    {{"\"bfloat16\"", 10}, 2, PRECISION_BF16},
};

static void know_type(struct span types, int64_t elements, struct work *work)
{
    for (size_t i = 0; i < COUNT_OF(element_types); i++)
        if (span_find(types, element_types[i].name) != SIZE_MAX) {
            work->precision = element_types[i].precision;
            work->bytes = checked_mul(elements, element_types[i].bytes);
            return;
        }
}

bool paddle_work(struct span name, struct span shapes, struct span types, struct work *work)
{
    struct sizes sizes;

    if (!span_starts(shapes, SPAN("{")))
        return false;
    name = paddle_operator(name);
    for (size_t i = 0; i < COUNT_OF(known); i++) {
        if (!span_eq(name, span_of(known[i].name)))
            continue;
        if (!sizes_of(&known[i], shapes, &sizes) || sizes.flops <= 0 || sizes.elements <= 0)
            return false; /* sizes of -1 are not known */
        *work = (struct work){.flops = sizes.flops, .precision = PRECISION_UNKNOWN};
        know_type(types, sizes.elements, work);
        return true;
    }
    return false;
}
