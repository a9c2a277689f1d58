/* SPDX-License-Identifier: Apache-2.0 */
/* speedup_bounds.h — what a run can gain at least and at most when some of its activities get faster
 *
 * Activities are spans of work on resources (threads, streams). Let E be how long nothing but the
 * part is active, U how long it is active at all, and s its factor. When the other activities keep
 * their lengths and the order of the recorded run is kept,
 *
 *     (1 − 1/s)·E  ≤  time saved  ≤  (1 − 1/s)·U
 *
 * Left: let the clock run s times faster exactly while only the part is active; that is a valid
 * schedule. Right: the old critical path is still a path, and lost only pieces of the part, which
 * are disjoint in time. Besides, no resource can be done before its own work is. */
#ifndef PTK_ANALYSIS_TIMELINE_SPEEDUP_BOUNDS_H
#define PTK_ANALYSIS_TIMELINE_SPEEDUP_BOUNDS_H

#include <stddef.h>
#include <stdint.h>

#include "base/memory/memory.h"

/* Of work that may hide waiting for other work, such as a call that blocks: it sets no floor. */
#define NO_RESOURCE UINT32_MAX

struct activity {
    int64_t start, end;      /* ns; those of one resource are disjoint */
    uint32_t part, resource; /* numbered from 0; or NO_RESOURCE */
};

/* Ready for use when zeroed; owned: see activities_free(). */
struct activities {
    VECTOR(struct activity);
};

/* An empty span is no activity. One that goes on where the one added last ended, with the same part
 * and resource, extends that. */
void activities_add(struct activities *activities, const struct activity *activity);
void activities_free(struct activities *activities);

/* The work of one part on one resource. */
struct part_load {
    uint32_t part, resource;
    int64_t time; /* ns */
};

struct speedup_bounds {
    int64_t span, busy; /* ns: of the run, and while anything is active */
    uint32_t part_count, resource_count;
    int64_t *exposed, *united; /* by part */
    int64_t *load;             /* by resource: all of its work */
    uint32_t *by_load;         /* resources, the busiest first */
    struct part_load *loads;   /* by part, then resource */
    size_t *first_load;        /* of each part; part_count + 1 of them */
};

/* A sweep over activities in order of their starts. The numbers of the parts that are active have a
 * sum; where there is but one, that is its number. */
struct activity_sweep {
    struct speedup_bounds *bounds;
    struct heap ends; /* of what is active: when, and of which part */
    int64_t time;     /* up to where the sweep has come */
    uint32_t *depth;  /* by part: its activities */
    int64_t *since;   /* by part: when it became active */
    uint32_t active;
    uint64_t sum;
    struct idmap load_of; /* part and resource → its place among the loads */
    size_t load_count, load_cap;
};

/* `span` must be at least what the activities cover. Bounds are complete with the end of the sweep,
 * which frees what it had. */
void speedup_bounds_begin(struct activity_sweep *sweep, int64_t span, uint32_t part_count,
                          uint32_t resource_count, struct speedup_bounds *bounds);
void speedup_bounds_add(struct activity_sweep *sweep, const struct activity *activity);
void speedup_bounds_end(struct activity_sweep *sweep);

/* The same of activities in any order. */
void speedup_bounds_compute(const struct activities *activities, int64_t span, uint32_t part_count,
                            uint32_t resource_count, struct speedup_bounds *bounds);

/* How long the run takes at least, in ns, when each part `p` gets factors[p] times faster: the
 * busiest resource's own work. */
double speedup_floor(const struct speedup_bounds *bounds, const double *factors);

/* The same with one part changed. */
double speedup_floor_of(const struct speedup_bounds *bounds, uint32_t part, double factor);

void speedup_bounds_free(struct speedup_bounds *bounds);

#endif
