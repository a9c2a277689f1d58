/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <stdlib.h>

#include "analysis/execution/idle_gaps.h"
#include "analysis/execution/replay.h"
#include "analysis/timeline/device_work.h"
#include "base/memory/memory.h"
#include "tests/unit/hand_made.h"

/* The replay: by hand where the answer is plain, and its laws on random timelines. */

static struct builder *begin(void)
{
    return begin_timeline(
        &(struct builder_options){.launches = true, .properties = execution_properties()});
}

/* What must hold of every replay. */
static void expect_laws(const struct execution *execution, const struct replay_change *change,
                        int64_t *length, int64_t *end, int64_t span)
{
    struct replay_bounds bounds;
    struct critical_path path;
    struct arena arena = {0};
    int64_t sum = 0;

    critical_path_find(execution, change, length, end, &arena, &path);
    for (int part = 0; part < PATH_PART_COUNT; part++)
        sum += path.time[part];
    cr_assert_eq(sum, span, "the path is as long as the run");
    replay_bound(execution, change, &bounds);
    cr_assert_geq(span, bounds.least - execution->count, "factor %g", change->factors[1]);
    cr_assert_leq(span, bounds.most + execution->count, "factor %g", change->factors[1]);
    arena_free(&arena);
}

/* The span when everything of one name gets faster; checks the laws by the way. */
static int64_t what_if(const struct graph *graph, const char *name, double factor)
{
    double factors[REPLAY_CHANGES_MAX + 1];
    struct arena arena = {0};
    uint8_t *change_of = arena_array(&arena, graph->frames.count, 1);
    const struct replay_change change = {.of_frame = change_of, .factors = factors};
    struct execution execution;
    int64_t *length, *end, span;

    for (int i = 0; i <= REPLAY_CHANGES_MAX; i++)
        factors[i] = 1;
    for (frame_id id = 0; id < graph->frames.count; id++)
        change_of[id] = span_eq(graph_text(graph, graph_frame(graph, id)->name), span_of(name));
    execution_build(graph, &execution);
    length = arena_array(&arena, execution.count, sizeof(*length));
    end = arena_array(&arena, execution.count, sizeof(*end));

    replay_lengths(&execution, &change, length);
    cr_assert_eq(replay_run(&execution, &change, length, end), execution.run_end,
                 "no change, no change");
    for (task_id task = 0; task < execution.count; task++) {
        cr_assert_eq(end[task], execution.end[task], "task %u", task);
        cr_assert_eq(length[task], task_length(&execution, task), "task %u", task);
    }
    expect_laws(&execution, &change, length, end, execution_span(&execution));

    factors[1] = factor;
    replay_lengths(&execution, &change, length);
    span = replay_run(&execution, &change, length, end) - execution.run_start;
    expect_laws(&execution, &change, length, end, span);
    execution_free(&execution);
    arena_free(&arena);
    return span;
}

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

/* ---- laws ---- */

static uint32_t dice(uint64_t *state, uint32_t sides)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(*state >> 33) % sides;
}

/* What random timelines are made of, in any order of tracks: `turn` says which comes first. */
struct invention {
    uint64_t state;
    uint32_t turn;  /* threads and streams are numbered, and come, from this one on */
    bool is_ragged; /* no two times are the same */
};

static uint32_t turned(const struct invention *made, uint32_t i, uint32_t count)
{
    return (i + made->turn) % count;
}

static int64_t moment(struct invention *made, int64_t time, uint32_t i)
{
    return made->is_ragged ? 64 * time + i : time;
}

static enum frame_kind device_kind(struct invention *made)
{
    static const enum frame_kind kinds[] = {KIND_KERNEL, KIND_KERNEL, KIND_MEMCPY,
                                            KIND_COMMUNICATION};

    return kinds[dice(&made->state, 4)];
}

/* Threads that launch, wait and nest, in units far above what rounding does; streams with overlaps,
 * gaps and work of no length; times that coincide often; two steps. */
