/* SPDX-License-Identifier: Apache-2.0 */
/* brief.h — what a short answer consists of: findings and when they happen, the functions with the most time and
 * who calls them, and what is not recorded */
#ifndef PTK_ANALYSIS_BRIEF_BRIEF_H
#define PTK_ANALYSIS_BRIEF_BRIEF_H

#include "analysis/advice/advice.h"
#include "analysis/functions/hotspots.h"
#include "analysis/timeline/occurrences.h"

enum { BRIEF_FINDINGS = 5, BRIEF_COSTS = 5, BRIEF_CALLERS = 5, BRIEF_RELATIVES = 5 };

struct brief_finding {
    const struct finding *finding;
    frame_id frame;                 /* where it shows most; 0: nowhere in particular */
    struct occurrences occurrences; /* of that; none where the finding is about no event */
};

/* A function with much of the time, and who calls it. */
struct brief_cost {
    uint32_t function;
    uint32_t callers[BRIEF_CALLERS]; /* by the largest share of its time, the nearest first */
    uint32_t caller_count;
    bool is_far; /* others are between the last caller and the one before it */
};

enum brief_lack {
    LACKS_WORK,
    LACKS_HOST,
    LACKS_LAUNCHES,
    LACKS_STEPS,
    LACKS_SHAPES,
    LACKS_PYTHON,
    LACKS_CALLERS,
    BRIEF_LACKS
};

struct brief_parts {
    struct brief_finding findings[BRIEF_FINDINGS]; /* symptoms of those before them left out */
    struct brief_cost costs[BRIEF_COSTS];
    uint32_t finding_count, cost_count;
    int64_t cost;       /* that shares are of: the time of devices' functions, or of all */
    bool is_of_devices; /* costs are those of devices */
    bool lacks[BRIEF_LACKS];
    bool has_both, has_kernels;        /* what is known of these: */
    struct replayed_gain both;         /* without the troubles of the first two findings, */
    int64_t kernels, whole; /* and of a device that computes, if kernels took no time; ns, and of which */
    bool is_of_run;         /* `whole` is the run, and not the steps that the device was judged by */
};

/* Needs LEVEL_FLAT, and shows callers of LEVEL_CALLGRAPH. Borrows the findings. */
void brief_compose(const struct graph *graph, const struct advice *advice, bool is_of_devices,
                   struct arena *arena, struct brief_parts *brief);

/* Adds what replays say. Of a timeline with devices. */
void brief_add_replays(const struct execution *execution, const struct bottlenecks *devices,
                       const struct thresholds *thresholds, struct brief_parts *brief);

/* One function, where only that is asked for. */
struct brief_about {
    uint32_t function;
    struct occurrences occurrences;     /* none without a timeline */
    struct relatives callers, callees; /* no rows where nobody knows them */
};

void brief_compose_about(const struct graph *graph, uint32_t function, struct arena *arena,
                         struct brief_about *about);

#endif
