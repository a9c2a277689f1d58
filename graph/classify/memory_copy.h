/* SPDX-License-Identifier: Apache-2.0 */
/* memory_copy.h — between which memories a copy goes, and of what kind they are */
#ifndef PTK_GRAPH_CLASSIFY_MEMORY_COPY_H
#define PTK_GRAPH_CLASSIFY_MEMORY_COPY_H

#include <stdint.h>

#include "base/text/span.h"

/* PROP_COPY_KIND. */
enum copy_direction {
    COPY_UNKNOWN,
    COPY_HOST_TO_DEVICE,
    COPY_DEVICE_TO_HOST,
    COPY_DEVICE_TO_DEVICE, /* within one device */
    COPY_HOST_TO_HOST,
    COPY_PEER_TO_PEER, /* from one device to another */
    COPY_WITH_ARRAY,   /* from or to memory laid out for textures */
    COPY_DIRECTION_COUNT
};

/* PROP_SRC_KIND and PROP_DST_KIND. */
enum memory_kind {
    MEMORY_UNKNOWN,
    MEMORY_PAGEABLE,
    MEMORY_PINNED,
    MEMORY_DEVICE,
    MEMORY_ARRAY,
    MEMORY_MANAGED,
    MEMORY_HOST, /* of the host, and not said whether pageable or pinned */
    MEMORY_KIND_COUNT
};

/* "HtoD", "DtoA"; COPY_UNKNOWN for others. */
enum copy_direction copy_direction_of(struct span abbreviation);

/* From the name of a copy or of the call that makes one, as every producer writes it: "Memcpy HtoD
 * (Pageable -> Device)", "[CUDA memcpy Host-to-Device]", "CopyHostToDevice", "MEMCPY_HtoD",
 * "HOST_TO_DEVICE", "MemcpyD2H", "MemcpyHtoDAsync_v2". */
enum copy_direction copy_direction_of_name(struct span name);

/* "Pageable", "Pinned", "Device", "Array", "Managed", "Unified", "Host", in any case. */
enum memory_kind memory_kind_of(struct span text);

/* ---- what moves data between devices, as names tell ---- */

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