static void invent(struct graph *graph, struct invention *made)
{
    static const char *const names[] = {"x", "y", "cudaDeviceSynchronize", "cudaLaunchKernel"};
    struct builder *builder = begin();
    uint64_t *state = &made->state;
    uint32_t threads = 1 + dice(state, 3), streams = dice(state, 4), number = 1;
    uint32_t tracks[8];

    for (uint32_t i = 0; i < threads; i++)
        tracks[turned(made, i, threads)] = thread_of(builder, i + 1);
    for (uint32_t i = 0; i < streams; i++)
        tracks[threads + turned(made, i, streams)] = stream_of(builder, 0, 7 + i);
    for (uint32_t i = 0; i < 24; i++) {
        uint32_t name = dice(state, 4), thread = dice(state, threads), event;
        int64_t start = 1000 * dice(state, 60), length = 1000 * dice(state, 20), lag, device;

        event = builder_event(builder_timeline(builder), tracks[thread], moment(made, start, 2 * i),
                              moment(made, length, 0),
                              named(builder, names[name], name < 2 ? KIND_OPERATOR : KIND_RUNTIME));
        if (i < 2)
            builder_property(builder_timeline(builder), event, PROP_STEP, i);
        if (name != 3 || streams == 0)
            continue;
        builder_launches(builder_timeline(builder), event, number);
        device = tracks[threads + dice(state, streams)];
        lag = dice(state, 30);
        event =
            builder_event(builder_timeline(builder), (uint32_t)device,
                          moment(made, start + lag, 2 * i + 1), moment(made, dice(state, 12), 0),
                          named(builder, names[dice(state, 2)], device_kind(made)));
        builder_launched(builder_timeline(builder), event, number++);
    }
    builder_finish(builder, graph);
}

Test(replay, laws_hold_on_random_timelines)
{
    static const double factors[] = {1.5, 2, 10, INFINITY, .5};
    struct invention made = {.state = 7};
    uint32_t changed = 0;

    for (uint32_t trial = 0; trial < 4000; trial++) {
        struct graph graph;

        invent(&graph, &made);
        for (size_t i = 0; i < sizeof(factors) / sizeof(factors[0]); i++)
            changed += what_if(&graph, "x", factors[i]) != what_if(&graph, "none", 2);
        graph_free(&graph);
    }
    cr_expect(changed > 4000, "%u", changed);
}

/* The faster something is, the sooner the run ends. */
Test(replay, the_span_is_monotone_in_each_factor)
{
    static const double factors[] = {.5, 1, 1.5, 2, 10, INFINITY};
    static const char *const names[] = {"x", "y", "cudaLaunchKernel"};
    struct invention made = {.state = 11};

    for (uint32_t trial = 0; trial < 1000; trial++) {
        struct graph graph;

        invent(&graph, &made);
        for (size_t n = 0; n < sizeof(names) / sizeof(names[0]); n++)
            for (size_t i = 1; i < sizeof(factors) / sizeof(factors[0]); i++)
                cr_assert_leq(what_if(&graph, names[n], factors[i]),
                              what_if(&graph, names[n], factors[i - 1]) + 100,
                              "trial %u, %s, factor %g", trial, names[n], factors[i]);
        graph_free(&graph);
    }
}

/* Replays a scenario, whose laws must hold; returns what it saves. */
static int64_t gain_of(const struct execution *execution, const struct scenario *scenario)
{
    struct arena arena = {0};
    int64_t *length = arena_array(&arena, execution->count, sizeof(*length)), span;
    int64_t *end = arena_array(&arena, execution->count, sizeof(*end));
    struct replay_bounds bounds;

    replay_lengths(execution, &scenario->change, length);
    span = replay_run(execution, &scenario->change, length, end) - execution->run_start;
    replay_bound(execution, &scenario->change, &bounds);
    cr_assert_geq(span, bounds.least - execution->count);
    cr_assert_leq(span, bounds.most + execution->count);
    if (!scenario->change.least)
        expect_laws(execution, &scenario->change, length, end, span);
    arena_free(&arena);
    return execution_span(execution) - span;
}

Test(replay, laws_hold_whatever_trouble_is_taken_out)
{
    struct invention made = {.state = 13};
    int64_t gains[CURE_COUNT + 2] = {0};

    for (uint32_t trial = 0; trial < 2000; trial++) {
        struct execution execution;
        struct graph graph;

        invent(&graph, &made);
        execution_build(&graph, &execution);
        for (int cure = CURE_NONE; cure < CURE_COUNT + 2; cure++) {
            struct scenario scenario;
            bool *is_function = grow_zeroed(graph.frames.count, sizeof(*is_function));

            scenario_begin(&scenario, &execution);
            scenario.factors[1] = INFINITY;
            is_function[1] = true;
            if (cure < CURE_COUNT)
                scenario_apply(&scenario, (enum cure)cure, 1);
            else if (cure == CURE_COUNT)
                scenario_change_launching(&scenario, 1);
            else
                scenario_change_inside(&scenario, is_function, 1);
            gains[cure] += gain_of(&execution, &scenario);
            scenario_free(&scenario);
            free(is_function);
        }
        execution_free(&execution);
        graph_free(&graph);
    }
    cr_expect_eq(gains[CURE_NONE], 0);
    cr_expect_gt(gains[CURE_WAITS], 0);
    cr_expect_gt(gains[CURE_LAUNCHES], 0);
    cr_expect_gt(gains[CURE_COPIES], 0);
    cr_expect_geq(gains[CURE_COMMUNICATION], gains[CURE_HIDDEN_COMMUNICATION]);
    cr_expect_gt(gains[CURE_HIDDEN_COMMUNICATION], 0);
    cr_expect_gt(gains[CURE_UNEVEN_STEPS], 0);
    cr_expect_gt(gains[CURE_COUNT], 0);
    cr_expect_gt(gains[CURE_COUNT + 1], 0);
}

