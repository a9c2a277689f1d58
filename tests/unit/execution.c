/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>

#include "tests/unit/executed.h"

/* Which calls blocked, and who let a thread go on; in microseconds. */

/* ---- lanes ---- */

/* An operator that overlaps the function that it is in, as rounded clocks make it, is in a lane of its own: it comes
 * sooner when the thread does. */
Test(execution, what_overlaps_its_thread_comes_sooner_with_it)
{
    struct run run;

    begin(&run);
    add(&run, run.main, "schedule", KIND_PYTHON, 0, 1000);
    add(&run, run.main, "execute", KIND_PYTHON, 1000, 1100);
    add(&run, run.main, "aten::argmax", KIND_OPERATOR, 1095, 1105);
    submit(&run, "cudaLaunchKernel", 1096, 1100, run.stream, "reduce", 1110, 1200);
    finish(&run);
    cr_expect_eq(without(&run, "schedule", INFINITY), 200);
    end(&run);
}

/* ---- kernels beside communication ---- */

/* Alone it takes 100 us, or 200 of another shape, and beside a collective 140: without that, 100. */
Test(execution, kernels_are_quicker_without_the_collective_beside_them)
{
    static const struct {
        int64_t start, end;
    } gemms[] = {{10, 110},  {110, 210}, {210, 410}, {410, 610},
                 {610, 750}, {750, 890}, {890, 1030}};
    struct run run;

    begin(&run);
    for (size_t i = 0; i < COUNT_OF(gemms); i++)
        add(&run, run.stream, "gemm", KIND_KERNEL, gemms[i].start, gemms[i].end);
    add(&run, run.stream, "softmax", KIND_KERNEL, 1030, 1080);
    add(&run, run.second, "all_reduce", KIND_COMMUNICATION, 600, 1050);
    finish(&run);
    cr_expect_eq(run.execution.slowdowns.count, 4);
    cr_expect_eq(run.execution.slowed.count,
                 1); /* the fourth, which is beside for 10 us, is as long as alone */
    cr_expect_eq(run.execution.slowed.list[0].count, 3);
    cr_expect_eq(run.execution.slowed.list[0].alone, 100000);
    cr_expect_eq(run.execution.slowed.list[0].more, 3 * 40000);
    cr_expect_eq(without(&run, "all_reduce", INFINITY), 950);
    cr_expect_eq(without(&run, "softmax", INFINITY), 1040);
    end(&run);
}

/* Another thread launches kernels of the same name, all of them beside the collective: a backward pass's are of other
 * shapes, and nothing is known of them alone. */
Test(execution, kernels_of_another_thread_are_not_compared)
{
    struct run run;

    begin(&run);
    for (int i = 0; i < 4; i++) {
        uint32_t call = add(&run, i < 2 ? run.main : run.other, "cudaLaunchKernel", KIND_RUNTIME,
                            10 * i, 10 * i + 5);
        int64_t start = i < 2 ? 100 + 100 * i : 300 + 140 * (i - 2), length = i < 2 ? 100 : 140;

        run.launches++;
        builder_launches(builder_timeline(run.builder), call, run.launches);
        builder_launched(builder_timeline(run.builder),
                         add(&run, run.stream, "gelu", KIND_KERNEL, start, start + length),
                         run.launches);
    }
    add(&run, run.second, "all_reduce", KIND_COMMUNICATION, 300, 600);
    finish(&run);
    cr_expect_eq(run.execution.slowdowns.count, 0);
    end(&run);
}

/* ---- calls that block ---- */

/* What the run takes without the trouble; us. */
static int64_t span_without(const struct run *run, enum remedy remedy)
{
    struct scenario scenario;
    int64_t *length = grow_to(NULL, run->execution.count, sizeof(*length));
    int64_t *at = grow_to(NULL, run->execution.count, sizeof(*at)), span;

    scenario_begin(&scenario, &run->execution);
    scenario.factors[1] = (double)INFINITY;
    scenario_apply(&scenario, remedy, 1);
    replay_lengths(&run->execution, &scenario.change, length);
    span = replay_run(&run->execution, &scenario.change, length, at) - run->execution.run_start;
    scenario_free(&scenario);
    free(length);
    free(at);
    return span / 1000;
}

