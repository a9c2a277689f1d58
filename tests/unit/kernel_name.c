/* SPDX-License-Identifier: Apache-2.0 */
#include "graph/classify/function_class.h"
#include "graph/names/names.h"

#include <criterion/criterion.h>

static const struct {
    const char *name, *brief;
} cases[] = {
    {"void relax<float, int=16>(float const *, float*, int)",
     "relax fp32"},
    {"void at::native::vectorized_elementwise_kernel<4, at::native::(anonymous namespa"
     "ce)::silu_kernel(at::TensorIteratorBase&)::{lambda()#1}>(int)",
     "silu vec4"},
    {"void at::native::elementwise_kernel<128, 4, at::native::gpu_kernel_impl_nocast<a"
     "t::native::BinaryFunctor<c10::BFloat16, c10::BFloat16, c10::BFloat16, at::native"
     "::binary_internal::MulFunctor<float> > >(at::TensorIteratorBase&)::{lambda(int)#"
     "1}>(int)",
     "mul bf16 strided"},
    {"void at::native::reduce_kernel<512, 1, at::native::ReduceOp<float, at::native::M"
     "eanOps<float, float> > >(int)",
     "mean fp32 reduce"},
    {"void elementwise_kernel<4>(float*)",
     "elementwise"},
    {"elementwise_kernel",
     "elementwise"},
    {"_ZN2ck16tensor_operation6device12_GLOBAL__N_124kernel_grouped_conv_fwd1INS_3XdlE",
     "ck kernel_grouped_conv_fwd1"},
    {"_ZN7ck_tile6kentryILi1ENS_12Rmsnorm2dFwdINS_27Rmsnorm2dFwdPipelineOnePass",
     "ck Rmsnorm2dFwd"},
    {"_Z4axpyPfS_i",
     "axpy"},
    {"std::enable_if<!(false), void>::type internal::gemvx::kernel<int, int, float, fl"
     "oat, cublasGemvParams<float> >(cublasGemvParams<float>)",
     "gemvx fp32"},
    {"std::enable_if<!(false), void>::type internal::gemvx::kernel<int, int, __nv_bf",
     "gemvx int32"},
    {"void at::native::vectorized_elementwise_kernel<(int)4, void at::native::<unnamed"
     ">::pow_tensor_scalar_kernel_impl<float, float>(at::TensorIteratorBase &, T2)::[l"
     "ambda(float) (instance 1)], std::array<char *, 2>>(int)",
     "pow_scalar fp32 vec4"},
    {"void at::native::<unnamed>::CatArrayBatchedCopy_vectorized<at::native::<unnamed>"
     "::OpaqueType<(unsigned int)2>, unsigned int, (int)2>(char *)",
     "cat 2B 2d vectorized"},
    {"void at::native::vectorized_elementwise_kernel<4, fbgemm_gpu::_float_to_hfp8_gpu"
     "(at::Tensor const&, long)::{lambda(float)#1}>(int)",
     "_float_to_hfp8 fp32 vec4"},
    {"void phi::funcs::VectorizedElementwiseKernel<float, phi::funcs::CudaReluFunctor<"
     "float>, 1>(int)",
     "relu fp32 vec1"},
    {"void phi::ForRangeElemwiseOp<phi::funcs::MomentumFunctor>(float*)",
     "momentum fp32"},
    {"void splitKreduce_kernel<32, 16, int, float>(cublasSplitKParams<float>)",
     "splitKreduce fp32"},
    {"void cutlass::Kernel2<cutlass_80_tensorop_s1688gemm_64x64_16x6_nt_align4>(Params"
     ")",
     "gemm tf32 64x64x16 nt"},
    {"void (anonymous namespace)::softmax_warp<float>(float*)",
     "softmax_warp fp32"},
    {"unsigned int count<4>(int)",
     "count"},
    {"Memcpy HtoD (Pageable -> Device)",
     "Memcpy HtoD (Pageable -> Device)"},
    {"void unnamed>::transpose_tiled<32>(const float *)",
     "transpose_tiled"},
    {"_ZN19cutlass_cudnn_train6KernelINS_4conv6kernel23ImplicitGemmConvolutionINS1_11t"
     "hreadblock",
     "ImplicitGemmConvolution"},
    {"sm90_xmma_gemm_bf16bf16_bf16f32_f32_tn_n_tilesize128x128x64_execute_kernel__5x_c"
     "ublas",
     "gemm bf16 128x128x64 tn"},
    {"cudnn_generated_fort_native_sdpa_sm90_flash_bprop_wgmma_f16_knob_26_64x64x64_1x4x1_cga1x1x1_kernel0_0",
     "sdpa_flash_bprop 64x64x64"},
    {"cudnn_generated_fort_native_sdpa_sm90",
     "sdpa"},
    {"_ZN99999999999999999999x",
     "_ZN99999999999999999999x"},
    {"_Zebra",
     "_Zebra"},
};

Test(kernel_name, says_what_a_loop_does)
{
    struct arena arena = {0};

    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        struct span got = short_name(span_of(cases[i].name), KIND_KERNEL, &arena);

        cr_expect(span_eq(got, span_of(cases[i].brief)), "%.*s", (int)got.len, got.at);
    }
    arena_free(&arena);
}

