/* SPDX-License-Identifier: Apache-2.0 */
/* leaves.h — from a timeline to the leaves of its ranks: what each did, and what that waited for */
#ifndef PTK_ANALYSIS_RANKS_LEAVES_H
#define PTK_ANALYSIS_RANKS_LEAVES_H

#include "base/error/error.h"
#include "graph/model/graph.h"
#include "analysis/ranks/job_part.h"

/* The properties that leaves_make() reads. */
uint64_t leaves_properties(void);

struct leaves_options {
    const char *file; /* as leaves shall call it */
    uint64_t bytes;   /* of the trace, or 0 */
    bool is_truncated;
    int64_t rank;      /* which it is, whatever the file says; -1: as it says */
    int64_t place;     /* which it is when neither the file nor its name says */
    uint32_t sizes[3]; /* of tensor, data and pipeline dimension; 0: as the groups say */
};

/* The part of one trace: one leaf, or one a rank where the trace is a whole job's. False with
 * ERROR_LACK where it has no operations of a device. job_part_free() in any case. */
MUST_CHECK bool leaves_make(const struct graph *graph, const struct leaves_options *options,
                            struct job_part *part, struct error *err);

/* The two kinds of traces. */
bool leaves_of_phases(const struct graph *graph, const struct leaves_options *options,
                      struct job_part *part);
bool leaves_of_kernels(const struct graph *graph, const struct leaves_options *options,
                       struct job_part *part);

#endif
