/* SPDX-License-Identifier: Apache-2.0 */
/* The family of a kernel (GEMM, attention, …), its tile, and what kind of device work a name
 * stands for. */
#include "graph/classify/function_class.h"

#include <assert.h>

#include "base/checked.h"
#include "graph/classify/kernel_class.h"

static unsigned char lower(char c)
{
    return (unsigned char)(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
}

void name_words_init(struct name_words *words, const struct name_word *table, size_t count)
{
    assert(count <= NAME_WORDS_MAX);
    *words = (struct name_words){.table = table};
    for (size_t i = count; i-- > 0;) {
        unsigned char letter = (unsigned char)table[i].text[0];

        words->length[i] = (uint8_t)strlen(table[i].text);
        words->next[i] = words->first[letter];
        words->first[letter] = (uint8_t)(i + 1);
    }
}

static bool stands_at(struct span name, size_t at, const char *word, size_t length)
{
    if (length > name.len - at)
        return false;
    for (size_t i = 1; i < length; i++)
        if (lower(name.at[at + i]) != (unsigned char)word[i])
            return false;
    return true;
}

uint64_t name_words_in(const struct name_words *words, struct span name)
{
    uint64_t means = 0;

    for (size_t at = 0; at < name.len; at++)
        for (unsigned i = words->first[lower(name.at[at])]; i; i = words->next[i - 1])
            if (stands_at(name, at, words->table[i - 1].text, words->length[i - 1]))
                means |= words->table[i - 1].means;
    return means;
}

/* ---- which part of a product's result one block computes, by what libraries write ---- */

enum { TILE_MIN = 8, TILE_MAX = 512, SPLIT_MAX = 1024 };

/* Digits at the start of `text`, which moves behind them. */
static bool take_number(struct span *text, unsigned *number)
{
    size_t len = 0;

    *number = 0;
    while (len < text->len && len < 5 && is_digit(text->at[len]))
        *number = *number * 10 + (unsigned)(text->at[len++] - '0');
    *text = span_after(*text, len);
    return len > 0;
}

/* "128x64", at the end or before "_" or another size. */
static bool take_sizes(struct span text, unsigned *first, unsigned *second)
{
    if (!take_number(&text, first) || !text.len || *text.at != 'x')
        return false;
    text = span_after(text, 1);
    if (!take_number(&text, second))
        return false;
    return !text.len || *text.at == 'x' || *text.at == '_';
}

static bool is_tile(unsigned first, unsigned second)
{
    return first >= TILE_MIN && first <= TILE_MAX && second >= TILE_MIN && second <= TILE_MAX;
}

/* Tensile multiplies column by column: its first size is the framework's columns. */
static const struct {
    const char *before;
    bool is_by_columns;
} tile_words[] = {
    {"_MT", true},      /* Cijk_Ailk_Bljk_BBS_BH_MT256x128x64_ */
    {"_bt", false},     /* igemm_fwd_gtcx_nhwc_fp32_bx0_bt128x128x32 */
    {"tilesize", false} /* sm90_xmma_gemm_…_tilesize128x256x64_ */
};

static bool find_behind_word(struct span name, struct kernel_tile *tile)
{
    for (size_t i = 0; i < COUNT_OF(tile_words); i++) {
        size_t at = span_find(name, span_of(tile_words[i].before));
        unsigned first, second;

        if (at == SIZE_MAX ||
            !take_sizes(span_after(name, at + strlen(tile_words[i].before)), &first, &second) ||
            !is_tile(first, second))
            continue;
        tile->rows = (uint16_t)(tile_words[i].is_by_columns ? second : first);
        tile->columns = (uint16_t)(tile_words[i].is_by_columns ? first : second);
        return true;
    }
    return false;
}

/* cuBLAS before Hopper: "volta_h884gemm_256x64_ldg8_nn", column by column, too. */
static bool is_by_columns(struct span name)
{
    return span_starts(name, SPAN("maxwell_")) || span_starts(name, SPAN("volta_")) ||
           span_starts(name, SPAN("turing_")) || span_starts(name, SPAN("ampere_"));
}

/* "simt_sgemm_256x128_8x4_nn", "nvjet_tst_128x256_64x4": the first pair of sizes after a "_". */
static bool find_pair(struct span name, struct kernel_tile *tile)
{
    unsigned first, second;

    for (size_t i = 0; i + 1 < name.len; i++) {
        if (name.at[i] != '_' || !is_digit(name.at[i + 1]) ||
            !take_sizes(span_after(name, i + 1), &first, &second) || !is_tile(first, second))
            continue;
        tile->rows = (uint16_t)(is_by_columns(name) ? second : first);
        tile->columns = (uint16_t)(is_by_columns(name) ? first : second);
        return true;
    }
    return false;
}

/* CUTLASS 3 writes its tile as types, "tuple<cute::C<128>, cute::C<256>, cute::C<64>>", and before
 * it, likewise, how many blocks make a cluster: those numbers are too small for a tile. */
static bool find_types(struct span name, struct kernel_tile *tile)
{
    for (size_t at; (at = span_find(name, SPAN("tuple<"))) != SIZE_MAX;) {
        struct span rest = name = span_after(name, at + 6);
        unsigned size[2] = {0, 0};

        for (int i = 0; i < 2 && (at = span_find(rest, SPAN("C<"))) != SIZE_MAX; i++) {
            rest = span_after(rest, at + 2);
            take_number(&rest, &size[i]);
        }
        if (!is_tile(size[0], size[1]))
            continue;
        tile->rows = (uint16_t)size[0];
        tile->columns = (uint16_t)size[1];
        return true;
    }
    return false;
}

struct kernel_tile kernel_tile(struct span name)
{
    struct kernel_tile tile = {0};
    size_t at = span_find(name, SPAN("_GSU")); /* "…_GSU4_…"; "…splitK…" does not say how many */
    struct span rest = at == SIZE_MAX ? (struct span){0} : span_after(name, at + 4);
    unsigned split;

    if ((find_behind_word(name, &tile) || find_types(name, &tile) || find_pair(name, &tile)) &&
        take_number(&rest, &split) && split <= SPLIT_MAX)
        tile.split = (uint16_t)split;
    return tile;
}

/* ---- families ---- */

const char *kernel_family_name(enum kernel_family family)
{
    static const char *const names[FAMILY_COUNT] = {
        [FAMILY_NONE] = "",
        [FAMILY_OTHER] = "other",
        [FAMILY_GEMM] = "gemm",
        [FAMILY_CONVOLUTION] = "convolution",
        [FAMILY_ATTENTION] = "attention",
        [FAMILY_MOE] = "moe",
        [FAMILY_NORMALISATION] = "normalisation",
        [FAMILY_SOFTMAX] = "softmax",
        [FAMILY_EMBEDDING] = "embedding",
        [FAMILY_OPTIMIZER] = "optimizer",
        [FAMILY_COPY] = "copy",
        [FAMILY_ELEMENTWISE] = "elementwise",
        [FAMILY_REDUCTION] = "reduction",
        [FAMILY_SORT] = "sort",
        [FAMILY_COMMUNICATION] = "communication",
    };

    return names[family];
}

/* ---- what kernels compute ---- */

#define IN(family) ((uint64_t)1 << (family))
#define ROTARY ((uint64_t)1 << 63)

static const struct name_word words[] = {
    {"attention", IN(FAMILY_ATTENTION)},
    {"flash_fwd", IN(FAMILY_ATTENTION)},
    {"flash_bwd", IN(FAMILY_ATTENTION)},
    {"flashattn", IN(FAMILY_ATTENTION)},
    {"fmha", IN(FAMILY_ATTENTION)},
    {"attn_fwd", IN(FAMILY_ATTENTION)},
    {"attn_bwd", IN(FAMILY_ATTENTION)},
    {"sdpa", IN(FAMILY_ATTENTION)},
    {"mla_", IN(FAMILY_ATTENTION)},
    {"moe", IN(FAMILY_MOE)},
    {"expert", IN(FAMILY_MOE)},
    {"matmul_ogs", IN(FAMILY_MOE)},
    {"grouped_topk", IN(FAMILY_MOE)},
    {"fprop", IN(FAMILY_CONVOLUTION)},
    {"dgrad", IN(FAMILY_CONVOLUTION)},
    {"wgrad", IN(FAMILY_CONVOLUTION)},
    {"winograd", IN(FAMILY_CONVOLUTION)},
    {"implicit_gemm", IN(FAMILY_CONVOLUTION)},
    {"igemm_fwd", IN(FAMILY_CONVOLUTION)},
    {"igemm_bwd", IN(FAMILY_CONVOLUTION)},
    {"igemm_wrw", IN(FAMILY_CONVOLUTION)},
    {"scudnn", IN(FAMILY_CONVOLUTION)},
    {"convolve", IN(FAMILY_CONVOLUTION)},
    {"convolution", IN(FAMILY_CONVOLUTION)},
    {"conv1d", IN(FAMILY_CONVOLUTION)},
    {"conv2d", IN(FAMILY_CONVOLUTION)},
    {"conv3d", IN(FAMILY_CONVOLUTION)},
    {"conv_depthwise", IN(FAMILY_CONVOLUTION)},
    {"im2col", IN(FAMILY_CONVOLUTION)},
    {"col2im", IN(FAMILY_CONVOLUTION)},
    {"gemm", IN(FAMILY_GEMM)},
    {"gemv", IN(FAMILY_GEMM)},
    {"cijk_", IN(FAMILY_GEMM)},
    {"nvjet", IN(FAMILY_GEMM)},
    {"matmul", IN(FAMILY_GEMM)},
    {"matrixmul", IN(FAMILY_GEMM)},
    {"splitkreduce", IN(FAMILY_GEMM)},
    {"bmm_", IN(FAMILY_GEMM)},
    {"cublas", IN(FAMILY_GEMM)},
    {"layer_norm", IN(FAMILY_NORMALISATION)},
    {"layernorm", IN(FAMILY_NORMALISATION)},
    {"rms_norm", IN(FAMILY_NORMALISATION)},
    {"rmsnorm", IN(FAMILY_NORMALISATION)},
    {"batch_norm", IN(FAMILY_NORMALISATION)},
    {"batchnorm", IN(FAMILY_NORMALISATION)},
    {"group_norm", IN(FAMILY_NORMALISATION)},
    {"groupnorm", IN(FAMILY_NORMALISATION)},
    {"bn_fw", IN(FAMILY_NORMALISATION)},
    {"bn_bw", IN(FAMILY_NORMALISATION)},
    {"rowwisemoments", IN(FAMILY_NORMALISATION)},
    {"gammabeta", IN(FAMILY_NORMALISATION)},
    {"softmax", IN(FAMILY_SOFTMAX)},
    {"embedding", IN(FAMILY_EMBEDDING)},
    {"indexselect", IN(FAMILY_EMBEDDING)},
    {"multi_tensor_apply", IN(FAMILY_OPTIMIZER)},
    {"multitensorapply", IN(FAMILY_OPTIMIZER)},
    {"fusedoptimizer", IN(FAMILY_OPTIMIZER)},
    {"adamw", IN(FAMILY_OPTIMIZER)},
    {"copy_kernel", IN(FAMILY_COPY)},
    {"catarraybatched", IN(FAMILY_COPY)},
    {"transpose_readwrite", IN(FAMILY_COPY)},
    {"nchwtonhwc", IN(FAMILY_COPY)},
    {"nhwctonchw", IN(FAMILY_COPY)},
    {"batched_transpose", IN(FAMILY_COPY)},
    {"transpose_nchw", IN(FAMILY_COPY)},
    {"transpose_nhwc", IN(FAMILY_COPY)},
    {"permute", IN(FAMILY_COPY)},
    {"gather", IN(FAMILY_COPY)},
    {"scatter", IN(FAMILY_COPY)},
    {"reshape_and_cache", IN(FAMILY_COPY)},
    {"elementwise", IN(FAMILY_ELEMENTWISE)},
    {"unrolled_kernel", IN(FAMILY_ELEMENTWISE)},
    {"pointwise", IN(FAMILY_ELEMENTWISE)},
    {"triton_poi", IN(FAMILY_ELEMENTWISE)},
    {"activation", IN(FAMILY_ELEMENTWISE)},
    {"act_and_mul", IN(FAMILY_ELEMENTWISE)},
    {"dropout", IN(FAMILY_ELEMENTWISE)},
    {"rotary", IN(FAMILY_ELEMENTWISE) | ROTARY},
    {"reduce_kernel", IN(FAMILY_REDUCTION)},
    {"devicereduce", IN(FAMILY_REDUCTION)},
    {"triton_red", IN(FAMILY_REDUCTION)},
    {"triton_per", IN(FAMILY_REDUCTION)},
    {"sort", IN(FAMILY_SORT)},
    {"topk", IN(FAMILY_SORT)},
    {"scankernel", IN(FAMILY_SORT)},
    {"devicescan", IN(FAMILY_SORT)},
};

/* The first that a word names: what is around others in a fused kernel comes before them. */
enum kernel_family kernel_family(struct span name)
{
    static const enum kernel_family order[] = {
        FAMILY_ATTENTION,     FAMILY_MOE,         FAMILY_CONVOLUTION, FAMILY_GEMM,
        FAMILY_NORMALISATION, FAMILY_SOFTMAX,     FAMILY_EMBEDDING,   FAMILY_OPTIMIZER,
        FAMILY_COPY,          FAMILY_ELEMENTWISE, FAMILY_REDUCTION,   FAMILY_SORT};
    struct name_words finder;
    uint64_t means;

    name_words_init(&finder, words, COUNT_OF(words));
    means = name_words_in(&finder, name);
    if (means & ROTARY)
        means &= ~IN(FAMILY_EMBEDDING); /* of positions: nothing is looked up */
    for (size_t i = 0; i < COUNT_OF(order); i++)
        if (means & IN(order[i]))
            return order[i];
    return FAMILY_OTHER;
}

bool changes_layout(struct span name)
{
    static const struct name_word orders[] = {
        {"nchwtonhwc", 1},     {"nhwctonchw", 1},     {"batched_transpose", 1},
        {"transpose_nchw", 1}, {"transpose_nhwc", 1}, {"permute", 1},
    };
    struct name_words finder;

    name_words_init(&finder, orders, COUNT_OF(orders));
    return name_words_in(&finder, name) != 0;
}

/* ---- kinds of device work ---- */

bool is_same_kernel(struct span a, struct span b)
{
    enum { CUT_MIN = 64 }; /* bytes that any writer keeps */

    return span_eq(a, b) || (a.len >= CUT_MIN && span_starts(b, a)) ||
           (b.len >= CUT_MIN && span_starts(a, b));
}

enum frame_kind kernel_stands_for(struct span name)
{
    if (!span_starts(name, SPAN("__amd_rocclr_")))
        return KIND_KERNEL;
    return span_find(name, SPAN("fillBuffer")) != SIZE_MAX   ? KIND_MEMSET
           : span_find(name, SPAN("copyBuffer")) != SIZE_MAX ? KIND_MEMCPY
                                                             : KIND_KERNEL;
}

/* Libraries of collectives, and kernels that talk to other devices by themselves. */
enum frame_kind device_work_kind(struct span name)
{
    static const char *const starts[] = {"nccl",       "rccl",
                                         "hccl",       "xccl",
                                         "oneccl",     "mscclpp",
                                         "nvshmem",    "msccl",
                                         "hcom_",      "all-reduce",
                                         "all-gather", "reduce-scatter",
                                         "all-to-all", "collective-permute",
                                         NULL};
    static const char *const parts[] = {"ncclKernel",
                                        "ncclDevKernel",
                                        "rcclGenericKernel",
                                        "nvshmem",
                                        "multimem_",
                                        "cross_device_reduce",
                                        "::internode",
                                        "::intranode",
                                        "deep_ep::",
                                        "oneccl",
                                        "two_shot_all_reduce",
                                        "one_shot_all_reduce",
                                        "allreduce_fusion_kernel",
                                        NULL};
    static const char *const copies[] = {"Memcpy",        "MEMCPY",
                                         "CopyHostTo",    "CopyDeviceTo",
                                         "dma_request",   "zeCommandListAppendMemoryCopy",
                                         "clEnqueueRead", "clEnqueueWrite",
                                         "clEnqueueCopy", NULL};
    static const char *const fills[] = {
        "Memset", "MEMSET", "FillBuffer", "zeCommandListAppendMemoryFill", "clEnqueueFill", NULL};
    /* MTIA's and unitrace's, among its work */
    static const char *const waits[] = {"event_wait",
                                        "event_record",
                                        "zeCommandListAppendBarrier",
                                        "zeCommandListAppendWaitOnEvents",
                                        "zeCommandListAppendSignalEvent",
                                        "zeCommandListAppendEventReset",
                                        NULL};

    if (span_starts_any(name, waits))
        return KIND_SYNC;
    if (span_starts_any(name, starts) || span_holds_any(name, parts))
        return KIND_COMMUNICATION;
    if (span_starts_any(name, copies))
        return KIND_MEMCPY;
    return span_starts_any(name, fills) ? KIND_MEMSET : KIND_KERNEL;
}
