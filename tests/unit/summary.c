/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>

#include "analysis/summary/host_tree.h"
#include "analysis/summary/summary.h"
#include "base/checked.h"
#include "parsers/device/operator_input_text.h"
#include "render/reports/summary_tables.h"
#include "tests/unit/host_samples.h"

/* One training step; its figures are those of Paddle's own unit test, case 2, with siblings that
 * do not overlap. */
static const struct sample step[] = {
    {0, 0, 400, KIND_OTHER, 0, "ProfileStep", "ProfileStep#1"},
    {0, 5, 10, KIND_OTHER, 0, "Dataloader", "Dataloader"},
    {0, 20, 30, KIND_OTHER, 0, "Forward", "MobileNet"},
    {0, 50, 60, KIND_OTHER, 0, "Forward", "Yolov3Net"},
    {0, 120, 80, KIND_OTHER, 0, "Backward", "Gradient Backward"},
    {0, 220, 80, KIND_OTHER, 0, "Optimization", "Optimization"},
    {0, 25, 15, KIND_OPERATOR, 0, "Operator", "conv2d"},
    {0, 60, 40, KIND_OPERATOR, 0, "Operator", "sync_batch_norm"},
    {0, 100, 10, KIND_OTHER, 0, "PythonUserDefined", "Communication Time"},
    {0, 102, 2, KIND_RUNTIME, 15, "CudaRuntime", "cudalaunchkernel"},
    {1, 105, 15, KIND_COMMUNICATION, 15, "Kernel", "nccl_allreduce_kernel"},
    {0, 230, 20, KIND_OPERATOR, 0, "Operator", "allreduce"},
    {0, 235, 5, KIND_RUNTIME, 17, "CudaRuntime", "cudalaunchkernel"},
    {1, 250, 30, KIND_COMMUNICATION, 17, "Kernel", "nccl_allreduce_kernel"},
    {0, 25, 5, KIND_OTHER, 0, "OperatorInner", "conv2d::infer_shape"},
    {0, 30, 5, KIND_OTHER, 0, "OperatorInner", "conv2d::compute"},
    {0, 30, 5, KIND_RUNTIME, 11, "CudaRuntime", "cudalaunchkernel"},
    {2, 35, 15, KIND_KERNEL, 11, "Kernel", "conv2d_kernel"},
    {0, 35, 5, KIND_OTHER, 0, "UserDefined", "AsyncMemcpy"},
    {0, 35, 5, KIND_RUNTIME, 12, "CudaRuntime", "cudaMemcpy"},
    {2, 50, 10, KIND_MEMCPY, 12, "Memcpy", "conv2d_memcpy"},
    {0, 60, 10, KIND_OTHER, 0, "OperatorInner", "sync_batch_norm::infer_shape"},
    {0, 80, 10, KIND_OTHER, 0, "OperatorInner", "sync_batch_norm::compute"},
    {0, 80, 10, KIND_RUNTIME, 13, "CudaRuntime", "cudalaunchkernel"},
    {2, 95, 205, KIND_KERNEL, 13, "Kernel", "sync_batch_norm_kernel"},
    {0, 90, 10, KIND_OTHER, 0, "UserDefined", "AsyncMemcpy"},
    {0, 90, 10, KIND_RUNTIME, 14, "CudaRuntime", "cudaMemcpy"},
    {3, 150, 50, KIND_MEMCPY, 14, "Memcpy", "sync_batch_norm_memcpy"},
    {0, 105, 5, KIND_COMMUNICATION, 0, "Communication", "Communication"},
    {0, 231, 1, KIND_OTHER, 0, "OperatorInner", "allreduce_node2::infershape"},
    {0, 105, 3, KIND_OPERATOR, 0, "Operator", "allreduce_op1"},
    {0, 106, 1, KIND_RUNTIME, 16, "CudaRuntime", "cudalaunchkernel"},
    {1, 130, 20, KIND_COMMUNICATION, 16, "Kernel", "nccl_allreduce_kernel"},
    {0, 105, 1, KIND_OTHER, 0, "OperatorInner", "allreduce_op1::infershape"},
};

struct expected {
    const char *name;
    int64_t calls, cpu, gpu;
};

