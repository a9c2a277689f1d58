/* SPDX-License-Identifier: Apache-2.0 */
#include <criterion/criterion.h>

#include "base/checked.h"
#include "graph/classify/event_class.h"

Test(classify, calls_of_the_runtime)
{
    static const struct {
        const char *name;
        enum runtime_call call;
        bool may_block, blocks;
        enum copy_direction copy;
    } cases[] = {
        {"cudaLaunchKernel", CALL_LAUNCH, false, false, COPY_UNKNOWN},
        {"cudaLaunchKernelExC_v11060", CALL_LAUNCH, false, false, COPY_UNKNOWN},
        {"cudaLaunchKernel_ptsz", CALL_LAUNCH, false, false, COPY_UNKNOWN},
        {"cudaLaunchHostFunc", CALL_OTHER, false, false, COPY_UNKNOWN},
        {"cuLaunchKernel", CALL_LAUNCH, false, false, COPY_UNKNOWN},
        {"hipModuleLaunchKernel", CALL_LAUNCH, false, false, COPY_UNKNOWN},
        {"hipExtModuleLaunchKernel", CALL_LAUNCH, false, false, COPY_UNKNOWN},
        {"musaLaunchKernel", CALL_LAUNCH, false, false, COPY_UNKNOWN},
        {"cudaGraphLaunch_v10000", CALL_GRAPH_LAUNCH, false, false, COPY_UNKNOWN},
        {"cudaGraphInstantiateWithFlags", CALL_OTHER, false, false, COPY_UNKNOWN},
        {"cudaMemcpyAsync", CALL_COPY, true, false, COPY_UNKNOWN},
        {"cudaMemcpy", CALL_COPY, true, true, COPY_UNKNOWN},
        {"cuMemcpyDtoH_v2", CALL_COPY, true, true, COPY_DEVICE_TO_HOST},
        {"cuMemcpyHtoDAsync_v2_ptsz", CALL_COPY, true, false, COPY_HOST_TO_DEVICE},
        {"cuMemcpyDtoDAsync_v2", CALL_COPY, false, false, COPY_DEVICE_TO_DEVICE},
        {"cudaMemcpyPeerAsync", CALL_COPY, false, false, COPY_PEER_TO_PEER},
        {"hipMemcpyWithStream", CALL_COPY, true, true, COPY_UNKNOWN},
        {"cudaMemsetAsync", CALL_FILL, false, false, COPY_UNKNOWN},
        {"cudaDeviceSynchronize", CALL_SYNC_DEVICE, true, true, COPY_UNKNOWN},
        {"cuCtxSynchronize", CALL_SYNC_DEVICE, true, true, COPY_UNKNOWN},
        {"cudaStreamSynchronize_v3020", CALL_SYNC_STREAM, true, true, COPY_UNKNOWN},
        {"hipEventSynchronize", CALL_SYNC_EVENT, true, true, COPY_UNKNOWN},
        {"cudaEventRecordWithFlags", CALL_EVENT_RECORD, false, false, COPY_UNKNOWN},
        {"cudaStreamWaitEvent", CALL_STREAM_WAIT, false, false, COPY_UNKNOWN},
        {"cudaEventQuery", CALL_QUERY, false, false, COPY_UNKNOWN},
        {"cudaMalloc", CALL_ALLOCATE, true, false, COPY_UNKNOWN},
        {"cudaMallocAsync_v11020", CALL_ALLOCATE, false, false, COPY_UNKNOWN},
        {"hipHostMalloc", CALL_ALLOCATE, true, false, COPY_UNKNOWN},
        {"cudaFree", CALL_FREE, true, false, COPY_UNKNOWN},
        {"cudaFreeAsync", CALL_FREE, false, false, COPY_UNKNOWN},
        {"cudaFuncGetAttributes", CALL_OTHER, false, false, COPY_UNKNOWN},
        {"cudart", CALL_OTHER, false, false, COPY_UNKNOWN},
        {"zeCommandListAppendLaunchKernel", CALL_LAUNCH, false, false, COPY_UNKNOWN},
        {"zeCommandQueueSynchronize", CALL_SYNC_STREAM, true, true, COPY_UNKNOWN},
        {"clEnqueueNDRangeKernel", CALL_LAUNCH, false, false, COPY_UNKNOWN},
        {"clFinish", CALL_SYNC_STREAM, true, true, COPY_UNKNOWN},
        {"urQueueFinish", CALL_SYNC_STREAM, true, true, COPY_UNKNOWN},
        {"_v2", CALL_OTHER, false, false, COPY_UNKNOWN},
        {"", CALL_OTHER, false, false, COPY_UNKNOWN},
    };

    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct frame_class class = frame_class(KIND_RUNTIME, span_of(cases[i].name));

        cr_expect_eq(class.call, cases[i].call, "%s: call %d", cases[i].name, class.call);
        cr_expect_eq(class.may_block, cases[i].may_block, "%s: may block", cases[i].name);
        cr_expect_eq(class.blocks, cases[i].blocks, "%s: blocks", cases[i].name);
        cr_expect_eq(class.copy, cases[i].copy, "%s: copy %d", cases[i].name, class.copy);
        cr_expect_eq(class.role, ROLE_RUNTIME);
    }
}

