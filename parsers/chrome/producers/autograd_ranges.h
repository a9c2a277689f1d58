/* SPDX-License-Identifier: Apache-2.0 */
/* autograd_ranges.h — device times that operators took of themselves, of which the innermost are
 * work
 *
 * PyTorch's profiler before Kineto writes for every operator, inner ones too, from when to when the
 * device was at it. An operator comes before those in it: one whose time encloses that of the next
 * is a range, not work, and its arrow would only point to the work of the inner one. */
#ifndef PTK_PARSERS_CHROME_PRODUCERS_AUTOGRAD_RANGES_H
#define PTK_PARSERS_CHROME_PRODUCERS_AUTOGRAD_RANGES_H

#include "parsers/chrome/event_sink.h"

/* Takes an event just added to `row`. What is before it in there becomes a range if it encloses it.
 * `range` and `flows` of `measured` are found here. */
void measured_add(struct sink *sink, const struct event *event, uint32_t row,
                  const struct measured *measured);

#endif
