/* SPDX-License-Identifier: Apache-2.0 */
#include <criterion/criterion.h>

#include "analysis/kernels/roofline.h"
#include "analysis/kernels/work.h"
#include "base/checked.h"
#include "parsers/device/operator_input_text.h"

/* FLOPs and bytes from texts as PyTorch writes them. */

static const struct {
    const char *name, *shapes, *types, *concrete;
    int64_t flops, bytes;
} cases[] = {
    {"aten::mm", "[[2208, 5608], [5608, 2048]]", "[\"float\", \"float\"]", "", 50718572544,
     4 * (2208ll * 5608 + 5608 * 2048 + 2208 * 2048)},
    {"aten::addmm", "[[512], [141, 512], [512, 512], [], []]",
     "[\"c10::BFloat16\", \"c10::BFloat16\", \"c10::BFloat16\", \"Scalar\", \"Scalar\"]", "",
     2ll * 141 * 512 * 512, 2 * (512 + 141 * 512 + 512 * 512 + 141 * 512)},
    {"aten::bmm", "[[8, 3, 5], [8, 5, 7]]", "[\"double\", \"double\"]", "", 8 * 2 * 3 * 5 * 7,
     8 * 8 * (15 + 35 + 21)},
    {"aten::linear", "[[4, 10, 5], [7, 5], [7]]", "[\"float\", \"float\", \"float\"]", "",
     2 * 40 * 5 * 7, 4 * (200 + 35 + 7 + 280)},
    {"aten::convolution", "[[32, 3, 224, 224], [64, 3, 7, 7], [], [], [], [], [], [], []]",
     "[\"float\", \"float\", \"\", \"ScalarList\", \"ScalarList\", \"ScalarList\", \"Scalar\", "
     "\"\", \"\"]",
     "[\"\", \"\", \"\", \"[2, 2]\", \"[3, 3]\", \"[1, 1]\", \"False\", \"[0, 0]\", \"1\"]",
     2ll * 32 * 64 * 112 * 112 * 3 * 49,
     4 * (32ll * 3 * 224 * 224 + 64 * 3 * 49 + 32ll * 64 * 112 * 112)},
    {"aten::convolution_backward",
     "[[32, 64, 112, 112], [32, 3, 224, 224], [64, 3, 7, 7], [], [], [], [], [], [], [], []]",
     "[\"float\", \"float\", \"float\"]",
     "[\"\", \"\", \"\", \"[0]\", \"[2, 2]\", \"[3, 3]\", \"[1, 1]\", \"False\", \"[0, 0]\", "
     "\"1\", \"[False, True, False]\"]",
     2ll * 32 * 64 * 112 * 112 * 3 * 49,
     4 * (32ll * 3 * 224 * 224 + 64 * 3 * 49 + 32ll * 64 * 112 * 112)},
    {"aten::_scaled_dot_product_flash_attention",
     "[[16, 16, 559, 64], [16, 16, 559, 64], [16, 16, 559, 64], [], [], [], []]",
     "[\"c10::BFloat16\", \"c10::BFloat16\", \"c10::BFloat16\"]",
     "[\"\", \"\", \"\", \"0.\", \"True\", \"False\", \"\"]", 10239377408,
     2 * 4 * 16ll * 16 * 559 * 64},
    {"aten::add", "[[4, 8], [8], []]", "[\"float\", \"float\", \"Scalar\"]", "", 32,
     4 * (32 + 8 + 32)},
    /* (8-1)·2 - 2·1 + (4-1) + 0 + 1 = 16 */
    {"aten::convolution", "[[2, 6, 8, 8], [6, 3, 4, 4], [], [], [], [], [], [], []]",
     "[\"float\", \"float\", \"\"]",
     "[\"\", \"\", \"\", \"[2, 2]\", \"[1, 1]\", \"[1, 1]\", \"True\", \"[0, 0]\", \"1\"]",
     2ll * 2 * 6 * 64 * 3 * 16, 4 * (2 * 6 * 64 + 6 * 3 * 16 + 2 * 3 * 256)},
    /* causal: half of 2.5 times the forward pass's */
    {"aten::_scaled_dot_product_flash_attention_backward",
     "[[1, 2, 8, 4], [1, 2, 8, 4], [1, 2, 8, 4], [1, 2, 8, 4], [1, 2, 8, 4], [], [], [], [], [], "
     "[]]",
     "[\"c10::Half\", \"c10::Half\", \"c10::Half\", \"c10::Half\"]",
     "[\"\", \"\", \"\", \"\", \"\", \"\", \"\", \"\", \"\", \"\", \"0.\", \"True\"]",
     4 * 2 * 64 * 4 * 5 / 2 / 2, 2 * 8 * 64},
    {"aten::copy_", "[[4, 8], [4, 8], []]", "[\"float\", \"long int\", \"Scalar\"]", "", 0,
     32 * 12},
    {"aten::add_", "[[16], [16], []]", "[\"long int\", \"long int\", \"Scalar\"]", "", 0, 3 * 128},
    {"aten::mul", "[[16], [16]]", "[\"c10::Half\", \"float\"]", "", 16, 16 * (2 + 4 + 2)},
    {"aten::sum", "[[10, 1000], [], []]", "[\"float\", \"ScalarList\", \"Scalar\"]", "", 10000,
     40000},
    {"aten::embedding", "[[1000, 64], [8, 16], []]", "[\"float\", \"long int\", \"Scalar\"]", "", 0,
     2 * 128 * 64 * 4 + 128 * 8},
    /* PyTorch 1.8: 2 · 32·2048·7·7 · 512 for each gradient; no types, so no bytes */
    {"aten::cudnn_convolution_backward",
     "[[32, 512, 7, 7], [32, 2048, 7, 7], [2048, 512, 1, 1], [], [], []]", "[]", "", 3288334336, 0},
    {"aten::cudnn_convolution_backward_input", "[[], [32, 2048, 7, 7], [2048, 512, 1, 1], []]",
     "[]", "", 3288334336, 0},
    /* packed: 8 numbers of 4 bits in an integer, scales and zeros of groups of 128 */
    {"_C::awq_gemm", "[[32, 4096], [4096, 512], [32, 4096], [32, 512], []]",
     "[\"c10::Half\", \"int\", \"c10::Half\", \"int\", \"Scalar\"]",
     "[\"\", \"\", \"\", \"\", \"8\"]", 2ll * 32 * 4096 * 4096,
     4ll * 4096 * 512 + 2 * 32 * 4096 + 4 * 32 * 512 + 2 * 2 * 32 * 4096},
    {"_C::gptq_gemm", "[[16, 4096], [512, 1024], [32, 128], [32, 1024], [4096], [], []]",
     "[\"c10::Half\", \"int\", \"int\", \"c10::Half\", \"int\", \"Scalar\", \"Scalar\"]", "",
     2ll * 16 * 4096 * 1024, 4 * (512 * 1024 + 32 * 128) + 2 * 32 * 1024 + 2 * 16 * (4096 + 1024)},
    {"sgl_kernel::gptq_marlin_gemm",
     "[[8, 2048], [], [128, 8192], [16, 4096], [], [], [], [], [512], [], [], [], []]",
     "[\"c10::BFloat16\", \"\", \"int\", \"c10::BFloat16\", \"\", \"\", \"\", \"\", \"int\", \"\", "
     "\"\", \"\", \"\"]",
     "[\"\", \"\", \"\", \"\", \"\", \"\", \"\", \"\", \"\", \"516\", \"8\", \"4096\", \"2048\"]",
     2ll * 8 * 2048 * 4096, 4 * 128 * 8192 + 2 * 16 * 4096 + 2 * 8 * (2048 + 4096)},
    {"_C::machete_mm", "[[4, 2048], [256, 1024], [], [], [16, 1024]]",
     "[\"c10::Half\", \"int\", \"\", \"\", \"c10::Half\"]", "", 2ll * 4 * 2048 * 1024,
     4 * 256 * 1024 + 2 * 16 * 1024 + 2 * 4 * (2048 + 1024)},
    /* two numbers a byte, and a scale for 32 */
    {"aiter::gemm_a4w4", "[[64, 1024], [512, 1024], [64, 64], [512, 64]]",
     "[\"unsigned char\", \"unsigned char\", \"unsigned char\", \"unsigned char\"]", "",
     2ll * 64 * 512 * 2048, 64 * 1024 + 64 * 64 + 512 * 1024 + 512 * 64 + 2 * 64 * 512},
    {"_C::awq_dequantize", "[[4096, 512], [32, 4096], [32, 512]]",
     "[\"int\", \"c10::Half\", \"int\"]", "", 2ll * 8 * 4096 * 512,
     (4ll + 16) * 4096 * 512 + 2 * 32 * 4096 + 4 * 32 * 512},
    /* the high end: eight groups' weights; the low end is tested below */
    {"aten::_grouped_mm", "[[256, 512], [8, 512, 1024], [8]]",
     "[\"c10::BFloat16\", \"c10::BFloat16\", \"int\"]", "", 2ll * 256 * 512 * 1024,
     2ll * (256 * 512 + 256 * 1024 + 8 * 512 * 1024)},
    /* tokens in the order of their experts, two of eight each: at most all eight are read */
    {"aiter::ck_moe_stage1", "[[16, 512], [8, 256, 512], [8, 512, 128], [64], [8], [1], [16, 2, 128], []]",
     "[\"c10::BFloat16\", \"c10::BFloat16\", \"c10::BFloat16\", \"int\", \"int\", \"int\", "
     "\"c10::BFloat16\", \"Scalar\"]",
     "[\"\", \"\", \"\", \"\", \"\", \"\", \"\", \"2\"]", 2ll * 16 * 2 * 512 * 256,
     2 * (16 * 512 + 8 * 256 * 512 + 16 * 2 * 128)},
    {"aiter::ck_moe_stage2", "[[16, 2, 128], [8, 256, 512], [8, 512, 128], [64], [8], [1], [16, 512], []]",
     "[\"c10::BFloat16\", \"c10::BFloat16\", \"c10::BFloat16\", \"int\", \"int\", \"int\", "
     "\"c10::BFloat16\", \"Scalar\"]",
     "[\"\", \"\", \"\", \"\", \"\", \"\", \"\", \"2\"]", 2ll * 16 * 2 * 128 * 512,
     2 * (16 * 2 * 128 + 8 * 512 * 128 + 16 * 512)},
    {"aiter::fmoe_g1u1", "[[16, 512], [16, 512], [8, 256, 512], [8, 512, 128], [64], [64], [8], [1], []]",
     "[\"c10::BFloat16\", \"c10::BFloat16\", \"signed char\", \"signed char\", \"int\", \"float\", "
     "\"int\", \"int\", \"Scalar\"]",
     "[\"\", \"\", \"\", \"\", \"\", \"\", \"\", \"\", \"2\"]", 2ll * 16 * 2 * 512 * 384,
     2 * 2 * 16 * 512 + 8 * 384 * 512},
    {"_C::rms_norm_dynamic_per_token_quant",
     "[[32, 2880], [32, 2880], [2880], [32, 1], [], [], [32, 2880]]",
     "[\"c10::Float8_e4m3fn\", \"c10::BFloat16\", \"c10::BFloat16\", \"float\", \"Scalar\", \"\", "
     "\"c10::BFloat16\"]",
     "", 7 * 32 * 2880 + 2 * 32, 32 * 2880 * (1 + 2 + 4) + 2 * 2880 + 4 * 32},
    {"aiter::rope_cached_positions_2c_fwd_impl",
     "[[64, 8, 128], [64, 2, 128], [64, 8, 128], [64, 2, 128], [4096, 64], [4096, 64], [64]]",
     "[\"c10::BFloat16\", \"c10::BFloat16\", \"c10::BFloat16\", \"c10::BFloat16\", "
     "\"c10::BFloat16\", "
     "\"c10::BFloat16\", \"long int\"]",
     "", 3 * 64 * 10 * 128, 2 * 2 * 64 * 10 * 128 + 8 * 64 + 64 * 64 * 4},
    {"_moe_C::topk_softmax", "[[32, 4], [32, 4], [32, 4], [32, 128]]",
     "[\"float\", \"int\", \"int\", \"float\"]", "", 5 * 32 * 128, 4 * (3 * 32 * 4 + 32 * 128)},
    {"aiter::mixed_sample_outer_exponential", "[[8], [8, 32000], [8, 32000], [8]]",
     "[\"int\", \"c10::BFloat16\", \"float\", \"float\"]", "", 6 * 8 * 32000,
     4 * 8 + 2 * 8 * 32000 + 4 * 8 * 32000 + 4 * 8},
};