/* It returns a little before its copy has ended, as those from pageable memory do. Without copies it takes no time. */
Test(execution, a_call_that_lasts_as_long_as_its_copy_goes_with_it)
{
    struct run run;

    begin(&run);
    submit(&run, "cudaMemcpyAsync", 0, 1000, run.stream, "copy", 5, 1003);
    submit(&run, "cudaLaunchKernel", 1000, 1010, run.stream, "gemm", 1015, 1515);
    finish(&run);
    cr_expect_eq(span_without(&run, REMEDY_COPIES), 515);
    end(&run);
}

/* The backward pass comes soon after the batch: it is waited for all the same when batches are there. */
Test(execution, a_wait_after_the_loader_is_none_in_it)
{
    struct run run;

    begin(&run);
    add(&run, run.main, "enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__",
        KIND_ANNOTATION, 0, 10);
    add(&run, run.main, "aten::mm", KIND_OPERATOR, 10, 50);
    add(&run, run.main, "loss.backward", KIND_ANNOTATION, 60, 500);
    add(&run, run.other, "MmBackward0", KIND_OPERATOR, 100, 450);
    add(&run, run.main, "aten::add", KIND_OPERATOR, 500, 520);
    finish(&run);
    cr_expect_eq(span_without(&run, REMEDY_INPUT), 510, "%d",
                 (int)span_without(&run, REMEDY_INPUT));
    end(&run);
}

/* The other thread makes two batches ahead, and then one whenever one is taken: all are there in time. Without what
 * came before, the first one has to be waited for. */
Test(execution, who_makes_batches_is_known_by_its_waits_for_the_next_to_be_taken)
{
    enum { BATCHES = 6, BEFORE = 5000, STEP = 5000, MAKING = 1000 };
    struct run run;
    int64_t at = BEFORE;

    begin(&run);
    submit(&run, "cudaLaunchKernel", 0, 10, run.stream, "gemm", 15, 100);
    add(&run, run.main, "warm_up", KIND_PYTHON, 10, BEFORE);
    add(&run, run.other, "get_item", KIND_PYTHON, 0, MAKING);
    add(&run, run.other, "get_item", KIND_PYTHON, MAKING, 2 * MAKING);
    for (int i = 0; i < BATCHES; i++) {
        int64_t made = i == 0 ? 2 * MAKING : at - STEP + 20 + MAKING;

        add(&run, run.main, "enumerate(DataLoader)#_MultiProcessingDataLoaderIter.__next__",
            KIND_ANNOTATION, at, at + 10);
        add(&run, run.main, "aten::mm", KIND_OPERATOR, at + 10, at + STEP);
        add(&run, run.other, "<method 'acquire' of '_thread.lock' objects>", KIND_PYTHON, made, at + 20);
        add(&run, run.other, "get_item", KIND_PYTHON, at + 20, at + 20 + MAKING);
        at += STEP;
    }
    finish(&run);
    cr_expect_eq(without(&run, "warm_up", INFINITY), at - BEFORE + MAKING - 10);
    end(&run);
}

/* The copy is short and the call long: it waited for the kernels before its copy. */
Test(execution, a_copy_waits_for_itself_however_short_it_is)
{
    struct run run;

    begin(&run);
    submit(&run, "cudaLaunchKernel", 0, 10, run.stream, "gemm", 15, 1015);
    submit(&run, "cudaMemcpyAsync", 10, 1040, run.stream, "copy", 1017, 1020);
    add(&run, run.main, "step", KIND_PYTHON, 1040, 1100);
    finish(&run);
    cr_expect_eq(on_path(&run, PATH_COMPUTE), 1000);
    cr_expect_eq(on_path(&run, PATH_SYNC), 20);
    cr_expect_leq(without(&run, "gemm", INFINITY), 130);
    end(&run);
}

