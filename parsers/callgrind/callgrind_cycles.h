/* SPDX-License-Identifier: Apache-2.0 */
/* callgrind_cycles.h — which functions call each other in a circle, directly or through others */
#ifndef PTK_PARSERS_CALLGRIND_CALLGRIND_CYCLES_H
#define PTK_PARSERS_CALLGRIND_CALLGRIND_CYCLES_H

#include "base/memory/arena.h"
#include "parsers/callgrind/callgrind_costs.h"

/* By function the number of its cycle, all numbers below the count of functions. Functions that
 * can reach each other have the same; one in no cycle has a number of its own. In the arena. */
uint32_t *cycles_find(const struct costs *costs, struct arena *arena);

#endif
