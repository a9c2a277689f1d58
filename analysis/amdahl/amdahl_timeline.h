/* SPDX-License-Identifier: Apache-2.0 */
/* amdahl_timeline.h — the part of amdahl.h that reads timelines */
#ifndef PTK_ANALYSIS_AMDAHL_AMDAHL_TIMELINE_H
#define PTK_ANALYSIS_AMDAHL_AMDAHL_TIMELINE_H

#include "analysis/amdahl/amdahl.h"

extern const double AMDAHL_CURVE_LEAST; /* the limit of a row that gets a curve */

/* One row a frame that was at work, in the order of frames. */
void amdahl_timeline(const struct graph *graph, const struct amdahl_options *options,
                     struct arena *arena, struct amdahl *amdahl);

void amdahl_timeline_combine(const struct graph *graph, const struct amdahl_options *options,
                             const uint32_t *part_of, struct amdahl_plan *plan);

#endif
