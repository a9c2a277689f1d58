/* SPDX-License-Identifier: Apache-2.0 */
/* causes.h — why kernels are slow: what their shapes, launches and neighbours tell */
#ifndef PTK_ANALYSIS_ADVICE_CAUSES_H
#define PTK_ANALYSIS_ADVICE_CAUSES_H

#include "analysis/advice/thresholds.h"
#include "analysis/kernels/roofline.h"
#include "analysis/kernels/work.h"
#include "base/memory/memory.h"
#include "base/text/string_table.h"
#include "graph/model/graph.h"

/* ---- attention that is computed operator by operator, and experts one by one ----
 *
 * Attention: a product, a softmax of its result, a product with the softmax's result; what goes over
 * the same elements in between (scale, mask, dropout) takes part. The matrix of scores passes memory
 * between any two of them, which a fused kernel keeps on chip.
 *
 * Experts: a loop of products by weights of the same one, two or three sizes, in which more than
 * eight products by weights of one size have rows whose number changes more often than not from one
 * to the next: each expert's share of the tokens. A grouped product does them all in one kernel. */

enum unfused {
    FUSED,
    UNFUSED_EXPERTS,
    UNFUSED,
    UNFUSED_BY_MATH /* attention as PyTorch does it where no fused kernel fits */
};

/* Says so of the operators that are part of one; by their places in the list of owners, all FUSED before. */
void unfused_attention_mark(const struct kernel_owners *owners, uint8_t *unfused);
void unfused_experts_mark(const struct kernel_owners *owners, const struct thresholds *thresholds,
                          uint8_t *unfused);

/* ---- a device's kernels by the calls that are alike: same operator, same inputs ---- */

/* Operators that are alike, with all kernels that they launched; or, where nothing says what they
 * compute, the launches of one kernel. */
struct kernel_group {
    int32_t device;
    frame_id frame;      /* the operator, or the kernel */
    str_id shapes;       /* of the operator's inputs, as in the file; 0: there is no operator */
    int64_t calls;       /* of the operator; launches of the kernel */
    int64_t time;        /* ns of the kernels */
    int64_t layout_time; /* ns of those that only put a tensor into another order */
    event_id owner;      /* the operator's first call; NO_EVENT */
    frame_id kernel;     /* which takes the most time, */
    int64_t kernel_time; /* ns of its launches, */
    event_id longest;    /* and the longest of them */
    bool has_work;
    enum unfused unfused : 8; /* a part of what one operator could do */
    int64_t chain_time;  /* ns of its kernels in chains of elementwise kernels over equally many
                          * elements, one behind the other on their stream, */
    double chain_saving; /* and what of that one kernel in a chain's place would not take */
    enum precision precision; /* of the work; PRECISION_UNKNOWN */
    struct work work;         /* of the first call; the others' is the same, but for the rows of
                               * UNFUSED_EXPERTS */
    double flops, bytes;      /* of all calls */
};

struct kernel_groups {
    struct kernel_group *list; /* in the order of their first launches; in the arena */
    uint32_t count;
};

/* Kernels that begin in [start, end). */
void kernel_groups_find(const struct kernel_owners *owners, const struct thresholds *thresholds,
                        int64_t start, int64_t end, struct arena *arena,
                        struct kernel_groups *groups);

/* ---- why kernels are slow, as far as the shapes of their work and their launches tell ----
 *
 * Public knowledge of products of matrices, convolutions and attention on GPUs. A kernel's work is
 * cut into tiles, one a block, which the device's units (multiprocessors, compute units) take in
 * waves. With M×N×K, `b` times, tiles of Tm×Tn, S units, P and B the peaks, η what is attained of
 * the roof, e the bytes of an element:
 *
 *     tiles = ⌈M/Tm⌉ ⌈N/Tn⌉ b          too-few-tiles  tiles < 0.8 S
 *     waves = tiles / S                partial-wave   waves / ⌈waves⌉ < 0.8, waves < 10
 *     MN / (⌈M/Tm⌉ Tm ⌈N/Tn⌉ Tn)       partial-tiles  below 0.9
 *
 * with kernels that are no products, of G blocks of which each unit holds R at once:
 *
 *     waves = G / (R S)                tail-wave      waves / ⌈waves⌉ < 0.8, 1 < waves < 10
 *
 * and so on: each rule stands with its condition in kernel_causes.c. A cause is named of kernels
 * below 60 % of their roof; some (what moves bytes that need not exist, works at a higher precision
 * than asked for, or has too little work by nature) whatever they attain. */

