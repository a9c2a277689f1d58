/* SPDX-License-Identifier: Apache-2.0 */
/* paddle_work.h — how many FLOPs and bytes an operator of Paddle needs, from the shapes of its
 * inputs
 *
 * Counts as in operator_work.h. Attributes are not in Paddle's traces, so convolutions and pools,
 * which need strides and paddings, are not known here; which side of a product is transposed,
 * shapes tell. */
#ifndef PTK_ANALYSIS_WORK_PADDLE_WORK_H
#define PTK_ANALYSIS_WORK_PADDLE_WORK_H

#include "analysis/work/operator_work.h"

/* Of a call whose inputs have names (operator_inputs.is_named). False when they do not tell. */
bool paddle_work(const struct operator_call *call, struct work *work);

/* Of one tensor, and of the shape that two are stretched to; 0 when one is not known; saturate. */
int64_t named_elements(const struct operand *shape);
int64_t named_elements_of_both(const struct operand *x, const struct operand *y);

#endif
