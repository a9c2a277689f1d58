/* SPDX-License-Identifier: Apache-2.0 */
/* call_cycles.h — which functions call each other in a circle, directly or through others */
#ifndef PTK_PARSERS_STACKS_CALL_CYCLES_H
#define PTK_PARSERS_STACKS_CALL_CYCLES_H

#include "base/memory/memory.h"

struct call_pair {
    uint32_t caller, callee;
};

/* By function the number of its cycle, all numbers below the count of functions. Functions that
 * can reach each other have the same; one in no cycle has a number of its own. In the arena. */
uint32_t *call_cycles(const struct call_pair *calls, size_t count, uint32_t functions,
                      struct arena *arena);

#endif