/* One that returns at once is not, whatever else its function does. */
Test(execution, blocking_is_decided_call_by_call)
{
    struct run run;

    begin(&run);
    submit(&run, "cudaMemcpyAsync", 0, 1020, run.stream, "copy", 10, 1000);
    submit(&run, "cudaMemcpyAsync", 1020, 1030, run.stream, "copy", 1035, 2035);
    add(&run, run.main, "step", KIND_PYTHON, 1030, 3000);
    finish(&run);
    cr_expect_eq(on_path(&run, PATH_COPY), 990);
    cr_expect_eq(on_path(&run, PATH_HOST), 10 + 10 + 1970);
    end(&run);
}

Test(execution, freeing_memory_waits_for_the_device)
{
    struct run run;

    begin(&run);
    submit(&run, "cudaLaunchKernel", 0, 10, run.stream, "gemm", 15, 1015);
    add(&run, run.main, "cudaFree", KIND_RUNTIME, 10, 1150);
    finish(&run);
    cr_expect_eq(on_path(&run, PATH_COMPUTE), 1000);
    cr_expect_eq(without(&run, "gemm", 2), 650);
    end(&run);
}

/* Nothing but a launch takes long for want of room in the queue. */
Test(execution, a_launch_waits_for_room_in_a_full_queue)
{
    enum { COUNT = 400, LENGTH = 50 };
    struct run run;

    begin(&run);
    for (int64_t i = 0; i < COUNT; i++) /* the last one waits until the second begins */
        submit(&run, "cudaLaunchKernel", i < COUNT - 1 ? i : COUNT, i < COUNT - 1 ? i + 1 : 1012,
               run.stream, "gemm", 1000 + (i - (i > 0)) * LENGTH + (i > 0) * 10,
               1000 + i * LENGTH + (i == 0) * 10);
    add(&run, run.main, "step", KIND_PYTHON, 1012, 100000);
    finish(&run);
    cr_expect_eq(on_path(&run, PATH_SYNC), 2);
    end(&run);
}

/* ---- threads ---- */

/* 40 us between kernels is too long for an event, and no stream waits for another: but they never
 * overlap, although all are launched long before. */
Test(execution, kernels_of_a_device_that_runs_one_at_a_time_take_turns)
{
    struct run run;

    begin(&run);
    for (int i = 0; i < 40; i++)
        submit(&run, "launch", 10 * i, 10 * i + 5, i % 2 ? run.second : run.stream, "kernel",
               1000 + 140 * i, 1100 + 140 * i);
    finish(&run);
    cr_expect_eq(on_path(&run, PATH_COMPUTE), 40 * 100);
    end(&run);
}

Test(execution, a_lock_goes_from_thread_to_thread)
{
    struct run run;

    begin(&run);
    submit(&run, "cudaLaunchKernel", 0, 10, run.stream, "gemm", 15, 20);
    add(&run, run.main, "next", KIND_PYTHON, 10, 1020);
    add(&run, run.main, "<method 'acquire' of '_thread.lock' objects>", KIND_PYTHON, 10, 1020);
    add(&run, run.main, "step", KIND_PYTHON, 1020, 1100);
    add(&run, run.other, "worker", KIND_PYTHON, 0, 2000);
    add(&run, run.other, "decode", KIND_PYTHON, 0, 1000);
    add(&run, run.other, "<method 'acquire' of '_thread.lock' objects>", KIND_PYTHON, 1000, 2000);
    finish(&run);
    cr_expect_eq(execution_span(&run.execution), 1100 * 1000, "waiting to the end is nothing");
    cr_expect_eq(on_path(&run, PATH_HAND_OVER), 20);
    cr_expect_eq(without(&run, "decode", 2), 600);
    end(&run);
}

/* A worker process that is not recorded goes at its own pace. */
Test(execution, a_wait_for_nothing_recorded_ends_when_it_did)
{
    struct run run;

    begin(&run);
    add(&run, run.main, "step", KIND_OPERATOR, 0, 500);
    add(&run, run.main, "<method 'acquire' of '_thread.lock' objects>", KIND_PYTHON, 500, 1000);
    add(&run, run.main, "step", KIND_OPERATOR, 1000, 1200);
    finish(&run);
    cr_expect_eq(on_path(&run, PATH_WAIT), 500);
    cr_expect_eq(without(&run, "step", 2), 1100);
    cr_expect_eq(without(&run, "<method 'acquire' of '_thread.lock' objects>", INFINITY), 700);
    end(&run);
}