static bool work_at(const char *name, const char *shapes, const char *types, const char *values,
                    struct work *work)
{
    const struct {
        enum property property;
        const char *text;
    } texts[] = {{PROP_SHAPES, shapes}, {PROP_TYPES, types}, {PROP_CONCRETE, values}};
    struct operator_inputs inputs[COUNT_OF(texts)] = {{0}};
    struct operator_call call = {.operator= operator_class(span_of(name)),
                                 .shapes = &inputs[0],
                                 .types = &inputs[1],
                                 .values = &inputs[2]};
    struct arena arena = {0};
    bool is_known = true;

    for (size_t i = 0; i < COUNT_OF(texts); i++)
        if (!operator_inputs_read(texts[i].property, span_of(texts[i].text), &arena, &inputs[i]))
            is_known = false;
    is_known =
        is_known && (inputs[0].is_named ? paddle_work(&call, work) : operator_work(&call, work));
    arena_free(&arena);
    return is_known;
}

Test(work, from_shapes)
{
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        struct work work;

        cr_assert(work_at(cases[i].name, cases[i].shapes, cases[i].types, cases[i].concrete, &work),
                  "%s", cases[i].name);
        cr_expect_eq(work.flops, cases[i].flops, "%s: %lld", cases[i].name, (long long)work.flops);
        cr_expect_eq(work.bytes, cases[i].bytes, "%s: %lld", cases[i].name, (long long)work.bytes);
    }
}

