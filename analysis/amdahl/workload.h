/* SPDX-License-Identifier: Apache-2.0 */
/* workload.h — who was at work when: a timeline as activities on resources
 *
 * On a thread the innermost event is at work, on a stream each event is. Waiting is no work: which
 * calls block, for how long, and which threads take part at all is the execution graph's to say
 * (task_graph.h). */
#ifndef PTK_ANALYSIS_AMDAHL_WORKLOAD_H
#define PTK_ANALYSIS_AMDAHL_WORKLOAD_H

#include <stdbool.h>

#include "analysis/amdahl/speedup.h"
#include "analysis/execution/task_graph.h"
#include "graph/model/graph.h"

struct workload {
    struct activities activities; /* part: part_of[frame]; resource: a stream's track */
    int64_t span;                 /* ns: from the first start to the last end of any event */
    bool is_device_only;          /* no thread is recorded */
    bool is_launch_bound;         /* host work that is not on record may hold the device up */
};

/* `part_of`: by frame_id. `known`: the graph's execution graph; NULL: one is built for this alone.
 * Needs LEVEL_TIMELINE. Free the activities. */
void workload_collect(const struct graph *graph, const struct execution *known,
                      const uint32_t *part_of, struct workload *workload);

#endif
