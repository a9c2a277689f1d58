/* SPDX-License-Identifier: Apache-2.0 */
/* problem.h — what an operator's call computes, as far as the sizes of its inputs tell: what the
 * causes of slow kernels are found by */
#ifndef PTK_ANALYSIS_WORK_PROBLEM_H
#define PTK_ANALYSIS_WORK_PROBLEM_H

#include <stdbool.h>
#include <stdint.h>

enum problem_kind {
    PROBLEM_OTHER,
    PROBLEM_PRODUCT,     /* m · k by k · n, `batch` times */
    PROBLEM_CONVOLUTION, /* as a product: a row an output position, a column an output channel */
    PROBLEM_ATTENTION,   /* `batch` heads of m queries and n keys */
    PROBLEM_EXPERTS,     /* a mixture of `batch` experts, each with its own weights */
    PROBLEM_SOFTMAX,     /* over rows of n, m · `batch` of them */
    PROBLEM_ELEMENTS,    /* element by element */
    PROBLEM_COPY,
};

struct problem {
    enum problem_kind kind : 8;
    uint8_t element_bytes; /* of the first input's elements; 0: not known */

    bool is_depthwise : 1; /* convolutions: a group a channel, */
    bool is_asymmetric : 1;
    bool is_dilated : 1;
    bool is_transposed : 1;
    bool is_pointwise : 1;   /* and one position after the other: a product as it stands */
    bool has_two_orders : 1; /* elements: inputs lie in memory in different orders */
    bool is_cast : 1;        /* copies: from one floating type to another */

    double m, n, k, batch;     /* elements, copies: m of them in the largest input */
    double channels;           /* convolutions: of the input */
    double depth, value_depth; /* attention: of a head's queries and keys, and of its values */
    double tokens, chosen;     /* experts: tokens, and how many experts each goes to */
    double repeats;            /* copies: how often each element of the source is written */
};

#endif