Test(work, groups_may_all_be_of_one)
{
    struct work work;

    cr_assert(work_at("aten::_grouped_mm", "[[256, 512], [8, 512, 1024], [8]]",
                      "[\"c10::BFloat16\", \"c10::BFloat16\", \"int\"]", "", &work));
    cr_expect_eq(work.flops_low, work.flops);
    cr_expect_eq(work.bytes_low, 2 * (256 * 512 + 256 * 1024 + 512 * 1024));
    cr_expect_eq(work.weights_high, 8 * work.weights_low);
}

/* 32 sequences of 4096 cached tokens, 16 heads, a latent vector of 512 and 64 turned: one head of the cache for all. */
Test(work, latent_attention_goes_by_the_steps_label)
{
    const struct step_label step = {
        .has_sums = true,
        .generation = {.queries = 32, .keys = 131072, .queries_squared = 32, .query_keys = 131072}};
    struct operator_inputs inputs[2] = {{0}};
    struct operator_call call = {.operator=
                                     operator_class(SPAN("aiter::mla_decode_stage1_asm_fwd")),
                                 .shapes = &inputs[0],
                                 .types = &inputs[1]};
    struct arena arena = {0};
    struct work work;

    cr_assert(operator_inputs_read(PROP_SHAPES,
                                   SPAN("[[32, 16, 576], [4096, 64, 1, 576], [33], [33], [2048], "
                                        "[32], [], [], [32, 16, 1, 512]]"),
                                   &arena, &inputs[0]));
    cr_assert(operator_inputs_read(PROP_TYPES, SPAN("[\"c10::BFloat16\", \"c10::BFloat16\"]"),
                                   &arena, &inputs[1]));
    cr_expect(!operator_work(&call, &work)); /* how long requests are only the label says */
    call.step = &step;
    cr_assert(operator_work(&call, &work));
    cr_expect_eq(work.flops, 2ll * 16 * 131072 * (576 + 512));
    cr_expect_eq(work.bytes, 2 * (131072ll * 576 + 32 * 16 * (576 + 512)));
    arena_free(&arena);
}

