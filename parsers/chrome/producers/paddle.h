/* SPDX-License-Identifier: Apache-2.0 */
/* paddle.h — Paddle's profiler: names with durations, times in two parts */
#ifndef PTK_PARSERS_CHROME_PRODUCERS_PADDLE_H
#define PTK_PARSERS_CHROME_PRODUCERS_PADDLE_H

#include <stdbool.h>
#include <stdint.h>

#include "parsers/shared/json_value.h"

/* Every event confines the base: low ≤ base ≤ high. */
struct relative_clock {
    int64_t low, high; /* ns; INT64_MIN and INT64_MAX: nothing is known */
    int64_t quantum;   /* ns: the coarsest step of the floats seen */
};

#endif
