/* SPDX-License-Identifier: Apache-2.0 */
/* paddle_flops.c — work of Paddle's operators from the shapes of their inputs
 *
 * The formulas are those of Paddle's utils/flops.py. A trace has shapes but no attributes, so
 * that what needs strides or paddings counts 0, as it does there. */
#include "analysis/summary/summary.h"
#include "analysis/work/work.h"
#include "base/checked.h"

/* 2·M·K·N for each matrix of the batch; nothing is transposed, as far as the trace tells. */
static int64_t product_flops(const struct operand *x, const struct operand *y)
{
    if (x->count < 2 || y->count < 2)
        return 0;
    return checked_mul(2, checked_mul(named_elements(x), y->number[y->count - 1]));
}

int64_t summary_paddle_flops(struct operator_class operator, const struct operator_inputs * shapes)
{
    const struct operand *x = input_at(shapes, 0), *y = input_at(shapes, 1);

    if (!operator.is_in_paddles_table)
        return 0;
    switch (operator.named) {
    case NAMED_PRODUCT:
        return product_flops(x, y);
    case NAMED_BOTH:
        return named_elements_of_both(x, y);
    default:
        return checked_mul(operator.named_flops, named_elements(x));
    }
}