Test(work, more_than_can_be_counted)
{
    static const char huge[] = "[\"\", \"\", \"\", \"[1, 1]\", \"[9000000000000000000, 0]\", "
                               "\"[1, 1]\", \"False\", \"[0, 0]\", \"1\"]";
    struct work work;

    cr_assert(work_at("aten::convolution",
                      "[[1, 1, 1, 1], [1, 1, 1, 1], [], [], [], [], [], [], []]", "", huge, &work));
    cr_expect_eq(work.flops, INT64_MAX, "%lld", (long long)work.flops);
}

Test(work, nothing_from_what_does_not_fit)
{
    static const char *const shapes[] = {"",
                                         "[",
                                         "[[]]",
                                         "[[2, 3]]",
                                         "[[2, 3], [4, 5]]",
                                         "[[2, 3], [3, 4]",
                                         "[[2,], [3]]",
                                         "[[2, -3], [-3, 4]]",
                                         "[[99999999999999999999, 3], [3, 4]]",
                                         "[[1,1,1,1,1,1,1,1,1,1],[1,1]]",
                                         "[[[2, 3], [3, 4]], [3, 4]]",
                                         "{\"X\": [[2, 3]]}",
                                         "[[[[[[[["};
    struct work work;

    for (size_t i = 0; i < sizeof(shapes) / sizeof(*shapes); i++)
        cr_expect(!work_at("aten::mm", shapes[i], "", "", &work), "%s", shapes[i]);
    cr_expect(!work_at("aten::conv2d", "[[1, 1, 4, 4], [1, 1, 3, 3]]", "", "[\"\"", &work));
    cr_expect(!work_at("aten::nonzero", "[[2, 3]]", "", "", &work));
    cr_assert(work_at("aten::mm", "[[2, 3], [3, 4]]", "", "", &work));
    cr_expect_eq(work.bytes, 0); /* no type, no size */
    cr_expect_eq(work.precision, PRECISION_UNKNOWN);
}