/* The other processes work on while this thread does: it has the batch no sooner, and waits longer.
 * The next was there 1.1 ms later, when it was asked for: so four processes make one a millisecond. */
Test(execution, a_batch_of_another_process_comes_when_it_does)
{
    static const char next[] = "enumerate(DataLoader)#_MultiProcessingDataLoaderIter.__next__";
    struct run run;

    begin(&run);
    submit(&run, "cudaLaunchKernel", 0, 10, run.stream, "gemm", 15, 100);
    add(&run, run.main, "metrics", KIND_OPERATOR, 10, 1000);
    add(&run, run.main, next, KIND_ANNOTATION, 1000, 5000);
    add(&run, run.main, "metrics", KIND_OPERATOR, 5000, 6000);
    add(&run, run.main, next, KIND_ANNOTATION, 6000, 6100);
    add(&run, run.main, "step", KIND_OPERATOR, 6100, 7000);
    finish(&run);
    /* if the second was waited for, it took 1100, as one a millisecond may: so those 100 are a wait, too */
    cr_expect_eq(on_path(&run, PATH_WAIT), 4100);
    cr_expect_eq(without(&run, "metrics", INFINITY), 7000);
    cr_expect_eq(without(&run, next, INFINITY), 2900);
    end(&run);
}

/* A batch takes 1910 us from the recording's beginning on: the loop waits for the first alone, and for each of them
 * once it is quicker. */
Test(execution, batches_that_were_in_time_are_waited_for_when_the_loop_is_quicker)
{
    static const char next[] = "enumerate(DataLoader)#_MultiProcessingDataLoaderIter.__next__";
    enum { WAIT = 1900, STEP = 2000, BATCHES = 5 };
    struct run run;

    begin(&run);
    submit(&run, "cudaLaunchKernel", 0, 10, run.stream, "gemm", 15, 100);
    for (int i = 0; i < BATCHES; i++) {
        int64_t at = i ? 10 + WAIT + i * STEP : 10, taken = i ? at + 10 : at + WAIT;

        add(&run, run.main, next, KIND_ANNOTATION, at, taken);
        add(&run, run.main, "metrics", KIND_OPERATOR, taken, 10 + WAIT + (i + 1) * STEP);
    }
    finish(&run);
    cr_expect_eq(without(&run, "metrics", 1), 10 + WAIT + BATCHES * STEP);
    cr_expect_eq(without(&run, "metrics", INFINITY), BATCHES * (10 + WAIT));
    cr_expect_eq(without(&run, next, INFINITY), 10 + BATCHES * STEP - (BATCHES - 1) * 10);
    end(&run);
}

/* The first batch was there before it was asked for, and may have been made before the recording; those that were waited
 * for come when they did, however early the loop begins. */
Test(execution, a_loop_that_begins_sooner_waits_for_its_second_batch)
{
    static const char next[] = "enumerate(DataLoader)#_MultiProcessingDataLoaderIter.__next__";
    enum { COST = 8000, WARM_UP = 12000, STEP = 1000 };
    int64_t free = WARM_UP;
    struct run run;

    begin(&run);
    add(&run, run.main, "warm_up", KIND_OPERATOR, 0, WARM_UP);
    for (int i = 0; i < 3; i++) {
        int64_t taken = i == 0 ? WARM_UP + 10 : (i + 1) * COST;

        add(&run, run.main, next, KIND_ANNOTATION, free, taken);
        submit(&run, "cudaLaunchKernel", taken, taken + 10, run.stream, "gemm", taken + 15, taken + 20);
        add(&run, run.main, "step", KIND_OPERATOR, taken + 10, taken + STEP);
        free = taken + STEP;
    }
    finish(&run);
    cr_expect_eq(without(&run, "warm_up", INFINITY), 3 * COST + STEP);
    end(&run);
}

