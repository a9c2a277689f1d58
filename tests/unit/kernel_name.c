#include "render/reports/short_kernel_name.h"

#include <criterion/criterion.h>

static const struct {
    const char *name, *brief;
} cases[] = {
    {"void relax<float, int=16>(float const *, float*, int)", "relax"},
    {"void at::native::vectorized_elementwise_kernel<4, at::native::(anonymous "
     "namespace)::silu_kernel(at::TensorIteratorBase&)::{lambda()#1}>(int)",
     "silu_kernel"},
    {"void at::native::elementwise_kernel<128, 4, at::native::gpu_kernel_impl_nocast<at::native::"
     "BinaryFunctor<c10::BFloat16, c10::BFloat16, c10::BFloat16, at::native::binary_internal::"
     "MulFunctor<float> > >(at::TensorIteratorBase&)::{lambda(int)#1}>(int)",
     "MulFunctor"},
    {"void at::native::reduce_kernel<512, 1, at::native::ReduceOp<float, "
     "at::native::MeanOps<float, "
     "float> > >(int)",
     "MeanOps"},
    {"void elementwise_kernel<4>(float*)", "elementwise_kernel"},
    {"elementwise_kernel", "elementwise_kernel"},
    {"_ZN2ck16tensor_operation6device12_GLOBAL__N_124kernel_grouped_conv_fwd1INS_3XdlE",
     ""
     "kernel_grouped_conv_fwd1"},
    {"_ZN7ck_tile6kentryILi1ENS_12Rmsnorm2dFwdINS_27Rmsnorm2dFwdPipelineOnePass", "Rmsnorm2dFwd"},
    {"_Z4axpyPfS_i", "axpy"},
    {"_ZN99999999999999999999x", "_ZN99999999999999999999x"},
    {"_Zebra", "_Zebra"},
};

Test(kernel_name, says_what_a_loop_does)
{
    struct arena arena = {0};

    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        struct span got = kernel_name_short(span_of(cases[i].name), &arena);

        cr_expect(span_eq(got, span_of(cases[i].brief)), "%.*s", (int)got.len, got.at);
    }
    arena_free(&arena);
}