Test(work, products_of_huge_sizes_stop_at_the_top)
{
    struct work work;

    cr_assert(work_at("aten::mm",
                      "[[9000000000000000000, 9000000000000000000], "
                      "[9000000000000000000, 9000000000000000000]]",
                      "[\"float\"]", "", &work));
    cr_expect_eq(work.flops, INT64_MAX);
}

Test(gpus, by_the_longest_pattern)
{
    static const struct {
        const char *name;
        double fp32, memory;
    } named[] = {
        {"NVIDIA GeForce GTX 1080 Ti", 11.34e12, 484e9},
        {"GeForce GTX 1080", 8.87e12, 320e9},
        {"NVIDIA H100 80GB HBM3", 66.9e12, 3350e9},
        {"nvidia l4", 30.3e12, 300e9},
        {"NVIDIA L40S", 91.6e12, 864e9},
        {"Tesla K20c", 3.52e12, 208e9},
        {"NVIDIA L40", 90.5e12, 864e9},
        {"NVIDIA A10", 31.2e12, 600e9},
    };

    for (size_t i = 0; i < sizeof(named) / sizeof(*named); i++) {
        const struct gpu *gpu = gpu_named(span_of(named[i].name));

        cr_assert(gpu != NULL, "%s", named[i].name);
        cr_expect_float_eq(gpu->flops[PRECISION_FP32], named[i].fp32, 1, "%s", named[i].name);
        cr_expect_float_eq(gpu->memory, named[i].memory, 1, "%s", named[i].name);
    }
    cr_expect_null(gpu_named(SPAN("Radeon VII")));
    cr_expect_null(gpu_named(SPAN("Quadro M4000")));
    cr_expect_null(gpu_named(SPAN("NVIDIA A100-PG509-200")));
    cr_expect_null(gpu_named(SPAN("NVIDIA GeForce RTX 4090 Laptop GPU")));
    cr_expect_null(gpu_named(SPAN("NVIDIA A100-SXM4-40GB MIG 1g.5gb")));
}

