/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/execution/idle_gaps.h"
#include "tests/unit/executed.h"

/* Who owns a device's idle time; in microseconds. */

static struct gaps gaps_of(struct run *run)
{
    struct devices_work devices;
    struct gaps gaps, largest;

    device_work_collect(&run->graph, &run->arena, &devices);
    gaps_find(&run->execution, &devices, 0, NULL, &run->arena, &gaps);
    for (uint32_t limit = 1; limit <= gaps.count + 1; limit++) { /* alone they are the same */
        gaps_find_largest(&run->execution, &devices, limit, &run->arena, &largest);
        cr_assert_eq(largest.count, limit < gaps.count ? limit : gaps.count);
        cr_expect_arr_eq(largest.largest, gaps.largest, largest.count * sizeof(struct gap));
    }
    return gaps;
}

static void expect_owner(const struct run *run, const struct idle_owner *owner, const char *name,
                         enum gap_cause cause, int64_t time)
{
    cr_expect(span_eq(graph_text(&run->graph, graph_frame(&run->graph, owner->frame)->name),
                      span_of(name)),
              "%s", name);
    cr_expect_eq(owner->cause, cause, "%s", name);
    cr_expect_eq(owner->time, 1000 * time, "%s", name);
}

/* Not the kernel after the gap, but what the host did meanwhile; and each nanosecond for itself. */
Test(idle_gaps, a_gap_belongs_to_the_function_that_the_host_was_in)
{
    struct run run;
    struct gaps gaps;

    begin(&run);
    submit(&run, "cudaLaunchKernel", 0, 10, run.stream, "gemm", 15, 100);
    add(&run, run.main, "normalize", KIND_PYTHON, 10, 1000);
    submit(&run, "cudaLaunchKernel", 1000, 1010, run.stream, "gemm", 1015, 1100);
    finish(&run);
    gaps = gaps_of(&run);
    cr_assert_eq(gaps.owner_count, 3);
    expect_owner(&run, &gaps.owners[0], "normalize", GAP_HOST_LATE, 900);
    expect_owner(&run, &gaps.owners[1], "cudaLaunchKernel", GAP_HOST_LATE, 10);
    expect_owner(&run, &gaps.owners[2], "cudaLaunchKernel", GAP_LAUNCH_QUEUE, 5);
    cr_expect_eq(gaps.largest[0].owner, gaps.owners[0].frame);
    end(&run);
}

/* The first launch of a kernel loads its code, and the kernel ends before the call returns: that is no wait
 * for the kernel, but the call's own time, though another kernel ended meanwhile. */
Test(idle_gaps, a_launch_that_loads_code_does_not_wait_for_its_kernel)
{
    struct run run;
    struct gaps gaps;

    begin(&run);
    submit(&run, "cudaLaunchKernel", 0, 10, run.stream, "gemm", 15, 100);
    submit(&run, "cudaLaunchKernel", 50, 2000, run.stream, "add", 1990, 1992);
    finish(&run);
    gaps = gaps_of(&run);
    expect_owner(&run, &gaps.owners[0], "cudaLaunchKernel", GAP_HOST_LATE, 1890);
    cr_expect_eq(gaps.owners[0].class, IDLE_OF_SETUP);
    cr_expect_eq(on_path(&run, PATH_HOST), 10 + 1940);
    end(&run);
}

/* Making a thread takes longer than waking one. */
Test(idle_gaps, a_thread_begins_because_of_the_one_that_stopped_then)
{
    struct run run;

    begin(&run);
    submit(&run, "cudaLaunchKernel", 0, 10, run.stream, "gemm", 15, 20);
    add(&run, run.main, "forward", KIND_OPERATOR, 10, 1000);
    add(&run, run.other, "backward", KIND_OPERATOR, 1400, 3000);
    finish(&run);
    cr_expect_eq(on_path(&run, PATH_HAND_OVER), 400);
    cr_expect_eq(on_path(&run, PATH_IDLE), 0);
    cr_expect_eq(without(&run, "forward", INFINITY), 2010);
    end(&run);
}