enum kernel_cause {
    CAUSE_TOO_FEW_TILES,
    CAUSE_PARTIAL_WAVE,
    CAUSE_PARTIAL_TILES,
    CAUSE_MISALIGNED,
    CAUSE_LONG_K,
    CAUSE_SKINNY,
    CAUSE_SMALL_BATCH,
    CAUSE_FULL_PRECISION,
    CAUSE_DEPTHWISE,
    CAUSE_FEW_CHANNELS,
    CAUSE_ASYMMETRIC_FILTER,
    CAUSE_DILATED,
    CAUSE_TRANSPOSED_CONVOLUTION,
    CAUSE_POINTWISE_IS_GEMM,
    CAUSE_LAYOUT_CONVERSION,
    CAUSE_UNFUSED_ATTENTION,
    CAUSE_UNFUSED_EXPERTS,
    CAUSE_MATH_BACKEND,
    CAUSE_SHORT_SEQUENCE,
    CAUSE_DECODE,
    CAUSE_TOO_FEW_BLOCKS,
    CAUSE_HEAD_PADDED,
    CAUSE_LARGE_HEAD,
    CAUSE_FEW_TOKENS,
    CAUSE_STRIDED_ACCESS,
    CAUSE_BROADCAST_COPY,
    CAUSE_CAST_TRAFFIC,
    CAUSE_UNFUSED_CHAIN,
    CAUSE_TAIL_WAVE,
    CAUSE_TINY_KERNEL,
    CAUSE_LOW_OCCUPANCY,
    CAUSE_FAR_FROM_ROOF,
    CAUSE_CACHE_RESIDENT,
    CAUSE_ABOVE_ROOF,
    CAUSE_COUNT
};

/* "too-few-tiles"; what it is; how to fix it, without commands and options. */
struct cause_text {
    const char *name, *title, *remedy;
};

extern const struct cause_text cause_texts[CAUSE_COUNT];

/* How to fix it on this device: TF32 is left out where it has none. A literal. */
const char *cause_remedy(enum kernel_cause cause, const struct ceilings *ceilings);

/* How a product is cut up; zeroed where the work is none. */
struct tiling {
    double rows, columns; /* of a tile */
    bool is_assumed;      /* the kernel's name does not tell it */
    double split;         /* blocks that share a tile's sum */
    double tiles, waves;  /* blocks, and those for each unit */
    double use;           /* share of the tiles' elements that the result has */
};

struct slow_group {
    struct kernel_group group;
    struct tiling tiling;
    double share;               /* of its device's kernel time */
    double roof;                /* ns that its work takes at the roof; NaN */
    double efficiency;          /* roof / time; NaN: there is no ceiling, or no work known */
    uint64_t causes;            /* a set: 1 << enum kernel_cause; none */
    double saving[CAUSE_COUNT]; /* ns, at most, of each that holds; NaN: not known */
};

struct kernel_causes {
    struct slow_group *list; /* the most that could be saved first; those without causes last */
    uint32_t count;
    const struct thresholds *thresholds; /* of who asked */
    double units;                        /* of the device; 0: not known */
    bool has_ceiling; /* without one only those are named that hold whatever is attained */
};

/* Of the kernels that begin in [start, end), in groups that take 2 % of a device's kernel time or
 * more. `ceilings->units` 0: as the file says. */
void kernel_causes_find(const struct kernel_owners *owners, const struct ceilings *ceilings,
                        const struct thresholds *thresholds, int64_t start, int64_t end,
                        struct arena *arena, struct kernel_causes *causes);

/* Whether its saving is what kernels are from their roof, which is the most that better ones save; that of others
 * follows from what they do in vain. */
bool cause_is_to_roof(enum kernel_cause cause);

static inline bool kernel_has_cause(const struct slow_group *slow, enum kernel_cause cause)
{
    return slow->causes >> cause & 1;
}

/* The cause of a group with the most to save, the first of equals; CAUSE_COUNT: none. */
enum kernel_cause kernel_cause_first(const struct slow_group *slow);

/* The figures that a cause rests on, in one sentence; in the arena. */
const char *kernel_cause_evidence(const struct graph *graph, const struct kernel_causes *causes,
                                  const struct slow_group *slow, const struct ceilings *ceilings,
                                  enum kernel_cause cause, struct arena *arena);

#endif
