/* SPDX-License-Identifier: Apache-2.0 */
/* decimal.h — decimal text to integers, without the rounding of floating point on the way */
#ifndef PTK_BASE_TEXT_DECIMAL_H
#define PTK_BASE_TEXT_DECIMAL_H

#include <stdbool.h>
#include <stdint.h>

#include "base/text/span.h"

/* "-12.5e3", as JSON and C write numbers: text · 10^scale, rounded to nearest, halves away from
 * zero; what 64 bits cannot hold becomes the nearest end. False when it is no such number. */
bool decimal_scaled(struct span text, int scale, int64_t *value);

/* The same, but false, too, for what 64 bits cannot hold. */
bool decimal_fits(struct span text, int scale, int64_t *value);

#endif