/* The same of a thread that is recorded: each batch was made, though only the first was waited for. */
Test(execution, batches_of_a_recorded_thread_come_when_it_has_made_them)
{
    static const char next[] = "enumerate(DataLoader)#_MultiProcessingDataLoaderIter.__next__";
    enum { BATCHES = 4 };
    struct run run;

    begin(&run);
    submit(&run, "cudaLaunchKernel", 0, 10, run.stream, "gemm", 15, 100);
    for (int i = 0; i < BATCHES; i++) {
        int64_t at = i ? 2010 + i * 3000 : 10, taken = i ? at + 10 : 2010;

        add(&run, run.other, "load", KIND_OPERATOR, i * 2000, i * 2000 + 2000);
        add(&run, run.main, next, KIND_ANNOTATION, at, taken);
        add(&run, run.main, "metrics", KIND_OPERATOR, taken, 2010 + (i + 1) * 3000);
    }
    finish(&run);
    cr_expect_eq(without(&run, "metrics", INFINITY), BATCHES * 2000);
    cr_expect_eq(without(&run, "load", INFINITY), 10 + BATCHES * 3000);
    end(&run);
}

/* The queue is full all the time, and what goes into it begins after the part of the run that is
 * looked at: nothing but the kernels' pace lets the calls return. */
Test(execution, a_launch_waits_for_room_though_its_own_work_is_not_recorded)
{
    enum { KERNELS = 600, FIRST = 300 };
    struct run run;

    begin(&run);
    add(&run, run.main, "cudaLaunchKernel", KIND_RUNTIME, 0, 2);
    for (int i = 0; i < KERNELS; i++)
        add(&run, run.stream, "gemm", KIND_KERNEL, 20 * i, 20 * i + 19);
    for (int i = FIRST; i < KERNELS; i++)
        add(&run, run.main, "cudaLaunchKernel", KIND_RUNTIME, 20 * i - 18, 20 * i + 1);
    add(&run, run.main, "step", KIND_OPERATOR, 20 * KERNELS - 19, 20 * KERNELS + 100);
    finish(&run);
    cr_expect_leq(on_path(&run, PATH_HOST), 120);
    cr_expect_geq(on_path(&run, PATH_COMPUTE), 19 * (KERNELS - 1));
    end(&run);
}

/* ---- streams that wait for others, which the file does not name ---- */

/* As programs do that let one stream wait for another: an event is recorded where work was submitted
 * last, and waited for where work comes next. */
static void wait_by_calls(struct run *run, int64_t at)
{
    add(run, run->main, "cudaEventRecord", KIND_RUNTIME, at, at + 1);
    add(run, run->main, "cudaStreamWaitEvent", KIND_RUNTIME, at + 1, at + 2);
}

Test(execution, the_order_of_calls_says_which_stream_waits)
{
    struct run run;

    begin(&run);
    submit(&run, "cudaLaunchKernel", 0, 10, run.stream, "gemm", 15, 1000);
    wait_by_calls(&run, 10);
    add(&run, run.main, "log", KIND_OPERATOR, 12, 1990);
    submit(&run, "cudaLaunchKernel", 1990, 2000, run.second, "reduce", 2005, 3000);
    wait_by_calls(&run, 2000);
    submit(&run, "cudaLaunchKernel", 2002, 2010, run.stream, "step", 3040, 3100);
    finish(&run);
    cr_expect_eq(without(&run, "log", INFINITY), 1000 + 995 + 40 + 60, "reduce waits for gemm");
    cr_expect_eq(on_path(&run, PATH_DEPENDENCY), 40, "step waits for reduce");
    end(&run);
}

/* Two streams have events that nothing waited for: either may be meant. */
Test(execution, no_stream_waits_where_the_calls_may_mean_several)
{
    struct run run;
    uint32_t third;

    begin(&run);
    third = stream_of(run.builder, 0, 9);
    submit(&run, "cudaLaunchKernel", 0, 10, run.stream, "gemm", 15, 1000);
    add(&run, run.main, "cudaEventRecord", KIND_RUNTIME, 10, 11);
    submit(&run, "cudaLaunchKernel", 11, 20, run.second, "copy", 25, 900);
    wait_by_calls(&run, 20);
    add(&run, run.main, "log", KIND_OPERATOR, 22, 1990);
    submit(&run, "cudaLaunchKernel", 1990, 2000, third, "reduce", 2005, 3000);
    finish(&run);
    cr_expect_eq(without(&run, "log", INFINITY), 1032);
    end(&run);
}
