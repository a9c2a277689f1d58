/* SPDX-License-Identifier: Apache-2.0 */
/* kernel_class.h — what a kernel or an operator computes, and in which precision */
#ifndef PTK_GRAPH_CLASSIFY_KERNEL_CLASS_H
#define PTK_GRAPH_CLASSIFY_KERNEL_CLASS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/memory/span.h"
#include "graph/model/frame.h"

/* What a device's work is, by its name: its kind where the file calls all of it
 * kernels, and for kernels what they compute. */

/* Which part of a product's result one block computes, and whether blocks share the sum: by what
 * libraries write into the names of their kernels. */

/* Of a product in the framework's order, row by row; 0: the name does not tell. */
struct kernel_tile {
    uint16_t rows, columns;
    uint16_t split; /* blocks that add up one tile; 0: the name does not tell */
};

struct kernel_tile kernel_tile(struct span name);

enum kernel_family {
    FAMILY_NONE, /* no kernel */
    FAMILY_OTHER,
    FAMILY_GEMM,
    FAMILY_CONVOLUTION,
    FAMILY_ATTENTION,
    FAMILY_MOE, /* routes tokens to experts, or computes them */
    FAMILY_NORMALISATION,
    FAMILY_SOFTMAX,
    FAMILY_EMBEDDING,
    FAMILY_OPTIMIZER,
    FAMILY_COPY, /* moves, converts or transposes, and computes nothing */
    FAMILY_ELEMENTWISE,
    FAMILY_REDUCTION,
    FAMILY_SORT,
    FAMILY_COMMUNICATION,
    FAMILY_COUNT
};

/* "gemm", "attention". */
const char *kernel_family_name(enum kernel_family family);

/* `name`: of a frame of KIND_KERNEL. */
enum kernel_family kernel_family(struct span name);

/* Of a kernel of FAMILY_COPY: whether it turns one order of a tensor's dimensions into another. */
bool changes_layout(struct span name);

/* Whether two names are of one kernel: some writers cut long names off. */
bool is_same_kernel(struct span a, struct span b);

/* What a kernel stands for: HIP fills and copies buffers with kernels of its own, which are
 * KIND_MEMSET and KIND_MEMCPY then; else KIND_KERNEL. */
enum frame_kind kernel_stands_for(struct span name);

/* The kind of device work by its name, for producers that call all of it kernels: KIND_KERNEL,
 * KIND_MEMCPY, KIND_MEMSET, KIND_COMMUNICATION or KIND_SYNC. */
enum frame_kind device_work_kind(struct span name);

/* In which precision a kernel computes, and whether it multiplies matrices, on
 * tensor cores or not: by the words that libraries and compilers put in its name. */

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

/* ---- what a framework's operator computes, by its name: which formula counts its work ---- */

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
    OPERATOR_EACH,    /* element by element: all inputs are read, one like the largest is written */
    OPERATOR_INTO,    /* one of the inputs is written, the others are read */
    OPERATOR_REDUCE,  /* all inputs are read, and next to nothing is written */
    OPERATOR_EMBEDDING,
    OPERATOR_INDEX_SELECT,
    /* Of servers of models: where their inputs stand is in operator_class. */
    OPERATOR_SCALED_PRODUCT, /* quantised: both matrices, then scales of both */
    OPERATOR_SCALED_LINEAR,  /* the same with the weights row by row */
    OPERATOR_RMS_NORM,
    OPERATOR_ADD_RMS_NORM, /* which adds a residual before */
    OPERATOR_GATED,        /* an activation of one half times the other */
    OPERATOR_ROTARY,
    OPERATOR_CACHE_WRITE,        /* keys, values, both caches, slots */
    OPERATOR_LATENT_CACHE_WRITE, /* MLA's: a latent vector, its rotary part, the cache, slots */
    OPERATOR_PAGED_ATTENTION,    /* over cached keys: the step's label knows how many */
    OPERATOR_WINDOW_ATTENTION,   /* the same, which may look at a part of them alone */
    OPERATOR_LATENT_ATTENTION,   /* MLA's */
    OPERATOR_LATENT_DECODE,      /* the same over a cache of pages: queries and the cache alone */
    OPERATOR_QUANTISE,
    OPERATOR_EXPERTS_INSIDE, /* experts whose sizes stand in the operators within */
    OPERATOR_TOP_EXPERTS,    /* the choice of them, */
    OPERATOR_SORT_TOKENS,    /* and the order by it */
    OPERATOR_ALLOCATE,
    OPERATOR_FUSED_ELEMENTS, /* made by a compiler: all arrays are read or written once */
    OPERATOR_PACKED_PRODUCT, /* with weights of few bits in integers; `also`: enum packed_width */
    OPERATOR_PRODUCT_OF_4_BITS,
    OPERATOR_UNPACK,
    OPERATOR_SORTED_EXPERTS, /* tokens, both weights of all, their order; `also`: enum sorted_part */
    OPERATOR_GROUPED_PRODUCT, /* rows in groups, each with its own weights */
    OPERATOR_NORM_AND_QUANTISE,
    OPERATOR_ROTARY_APART, /* into other arrays */
    OPERATOR_CHOOSE_BY_SOFTMAX,
    OPERATOR_SAMPLE,
};

/* What of a mixture of experts a call computes whose tokens are in the order of their experts. */
enum sorted_part { SORTED_WHOLE, SORTED_UP, SORTED_DOWN };

/* How wide the output of a product with packed weights is. */
enum packed_width {
    PACKED_BY_EIGHT,  /* eight numbers of 4 bits in an integer of a row */
    PACKED_BY_ROWS,   /* integers hold several rows */
    PACKED_AS_SCALES, /* as the scales of the groups are */
    PACKED_AS_GIVEN,  /* as a number among the inputs says */
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
    uint8_t at, also;             /* which inputs are meant, of operators of servers */
};

/* What a kernel does of an operator that computes experts, and how it keeps their weights. */
enum expert_part { EXPERTS_WHOLE, EXPERTS_UP, EXPERTS_DOWN, EXPERTS_SUM };
enum weight_format { WEIGHTS_16_BITS, WEIGHTS_8_BITS, WEIGHTS_MXFP4, WEIGHTS_NVFP4 };

enum expert_part expert_part(struct span kernel);
enum weight_format weight_format(struct span kernel);

/* Whether the label of its step says how much it computes. */
static inline bool operator_goes_by_step(struct operator_class operator)
{
    return operator.kind >= OPERATOR_CACHE_WRITE && operator.kind <= OPERATOR_LATENT_DECODE;
}

/* Whether it multiplies matrices: copies beside it do none of its work. */
bool operator_multiplies(struct operator_class operator);

/* "aten::mm", "mm"; "matmul_v2", "matmul_v2 compute". */
struct operator_class operator_class(struct span name);

#endif
