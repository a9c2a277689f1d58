/* SPDX-License-Identifier: Apache-2.0 */
/* What an operator computes, by its name: the formula that its FLOPs and bytes follow. */
#include "graph/classify/kernel_class.h"

#include "base/checked.h"

/* ---- inputs in order ---- */

static const struct {
    const char *name;
    enum operator_kind kind;
    enum input_need need;
} operators[] = {
    {"mm", OPERATOR_PRODUCT, INPUTS_SHAPES},
    {"bmm", OPERATOR_PRODUCT, INPUTS_SHAPES},
    {"matmul", OPERATOR_PRODUCT, INPUTS_SHAPES},
    {"_scaled_mm", OPERATOR_PRODUCT, INPUTS_SHAPES},
    {"_int_mm", OPERATOR_PRODUCT, INPUTS_SHAPES},
    {"addmm", OPERATOR_PRODUCT_AND_SUM, INPUTS_SHAPES},
    {"baddbmm", OPERATOR_PRODUCT_AND_SUM, INPUTS_SHAPES},
    {"linear", OPERATOR_LINEAR, INPUTS_SHAPES},
    {"convolution", OPERATOR_CONVOLUTION, INPUTS_VALUES},
    {"_convolution", OPERATOR_CONVOLUTION, INPUTS_VALUES},
    {"conv1d", OPERATOR_PLAIN_CONVOLUTION, INPUTS_VALUES},
    {"conv2d", OPERATOR_PLAIN_CONVOLUTION, INPUTS_VALUES},
    {"conv3d", OPERATOR_PLAIN_CONVOLUTION, INPUTS_VALUES},
    {"cudnn_convolution", OPERATOR_CUDNN_CONVOLUTION, INPUTS_VALUES},
    {"miopen_convolution", OPERATOR_MIOPEN_CONVOLUTION, INPUTS_VALUES},
    {"convolution_backward", OPERATOR_CONVOLUTION_BACKWARD, INPUTS_VALUES},
    {"cudnn_convolution_backward", OPERATOR_WEIGHT_GRADIENT, INPUTS_VALUES},
    {"cudnn_convolution_backward_input", OPERATOR_INPUT_GRADIENT, INPUTS_VALUES},
    {"_scaled_dot_product_flash_attention", OPERATOR_FLASH_ATTENTION, INPUTS_VALUES},
    {"_scaled_dot_product_efficient_attention", OPERATOR_EFFICIENT_ATTENTION, INPUTS_VALUES},
    {"_scaled_dot_product_cudnn_attention", OPERATOR_EFFICIENT_ATTENTION, INPUTS_VALUES},
    {"_scaled_dot_product_flash_attention_backward", OPERATOR_ATTENTION_BACKWARD, INPUTS_VALUES},
    {"_scaled_dot_product_efficient_attention_backward", OPERATOR_ATTENTION_BACKWARD,
     INPUTS_VALUES},
    {"_scaled_dot_product_cudnn_attention_backward", OPERATOR_CUDNN_ATTENTION_BACKWARD,
     INPUTS_VALUES},
    {"embedding", OPERATOR_EMBEDDING, INPUTS_NONE},
    {"index_select", OPERATOR_INDEX_SELECT, INPUTS_NONE},
};

