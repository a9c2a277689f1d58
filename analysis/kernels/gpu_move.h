/* SPDX-License-Identifier: Apache-2.0 */
/* gpu_move.h — how long the device work of a run would take on another GPU */
#ifndef PTK_ANALYSIS_KERNELS_GPU_MOVE_H
#define PTK_ANALYSIS_KERNELS_GPU_MOVE_H

#include <stdint.h>

#include "analysis/kernels/roofline.h"
#include "base/memory/memory.h"
#include "graph/model/graph.h"

/* What bounds a kernel scales it (Yu et al. 2021, Habitat, USENIX ATC, there with a blend of both by
 * the kernel's intensity). With B bytes a second, P FLOP a second in the work's precision, and L over
 * the link, here and there:
 *
 *     memory bound        t · B_here / B_there
 *     compute bound       t · P_here / P_there
 *     over the link       t · L_here / L_there
 *     bound by neither    from the least of 1, B_here / B_there and P_here / P_there to the largest
 *     its work not known  the same
 *     communication       from the less of 1 and L_here / L_there to the larger
 *
 * What has two ends is likely at their geometric mean. The other library's kernels attain another share of their
 * roofs: so both ends are MOVE_SLACK further apart each, but for copies. Of three models recorded on an H100 and an
 * MI300X, either way, the device time was at most 1.40 times outside of the ends without slack. */

#define MOVE_SLACK 1.5

enum move_bound {
    MOVE_MEMORY,
    MOVE_COMPUTE,
    MOVE_LINK,
    MOVE_LATENCY,
    MOVE_UNKNOWN,
    MOVE_COMMUNICATION,
    MOVE_BOUND_COUNT
};

/* "memory", "not known". */
const char *move_bound_name(enum move_bound bound);

enum move_end { MOVE_LOW, MOVE_LIKELY, MOVE_HIGH, MOVE_ENDS };

/* Device work that is scaled alike. */
struct move_class {
    enum move_bound bound;
    enum precision precision; /* PRECISION_UNKNOWN of what does not depend on it */
    double ratio[MOVE_ENDS];  /* of the times there to those here */
    int64_t time;             /* ns here, summed over streams */
};

enum { MOVES_MAX = MOVE_BOUND_COUNT * (PRECISION_COUNT + 1) };

struct gpu_move {
    struct move_class list[MOVES_MAX];
    uint32_t count;
    uint8_t *of_frame; /* 1 + its class; 0 of what is no device work; in the arena */
    int64_t time;      /* ns of all device work here */
    double there[MOVE_ENDS];
};

/* Needs LEVEL_TIMELINE with launches, and roofline_properties(). Both must have a bandwidth. */
void gpu_move_find(const struct graph *graph, const struct ceilings *here,
                   const struct ceilings *there, struct arena *arena, struct gpu_move *move);

#endif