static void expect_item(const struct expected *expected, const struct summary_item *item)
{
    cr_expect_eq(item->calls, expected->calls, "%s", expected->name);
    cr_expect_eq(item->cpu.total, expected->cpu * MS, "%s: %ld", expected->name, item->cpu.total);
    cr_expect_eq(item->gpu.total, expected->gpu * MS, "%s: %ld", expected->name, item->gpu.total);
}

Test(summary, overview_unites_events_of_one_type)
{
    static const struct expected expected[] = {
        {"ProfileStep", 1, 400, 0},  {"Forward", 2, 90, 0},
        {"Optimization", 1, 80, 0},  {"Backward", 1, 80, 0},
        {"Operator", 4, 78, 0},      {"CudaRuntime", 7, 38, 0},
        {"OperatorInner", 6, 32, 0}, {"Communication", 3, 25, 0},
        {"UserDefined", 2, 15, 0},   {"PythonUserDefined", 1, 10, 0},
        {"Dataloader", 1, 10, 0},    {"Kernel", 5, 0, 220},
        {"Memcpy", 2, 0, 60},        {"Communication", 3, 0, 65},
    };
    struct summary_overview overview;
    struct summary_distribution distribution;
    struct summary_model model;
    struct arena arena = {0};
    struct host_tree tree;
    struct graph graph;

    MAKE(step, &graph);
    host_tree_make(&graph, false, &tree);
    cr_expect_eq(tree.total_time, 400 * MS);
    summary_model(&tree, &model);
    summary_distribution(&tree, &distribution);
    summary_overview(&tree, &model, &distribution, &arena, &overview);
    cr_assert_eq(overview.count, sizeof(expected) / sizeof(expected[0]));
    for (uint32_t i = 0; i < overview.count; i++) {
        cr_expect(span_eq(overview.rows[i].name, span_of(expected[i].name)), "row %u", i);
        cr_expect_eq(overview.rows[i].calls, expected[i].calls, "%s", expected[i].name);
        cr_expect_eq(overview.rows[i].time, (expected[i].cpu + expected[i].gpu) * MS, "%s",
                     expected[i].name);
        cr_expect_eq(overview.rows[i].is_device, i >= 11);
    }
    host_tree_free(&tree);
    arena_free(&arena);
    graph_free(&graph);
}

Test(summary, model_charges_kernels_to_the_phase_that_launched_them)
{
    static const struct expected expected[] = {
        {"ProfileStep", 1, 400, 285}, {"Dataloader", 1, 10, 0},    {"Forward", 2, 90, 255},
        {"Backward", 1, 80, 0},       {"Optimization", 1, 80, 30}, {"Others", 0, 140, 0},
    };
    struct summary_distribution d;
    struct summary_model model;
    struct host_tree tree;
    struct graph graph;

    MAKE(step, &graph);
    for (int compat = 0; compat < 2; compat++) {
        host_tree_make(&graph, compat, &tree);
        summary_model(&tree, &model);
        cr_assert_eq(model.count, 6);
        for (uint32_t i = 0; i < 6; i++)
            expect_item(&expected[i], &model.rows[i].item);
        summary_distribution(&tree, &d);
        cr_expect_eq(d.communication, 85 * MS);
        cr_expect_eq(d.computation, 220 * MS);
        cr_expect_eq(d.overlap, 85 * MS);
        host_tree_free(&tree);
    }
    graph_free(&graph);
}

Test(summary, operators_show_their_parts_and_kernels)
{
    static const struct expected expected[] = {
        {"sync_batch_norm", 1, 40, 255},
        {"sync_batch_norm::infer_shape", 1, 10, 0},
        {"sync_batch_norm::compute", 1, 10, 205},
        {"sync_batch_norm_kernel", 1, 0, 205},
        {"AsyncMemcpy", 1, 10, 50},
        {"sync_batch_norm_memcpy", 1, 0, 50},
        {"allreduce", 1, 20, 30},
        {"allreduce_node2::infershape", 1, 1, 0},
        {"nccl_allreduce_kernel", 1, 0, 30},
        {"conv2d", 1, 15, 25},
    };
    struct summary_operators operators;
    struct arena arena = {0};
    struct host_tree tree;
    struct graph graph;

    MAKE(step, &graph);
    host_tree_make(&graph, false, &tree);
    summary_operators(&tree, &(struct summary_options){0}, &arena, &operators);
    cr_assert_eq(operators.count, 18);
    for (uint32_t i = 0; i < sizeof(expected) / sizeof(expected[0]); i++) {
        cr_expect(span_eq(operators.rows[i].item.name, span_of(expected[i].name)), "row %u", i);
        expect_item(&expected[i], &operators.rows[i].item);
    }
    summary_operators(&tree, &(struct summary_options){.has_no_detail = true, .is_by_thread = true},
                      &arena, &operators);
    cr_expect_eq(operators.count, 4);
    cr_assert_eq(operators.thread_count, 1);
    cr_expect_eq(operators.threads[0], 1001);
    host_tree_free(&tree);
    arena_free(&arena);
    graph_free(&graph);
}

