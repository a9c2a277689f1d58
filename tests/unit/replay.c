/* SPDX-License-Identifier: Apache-2.0 */
#include <inttypes.h>
#include <math.h>

#include "tests/unit/replayed.h"

/* The replay by hand, where the answer is plain. */

/* In microseconds, for what takes times that threads and devices do. */
static uint32_t event_us(struct builder *builder, uint32_t track, int64_t start, int64_t length,
                         frame_id frame)
{
    return builder_event(builder_timeline(builder), track, 1000 * start, 1000 * length, frame);
}

static int64_t what_if_us(const struct graph *graph, const char *name, double factor)
{
    return what_if(graph, name, factor) / 1000;
}

/* A thread launches two kernels and waits for the second; then it works on. */
Test(replay, a_faster_kernel_ends_the_wait_sooner)
{
    struct builder *builder = begin();
    uint32_t thread = thread_of(builder, 1), stream = stream_of(builder, 0, 7);
    frame_id launch = named(builder, "cudaLaunchKernel", KIND_RUNTIME);
    struct graph graph;

    builder_launches(builder_timeline(builder), event_us(builder, thread, 0, 10, launch), 1);
    builder_launches(builder_timeline(builder), event_us(builder, thread, 10, 10, launch), 2);
    event_us(builder, thread, 20, 305, named(builder, "cudaDeviceSynchronize", KIND_RUNTIME));
    event_us(builder, thread, 325, 75, named(builder, "step", KIND_PYTHON));
    builder_launched(builder_timeline(builder),
                     event_us(builder, stream, 15, 100, named(builder, "a", KIND_KERNEL)), 1);
    builder_launched(builder_timeline(builder),
                     event_us(builder, stream, 120, 200, named(builder, "b", KIND_KERNEL)), 2);
    builder_finish(builder, &graph);

    cr_expect_eq(what_if_us(&graph, "b", 2), 300); /* all of what b gains */
    cr_expect_eq(what_if_us(&graph, "a", 2), 350);
    cr_expect_eq(what_if_us(&graph, "a", INFINITY), 305); /* b's launch takes 5 as well, */
    cr_expect_eq(what_if_us(&graph, "step", INFINITY), 325);
    cr_expect_eq(what_if_us(&graph, "cudaDeviceSynchronize", INFINITY), 400); /* it only waits */
    /* The launch of the first kernel takes no time: it starts 5 later than the call's end. */
    cr_expect_eq(what_if_us(&graph, "cudaLaunchKernel", INFINITY), 390);
    cr_expect_eq(what_if_us(&graph, "a", .5), 500);
    graph_free(&graph);
}

/* A call from 0 to 15 that launches a kernel, which begins at `start`. */
static void expect_parts(int64_t start, int64_t host, int64_t delay)
{
    struct builder *builder = begin();
    struct arena arena = {0};
    struct graph graph;
    struct execution execution;
    struct critical_path path;

    builder_launches(builder_timeline(builder),
                     builder_event(builder_timeline(builder), thread_of(builder, 1), 0, 15,
                                   named(builder, "cudaLaunchKernel", KIND_RUNTIME)),
                     1);
    builder_launched(builder_timeline(builder),
                     builder_event(builder_timeline(builder), stream_of(builder, 0, 7), start, 50,
                                   named(builder, "kernel", KIND_KERNEL)),
                     1);
    builder_finish(builder, &graph);
    execution_build(&graph, &execution);
    critical_path_compute(&execution, &arena, &path);
    cr_expect_eq(path.time[PATH_HOST], host);
    cr_expect_eq(path.time[PATH_LAUNCH], delay);
    cr_expect_eq(path.time[PATH_COMPUTE], 50);
    execution_free(&execution);
    arena_free(&arena);
    graph_free(&graph);
}

Test(replay, a_launch_delay_begins_when_the_call_returns)
{
    expect_parts(10, 10, 0);
    expect_parts(15, 15, 0);
    expect_parts(35, 15, 20);
}

/* What a stream waits for, and what only runs beside it. */
Test(replay, hidden_work_gives_nothing_until_it_is_alone)
{
    struct builder *builder = begin();
    uint32_t compute = stream_of(builder, 0, 7), other = stream_of(builder, 0, 20);
    struct graph graph;

    timed(builder, compute, 0, 1000, "gemm", KIND_KERNEL);
    timed(builder, other, 0, 600, "reduce", KIND_COMMUNICATION);
    builder_finish(builder, &graph);
    cr_expect_eq(what_if(&graph, "reduce", INFINITY), 1000);
    cr_expect_eq(what_if(&graph, "gemm", 2), 600);
    cr_expect_eq(what_if(&graph, "gemm", 1.25), 800);
    graph_free(&graph);
}