Test(classify, what_rows_about_waiting_wait_for)
{
    static const struct {
        const char *name;
        enum runtime_call call;
    } cases[] = {
        {"Stream Wait Event", CALL_STREAM_WAIT},
        {"Stream Sync", CALL_SYNC_STREAM},
        {"Stream Synchronize", CALL_SYNC_STREAM},
        {"Event Sync", CALL_SYNC_EVENT},
        {"Event Synchronize", CALL_SYNC_EVENT},
        {"Context Sync", CALL_SYNC_DEVICE},
        {"Context Synchronize", CALL_SYNC_DEVICE},
        {"event_record", CALL_EVENT_RECORD},
        {"(idle)", CALL_SYNC_DEVICE},
    };

    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct frame_class class = frame_class(KIND_SYNC, span_of(cases[i].name));

        cr_expect_eq(class.call, cases[i].call, "%s: %d", cases[i].name, class.call);
        cr_expect(class.is_wait);
    }
}

Test(classify, calls_of_a_runtime_among_other_host_work)
{
    cr_expect(is_runtime_call(SPAN("cudaMalloc")));
    cr_expect(is_runtime_call(SPAN("zeEventHostSynchronize")));
    cr_expect(is_runtime_call(SPAN("clEnqueueReadBuffer")));
    cr_expect_not(is_runtime_call(SPAN("cudart")));
    cr_expect_not(is_runtime_call(SPAN("hip_forward")));
    cr_expect_not(is_runtime_call(SPAN("cuda")));
}

Test(classify, functions_that_block)
{
    static const struct {
        const char *name;
        enum blocking kind;
    } cases[] = {
        {"<method 'acquire' of '_thread.lock' objects>", BLOCKING_LOCK},
        {"<method 'acquire' of 'thread.lock' objects>", BLOCKING_LOCK},
        {"<method 'poll' of 'select.epoll' objects>", BLOCKING_POLL},
        {"<built-in method time.sleep>", BLOCKING_SLEEP},
        {"<built-in method time.time>", BLOCKING_NOT},
        {"<method 'append' of 'list' objects>", BLOCKING_NOT},
        {"poll", BLOCKING_POLL},
        {"polling", BLOCKING_NOT},
        {"<method '", BLOCKING_NOT},
        {"", BLOCKING_NOT},
    };

    for (size_t i = 0; i < COUNT_OF(cases); i++)
        cr_expect_eq(blocking_function(span_of(cases[i].name)), cases[i].kind, "%s", cases[i].name);
}

