/* SPDX-License-Identifier: Apache-2.0 */
/* Kernels that PyTorch's Inductor fuses with Triton: the operations that say most come first; and collectives,
 * attention and transposes of libraries that say all in one identifier. */
#include "graph/names/name_label.h"

#include <string.h>

#include "base/checked.h"

/* ---- triton_red_fused__to_copy_add_mean_mul_pow_rsqrt_1 ---- */

/* Operations whose own names have blanks, the longest of those that begin alike first. */
static const char *const compounds[] = {
    "_native_batch_norm_legit_functional", "_native_batch_norm_legit", "native_batch_norm_backward",
    "native_layer_norm_backward", "native_layer_norm", "native_group_norm_backward", "native_group_norm",
    "native_dropout_backward", "native_dropout", "_softmax_backward_data", "_log_softmax_backward_data",
    "_log_softmax", "_softmax", "_unsafe_view", "unsafe_view", "_unsafe_index", "unsafe_index", "_to_copy",
    "to_copy", "_scaled_mm", "empty_like", "zeros_like", "ones_like", "full_like", "constant_pad_nd",
    "bitwise_and", "bitwise_or", "bitwise_not", "bitwise_xor", "logical_and", "logical_or", "logical_not",
    "masked_fill", "index_select", "index_put", "index_add", "split_with_sizes", "scalar_tensor", "lift_fresh",
    "as_strided", "threshold_backward", "embedding_dense_backward", "nll_loss_forward", "nll_loss_backward",
    "max_pool2d_with_indices_backward", "max_pool2d_with_indices", "avg_pool2d_backward", "avg_pool2d",
    "convolution_backward", "moe_forward", "fmha_v3_fwd", "scatter_add", "scatter_reduce", "slice_backward",
    "slice_scatter", "select_backward", "select_scatter", "sum_1", "add_rms_norm", "rms_norm", "new_zeros",
    "new_ones", "new_empty", "clamp_min", "clamp_max", "tanh_backward", "gelu_backward", "silu_backward",
    "sigmoid_backward", "log_sigmoid", "flex_attention_backward", "flex_attention", "copy_", NULL};

static const char *const moves[] = {
    "view", "_unsafe_view", "unsafe_view", "clone", "slice", "transpose", "t", "unsqueeze", "squeeze", "split",
    "stack", "permute", "expand", "empty_like", "select", "unbind", "_to_copy", "to_copy", "as_strided", "alias",
    "detach", "lift_fresh", "split_with_sizes", "reshape", "full", "empty", NULL};

/* The next operation of a list. */
static bool next_operation(struct span *rest, struct span *operation)
{
    while (rest->len) {
        size_t len = 0;

        for (size_t i = 0; compounds[i] && !len; i++) {
            struct span compound = span_of(compounds[i]);

            if (span_starts(*rest, compound) && (rest->len == compound.len || rest->at[compound.len] == '_'))
                len = compound.len;
        }
        if (!len && rest->at[0] == '_') {
            *rest = span_after(*rest, 1);
            continue;
        }
        if (!len)
            while (len < rest->len && rest->at[len] != '_')
                len++;
        *operation = span_before(*rest, len);
        *rest = span_after(*rest, len);
        return true;
    }
    return false;
}

/* What says most of a fused kernel comes first. A loop runs no product: it only follows one. */
static unsigned rank_of(struct span operation, bool is_template)
{
    static const char *const products[] = {"attention", "fmha", "bmm", "convolution", "matmul", "moe", NULL};
    static const char *const norms[] = {"norm",  "softmax", "embedding", "loss", "scatter",
                                        "index", "sort",    "topk",      NULL};
    static const char *const functions[] = {"gelu", "silu", "sigmoid", "tanh",    "relu", "exp", "rsqrt", "mean", "sum",
                                            "amax", "var",  "dropout", "cat", "cos", "sin", "pow",  NULL};

    if (span_holds_any(operation, products) || span_ends(operation, SPAN("mm")))
        return is_template ? 0 : 5;
    return span_holds_any(operation, norms) ? 1 : span_holds_any(operation, functions) ? 2 : 3;
}

static struct span operation_shown(struct span operation)
{
    if (operation.len && operation.at[0] == '_')
        operation = span_after(operation, 1);
    if (span_starts(operation, SPAN("native_")))
        operation = span_after(operation, strlen("native_"));
    while (span_ends(operation, SPAN("_")) && operation.len > 1)
        operation.len--;
    return operation;
}

