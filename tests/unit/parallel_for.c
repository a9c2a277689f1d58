/* SPDX-License-Identifier: Apache-2.0 */
#include <criterion/criterion.h>
#include <stdatomic.h>

#include "base/parallel/parallel_for.h"

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

Test(parallel_for, no_pieces_are_no_work)
{
    parallel_for(4, 0, count, NULL);
    cr_expect_geq(processor_count(), 1);
}
