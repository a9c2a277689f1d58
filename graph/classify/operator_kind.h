/* SPDX-License-Identifier: Apache-2.0 */
/* operator_kind.h — what a framework's operator computes, by its name: which formula counts its
 * work */
#ifndef PTK_GRAPH_CLASSIFY_OPERATOR_KIND_H
#define PTK_GRAPH_CLASSIFY_OPERATOR_KIND_H

#include <stdbool.h>
#include <stdint.h>

#include "base/text/span.h"

/* Of an operator whose inputs come in order: PyTorch's. Work that nobody knows is
 * OPERATOR_OTHER. */
enum operator_kind {
    OPERATOR_OTHER,
    OPERATOR_PRODUCT,         /* of matrices, */
    OPERATOR_PRODUCT_AND_SUM, /* with a matrix first that is added to it */
    OPERATOR_LINEAR,
    OPERATOR_CONVOLUTION,
    OPERATOR_PLAIN_CONVOLUTION, /* which is never a transposed one */
    OPERATOR_CUDNN_CONVOLUTION,
    OPERATOR_MIOPEN_CONVOLUTION,
    OPERATOR_CONVOLUTION_BACKWARD,
    OPERATOR_WEIGHT_GRADIENT, /* of a convolution, before PyTorch 1.11 */
    OPERATOR_INPUT_GRADIENT,
    OPERATOR_FLASH_ATTENTION,
    OPERATOR_EFFICIENT_ATTENTION,
    OPERATOR_ATTENTION_BACKWARD,
    OPERATOR_CUDNN_ATTENTION_BACKWARD,
    OPERATOR_EXPERTS, /* a mixture of experts: tokens, both weights of all, each token's choice */
    OPERATOR_EACH,   /* element by element: all inputs are read, one like the largest is written */
    OPERATOR_INTO,   /* one of the inputs is written, the others are read */
    OPERATOR_REDUCE, /* all inputs are read, and next to nothing is written */
    OPERATOR_EMBEDDING,
    OPERATOR_INDEX_SELECT,
};

/* Of one whose inputs have names: Paddle's. */
enum named_operator_kind {
    NAMED_OTHER,
    NAMED_PRODUCT,
    NAMED_BOTH, /* both inputs element by element, stretched to one shape */
    NAMED_EACH,
    NAMED_POOL, /* whose bytes are not known */
};

/* What of its inputs its FLOPs depend on. */
enum input_need {
    INPUTS_NONE,
    INPUTS_SHAPES, /* PROP_SHAPES */
    INPUTS_VALUES, /* PROP_CONCRETE, too */
};

struct operator_class {
    enum operator_kind kind : 8;
    enum named_operator_kind named : 8;
    enum input_need need : 4;
    bool is_in_paddles_table : 1; /* Paddle's own utils/flops.py counts it */
    bool is_copy : 1;             /* its second input is written into its first */
    bool is_softmax : 1;          /* over the last dimension, as attention has it */
    bool is_math_attention : 1;   /* PyTorch's way out where no fused attention fits */
    uint8_t flops, named_flops;   /* an element, of operators that go over elements */
};

/* Whether it multiplies matrices: copies beside it do none of its work. */
bool operator_multiplies(struct operator_class operator);

/* "aten::mm", "mm"; "matmul_v2", "matmul_v2 compute". */
struct operator_class operator_class(struct span name);

#endif
