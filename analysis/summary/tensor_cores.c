/* tensor_cores.c — kernels that use tensor cores, by the words that libraries put in their names
 *
 * torch-tb-profiler's list, which ends before Hopper, and what later libraries write. */
#include "analysis/summary/device_use.h"

/* In lower case. */
static const char *const words[] = {"h884",
                                    "s884",
                                    "h1688",
                                    "s1688",
                                    "c1688",
                                    "hmma",
                                    "i8816",
                                    "16816",
                                    "dgrad_1x1_stride_2x2",
                                    "first_layer_wgrad_kernel",
                                    "conv1x1",
                                    "conv2d_c1_k1",
                                    "direct_group",
                                    "xmma_implicit_gemm",
                                    "xmma_sparse_conv",
                                    "xmma_warp_specialized_implicit_gemm",
                                    "xmma_gemm",
                                    "xmma_sparse_gemm",
                                    "tensorop",
                                    "wgmma",
                                    "gmma",
                                    "nvjet",
                                    "sm80_xmma",
                                    "sm90_",
                                    "sm100_",
                                    "utcmma",
                                    "s161616",
                                    "flash_fwd",
                                    "flash_bwd",
                                    "flashattnfwd",
                                    "flashattnbwd",
                                    "fmha",
                                    "deep_gemm",
                                    "fp8_gemm",
                                    "bmm_bfloat16",
                                    "bmm_e4m3",
                                    "bmm_e2m1",
                                    "_mfma"};

/* AMD's Tensile names its matrix instruction: "Cijk_…_MI16x16x4x1_…". */
static bool is_tensile_matrix(struct span name)
{
    size_t at = span_find(name, SPAN("_MI"));

    return span_starts(name, SPAN("Cijk_")) && at != SIZE_MAX && at + 3 < name.len &&
           name.at[at + 3] >= '0' && name.at[at + 3] <= '9';
}

bool kernel_uses_tensor_cores(struct span name)
{
    for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
        if (span_find_word(name, span_of(words[i])) != SIZE_MAX)
            return true;
    return is_tensile_matrix(name) ||
           (span_find_word(name, SPAN("cudnn")) != SIZE_MAX &&
            span_find_word(name, SPAN("sdpa")) != SIZE_MAX) ||
           (span_find_word(name, SPAN("cutlass")) != SIZE_MAX &&
            span_find_word(name, SPAN("fp8")) != SIZE_MAX);
}