Test(work, from_shapes_of_paddle)
{
    static const struct {
        const char *name, *shapes, *types;
        int64_t flops, bytes;
    } operators[] = {
        {"matmul_v2", "{\"X\":[[32,2048]],\"Y\":[[2048,1000]]}", "{\"X\":[\"float32\"]}",
         2ll * 32 * 2048 * 1000, 4 * (32 * 2048 + 2048 * 1000 + 32 * 1000)},
        /* only the second one transposed fits */
        {"matmul dygraph", "{\"x\":[[8,16,64]],\"y\":[[8,24,64]]}", "{\"x\":[\"float16\"]}",
         2ll * 8 * 16 * 64 * 24, 2 * 8 * (16 * 64 + 24 * 64 + 16 * 24)},
        {"elementwise_add", "{\"X\":[[4,1,8]],\"Y\":[[3,1]]}", "", 4 * 3 * 8, 0},
        {"softmax compute", "{\"X\":[[2,12]]}", "{\"X\":[\"float64\"]}", 72, 8 * 48},
    };
    struct work work;

    for (size_t i = 0; i < sizeof(operators) / sizeof(*operators); i++) {
        cr_assert(work_at(operators[i].name, operators[i].shapes, operators[i].types, "", &work));
        cr_expect(work.flops == operators[i].flops && work.bytes == operators[i].bytes,
                  "%s: %lld %lld", operators[i].name, (long long)work.flops, (long long)work.bytes);
    }
    cr_expect(!work_at("relu", "{\"X\":[[-1,64]]}", "", "", &work));
    cr_expect(!work_at("conv2d", "{\"X\":[[8,3,9,9]]}", "", "", &work));
    cr_expect(!work_at("matmul", "{\"X\":[[3,4]],\"Y\":[[5,6]]}", "", "", &work));
}

/* ---- what texts say of inputs ---- */

Test(inputs, spellings_of_both_frameworks)
{
    struct arena arena = {0};
    struct operator_inputs inputs;

    cr_assert(operator_inputs_read(PROP_SHAPES, SPAN("[[8, 3], [], [[1, 2], [3]], [4]]"), &arena,
                                   &inputs));
    cr_expect_eq(inputs.count, 4);
    cr_expect_not(inputs.is_named);
    cr_expect_eq(input_elements(input_at(&inputs, 0)), 24);
    cr_expect_eq(input_at(&inputs, 1)->count, 0);
    cr_expect_eq(input_at(&inputs, 2)->count, 0); /* a list of tensors */
    cr_expect_eq(input_at(&inputs, 3)->number[0], 4);
    cr_expect_eq(input_at(&inputs, 4)->kind, INPUT_UNTOLD);

    cr_assert(operator_inputs_read(PROP_SHAPES, SPAN("{\"y\":[[3,4]],\"X\": [[8, 3], [1]]}"),
                                   &arena, &inputs));
    cr_expect(inputs.is_named);
    cr_expect_eq(input_elements(input_at(&inputs, 0)), 24);
    cr_expect_eq(input_elements(input_at(&inputs, 1)), 12);

    cr_assert(operator_inputs_read(PROP_TYPES, SPAN("[\"float\", \"Scalar\", \"c10::Half\"]"),
                                   &arena, &inputs));
    cr_expect_eq(input_at(&inputs, 0)->number[0], DTYPE_FLOAT32);
    cr_expect_eq(input_at(&inputs, 1)->number[0], DTYPE_UNKNOWN);
    cr_expect_eq(input_at(&inputs, 2)->number[0], DTYPE_FLOAT16);
    cr_assert(operator_inputs_read(PROP_TYPES, SPAN("{\"X\":[\"float32\"],\"W\": [\"int64\"]}"),
                                   &arena, &inputs));
    cr_assert_eq(inputs.count, 2);
    cr_expect_eq(input_at(&inputs, 0)->number[0], DTYPE_FLOAT32);
    cr_expect_eq(input_at(&inputs, 1)->number[0], DTYPE_INT64);

    cr_assert(operator_inputs_read(
        PROP_CONCRETE, SPAN("[\"\", \"[1, 2]\", \"True\", \"[False, True]\", \"-3\", \"0.5\"]"),
        &arena, &inputs));
    cr_expect_eq(input_at(&inputs, 0)->kind, INPUT_UNTOLD);
    cr_expect_eq(input_at(&inputs, 1)->kind, INPUT_NUMBERS);
    cr_expect_eq(input_at(&inputs, 1)->number[1], 2);
    cr_expect_eq(input_at(&inputs, 2)->kind, INPUT_FLAGS);
    cr_expect_eq(input_at(&inputs, 3)->number[1], 1);
    cr_expect_eq(input_at(&inputs, 4)->number[0], -3);
    cr_expect_eq(input_at(&inputs, 5)->kind, INPUT_UNTOLD);
    arena_free(&arena);
}
