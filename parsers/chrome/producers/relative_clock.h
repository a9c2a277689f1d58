/* SPDX-License-Identifier: Apache-2.0 */
/* relative_clock.h — starts in whole microseconds, and once more in floats of nanoseconds since a base
 * that the file does not give, as Paddle writes them */
#ifndef PTK_PARSERS_CHROME_PRODUCERS_RELATIVE_CLOCK_H
#define PTK_PARSERS_CHROME_PRODUCERS_RELATIVE_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

#include "parsers/shared/json_value.h"

/* Every event confines the base: low ≤ base ≤ high. */
struct relative_clock {
    int64_t low, high; /* ns; INT64_MIN and INT64_MAX: nothing is known */
    int64_t quantum;   /* ns: the coarsest step of the floats seen */
};

/* Narrows the base by an event of the file's beginning. */
void clock_confine(struct relative_clock *clock, int64_t ts, struct token start_time);

/* The start of an event in ns; `ts` when there is no better. */
int64_t clock_start(struct relative_clock *clock, int64_t ts, struct token start_time);

/* By how many ns two starts may be too near: each was rounded to a float of nanoseconds, again when
 * that was divided, and to the nanosecond as text. 0 when the file has no such starts. */
int64_t clock_tolerance(const struct relative_clock *clock);

#endif