static bool label_fused_kernel(struct label *label, struct span name)
{
    static const char *const kinds[] = {"poi", "red", "per", "tem", "for", "mm", "unk", NULL};
    enum { OPERATIONS_MAX = 32 };
    struct span operations[OPERATIONS_MAX], rest = name, kind, operation, number, all;
    uint32_t count = 0, shown = 0;
    bool is_template;

    if (!span_starts(name, SPAN("triton_")))
        return false;
    rest = span_after(name, strlen("triton_"));
    kind = span_split(&rest, '_');
    if (!span_is_any(kind, kinds) || !span_starts(rest, SPAN("fused_")))
        return false;
    rest = span_after(rest, strlen("fused_"));
    number = span_after(rest, span_rfind(rest, '_') == SIZE_MAX ? rest.len : span_rfind(rest, '_') + 1);
    if (span_is_digits(number))
        rest.len -= number.len + 1;
    else
        number.len = 0;
    all = rest;
    is_template = span_eq(kind, SPAN("tem")) || span_eq(kind, SPAN("mm"));
    while (next_operation(&rest, &operation)) {
        bool is_new = true;

        for (uint32_t i = 0; i < count; i++)
            is_new &= !span_eq(operations[i], operation);
        if (is_new && count < OPERATIONS_MAX)
            operations[count++] = operation;
    }
    label->head = JOINED(label->arena, SPAN("triton_"), kind, number.len ? SPAN("_") : SPAN(""), number);
    for (unsigned pass = 0; pass < 7; pass++)
        for (uint32_t i = 0; i < count; i++) {
            bool is_move = span_is_any(operations[i], moves);

            if (pass == 6 ? is_move && !shown : !is_move && rank_of(operations[i], is_template) == pass)
                label_fact(label, (enum word_key)(LABEL_OPERATION + (pass == 6 ? i : shown++)),
                           operation_shown(operations[i]));
        }
    label_extra(label, LABEL_REST, all);
    return true;
}

/* ---- ncclDevKernel_AllReduce_Sum_bf16_RING_LL, ncclKernel_AllReduce_RING_LL_Sum_half ---- */

static bool label_collective(struct label *label, struct span name)
{
    static const char *const begins[] = {"ncclDevKernel_", "ncclKernel_", "rcclDevKernel_", "rcclKernel_",
                                         "mscclKernel_", "mscclDevKernel_", "ncclSymkDevKernel_", "ncclSymDevKernel_", NULL};
    static const char *const protocols[] = {"LL", "LL128", "SIMPLE", NULL};
    static const char *const algorithms[] = {"RING", "TREE", "NVLS", "COLLNET", "PAT", NULL};
    static const char *const reductions[] = {"Sum", "Prod", "Max", "Min", "MinMax", "Avg", "PreMulSum", "SumPostDiv", NULL};
    static const struct {
        const char *spelled, *shown;
    } types[] = {{"bf16", "bf16"}, {"f16", "fp16"}, {"half", "fp16"}, {"f32", "fp32"}, {"float", "fp32"},
                 {"f64", "fp64"}, {"double", "fp64"}, {"i8", "int8"}, {"u8", "uint8"}, {"i32", "int32"},
                 {"u32", "uint32"}, {"i64", "int64"}, {"u64", "uint64"}, {"int8", "int8"}, {"uint8", "uint8"},
                 {"int32", "int32"}, {"uint32", "uint32"}, {"int64", "int64"}, {"uint64", "uint64"},
                 {"f8e4m3", "fp8e4m3"}, {"f8e5m2", "fp8e5m2"}, {NULL, NULL}};
    struct span rest, word, what, type = NO_SPAN, protocol = NO_SPAN, algorithm = NO_SPAN, other = NO_SPAN;

    if (!span_starts_any(name, begins))
        return false;
    rest = span_after(name, span_find(name, SPAN("_")) + 1);
    if (!next_name_word(&rest, &what))
        return false;
    while (next_name_word(&rest, &word)) {
        const char *shown = LOOKUP(types, word).shown;

        if (span_is_any(word, protocols))
            protocol = span_eq(word, SPAN("SIMPLE")) ? SPAN("simple") : word;
        else if (span_is_any(word, algorithms))
            algorithm = text_lower(label->arena, word);
        else if (span_is_any(word, reductions))
            label_fact(label, LABEL_MODE, text_lower(label->arena, word));
        else if (shown)
            type = span_of(shown);
        else if (span_is_digits(word) && !other.len)
            other = word;
    }
    label->head = JOINED(label->arena, SPAN("nccl "), what, other.len ? SPAN("_") : SPAN(""), other);
    label_fact(label, LABEL_TYPE, type);
    label_fact(label, LABEL_SIZE, algorithm);
    label_fact(label, LABEL_LAYOUT, protocol);
    return true;
}