/* Those that go over tensors element by element. */
static const struct {
    const char *name; /* without the "_" of those that work in place */
    enum operator_kind kind;
    uint8_t flops; /* an element */
} elementwise[] = {
    {"add", OPERATOR_EACH, 1},
    {"sub", OPERATOR_EACH, 1},
    {"rsub", OPERATOR_EACH, 1},
    {"mul", OPERATOR_EACH, 1},
    {"div", OPERATOR_EACH, 1},
    {"neg", OPERATOR_EACH, 1},
    {"abs", OPERATOR_EACH, 1},
    {"sqrt", OPERATOR_EACH, 1},
    {"rsqrt", OPERATOR_EACH, 1},
    {"reciprocal", OPERATOR_EACH, 1},
    {"pow", OPERATOR_EACH, 1},
    {"exp", OPERATOR_EACH, 1},
    {"log", OPERATOR_EACH, 1},
    {"sin", OPERATOR_EACH, 1},
    {"cos", OPERATOR_EACH, 1},
    {"relu", OPERATOR_EACH, 1},
    {"threshold", OPERATOR_EACH, 1},
    {"threshold_backward", OPERATOR_EACH, 1},
    {"clamp", OPERATOR_EACH, 1},
    {"clamp_min", OPERATOR_EACH, 1},
    {"clamp_max", OPERATOR_EACH, 1},
    {"maximum", OPERATOR_EACH, 1},
    {"minimum", OPERATOR_EACH, 1},
    {"leaky_relu", OPERATOR_EACH, 1},
    {"elu", OPERATOR_EACH, 1},
    {"hardtanh", OPERATOR_EACH, 1},
    {"addcmul", OPERATOR_EACH, 2},
    {"addcdiv", OPERATOR_EACH, 2},
    {"lerp", OPERATOR_EACH, 3},
    {"_softmax", OPERATOR_EACH, 3},
    {"_log_softmax", OPERATOR_EACH, 3},
    {"_softmax_backward_data", OPERATOR_EACH, 3},
    {"_log_softmax_backward_data", OPERATOR_EACH, 3},
    {"gelu", OPERATOR_EACH, 5},
    {"gelu_backward", OPERATOR_EACH, 5},
    {"silu", OPERATOR_EACH, 5},
    {"silu_backward", OPERATOR_EACH, 5},
    {"tanh", OPERATOR_EACH, 5},
    {"tanh_backward", OPERATOR_EACH, 5},
    {"sigmoid", OPERATOR_EACH, 5},
    {"sigmoid_backward", OPERATOR_EACH, 5},
    {"native_layer_norm", OPERATOR_EACH, 7},
    {"native_layer_norm_backward", OPERATOR_EACH, 7},
    {"native_group_norm", OPERATOR_EACH, 7},
    {"native_group_norm_backward", OPERATOR_EACH, 7},
    {"native_batch_norm", OPERATOR_EACH, 7},
    {"native_batch_norm_backward", OPERATOR_EACH, 7},
    {"cudnn_batch_norm", OPERATOR_EACH, 7},
    {"cudnn_batch_norm_backward", OPERATOR_EACH, 7},
    {"miopen_batch_norm", OPERATOR_EACH, 7},
    {"miopen_batch_norm_backward", OPERATOR_EACH, 7},
    {"eq", OPERATOR_REDUCE, 0},
    {"ne", OPERATOR_REDUCE, 0},
    {"lt", OPERATOR_REDUCE, 0},
    {"le", OPERATOR_REDUCE, 0},
    {"gt", OPERATOR_REDUCE, 0},
    {"ge", OPERATOR_REDUCE, 0},
    {"where", OPERATOR_EACH, 0},
    {"masked_fill", OPERATOR_EACH, 0},
    {"copy", OPERATOR_INTO, 0},
    {"fill", OPERATOR_INTO, 0},
    {"zero", OPERATOR_INTO, 0},
    {"max_pool2d_with_indices_backward", OPERATOR_INTO, 0},
    {"max_pool2d_with_indices", OPERATOR_REDUCE, 0},
    {"sum", OPERATOR_REDUCE, 1},
    {"mean", OPERATOR_REDUCE, 1},
    {"linalg_vector_norm", OPERATOR_REDUCE, 2},
    {"max", OPERATOR_REDUCE, 0},
    {"min", OPERATOR_REDUCE, 0},
    {"amax", OPERATOR_REDUCE, 0},
    {"amin", OPERATOR_REDUCE, 0},
    {"argmax", OPERATOR_REDUCE, 0},
    {"argmin", OPERATOR_REDUCE, 0},
    {"any", OPERATOR_REDUCE, 0},
    {"all", OPERATOR_REDUCE, 0},
};

/* Those of vLLM, SGLang, AITER and TensorRT-LLM, by their whole name: the order of inputs differs. Read in
 * vLLM's csrc/torch_bindings.cpp, SGLang's sgl-kernel/csrc/common_extension.cc and AITER's aiter/ops. */
