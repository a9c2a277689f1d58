/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>

#include "analysis/execution/idle_gaps.h"
#include "analysis/execution/replay.h"
#include "tests/unit/hand_made.h"

/* Which calls blocked, who let a thread go on, and who owns a device's idle time; in
 * microseconds. */

struct run {
    struct builder *builder;
    uint32_t main, other, stream, second;
    int64_t launches;
    struct graph graph;
    struct execution execution;
    struct arena arena;
};

static void begin(struct run *run)
{
    *run = (struct run){.builder = begin_timeline(&(struct builder_options){
                            .launches = true, .properties = execution_properties()})};
    run->main = thread_of(run->builder, 1);
    run->other = thread_of(run->builder, 2);
    run->stream = stream_of(run->builder, 0, 7);
    run->second = stream_of(run->builder, 0, 8);
}

static uint32_t add(struct run *run, uint32_t track, const char *name, enum frame_kind kind,
                    int64_t start, int64_t end)
{
    return timed(run->builder, track, 1000 * start, 1000 * (end - start), name, kind);
}

/* A call and the work that it submits. */
static void submit(struct run *run, const char *call, int64_t start, int64_t end, uint32_t stream,
                   const char *work, int64_t work_start, int64_t work_end)
{
    enum frame_kind kind = strncmp(work, "copy", 4) == 0 ? KIND_MEMCPY : KIND_KERNEL;

    run->launches++;
    builder_launches(builder_timeline(run->builder),
                     add(run, run->main, call, KIND_RUNTIME, start, end), run->launches);
    builder_launched(builder_timeline(run->builder),
                     add(run, stream, work, kind, work_start, work_end), run->launches);
}

static void finish(struct run *run)
{
    builder_finish(run->builder, &run->graph);
    execution_build(&run->graph, &run->execution);
}

static void end(struct run *run)
{
    execution_free(&run->execution);
    arena_free(&run->arena);
    graph_free(&run->graph);
}

/* The span when everything of one name gets faster, which lies in its bracket. */
static int64_t without(struct run *run, const char *name, double factor)
{
    double factors[REPLAY_CHANGES_MAX + 1];
    uint8_t *change_of = arena_array(&run->arena, run->graph.frames.count, 1);
    const struct replay_change change = {.of_frame = change_of, .factors = factors};
    int64_t *length = arena_array(&run->arena, run->execution.count, sizeof(*length)), span;
    int64_t *ends = arena_array(&run->arena, run->execution.count, sizeof(*ends));
    struct replay_bounds bounds;

    for (int i = 0; i <= REPLAY_CHANGES_MAX; i++)
        factors[i] = i == 1 ? factor : 1;
    for (frame_id id = 0; id < run->graph.frames.count; id++)
        change_of[id] =
            span_eq(graph_text(&run->graph, graph_frame(&run->graph, id)->name), span_of(name));
    replay_lengths(&run->execution, &change, length);
    span = replay_run(&run->execution, &change, length, ends) - run->execution.run_start;
    replay_bound(&run->execution, &change, &bounds);
    cr_expect_geq(span, bounds.least);
    cr_expect_leq(span, bounds.most);
    return span / 1000;
}

static int64_t on_path(struct run *run, enum path_part part)
{
    struct critical_path path;

    critical_path_compute(&run->execution, &run->arena, &path);
    return path.time[part] / 1000;
}

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

/* ---- the interpreter's lock ---- */

/* Pieces of 10 us take 1 ms while the other thread is in Python, one after another: they wait for it. */
Test(execution, a_function_that_is_slow_beside_anothers_python_waits_for_that)
{
    enum { ALONE = 10, BESIDE = 4 };
    struct run run;
    int64_t at = 0;

    begin(&run);
    submit(&run, "cudaLaunchKernel", 0, 10, run.stream, "gemm", 15, 100);
    for (int i = 0; i < ALONE + BESIDE; i++) {
        int64_t length = i < ALONE ? 10 : 1000;

        add(&run, run.main, "aten::add", KIND_OPERATOR, at + 10, at + 20);
        add(&run, run.main, "block", KIND_PYTHON, at + 20, at + 20 + length);
        at += 20 + length;
    }
    add(&run, run.other, "dump", KIND_PYTHON, 20 * ALONE + 100, at);
    add(&run, run.main, "aten::add", KIND_OPERATOR, at, at + 100);
    finish(&run);
    cr_expect_eq(without(&run, "dump", INFINITY), at + 100 - BESIDE * 990);
    cr_expect_eq(without(&run, "block", 2),
                 at + 100 - ALONE * 5 - 5); /* the other begins sooner, too */
    end(&run);
}

