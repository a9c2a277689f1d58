/* SPDX-License-Identifier: Apache-2.0 */
/* transfer_name.h — what moves data between devices, as names tell */
#ifndef PTK_GRAPH_CLASSIFY_TRANSFER_NAME_H
#define PTK_GRAPH_CLASSIFY_TRANSFER_NAME_H

#include <stdint.h>

#include "base/text/span.h"

/* What the words of a name say; a set. */
enum name_mark {
    NAMED_TRANSFER = 1,     /* an operator with such a name moves data between devices, */
    NAMED_LOCAL = 2,        /* but not with such a one: a tensor is only given another shape */
    NAMED_COLLECTIVE = 4,   /* a kernel with such a name does */
    NAMED_MANIPULATION = 8, /* a range with such a name copies or sets memory */
};

enum name_mark name_marks(struct span name);

/* ---- collectives ---- */

/* What an operation moves between ranks. */
enum traffic {
    TRAFFIC_PLAIN,
    TRAFFIC_REDUCE_ALL,
    TRAFFIC_GATHER,
    TRAFFIC_SCATTER,
    TRAFFIC_ALL,
    TRAFFIC_SEND,    /* from one rank to another: "send", */
    TRAFFIC_RECEIVE, /* and "recv" */
};

/* Whether all ranks end it at one time, as each needs something of all others. A root that sends is
 * done before those that receive. */
bool traffic_ends_together(enum traffic traffic);

/* Of an operation as PyTorch, Paddle or NCCL call it: "_allgather_base", "c_allreduce_sum",
 * "ncclDevKernel_AllReduce_Sum_f32_RING_LL(…)". */
enum traffic traffic_of_operation(struct span operation);

/* Bytes of an element of a type as c10::ScalarType calls it, "BFloat16"; UNKNOWN of others. */
int64_t scalar_type_size(struct span name);

#endif
