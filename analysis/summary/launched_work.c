/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/summary/launched_work.h"

#include <stdlib.h>
#include <string.h>

#include "base/checked.h"
#include "base/memory/grow.h"

static event_id launch_of(const struct timeline *timeline, const struct hosted_work *work)
{
    return timeline->launch ? timeline->launch[work->event] : NO_EVENT;
}

static void add_clamped(int64_t *sum, int64_t time)
{
    *sum = checked_add(*sum, time);
}

/* Written at once: pages that are read before they are written cost twice. */
static int64_t *zeroed(size_t count)
{
    int64_t *time = grow_to(NULL, count, sizeof(*time));

    memset(time, 0, count * sizeof(*time));
    return time;
}

/* Each call's own figure becomes the sum of those before it. */
static void sum_up(int64_t *time, uint32_t calls)
{
    int64_t sum = 0;

    for (uint32_t i = 0; i <= calls; i++) {
        int64_t before = sum;

        add_clamped(&sum, time[i]);
        time[i] = before;
    }
}

void launched_make(const struct timeline *timeline, const struct hosted_work *work, uint32_t count,
                   struct launched *launched)
{
    uint32_t calls;

    bits_init(&launched->calls, timeline->count);
    for (uint32_t i = 0; i < count; i++)
        if (launch_of(timeline, &work[i]) != NO_EVENT)
            bits_set(&launched->calls, launch_of(timeline, &work[i]));
    calls = bits_count(&launched->calls);
    launched->time = zeroed((size_t)calls + 1);
    launched->kernel_time = zeroed((size_t)calls + 1);
    for (uint32_t i = 0; i < count; i++) {
        event_id call = launch_of(timeline, &work[i]);
        uint32_t at;

        if (call == NO_EVENT)
            continue;
        at = bits_before(&launched->calls, call);
        add_clamped(&launched->time[at], timeline->duration[work[i].event]);
        if (work[i].role == ROLE_KERNEL)
            add_clamped(&launched->kernel_time[at], timeline->duration[work[i].event]);
    }
    sum_up(launched->time, calls);
    sum_up(launched->kernel_time, calls);
}

void launched_free(struct launched *launched)
{
    bits_free(&launched->calls);
    free(launched->time);
    free(launched->kernel_time);
    *launched = (struct launched){0};
}
