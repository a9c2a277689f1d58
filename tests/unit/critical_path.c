/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/execution/replay.h"
#include "tests/unit/hand_made.h"

/* Hand-made timelines, in microseconds, and what of them decided when they ended. */

struct run {
    struct builder *builder;
    struct graph graph;
    struct arena arena;
    struct execution execution;
    struct critical_path path;
    uint32_t main, other, stream, second, waits;
};

static void begin(struct run *run)
{
    *run = (struct run){.builder = begin_timeline(&(struct builder_options){
                            .launches = true, .properties = property_bit(PROP_WAIT_STREAM)})};
    run->main = thread_of(run->builder, 1);
    run->other = thread_of(run->builder, 2);
    run->stream = stream_of(run->builder, 0, 7);
    run->second = stream_of(run->builder, 0, 8);
    run->waits = stream_of(run->builder, 0, 8);
}

static uint32_t add(struct run *run, uint32_t track, const char *name, enum frame_kind kind,
                    int64_t start, int64_t end)
{
    return timed(run->builder, track, 1000 * start, 1000 * (end - start), name, kind);
}

static void launch(struct run *run, int64_t number, int64_t start, int64_t end, uint32_t stream,
                   int64_t work_start, int64_t work_end)
{
    builder_launches(builder_timeline(run->builder),
                     add(run, run->main, "launch", KIND_RUNTIME, start, end), number);
    builder_launched(builder_timeline(run->builder),
                     add(run, stream, "kernel", KIND_KERNEL, work_start, work_end), number);
}

/* Pieces follow each other without holes, and are the path's time of each part. */
static void check_pieces(struct run *run)
{
    struct path_pieces pieces, longest;
    struct critical_path path;
    int64_t time[PATH_PART_COUNT] = {0}, until = run->path.start, kept = 0;

    path_pieces_find(&run->execution, UINT64_MAX, &run->arena, &path, &pieces);
    for (size_t i = 0; i < pieces.count; i++) {
        cr_expect_eq(pieces.list[i].start, until);
        until = pieces.list[i].end;
        time[pieces.list[i].part] += pieces.list[i].end - pieces.list[i].start;
    }
    cr_expect_eq(until, run->path.end);
    cr_expect_arr_eq(time, run->path.time, sizeof(time));
    cr_expect_eq(pieces.rest, 0);
    path_pieces_find(&run->execution, 2, &run->arena, &path, &longest);
    cr_expect(longest.count <= 2);
    for (size_t i = 0; i < longest.count; i++)
        kept += longest.list[i].end - longest.list[i].start;
    cr_expect_eq(kept + longest.rest, run->path.end - run->path.start);
    free(longest.list);
    free(pieces.list);
}

static const int64_t *finish(struct run *run)
{
    builder_finish(run->builder, &run->graph);
    execution_build(&run->graph, &run->execution);
    critical_path_compute(&run->execution, &run->arena, &run->path);
    int64_t sum = 0;

    for (int i = 0; i < PATH_PART_COUNT; i++)
        sum += run->path.time[i];
    cr_expect_eq(sum, run->path.end - run->path.start);
    check_pieces(run);
    for (int i = 0; i < PATH_PART_COUNT; i++)
        run->path.time[i] /= 1000;
    for (uint32_t i = 0; i < run->path.row_count; i++)
        run->path.rows[i].time /= 1000;
    return run->path.time;
}

static void end(struct run *run)
{
    execution_free(&run->execution);
    arena_free(&run->arena);
    graph_free(&run->graph);
}

Test(critical_path, goes_through_launches_stream_order_and_waits)
{
    struct run run;
    const int64_t *time;

    begin(&run);
    add(&run, run.main, "op", KIND_OPERATOR, 0, 100);
    launch(&run, 1, 10, 20, run.stream, 25, 200);  /* 5 after its launch */
    launch(&run, 2, 30, 40, run.stream, 203, 300); /* had been queued */
    add(&run, run.main, "cudaDeviceSynchronize", KIND_RUNTIME, 100, 310);
    add(&run, run.main, "op", KIND_OPERATOR, 310, 400);
    time = finish(&run);
    cr_expect_eq(time[PATH_HOST], 20 + 90);
    cr_expect_eq(time[PATH_LAUNCH], 5);
    cr_expect_eq(time[PATH_COMPUTE], 175 + 97);
    cr_expect_eq(time[PATH_QUEUE], 3);
    cr_expect_eq(time[PATH_SYNC], 10);
    cr_expect_eq(run.path.missing, 0);
    end(&run);
}