Test(classify, kernels)
{
    static const struct {
        const char *name;
        enum matrix_work matrix;
        enum precision precision;
        enum kernel_family family;
    } cases[] = {
        {"void cutlass::Kernel<cutlass_80_tensorop_s1688gemm_128x64_32x6_tn_align4>",
         MATRIX_ON_TENSOR_CORES, PRECISION_TF32, FAMILY_GEMM},
        {"cutlass_80_tensorop_bf16_s16816gemm_relu_bf16_64x64", MATRIX_ON_TENSOR_CORES,
         PRECISION_BF16, FAMILY_GEMM},
        {"turing_fp16_s1688gemm_fp16_128x128_ldg8_f2f_tn", MATRIX_ON_TENSOR_CORES, PRECISION_FP16,
         FAMILY_GEMM},
        {"volta_h884gemm_256x64_ldg8_nn", MATRIX_ON_TENSOR_CORES, PRECISION_FP16, FAMILY_GEMM},
        {"volta_sgemm_128x64_nn", MATRIX_ON_CORES, PRECISION_FP32, FAMILY_GEMM},
        {"volta_dgemm_64x64_nt", MATRIX_ON_CORES, PRECISION_FP64, FAMILY_GEMM},
        {"nvjet_tst_128x256_64x4", MATRIX_ON_TENSOR_CORES, PRECISION_BF16, FAMILY_GEMM},
        {"nvjet_hsh_128x256_64x4", MATRIX_ON_TENSOR_CORES, PRECISION_FP16, FAMILY_GEMM},
        {"Cijk_Ailk_Bljk_HBH_MT64x64x64_MI32x32x8x1_SN", MATRIX_ON_TENSOR_CORES, PRECISION_FP16,
         FAMILY_GEMM},
        {"Cijk_Ailk_Bljk_SB_MT64x64_MIX", MATRIX_NONE, PRECISION_FP32, FAMILY_GEMM},
        {"igemm_bwd_gtcx3_nhwc_bf16_bx0_ex1", MATRIX_ON_TENSOR_CORES, PRECISION_BF16,
         FAMILY_CONVOLUTION},
        {"_ZN2ck16tensor_operation6device37kernel_batched_gemm_xdlops", MATRIX_ON_TENSOR_CORES,
         PRECISION_UNKNOWN, FAMILY_GEMM},
        {"sm80_xmma_fprop_implicit_gemm_indexed_tf32f32_tf32f32_f32_nhwckrsc_nchw",
         MATRIX_ON_TENSOR_CORES, PRECISION_TF32, FAMILY_CONVOLUTION},
        {"cudnn_ampere_scudnn_128x64_relu_xregs_large_nn_v1", MATRIX_NONE, PRECISION_FP32,
         FAMILY_CONVOLUTION},
        {"cudnn_generated_fort_native_sdpa_sm90", MATRIX_ON_TENSOR_CORES, PRECISION_UNKNOWN,
         FAMILY_ATTENTION},
        {"void pytorch_flash::flash_fwd_kernel<Flash_fwd_kernel_traits<64, cutlass::half_t>>",
         MATRIX_ON_TENSOR_CORES, PRECISION_FP16, FAMILY_ATTENTION},
        {"fmhaSm100aKernel_QkvE4m3OBfloat16", MATRIX_ON_TENSOR_CORES, PRECISION_FP8,
         FAMILY_ATTENTION},
        {"fused_moe_kernel", MATRIX_NONE, PRECISION_UNKNOWN, FAMILY_MOE},
        {"void cudnn::bn_fw_tr_1C11_singleread<float, 512, true, 1, 2, 0>", MATRIX_NONE,
         PRECISION_FP32, FAMILY_NORMALISATION},
        {"void at::native::(anonymous namespace)::vectorized_layer_norm_kernel<c10::BFloat16, "
         "float>",
         MATRIX_NONE, PRECISION_BF16, FAMILY_NORMALISATION},
        {"void (anonymous namespace)::softmax_warp_forward<float, float, float, 10, false>",
         MATRIX_NONE, PRECISION_FP32, FAMILY_SOFTMAX},
        {"void split_embedding_codegen_forward_unweighted_kernel<c10::Half>", MATRIX_NONE,
         PRECISION_FP16, FAMILY_EMBEDDING},
        {"void vllm::rotary_embedding_kernel<c10::Half, true>", MATRIX_NONE, PRECISION_FP16,
         FAMILY_ELEMENTWISE},
        {"void at::native::(anonymous namespace)::multi_tensor_apply_kernel<double>", MATRIX_NONE,
         PRECISION_FP64, FAMILY_OPTIMIZER},
        {"void at::native::unrolled_elementwise_kernel<at::native::direct_copy_kernel_cuda>",
         MATRIX_NONE, PRECISION_UNKNOWN, FAMILY_COPY},
        {"void at::native::vectorized_elementwise_kernel<4, at::native::CUDAFunctor_add<float>>",
         MATRIX_NONE, PRECISION_FP32, FAMILY_ELEMENTWISE},
        {"void at::native::reduce_kernel<512, 1, at::native::ReduceOp<float>>", MATRIX_NONE,
         PRECISION_FP32, FAMILY_REDUCTION},
        {"void splitKreduce_kernel<float, float, float, float>", MATRIX_NONE, PRECISION_FP32,
         FAMILY_GEMM},
        {"void cub::DeviceRadixSortOnesweepKernel<long>", MATRIX_NONE, PRECISION_UNKNOWN,
         FAMILY_SORT},
        {"cutlass_80_tensorop_i16832gemm_s8_256x128_64x3_tn_align16", MATRIX_ON_TENSOR_CORES,
         PRECISION_INT8, FAMILY_GEMM},
        {"ampere_int8_i8816gemm_int8_128x128_ldg16_relu_interleaved32", MATRIX_ON_TENSOR_CORES,
         PRECISION_INT8, FAMILY_GEMM},
        {"fp16_int8_weight_only_gemm", MATRIX_ON_CORES, PRECISION_FP16, FAMILY_GEMM},
        {"batched_transpose_32x32_half", MATRIX_NONE, PRECISION_FP16, FAMILY_COPY},
        {"my_kernel(float*)", MATRIX_NONE, PRECISION_FP32, FAMILY_OTHER},
        {"", MATRIX_NONE, PRECISION_UNKNOWN, FAMILY_OTHER},
    };

    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct frame_class class = frame_class(KIND_KERNEL, span_of(cases[i].name));

        cr_expect_eq(class.matrix, cases[i].matrix, "%s: %d", cases[i].name, class.matrix);
        cr_expect_eq(class.precision, cases[i].precision, "%s: precision %d", cases[i].name,
                     class.precision);
        cr_expect_eq(class.family, cases[i].family, "%s: %s", cases[i].name,
                     kernel_family_name(class.family));
    }
}