/* Of a C++ name what tells it stays. */
Test(label, compact_without_what_compilers_spell_out)
{
    static const char *const labels[][2] = {
        {"std::__cxx11::basic_string<char, std::char_traits<char>, std::allocator<char> >::_M_"
         "append(char const*, unsigned long)",
         "std::string::_M_append(...)"},
        {"std::_Rb_tree<std::pair<int const, int>, std::less<int> >::find(int const&)",
         "std::_Rb_tree<...>::find(int const&)"},
        {"shop::name[abi:cxx11](int, int)", "shop::name(int, int)"},
        {"std::vector<int>::push_back(int)", "std::vector<int>::push_back(int)"},
        {"(anonymous namespace)::run(std::map<std::pair<int, int>, std::vector<long> >)",
         "(anonymous namespace)::run(std::map<...>)"},
        {"shop::operator<(std::pair<int, int> const&, std::pair<int, int> const&)",
         "shop::operator<(...)"},
        {"a_name_without_a_namespace(and, many, words, in, brackets)",
         "a_name_without_a_namespace(and, many, words, in, brackets)"},
        {"/srv/app/a.py:3(a_long_name_of_a_python::function)",
         "/srv/app/a.py:3(a_long_name_of_a_python::function)"},
        {"a::b<c(>)", "a::b<c(>)"},
    };
    struct arena arena = {0};

    for (size_t i = 0; i < COUNT_OF(labels); i++) {
        struct span shown = label_compact(span_of(labels[i][0]), &arena);

        cr_expect(span_eq(shown, span_of(labels[i][1])), "%s: %.*s", labels[i][0], (int)shown.len,
                  shown.at);
    }
    arena_free(&arena);
}

Test(short_name, label_fit)
{
    static const struct {
        const char *label;
        size_t room;
        const char *shown;
    } labels[] = {
        {"shop.py:11(parse)", 17, "shop.py:11(parse)"},
        {"lib/_strptime.py:309(_strptime)", 24, "…ptime.py:309(_strptime)"},
        {"/srv/app/json/encoder.py:278(_iterencode_list)", 30, "…oder.py:278(_iterencode_list)"},
        {"app.py:1636(a_function_whose_name_is_long)", 20, "1636(a_function…"},
        {"{built-in method _imp.create_dynamic}", 24, "{…d _imp.create_dynamic}"},
        {"{method 'read' of '_io.BufferedReader' objects}", 24, "{method 'read' of '_io…}"},
        {"handle /home/u/project/nodes/main.js:8", 26, "handle …/nodes/main.js:8"},
        {"at::native::vectorized_elementwise_kernel", 20, "at::native…"},
        {"output_processor_mixin.py(61): process_result", 40, "…_processor_mixin.py(61): process_result"},
        {"output_processor_mixin.py(61): process_result", 20, "process_result"},
        {"aten::linear [16,559,1024]×[2816,1024]", 38, "aten::linear [16,559,1024]×[2816,1024]"},
        {"aten::linear [16,559,1024]×[2816,1024]", 37, "linear [16,559,1024]×[2816,1024]"},
        {"aten::scaled_dot_product [16,559,64]×[1,64]", 30, "scaled_dot… [16,559,64]×[1,64]"},
        {"aten::linear [16,559,1024]×[2816,1024]", 24, "linear …[2816,1024]"},
        {"aten::linear [16,559,1024]×[2816,1024]", 27, "linear …1024]×[2816,1024]"},
        {"aten::mul [1024]×[16,559,1024]", 24, "mul [1024]×[16,559,1024]"},
        {"aten::mul [1,漢漢漢漢漢漢漢漢漢漢漢漢漢漢漢漢漢漢漢]", 20, "mul …漢漢漢漢漢漢漢]"},
    };
    struct arena arena = {0};

    for (size_t i = 0; i < COUNT_OF(labels); i++) {
        struct span shown =
            label_fit(span_of(labels[i].label), labels[i].room, SPAN("…"), true, &arena);

        cr_expect(span_eq(shown, span_of(labels[i].shown)), "%s: %.*s", labels[i].label,
                  (int)shown.len, shown.at);
    }
    arena_free(&arena);
}

Test(short_name, cpp_name_bare)
{
    static const char *const names[][2] = {
        {"double linalg::dot<double, 20ul>(linalg::Matrix<double, 20ul> const&)", "linalg::dot"},
        {"std::vector<int, std::allocator<int> >::push_back(int&&)", "std::vector::push_back"},
        {"shop::Order shop::operator+<int>(shop::Order const&)", "shop::operator+"},
        {"std::vector<int>::operator[](unsigned long) const", "std::vector::operator[]"},
        {"core::ptr::drop_in_place<alloc::string::String>", "core::ptr::drop_in_place"},
        {"main", "main"},
        {"(below main)", "(below main)"},
    };
    struct arena arena = {0};

    for (size_t i = 0; i < COUNT_OF(names); i++) {
        struct span bare = cpp_name_bare(span_of(names[i][0]), &arena);

        cr_expect(span_eq(bare, span_of(names[i][1])), "%s: %.*s", names[i][0], (int)bare.len,
                  bare.at);
    }
    arena_free(&arena);
}
