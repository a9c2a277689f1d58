/* SPDX-License-Identifier: Apache-2.0 */
/* operator_work.h — how many FLOPs and bytes an operator needs, from the shapes of its inputs
 *
 * An addition and a multiplication are one FLOP each. Bytes are what must be moved at least: each
 * input read once, each output written once. So intensities are upper bounds. */
#ifndef PTK_ANALYSIS_WORK_OPERATOR_WORK_H
#define PTK_ANALYSIS_WORK_OPERATOR_WORK_H

#include "analysis/work/problem.h"
#include "graph/classify/kernel_class.h"
#include "graph/model/operator_inputs.h"

/* NULL: not in the file. */
struct operator_call {
    struct operator_class operator;
    const struct operator_inputs *shapes, *types, *values, *strides;
};

struct work {
    int64_t flops, bytes; /* bytes 0: not known */
    enum precision precision;
    struct problem problem;
};

/* False when the operator is not one whose work is known, or its shapes are not what they should
 * be. */
bool operator_work(const struct operator_call *call, struct work *work);

/* In which precision work is done: as the name of a kernel that multiplies matrices says, where that
 * is less than the inputs have (TF32 of FP32), else as the inputs are. */
enum precision work_precision(const struct work *work, enum precision named);

/* What elements of a type take in memory, and which precision that is: PRECISION_UNKNOWN of
 * integers. Bytes 0 of DTYPE_UNKNOWN. */
struct element {
    int64_t bytes;
    enum precision precision;
};

struct element element_of_dtype(enum dtype dtype);

#endif