/* And the call that launches it, on a thread of its own. */
static void add_kernel(struct builder *builder, uint32_t stream, const char *name, int64_t number,
                       int64_t start, int64_t end)
{
    uint32_t thread = thread_of(builder, 1);

    builder_launches(builder_timeline(builder),
                     timed(builder, thread, 10 * number, 10, "cudaLaunchKernel", KIND_RUNTIME),
                     number);
    builder_launched(builder_timeline(builder),
                     timed(builder, stream, start, end - start, name, KIND_KERNEL), number);
}

/* Lanes are one stream: what overlaps another on it still comes before what follows. */
Test(replay, work_comes_after_all_lanes_of_its_stream)
{
    struct builder *builder = begin();
    uint32_t stream = stream_of(builder, 0, 7);
    struct graph graph;

    add_kernel(builder, stream, "short", 1, 100, 200000);
    add_kernel(builder, stream, "long", 2, 150, 400000);
    add_kernel(builder, stream, "last", 3, 440000, 500000);
    builder_finish(builder, &graph);
    cr_expect_eq(what_if(&graph, "long", 2), 500000 - 199925 - 10);
    graph_free(&graph);
}

/* Work of another device that ended in between holds nothing up here. */
Test(replay, guesses_on_the_device_itself)
{
    struct builder *builder = begin();
    uint32_t stream = stream_of(builder, 0, 7), second = stream_of(builder, 0, 8);
    uint32_t elsewhere = stream_of(builder, 1, 7);
    struct graph graph;

    add_kernel(builder, second, "long", 1, 100, 400100);
    add_kernel(builder, elsewhere, "other", 2, 200, 400101);
    add_kernel(builder, stream, "last", 3, 400102, 700102);
    builder_finish(builder, &graph);
    cr_expect_eq(what_if(&graph, "long", 2), 500102 - 10);
    graph_free(&graph);
}

/* No file row says so, but what began right after another stream's work waited for it. */
Test(replay, a_wait_that_the_file_lacks_is_guessed)
{
    struct builder *builder = begin();
    uint32_t compute = stream_of(builder, 0, 7), other = stream_of(builder, 0, 20);
    frame_id kernel = named(builder, "gemm", KIND_KERNEL);
    struct graph graph;

    builder_event(builder_timeline(builder), compute, 0, 100000, kernel);
    timed(builder, other, 0, 600000, "reduce", KIND_COMMUNICATION);
    builder_event(builder_timeline(builder), compute, 605000, 100000, kernel);
    builder_finish(builder, &graph);
    cr_expect_eq(what_if(&graph, "reduce", 2), 405000);
    cr_expect_eq(what_if(&graph, "reduce", INFINITY), 200000);
    graph_free(&graph);
}

Test(replay, a_thread_without_work_follows_the_one_that_went_idle)
{
    struct builder *builder = begin();
    uint32_t forward = thread_of(builder, 1), backward = thread_of(builder, 2);
    struct graph graph;

    event_us(builder, forward, 0, 500, named(builder, "forward", KIND_OPERATOR));
    event_us(builder, backward, 510, 300, named(builder, "backward", KIND_OPERATOR));
    event_us(builder, forward, 820, 100, named(builder, "optimizer", KIND_OPERATOR));
    builder_finish(builder, &graph);
    cr_expect_eq(what_if_us(&graph, "forward", 2), 670);
    cr_expect_eq(what_if_us(&graph, "backward", INFINITY), 620);
    graph_free(&graph);
}

/* As a training step does for its backward pass. */
Test(replay, a_range_waits_for_the_operators_of_another_thread)
{
    struct builder *builder = begin();
    uint32_t main_thread = thread_of(builder, 1), other = thread_of(builder, 2);
    struct graph graph;

    event_us(builder, main_thread, 0, 1000, named(builder, "step", KIND_ANNOTATION));
    event_us(builder, main_thread, 0, 300, named(builder, "forward", KIND_OPERATOR));
    event_us(builder, other, 310, 200, named(builder, "backward", KIND_OPERATOR));
    event_us(builder, other, 520, 180, named(builder, "backward", KIND_OPERATOR));
    event_us(builder, main_thread, 720, 280, named(builder, "optimizer", KIND_OPERATOR));
    builder_finish(builder, &graph);
    cr_expect_eq(what_if_us(&graph, "forward", 2), 850);
    cr_expect_eq(what_if_us(&graph, "backward", 2), 810);
    cr_expect_eq(what_if_us(&graph, "optimizer", INFINITY), 720);
    cr_expect_eq(what_if_us(&graph, "step", INFINITY), 200 + 10 + 180, "its operators as well");
    graph_free(&graph);
}