Test(critical_path, goes_from_stream_to_stream)
{
    struct run run;
    const int64_t *time;

    begin(&run);
    launch(&run, 1, 0, 10, run.stream, 20, 500);
    builder_property(builder_timeline(run.builder), add(&run, run.waits, "wait", KIND_SYNC, 12, 13),
                     PROP_WAIT_STREAM, 7);
    launch(&run, 2, 15, 30, run.second, 505, 600);
    time = finish(&run);
    cr_expect_eq(time[PATH_COMPUTE], 480 + 95);
    cr_expect_eq(time[PATH_DEPENDENCY], 5);
    cr_expect_eq(time[PATH_LAUNCH], 10);
    cr_expect_eq(time[PATH_HOST], 10);
    end(&run);
}

Test(critical_path, changes_threads_where_one_is_in_nothing)
{
    struct run run;
    const int64_t *time;

    begin(&run);
    add(&run, run.main, "forward", KIND_OPERATOR, 0, 50);
    add(&run, run.other, "backward", KIND_OPERATOR, 50, 100);
    add(&run, run.main, "step", KIND_OPERATOR, 110, 120);
    time = finish(&run);
    cr_expect_eq(time[PATH_HOST], 110);
    cr_expect_eq(time[PATH_HAND_OVER], 10);
    end(&run);
}

Test(critical_path, goes_on_before_a_thread_began)
{
    struct run run;
    const int64_t *time;

    begin(&run);
    add(&run, run.main, "read", KIND_OPERATOR, 0, 50);
    add(&run, run.other, "write", KIND_OPERATOR, 70, 100);
    time = finish(&run);
    cr_expect_eq(time[PATH_HOST], 80);
    cr_expect_eq(time[PATH_HAND_OVER], 20);
    cr_expect_eq(run.path.missing, 0);
    end(&run);
}

Test(critical_path, of_nothing_is_nothing)
{
    struct run run;

    begin(&run);
    finish(&run);
    cr_expect_eq(run.path.end, 0);
    cr_expect_eq(run.path.row_count, 0);
    end(&run);
}

Test(critical_path, work_without_length_does_not_go_round)
{
    struct run run;

    begin(&run);
    for (int i = 0; i < 8; i++) {
        builder_property(builder_timeline(run.builder),
                         add(&run, run.waits, "wait", KIND_SYNC, 100, 100), PROP_WAIT_STREAM,
                         7 + i % 2);
        launch(&run, i, 100, 100, i % 2 ? run.stream : run.second, 100, 100);
    }
    finish(&run);
    cr_expect_eq(run.path.start, run.path.end);
    end(&run);
}

Test(critical_path, ranges_wait_for_operators_of_other_threads)
{
    struct run run;
    const int64_t *time;

    begin(&run);
    add(&run, run.main, "step", KIND_ANNOTATION, 0, 100);
    add(&run, run.main, "forward", KIND_OPERATOR, 0, 15);
    add(&run, run.other, "first backward", KIND_OPERATOR, 20, 50);
    add(&run, run.other, "second backward", KIND_OPERATOR, 60, 90);
    time = finish(&run);
    cr_expect_eq(time[PATH_HOST], 90);
    cr_expect_eq(time[PATH_IDLE], 10);
    cr_assert_eq(run.path.row_count, 4);
    for (uint32_t i = 0; i < 4; i++) {
        struct span name =
            graph_text(&run.graph, graph_frame(&run.graph, run.path.rows[i].frame)->name);

        cr_expect_eq(run.path.rows[i].time, span_eq(name, SPAN("step"))      ? 15
                                            : span_eq(name, SPAN("forward")) ? 15
                                                                             : 30);
    }
    end(&run);
}

/* A Python function may wait as well, but only for what runs wholly inside it. */
Test(critical_path, python_waits_for_operators_inside_of_it)
{
    struct run run;
    const int64_t *time;

    begin(&run);
    add(&run, run.main, "run_backward", KIND_PYTHON, 0, 100);
    add(&run, run.main, "compute", KIND_PYTHON, 100, 200);
    add(&run, run.other, "backward", KIND_OPERATOR, 20, 90);
    add(&run, run.other, "hook", KIND_PYTHON, 50, 60);
    add(&run, run.other, "other work", KIND_OPERATOR, 150, 250);
    add(&run, run.main, "step", KIND_OPERATOR, 200, 300);
    time = finish(&run);
    cr_expect_eq(time[PATH_HOST], 300);
    cr_assert_eq(run.path.row_count, 5, "not the work that goes on after the function");
    for (uint32_t i = 0; i < 5; i++) {
        struct span name =
            graph_text(&run.graph, graph_frame(&run.graph, run.path.rows[i].frame)->name);

        cr_expect_eq(run.path.rows[i].time, span_eq(name, SPAN("run_backward")) ? 30
                                            : span_eq(name, SPAN("backward"))   ? 60
                                            : span_eq(name, SPAN("hook"))       ? 10
                                                                                : 100);
    }
    end(&run);
}

/* Where no file says who waits for whom, work that begins right after another stream's has ended,
 * and long after all else, waited for that. */
