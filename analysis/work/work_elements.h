/* SPDX-License-Identifier: Apache-2.0 */
/* work_elements.h — the work of operators that go over tensors element by element, and what the
 * formulas of work.c share with them */
#ifndef PTK_ANALYSIS_WORK_WORK_ELEMENTS_H
#define PTK_ANALYSIS_WORK_WORK_ELEMENTS_H

#include "analysis/work/operator_work.h"

/* Sizes come from the file, so products are made in double and cut at the end. */
struct sizes {
    double flops;
    double elements; /* of all inputs and outputs, */
    double bytes;    /* or their bytes, where inputs differ in type; else 0 */
    struct problem problem;
};

/* The type of an input's elements; 0 bytes where it is not known. */
struct element work_element(const struct operator_call *call, uint32_t at);

/* Of no sizes where the operator has no such input. */
const struct operand *work_input(const struct operator_call *call, uint32_t at);

/* Elements of a tensor; 0 of a scalar. */
double work_count(const struct operand *input);

/* False when the operator is none of them. Comparing, copying and all of integers is 0 FLOP. */
bool elements_sizes(const struct operator_call *call, struct sizes *sizes);

#endif