static const struct {
    const char *name;
    enum operator_kind kind;
    uint8_t at, also;
} serving[] = {
    {"vllm::rocm_unquantized_gemm", OPERATOR_LINEAR, 0, 1},
    {"aiter::gemm_a16w16", OPERATOR_LINEAR, 0, 1},
    {"aiter::gemm_a8w8_ck", OPERATOR_SCALED_LINEAR, 0, 4},
    {"aiter::gemm_a8w8_blockscale_ck", OPERATOR_SCALED_LINEAR, 0, 4},
    {"aiter::gemm_a8w8_bpreshuffle_ck", OPERATOR_SCALED_LINEAR, 0, 4},
    {"sgl_kernel::fp8_scaled_mm", OPERATOR_SCALED_PRODUCT, 0, 5},
    {"sgl_kernel::int8_scaled_mm", OPERATOR_SCALED_PRODUCT, 0, 5},
    {"_C::cutlass_scaled_mm", OPERATOR_SCALED_PRODUCT, 1, 0},
    {"aiter::rms_norm", OPERATOR_RMS_NORM, 0, 1},
    {"aiter::rmsnorm", OPERATOR_RMS_NORM, 1, 2},
    {"_C::rms_norm", OPERATOR_RMS_NORM, 1, 2},
    {"sgl_kernel::rmsnorm", OPERATOR_RMS_NORM, 1, 2},
    {"aiter::rmsnorm2d_fwd_with_add_ck", OPERATOR_ADD_RMS_NORM, 1, 4},
    {"aiter::add_rmsnorm", OPERATOR_ADD_RMS_NORM, 1, 4},
    {"_C::fused_add_rms_norm", OPERATOR_ADD_RMS_NORM, 0, 2},
    {"sgl_kernel::fused_add_rmsnorm", OPERATOR_ADD_RMS_NORM, 0, 2},
    {"_C::silu_and_mul", OPERATOR_GATED, 0, 1},
    {"_C::gelu_and_mul", OPERATOR_GATED, 0, 1},
    {"_C::gelu_tanh_and_mul", OPERATOR_GATED, 0, 1},
    {"aiter::silu_and_mul", OPERATOR_GATED, 0, 1},
    {"aiter::gelu_and_mul", OPERATOR_GATED, 0, 1},
    {"aiter::gelu_tanh_and_mul", OPERATOR_GATED, 0, 1},
    {"sgl_kernel::silu_and_mul", OPERATOR_GATED, 0, 1},
    {"sgl_kernel::gelu_and_mul", OPERATOR_GATED, 0, 1},
    {"sgl_kernel::gelu_tanh_and_mul", OPERATOR_GATED, 0, 1},
    {"_C::rotary_embedding", OPERATOR_ROTARY, 1, 4},
    {"sgl_kernel::rotary_embedding", OPERATOR_ROTARY, 1, 4},
    {"_C_cache_ops::reshape_and_cache_flash", OPERATOR_CACHE_WRITE, 0, 2},
    {"_C_cache_ops::reshape_and_cache", OPERATOR_CACHE_WRITE, 0, 2},
    {"sglang::store_cache", OPERATOR_CACHE_WRITE, 0, 2},
    {"_C_cache_ops::concat_and_cache_mla", OPERATOR_LATENT_CACHE_WRITE, 0, 2},
    {"vllm::unified_attention", OPERATOR_WINDOW_ATTENTION, 0, 1},
    {"vllm::unified_attention_with_output", OPERATOR_WINDOW_ATTENTION, 0, 1},
    {"vllm::unified_mla_attention", OPERATOR_LATENT_ATTENTION, 0, 1},
    {"vllm::unified_mla_attention_with_output", OPERATOR_LATENT_ATTENTION, 0, 1},
    {"sglang_profiler::attention_paged_attention_ragged", OPERATOR_PAGED_ATTENTION, 2, 3},
    {"_C::paged_attention_v1", OPERATOR_WINDOW_ATTENTION, 1, 2},
    {"_C::paged_attention_v2", OPERATOR_WINDOW_ATTENTION, 4, 5},
    {"aiter::mha_batch_prefill", OPERATOR_PAGED_ATTENTION, 0, 1},
    {"aiter::mha_varlen_fwd", OPERATOR_PAGED_ATTENTION, 0, 1},
    {"aiter::pa_fwd_asm", OPERATOR_WINDOW_ATTENTION, 0, 1},
    {"_C::dynamic_per_token_scaled_fp8_quant", OPERATOR_QUANTISE, 1, 0},
    {"_C::dynamic_scaled_fp8_quant", OPERATOR_QUANTISE, 1, 0},
    {"_C::static_scaled_fp8_quant", OPERATOR_QUANTISE, 1, 0},
    {"aiter::dynamic_per_token_scaled_quant", OPERATOR_QUANTISE, 1, 0},
    {"sgl_kernel::sgl_per_token_group_quant_fp8", OPERATOR_QUANTISE, 0, 1},
    {"sgl_kernel::sgl_per_token_quant_fp8", OPERATOR_QUANTISE, 0, 1},
    {"vllm::moe_forward", OPERATOR_EXPERTS_INSIDE, 0, 1},
    {"vllm::moe_forward_shared", OPERATOR_EXPERTS_INSIDE, 0, 1},
    {"TopK", OPERATOR_TOP_EXPERTS, 0, 1},
    {"SortTokens", OPERATOR_SORT_TOKENS, 0, 1},
    {"aten::empty", OPERATOR_ALLOCATE, 0, 0},
    {"aiter::fused_moe_", OPERATOR_EXPERTS, 0, 0},
    {"aiter::fmoe_g1u1", OPERATOR_SORTED_EXPERTS, 1, SORTED_WHOLE},
    {"aiter::fmoe_fp8_blockscale_g1u1", OPERATOR_SORTED_EXPERTS, 1, SORTED_WHOLE},
    {"aiter::ck_moe_stage1", OPERATOR_SORTED_EXPERTS, 0, SORTED_UP},
    {"aiter::ck_moe_stage1_fwd", OPERATOR_SORTED_EXPERTS, 0, SORTED_UP},
    {"aiter::ck_moe_stage2", OPERATOR_SORTED_EXPERTS, 0, SORTED_DOWN},
    {"aiter::ck_moe_stage2_fwd", OPERATOR_SORTED_EXPERTS, 0, SORTED_DOWN},
    {"aiter::dynamic_per_group_scaled_quant_fp4", OPERATOR_QUANTISE, 1, 0},
    {"_C::awq_gemm", OPERATOR_PACKED_PRODUCT, 0, PACKED_BY_EIGHT},
    {"_C::gptq_gemm", OPERATOR_PACKED_PRODUCT, 0, PACKED_BY_ROWS},
    {"sgl_kernel::gptq_gemm", OPERATOR_PACKED_PRODUCT, 0, PACKED_BY_ROWS},
    {"_C::machete_mm", OPERATOR_PACKED_PRODUCT, 0, PACKED_AS_SCALES},
    {"trtllm::weight_only_quant_gemm", OPERATOR_PACKED_PRODUCT, 0, PACKED_AS_SCALES},
    {"_C::marlin_gemm", OPERATOR_PACKED_PRODUCT, 0, PACKED_AS_GIVEN},
    {"_C::gptq_marlin_gemm", OPERATOR_PACKED_PRODUCT, 0, PACKED_AS_GIVEN},
    {"sgl_kernel::gptq_marlin_gemm", OPERATOR_PACKED_PRODUCT, 0, PACKED_AS_GIVEN},
    {"aiter::gemm_a4w4", OPERATOR_PRODUCT_OF_4_BITS, 0, 0},
    {"trtllm::cublas_fp4_scaled_mm", OPERATOR_PRODUCT_OF_4_BITS, 0, 0},
    {"_C::awq_dequantize", OPERATOR_UNPACK, 1, 0},
    {"sgl_kernel::awq_dequantize", OPERATOR_UNPACK, 1, 0},
    {"sgl_kernel::fp8_blockwise_scaled_grouped_mm", OPERATOR_GROUPED_PRODUCT, 6, 0},
    {"aten::_grouped_mm", OPERATOR_GROUPED_PRODUCT, 0, 0},
    {"aten::_scaled_grouped_mm", OPERATOR_GROUPED_PRODUCT, 0, 0},
    {"_C::rms_norm_static_fp8_quant", OPERATOR_NORM_AND_QUANTISE, 1, 0},
    {"_C::rms_norm_dynamic_per_token_quant", OPERATOR_NORM_AND_QUANTISE, 1, 0},
    {"aiter::rmsnorm2d_fwd_with_dynamicquant_ck", OPERATOR_NORM_AND_QUANTISE, 1, 0},
    {"aiter::rope_cached_positions_2c_fwd_impl", OPERATOR_ROTARY_APART, 2, 0},
    {"aiter::mla_decode_stage1_asm_fwd", OPERATOR_LATENT_DECODE, 0, 1},
    {"_moe_C::topk_softmax", OPERATOR_CHOOSE_BY_SOFTMAX, 0, 0},
    {"sgl_kernel::topk_softmax", OPERATOR_CHOOSE_BY_SOFTMAX, 0, 0},
    {"aiter::topk_softmax", OPERATOR_CHOOSE_BY_SOFTMAX, 0, 0},
    {"aiter::mixed_sample_outer_exponential", OPERATOR_SAMPLE, 1, 0},
};

