/* paddle_flops.c — work of Paddle's operators from the shapes of their inputs
 *
 * The formulas are those of Paddle's utils/flops.py. A trace has shapes but no attributes, so
 * that what needs strides or paddings counts 0, as it does there. */
#include "analysis/summary/summary.h"
#include "analysis/work/paddle_shapes.h"
#include "base/attr.h"
#include "base/checked.h"

/* 2·M·K·N for each matrix of the batch; nothing is transposed, as far as the trace tells. */
static int64_t matmul_flops(const struct shape *x, const struct shape *y)
{
    if (x->count < 2 || y->count < 2)
        return 0;
    return checked_mul(2, checked_mul(shape_elements(x), y->size[y->count - 1]));
}

static const struct formula {
    const char *name;
    int64_t (*of_both)(const struct shape *x, const struct shape *y);
    int64_t each; /* else operations an element of the first input */
} formulas[] = {
    {"matmul", matmul_flops, 0},
    {"matmul_v2", matmul_flops, 0},
    {"elementwise_add", shape_elements_of_both, 0},
    {"elementwise_mul", shape_elements_of_both, 0},
    {"elementwise_div", shape_elements_of_both, 0},
    {"relu", NULL, 1},
    {"relu6", NULL, 1},
    {"leaky_relu", NULL, 1},
    {"prelu", NULL, 1},
    {"elu", NULL, 1},
    {"silu", NULL, 1},
    {"pool", NULL, 1},
    {"gelu", NULL, 5},
    {"softmax", NULL, 3},
    {"layer_norm", NULL, 7},
};

static const struct formula *formula_of(struct span operator_name)
{
    struct span name = paddle_operator(operator_name);

    for (size_t i = 0; i < COUNT_OF(formulas); i++)
        if (span_eq(name, span_of(formulas[i].name)))
            return &formulas[i];
    return NULL;
}

bool summary_paddle_has_formula(struct span name)
{
    return formula_of(name);
}

int64_t summary_paddle_flops(struct span name, struct span shapes)
{
    const struct formula *formula = formula_of(name);
    struct shape x, y;

    if (!formula || !span_starts(shapes, SPAN("{")))
        return 0;
    x = paddle_x(shapes);
    y = paddle_y(shapes);
    return formula->of_both ? formula->of_both(&x, &y)
                            : checked_mul(formula->each, shape_elements(&x));
}
