/* SPDX-License-Identifier: Apache-2.0 */
/* memory_copy.h — between which memories a copy goes, and of what kind they are */
#ifndef PTK_GRAPH_CLASSIFY_MEMORY_COPY_H
#define PTK_GRAPH_CLASSIFY_MEMORY_COPY_H

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

#endif
