/* SPDX-License-Identifier: Apache-2.0 */
/* serve_bound.h — the room's own: the least time of each stage's steps */
#ifndef PTK_ANALYSIS_SERVING_SERVE_BOUND_H
#define PTK_ANALYSIS_SERVING_SERVE_BOUND_H

#include "analysis/serving/serve.h"

/* Fills the stages' bounds: of each step max(FLOPs / peak, bytes of weights and cached keys and values /
 * bandwidth), as far as the work of its kernels is known. */
void serve_bound_find(const struct graph *graph, const struct ceilings *ceilings,
                      struct serve *serve);

#endif
