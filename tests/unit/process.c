/* SPDX-License-Identifier: Apache-2.0 */
#include <criterion/criterion.h>

#include "analysis/advice/bottleneck.h"
#include "graph/model/graph.h"

/* Verdicts on whole processes, by what the system counted of them. */

#define S 1000000000LL

Test(process, verdicts)
{
    static const struct {
        struct {
            int64_t wall, user, system, cpu, major_faults, minor_faults, file_bytes, switches;
        } use;
        uint32_t cpus;
        enum bottleneck verdict;
    } cases[] = {
        {{10 * S, 9 * S, S / 2, 19 * S / 2, 0, 0, 0, 0}, 1, HELD_BY_CPU},
        {{10 * S, 9 * S, S / 2, 19 * S / 2, 0, 0, 0, 0}, 8, HELD_BY_ONE_THREAD},
        {{10 * S, 9 * S, S / 2, 19 * S / 2, 0, 0, 0, 0}, 0, HELD_BY_ONE_THREAD},
        {{10 * S, 70 * S, S, 71 * S, 0, 0, 0, 0}, 8, HELD_BY_CPU},
        {{10 * S, 30 * S, S, 31 * S, 0, 0, 0, 0}, 8, HELD_BY_FEW_THREADS},
        {{10 * S, 30 * S, S, 31 * S, 0, 0, 0, 0}, 0, HELD_BY_CPU},
        {{10 * S, 5 * S, 5 * S, 10 * S, 0, 0, 0, 0}, 4, HELD_BY_SYSTEM},
        {{10 * S, 5 * S, 5 * S, 10 * S, 500, 0, 0, 0}, 4, HELD_BY_PAGING}, /* thrashing */
        {{10 * S, 9 * S, S / 2, 19 * S / 2, 500, 0, 0, 0}, 1, HELD_BY_CPU},
        {{10 * S, S, S, 2 * S, 500, 0, 0, 0}, 4, HELD_BY_PAGING},
        {{10 * S, S, S, 2 * S, 499, 0, 0, 0}, 4, HELD_BY_WAITING},
        {{10 * S, S, S, 2 * S, 0, 0, 10000000, 0}, 4, HELD_BY_IO},
        {{10 * S, S, S, 2 * S, UNKNOWN, UNKNOWN, UNKNOWN, UNKNOWN}, 0, HELD_BY_WAITING},
        {{10 * S, UNKNOWN, UNKNOWN, 9 * S, UNKNOWN, UNKNOWN, UNKNOWN, UNKNOWN},
         0,
         HELD_BY_ONE_THREAD}, /* a profile */
    };
    struct thresholds thresholds;

    thresholds_default(&thresholds);
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct process_bottleneck process = {.use = {.wall = cases[i].use.wall,
                                                     .user = cases[i].use.user,
                                                     .system = cases[i].use.system,
                                                     .cpu = cases[i].use.cpu,
                                                     .major_faults = cases[i].use.major_faults,
                                                     .minor_faults = cases[i].use.minor_faults,
                                                     .file_bytes = cases[i].use.file_bytes,
                                                     .switches = cases[i].use.switches},
                                             .cpus = cases[i].cpus};

        process_judge(&process, &thresholds);
        cr_expect_eq(process.verdict, cases[i].verdict, "case %zu: %s", i,
                     bottleneck_name(process.verdict));
    }
}

/* The same CPU time, of which locks take 10 % of what functions do: only where threads may take turns. */
Test(process, locks_hold_up_no_more_than_one_thread)
{
    static const struct {
        int64_t cpu, locks;
        uint32_t cpus;
        enum bottleneck verdict;
    } cases[] = {
        {9 * S, 90, 4, HELD_BY_LOCKS}, {9 * S, 89, 4, HELD_BY_ONE_THREAD},
        {9 * S, 90, 1, HELD_BY_CPU},   {20 * S, 90, 4, HELD_BY_FEW_THREADS},
        {2 * S, 90, 4, HELD_BY_LOCKS}, {2 * S, 89, 4, HELD_BY_WAITING},
    };
    struct thresholds thresholds;

    thresholds_default(&thresholds);
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct process_bottleneck process = {
            .use = {.wall = 10 * S,
                    .user = UNKNOWN,
                    .system = UNKNOWN,
                    .cpu = cases[i].cpu,
                    .major_faults = UNKNOWN,
                    .minor_faults = UNKNOWN,
                    .file_bytes = UNKNOWN,
                    .switches = UNKNOWN},
            .cpus = cases[i].cpus,
            .locks = cases[i].locks,
            .functions = 900};

        process_judge(&process, &thresholds);
        cr_expect_eq(process.verdict, cases[i].verdict, "case %zu: %s", i,
                     bottleneck_name(process.verdict));
    }
}
