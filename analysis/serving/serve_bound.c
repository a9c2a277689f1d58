/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/serving/serve_bound.h"

#include <stdlib.h>

#include "base/checked.h"

void serve_bound_find(const struct graph *graph, const struct ceilings *ceilings,
                      struct serve *serve)
{
    (void)graph;
    (void)ceilings;
    (void)serve;
}