/* Kernels that a compiler made of elementwise operators are named after those. */
static bool is_fused_elements(struct span name)
{
    return span_starts(name, SPAN("triton_poi_"));
}

static void classify_serving(struct operator_class *class, struct span name)
{
    for (size_t i = 0; i < COUNT_OF(serving); i++)
        if (span_eq(name, span_of(serving[i].name))) {
            class->kind = serving[i].kind;
            class->at = serving[i].at;
            class->also = serving[i].also;
            class->need = class->kind >= OPERATOR_SCALED_PRODUCT ? INPUTS_VALUES : INPUTS_SHAPES;
        }
    if (is_fused_elements(name)) {
        class->kind = OPERATOR_FUSED_ELEMENTS;
        class->need = INPUTS_SHAPES;
        class->flops = span_find(name, SPAN("mul")) != SIZE_MAX ||
                       span_find(name, SPAN("add")) != SIZE_MAX;
    }
}

enum expert_part expert_part(struct span kernel)
{
    if (span_find(kernel, SPAN("finalize")) != SIZE_MAX &&
        span_find(kernel, SPAN("scatter")) != SIZE_MAX)
        return EXPERTS_SUM;
    if (span_find(kernel, SPAN("_matmul_ogs")) == SIZE_MAX)
        return EXPERTS_WHOLE;
    return span_find(kernel, SPAN("swiglu")) == SIZE_MAX ? EXPERTS_DOWN : EXPERTS_UP;
}

