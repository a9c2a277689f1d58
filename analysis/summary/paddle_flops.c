/* paddle_flops.c — work of Paddle's operators from the shapes of their inputs
 *
 * The formulas are those of Paddle's utils/flops.py. A trace has shapes but no attributes, so
 * that what needs strides or paddings counts 0, as it does there. */
#include "analysis/summary/summary.h"
#include "analysis/work/paddle_shapes.h"
#include "base/checked.h"

/* 2·M·K·N for each matrix of the batch; nothing is transposed, as far as the trace tells. */
static int64_t matmul_flops(const struct shape *x, const struct shape *y)
{
    if (x->count < 2 || y->count < 2)
        return 0;
    return checked_mul(2, checked_mul(shape_elements(x), y->size[y->count - 1]));
}

int64_t summary_paddle_flops(struct span name, struct span shapes)
{
    static const struct {
        const char *name;
        int64_t each; /* operations an element of the input */
    } simple[] = {{"relu", 1}, {"relu6", 1}, {"leaky_relu", 1}, {"prelu", 1},   {"elu", 1},
                  {"silu", 1}, {"pool", 1},  {"gelu", 5},       {"softmax", 3}, {"layer_norm", 7}};
    struct shape x, y;

    if (!span_starts(shapes, SPAN("{")))
        return 0;
    name = paddle_operator(name);
    x = paddle_x(shapes);
    y = paddle_y(shapes);
    if (span_eq(name, SPAN("matmul")) || span_eq(name, SPAN("matmul_v2")))
        return matmul_flops(&x, &y);
    if (span_eq(name, SPAN("elementwise_add")) || span_eq(name, SPAN("elementwise_mul")) ||
        span_eq(name, SPAN("elementwise_div")))
        return shape_elements_of_both(&x, &y);
    for (size_t i = 0; i < sizeof(simple) / sizeof(simple[0]); i++)
        if (span_eq(name, span_of(simple[i].name)))
            return checked_mul(simple[i].each, shape_elements(&x));
    return 0;
}
