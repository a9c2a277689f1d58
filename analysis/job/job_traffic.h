/* SPDX-License-Identifier: Apache-2.0 */
/* job_traffic.h — a job's collectives by operation and size: how long ranks waited for the last, how
 * fast the link was from there on, who came last, and how unevenly ranks had to send */
#ifndef PTK_ANALYSIS_JOB_JOB_TRAFFIC_H
#define PTK_ANALYSIS_JOB_JOB_TRAFFIC_H

#include "graph/model/job_part.h"

struct job_traffic {
    struct span operation, use;
    const struct part_group *group;     /* NULL: of all groups of that use */
    int64_t size;                       /* bytes of one on each rank, or NOT_KNOWN */
    uint32_t ranks, groups;             /* of a group, 0: not known; how many groups */
    struct distribution skew, transfer; /* ns */
    double algorithm, bus;  /* bytes per second of all transfers, as NCCL's tests count; NaN */
    double imbalance;       /* the rank with most bytes over the mean one; NaN */
    struct part_last worst; /* who came last most often */
};

/* Those of all groups of one use together, or by group, of a part that is sealed; what took most
 * waiting and transfer first. The arena's. */
struct job_traffic *job_traffic_list(const struct job_part *part, bool by_group,
                                     struct arena *arena, uint32_t *count);

#endif
