/* SPDX-License-Identifier: Apache-2.0 */
#include "base/memory/permute.h"

#include "base/memory/grow.h"

uint32_t *permute_places(const uint32_t *order, size_t count)
{
    uint32_t *at = grow_zeroed(count + 1, sizeof(*at));

    for (size_t i = 0; i < count; i++)
        at[order[i]] = (uint32_t)i;
    return at;
}
