/* SPDX-License-Identifier: Apache-2.0 */
/* Who waited for the interpreter's lock, and who would after a change; in microseconds. */
#include <math.h>

#include "tests/unit/executed.h"

/* Pieces of 10 us take 1 ms while the other thread is in Python, one after another: they wait for it. */
Test(interpreter_lock, a_function_that_is_slow_beside_anothers_python_waits_for_that)
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

/* By how much the run gets shorter without the other thread's Python, if after `alone` pieces, which take 10 us each, `beside`
 * of them take that long beside it. */
static int64_t waits_seen(const int64_t *lengths, int beside, int alone)
{
    struct run run;
    int64_t at = 0, from = 0, gain;

    begin(&run);
    submit(&run, "cudaLaunchKernel", 0, 10, run.stream, "gemm", 15, 100);
    for (int i = 0; i < alone + beside; i++) {
        int64_t length = i < alone ? 10 : lengths[i - alone];

        from = i == alone ? at : from;
        add(&run, run.main, "aten::add", KIND_OPERATOR, at + 10, at + 20);
        add(&run, run.main, "block", KIND_PYTHON, at + 20, at + 20 + length);
        at += 20 + length;
    }
    add(&run, run.other, "dump", KIND_PYTHON, from, at);
    add(&run, run.main, "aten::add", KIND_OPERATOR, at, at + 100);
    finish(&run);
    gain = at + 100 - without(&run, "dump", INFINITY);
    end(&run);
    return gain;
}

/* A piece of less than 1 ms may have work of its own. Two longer ones and two shorter ones beside the same thread are no
 * chance. */
Test(interpreter_lock, two_long_waits_and_two_short_ones_are_enough)
{
    cr_expect_eq(waits_seen((const int64_t[]){300, 1400, 330, 1700}, 4, 10), 300 + 1400 + 330 + 1700 - 40);
    cr_expect_eq(waits_seen((const int64_t[]){300, 1400, 1700}, 3, 11), 0);
    cr_expect_eq(waits_seen((const int64_t[]){300, 330, 340, 1700}, 4, 10), 0);
}

/* The fewer pieces there are alone, the more must wait. */
Test(interpreter_lock, many_waits_are_enough_beside_few_pieces_alone)
{
    static const int64_t lengths[] = {1300, 1400, 1700, 1300, 1500, 1600};

    cr_expect_eq(waits_seen(lengths, 6, 5), 8800 - 60);
    cr_expect_eq(waits_seen(lengths, 5, 5), 0);
    cr_expect_eq(waits_seen(lengths, 5, 8), 7200 - 50);
    cr_expect_eq(waits_seen(lengths, 6, 3), 0);
}

/* A function that is taken out still asks for the lock where it did, as it still waits for a device. It needs it for
 * no time then: the first time that the other thread lets it go is enough for all. */
Test(interpreter_lock, a_function_that_goes_still_waits_for_the_lock)
{
    enum { ALONE = 10, BESIDE = 4 };
    struct run run;
    int64_t at = 10;

    begin(&run);
    submit(&run, "cudaLaunchKernel", 0, 10, run.stream, "gemm", 15, 100);
    for (int i = 0; i < ALONE + BESIDE; i++) {
        int64_t length = i < ALONE ? 10 : 1000;

        if (i == ALONE)
            add(&run, run.main, "forward", KIND_PYTHON, at, at + BESIDE * 1010);
        add(&run, run.main, "aten::add", KIND_OPERATOR, at, at + 10);
        add(&run, run.main, "block", KIND_PYTHON, at + 10, at + 10 + length);
        at += 10 + length;
    }
    submit(&run, "cudaLaunchKernel", at - 5, at, run.stream, "gemm", at, at + 100);
    add(&run, run.other, "dump", KIND_PYTHON, 20 * ALONE + 9, at);
    add(&run, run.main, "aten::mul", KIND_OPERATOR, at, at + 9000);
    finish(&run);
    cr_expect_eq(without(&run, "forward", INFINITY), 10 + ALONE * 20 + 1000 + 9000);
    end(&run);
}

/* A third thread is in Python all the time: it hides the second one no more than it has the lock. */
Test(interpreter_lock, a_thread_that_always_runs_hides_no_wait_for_the_lock)
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
Test(interpreter_lock, who_comes_sooner_takes_an_earlier_release_of_the_lock)
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

/* A thread that is in C for long holds the interpreter's lock: what comes sooner, whatever got faster before it, may
 * have to wait for that. */
Test(interpreter_lock, a_bracket_has_room_for_a_lock_that_was_held_beside_a_call)
{
    struct run run;
    struct scenario scenario;
    struct replay_bounds bounds;

    begin(&run);
    add(&run, run.main, "cudaFree", KIND_RUNTIME, 0, 25000);
    add(&run, run.main, "forward", KIND_PYTHON, 25000, 30000);
    submit(&run, "launch", 26000, 26010, run.stream, "gemm", 26020, 26100);
    add(&run, run.other, "<built-in function dump>", KIND_PYTHON, 1000, 25000);
    finish(&run);
    scenario_begin(&scenario, &run.execution);
    scenario.factors[1] = (double)INFINITY;
    for (frame_id id = 1; id < run.graph.frames.count; id++)
        if (span_eq(graph_text(&run.graph, graph_frame(&run.graph, id)->name), span_of("cudaFree")))
            scenario.of_frame[id] = 1;
    replay_bound(&run.execution, &scenario.change, &bounds);
    cr_expect_geq(bounds.most, 29000 * 1000, "%d us", (int)(bounds.most / 1000));
    scenario_free(&scenario);
    end(&run);
}

/* Between the third and the fourth time 6,720 us pass: that is no whole number of 2,000, but about three. Who comes at
 * once waits until the first of these. */
Test(execution, a_lock_is_let_go_where_known_times_lie_about_whole_periods_apart)
{
    enum { ALONE = 10, BESIDE = 6, LONG = 3, PERIOD = 2000, GAP = 6720 };
    struct run run;
    int64_t at = 0;

    begin(&run);
    submit(&run, "cudaLaunchKernel", 0, 10, run.stream, "gemm", 15, 100);
    for (int i = 0; i < ALONE; i++) {
        add(&run, run.main, "aten::mul", KIND_OPERATOR, at + 10, at + 20);
        add(&run, run.main, "block", KIND_PYTHON, at + 20, at + 30);
        at += 30;
    }
    add(&run, run.other, "dump", KIND_PYTHON, at, at + (BESIDE - 1) * PERIOD + GAP);
    for (int i = 0; i < BESIDE; i++) {
        int64_t length = i == LONG ? GAP : PERIOD;

        if (i == LONG)
            add(&run, run.main, "aten::read", KIND_OPERATOR, at, at + GAP - PERIOD + 490);
        else
            add(&run, run.main, "aten::add", KIND_OPERATOR, at, at + 490);
        add(&run, run.main, "block", KIND_PYTHON, at + length - 1510, at + length);
        at += length;
    }
    add(&run, run.main, "aten::add", KIND_OPERATOR, at, at + 3 * PERIOD);
    finish(&run);
    cr_expect_eq(without(&run, "aten::read", INFINITY), at + PERIOD);
    end(&run);
}
