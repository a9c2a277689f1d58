/* SPDX-License-Identifier: Apache-2.0 */
/* work.h — how many FLOPs and bytes operators need, and whose kernels do them */
#ifndef PTK_ANALYSIS_KERNELS_WORK_H
#define PTK_ANALYSIS_KERNELS_WORK_H

#include <stdbool.h>
#include <stdint.h>

#include "analysis/timeline/serving_steps.h"
#include "base/memory/memory.h"
#include "graph/classify/kernel_class.h"
#include "graph/model/graph.h"
#include "graph/model/property.h"

/* ---- what an operator's call computes, as far as the sizes of its inputs tell ----
 *
 * The causes of slow kernels are found by it. */

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

    double m, n, k, batch; /* elements, copies: m of them in the largest input */
    double channels;       /* convolutions: of the input */
    double depth;          /* attention: of a head's queries and keys */
    double tokens, chosen; /* experts: tokens, and how many experts each goes to */
    double repeats;        /* copies: how often each element of the source is written */
};

/* ---- how many FLOPs and bytes an operator needs, from the shapes of its inputs ----
 *
 * An addition and a multiplication are one FLOP each. Bytes are what must be moved at least: each
 * input read once, each output written once. So intensities are upper bounds. */

/* NULL: not in the file. */
struct operator_call {
    struct operator_class operator;
    const struct operator_inputs *shapes, *types, *values, *strides;
    const struct step_label *step;    /* of serving, that the call is in; NULL: none */
    const struct call_inside *inside; /* likewise */
    bool takes_least;                 /* where the most is not known, the least will do */
    enum expert_part part;            /* of an operator whose kernels do parts of it, */
    enum weight_format weights;       /* and how they keep weights */
};

/* Of a bracket `flops` and `bytes` are the high end: so no gain is promised that there may not be. */
struct work {
    int64_t flops, bytes;         /* bytes 0: not known */
    int64_t flops_low, bytes_low; /* at least; the same where the file fixes them */
    bool is_least;                /* the most is not known: flops and bytes are the low end */
    int64_t weights_low, weights_high; /* of the bytes, those of weights: the same for any batch, */
    int64_t cache_low, cache_high;     /* and those of cached keys and values */
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

/* ---- how many FLOPs and bytes an operator of Paddle needs, from the shapes of its inputs ----
 *
 * Counts as above. Attributes are not in Paddle's traces, so convolutions and pools,
 * which need strides and paddings, are not known here; which side of a product is transposed,
 * shapes tell. */

/* Of a call whose inputs have names (operator_inputs.is_named). False when they do not tell. */
bool paddle_work(const struct operator_call *call, struct work *work);

/* Of one tensor, and of the shape that two are stretched to; 0 when one is not known; saturate. */
int64_t named_elements(const struct operand *shape);
int64_t named_elements_of_both(const struct operand *x, const struct operand *y);

/* ---- what the formulas share, and those of operators that go element by element ---- */

/* Sizes come from the file, so products are made in double and cut at the end. */
struct sizes {
    double flops;
    double elements; /* of all inputs and outputs, */
    double bytes;    /* or their bytes, where inputs differ in type; else 0 */
    bool has_low;    /* they are the high end of a bracket */
    double low_flops, low_bytes;
    bool is_least;
    double weights_low, weights_high, cache_low, cache_high; /* bytes: struct work */
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

/* The same of what servers of models run. */
bool serving_sizes(const struct operator_call *call, struct sizes *sizes);
bool packed_sizes(const struct operator_call *call, struct sizes *sizes);

/* ---- the FLOPs and bytes of an operator's event, from what the file says of its inputs ----
 *
 * Device work that a CUDA or HIP graph launched stands for the operator that it was captured in. */

/* False when it is no operator and stands for none, or its work is not known. Wants PROP_SHAPES,
 * and for convolutions PROP_CONCRETE; PROP_TYPES for bytes; PROP_STRIDES tells which elements are
 * stretched. */
bool event_work(const struct graph *graph, event_id event, struct work *work);

/* The innermost operator there, whether its work is known or not; 0: there is none. */
frame_id captured_frame(const struct graph *graph, event_id event);

/* ---- whose work a kernel does ----
 *
 * That of the innermost operator whose work is known around the call that launched the kernel, or
 * that captured it; its kernels share it by their time. */

/* An operator whose work is known, and what kernels do of it. */
struct work_owner {
    event_id event;    /* of a graph's kernels the first that the same operator captured */
    uint32_t call;     /* in kernel_owners.calls */
    int64_t kernel_ns; /* how long the kernels ran that share its work */
    enum precision precision : 8; /* that the names of its matrix kernels tell */
};

/* A call of an operator with certain inputs, which stands for all that are the same. */
struct distinct_call {
    struct captured_call key;
    uint32_t step;    /* of serving, where the work depends on it; NO_STEP */
    uint32_t variant; /* of an operator whose kernels do parts of it: which, from 1 on; 0: all */
    uint32_t alike;   /* in the list: the same call, whatever the step */
    bool has_work;
    struct work work;
};

#define NO_OWNER UINT32_MAX

struct kernel_owners {
    const struct graph *graph;
    uint32_t *of_event; /* see owner_around(): one more, so that memory of what has none is never
                         * touched; NULL where no operator's work is known */
    VECTOR(struct work_owner);
    struct VECTOR_OF(struct distinct_call) calls;
    struct index call_index; /* in `calls`, from 1 on */
    struct serving_steps steps;
    struct idmap variants; /* (owner, variant) → the owner of that part */
    struct VECTOR_OF(struct call_inside) inside; /* of calls that are in no graph */
    struct arena arena;
};

/* Needs LEVEL_TIMELINE with launches, and what event_work() wants. */
void kernel_owners_find(struct kernel_owners *owners, const struct graph *graph);

/* The same where the steps of serving are known; they must live as long. */
void kernel_owners_find_in_steps(struct kernel_owners *owners, const struct graph *graph,
                                 const struct serving_steps *steps);

/* In the list, or NO_OWNER. */
uint32_t kernel_owner(const struct kernel_owners *owners, event_id kernel);

/* The same, or an operator of which is known what it needs at least. */
uint32_t kernel_owner_or_least(const struct kernel_owners *owners, event_id kernel);

/* In the list, the innermost operator around an event whose work is known; NO_OWNER. Where any is known. */
static inline uint32_t owner_around(const struct kernel_owners *owners, event_id event)
{
    return owners->of_event[event] - 1;
}

static inline const struct distinct_call *owner_call(const struct kernel_owners *owners,
                                                     uint32_t owner)
{
    return &owners->calls.list[owners->list[owner].call];
}

/* The work of an owner's operator with other shapes of its inputs, in another step of serving. */
bool owner_work_with(const struct kernel_owners *owners, uint32_t owner,
                     const struct operator_inputs *shapes, const struct step_label *step,
                     struct work *work);

/* The operator's event that has kernels and is one's own, not that of one around it; NO_OWNER. */
static inline uint32_t owner_with_kernels(const struct kernel_owners *owners, event_id event)
{
    uint32_t owner = owner_around(owners, event);
    bool has_kernels = owner != NO_OWNER && owners->list[owner].event == event &&
                       owners->list[owner].kernel_ns > 0 &&
                       !owner_call(owners, owner)->work.is_least;

    return has_kernels ? owner : NO_OWNER;
}

/* Whether the kernel does a part of its owner's work: copies beside a product of matrices only move
 * what it reads or writes. */
bool kernel_shares_work(const struct kernel_owners *owners, event_id kernel, uint32_t owner);

void kernel_owners_free(struct kernel_owners *owners);

#endif
