/* SPDX-License-Identifier: Apache-2.0 */
/* captures_join.h — who launched the kernels of a CUDA or HIP graph: from its capture
 *
 * A launch is joined with the first of these that leaves one capture:
 *
 *     the label of the step says a size: the smallest captured size that holds it; of several of
 *     that size the k-th for the k-th launch of the step
 *     there is one capture
 *     there is a whole number of rounds of all captures, which fit in turn
 *     every capture whose nodes align; of several the kernels get what all of them agree on
 *
 * A launch is joined whole or not at all. */
#ifndef PTK_ANALYSIS_CAPTURES_CAPTURES_JOIN_H
#define PTK_ANALYSIS_CAPTURES_CAPTURES_JOIN_H

#include "analysis/captures/node_alignment.h"

struct captures_join {
    uint32_t captures;         /* that were found; without any, nothing is joined */
    uint32_t launches, joined; /* of graphs, with device work */
    uint32_t several;          /* of those joined: several captures fit, and inputs were left out */
    uint32_t work, joined_work;   /* kernels, copies and fills of launches */
    int64_t time, joined_time;    /* ns of those */
    int64_t device_time;          /* ns of all device work */
    uint32_t by[ALIGNMENT_COUNT]; /* launches */
};

/* Gives the device work of launches what it was captured for: PROP_CAPTURED and graph->captured.
 * `captured`: graphs that hold captures, which may be the same one. */
void captures_join(struct graph *graph, const struct graph *const *captured, uint32_t count,
                   struct captures_join *join);

#endif
