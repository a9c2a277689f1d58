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
};

/* A type of elements as the file calls it. */
struct element {
    struct span name;
    int64_t bytes;
    enum precision precision; /* PRECISION_UNKNOWN: no floating-point type */
};

/* The type of the first input whose type is known; NULL when there is none. */
const struct element *element_of(const struct operator_call *call);

/* Empty when the operator has no such input. */
const struct dims *work_input(const struct operator_call *call, uint32_t at);

/* Elements of a tensor; 0 of a scalar. */
double work_count(const struct dims *dims);

/* False when the operator is none of them. Comparing, copying and all of integers is 0 FLOP. */
bool elements_sizes(const struct operator_call *call, struct span name, struct sizes *sizes);

/* Whether the operator is one of those that are not 0 FLOP. */
bool elements_have_flops(struct span name);

#endif
