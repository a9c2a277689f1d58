/* SPDX-License-Identifier: Apache-2.0 */
#include <criterion/criterion.h>
#include <stdatomic.h>

#include "base/parallel/parallel.h"

enum { PIECES = 1000 };

static void count(void *context, size_t piece)
{
    atomic_int *times = context;

    atomic_fetch_add(&times[piece], 1);
}

Test(parallel_for, every_piece_is_done_once)
{
    static const size_t threads[] = {0, 1, 2, 7, 1000};

    for (size_t i = 0; i < sizeof(threads) / sizeof(threads[0]); i++) {
        atomic_int times[PIECES] = {0};

        parallel_for(threads[i], PIECES, count, times);
        for (size_t piece = 0; piece < PIECES; piece++)
            cr_expect_eq(times[piece], 1, "%zu threads, piece %zu", threads[i], piece);
    }
}

static void note_budget(void *context, size_t piece)
{
    size_t *budgets = context;

    budgets[piece] = thread_budget();
}

Test(parallel_for, a_piece_has_its_share_of_the_threads)
{
    static const struct {
        size_t budget, threads, pieces, share;
    } cases[] = {{8, 8, 2, 4}, {8, 2, 9, 4}, {7, 8, 3, 3}, {2, 8, 8, 1}, {6, 1, 4, 6}};

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        size_t budgets[9] = {0};

        thread_budget_set(cases[i].budget);
        parallel_for(cases[i].threads, cases[i].pieces, note_budget, budgets);
        for (size_t piece = 0; piece < cases[i].pieces; piece++)
            cr_expect_eq(budgets[piece], cases[i].share, "case %zu, piece %zu", i, piece);
        cr_expect_eq(thread_budget(), cases[i].budget, "it is the caller's again");
    }
    thread_budget_set(0);
    cr_expect_eq(thread_budget(), processor_count());
}

Test(parallel_for, no_pieces_are_no_work)
{
    parallel_for(4, 0, count, NULL);
    cr_expect_geq(processor_count(), 1);
}

struct relay {
    struct latch *latches[8];
    int written[8]; /* by plain stores: who waited sees them */
};

static void pass_on(void *context, size_t piece)
{
    struct relay *relay = context;

    if (piece)
        latch_wait(relay->latches[piece - 1]);
    relay->written[piece] = piece ? relay->written[piece - 1] + 1 : 1;
    latch_open(relay->latches[piece]);
}

Test(latch, a_piece_waits_for_those_before_it)
{
    static const size_t threads[] = {1, 2, 8};

    for (size_t i = 0; i < sizeof(threads) / sizeof(threads[0]); i++) {
        struct relay relay = {.written = {0}};

        for (size_t piece = 0; piece < 8; piece++)
            relay.latches[piece] = latch_new();
        parallel_for(threads[i], 8, pass_on, &relay);
        for (size_t piece = 0; piece < 8; piece++) {
            cr_expect_eq(relay.written[piece], (int)piece + 1, "%zu threads", threads[i]);
            latch_free(relay.latches[piece]);
        }
    }
}

struct claims {
    struct latch *latch;
    atomic_int firsts;
    int found;
};

static void claim(void *context, size_t piece)
{
    struct claims *claims = context;

    (void)piece;
    if (latch_claim(claims->latch)) {
        claims->found = 42;
        atomic_fetch_add(&claims->firsts, 1);
        latch_open(claims->latch);
    }
    latch_wait(claims->latch);
    cr_expect_eq(claims->found, 42);
}

Test(latch, one_of_all_that_ask_is_the_first)
{
    struct claims claims = {.latch = latch_new()};

    parallel_for(8, PIECES, claim, &claims);
    cr_expect_eq(claims.firsts, 1);
    latch_free(claims.latch);
}