/* What no device's stream covers between its first and its last work; there is one device. */
static int64_t idle_of(const struct graph *graph, const struct device_work *work)
{
    const struct timeline *timeline = &graph->timeline;
    struct intervals busy = {0};
    int64_t last = timeline->start[work->events[0]], idle;

    for (uint32_t i = 0; i < work->count; i++) {
        int64_t end = event_end(timeline, work->events[i]);

        intervals_add(&busy, timeline->start[work->events[i]], end);
        last = end > last ? end : last;
    }
    intervals_unite(&busy);
    idle = last - timeline->start[work->events[0]] - intervals_length(&busy);
    intervals_free(&busy);
    return idle;
}

static void explain(const struct graph *graph, int64_t *by_cause)
{
    int64_t causes = 0, classes = 0, owners = 0, lengths = 0, idle = 0;
    struct devices_work devices;
    struct arena arena = {0};
    struct gaps gaps;

    device_work_collect(graph, &arena, &devices);
    gaps_of_graph(graph, NULL, &devices, 0, &arena, &gaps);
    for (uint32_t i = 0; i < devices.count; i++)
        idle += idle_of(graph, &devices.list[i]);
    for (int cause = 0; cause < GAP_CAUSE_COUNT; cause++)
        causes += by_cause[cause] = gaps.by_cause[cause].time;
    for (int class = 0; class < IDLE_CLASS_COUNT; class ++)
        classes += gaps.by_class[class];
    for (uint32_t i = 0; i < gaps.owner_count; i++)
        owners += gaps.owners[i].time;
    for (uint32_t i = 0; i < gaps.count; i++)
        lengths += gaps.largest[i].length;
    cr_assert_eq(causes, idle);
    cr_assert_eq(classes, idle);
    cr_assert_eq(owners, idle);
    cr_assert_eq(lengths, idle);
    arena_free(&arena);
}

/* Each nanosecond that a device idles has one cause, one class and one owner, and the same whichever
 * track comes first. */
Test(replay, idle_causes_add_up_to_idle_time)
{
    int64_t sums[GAP_CAUSE_COUNT] = {0};
    uint64_t seed = 19;

    for (uint32_t trial = 0; trial < 2000; trial++) {
        int64_t by_cause[3][GAP_CAUSE_COUNT];

        seed = seed * 6364136223846793005u + 1;
        for (uint32_t turn = 0; turn < 3; turn++) {
            struct invention made = {.state = seed, .turn = turn, .is_ragged = true};
            struct graph graph;

            invent(&graph, &made);
            explain(&graph, by_cause[turn]);
            graph_free(&graph);
        }
        for (int cause = 0; cause < GAP_CAUSE_COUNT; cause++) {
            cr_assert_eq(by_cause[0][cause], by_cause[1][cause], "trial %u", trial);
            cr_assert_eq(by_cause[0][cause], by_cause[2][cause], "trial %u", trial);
            sums[cause] += by_cause[0][cause];
        }
    }
    cr_expect_gt(sums[GAP_HOST_LATE], 0);
    cr_expect_gt(sums[GAP_SYNC], 0);
    cr_expect_gt(sums[GAP_LAUNCH_QUEUE], 0);
    cr_expect_gt(sums[GAP_UNKNOWN], 0);
}

/* The order of tracks, and their numbers, mean nothing. */
Test(replay, it_is_the_same_whichever_thread_and_stream_comes_first)
{
    uint64_t seed = 17;

    for (uint32_t trial = 0; trial < 2000; trial++) {
        int64_t spans[3];

        seed = seed * 6364136223846793005u + 1;
        for (uint32_t turn = 0; turn < 3; turn++) {
            struct invention made = {.state = seed, .turn = turn, .is_ragged = true};
            struct graph graph;

            invent(&graph, &made);
            spans[turn] = what_if(&graph, "x", 2);
            graph_free(&graph);
        }
        cr_assert_eq(spans[0], spans[1], "trial %u", trial);
        cr_assert_eq(spans[0], spans[2], "trial %u", trial);
    }
}
