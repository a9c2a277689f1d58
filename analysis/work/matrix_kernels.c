#include "analysis/work/matrix_kernels.h"

/* Words are in lower case. Tensor cores': torch-tb-profiler's list, which ends before Hopper, and
 * what later libraries write. */
static const char *const tensor_words[] = {
    "h884", "s884", "h1688", "s1688", "c1688", "hmma", "i8816", "16816", "dgrad_1x1_stride_2x2",
    "first_layer_wgrad_kernel", "conv1x1", "conv2d_c1_k1", "direct_group", "xmma_implicit_gemm",
    "xmma_sparse_conv", "xmma_warp_specialized_implicit_gemm", "xmma_gemm", "xmma_sparse_gemm",
    "tensorop", "wgmma", "gmma", "nvjet", "sm80_xmma", "sm90_", "sm100_", "utcmma", "s161616",
    "flash_fwd", "flash_bwd", "flashattnfwd", "flashattnbwd", "fmha", "deep_gemm", "fp8_gemm",
    "bmm_bfloat16", "bmm_e4m3", "bmm_e2m1", "matmul_ogs", "unified_attention",
    /* AMD's: MIOpen's igemm_…_gtcx3, Composable Kernel's
                                            * …_xdl_… and …_wmma_…, AOTriton's. */
    "_mfma", "_gtcx", "_xdl", "_wmma", "attn_fwd"};

/* AMD's Tensile names its matrix instruction: "Cijk_…_MI16x16x4x1_…". */
static bool is_tensile_matrix(struct span name)
{
    size_t at = span_find(name, SPAN("_MI"));

    return span_starts(name, SPAN("Cijk_")) && at != SIZE_MAX && at + 3 < name.len &&
           name.at[at + 3] >= '0' && name.at[at + 3] <= '9';
}

/* Whatever computes it. */
static const char *const matrix_words[] = {"gemm",     "conv",    "attention", "flash",
                                           "winograd", "cutlass", "dgrad",     "wgrad"};

static bool has_word(struct span name, const char *const *words, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (span_find_word(name, span_of(words[i])) != SIZE_MAX)
            return true;
    return false;
}

static bool has_both(struct span name, struct span one, struct span other)
{
    return span_find_word(name, one) != SIZE_MAX && span_find_word(name, other) != SIZE_MAX;
}

enum matrix_work kernel_matrix_work(struct span name)
{
    if (has_word(name, tensor_words, sizeof(tensor_words) / sizeof(*tensor_words)) ||
        is_tensile_matrix(name) || has_both(name, SPAN("cudnn"), SPAN("sdpa")) ||
        has_both(name, SPAN("cutlass"), SPAN("fp8")))
        return MATRIX_ON_TENSOR_CORES;
    return has_word(name, matrix_words, sizeof(matrix_words) / sizeof(*matrix_words))
               ? MATRIX_ON_CORES
               : MATRIX_NONE;
}

uint8_t *frames_matrix_work(const struct graph *graph, struct arena *arena)
{
    uint8_t *work = arena_array(arena, graph->frames.count, sizeof(*work));

    for (frame_id id = 1; id < graph->frames.count; id++) {
        const struct frame *frame = graph_frame(graph, id);

        if (frame->kind == KIND_KERNEL || frame->kind == KIND_COMMUNICATION)
            work[id] = (uint8_t)kernel_matrix_work(graph_text(graph, frame->name));
    }
    return work;
}
