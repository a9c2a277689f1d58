/* SPDX-License-Identifier: Apache-2.0 */
/* In which precision a kernel computes, and whether it multiplies matrices on tensor cores, by
 * its name. */
#include "graph/classify/kernel_class.h"

#include "base/checked.h"
#include "graph/classify/function_class.h"

/* What a word means: a precision, or that matrices are multiplied. */
#define IN(precision) ((uint64_t)1 << (precision))

enum {
    TENSOR_CORES = 1 << 8,
    MATRIX = 1 << 9,
    CUDNN = 1 << 10, /* on tensor cores with SDPA, */
    SDPA = 1 << 11,
    CUTLASS = 1 << 12, /* and this with FP8 */
    FP8 = 1 << 13,
};

/* Tensor cores': torch-tb-profiler's list, which ends before Hopper, and what later libraries
 * write. AMD's: MIOpen's igemm_…_gtcx3, Composable Kernel's …_xdl_… and …_wmma_…, AOTriton's. */
static const struct name_word words[] = {
    {"h884", TENSOR_CORES | IN(PRECISION_FP16)},
    {"s884", TENSOR_CORES | IN(PRECISION_FP16)},
    {"h1688", TENSOR_CORES | IN(PRECISION_FP16)},
    {"s1688", TENSOR_CORES | IN(PRECISION_TF32)},
    {"c1688", TENSOR_CORES | IN(PRECISION_TF32)},
    {"hmma", TENSOR_CORES},
    {"i8816", TENSOR_CORES | IN(PRECISION_INT8)},
    {"i16832", TENSOR_CORES | IN(PRECISION_INT8)},
    {"imma", TENSOR_CORES | IN(PRECISION_INT8)},
    {"16816", TENSOR_CORES},
    {"h16816", IN(PRECISION_FP16)},
    {"dgrad_1x1_stride_2x2", TENSOR_CORES},
    {"first_layer_wgrad_kernel", TENSOR_CORES},
    {"conv1x1", TENSOR_CORES},
    {"conv2d_c1_k1", TENSOR_CORES},
    {"direct_group", TENSOR_CORES},
    {"xmma_implicit_gemm", TENSOR_CORES},
    {"xmma_sparse_conv", TENSOR_CORES},
    {"xmma_warp_specialized_implicit_gemm", TENSOR_CORES},
    {"xmma_gemm", TENSOR_CORES},
    {"xmma_sparse_gemm", TENSOR_CORES},
    {"tensorop", TENSOR_CORES},
    {"wgmma", TENSOR_CORES},
    {"gmma", TENSOR_CORES},
    {"nvjet", TENSOR_CORES},
    {"nvjet_t", IN(PRECISION_BF16)},
    {"nvjet_h", IN(PRECISION_FP16)},
    {"nvjet_qq", IN(PRECISION_FP8)},
    {"sm80_xmma", TENSOR_CORES},
    {"sm90_", TENSOR_CORES},
    {"sm100_", TENSOR_CORES},
    {"utcmma", TENSOR_CORES},
    {"s161616", TENSOR_CORES},
    {"flash_fwd", TENSOR_CORES},
    {"flash_bwd", TENSOR_CORES},
    {"flashattnfwd", TENSOR_CORES},
    {"flashattnbwd", TENSOR_CORES},
    {"fmha", TENSOR_CORES},
    {"deep_gemm", TENSOR_CORES},
    {"fp8_gemm", TENSOR_CORES},
    {"bmm_bfloat16", TENSOR_CORES},
    {"bmm_e4m3", TENSOR_CORES},
    {"bmm_e2m1", TENSOR_CORES},
    {"matmul_ogs", TENSOR_CORES},
    {"unified_attention", TENSOR_CORES},
    {"_mfma", TENSOR_CORES},
    {"_gtcx", TENSOR_CORES},
    {"_xdl", TENSOR_CORES},
    {"_wmma", TENSOR_CORES},
    {"attn_fwd", TENSOR_CORES},

    {"cudnn", CUDNN},
    {"sdpa", SDPA},
    {"fp8", FP8 | IN(PRECISION_FP8)},

    {"gemm", MATRIX},
    {"conv", MATRIX},
    {"attention", MATRIX},
    {"flash", MATRIX},
    {"winograd", MATRIX},
    {"cutlass", MATRIX | CUTLASS},
    {"dgrad", MATRIX},
    {"wgrad", MATRIX},

    {"e4m3", IN(PRECISION_FP8)},
    {"e5m2", IN(PRECISION_FP8)},
    {"float8", IN(PRECISION_FP8)},
    {"int8", IN(PRECISION_INT8)},
    {"i8i8", IN(PRECISION_INT8)},
    {"s8_s8", IN(PRECISION_INT8)},
    {"bf16", IN(PRECISION_BF16)},
    {"bfloat16", IN(PRECISION_BF16)},
    {"fp16", IN(PRECISION_FP16)},
    {"_f16", IN(PRECISION_FP16)},
    {"f16f16", IN(PRECISION_FP16)},
    {"half", IN(PRECISION_FP16)},
    {"hgemm", IN(PRECISION_FP16)},
    {"tf32", IN(PRECISION_TF32)},
    {"fp64", IN(PRECISION_FP64)},
    {"double", IN(PRECISION_FP64)},
    {"dgemm", IN(PRECISION_FP64)},
    {"d884", IN(PRECISION_FP64)},
    {"fp32", IN(PRECISION_FP32)},
    {"_f32", IN(PRECISION_FP32)},
    {"float", IN(PRECISION_FP32)},
    {"sgemm", IN(PRECISION_FP32)},
    {"scudnn", IN(PRECISION_FP32)},
};

