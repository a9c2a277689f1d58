/* paddle_work.h — how many FLOPs and bytes an operator of Paddle needs, from the shapes of its
 * inputs
 *
 * Counts as in operator_work.h. Attributes are not in Paddle's traces, so convolutions and pools,
 * which need strides and paddings, are not known here; which side of a product is transposed,
 * shapes tell. */
#ifndef PTK_ANALYSIS_WORK_PADDLE_WORK_H
#define PTK_ANALYSIS_WORK_PADDLE_WORK_H

#include "analysis/work/operator_work.h"

/* `shapes` and `types` as in the file: {"X":[[8,3]]} and {"X":["float32"]}. False when they are not
 * Paddle's, or do not tell. */
bool paddle_work(struct span name, struct span shapes, struct span types, struct work *work);

#endif