enum weight_format weight_format(struct span kernel)
{
    static const struct {
        const char *word;
        enum weight_format format;
    } words[] = {{"mxfp4", WEIGHTS_MXFP4}, {"nvfp4", WEIGHTS_NVFP4}, {"fp8", WEIGHTS_8_BITS},
                 {"e4m3", WEIGHTS_8_BITS}};

    for (size_t i = 0; i < COUNT_OF(words); i++)
        if (span_find(kernel, span_of(words[i].word)) != SIZE_MAX)
            return words[i].format;
    return WEIGHTS_16_BITS;
}

static struct span without_library(struct span name)
{
    return span_starts(name, SPAN("aten::")) ? span_after(name, 6) : name;
}

/* Whoever's they are: "vllm::rocm_aiter_fused_moe". */
static bool computes_experts(struct span name)
{
    static const char *const names[] = {"fused_moe",
                                        "rocm_aiter_fused_moe",
                                        "fused_experts",
                                        "inplace_fused_experts",
                                        "outplace_fused_experts",
                                        NULL};
    size_t at = span_find(name, SPAN("::"));

    if (at != SIZE_MAX)
        name = span_after(name, at + 2);
    return span_is_any(name, names);
}

static void classify_ordered(struct operator_class *class, struct span name)
{
    if (computes_experts(name)) {
        class->kind = OPERATOR_EXPERTS;
        class->need = INPUTS_SHAPES;
        return;
    }
    for (size_t i = 0; i < COUNT_OF(operators); i++)
        if (span_eq(name, span_of(operators[i].name))) {
            class->kind = operators[i].kind;
            class->need = operators[i].need;
            return;
        }
    if (span_ends(name, SPAN("_")))
        name.len--;
    for (size_t i = 0; i < COUNT_OF(elementwise); i++)
        if (span_eq(name, span_of(elementwise[i].name))) {
            class->kind = elementwise[i].kind;
            class->flops = elementwise[i].flops;
            class->is_copy = span_eq(name, SPAN("copy"));
            class->is_softmax = span_eq(name, SPAN("_softmax"));
            if (class->flops)
                class->need = INPUTS_SHAPES;
            return;
        }
}