/* AMD's Tensile: "Cijk_Ailk_Bljk_HHS_BH_…_MI16x16x4x1_…" has its types behind the indices, and its
 * matrix instruction. */
static const struct name_word tensile_types[] = {
    {"_hhs_", IN(PRECISION_FP16)}, {"_hb", IN(PRECISION_FP16)},  {"_hss_", IN(PRECISION_FP16)},
    {"_bbs_", IN(PRECISION_BF16)}, {"_bb_", IN(PRECISION_BF16)}, {"_bss_", IN(PRECISION_BF16)},
    {"_bs_", IN(PRECISION_BF16)},  {"_f8", IN(PRECISION_FP8)},   {"_sb_", IN(PRECISION_FP32)},
    {"_i8", IN(PRECISION_INT8)},   {"_xb_", IN(PRECISION_TF32)}, {"_sx_", IN(PRECISION_TF32)},
    {"_db_", IN(PRECISION_FP64)},
};

static uint64_t meanings(struct span name)
{
    struct name_words finder;
    uint64_t means;
    size_t at;

    name_words_init(&finder, words, COUNT_OF(words));
    means = name_words_in(&finder, name);
    if (!span_starts(name, SPAN("Cijk_")))
        return means;
    name_words_init(&finder, tensile_types, COUNT_OF(tensile_types));
    means |= name_words_in(&finder, name);
    at = span_find(name, SPAN("_MI"));
    return at != SIZE_MAX && at + 3 < name.len && is_digit(name.at[at + 3]) ? means | TENSOR_CORES
                                                                            : means;
}

struct kernel_arithmetic kernel_arithmetic(struct span name)
{
    /* Names have the types of sums and scales, too: what is multiplied is the least precise; but
     * weights of 8 bits may be widened first. */
    static const enum precision order[] = {PRECISION_FP8,  PRECISION_BF16, PRECISION_FP16,
                                           PRECISION_INT8, PRECISION_TF32, PRECISION_FP64,
                                           PRECISION_FP32};
    uint64_t means = meanings(name);
    struct kernel_arithmetic kernel = {PRECISION_UNKNOWN, MATRIX_NONE};

    for (size_t i = 0; i < COUNT_OF(order) && kernel.precision == PRECISION_UNKNOWN; i++)
        if (means & IN(order[i]))
            kernel.precision = order[i];
    if (means & TENSOR_CORES || (means & CUDNN && means & SDPA) || (means & CUTLASS && means & FP8))
        kernel.matrix = MATRIX_ON_TENSOR_CORES;
    else if (means & MATRIX)
        kernel.matrix = MATRIX_ON_CORES;
    return kernel;
}
