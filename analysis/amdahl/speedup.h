/* SPDX-License-Identifier: Apache-2.0 */
/* speedup.h — the laws of speed-up, as plain functions of shares and factors
 *
 * A share is 0 … 1 of the elapsed time; a factor is how many times faster, 1 … INFINITY. */
#ifndef PTK_ANALYSIS_AMDAHL_SPEEDUP_H
#define PTK_ANALYSIS_AMDAHL_SPEEDUP_H

#include <stddef.h>
#include <stdint.h>

/* Amdahl 1967: the whole gets 1 / ((1 − f) + f/s) times faster. INFINITY when nothing is left. */
double speedup_overall(double share, double factor);

/* 1 / (1 − f): the part takes no time at all. */
double speedup_limit(double share);

/* The factor that the part must reach for the whole to get `target` times faster; INFINITY when
 * no factor is enough. */
double speedup_needed(double share, double target);

/* Gustafson 1988: (1 − f) + f·n, with the share measured on the parallel run. */
double speedup_scaled(double share, double workers);

/* Karp and Flatt 1990: the serial share that a measured speed-up on so many workers implies,
 * (1/S − 1/p) / (1 − 1/p). `workers` > 1. */
double speedup_serial_share(double measured, double workers);

/* The standard error of a share found by sampling: sqrt(f(1 − f) / n); 0 when n is not known. */
double speedup_share_error(double share, int64_t samples);

/* What a run can gain at least and at most when some of its activities get faster
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

/* Of work that may hide waiting for other work, such as a call that blocks: it sets no floor. */
#define NO_RESOURCE UINT32_MAX

struct activity {
    int64_t start, end;      /* ns; those of one resource are disjoint */
    uint32_t part, resource; /* numbered from 0; or NO_RESOURCE */
};

/* Ready for use when zeroed; owned: see activities_free(). */
struct activities {
    struct activity *list;
    size_t count, cap;
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

/* `span` must be at least what the activities cover. */
void speedup_bounds_compute(const struct activities *activities, int64_t span, uint32_t part_count,
                            uint32_t resource_count, struct speedup_bounds *bounds);

/* How long the run takes at least, in ns, when each part `p` gets factors[p] times faster: the
 * busiest resource's own work. */
double speedup_floor(const struct speedup_bounds *bounds, const double *factors);

/* The same with one part changed. */
double speedup_floor_of(const struct speedup_bounds *bounds, uint32_t part, double factor);

void speedup_bounds_free(struct speedup_bounds *bounds);

#endif
