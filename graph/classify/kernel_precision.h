/* SPDX-License-Identifier: Apache-2.0 */
/* kernel_precision.h — in which precision a kernel computes, and whether it multiplies matrices, on
 * tensor cores or not: by the words that libraries and compilers put in its name */
#ifndef PTK_GRAPH_CLASSIFY_KERNEL_PRECISION_H
#define PTK_GRAPH_CLASSIFY_KERNEL_PRECISION_H

#include "base/text/span.h"

enum precision {
    PRECISION_FP64,
    PRECISION_FP32,
    PRECISION_TF32,
    PRECISION_FP16,
    PRECISION_BF16,
    PRECISION_FP8,
    PRECISION_INT8, /* of products alone; an integer operation counts as a FLOP */
    PRECISION_COUNT,
    PRECISION_UNKNOWN = PRECISION_COUNT,
};

enum matrix_work { MATRIX_NONE, MATRIX_ON_CORES, MATRIX_ON_TENSOR_CORES };

struct kernel_arithmetic {
    enum precision precision; /* of what is multiplied, not of the sums */
    enum matrix_work matrix;
};

/* `name`: of a kernel; longer than most names, and looked through once. */
struct kernel_arithmetic kernel_arithmetic(struct span name);

#endif
