/* SPDX-License-Identifier: Apache-2.0 */
/* paddle_clock.h — what Paddle writes in its own way: names with durations, times in two parts */
#ifndef PTK_PARSERS_CHROME_PRODUCERS_PADDLE_CLOCK_H
#define PTK_PARSERS_CHROME_PRODUCERS_PADDLE_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

#include "parsers/shared/json_token.h"

/* The file has starts in whole microseconds, and in floats of nanoseconds since a base that it
 * does not give. Every event confines the base; `low` ≤ base ≤ `high`. */
struct paddle {
    bool is_paddle;
    int64_t low, high;
    int64_t quantum; /* ns: the coarsest step of the floats seen */
};

/* "conv2d[1.234 ms]" → "conv2d". The result is not in quotes. */
struct token paddle_plain_name(struct token name);

/* Narrows the base by an event of the file's beginning. */
void paddle_confine(struct paddle *paddle, int64_t ts, struct token start_time);

/* The start of an event in ns; `ts` when there is no better. */
int64_t paddle_start(struct paddle *paddle, int64_t ts, struct token start_time);

/* By how many ns two starts may be too near: each was rounded to a float of nanoseconds, again when
 * that was divided, and to the nanosecond as text. 0 when the file has no such starts. */
int64_t paddle_tolerance(const struct paddle *paddle);

#endif
