/* SPDX-License-Identifier: Apache-2.0 */
/* summaries.h — from a timeline to the summaries of its ranks: what each did, and what that waited for */
#ifndef PTK_ANALYSIS_RANKS_RANK_SUMMARIES_H
#define PTK_ANALYSIS_RANKS_RANK_SUMMARIES_H

#include "analysis/ranks/job_shard.h"
#include "base/error/error.h"
#include "graph/model/graph.h"

/* The properties that rank_summaries_make() reads, and of them those that summaries_of_phases() does. */
uint64_t rank_summaries_properties(void);
uint64_t phase_summaries_properties(void);

struct rank_summaries_options {
    const char *file; /* as summaries shall call it */
    uint64_t bytes;   /* of the trace, or 0 */
    bool is_truncated;
    int64_t rank;      /* which it is, whatever the file says; -1: as it says */
    int64_t place;     /* which it is when neither the file nor its name says */
    uint32_t sizes[3]; /* of tensor, data and pipeline dimension; 0: as the groups say */
};

/* The shard of one trace: one summary, or one a rank where the trace is a whole job's. False with
 * ERROR_LACK where it has no operations of a device. job_shard_free() in any case. */
MUST_CHECK bool rank_summaries_make(const struct graph *graph,
                                    const struct rank_summaries_options *options,
                                    struct job_shard *shard, struct error *err);

/* Whether summaries_of_phases() has several ranks. Needs phase_summaries_properties(). */
bool has_phases_of_ranks(const struct graph *graph);

/* The two kinds of traces. */
bool summaries_of_phases(const struct graph *graph, const struct rank_summaries_options *options,
                         struct job_shard *shard);
bool summaries_of_kernels(const struct graph *graph, const struct rank_summaries_options *options,
                          struct job_shard *shard);

#endif