/* Two kernels of one name, and ranges that copy by their name. */
Test(summary, kernels_and_ranges_go_by_name)
{
    struct summary_list kernels, copies, user;
    struct arena arena = {0};
    struct host_tree tree;
    struct graph graph;

    MAKE(step, &graph);
    host_tree_make(&graph, false, &tree);
    summary_kernels(&tree, &(struct summary_options){.sort = SORT_GPU_MIN}, &arena, &kernels);
    cr_assert_eq(kernels.count, 3);
    expect_item(&(struct expected){"conv2d", 1, 15, 15}, &kernels.rows[1].item);
    expect_item(&(struct expected){"nccl", 3, 65, 65}, &kernels.rows[0].item);
    summary_manipulations(&tree, &arena, &copies);
    cr_assert_eq(copies.count, 1);
    expect_item(&(struct expected){"AsyncMemcpy", 2, 15, 60}, &copies.rows[0].item);
    cr_expect_float_eq(copies.rows[0].gpu_share, 60.0 / 345, 1e-12);
    summary_user_defined(&tree, &(struct summary_options){0}, &arena, &user);
    cr_assert_eq(user.count, 1);
    expect_item(&(struct expected){"Communication Time", 1, 10, 35}, &user.rows[0].item);
    host_tree_free(&tree);
    arena_free(&arena);
    graph_free(&graph);
}

Test(summary, batches_need_no_warm_up_but_paddle_does)
{
    static const struct sample steps[] = {
        {0, 0, 10, KIND_OTHER, 0, "ProfileStep", "ProfileStep#1"},
        {0, 1, 4, KIND_OTHER, 0, "Dataloader", "Dataloader"},
        {0, 10, 20, KIND_OTHER, 0, "ProfileStep", "ProfileStep#2"},
        {0, 11, 2, KIND_OTHER, 0, "Dataloader", "Dataloader"},
    };
    struct summary_benchmark benchmark;
    struct host_tree tree;
    struct graph graph;

    MAKE(steps, &graph);
    host_tree_make(&graph, false, &tree);
    summary_benchmark(&tree, &benchmark);
    cr_expect_eq(benchmark.steps, 2);
    cr_expect_float_eq(benchmark.batch.average, 0.015, 1e-12);
    cr_expect_float_eq(benchmark.batch.min, 0.01, 1e-12);
    cr_expect_float_eq(benchmark.reader.average, 0.003, 1e-12);
    cr_expect_float_eq(benchmark.reader_share, 0.2, 1e-12);
    host_tree_free(&tree);
    host_tree_make(&graph, true, &tree);
    summary_benchmark(&tree, &benchmark);
    cr_expect_eq(benchmark.steps, 0);
    host_tree_free(&tree);
    graph_free(&graph);
}

/* Two steps of PyTorch's kind; the first one's kernel ends in the second, which waits for it. */
static const struct sample torch_steps[] = {
    {0, 0, 10, KIND_ANNOTATION, 0, "user_annotation", "ProfilerStep#1"},
    {0, 1, 2, KIND_ANNOTATION, 0, "user_annotation", "enumerate(DataLoader)#x.__next__"},
    {0, 4, 4, KIND_OPERATOR, 0, "cpu_op", "aten::linear"},
    {0, 5, 2, KIND_OPERATOR, 0, "cpu_op", "aten::addmm"},
    {0, 5, 1, KIND_RUNTIME, 1, "cuda_runtime", "cudaLaunchKernel"},
    {1, 8, 4, KIND_KERNEL, 1, "kernel", "volta_h884gemm"},
    {0, 10, 6, KIND_ANNOTATION, 0, "user_annotation", "ProfilerStep#2"},
    {0, 12, 1, KIND_RUNTIME, 2, "cuda_runtime", "cudaMemcpyAsync"},
    {1, 13, 2, KIND_MEMCPY, 2, "gpu_memcpy", "Memcpy HtoD"},
};