Test(classify, kinds_of_device_work)
{
    static const struct {
        const char *name;
        enum frame_kind kind;
    } cases[] = {
        {"ncclDevKernel_AllReduce_Sum_f32_RING_LL", KIND_COMMUNICATION},
        {"void multimem_all_reduce_kernel", KIND_COMMUNICATION},
        {"Memcpy HtoD (Pageable -> Device)", KIND_MEMCPY},
        {"CopyHostToDevice", KIND_MEMCPY},
        {"Memset (Device)", KIND_MEMSET},
        {"FillBuffer", KIND_MEMSET},
        {"event_wait", KIND_SYNC},
        {"gemm", KIND_KERNEL},
    };

    for (size_t i = 0; i < COUNT_OF(cases); i++)
        cr_expect_eq(device_work_kind(span_of(cases[i].name)), cases[i].kind, "%s", cases[i].name);
}

Test(classify, copies)
{
    static const struct {
        const char *name;
        enum copy_direction copy;
    } cases[] = {
        {"Memcpy HtoD (Pageable -> Device)", COPY_HOST_TO_DEVICE},
        {"[CUDA memcpy Host-to-Device]", COPY_HOST_TO_DEVICE},
        {"[CUDA memcpy DtoH]", COPY_DEVICE_TO_HOST},
        {"CopyDeviceToDevice", COPY_DEVICE_TO_DEVICE},
        {"MEMCPY_HtoD", COPY_HOST_TO_DEVICE},
        {"MEMORY_COPY_DEVICE_TO_HOST", COPY_DEVICE_TO_HOST},
        {"MemcpyD2D", COPY_DEVICE_TO_DEVICE},
        {"MemcpyP2P", COPY_PEER_TO_PEER},
        {"Memcpy DtoA", COPY_WITH_ARRAY},
        {"Memcpy", COPY_UNKNOWN},
    };

    for (size_t i = 0; i < COUNT_OF(cases); i++)
        cr_expect_eq(frame_class(KIND_MEMCPY, span_of(cases[i].name)).copy, cases[i].copy, "%s",
                     cases[i].name);
    cr_expect_eq(copy_direction_of(SPAN("PtoP")), COPY_PEER_TO_PEER);
    cr_expect_eq(copy_direction_of(SPAN("")), COPY_UNKNOWN);
    cr_expect_eq(memory_kind_of(SPAN("Pageable")), MEMORY_PAGEABLE);
    cr_expect_eq(memory_kind_of(SPAN("pinned")), MEMORY_PINNED);
    cr_expect_eq(memory_kind_of(SPAN("Pageables")), MEMORY_UNKNOWN);
}