/* It had stopped because the step went on. */
Test(replay, a_thread_that_worked_for_another_one_makes_none_when_it_stops)
{
    struct builder *builder = begin();
    uint32_t main_thread = thread_of(builder, 1), other = thread_of(builder, 2);
    struct graph graph;

    event_us(builder, main_thread, 0, 1000, named(builder, "step", KIND_ANNOTATION));
    event_us(builder, main_thread, 0, 300, named(builder, "forward", KIND_OPERATOR));
    event_us(builder, other, 310, 390, named(builder, "backward", KIND_OPERATOR));
    event_us(builder, main_thread, 720, 280, named(builder, "optimizer", KIND_OPERATOR));
    event_us(builder, thread_of(builder, 3), 900, 800, named(builder, "save", KIND_PYTHON));
    builder_finish(builder, &graph);
    cr_expect_eq(what_if_us(&graph, "backward", INFINITY), 1700);
    graph_free(&graph);
}

Test(replay, a_python_function_waits_for_the_operators_inside_of_it)
{
    struct builder *builder = begin();
    uint32_t main_thread = thread_of(builder, 1), other = thread_of(builder, 2);
    struct graph graph;

    event_us(builder, main_thread, 0, 400, named(builder, "run_backward", KIND_PYTHON));
    event_us(builder, other, 100, 200, named(builder, "backward", KIND_OPERATOR));
    event_us(builder, main_thread, 400, 100, named(builder, "compute", KIND_PYTHON));
    event_us(builder, other, 450, 20, named(builder, "late", KIND_OPERATOR));
    event_us(builder, other, 480, 200, named(builder, "late", KIND_OPERATOR));
    event_us(builder, main_thread, 500, 300, named(builder, "optimizer", KIND_OPERATOR));
    builder_finish(builder, &graph);
    cr_expect_eq(what_if_us(&graph, "backward", 2), 700);
    cr_expect_eq(what_if_us(&graph, "late", INFINITY), 800);
    graph_free(&graph);
}

/* How long a run takes if a worker takes twice as long, while a third thread is in "crop" around one of three pieces
 * of its work, and for less time than the main one; of `kind`. */
static int64_t with_slow_worker(enum frame_kind kind)
{
    struct builder *builder = begin();
    uint32_t main_thread = thread_of(builder, 1), other = thread_of(builder, 2);
    uint32_t third = thread_of(builder, 3);
    struct graph graph;
    int64_t time;

    for (int i = 0; i < 3; i++) {
        int64_t at = 1000 * i;

        event_us(builder, main_thread, at, 400, named(builder, "run_backward", KIND_PYTHON));
        event_us(builder, other, at + 100, 200, named(builder, "backward", KIND_OPERATOR));
        event_us(builder, main_thread, at + 400, 600, named(builder, "compute", KIND_PYTHON));
        event_us(builder, third, i == 1 ? 1050 : at + 450, 260, named(builder, "crop", kind));
    }
    builder_finish(builder, &graph);
    time = what_if_us(&graph, "backward", 0.5);
    graph_free(&graph);
    return time;
}

/* A function most of whose calls have no such work in them has it by chance. A range may be there to wait for it. */
Test(replay, a_worker_works_for_the_function_whose_calls_it_always_works_in)
{
    cr_expect_eq(with_slow_worker(KIND_PYTHON), 3000 + 3 * 200);
    cr_expect_eq(with_slow_worker(KIND_ANNOTATION), 3000 + 2 * 200);
}

/* Of what it takes to wake the other thread nothing is recorded: a range that takes no time still takes that. */
Test(replay, a_bracket_has_room_for_the_hand_overs_that_a_range_hides)
{
    struct builder *builder = begin();
    uint32_t main_thread = thread_of(builder, 1), autograd = thread_of(builder, 2);
    struct graph graph;
    struct execution execution;
    struct scenario scenario;
    struct replay_bounds bounds;

    event_us(builder, main_thread, 0, 1000, named(builder, "loss.backward", KIND_ANNOTATION));
    event_us(builder, autograd, 400, 550, named(builder, "aten::mm", KIND_OPERATOR));
    builder_finish(builder, &graph);
    execution_build(&graph, &execution);
    scenario_begin(&scenario, &execution);
    scenario.factors[1] = (double)INFINITY;
    for (frame_id id = 1; id < graph.frames.count; id++)
        if (graph_frame(&graph, id)->kind == KIND_ANNOTATION)
            scenario.of_frame[id] = 1;
    replay_bound(&execution, &scenario.change, &bounds);
    cr_expect_eq(bounds.least, 550 * 1000, "%" PRId64, bounds.least);
    cr_expect_eq(bounds.most, (550 + 100 + 50) * 1000, "at most as long as the range was: %" PRId64,
                 bounds.most);
    scenario_free(&scenario);
    execution_free(&execution);
    graph_free(&graph);
}