Test(critical_path, takes_prompt_work_to_have_waited_for_another_stream)
{
    struct run run;
    const int64_t *time;

    begin(&run);
    launch(&run, 1, 0, 10, run.stream, 20, 1000);
    launch(&run, 2, 20, 30, run.second, 40, 100000);
    launch(&run, 3, 40, 50, run.stream, 100007, 100100); /* held up until the other was done */
    launch(&run, 4, 60, 70, run.stream, 200000, 200010); /* nothing else ended that lately */
    time = finish(&run);
    cr_expect_eq(run.path.guesses, 1);
    cr_expect_eq(time[PATH_QUEUE], 200000 - 100100);
    cr_expect_eq(time[PATH_DEPENDENCY], 7);
    cr_expect_eq(time[PATH_COMPUTE], 10 + 93 + 99960);
    end(&run);
}

Test(critical_path, waits_among_the_work_of_a_stream_are_none)
{
    struct run run;
    const int64_t *time;

    begin(&run);
    launch(&run, 1, 0, 10, run.stream, 20, 50);
    add(&run, run.stream, "event_wait", KIND_SYNC, 50, 90);
    launch(&run, 2, 10, 20, run.stream, 95, 120);
    add(&run, run.main, "synchronizeStream", KIND_RUNTIME, 20, 130);
    time = finish(&run);
    cr_expect_eq(time[PATH_COMPUTE], 30 + 25);
    cr_expect_eq(time[PATH_QUEUE], 45);
    cr_expect_eq(time[PATH_SYNC], 10);
    cr_expect_eq(time[PATH_HOST], 10);
    end(&run);
}

/* The lanes of a stream are one stream: what ran beside the work before it may have ended last. */
Test(critical_path, comes_after_what_ended_last_on_any_lane)
{
    struct run run;
    const int64_t *time;

    begin(&run);
    launch(&run, 1, 0, 10, run.stream, 100000, 200000);
    launch(&run, 2, 10, 20, run.stream, 150000, 300000); /* overlaps: it is in a lane of its own */
    launch(&run, 3, 20, 30, run.stream, 300005, 300100);
    time = finish(&run);
    cr_expect_eq(run.path.guesses, 0);
    cr_expect_eq(time[PATH_QUEUE], 5);
    cr_expect_eq(time[PATH_COMPUTE], 95 + 150000);
    end(&run);
}

/* A stream that was told to wait for two waits for the later one, and not for what those were given
 * afterwards. */
Test(critical_path, waits_for_all_streams_that_it_was_told_to)
{
    struct run run;
    const int64_t *time;
    uint32_t third;

    begin(&run);
    third = stream_of(run.builder, 0, 9);
    launch(&run, 1, 0, 10, run.stream, 20, 500);
    launch(&run, 2, 10, 20, third, 30, 300);
    builder_property(builder_timeline(run.builder), add(&run, run.waits, "wait", KIND_SYNC, 22, 23),
                     PROP_WAIT_STREAM, 7);
    builder_property(builder_timeline(run.builder), add(&run, run.waits, "wait", KIND_SYNC, 24, 25),
                     PROP_WAIT_STREAM, 9);
    launch(&run, 3, 30, 40, run.second, 510, 600);
    launch(&run, 4, 40, 50, run.stream, 501, 507); /* the wait was for what came before it */
    time = finish(&run);
    cr_expect_eq(time[PATH_DEPENDENCY], 10);
    cr_expect_eq(time[PATH_COMPUTE], 90 + 480);
    end(&run);
}

/* Work of another device that ended in between says nothing about this one's streams. */
Test(critical_path, guesses_on_the_device_itself)
{
    struct run run;
    const int64_t *time;
    uint32_t elsewhere;

    begin(&run);
    elsewhere = stream_of(run.builder, 1, 7);
    launch(&run, 1, 0, 10, run.second, 20, 100000);
    launch(&run, 2, 10, 20, elsewhere, 30, 100005);
    launch(&run, 3, 20, 30, run.stream, 100007, 100100);
    time = finish(&run);
    cr_expect_eq(run.path.guesses, 1);
    cr_expect_eq(time[PATH_DEPENDENCY], 7);
    end(&run);
}

Test(critical_path, waits_among_the_work_of_a_stream_say_for_whom)
{
    struct run run;
    const int64_t *time;

    begin(&run);
    launch(&run, 1, 0, 10, run.second, 20, 300);
    launch(&run, 2, 10, 20, run.stream, 25, 50);
    builder_property(builder_timeline(run.builder),
                     add(&run, run.stream, "event_wait", KIND_SYNC, 50, 310), PROP_WAIT_STREAM, 8);
    launch(&run, 3, 20, 30, run.stream, 312, 400);
    time = finish(&run);
    cr_expect_eq(time[PATH_COMPUTE], 280 + 88);
    cr_expect_eq(time[PATH_DEPENDENCY], 12);
    end(&run);
}