Test(summary, step_time_goes_to_the_first_that_is_going_on)
{
    static const int64_t expected[2][PART_COUNT] = {{4, 0, 0, 0, 1, 2, 3, 2},
                                                    {0, 2, 0, 0, 1, 0, 0, 1}};
    struct arena arena = {0};
    struct step_times steps;
    struct device_uses uses;
    struct host_tree tree;
    struct graph graph;

    MAKE(torch_steps, &graph);
    host_tree_make(&graph, false, &tree);
    summary_step_times(&tree, &arena, &steps);
    cr_assert_eq(steps.count, 2);
    cr_expect_eq(steps.rows[0].span.end, 12 * MS);
    cr_expect_eq(steps.rows[1].span.start, 12 * MS);
    for (int i = 0; i < 2; i++)
        for (int part = 0; part < PART_COUNT; part++)
            cr_expect_eq(steps.rows[i].parts[part], expected[i][part] * MS, "step %d part %d: %ld",
                         i, part, steps.rows[i].parts[part]);
    summary_device_use(&tree, &arena, &uses);
    cr_assert_eq(uses.count, 1);
    cr_expect_float_eq(uses.rows[0].utilization, 0.25, 1e-12);
    cr_expect_float_eq(uses.rows[0].tensor_share, 1, 1e-12);
    cr_expect(isnan(uses.rows[0].sm_efficiency));
    host_tree_free(&tree);
    arena_free(&arena);
    graph_free(&graph);
}

Test(summary, shapes_and_launches_tell_who_launched_what)
{
    struct operator_shapes operators;
    struct kernel_shapes kernels;
    struct launch_rows launches;
    struct queue_rows queues;
    struct arena arena = {0};
    struct host_tree tree;
    struct graph graph;

    MAKE(torch_steps, &graph);
    host_tree_make(&graph, false, &tree);
    summary_kernel_shapes(&tree, 0, &arena, &kernels);
    cr_assert_eq(kernels.count, 1);
    cr_expect(span_eq(kernels.rows[0].operator_name, SPAN("aten::addmm")));
    cr_expect(kernels.rows[0].uses_tensor_cores);
    summary_operator_shapes(&tree, 0, &arena, &operators);
    cr_assert_eq(operators.count, 2);
    cr_expect(span_eq(operators.rows[0].name, SPAN("aten::addmm")));
    cr_expect_eq(operators.rows[0].device_self, 4 * MS);
    cr_expect_eq(operators.rows[1].device, 4 * MS);
    cr_expect_eq(operators.rows[1].device_self, 0);
    cr_expect_eq(operators.rows[1].host_self, 2 * MS);
    summary_launches(&tree, &arena, &launches);
    cr_assert_eq(launches.count, 2);
    cr_expect_eq(launches.rows[0].delay_total, 2 * MS);
    cr_expect_eq(launches.rows[1].delay_total, 0);
    stream_queues_find(tree.graph, &arena, &queues);
    cr_assert_eq(queues.count, 1);
    cr_expect_eq(queues.rows[0].longest, 1);
    cr_expect_float_eq(queues.rows[0].mean, 4.0 / 8, 1e-12);
    host_tree_free(&tree);
    arena_free(&arena);
    graph_free(&graph);
}