/* A third thread is in Python all the time: it hides the second one no more than it has the lock. */
Test(execution, a_thread_that_always_runs_hides_no_wait_for_the_lock)
{
    enum { ALONE = 10, BESIDE = 4 };
    struct run run;
    int64_t at = 0;

    begin(&run);
    submit(&run, "cudaLaunchKernel", 0, 10, run.stream, "gemm", 15, 100);
    for (int i = 0; i < ALONE + BESIDE; i++) {
        int64_t length = i < ALONE ? 10 : 1000;

        add(&run, run.main, "aten::add", KIND_OPERATOR, at + 10, at + 20);
        add(&run, run.main, "block", KIND_PYTHON, at + 20, at + 20 + length);
        at += 20 + length;
    }
    add(&run, run.other, "dump", KIND_PYTHON, 20 * ALONE + 100, at);
    add(&run, run.main, "aten::add", KIND_OPERATOR, at, at + 100);
    add(&run, thread_of(run.builder, 3), "load", KIND_PYTHON, 0, at);
    finish(&run);
    cr_expect_eq(without(&run, "dump", INFINITY), at + 100 - BESIDE * 990);
    end(&run);
}

/* The other thread lets the lock go every 2,000 us, and the main one waits for that five times. Without `read` it
 * asks for the first time before the other one has the lock: then four releases are enough. */
Test(execution, who_comes_sooner_takes_an_earlier_release_of_the_lock)
{
    enum { ALONE = 10, BESIDE = 5, PERIOD = 2000 };
    struct run run;
    int64_t at = 0, read;

    begin(&run);
    submit(&run, "cudaLaunchKernel", 0, 10, run.stream, "gemm", 15, 100);
    for (int i = 0; i < ALONE; i++) {
        add(&run, run.main, "aten::mul", KIND_OPERATOR, at + 10, at + 20);
        add(&run, run.main, "block", KIND_PYTHON, at + 20, at + 30);
        at += 30;
    }
    read = at;
    add(&run, run.main, "read", KIND_OPERATOR, read, read + PERIOD);
    add(&run, run.other, "save", KIND_PYTHON, at + PERIOD / 2 - 10, at + (BESIDE + 1) * PERIOD);
    add(&run, run.other, "dump", KIND_PYTHON, at + PERIOD / 2, at + (BESIDE + 1) * PERIOD);
    at += PERIOD;
    for (int i = 0; i < BESIDE; i++) {
        add(&run, run.main, "aten::add", KIND_OPERATOR, at, at + 500);
        add(&run, run.main, "block", KIND_PYTHON, at + 500, at + PERIOD);
        at += PERIOD;
    }
    add(&run, run.main, "aten::add", KIND_OPERATOR, at, at + 2 * PERIOD);
    finish(&run);
    cr_expect_eq(without(&run, "dump", 1), at + 2 * PERIOD);
    cr_expect_eq(without(&run, "read", INFINITY), at + PERIOD);
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
    cr_expect_eq(on_path(&run, PATH_WAIT), 4000);
    cr_expect_eq(without(&run, "metrics", INFINITY), 6900);
    cr_expect_eq(without(&run, next, INFINITY), 2900);
    end(&run);
}

/* A batch takes 1900 us: the loop waits for the first alone, and for each of them once it is quicker. */
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
    cr_expect_eq(without(&run, "metrics", INFINITY), 10 + BATCHES * WAIT);
    cr_expect_eq(without(&run, next, INFINITY), 10 + BATCHES * STEP - (BATCHES - 1) * 10);
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

/* ---- idle time ---- */

static struct gaps gaps_of(struct run *run)
{
    struct devices_work devices;
    struct gaps gaps;

    device_work_collect(&run->graph, &run->arena, &devices);
    gaps_find(&run->execution, &devices, 0, NULL, &run->arena, &gaps);
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
Test(execution, a_gap_belongs_to_the_function_that_the_host_was_in)
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
Test(execution, a_launch_that_loads_code_does_not_wait_for_its_kernel)
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
Test(execution, a_thread_begins_because_of_the_one_that_stopped_then)
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
Test(execution, a_long_wait_for_nothing_recorded_is_not_launching)
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
Test(execution, a_thread_that_the_data_loader_waits_for_is_the_loaders)
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
Test(execution, a_gap_before_work_that_waited_is_a_dependency)
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
Test(execution, devices_may_wait_for_one_function)
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