/* The device had nothing to do that is on record: such a call does not launch, whatever it waits for. */
Test(idle_gaps, a_long_wait_for_nothing_recorded_is_not_launching)
{
    struct run run;
    struct gaps gaps;

    begin(&run);
    submit(&run, "cudaLaunchKernel", 0, 10, run.stream, "gemm", 15, 100);
    add(&run, run.main, "cudaDeviceSynchronize", KIND_RUNTIME, 150, 1000);
    submit(&run, "cudaLaunchKernel", 1000, 1010, run.stream, "gemm", 1015, 1100);
    finish(&run);
    gaps = gaps_of(&run);
    cr_expect_eq(gaps.by_class[IDLE_OF_UNKNOWN], 1000 * 850);
    expect_owner(&run, &gaps.owners[0], "cudaDeviceSynchronize", GAP_HOST_LATE, 850);
    end(&run);
}

/* Its worker decodes while the main thread still does something else: all of that is the loader's. */
Test(idle_gaps, a_thread_that_the_data_loader_waits_for_is_the_loaders)
{
    struct run run;
    struct gaps gaps;

    begin(&run);
    submit(&run, "cudaLaunchKernel", 0, 10, run.stream, "gemm", 15, 100);
    add(&run, run.main, "metrics", KIND_PYTHON, 10, 600);
    add(&run, run.main, "enumerate(DataLoader)#_It.__next__", KIND_ANNOTATION, 600, 1020);
    add(&run, run.main, "<method 'acquire' of '_thread.lock' objects>", KIND_PYTHON, 600, 1020);
    submit(&run, "cudaLaunchKernel", 1020, 1030, run.stream, "gemm", 1035, 1100);
    add(&run, run.other, "worker", KIND_PYTHON, 0, 2000);
    add(&run, run.other, "decode", KIND_PYTHON, 0, 1000);
    add(&run, run.other, "<method 'acquire' of '_thread.lock' objects>", KIND_PYTHON, 1000, 2000);
    finish(&run);
    gaps = gaps_of(&run);
    expect_owner(&run, &gaps.owners[0], "decode", GAP_HOST_LATE, 900);
    cr_expect_eq(gaps.owners[0].class, IDLE_OF_INPUT);
    cr_expect_eq(gaps.by_class[IDLE_OF_INPUT], 1000 * 920);
    cr_expect_eq(gaps.by_class[IDLE_OF_HOST], 0);
    end(&run);
}

/* The launch had returned long before: the gap is another device's, whose work it waited for. */
Test(idle_gaps, a_gap_before_work_that_waited_is_a_dependency)
{
    struct run run;
    struct gaps gaps;
    uint32_t peer;

    begin(&run);
    peer = stream_of(run.builder, 1, 9);
    submit(&run, "cudaLaunchKernel", 0, 10, run.stream, "gemm", 15, 100);
    submit(&run, "cudaLaunchKernel", 10, 20, peer, "reduce", 25, 460000);
    submit(&run, "cudaLaunchKernel", 20, 30, run.second, "wait", 459990, 460005);
    builder_property(builder_timeline(run.builder),
                     add(&run, run.stream, "event_wait", KIND_SYNC, 100, 460005), PROP_WAIT_STREAM,
                     8);
    submit(&run, "cudaLaunchKernel", 30, 40, run.stream, "gemm", 460008, 460100);
    finish(&run);
    gaps = gaps_of(&run);
    cr_expect_eq(gaps.by_cause[GAP_HOST_LATE].time, 0);
    cr_expect_eq(gaps.by_cause[GAP_DEPENDENCY].time, 3000);
    end(&run);
}

/* Of several devices each gap is told in full, though threads ran the same meanwhile. */
Test(idle_gaps, devices_may_wait_for_one_function)
{
    struct run run;
    struct gaps gaps;
    uint32_t peer;

    begin(&run);
    peer = stream_of(run.builder, 1, 9);
    submit(&run, "cudaLaunchKernel", 0, 10, run.stream, "gemm", 15, 100);
    submit(&run, "cudaLaunchKernel", 10, 20, peer, "gemm", 25, 200);
    add(&run, run.main, "decode", KIND_PYTHON, 20, 1000);
    submit(&run, "cudaLaunchKernel", 1000, 1010, run.stream, "gemm", 1015, 1100);
    submit(&run, "cudaLaunchKernel", 1010, 1020, peer, "gemm", 1025, 1100);
    finish(&run);
    gaps = gaps_of(&run);
    expect_owner(&run, &gaps.owners[0], "decode", GAP_HOST_LATE, 900 + 800);
    end(&run);
}