/* ---- fmhaSm100aKernel_QkvE4m3OBfloat16H64PagedKvCausalP32VarSeqQ128Kv128… ---- */

static struct span attention_type(struct span *rest)
{
    static const struct {
        const char *spelled, *shown;
    } types[] = {{"E4m3", "fp8"}, {"E2m1", "fp4"}, {"Bfloat16", "bf16"}, {"Bf16", "bf16"}, {"Fp16", "fp16"}, {NULL, NULL}};

    for (size_t i = 0; types[i].spelled; i++)
        if (span_starts(*rest, span_of(types[i].spelled))) {
            *rest = span_after(*rest, strlen(types[i].spelled));
            return span_of(types[i].shown);
        }
    return NO_SPAN;
}

static struct span number_after(struct span text, struct span mark)
{
    size_t at;

    while ((at = span_find(text, mark)) != SIZE_MAX) {
        text = span_after(text, at + mark.len);
        if (span_digits(text))
            return span_before(text, span_digits(text));
    }
    return NO_SPAN;
}

static bool label_attention(struct label *label, struct span name)
{
    size_t at = span_find(name, SPAN("_Qkv"));
    struct span rest, in, out = NO_SPAN, head, tile, keys, page;
    bool is_sliding = span_find(name, SPAN("Sliding")) != SIZE_MAX;

    if (!span_starts(name, SPAN("fmhaSm")) || at == SIZE_MAX)
        return false;
    rest = span_after(name, at + strlen("_Qkv"));
    in = attention_type(&rest);
    if (span_starts(rest, SPAN("O"))) {
        rest = span_after(rest, 1);
        out = attention_type(&rest);
    }
    label->head = SPAN("fmha");
    label_types(label, in, out);
    head = number_after(rest, SPAN("H"));
    if (head.len)
        label_fact(label, LABEL_SIZE, JOINED(label->arena, SPAN("hd"), head));
    if (is_sliding)
        label_fact(label, LABEL_LOCAL, SPAN("sliding"));
    else if (span_find(name, SPAN("Causal")) != SIZE_MAX)
        label_fact(label, LABEL_CAUSAL, SPAN("causal"));
    label_fact(label, LABEL_MODE, span_find(name, SPAN("Context")) != SIZE_MAX      ? SPAN("context")
                                 : span_find(name, SPAN("Generation")) != SIZE_MAX ? SPAN("generation")
                                                                                   : NO_SPAN);
    tile = number_after(rest, SPAN("Q"));
    keys = number_after(rest, SPAN("Kv"));
    if (tile.len && keys.len)
        label_extra(label, LABEL_TILE, JOINED(label->arena, SPAN("tile"), tile, SPAN("x"), keys));
    if (span_find(name, SPAN("Paged")) != SIZE_MAX)
        label_extra(label, LABEL_LAYOUT, SPAN("paged"));
    page = number_after(rest, SPAN("P"));
    if (page.len)
        label_extra(label, LABEL_REST, JOINED(label->arena, SPAN("page"), page));
    return true;
}

/* ---- batched_transpose_32x32_pack_2x2_ediv_1x1_half ---- */

static bool label_transpose(struct label *label, struct span name)
{
    struct span rest, tile, word, pack = NO_SPAN, division = NO_SPAN, type = NO_SPAN;

    if (!span_starts(name, SPAN("batched_transpose_")))
        return false;
    rest = span_after(name, strlen("batched_transpose_"));
    if (!next_name_word(&rest, &tile) || !numbers_by_x(tile))
        return false;
    while (next_name_word(&rest, &word)) {
        if (span_eq(word, SPAN("pack")))
            next_name_word(&rest, &pack);
        else if (span_eq(word, SPAN("ediv")))
            next_name_word(&rest, &division);
        else
            type = element_type(word).len ? element_type(word) : word;
    }
    label->head = SPAN("batched_transpose");
    label_fact(label, LABEL_TYPE, type);
    label_fact(label, LABEL_TILE, tile);
    if (pack.len)
        label_extra(label, LABEL_MODE, JOINED(label->arena, SPAN("pack"), pack));
    if (division.len)
        label_extra(label, LABEL_SIZE, JOINED(label->arena, SPAN("ediv"), division));
    return true;
}

bool label_library_kernel(struct label *label, struct span name)
{
    return label_matrix_kernel(label, name) || label_fused_kernel(label, name) || label_collective(label, name) ||
           label_attention(label, name) || label_transpose(label, name);
}