/* Another thread was in a longer function meanwhile, which has nothing to do with it. */
Test(replay, a_helper_works_for_the_thread_in_the_shortest_function)
{
    struct builder *builder = begin();
    uint32_t loader = thread_of(builder, 1), main_thread = thread_of(builder, 2);
    uint32_t autograd = thread_of(builder, 3);
    struct graph graph;

    event_us(builder, loader, 0, 1000, named(builder, "decode", KIND_PYTHON));
    event_us(builder, main_thread, 100, 100, named(builder, "run_backward", KIND_PYTHON));
    event_us(builder, autograd, 110, 80, named(builder, "aten::mm", KIND_OPERATOR));
    builder_finish(builder, &graph);
    cr_expect_eq(what_if_us(&graph, "decode", 2), 500);
    graph_free(&graph);
}

/* It is there at once also when asked for sooner; a long wait ends by a clock of its own. */
Test(replay, a_lock_that_is_free_is_not_waited_for)
{
    for (int64_t asking = 7; asking < 1000; asking += 500) {
        struct builder *builder = begin();
        uint32_t thread = thread_of(builder, 1);
        struct graph graph;

        event_us(builder, thread, 0, 100, named(builder, "x", KIND_OPERATOR));
        event_us(builder, thread, 100, asking,
                 named(builder, "<method 'acquire' of '_thread.lock' objects>", KIND_PYTHON));
        event_us(builder, thread, 100 + asking, 200, named(builder, "y", KIND_OPERATOR));
        builder_finish(builder, &graph);
        cr_expect_eq(what_if_us(&graph, "x", INFINITY), asking < 30 ? 200 + asking : 300 + asking);
        graph_free(&graph);
    }
}

/* It does not wait for one that goes on after it. */
Test(replay, a_range_does_not_wait_for_what_outlasts_it)
{
    struct builder *builder = begin();
    uint32_t main_thread = thread_of(builder, 1), other = thread_of(builder, 2);
    struct graph graph;

    event_us(builder, main_thread, 0, 1000, named(builder, "step", KIND_ANNOTATION));
    event_us(builder, other, 500, 2000, named(builder, "backward", KIND_OPERATOR));
    event_us(builder, main_thread, 1000, 3000, named(builder, "evaluation", KIND_OPERATOR));
    builder_finish(builder, &graph);
    cr_expect_eq(what_if_us(&graph, "backward", INFINITY), 4000);
    graph_free(&graph);
}

Test(replay, an_event_takes_along_what_is_inside_it)
{
    struct builder *builder = begin();
    uint32_t thread = thread_of(builder, 1);
    struct graph graph;

    timed(builder, thread, 0, 100, "outer", KIND_PYTHON);
    timed(builder, thread, 20, 60, "inner", KIND_OPERATOR);
    timed(builder, thread, 100, 50, "after", KIND_PYTHON);
    builder_finish(builder, &graph);
    cr_expect_eq(what_if(&graph, "outer", 2), 100);
    cr_expect_eq(what_if(&graph, "inner", INFINITY), 90);
    graph_free(&graph);
}

/* Its Python does not say that it waits. */
Test(replay, a_watchdog_does_not_keep_the_run_from_ending)
{
    struct builder *builder = begin();
    uint32_t watchdog = thread_of(builder, 1), stream = stream_of(builder, 0, 7);
    struct graph graph;

    timed(builder, watchdog, 0, 1000, "monitor", KIND_PYTHON);
    timed(builder, watchdog, 0, 1000, "wait", KIND_PYTHON);
    timed(builder, stream, 0, 800, "gemm", KIND_KERNEL);
    builder_finish(builder, &graph);
    cr_expect_eq(what_if(&graph, "gemm", 2), 400);
    cr_expect_eq(what_if(&graph, "wait", 2), 800);
    graph_free(&graph);
}