Test(classify, roles_on_the_host)
{
    static const struct {
        enum frame_kind kind;
        const char *name;
        enum event_role role, phase;
    } cases[] = {
        {KIND_ANNOTATION, "ProfilerStep#3", ROLE_STEP, ROLE_NONE},
        {KIND_OPERATOR, "ProfilerStep#3", ROLE_STEP, ROLE_NONE},
        {KIND_ANNOTATION, "enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__",
         ROLE_DATALOADER, ROLE_NONE},
        {KIND_ANNOTATION, "Optimizer.step#SGD.step", ROLE_OPTIMIZATION, ROLE_NONE},
        {KIND_ANNOTATION, "## forward ##", ROLE_FORWARD, ROLE_NONE},
        {KIND_ANNOTATION, "Backward", ROLE_BACKWARD, ROLE_NONE},
        {KIND_ANNOTATION, "nccl:all_reduce", ROLE_COMMUNICATION, ROLE_NONE},
        {KIND_ANNOTATION, "my range", ROLE_PYTHON_USER, ROLE_NONE},
        {KIND_OPERATOR, "aten::mm", ROLE_OPERATOR, ROLE_NONE},
        {KIND_OPERATOR, "forward", ROLE_OPERATOR, ROLE_NONE},
        {KIND_OPERATOR, "autograd::engine::evaluate_function: MmBackward0", ROLE_OPERATOR,
         ROLE_BACKWARD},
        {KIND_OPERATOR, "AddBackward12", ROLE_OPERATOR, ROLE_BACKWARD},
        {KIND_PYTHON, "nn.Module: Linear_0", ROLE_PYTHON, ROLE_FORWARD},
        {KIND_PYTHON, "run", ROLE_PYTHON, ROLE_NONE},
        {KIND_HOST, "main", ROLE_OTHER, ROLE_NONE},
    };

    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct frame_class class = frame_class(cases[i].kind, span_of(cases[i].name));

        cr_expect_eq(class.role, cases[i].role, "%s: %d", cases[i].name, class.role);
        cr_expect_eq(class.implied_phase, cases[i].phase, "%s: phase %d", cases[i].name,
                     class.implied_phase);
    }
    cr_expect_eq(category_role(SPAN("Dataloader")), ROLE_DATALOADER);
    cr_expect_eq(category_role(SPAN("Operator")), ROLE_NONE);
    cr_expect_eq(category_role(SPAN("Kernel")), ROLE_NONE);
    cr_expect_eq(category_role(SPAN("cpu_op")), ROLE_NONE);
}