/* ---- inputs by name ---- */

static const struct {
    const char *name;
    enum named_operator_kind kind;
    uint8_t flops; /* an element */
    bool is_in_paddles_table;
} named[] = {
    {"matmul", NAMED_PRODUCT, 0, true},
    {"matmul_v2", NAMED_PRODUCT, 0, true},
    {"mul", NAMED_PRODUCT, 0, false},
    {"bmm", NAMED_PRODUCT, 0, false},
    {"elementwise_add", NAMED_BOTH, 0, true},
    {"elementwise_sub", NAMED_BOTH, 0, false},
    {"elementwise_mul", NAMED_BOTH, 0, true},
    {"elementwise_div", NAMED_BOTH, 0, true},
    {"add", NAMED_BOTH, 0, false},
    {"subtract", NAMED_BOTH, 0, false},
    {"multiply", NAMED_BOTH, 0, false},
    {"divide", NAMED_BOTH, 0, false},
    {"relu", NAMED_EACH, 1, true},
    {"relu6", NAMED_EACH, 1, true},
    {"leaky_relu", NAMED_EACH, 1, true},
    {"prelu", NAMED_EACH, 1, true},
    {"elu", NAMED_EACH, 1, true},
    {"silu", NAMED_EACH, 1, true},
    {"gelu", NAMED_EACH, 5, true},
    {"softmax", NAMED_EACH, 3, true},
    {"layer_norm", NAMED_EACH, 7, true},
    {"batch_norm", NAMED_EACH, 7, false},
    {"sync_batch_norm", NAMED_EACH, 7, false},
    {"pool", NAMED_POOL, 1, true},
};

static struct span without(struct span name, struct span ending)
{
    if (span_ends(name, ending))
        name.len -= ending.len;
    return name;
}

static void classify_named(struct operator_class *class, struct span name)
{
    name = without(without(without(name, SPAN(" compute")), SPAN(" dygraph")),
                   SPAN(" pybind_imperative_func"));
    for (size_t i = 0; i < COUNT_OF(named); i++)
        if (span_eq(name, span_of(named[i].name))) {
            class->named = named[i].kind;
            class->named_flops = named[i].flops;
            class->is_in_paddles_table = named[i].is_in_paddles_table;
            return;
        }
}

struct operator_class operator_class(struct span name)
{
    struct operator_class class = {.kind = OPERATOR_OTHER};

    class.is_math_attention =
        span_eq(without_library(name), SPAN("_scaled_dot_product_attention_math"));
    classify_ordered(&class, without_library(name));
    classify_serving(&class, name);
    classify_named(&class, name);
    if (class.need == INPUTS_NONE && class.is_in_paddles_table)
        class.need = INPUTS_SHAPES;
    return class;
}

bool operator_multiplies(struct operator_class operator)
{
    return (operator.kind >= OPERATOR_PRODUCT && operator.kind <= OPERATOR_EXPERTS) ||
           operator.kind == OPERATOR_SCALED_PRODUCT || operator.kind == OPERATOR_SCALED_LINEAR ||
           operator.kind == OPERATOR_EXPERTS_INSIDE || operator.kind == OPERATOR_PACKED_PRODUCT ||
           operator.kind == OPERATOR_PRODUCT_OF_4_BITS ||
           operator.kind == OPERATOR_SORTED_EXPERTS ||
           operator.kind == OPERATOR_GROUPED_PRODUCT ||
           operator.named == NAMED_PRODUCT;
}