Test(summary, memory_belongs_to_the_innermost_event)
{
    static const struct {
        int64_t time, bytes, allocated;
    } changes[] = {{5, 100, 100}, {15, 50, 150}, {18, -30, 120}};
    struct builder *b = begin_timeline(
        &(struct builder_options){.launches = true, .categories = true, .properties = UINT64_MAX});
    struct memory_curve curve;
    struct summary_memory memory;
    struct arena arena = {0};
    struct host_tree tree;
    struct graph graph;

    uint32_t thread = thread_of(b, 0);
    uint32_t points =
        builder_track(builder_timeline(b), &(struct track){.kind = TRACK_POINTS, .device = -1});
    frame_id op = builder_frame(
        b, &(struct frame){.name = builder_intern(b, SPAN("op")), .kind = KIND_OPERATOR});
    frame_id inner = builder_frame(
        b, &(struct frame){.name = builder_intern(b, SPAN("inner")), .kind = KIND_OTHER});

    builder_event(builder_timeline(b), thread, 0, 30, op);
    builder_category(
        builder_timeline(b),
        builder_category_number(builder_timeline(b), builder_intern(b, SPAN("Operator"))));
    builder_event(builder_timeline(b), thread, 10, 10, inner);
    builder_category(
        builder_timeline(b),
        builder_category_number(builder_timeline(b), builder_intern(b, SPAN("OperatorInner"))));
    for (int i = 0; i < 3; i++) {
        uint32_t event = builder_event(builder_timeline(b), points, changes[i].time, 0, inner);

        builder_category(
            builder_timeline(b),
            builder_category_number(builder_timeline(b), builder_intern(b, SPAN("Allocate"))));
        builder_property(builder_timeline(b), event, PROP_BYTES, changes[i].bytes);
        builder_property(builder_timeline(b), event, PROP_ALLOCATED, changes[i].allocated);
        builder_property(builder_timeline(b), event, PROP_PLACE, builder_intern(b, SPAN("gpu")));
    }
    builder_finish(b, &graph);
    host_tree_make(&graph, false, &tree);
    summary_memory(&tree, &arena, &memory);
    cr_assert_eq(memory.count, 1);
    cr_expect_eq(memory.rows[0].allocations, 2);
    cr_expect_eq(memory.rows[0].allocated, 150);
    cr_expect_eq(memory.rows[0].freed, 30);
    cr_expect_eq(memory.places[0].peak_allocated, 150);
    summary_memory_curve(&tree, true, &arena, &curve);
    cr_assert_eq(curve.count, 1);
    cr_expect_eq(curve.rows[0].time, 15);
    host_tree_free(&tree);
    arena_free(&arena);
    graph_free(&graph);
}

Test(summary, flops_follow_paddles_formulas)
{
    static const struct {
        const char *name, *shapes;
        int64_t flops;
    } cases[] = {
        {"matmul_v2", "{\"X\":[[32,2048]],\"Y\":[[2048,1000]]}", 131072000},
        {"relu dygraph", "{\"X\":[[32,64,56,56]]}", 6422528},
        {"elementwise_add", "{\"X\":[[4,1,3]],\"Y\":[[5,1]]}", 60},
        {"pool", "{\"x\":[[2,3]]}", 6},
        {"bmm", "{\"X\":[[2,3,4]],\"Y\":[[2,4,5]]}", 0},
        {"conv2d", "{\"X\":[[1]]}", 0},
        {"relu", "{}", 0},
        {"relu", "{\"X\":[[", 0},
    };
    struct arena arena = {0};

    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct operator_inputs shapes;

        cr_assert(operator_inputs_read(PROP_SHAPES, span_of(cases[i].shapes), &arena, &shapes));
        cr_expect_eq(summary_paddle_flops(operator_class(span_of(cases[i].name)), &shapes),
                     cases[i].flops, "%s", cases[i].name);
    }
    arena_free(&arena);
}

Test(summary, names_are_cut_as_paddle_cuts_them)
{
    struct paddle_page page;
    struct arena arena = {0};

    paddle_page_begin(&page, &arena, TIME_UNIT_US);
    cr_expect_str_eq(paddle_name(&page, SPAN("abcdefgh"), 8), "abcdefgh");
    cr_expect_str_eq(paddle_name(&page, SPAN("abcdefghi"), 8), "abcde...");
    cr_expect_str_eq(paddle_name(&page, SPAN("a\033b"), 0), "a\\x1bb");
    cr_expect_str_eq(paddle_time(&page, 1234), "1.23");
    cr_expect_eq(paddle_length("\u00e4\u00f6"), 2);
    cr_expect_str_empty(paddle_page_end(&page));
    arena_free(&arena);
}