Test(classify, what_moves_data_between_devices)
{
    static const struct {
        const char *name;
        unsigned marks;
    } cases[] = {
        {"c_allreduce_sum", NAMED_TRANSFER},
        {"broadcast", NAMED_TRANSFER},
        {"BroadcastTo", NAMED_TRANSFER | NAMED_LOCAL},
        {"aten::broadcast_tensors", NAMED_TRANSFER | NAMED_LOCAL},
        {"aten::mm", NAMED_LOCAL},
        {"ncclDevKernel_SendRecv", NAMED_COLLECTIVE},
        {"BufferedReader:MemoryCopy", NAMED_MANIPULATION},
        {"matmul", 0},
    };

    for (size_t i = 0; i < COUNT_OF(cases); i++)
        cr_expect_eq(name_marks(span_of(cases[i].name)), cases[i].marks, "%s", cases[i].name);
    cr_expect_eq(traffic_of_operation(SPAN("_allgather_base")), TRAFFIC_GATHER);
    cr_expect_eq(traffic_of_operation(SPAN("ncclDevKernel_ReduceScatter_Sum")), TRAFFIC_SCATTER);
    cr_expect_eq(traffic_of_operation(SPAN("all_to_all")), TRAFFIC_ALL);
    cr_expect_eq(traffic_of_operation(SPAN("broadcast")), TRAFFIC_PLAIN);
    cr_expect_eq(scalar_type_size(SPAN("BFloat16")), 2);
    cr_expect_eq(scalar_type_size(SPAN("Float8_e4m3fn")), 1);
    cr_expect_eq(scalar_type_size(SPAN("QUInt8")), UNKNOWN);
}

/* What libraries write into names; the framework's rows come first. */
Test(classify, tiles_of_products)
{
    static const struct {
        const char *name;
        unsigned rows, columns, split;
    } cases[] = {
        {"Cijk_Ailk_Bljk_BBS_BH_MT256x128x64_MI16x16x16x1_SN_GSU2_GSUAMB_WG64_4_1", 128, 256, 2},
        {"igemm_fwd_gtcx_nhwc_fp32_bx0_ex0_bt128x64x32", 128, 64, 0},
        {"sm90_xmma_gemm_bf16bf16_bf16f32_f32_tn_n_tilesize128x256x64_warpgroupsize2x1x1", 128, 256,
         0},
        {"nvjet_tst_192x256_64x4_2x1_v_bz_TNT", 192, 256, 0},
        {"void cutlass::Kernel2<cutlass_80_simt_sgemm_256x128_8x4_nn_align1>", 256, 128, 0},
        {"volta_h884gemm_256x64_ldg8_nn", 64, 256, 0},
        {"void cutlass::device_kernel<gemm<cute::tuple<cute::C<2>, cute::C<1>, cute::C<1>>, "
         "cute::tuple<cute::C<128>, cute::C<256>, cute::C<64>>>>",
         128, 256, 0},
        {"sgemm_128x64", 128, 64, 0},
        {"gemv2T_kernel_val", 0, 0, 0},
        {"gemm_4096x4096_", 0, 0, 0}, /* too large for a tile: a size */
        {"gemm_128x", 0, 0, 0},
        {"void at::native::vectorized_elementwise_kernel<4, _128x64_>", 0, 0, 0},
    };

    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct kernel_tile tile = frame_class(KIND_KERNEL, span_of(cases[i].name)).tile;

        cr_expect_eq(tile.rows, cases[i].rows, "%s: %u rows", cases[i].name, tile.rows);
        cr_expect_eq(tile.columns, cases[i].columns, "%s: %u", cases[i].name, tile.columns);
        cr_expect_eq(tile.split, cases[i].split, "%s: split %u", cases[i].name, tile.split);
    }
}
